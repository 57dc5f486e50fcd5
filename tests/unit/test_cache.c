// SPDX-License-Identifier: MIT
// The cache removes its own oldest files when they get too many, and no others.
#include "base/io.h"
#include "devices/cache.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/cldbg-test-XXXXXX";

/** A file of so many bytes (without content), so many seconds old. */
static void make(const char *name, off_t size, long age)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0 && !ftruncate(fd, size));
    struct timespec t[2];
    clock_gettime(CLOCK_REALTIME, &t[0]);
    t[0].tv_sec -= age;
    t[1] = t[0];
    assert_int_equal(futimens(fd, t), 0);
    close(fd);
}

static bool exists(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return !access(path, F_OK);
}

static void only_cache_files_are_removed(void **state)
{
    static const char *const foreign[] = {"data.bin", "0123456789abcdef", "notes",
                                          "fedcba9876543210fedcba9876543210.txt",
                                          "fedcba9876543210fedcba98765432100"};
    static const char *const own[] = {"00112233445566778899aabbccddeeff",
                                      "00112233445566778899aabbccddeef0.4000000-999.tmp"};
    assert_non_null(mkdtemp(folder));
    setenv("CLDBG_CACHE", folder, 1);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) make(foreign[i], 1 << 30, 9000);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) make(own[i], 200 << 20, 5000);
    struct str s = {0}, got = {0};
    str_put(&s, "an answer");
    const struct dev_cache_key k = {0, 1}; // (one key in 64 looks for old files)
    dev_cache_put(k, &s, (struct wire_blob){0});
    assert_true(dev_cache_get(k, &got));
    assert_string_equal(str_text(&got), "an answer");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) assert_true(exists(foreign[i]));
    assert_true(!exists(own[0]) || !exists(own[1]));
    str_deinit(&s);
    str_deinit(&got);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_cache_files_are_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

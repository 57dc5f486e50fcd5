// SPDX-License-Identifier: MIT
// Files that cldbg writes where others can write, too: what was judged is what is written to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/io.h"
#include "base/out.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHER = 12345 }; // another user

static char dir[] = "/tmp/cldbg-test-XXXXXX";

static bool ours(const char *data, size_t n) { return n >= 4 && !memcmp(data, "ours", 4); }

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool has(const char *path, const char *text)
{
    struct str s = {0};
    const bool is = io_read_file(path, &s) && !strcmp(str_text(&s), text);
    str_deinit(&s);
    return is;
}

static bool written(const char *path, const char *text)
{
    struct err *e = out_write(path, OUT_REPORT, ours, text, strlen(text));
    const bool ok = !e;
    err_free(e);
    return ok;
}

static bool appended(const char *path, const char *text)
{
    const int fd = out_append(path, OUT_REPORT);
    if (fd < 0) return false;
    const bool ok = io_write_all(fd, text, strlen(text));
    close(fd);
    return ok;
}

static int begin(void **state)
{
    strcpy(dir + strlen(dir) - 6, "XXXXXX");
    return !mkdtemp(dir) || chdir(dir) || mkdir("public", 0700) || chmod("public", 01777) ||
           mkdir("home", 0755);
}

static int end(void **state)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return chdir("/") || system(command);
}

static void paths_of_all_forms_lead_to_the_file(void **state)
{
    assert_int_equal(symlink("home", "way"), 0);
    assert_int_equal(symlink("../way/../home/", "home/again"), 0);
    assert_int_equal(symlink(dir, "whole"), 0);
    assert_int_equal(symlink("round", "round"), 0);
    static const char *const forms[] = {"home/f",         "./home//f",
                                        "way/f",          "way/./again/f",
                                        "whole/home/f",   "whole/way/again/again/f",
                                        "home/../home/f", "/proc/self/cwd/home/f"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[16];
        snprintf(text, sizeof text, "ours %zu", i);
        assert_true(written(forms[i], text));
        assert_true(has("home/f", text));
        assert_true(appended(forms[i], "+"));
        strcat(text, "+");
        assert_true(has("home/f", text));
    }
    static const char *const not[] = {"",    ".",     "..",      "/",         "home",     "home/",
                                      "way", "round", "round/f", "missing/f", "home/f/g", "home/."};
    for (size_t i = 0; i < sizeof not/ sizeof *not; i++) {
        assert_false(written(not[i], "ours"));
        assert_false(appended(not[i], "ours"));
    }
    assert_true(has("home/f", "ours 7+"));
}

static void a_link_at_the_end_is_replaced(void **state)
{
    put("home/f", "ours, once");
    assert_int_equal(symlink("home/f", "link"), 0);
    assert_true(written("link", "ours, now"));
    struct stat st;
    assert_true(!lstat("link", &st) && S_ISREG(st.st_mode));
    assert_true(has("home/f", "ours, once"));
    assert_int_equal(symlink("home/missing", "dangling"), 0);
    assert_true(written("dangling", "ours"));
    assert_int_equal(access("home/missing", F_OK), -1);
    put("home/mine", "mine");
    assert_int_equal(symlink("home/mine", "to-mine"), 0);
    assert_false(written("to-mine", "ours"));
    assert_true(has("home/mine", "mine"));
}

static void streams_are_written_as_they_are(void **state)
{
    put("home/f", "");
    const int fd = open("home/f", O_WRONLY);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    assert_true(written(path, "one,"));
    assert_true(appended(path, "two"));
    close(fd);
    assert_true(has("home/f", "one,two"));
    assert_true(written("/dev/null", "ours"));
    assert_true(written("/dev/null", ""));
    assert_int_equal(mkfifo("public/own", 0600), 0);
    const int reader = open("public/own", O_RDONLY | O_NONBLOCK);
    assert_true(written("public/own", "pipe"));
    char got[8] = "";
    assert_int_equal(read(reader, got, sizeof got), 4);
    close(reader);
}

static void nothing_is_appended_to_a_second_name(void **state)
{
    put("home/private", "mine");
    assert_int_equal(link("home/private", "public/log"), 0); // where the system allows it to others
    assert_false(appended("public/log", "found"));
    assert_true(has("home/private", "mine"));
    assert_true(appended("home/private", "!")); // not public: the user decides
}

static void a_file_is_locked(void **state)
{
    int fd = out_lock("locked", OUT_REPORT);
    assert_true(fd >= 0);
    assert_int_equal(flock(open("locked", O_RDONLY), LOCK_EX | LOCK_NB), -1);
    close(fd);
    assert_true(written("locked", "ours"));
    fd = out_lock("./locked", OUT_REPORT);
    char got[8] = "";
    assert_int_equal(read(fd, got, sizeof got), 4);
    close(fd);
    assert_int_equal(symlink("locked", "to-locked"), 0);
    fd = out_lock("to-locked", OUT_REPORT);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(symlink("missing", "to-nothing"), 0);
    assert_int_equal(out_lock("to-nothing", OUT_REPORT), -1);
    assert_int_equal(access("missing", F_OK), -1);
    assert_int_equal(out_lock("/dev/null", OUT_REPORT), -1);
    assert_int_equal(errno, ESPIPE);
    assert_int_equal(out_lock("home", OUT_REPORT), -1);
    assert_int_equal(out_lock("missing/file", OUT_REPORT), -1);
}

// ---- what another user does meanwhile
static atomic_bool over;
static const char *swap_a, *swap_b;

static void *swap(void *unused)
{
    while (!atomic_load(&over)) renameat2(AT_FDCWD, swap_a, AT_FDCWD, swap_b, RENAME_EXCHANGE);
    return unused;
}

/** While two names are exchanged all the time, neither way of writing reaches the target. */
static void race(const char *a, const char *b, const char *path, const char *target,
                 const char *text)
{
    pthread_t t;
    swap_a = a;
    swap_b = b;
    atomic_store(&over, false);
    pthread_create(&t, NULL, swap, NULL);
    unsigned done = 0;
    for (int i = 0; i < 20000; i++)
        done += appended(path, "+") + (i % 16 ? 0 : written(path, "ours"));
    atomic_store(&over, true);
    pthread_join(t, NULL);
    assert_true(text ? has(target, text) : access(target, F_OK));
    assert_true(done); // (the other name was met)
}

static void exchanged_links_are_not_followed(void **state)
{
    if (geteuid()) skip();
    put("home/private", "ours, private");
    put("public/plain", "ours");
    assert_int_equal(symlink("../home/private", "public/trap"), 0);
    assert_int_equal(lchown("public/trap", OTHER, OTHER), 0);
    assert_false(appended("public/trap", "+"));
    assert_false(written("public/trap", "ours"));
    assert_int_equal(out_lock("public/trap", OUT_REPORT), -1);
    race("public/plain", "public/trap", "public/plain", "home/private", "ours, private");
}

static void exchanged_folders_are_not_entered(void **state)
{
    if (geteuid()) skip();
    assert_int_equal(mkdir("public/folder", 0755), 0);
    assert_int_equal(symlink("../home", "public/trap"), 0);
    assert_int_equal(lchown("public/trap", OTHER, OTHER), 0);
    race("public/folder", "public/trap", "public/folder/new", "home/new", NULL);
}

static void another_users_files_and_pipes(void **state)
{
    if (geteuid()) skip();
    put("public/log", "");
    assert_int_equal(chown("public/log", OTHER, OTHER), 0);
    assert_false(appended("public/log", "found"));
    assert_true(has("public/log", ""));
    assert_int_equal(mkfifo("public/pipe", 0666), 0);
    assert_int_equal(chown("public/pipe", OTHER, OTHER), 0);
    const int reader = open("public/pipe", O_RDONLY | O_NONBLOCK);
    assert_false(written("public/pipe", "found"));
    assert_false(appended("public/pipe", "found"));
    char got[8];
    assert_int_equal(read(reader, got, sizeof got), 0);
    close(reader);
}

static unsigned entries(void)
{
    DIR *d = opendir(".");
    unsigned n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

/** A writer that is killed leaves nothing, and the old file as it was. */
static void a_killed_writer_leaves_nothing(void **state)
{
    (void)state;
    put("kept", "ours, old");
    const unsigned before = entries();
    const pid_t pid = fork();
    if (!pid) {
        struct out_file o;
        if (out_begin(&o, "kept", OUT_PRIVATE, ours) || !io_write_all(o.fd, "new", 3)) _exit(1);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(entries(), before);
    assert_true(has("kept", "ours, old"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(paths_of_all_forms_lead_to_the_file, begin, end),
        cmocka_unit_test_setup_teardown(a_link_at_the_end_is_replaced, begin, end),
        cmocka_unit_test_setup_teardown(streams_are_written_as_they_are, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_appended_to_a_second_name, begin, end),
        cmocka_unit_test_setup_teardown(a_file_is_locked, begin, end),
        cmocka_unit_test_setup_teardown(a_killed_writer_leaves_nothing, begin, end),
        cmocka_unit_test_setup_teardown(exchanged_links_are_not_followed, begin, end),
        cmocka_unit_test_setup_teardown(exchanged_folders_are_not_entered, begin, end),
        cmocka_unit_test_setup_teardown(another_users_files_and_pipes, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/half.h"
#include "base/map.h"
#include "base/str.h"
#include "base/temp_folder.h"
#include "base/vec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void arena_gives_zeroed_aligned_memory(void **state)
{
    struct arena a = {0};
    for (size_t n = 1; n < 100000; n = n * 3 + 1) {
        char *p = arena_alloc(&a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_deinit(&a);
}

static void map_keeps_what_was_put(void **state)
{
    struct map m = {0};
    assert_null(map_get(&m, 0));
    for (uint64_t k = 0; k < 5000; k++) *map_put(&m, k * 4096, NULL) = k;
    for (uint64_t k = 0; k < 5000; k++) assert_int_equal(*map_get(&m, k * 4096), k);
    assert_null(map_get(&m, 1));
    bool is_new = true;
    map_put(&m, 4096, &is_new);
    assert_false(is_new);
    map_deinit(&m);
}

static void vec_and_str_grow(void **state)
{
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(&v, i);
    assert_int_equal(v.data[999], 999);
    assert_int_equal(vec_pop(&v), 999);
    vec_free(&v);
    struct str s = {0};
    for (int i = 0; i < 1000; i++) str_printf(&s, "%d,", i);
    assert_true(str_starts(s.data, "0,1,2,"));
    assert_true(str_ends(s.data, ",999,"));
    str_deinit(&s);
}

static void err_wraps_outside_in(void **state)
{
    struct err *e = err_wrap(err_new("no %s", "file"), "loading");
    assert_string_equal(err_message(e), "loading: no file");
    err_free(e);
    assert_null(err_wrap(NULL, "x"));
}

static void halves_go_to_the_nearest(void **state)
{
    assert_true(half_to_double(0x3c00) == 1 && half_to_double(0xc100) == -2.5 &&
                half_to_double(1) == 0x1p-24 && half_to_double(0x7bff) == 65504);
    for (unsigned h = 0; h < 0x7c00; h++) {
        const double x = half_to_double(h), next = h == 0x7bff ? 65536 : half_to_double(h + 1),
                     tie = (x + next) / 2;
        assert_int_equal(half_from_double(x), h);
        assert_int_equal(half_from_double(-x), h | 0x8000);
        assert_int_equal(half_from_double(tie), h % 2 ? h + 1 : h);
        assert_int_equal(half_from_double(tie - tie * 0x1p-40), h);
        assert_int_equal(half_from_double(tie + tie * 0x1p-40), h + 1);
    }
    assert_true(half_to_double(0xfc00) < -1e300 && half_from_double(-1e300) == 0xfc00);
    const double none = half_to_double(0x7e01);
    assert_true(none != none && half_from_double(none) == 0x7e00);
}

/**
 * Makes a folder with things in it in another process, whose number is the result; its path comes
 * back in *path.
 */
static pid_t owner_of_folder(const char *in, char path[256])
{
    int line[2];
    assert_int_equal(pipe(line), 0);
    const pid_t pid = fork();
    if (!pid) {
        struct temp_folder f;
        if (temp_folder_create(&f, in, "test") || chdir(f.path) || mkdir("inner", 0700) ||
            symlink("/etc", "inner/link") || creat("inner/file", 0600) < 0)
            _exit(1);
        if (write(line[1], f.path, strlen(f.path) + 1) > 0) pause();
        _exit(0);
    }
    close(line[1]);
    assert_true(read(line[0], path, 256) > 0);
    close(line[0]);
    return pid;
}

static void folders_of_killed_processes_are_removed(void **state)
{
    char in[] = "/tmp/cldbg-test-XXXXXX", killed[256], living[256];
    assert_non_null(mkdtemp(in));
    const pid_t first = owner_of_folder(in, killed), second = owner_of_folder(in, living);
    kill(first, SIGKILL);
    waitpid(first, NULL, 0);
    struct temp_folder f, other;
    struct stat st;
    assert_null(temp_folder_create(&other, in, "other"));
    assert_int_equal(stat(killed, &st), 0); // only folders of the same kind are removed
    assert_null(temp_folder_create(&f, in, "test"));
    assert_int_not_equal(stat(killed, &st), 0);
    assert_int_equal(stat(living, &st), 0);
    assert_int_equal(stat("/etc", &st), 0);
    assert_int_equal(stat(f.path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    kill(second, SIGKILL);
    waitpid(second, NULL, 0);
    temp_folder_destroy(&f);
    temp_folder_destroy(&other);
    temp_folder_destroy(&other);
    assert_null(temp_folder_create(&f, in, "test"));
    temp_folder_destroy(&f);
    assert_int_equal(rmdir(in), 0);
    struct err *e = temp_folder_create(&f, in, "test");
    assert_non_null(e);
    assert_null(f.path);
    err_free(e);
}

/** Every bit and the length matter, and the address does not. */
static void test_hash_memory(void **state)
{
    enum { SIZE = 100 };
    unsigned char room[SIZE + 8] = {0};
    for (unsigned i = 0; i < sizeof room; i++) room[i] = (unsigned char)(i * 37);
    for (unsigned n = 0; n <= SIZE; n++) {
        const uint64_t h = hash_memory(room, n, 5);
        unsigned char moved[SIZE + 8];
        memcpy(moved + 3, room, n);
        assert_int_equal(hash_memory(moved + 3, n, 5), h);
        assert_int_not_equal(hash_memory(room, n, 6), h);
        if (n < SIZE) assert_int_not_equal(hash_memory(room, n + 1, 5), h);
        for (unsigned bit = 0; bit < 8 * n; bit++) {
            room[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_int_not_equal(hash_memory(room, n, 5), h);
            room[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_memory),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(map_keeps_what_was_put),
        cmocka_unit_test(vec_and_str_grow),
        cmocka_unit_test(err_wraps_outside_in),
        cmocka_unit_test(halves_go_to_the_nearest),
        cmocka_unit_test(folders_of_killed_processes_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

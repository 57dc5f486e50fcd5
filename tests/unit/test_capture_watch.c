// SPDX-License-Identifier: MIT
// Hashes of memory whose writes are watched are those of its contents, whatever becomes of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/capture_form.h"
#include "devices/capture_watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 8 << 20 };

/** Gives whether the memory was watched. */
static bool check(const char *p, size_t size)
{
    struct hash_wide *const h = capture_watch(p, size);
    for (size_t at = 0; h && at < size; at += PACK_PIECE) {
        const struct hash_wide now =
            hash_memory_wide(p + at, size - at < PACK_PIECE ? size - at : PACK_PIECE);
        assert_memory_equal(&now, &h[at / PACK_PIECE], sizeof now);
    }
    free(h);
    return h;
}

static char *map(void *at, size_t size)
{
    char *const p = mmap(at, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
    assert_true(p != MAP_FAILED);
    return p;
}

static char *watched(size_t size)
{
    char *const p = map(NULL, size);
    madvise(p, size, MADV_HUGEPAGE);
    for (size_t i = 0; i < size; i += 64) p[i] = (char)rand();
    if (!check(p, size)) skip(); // this Linux has no asynchronous write protection
    return p;
}

static void finds_each_written_page(void **state)
{
    char *const p = watched(SIZE);
    check(p, SIZE);
    for (int i = 0; i < 300; i++) {
        for (int k = rand() % 6; k--;) p[rand() % SIZE]++;
        assert_true(check(p, SIZE));
    }
    p[0]++;
    p[SIZE - 1]++;
    assert_true(check(p, SIZE));
    munmap(p, SIZE);
}

static void memory_at_an_address_of_old_memory(void **state)
{
    char *const p = watched(SIZE);
    map(p, SIZE);
    check(p, SIZE);
    check(p + SIZE / 4, SIZE / 2); // overlaps
    p[SIZE / 2] = 5;
    check(p + SIZE / 4, SIZE / 2);
    check(p, SIZE);
    map(p + SIZE / 2, SIZE / 4);
    check(p, SIZE);
    munmap(p, SIZE);
}

static void pages_that_go_away(void **state)
{
    char *const p = watched(SIZE);
    madvise(p + (1 << 20), 64 << 10, MADV_DONTNEED);
    assert_true(check(p, SIZE));
    memset(p, 7, SIZE);
    check(p, SIZE);
    for (int i = 0; i < 200; i++) { // given up, and watched again
        p[i * 4096 + i]++;
        check(p, SIZE);
    }
    assert_true(check(p, SIZE));
    munmap(p, SIZE);
}

static void memory_between_other_data(void **state)
{
    enum { BYTES = 300000, AT = 1000 };
    char *const all = calloc(1, 400000), *const p = all + AT;
    for (int i = 0; i < 1000; i++) {
        p[rand() % BYTES]++;
        all[rand() % AT]++;
        p[(i % 2 ? BYTES - 1 : 0)]++;
        check(p, BYTES);
    }
    free(all);
}

static void kernel_writes(void **state)
{
    char *const p = watched(SIZE);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 20; i++) {
        const int value = rand();
        assert_int_equal(write(ends[1], &value, sizeof value), sizeof value);
        assert_int_equal(read(ends[0], p + rand() % (SIZE - 4), sizeof value), sizeof value);
        assert_true(check(p, SIZE));
    }
    close(ends[0]);
    close(ends[1]);
    munmap(p, SIZE);
}

static void child_processes(void **state)
{
    char *const p = watched(SIZE);
    const pid_t child = fork();
    if (!child) {
        p[12345]++;
        check(p, SIZE);
        p[SIZE / 2]++;
        _exit(!check(p, SIZE));
    }
    p[54321]++;
    assert_true(check(p, SIZE));
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    p[12345]++;
    assert_true(check(p, SIZE));
    munmap(p, SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_written_page),
        cmocka_unit_test(memory_at_an_address_of_old_memory),
        cmocka_unit_test(pages_that_go_away),
        cmocka_unit_test(memory_between_other_data),
        cmocka_unit_test(kernel_writes),
        cmocka_unit_test(child_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

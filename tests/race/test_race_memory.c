// SPDX-License-Identifier: MIT
// How much memory the shadow of global memory takes, for each byte that was touched: at most 4
// bytes where accesses are whole aligned words, 8 otherwise, however often and by however many
// work-items. Measured as pages that the process has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OBJECT = 1, ITEMS = 256, BYTES = 8 << 20, READ = 0, WRITE = 1 };

static unsigned nfound;
static void on_found(void *ctx, const struct race_pair *p) { nfound++; }

static double resident(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
    fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

struct shape {
    const char *name;
    unsigned size, granularity; // bytes of an access; of a cell
    double most;                // bytes a byte
    const char *does;           // r, w: reads, writes; R: its neighbors' places; |: barrier
    unsigned times;             // everything so often by each group
    unsigned step;              // item i of a group accesses its place i * step % ITEMS
    unsigned sites;
    uint64_t from;    // first byte
    unsigned members; // not 0: places are of so many, which an item accesses one after the other
};

static const struct shape table[] = {
    {"int, written", 4, 4, 1.4, "w", 1, 1, 20, 0, 0},
    {"int, read", 4, 4, .4, "r", 1, 1, 20, 0, 0},
    {"int, in place", 4, 4, 1.6, "rw", 1, 1, 20, 0, 0},
    {"int, in place, many times", 4, 4, 1.6, "rw|", 10, 1, 20, 0, 0},
    {"double, in place", 8, 8, 1.6, "rw", 1, 1, 20, 0, 0},
    {"float4, in place", 16, 8, 1.6, "rw", 1, 1, 20, 0, 0},
    {"float4 in cells of float, in place", 16, 4, 1.6, "rw", 1, 1, 20, 0, 0},
    {"short, in place", 2, 2, 2.2, "rw", 1, 1, 20, 0, 0},
    {"char, in place", 1, 1, 3.2, "rw", 1, 1, 20, 0, 0},
    {"int, neighbors", 4, 4, 3.3, "w|R|w", 1, 1, 20, 0, 0},
    {"int, neighbors, many times", 4, 4, 3.3, "w|R|", 5, 1, 20, 0, 0},
    {"int, shuffled, written", 4, 4, 2.2, "w", 1, 77, 20, 0, 0},
    {"int, shuffled, in place", 4, 4, 3.2, "rw", 1, 77, 20, 0, 0},
    {"double, neighbors, shuffled", 8, 8, 2.3, "w|R|w", 2, 77, 20, 0, 0},
    {"short, shuffled, neighbors", 2, 2, 5.4, "w|R|w", 1, 77, 20, 0, 0},
    {"char, shuffled, written", 1, 1, 5.2, "w", 1, 77, 20, 0, 0},
    {"char, shuffled, in place", 1, 1, 8, "rw", 1, 77, 20, 0, 0},
    {"char, shuffled, neighbors", 1, 1, 8, "w|R|w", 1, 77, 20, 0, 0},
    {"char, shuffled, many times", 1, 1, 8, "rw|R|", 3, 77, 20, 0, 0},
    {"char, members of 3, written", 1, 1, 2.2, "w", 1, 1, 20, 0, 3},
    {"char, members of 3, in place", 1, 1, 2.2, "rw", 1, 1, 20, 0, 3},
    {"int, members of 5, in place", 4, 4, 1.5, "rw", 1, 1, 20, 0, 5},
    {"double, members of 7, in place", 8, 8, 1.3, "rw", 1, 1, 20, 0, 7},
    {"int, not aligned, read", 4, 4, 4.4, "r", 1, 1, 20, 1, 0},
    {"int, not aligned, written", 4, 4, 5.4, "w", 1, 1, 20, 1, 0},
};

static void touch(const struct shape *s, struct race_worker *w, uint64_t first, bool writes,
                  unsigned shift, unsigned member)
{
    uint32_t elements[ITEMS];
    uint64_t offsets[ITEMS];
    static uint8_t values[ITEMS * 16];
    const unsigned log = (unsigned)__builtin_ctz(s->size);
    const unsigned members = s->members ? s->members : 1;
    for (unsigned i = 0; i < ITEMS; i++)
        offsets[i] = first +
                     (uint64_t)((i + shift) % ITEMS * s->step % ITEMS * members + member) * s->size;
    for (unsigned i = 0; i < ITEMS; i++) elements[i] = (uint32_t)(offsets[i] >> log);
    for (unsigned i = 0; i < sizeof values; i++) values[i] = (uint8_t)(values[i] * 5 + i + 1);
    struct race_op op = {.site = 1 + writes,
                         .object = OBJECT,
                         .is_write = writes,
                         .shape = RACE_CONTIGUOUS,
                         .size = s->size,
                         .offset0 = offsets[0],
                         .n = ITEMS,
                         .values = writes ? values : NULL};
    if (s->step > 1 || shift || members > 1) {
        op.shape = s->size == 4 ? RACE_ELEMENTS : RACE_INDEXED;
        op.elements = elements;
        op.offsets = offsets;
        op.element_shift = log;
    }
    race_global(w, &op);
}

static double measure(const struct shape *s)
{
    static char root;
    const unsigned members = s->members ? s->members : 1;
    const uint64_t group_bytes = (uint64_t)ITEMS * s->size * members, ngroups = BYTES / group_bytes;
    const struct race_config c = {.workers = 1,
                                  .ngroups = ngroups,
                                  .group_items = ITEMS,
                                  .nsites = s->sites,
                                  .nobjects = 2,
                                  .found = on_found};
    const double before = resident();
    struct race_launch *l = race_launch_create(&c);
    race_watch_global(l, OBJECT, &root, 0, BYTES + 64, s->granularity);
    struct race_worker *w = race_worker_get(l, 0);
    for (uint64_t g = 0; g < ngroups; g++) {
        race_group_begin(w, g);
        for (unsigned k = 0; k < s->times; k++)
            for (const char *p = s->does; *p; p++) {
                const uint64_t first = g * group_bytes + s->from;
                if (*p == '|') race_barrier(w, BC_FENCE_GLOBAL, BC_SCOPE_GROUP);
                else if (*p == 'R')
                    touch(s, w, first, false, 1, 0), touch(s, w, first, false, ITEMS - 1, 0);
                else
                    for (unsigned m = 0; m < members; m++) touch(s, w, first, *p == 'w', 0, m);
            }
    }
    race_launch_end(l);
    const double now = resident();
    race_launch_destroy(l);
    return nfound ? -1 : (now - before) / BYTES;
}

/** In a process of its own: memory of earlier launches would be used again. */
static double measured_apart(const struct shape *s)
{
    int ends[2];
    double x = -1;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        x = measure(s);
        _exit(write(ends[1], &x, sizeof x) != sizeof x);
    }
    close(ends[1]);
    const bool got = read(ends[0], &x, sizeof x) == sizeof x;
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(got);
    return x;
}

static void a_shadow_is_a_few_times_what_is_touched(void **state)
{
#ifdef SANITIZED
    skip(); // they have shadows of their own
#endif
    if (getenv("CLDBG_TEST_VALGRIND")) skip(); // the same
    bool good = true;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        const double x = measured_apart(&table[i]);
        const bool fits = x > 0 && x <= table[i].most;
        print_message("%-36s %5.2f bytes a byte%s\n", table[i].name, x, fits ? "" : " (too many)");
        good &= fits;
    }
    assert_true(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_shadow_is_a_few_times_what_is_touched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Shadow memory of machine code with checks: shadows of earlier launches are as good as new ones,
// also after stamps began anew, and what is counted in them is right.
#include "devices/native_shadow.h"

#include "bytecode/question.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 2, ARGS = 3, CELLS = 500, CELL = 4 };

struct fixture {
    struct bc_arg decl[ARGS];
    struct vm_arg args[ARGS];
    struct bc_kernel kernel;
    struct bc_module module;
    struct vm_launch launch;
    struct nat_code_info info;
    struct native_stamps stamps;
    struct native_shadow shadows[THREADS];
    struct nat_launch out[THREADS];
};

static void begin(struct fixture *f, uint64_t items, uint64_t cells)
{
    *f = (struct fixture){.kernel = {.nargs = ARGS}, .stamps = native_stamps_take(items)};
    f->module.args = f->decl;
    f->launch = (struct vm_launch){.kernel = &f->kernel, .args = f->args};
    for (unsigned i = 0; i < ARGS; i++) {
        f->decl[i].kind = BC_ARG_BUFFER;
        f->args[i].buffer.size = CELL * cells;
        f->info.shadow[i] = (uint8_t)(NAT_STAMPED + i);
        f->info.cell[i] = CELL;
    }
    for (unsigned t = 0; t < THREADS; t++) {
        f->shadows[t] = (struct native_shadow){.begin = f->stamps.begin, .end = f->stamps.end};
        assert_true(native_shadow_make(&f->shadows[t], &f->launch, &f->module, &f->info,
                                       (struct native_checks){PROOF_CHECK_GLOBAL, 1}, &f->out[t]));
    }
}

static void end(struct fixture *f, bool is_counted)
{
    for (unsigned t = 0; t < THREADS; t++) native_shadow_free(&f->shadows[t], &f->info, is_counted);
}

/** No mark of an earlier launch counts. */
static void is_unmarked(const struct fixture *f, uint64_t cells)
{
    for (unsigned t = 0; t < THREADS; t++) {
        const struct native_shadow *s = &f->shadows[t];
        for (uint64_t i = 0; i < 2 * cells; i++)
            assert_true(((uint32_t *)s->at[0])[i] < (uint32_t)f->stamps.begin);
        for (uint64_t i = 0; i < cells; i++) {
            assert_int_equal(s->at[1][i], 0);
            assert_true(((uint32_t *)s->at[2])[i] < (uint32_t)f->stamps.begin);
        }
    }
}

static uint32_t any_stamp(const struct fixture *f)
{
    const uint64_t n = f->stamps.end - f->stamps.begin;
    return (uint32_t)f->stamps.begin + (uint32_t)(((uint64_t)rand() << 31 | (uint64_t)rand()) % n);
}

static void mark_all(struct fixture *f, uint64_t cells)
{
    for (unsigned t = 0; t < THREADS; t++) {
        struct native_shadow *s = &f->shadows[t];
        for (uint64_t i = 0; i < 2 * cells; i++) ((uint32_t *)s->at[0])[i] = any_stamp(f);
        for (uint64_t i = 0; i < cells; i++) ((uint32_t *)s->at[2])[i] = any_stamp(f);
        for (uint64_t i = 0; i < cells; i++) s->at[1][i] = (char)(rand() & 1);
    }
}

static void shadows_of_earlier_launches(void **state)
{
    (void)state;
    struct fixture f;
    uint64_t last = 0;
    unsigned anew = 0, reused = 0;
    const char *seen = NULL;
    srand(3);
    for (unsigned i = 0; i < 400; i++) {
        const uint64_t cells = 1 + (uint64_t)rand() % 5000,
                       items = rand() % 3 ? 1 + (uint64_t)rand() % 5000
                                          : (uint64_t)rand() % (INT32_MAX - 1);
        begin(&f, items, cells);
        assert_true(f.stamps.begin >= last && (uint32_t)f.stamps.begin > 0);
        assert_int_equal(f.stamps.begin >> 32, f.stamps.end >> 32);
        assert_true(f.stamps.end - f.stamps.begin >= 2 * items + 2);
        anew += f.stamps.begin >> 32 != last >> 32;
        last = f.stamps.end;
        reused += f.shadows[0].at[0] == seen;
        seen = f.shadows[0].at[0];
        is_unmarked(&f, cells);
        mark_all(&f, cells);
        const bool counts = rand() & 1;
        if (counts) native_shadows_miscount(f.shadows, THREADS, &f.info);
        end(&f, counts);
    }
    assert_true(anew > 20 && reused > 20);
}

/** Two launches at once, of which the later one ends first. */
static void shadows_of_launches_at_once(void **state)
{
    (void)state;
    struct fixture a, b, c;
    begin(&a, 10, CELLS);
    begin(&b, 10, CELLS);
    mark_all(&a, CELLS);
    mark_all(&b, CELLS);
    end(&b, false);
    begin(&c, UINT32_MAX / 2 - 10, CELLS); // begins anew
    is_unmarked(&c, CELLS);
    end(&a, false);
    end(&c, false);
    begin(&c, 10, CELLS);
    is_unmarked(&c, CELLS);
    end(&c, false);
}

static void stores_are_counted(void **state)
{
    (void)state;
    srand(5);
    for (unsigned round = 0; round < 300; round++) {
        struct fixture f;
        const unsigned most = round % 2 ? 30 : 3;
        bool used[CELLS] = {0}, twice = false;
        begin(&f, CELLS, CELLS);
        for (unsigned k = 0; k < most; k++) {
            const unsigned cell = k ? (unsigned)rand() % CELLS : CELLS - 1, t = rand() & 1;
            twice |= used[cell];
            used[cell] = true;
            f.shadows[t].at[1][cell] = 1;
            f.shadows[t].counts[NAT_COUNT_STORES]++;
        }
        assert_int_equal(native_shadows_miscount(f.shadows, THREADS, &f.info), twice);
        end(&f, true);
    }
}

static void writers_of_two_threads(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) { // bit 0, 1: the first, second one reads
        struct fixture f;
        begin(&f, 100, CELLS);
        const uint32_t own = (uint32_t)f.stamps.begin + 5, old = (uint32_t)f.stamps.begin - 1;
        uint32_t *p = (uint32_t *)f.shadows[0].at[0] + 2 * (CELLS - 1),
                 *q = (uint32_t *)f.shadows[1].at[0] + 2 * (CELLS - 1);
        p[kind & 1] = own;
        q[kind >> 1] = old;
        assert_false(native_shadows_conflict(f.shadows, THREADS, &f.info));
        q[kind >> 1] = own + 1;
        assert_int_equal(native_shadows_conflict(f.shadows, THREADS, &f.info), kind != 3);
        end(&f, false);
    }
}

/** What machine code does at a store (native/check_stores.c). */
static void store(struct fixture *f, unsigned t, uint64_t item, uint64_t items, unsigned cell)
{
    uint32_t *at = (uint32_t *)f->shadows[t].at[2] + cell, launch = (uint32_t)f->stamps.begin;
    const uint32_t first = launch + 2 + (uint32_t)(item / items * items) * 2,
                   me = launch + 2 + (uint32_t)item * 2;
    const bool alone = *at < launch || *at == me;
    f->shadows[t].counts[NAT_COUNT_SHARED] += !alone;
    *at = alone ? me : *at - first < 2 * items ? me + 1 : launch;
}

static void races_of_equal_values(void **state)
{
    (void)state;
    enum { ITEMS = 8, GROUPS = 6, ALL = ITEMS * GROUPS };
    unsigned between = 0, within = 0;
    srand(11);
    for (unsigned round = 0; round < 2000; round++) {
        struct fixture f;
        uint64_t by[CELLS] = {0}, cells = 0, groups = 0; // by: work-items, as bits
        bool is_between = false;
        begin(&f, ALL, CELLS);
        for (unsigned k = 0; k < 20; k++) {
            const unsigned item = (unsigned)rand() % ALL, near = item / ITEMS * 20,
                           cell = (round & 1 ? near : 0) + (unsigned)rand() % 20;
            by[cell] |= 1ull << item;
            store(&f, item / ITEMS % THREADS, item, ITEMS, cell);
        }
        for (unsigned c = 0; c < CELLS; c++) {
            if (!(by[c] & (by[c] - 1))) continue;
            const unsigned g = (unsigned)__builtin_ctzll(by[c]) / ITEMS;
            cells++;
            is_between |= by[c] & ~(0xffull << (g * ITEMS));
            groups |= 1ull << g;
        }
        struct native_equal e;
        native_shadows_equal(f.shadows, THREADS, 2, ITEMS, &e);
        assert_int_equal(e.cells, cells);
        assert_int_equal(e.is_between, is_between);
        assert_int_equal(e.groups.n, is_between ? 0 : __builtin_popcountll(groups));
        between += is_between;
        within += cells && !is_between;
        bits_deinit(&e.groups);
        end(&f, false);
    }
    assert_true(between > 100 && within > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_of_earlier_launches),
        cmocka_unit_test(shadows_of_launches_at_once), cmocka_unit_test(stores_are_counted),
        cmocka_unit_test(writers_of_two_threads), cmocka_unit_test(races_of_equal_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

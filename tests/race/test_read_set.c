// SPDX-License-Identifier: MIT
// Lists of who came to a cell, against plain arrays of all who could have come.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "race/read_set.h"

enum { GROUPS = 5, ITEMS = 13, CELLS = 7, STEPS = 400000 };

static uint64_t rng = 88172645463325252u;
static unsigned pick(unsigned n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (unsigned)(rng * 0x2545f4914f6cdd1dull >> 33) % n;
}

static struct order_stamp all[CELLS][GROUPS * ITEMS]; // site 0: the work-item made no access
static uint32_t lists1[CELLS];

static struct reader_key key_of(unsigned cell)
{
    return (struct reader_key){.cell = cell / 2, .kind = (uint16_t)(cell % 2)};
}

static void is_same(const struct order_stamp *a, const struct order_stamp *b)
{
    assert_int_equal(a->item, b->item);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->barriers, b->barriers);
    assert_int_equal(a->releases, b->releases);
}

/** Everyone who came stands in the list once, with the last time, and no others. */
static void look_through(const struct readers *s, unsigned cell)
{
    unsigned n = 0, want = 0;
    struct order_stamp x;
    for (uint32_t i1 = lists1[cell]; i1; i1 = s->sets.data[i1 - 1].next1) {
        const struct reader_set *set = &s->sets.data[i1 - 1];
        for (uint32_t k = 0; k < readers_count(s, set); k++) {
            if (!readers_at(s, set, k, &x)) continue;
            is_same(&x, &all[cell][x.item]);
            assert_true(x.barriers <= set->latest);
            assert_int_equal(x.item / ITEMS, set->group);
            n++;
        }
    }
    const struct reader_key key = key_of(cell);
    for (unsigned i = 0; i < GROUPS * ITEMS; i++) {
        want += all[cell][i].site != 0;
        assert_int_equal(readers_find(s, lists1[cell], &key, i, &x), all[cell][i].site != 0);
        if (all[cell][i].site) is_same(&x, &all[cell][i]);
    }
    assert_int_equal(n, want);
}

/** Some of one set go, or all of it. */
static void drop(struct readers *s, unsigned cell)
{
    for (uint32_t *at1 = &lists1[cell]; *at1;) {
        struct reader_set *const set = &s->sets.data[*at1 - 1];
        const bool whole = !pick(6);
        bool any = false;
        struct order_stamp x;
        for (uint32_t k = readers_count(s, set); k-- > 0;) {
            if (!readers_at(s, set, k, &x)) continue;
            const bool stays = !whole && pick(3);
            any |= stays;
            if (stays) continue;
            if (!whole) readers_drop(s, set, k);
            all[cell][x.item] = (struct order_stamp){0};
        }
        if (any) at1 = &set->next1;
        else readers_drop_set(s, at1);
    }
}

static void lists_know_all_who_came_last(void **state)
{
    struct readers s;
    readers_init(&s, ITEMS);
    for (unsigned i = 0; i < STEPS; i++) {
        const unsigned cell = pick(CELLS);
        if (!pick(64)) drop(&s, cell);
        if (!pick(64)) look_through(&s, cell);
        const size_t times = s.times.len;
        if (!pick(16)) readers_tidy(&s);
        if (s.times.len < times) { // nothing but times is forgotten
            memset(s.times.data + s.times.len, 0xff,
                   (s.times.cap - s.times.len) * sizeof *s.times.data);
            for (unsigned c = 0; c < CELLS; c++) look_through(&s, c);
        }
        if (!pick(STEPS / 3)) {
            readers_clear(&s);
            memset(all, 0, sizeof all);
            memset(lists1, 0, sizeof lists1);
        }
        const unsigned group = pick(3) ? i * GROUPS / STEPS : pick(GROUPS);
        const struct order_stamp x = {.item = group * ITEMS + pick(ITEMS),
                                      .site = 1 + pick(50),
                                      .barriers = i / 1000,
                                      .releases = pick(60)};
        const struct reader_key key = key_of(cell);
        readers_put(&s, &lists1[cell], &key, &x);
        all[cell][x.item] = x;
    }
    assert_true(s.times.len < 200000); // they are not kept forever
    readers_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_know_all_who_came_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

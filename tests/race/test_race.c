// SPDX-License-Identifier: MIT
// The rules of races one by one, as small stories of a work-group.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    TMP = 1,
    BUF = 2,
    SUB = 3,
    BIG = 4,
    ITEMS = 64,
    NONE = 0,
    LOC = BC_FENCE_LOCAL,
    GLO = BC_FENCE_GLOBAL
};

static struct race_pair found[64];
static unsigned nfound, nseen;
static struct race_launch *launch;
static struct race_worker *worker;
static char root, big_root;

static void on_found(void *ctx, const struct race_pair *p)
{
    assert_true(nfound < 64);
    found[nfound++] = *p;
}

static void on_seen(void *ctx, const struct race_pair *p) { nseen++; }

static void begin(unsigned workers)
{
    struct race_config c = {.workers = workers,
                            .ngroups = 1000,
                            .group_items = ITEMS,
                            .nsites = 20,
                            .nobjects = 5,
                            .found = on_found,
                            .seen = on_seen};
    nfound = nseen = 0;
    launch = race_launch_create(&c);
    race_watch_local(launch, TMP, 256, 4);
    race_watch_global(launch, BUF, &root, 0, 4 << 20, 4);
    race_watch_global(launch, SUB, &root, 512, 512, 4);
    race_watch_global(launch, BIG, &big_root, 0, 64ull << 30, 4);
    worker = race_worker_get(launch, 0);
    race_group_begin(worker, 0);
}

/** Ends the launch and gives how many pairs of places raced. */
static unsigned end(void)
{
    race_launch_end(launch);
    race_launch_destroy(launch);
    return nfound;
}

enum kind { READ, WRITE, ATOMIC_LOAD, ATOMIC };

static void access_one(unsigned object, unsigned site, enum kind kind, unsigned item,
                       uint64_t offset, unsigned size, uint64_t value)
{
    struct race_op op = {.site = site,
                         .object = object,
                         .is_write = kind & 1,
                         .is_atomic = kind >= ATOMIC_LOAD,
                         .shape = RACE_UNIFORM,
                         .size = size,
                         .offset0 = offset,
                         .first_item = item,
                         .n = 1,
                         .values = &value};
    (object == TMP ? race_local : race_global)(worker, &op);
}

static void int_at(unsigned object, unsigned site, enum kind kind, unsigned item, unsigned index)
{
    access_one(object, site, kind, item, index * 4, 4, 1000 * site + item);
}

static void gang(unsigned object, unsigned site, enum kind kind, enum race_shape shape,
                 uint64_t offset0, const uint64_t *offsets, const uint32_t *values)
{
    struct race_op op = {.site = site,
                         .object = object,
                         .is_write = kind & 1,
                         .is_atomic = kind >= ATOMIC_LOAD,
                         .shape = shape,
                         .size = 4,
                         .offset0 = offset0,
                         .offsets = offsets,
                         .n = ITEMS,
                         .values = values};
    (object == TMP ? race_local : race_global)(worker, &op);
}

static void is_pair(unsigned i, enum race_verdict v, unsigned first_site, unsigned second_site)
{
    assert_true(i < nfound);
    assert_int_equal(found[i].verdict, v);
    assert_int_equal(found[i].first.site, first_site);
    assert_int_equal(found[i].second.site, second_site);
}

static void a_barrier_with_the_fence_orders(void **state)
{
    begin(1);
    int_at(TMP, 1, WRITE, 3, 0);
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
    int_at(TMP, 2, READ, 4, 0);
    race_barrier(worker, LOC | GLO, BC_SCOPE_GROUP);
    int_at(TMP, 3, WRITE, 5, 0);
    int_at(BUF, 1, WRITE, 3, 0);
    race_barrier(worker, GLO, BC_SCOPE_GROUP);
    int_at(BUF, 2, READ, 4, 0);
    assert_int_equal(end(), 0);
}

static void without_a_barrier_it_is_a_race(void **state)
{
    begin(1);
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
    int_at(TMP, 1, WRITE, 3, 7);
    int_at(TMP, 2, READ, 4, 7);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 1, 2);
    assert_int_equal(found[0].object, TMP);
    assert_int_equal(found[0].offset, 28);
    assert_int_equal(found[0].size, 4);
    assert_int_equal(found[0].first.item, 3);
    assert_int_equal(found[0].second.item, 4);
    assert_true(found[0].first.is_write && !found[0].second.is_write);
    assert_int_equal(found[0].first.barriers, 1);
}

static void one_work_item_never_races_with_itself(void **state)
{
    begin(1);
    for (int i = 0; i < 3; i++) {
        int_at(TMP, 1, WRITE, 3, 0);
        int_at(TMP, 2, READ, 3, 0);
        int_at(TMP, 3, ATOMIC, 3, 0);
    }
    assert_int_equal(end(), 0);
}

static void readers_do_not_race_but_each_races_with_a_writer(void **state)
{
    for (unsigned writer = 0; writer < 4; writer++) {
        begin(1);
        for (unsigned i = 0; i < 4; i++) int_at(TMP, 1, READ, i, 0);
        int_at(TMP, 2, WRITE, writer, 0); // t = x[0]; if (lid == writer) x[0] = …
        assert_int_equal(end(), 1);
        is_pair(0, RACE_DATA, 1, 2);
        assert_true(found[0].first.item != writer);
    }
}

static void a_barrier_that_fences_other_memory_is_a_missing_fence(void **state)
{
    begin(1);
    int_at(TMP, 1, WRITE, 3, 0);
    race_barrier(worker, GLO, BC_SCOPE_GROUP);
    int_at(TMP, 2, READ, 4, 0);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_FENCE, 1, 2);
    assert_int_equal(found[0].second.barriers - found[0].first.barriers, 1);

    begin(1);
    int_at(BUF, 1, READ, 3, 0);
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
    race_barrier(worker, NONE, BC_SCOPE_GROUP);
    int_at(BUF, 2, WRITE, 4, 0);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_FENCE, 1, 2);
    assert_false(found[0].first.is_write); // by this the reporter makes it a warning
}

static void a_race_of_this_interval_is_not_a_missing_fence(void **state)
{
    begin(1);
    int_at(TMP, 1, READ, 0, 0);
    int_at(TMP, 1, READ, 1, 0);
    race_barrier(worker, NONE, BC_SCOPE_GROUP);
    int_at(TMP, 2, READ, 2, 0);
    int_at(TMP, 3, WRITE, 3, 0);
    assert_int_equal(end(), 2);
    is_pair(0, RACE_FENCE, 1, 3);
    is_pair(1, RACE_DATA, 2, 3);
}

static void bytes_beside_one_another_do_not_race(void **state)
{
    begin(1);
    for (unsigned i = 0; i < ITEMS; i++) access_one(TMP, 1, WRITE, i, i, 1, i);
    access_one(TMP, 2, WRITE, 0, 66, 2, 0);
    access_one(TMP, 3, READ, 1, 68, 1, 0);
    assert_int_equal(end(), 0);
}

static void a_byte_inside_a_word_races(void **state)
{
    begin(1);
    int_at(TMP, 1, WRITE, 0, 1);
    access_one(TMP, 2, READ, 1, 6, 1, 0);
    access_one(TMP, 3, READ, 1, 2, 3, 0); // bytes 2 .. 4
    assert_int_equal(end(), 2);
    is_pair(0, RACE_DATA, 1, 2);
    assert_int_equal(found[0].offset, 6);
    assert_int_equal(found[0].size, 1);
    is_pair(1, RACE_DATA, 1, 3);
    assert_int_equal(found[1].offset, 4);
}

static void vectors_are_reported_whole(void **state)
{
    begin(1);
    access_one(BUF, 1, READ, 0, 32, 16, 0);
    uint64_t value[2] = {0};
    struct race_op op = {.site = 2,
                         .object = BUF,
                         .is_write = true,
                         .shape = RACE_UNIFORM,
                         .size = 16,
                         .offset0 = 32,
                         .first_item = 1,
                         .n = 1,
                         .values = value};
    race_global(worker, &op);
    assert_int_equal(end(), 1);
    assert_int_equal(found[0].size, 16);
    assert_int_equal(found[0].count, 1);
}

static void atomics_race_only_with_plain_accesses(void **state)
{
    begin(1);
    for (unsigned i = 0; i < 5; i++) int_at(TMP, 1, ATOMIC, i, 0);
    for (unsigned i = 0; i < 5; i++) int_at(TMP, 2, ATOMIC_LOAD, i, 0);
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
    int_at(TMP, 3, READ, 0, 0);        // after the barrier
    int_at(TMP, 4, ATOMIC_LOAD, 1, 0); // two reads
    assert_int_equal(end(), 0);
    begin(1);
    int_at(TMP, 1, ATOMIC, 0, 0);
    int_at(TMP, 1, ATOMIC, 1, 0);
    int_at(TMP, 2, READ, 1, 0);
    int_at(TMP, 3, ATOMIC_LOAD, 2, 1);
    int_at(TMP, 4, WRITE, 3, 1);
    int_at(TMP, 5, WRITE, 4, 2);
    int_at(TMP, 6, ATOMIC, 5, 2);
    assert_int_equal(end(), 3);
    is_pair(0, RACE_DATA, 1, 2);
    is_pair(1, RACE_DATA, 3, 4);
    is_pair(2, RACE_DATA, 5, 6);
    assert_true(found[2].second.is_atomic && !found[2].first.is_atomic);
}

static void lanes_of_one_instruction_race(void **state)
{
    uint32_t values[ITEMS];
    uint64_t offsets[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++) values[i] = i, offsets[i] = i / 2 * 4;
    begin(1);
    gang(TMP, 1, WRITE, RACE_INDEXED, 0, offsets, values);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 1, 1);
    assert_int_equal(found[0].count, ITEMS / 2);
    assert_int_equal(found[0].first.item, 0);
    assert_int_equal(found[0].second.item, 1);
    begin(1);
    gang(TMP, 1, READ, RACE_INDEXED, 0, offsets, NULL);
    gang(TMP, 2, READ, RACE_UNIFORM, 0, NULL, NULL);
    gang(TMP, 3, WRITE, RACE_UNIFORM, 128, NULL, values);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 3, 3);
}

static void the_same_value_is_a_warning_of_its_own(void **state)
{
    uint32_t ones[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++) ones[i] = 1;
    begin(1);
    gang(TMP, 1, WRITE, RACE_UNIFORM, 0, NULL, ones);
    gang(TMP, 2, READ, RACE_UNIFORM, 0, NULL, NULL); // each reads what it stored
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
    gang(TMP, 3, READ, RACE_UNIFORM, 0, NULL, NULL);
    assert_int_equal(end(), 2);
    is_pair(0, RACE_SAME_VALUE, 1, 1);
    is_pair(1, RACE_SAME_VALUE, 1, 2);

    begin(1); // one of the writers changes its mind
    access_one(TMP, 1, WRITE, 0, 0, 4, 1);
    access_one(TMP, 2, WRITE, 1, 0, 4, 1);
    access_one(TMP, 3, WRITE, 1, 0, 4, 2);
    assert_int_equal(end(), 2);
    is_pair(0, RACE_SAME_VALUE, 1, 2);
    is_pair(1, RACE_DATA, 1, 3);

    begin(1); // the last two agree, but the first store of one of them did not
    access_one(TMP, 1, WRITE, 0, 0, 4, 7);
    access_one(TMP, 2, WRITE, 0, 0, 4, 1);
    access_one(TMP, 3, WRITE, 1, 0, 4, 1);
    end();
    is_pair(0, RACE_DATA, 2, 3);

    begin(1); // a reader that did not store it races
    access_one(TMP, 1, WRITE, 0, 0, 4, 1);
    access_one(TMP, 1, WRITE, 1, 0, 4, 1);
    access_one(TMP, 2, READ, 2, 0, 4, 0);
    assert_int_equal(end(), 1); // that the stores agree is known already
    is_pair(0, RACE_DATA, 1, 2);

    begin(1); // a reset before the barrier does not count against the stores after it
    access_one(BUF, 1, WRITE, 0, 0, 4, 0);
    race_barrier(worker, GLO, BC_SCOPE_GROUP);
    gang(BUF, 2, WRITE, RACE_UNIFORM, 0, NULL, ones);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_SAME_VALUE, 2, 2);
}

static void local_memory_is_a_groups_own(void **state)
{
    begin(1);
    int_at(TMP, 1, WRITE, 3, 0);
    race_group_begin(worker, 1);
    int_at(TMP, 2, READ, 4, 0);
    int_at(TMP, 2, WRITE, 5, 1);
    race_group_begin(worker, 2);
    int_at(TMP, 1, WRITE, 6, 1);
    assert_int_equal(end(), 0);
}

static void nothing_orders_two_groups(void **state)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        begin(workers);
        int_at(BUF, 1, WRITE, 3, 9);
        race_barrier(worker, GLO, BC_SCOPE_GROUP);
        worker = race_worker_get(launch, workers - 1);
        race_group_begin(worker, 1);
        race_barrier(worker, GLO, BC_SCOPE_GROUP);
        int_at(BUF, 2, READ, 3, 9); // the same local id
        int_at(BUF, 2, READ, 3, 10);
        assert_int_equal(end(), 1);
        is_pair(0, RACE_DATA, 1, 2);
        assert_int_equal(found[0].first.group, 0);
        assert_int_equal(found[0].second.group, 1);
        assert_int_equal(found[0].offset, 36);
    }
}

static void groups_may_store_the_same_and_read_the_same(void **state)
{
    begin(2);
    for (unsigned g = 0; g < 6; g++) {
        worker = race_worker_get(launch, g % 2);
        race_group_begin(worker, g);
        access_one(BUF, 1, WRITE, 5, 0, 4, 1);
        access_one(BUF, 2, READ, 5, 100, 4, 0);
        int_at(BUF, 3, ATOMIC, 5, 50);
    }
    assert_int_equal(end(), 1);
    is_pair(0, RACE_SAME_VALUE, 1, 1);
}

/**
 * Each work-item somewhere in its own part of TMP, which is a cell: part after part, or in turn.
 */
static void work_items_meet_where_they_leave_their_part(void **state)
{
    uint64_t offsets[ITEMS];
    uint32_t values[ITEMS];
    for (unsigned k = 0; k < 6; k++) {
        begin(1);
        for (unsigned round = 0; round < 300; round++) { // more than are kept of others
            for (unsigned i = 0; i < ITEMS; i++) offsets[i] = i * 4, values[i] = round + i;
            gang(TMP, 1, round & 1 ? WRITE : READ, RACE_INDEXED, 0, offsets, values);
        }
        offsets[5] = k * 4;
        gang(TMP, 2, k & 1 ? WRITE : READ, RACE_INDEXED, 0, offsets, values);
        assert_int_equal(end(), k == 5 ? 0 : 1 + (k & 1));
        for (unsigned n = 0; n < nfound; n++)
            assert_true(found[n].offset == k * 4 && found[n].size == 4);
    }
}

static void rows_keep_apart_what_their_cells_stored(void **state)
{
    uint32_t values[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++) values[i] = 5;
    begin(1);
    gang(BUF, 1, WRITE, RACE_CONTIGUOUS, 0, NULL, values);
    values[8] = 6; // of a row of eight one cell gets another value
    gang(BUF, 1, WRITE, RACE_CONTIGUOUS, 0, NULL, values);
    race_group_begin(worker, 1);
    access_one(BUF, 3, WRITE, 0, 8 * 4, 4, 6); // but 5 was there before
    access_one(BUF, 4, WRITE, 0, 9 * 4, 4, 5);
    assert_int_equal(end(), 2);
    assert_true(found[0].verdict == RACE_DATA && found[0].offset == 32 && found[0].size == 4);
    assert_true(found[1].verdict == RACE_SAME_VALUE && found[1].offset == 36 && found[1].size == 4);
}

static void rows_remember_readers_and_writers(void **state)
{
    uint32_t values[ITEMS] = {0};
    for (unsigned k = 0; k < 4;
         k++) { // the next accesses after the row was read or written: a neighbor, or a group
        begin(1);
        gang(BUF, 1 + k % 2, k % 2 ? WRITE : READ, RACE_CONTIGUOUS, 0, NULL, k % 2 ? values : NULL);
        if (k / 2) race_group_begin(worker, 1);
        int_at(BUF, 3, WRITE, k / 2 ? 21 : 22, 21);
        assert_int_equal(end(), 1);
        assert_true(found[0].offset == 84 && found[0].size == 4 && found[0].first.item == 21 &&
                    found[0].first.site == 1 + k % 2);
    }
    begin(1); // all of it by its owners, then by those after a barrier
    for (unsigned k = 0; k < 6; k++)
        gang(BUF, 1 + k % 2, k % 2 ? WRITE : READ, RACE_CONTIGUOUS, 0, NULL, k % 2 ? values : NULL);
    race_barrier(worker, GLO, BC_SCOPE_GROUP);
    int_at(BUF, 3, WRITE, 22, 21);
    assert_int_equal(end(), 0);
}

/** Member `index` of structs of `step` ints, by lanes of one struct each from struct `first` on. */
static void members(unsigned object, unsigned site, enum kind kind, unsigned first, unsigned step,
                    unsigned index, unsigned n)
{
    uint64_t offsets[ITEMS];
    uint32_t values[ITEMS];
    for (unsigned i = 0; i < n; i++) {
        offsets[i] = ((uint64_t)(first + i) * step + index) * 4;
        values[i] = 1000 * site + i;
    }
    struct race_op op = {.site = site,
                         .object = object,
                         .is_write = kind & 1,
                         .shape = RACE_INDEXED,
                         .size = 4,
                         .offsets = offsets,
                         .n = n,
                         .values = values};
    race_global(worker, &op);
}

static void rows_of_members_reach_over_chunks(void **state)
{
    static const unsigned steps[] = {3, 20, 40, 100};
    for (unsigned s = 0; s < 4; s++)
        for (unsigned k = 0; k < 6; k++) {
            const unsigned step = steps[s];
            begin(1);
            members(BUF, 2, WRITE, 8, step, 0, 8);
            for (unsigned m = 1; m < step; m++)
                members(BUF, 3, WRITE, 8 * (m % 3), step, m, 8); // come to chunks beside it
            race_group_begin(worker, 1);
            if (k < 2) int_at(BUF, 4, k ? WRITE : READ, 5, 12 * step); // one cell of it
            else members(BUF, 4, k % 2 ? WRITE : READ, 8, step, k < 4 ? 0 : step - 1, 8);
            const bool meet = k < 4 || (step - 1) % 3 == 1;
            assert_int_equal(end(), meet);
            if (!meet) continue;
            is_pair(0, RACE_DATA, k < 4 ? 2 : 3, 4);
            assert_int_equal(found[0].count, k < 2 ? 1 : 8);
            assert_int_equal(found[0].first.group, 0);
            assert_int_equal(found[0].first.item, k < 2 ? 4 : 0);
            assert_int_equal(found[0].offset,
                             k < 2 ? 12 * step * 4 : (8 * step + (k < 4 ? 0 : step - 1)) * 4);
        }
}

static void rows_of_members_know_nothing_of_earlier_launches(void **state)
{
    static const unsigned steps[] = {3, 20, 40, 100};
    for (unsigned s = 0; s < 4; s++)
        for (unsigned turn = 0; turn < 2; turn++) {
            const unsigned step = steps[s], items = (4 << 20) / 4 / step / ITEMS * ITEMS;
            begin(1);
            for (unsigned first = 0; first < items; first += ITEMS)
                for (unsigned m = turn; m < step; m += 2) {
                    if (m < 2 && first) race_group_begin(worker, first / ITEMS);
                    members(BUF, 2, WRITE, first, step, m, ITEMS);
                }
            for (unsigned i = 0; turn && i < 4; i++)
                int_at(BUF, 3, WRITE, 0,
                       (items / 2 + i * 8) * step); // the last time somebody was here
            assert_int_equal(end(), 0);
        }
}

static void aliasing_arguments_are_one_memory(void **state)
{
    begin(1);
    int_at(BUF, 1, WRITE, 0, 130); // 520
    int_at(SUB, 2, READ, 1, 2);    // 512 + 8
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 1, 2);
    assert_int_equal(found[0].object, BUF); // the first one that contains the bytes
    assert_int_equal(found[0].offset, 520);
}

/**
 * Ints, three apart, of the first or the second half of the work-items, which lie in a way that has
 * a name.
 */
static void half(unsigned site, enum kind kind, bool second)
{
    uint32_t elements[ITEMS], values[ITEMS];
    uint8_t mask[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++)
        elements[i] = 3 * i, values[i] = i + site, mask[i] = i / (ITEMS / 2) == second ? 0xff : 0;
    const struct race_op op = {.site = site,
                               .object = BUF,
                               .is_write = kind & 1,
                               .shape = RACE_ELEMENTS,
                               .size = 4,
                               .elements = elements,
                               .element_shift = 2,
                               .layout = 77,
                               .mask = mask,
                               .n = ITEMS,
                               .values = kind & 1 ? values : NULL};
    race_global(worker, &op);
}

/**
 * A round of a triangle: all but the first store in their own place and read the first's; of the
 * later half of them, that of `other`.
 */
static void round_of_a_triangle(uint32_t other, unsigned first)
{
    uint32_t own[ITEMS], from[ITEMS], values[ITEMS];
    uint8_t mask[ITEMS];
    for (unsigned i = 0; i < ITEMS; i++)
        own[i] = values[i] = i, from[i] = i < ITEMS / 2 ? 0 : other,
        mask[i] = i >= first ? 0xff : 0;
    const struct race_op store = {.site = 1,
                                  .object = TMP,
                                  .is_write = true,
                                  .shape = RACE_ELEMENTS,
                                  .size = 4,
                                  .elements = own,
                                  .element_shift = 2,
                                  .layout = 77,
                                  .mask = mask,
                                  .n = ITEMS,
                                  .values = values};
    const struct race_op load = {.site = 2,
                                 .object = TMP,
                                 .shape = RACE_ELEMENTS,
                                 .size = 4,
                                 .elements = from,
                                 .element_shift = 2,
                                 .mask = mask,
                                 .n = ITEMS};
    race_local(worker, &store);
    race_local(worker, &load);
    race_barrier(worker, LOC, BC_SCOPE_GROUP);
}

static void an_interval_comes_again_only_with_its_places_and_lanes(void **state)
{
    for (unsigned rounds = 0; rounds < 8; rounds++) {
        begin(1);
        for (unsigned i = 0; i < rounds; i++) round_of_a_triangle(0, 1);
        round_of_a_triangle(1, 1); // which its owner stores to
        assert_int_equal(end(), 1);
        is_pair(0, RACE_DATA, 1, 2);

        begin(1);
        for (unsigned i = 0; i < rounds; i++) round_of_a_triangle(0, 1);
        round_of_a_triangle(0, 0); // the first stores, too
        assert_int_equal(end(), 1);
        is_pair(0, RACE_DATA, 1, 2);

        begin(1);
        for (unsigned i = 0; i < rounds; i++) round_of_a_triangle(0, 1);
        assert_int_equal(end(), 0);
    }
}

static void changes_are_distinguished_from_repetitions(void **state)
{
    begin(1);
    for (unsigned i = 0; i < 3; i++) gang(BUF, 1, READ, RACE_CONTIGUOUS, 512, NULL, NULL);
    gang(SUB, 1, READ, RACE_CONTIGUOUS, 512, NULL, NULL); // another place
    race_group_begin(worker, 1);
    int_at(BUF, 2, WRITE, 5, 1024 / 4 + 5);
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 1, 2);

    begin(1);
    for (unsigned i = 0; i < 3; i++) half(1, READ, false);
    half(1, READ, true); // other lanes
    race_group_begin(worker, 1);
    int_at(BUF, 2, WRITE, 5, 3 * (ITEMS - 1));
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 1, 2);

    begin(1);
    for (unsigned i = 0; i < 4; i++) half(1, WRITE, false);
    race_barrier(worker, GLO, BC_SCOPE_GROUP);
    int_at(BUF, 2, READ, 9, 3 * 8);
    half(1, WRITE, false); // another interval
    assert_int_equal(end(), 1);
    is_pair(0, RACE_DATA, 2, 1);
}

static void memory_only_where_it_is_touched(void **state)
{
    if (getenv("CLDBG_TEST_VALGRIND")) skip(); // it maps no shadow of 64 GiB
    begin(1);
    access_one(BIG, 1, WRITE, 0, (64ull << 30) - 4, 4, 1);
    access_one(BIG, 1, WRITE, 1, 17ull << 30, 4, 1);
    access_one(BIG, 2, READ, 2, (64ull << 30) - 4, 4, 1);
    assert_int_equal(end(), 1);
    assert_true(found[0].offset == (64ull << 30) - 4);
}

static void without_memory_it_says_so(void **state)
{
#ifdef SANITIZED
    skip(); // these reserve more themselves
#endif
    struct rlimit old, small = {8ull << 30, 8ull << 30};
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    small.rlim_max = old.rlim_max;
    begin(1);
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    void *more = mmap(NULL, 16ull << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more != MAP_FAILED) { // an emulator of another processor, whose own memory would be
                              // limited, does not do it
        munmap(more, 16ull << 30);
        setrlimit(RLIMIT_AS, &old);
        race_launch_end(launch);
        race_launch_destroy(launch);
        skip();
    }
    access_one(BIG, 1, WRITE, 0, 0, 4, 1);
    access_one(BIG, 2, READ, 1, 0, 4, 0);
    int_at(BUF, 1, WRITE, 3, 0);
    int_at(BUF, 2, READ, 4, 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    race_launch_end(launch);
    assert_true(race_launch_was_cut(launch));
    race_launch_destroy(launch);
    assert_int_equal(nfound, 1); // in the one that there was memory for
}

static void launches_do_not_see_one_another(void **state)
{
    for (int i = 0; i < 20; i++) {
        uint32_t values[ITEMS] = {0};
        begin(1);
        for (unsigned k = 0; k < 40; k++) {
            race_group_begin(worker, k);
            gang(BUF, 1, WRITE, RACE_CONTIGUOUS, (uint64_t)(i % 2 ? k : 39 - k) * 256, NULL,
                 values);
            int_at(BUF, 2, READ, 1, 100000 + k);
            gang(BUF, 3, ATOMIC, RACE_UNIFORM, 999996, NULL, NULL);
        }
        assert_int_equal(end(), 0);
    }
}

static void pairs_are_merged_and_counted(void **state)
{
    begin(1);
    for (unsigned g = 0; g < 8; g++) {
        race_group_begin(worker, 7 - g);
        for (unsigned i = 0; i < 32; i++) {
            int_at(TMP, 1, WRITE, i, i);
            int_at(TMP, 2, READ, i + 1, i);
        }
    }
    assert_int_equal(end(), 1);
    assert_int_equal(found[0].count, 8 * 32);
    assert_int_equal(found[0].groups, 8);
    assert_int_equal(found[0].second.group, 0);
    assert_int_equal(found[0].first.item, 0);
    assert_int_equal(nseen, 1);
}

static void a_million_races_end_soon(void **state)
{
#ifdef SANITIZED
    enum { SECONDS = 40 };
#else
    enum { SECONDS = 2 }; // 0.05 where nothing disturbs
#endif
    if (getenv("CLDBG_TEST_VALGRIND")) skip(); // nothing does there
    uint32_t values[ITEMS];
    uint64_t offsets[ITEMS] = {0};
    for (unsigned i = 0; i < ITEMS; i++) values[i] = i;
    begin(1);
    clock_t t = clock();
    for (unsigned i = 0; i < 1000000 / ITEMS; i++)
        gang(TMP, 1, WRITE, RACE_INDEXED, 0, offsets, values);
    assert_true(clock() - t < SECONDS * CLOCKS_PER_SEC);
    assert_int_equal(end(), 1);
    assert_int_equal(found[0].count, 1); // one location in one interval
}

static void the_first_reader_of_a_group_is_reported(void **state)
{
    // However many: where they are many, one of each cell is kept when the group has ended.
    static const unsigned many[] = {1, 1 << 14};
    uint64_t offsets[ITEMS];
    uint32_t values[ITEMS] = {0};
    for (unsigned m = 0; m < 2; m++) {
        for (unsigned from = 2; from < 4;
             from++) { // the site of the first readers is the greater one, or the lesser
            begin(1);
            for (unsigned k = 0; k < many[m]; k++)
                gang(BUF, 5 - from, READ, RACE_CONTIGUOUS, k * ITEMS * 4, NULL, NULL);
            for (unsigned k = 0; k < many[m]; k++) {
                for (unsigned i = 0; i < ITEMS; i++) offsets[i] = (k * ITEMS + (i ^ 1)) * 4;
                gang(BUF, from, READ, RACE_INDEXED, 0, offsets, NULL);
            }
            race_group_begin(worker, 1);
            for (unsigned k = 0; k < many[m]; k++)
                gang(BUF, 7, READ, RACE_CONTIGUOUS, k * ITEMS * 4, NULL, NULL);
            race_group_begin(worker, 2);
            for (unsigned k = 0; k < many[m]; k++)
                gang(BUF, 4, WRITE, RACE_CONTIGUOUS, k * ITEMS * 4, NULL, values);
            assert_int_equal(end(), 1);
            is_pair(0, RACE_DATA, 2, 4);
            assert_int_equal(found[0].first.group, 0);
            assert_int_equal(found[0].first.item, 0);
            assert_int_equal(found[0].offset, from == 2 ? 4 : 0);
            assert_int_equal(found[0].second.group, 2);
            assert_int_equal(found[0].count, many[m] * ITEMS);
        }
    }
}

enum { SOME_ITEMS = 24, SOME_GROUPS = 24, SOME_OPS = 5, SOME_CELLS = 900, SOME_AT_ONCE = 4 };

/**
 * Stores of each work-item of each group, however many groups run at once. (Of readers
 * that run at once, not the two least are kept.)
 */
static void groups_at_once(unsigned at_once, unsigned seed, bool in_order)
{
    struct race_config c = {.workers = 1,
                            .ngroups = SOME_GROUPS,
                            .group_items = SOME_ITEMS,
                            .at_once = at_once,
                            .nsites = 20,
                            .nobjects = 5,
                            .found = on_found};
    nfound = 0;
    launch = race_launch_create(&c);
    race_watch_global(launch, BUF, &root, 0, SOME_CELLS * 4, 4);
    worker = race_worker_get(launch, 0);
    for (unsigned b = 0; b < SOME_GROUPS / at_once; b++) {
        const unsigned batch = in_order ? b : (5 * b + 3) % (SOME_GROUPS / at_once);
        race_group_begin(worker, batch);
        for (unsigned k = 0; k < SOME_OPS; k++) {
            uint64_t offsets[SOME_AT_ONCE * SOME_ITEMS];
            uint32_t values[SOME_AT_ONCE * SOME_ITEMS];
            uint8_t mask[SOME_AT_ONCE * SOME_ITEMS];
            const unsigned n = at_once * SOME_ITEMS;
            for (unsigned i = 0; i < n; i++) {
                const unsigned group = batch * at_once + i / SOME_ITEMS, item = i % SOME_ITEMS;
                uint32_t x = ((seed * SOME_OPS + k) * SOME_GROUPS + group) * SOME_ITEMS + item;
                x = (x ^ x >> 15) * 0x2c1b3c6d, x = (x ^ x >> 12) * 0x297a2d39, x ^= x >> 15;
                // In a group all have cells of their own in each access (item + 24 * …); some
                // values differ.
                offsets[i] = 4 * (item + SOME_ITEMS * (x % (SOME_CELLS / SOME_ITEMS)));
                values[i] = x >> 8 & 7 ? 5 : 6;
                mask[i] = x >> 11 & 3 ? 0xff : 0;
            }
            race_global(worker, &(struct race_op){.site = 1 + k,
                                                  .object = BUF,
                                                  .is_write = true,
                                                  .shape = RACE_INDEXED,
                                                  .size = 4,
                                                  .offsets = offsets,
                                                  .mask = mask,
                                                  .n = n,
                                                  .values = values});
        }
    }
    end();
}

static void groups_meet_in_any_company(void **state)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        struct race_pair alone[64];
        groups_at_once(1, seed, true);
        const unsigned n = nfound;
        assert_true(n > 0);
        memcpy(alone, found, sizeof alone);
        for (unsigned way = 0; way < 5; way++) { // 3 together: their numbers are not powers of two
            groups_at_once(way < 2 ? 1 + 2 * way : way == 2 ? 4 : way, seed, way % 2);
            assert_int_equal(nfound, n);
            for (unsigned i = 0; i < n; i++) {
                const struct race_pair *a = &alone[i], *b = &found[i];
                is_pair(i, a->verdict, a->first.site, a->second.site);
                assert_int_equal(b->first.group, a->first.group);
                assert_int_equal(b->second.group, a->second.group);
                assert_int_equal(b->first.item, a->first.item);
                assert_int_equal(b->second.item, a->second.item);
                assert_int_equal(b->offset, a->offset);
                assert_int_equal(b->count, a->count);
                assert_int_equal(b->groups, a->groups);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_meet_in_any_company),
        cmocka_unit_test(a_barrier_with_the_fence_orders),
        cmocka_unit_test(without_a_barrier_it_is_a_race),
        cmocka_unit_test(one_work_item_never_races_with_itself),
        cmocka_unit_test(readers_do_not_race_but_each_races_with_a_writer),
        cmocka_unit_test(a_barrier_that_fences_other_memory_is_a_missing_fence),
        cmocka_unit_test(a_race_of_this_interval_is_not_a_missing_fence),
        cmocka_unit_test(bytes_beside_one_another_do_not_race),
        cmocka_unit_test(a_byte_inside_a_word_races),
        cmocka_unit_test(vectors_are_reported_whole),
        cmocka_unit_test(atomics_race_only_with_plain_accesses),
        cmocka_unit_test(lanes_of_one_instruction_race),
        cmocka_unit_test(the_same_value_is_a_warning_of_its_own),
        cmocka_unit_test(local_memory_is_a_groups_own),
        cmocka_unit_test(nothing_orders_two_groups),
        cmocka_unit_test(groups_may_store_the_same_and_read_the_same),
        cmocka_unit_test(the_first_reader_of_a_group_is_reported),
        cmocka_unit_test(work_items_meet_where_they_leave_their_part),
        cmocka_unit_test(rows_keep_apart_what_their_cells_stored),
        cmocka_unit_test(rows_remember_readers_and_writers),
        cmocka_unit_test(rows_of_members_reach_over_chunks),
        cmocka_unit_test(rows_of_members_know_nothing_of_earlier_launches),
        cmocka_unit_test(aliasing_arguments_are_one_memory),
        cmocka_unit_test(an_interval_comes_again_only_with_its_places_and_lanes),
        cmocka_unit_test(changes_are_distinguished_from_repetitions),
        cmocka_unit_test(memory_only_where_it_is_touched),
        cmocka_unit_test(without_memory_it_says_so),
        cmocka_unit_test(launches_do_not_see_one_another),
        cmocka_unit_test(pairs_are_merged_and_counted),
        cmocka_unit_test(a_million_races_end_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

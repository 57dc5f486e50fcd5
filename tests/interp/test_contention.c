// SPDX-License-Identifier: MIT
// Who may work beside the first thread: by a clock of our own, where all is decided by what parts
// take; and by real threads, none of which waits forever.
#include "interp/launch/counters.h"

static uint64_t ticks; // 0: the real clock
static uint64_t clock_of_test(clockid_t which) { return ticks ? ticks : vm_clock_ns(which); }
#define vm_clock_ns clock_of_test
#include "../../src/interp/launch/contention.c" // NOLINT
#undef vm_clock_ns

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { UNITS = 10000, PART_NS = 4000, MOST = 3, SECOND = 1000000000 };

/**
 * The first thread's part of a launch, when a unit takes `alone` ns, or `concurrent`: how many it
 * did with the others inside, who work only every `pause` units.
 */
static unsigned long first_thread(unsigned threads, uint64_t alone, uint64_t concurrent,
                                  unsigned pause)
{
    struct governor c;
    unsigned long n = 0;
    ticks = 1;
    governor_init(&c, threads, UNITS);
    governor_enter(&c, 0);
    for (unsigned i = 0; i < UNITS; i++) {
        n += c.is_open;
        if (c.is_open && i % pause == 0) governor_did(&c, 1, 1);
        ticks += c.is_open ? concurrent : alone;
        governor_did(&c, 0, 1);
    }
    governor_leave(&c, 0);
    assert_true(c.is_open);
    governor_destroy(&c);
    ticks = 0;
    return n;
}

static void test_in_the_way(void **state)
{
    (void)state;
    assert_in_range(first_thread(2, 1000, 6000, 1), 1, UNITS / 50);
    assert_in_range(first_thread(2, 1000, 2100, 1), 1, UNITS / 50);
    assert_in_range(first_thread(8, 1000, 9000, 1), 1, UNITS / 50);
    assert_in_range(first_thread(2, 30000, 180000, 1), 1,
                    UNITS / 50); // a part is longer than what is measured
    assert_in_range(first_thread(2, 1000, 6000, 100), 1, UNITS / 4); // they work seldom
}

static void test_beside(void **state)
{
    (void)state;
    assert_in_range(first_thread(2, 1000, 1000, 1), UNITS * 9 / 10, UNITS);
    assert_in_range(first_thread(2, 1000, 1900, 1), UNITS * 9 / 10, UNITS);
    assert_in_range(first_thread(8, 1000, 7000, 1), UNITS * 9 / 10, UNITS);
    assert_in_range(first_thread(2, 1000, 6000, UNITS), UNITS * 9 / 10,
                    UNITS); // slow, but no other worker did anything
    assert_int_equal(first_thread(1, 1000, 6000, 1), UNITS);
}

struct team {
    struct governor governor;
    unsigned threads;
    void (*part)(struct team *, unsigned thread, uint64_t number); // number: of this thread's
    uint64_t total;
    _Atomic uint64_t taken, done[MOST];
    _Atomic unsigned came;
    _Atomic bool flag;
};
struct member {
    struct team *team;
    unsigned number;
};

static void spend(struct team *t, unsigned thread, uint64_t number)
{
    (void)t, (void)thread, (void)number;
    for (const uint64_t end = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) + PART_NS;
         vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) < end;) {}
}

static void wait_for_flag(struct team *t)
{
    for (const uint64_t end = vm_clock_ns(CLOCK_MONOTONIC) + 10ull * SECOND;
         !t->flag && vm_clock_ns(CLOCK_MONOTONIC) < end;)
        sched_yield();
    assert_true(t->flag);
}

// The first thread, in its third part, waits for what another does in its first.
static void first_waits(struct team *t, unsigned thread, uint64_t number)
{
    if (thread) t->flag = true;
    else if (number == 2) wait_for_flag(t);
    else spend(t, thread, number);
}

// The next worker waits for the one after.
static void another_waits(struct team *t, unsigned thread, uint64_t number)
{
    if (!thread || number) spend(t, thread, number);
    else if (t->came++) t->flag = true;
    else wait_for_flag(t);
}

static void *run_member(void *context)
{
    const struct member *m = context;
    struct team *t = m->team;
    governor_enter(&t->governor, m->number);
    for (uint64_t k = 0;; k++) {
        governor_wait(&t->governor, m->number);
        if (t->taken++ >= t->total) break;
        t->part(t, m->number, k);
        t->done[m->number]++;
        governor_did(&t->governor, m->number, 1);
    }
    governor_leave(&t->governor, m->number);
    return NULL;
}

static void run_team(struct team *t)
{
    pthread_t threads[MOST];
    struct member members[MOST];
    governor_init(&t->governor, t->threads, t->total);
    for (unsigned i = 0; i < t->threads; i++) {
        members[i] = (struct member){t, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_member, &members[i]), 0);
    }
    for (unsigned i = 0; i < t->threads; i++) pthread_join(threads[i], NULL);
    governor_destroy(&t->governor);
}

static void test_all_work(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= MOST; threads++) {
        struct team t = {.threads = threads, .part = spend, .total = 30000};
        run_team(&t);
        assert_int_equal(t.done[0] + t.done[1] + t.done[2], t.total);
        if (getenv("CLDBG_TEST_VALGRIND")) continue; // which runs one thread at a time
        for (unsigned i = 1; i < threads; i++) assert_true(t.done[i] > t.total / 20);
    }
}

static void test_nobody_waits_for_ever(void **state)
{
    (void)state;
    struct team t = {.threads = 2, .part = first_waits, .total = 1000};
    run_team(&t);
    t = (struct team){.threads = 3, .part = another_waits, .total = 200000};
    run_team(&t);
    assert_true(t.flag);
    assert_true(t.done[0] < t.total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_the_way),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_all_work),
        cmocka_unit_test(test_nobody_waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

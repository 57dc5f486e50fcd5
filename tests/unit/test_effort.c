// SPDX-License-Identifier: MIT
// How much time the compiled engine may spend on proofs and machine code.
#include "devices/compiled_device.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const uint64_t MS = 1000000;

static struct dev_settings settings;
const struct dev_settings *dev_settings(void) { return &settings; }

/** The budget for work that takes at least `least`, or 0; the work then takes `took`. */
static uint64_t work(uint64_t least, uint64_t took)
{
    uint64_t budget = 0;
    if (!compiled_effort_begin(least, &budget)) return 0;
    compiled_effort_end(took);
    return budget;
}

static void unlimited_if_asked_for(void **state)
{
    (void)state;
    const int engines[] = {DEV_ENGINE_COMPILED, DEV_ENGINE_CHECK};
    for (unsigned i = 0; i < 2; i++) {
        settings.engine = engines[i];
        for (unsigned k = 0; k < 3; k++)
            assert_true(work(UINT64_MAX, 100000 * MS) == UINT64_MAX); // and does not count
    }
}

/** 250 ms at first, then an eighth of what launches were interpreted. */
static void limited_by_what_launches_took(void **state)
{
    (void)state;
    settings.engine = DEV_ENGINE_AUTO;
    assert_int_equal(work(0, 100 * MS), 250 * MS);
    assert_int_equal(work(150 * MS, 0), 150 * MS);
    assert_int_equal(work(150 * MS + 1, 0), 0);
    assert_int_equal(work(0, 400 * MS), 150 * MS); // longer than it may: that is made up for
    assert_int_equal(work(0, 0), 0);
    compiled_effort_earn(8 * 200 * MS);
    assert_int_equal(work(0, 0), 0);
    compiled_effort_earn(8 * 51 * MS);
    assert_int_equal(work(0, 1 * MS), 1 * MS);
    assert_int_equal(work(0, 0), 0);
}

static void never_more_than_a_share(void **state)
{
    (void)state;
    uint64_t earned = 0, spent = 0;
    srand(7);
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t ns = (uint64_t)rand() % (20 * MS), least = (uint64_t)rand() % (5 * MS);
        compiled_effort_earn(ns);
        earned += ns;
        uint64_t budget;
        if (!compiled_effort_begin(least, &budget)) continue;
        assert_true(budget >= least && budget > 0);
        const uint64_t took = (uint64_t)rand() % (budget + 1);
        compiled_effort_end(took);
        spent += took;
        assert_true(spent <= earned / 8 + 1);
    }
    assert_true(spent > earned / 16);
}

static void one_at_a_time(void **state)
{
    (void)state;
    uint64_t budget;
    compiled_effort_earn(8 * 100 * MS);
    assert_true(compiled_effort_begin(0, &budget));
    assert_false(compiled_effort_begin(0, &budget));
    const pid_t child = fork(); // it does not have the thread that works
    if (!child) _exit(compiled_effort_begin(0, &budget) ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    compiled_effort_end(0);
    assert_true(compiled_effort_begin(0, &budget));
    compiled_effort_end(0);
}

static void questions_end_in_time(void **state)
{
    (void)state;
    struct proof_question q = {.seconds = 10};
    compiled_limit(&q, 100000 * MS);
    assert_int_equal(q.seconds, 10);
    compiled_limit(&q, 3999 * MS);
    assert_int_equal(q.seconds, 4);
    compiled_limit(&q, 0);
    assert_int_equal(q.seconds, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlimited_if_asked_for), cmocka_unit_test(limited_by_what_launches_took),
        cmocka_unit_test(never_more_than_a_share), cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(questions_end_in_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// The cost of an ordered atomic that many work-items use: the pairs of clock nodes that joins
// compare. A join of whole clocks would compare one pair for every 32 work-items at each atomic.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "race/order.h"

#include <stdio.h>

enum { ITEMS = 1024, ROUNDS = 20, MOST = 3 };

struct shape {
    const char *name;
    unsigned order, scope, ngroups, vars;
    bool after_barrier; // memory was initialized plainly, then a barrier
    bool mostly_fails;  // compare-and-exchange of all, of which one succeeds
    bool touches;       // plain accesses between
};

static double cost(const struct shape *s)
{
    struct order o;
    struct order_group g[64] = {0};
    const uint32_t items = ITEMS / s->ngroups;
    uint64_t n = 0;
    order_init(&o, s->ngroups, items);
    for (unsigned i = 0; i < s->ngroups; i++) {
        order_group_begin(&o, &g[i], i);
        (void)order_touch(&o, &g[i], 0, 1);
        if (s->after_barrier)
            order_barrier(&o, &g[i], BC_FENCE_LOCAL | BC_FENCE_GLOBAL, BC_SCOPE_GROUP);
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k < s->ngroups; k++)
            for (uint32_t i = 0; i < items; i++, n++) {
                const bool succeeds = !s->mostly_fails || k * items + i == round;
                const uint64_t var = 1 + i / 32 % s->vars;
                struct race_atomic_op op = {.site = 2,
                                            .item = i,
                                            .size = 4,
                                            .reads = true,
                                            .writes = succeeds,
                                            .order = s->order,
                                            .scope = s->scope};
                order_acquire(&o, &g[k], var, &op);
                order_release(&o, &g[k], var, &op);
                if (s->touches && succeeds) (void)order_touch(&o, &g[k], i, 3);
            }
    const double each = (double)o.trees.joined / (double)n;
    for (unsigned i = 0; i < s->ngroups; i++) order_group_deinit(&o, &g[i]);
    order_deinit(&o);
    return each;
}

static void ordered_atomics_join_no_whole_clocks(void **state)
{
    static const struct shape shapes[] = {
        {"a counter", BC_SEQ_CST, BC_SCOPE_DEVICE, 1, 1, false, false, true},
        {"a counter of one group", BC_ACQ_REL, BC_SCOPE_GROUP, 1, 1, false, false, true},
        {"a counter, initialized before", BC_SEQ_CST, BC_SCOPE_DEVICE, 1, 1, true, false, true},
        {"a counter of many groups", BC_SEQ_CST, BC_SCOPE_DEVICE, 64, 1, true, false, true},
        {"a counter that only releases", BC_RELEASE, BC_SCOPE_DEVICE, 1, 1, true, false, true},
        {"a counter that only acquires", BC_ACQUIRE, BC_SCOPE_DEVICE, 1, 1, true, false, true},
        {"relaxed, behind a barrier", BC_RELAXED, BC_SCOPE_DEVICE, 1, 1, true, false, true},
        {"compare and exchange", BC_SEQ_CST, BC_SCOPE_DEVICE, 1, 1, false, true, true},
        {"compare and exchange, initialized before", BC_SEQ_CST, BC_SCOPE_DEVICE, 1, 1, true, true,
         true},
        {"bits of several words", BC_SEQ_CST, BC_SCOPE_DEVICE, 1, 32, false, false, true},
    };
    unsigned dear = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const double each = cost(&shapes[i]);
        printf("%-42s %.2f\n", shapes[i].name, each);
        dear += each > MOST;
    }
    assert_int_equal(dear, 0);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ordered_atomics_join_no_whole_clocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

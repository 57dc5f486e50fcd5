// SPDX-License-Identifier: MIT
#ifndef PROOF_LOOPS_H
#define PROOF_LOOPS_H
#include "proof/kernel.h"

/** Counters of cut loops, and what tests say about them. Private to loop_counters.c and loop_phi.c.
 */

enum pk_form { NO_FORM, STEPS, SHIFTS_LEFT, SHIFTS_RIGHT, STAYS };
struct pk_counter {
    enum pk_form form;
    LLVMValueRef phi, init, next;
    bool subtracts;
    LLVMValueRef step; // STEPS
    unsigned shift;    // SHIFTS
};

struct pk_test {
    LLVMIntPredicate stay; // counter PREDICATE bound: the loop goes on
    bool of_next;          // the counter of the following iteration is tested
    int extended;          // to 64 bits before: 1 signed, -1 unsigned
    LLVMValueRef bound;
    bool is_fixed; // the bound is the same in all iterations
};

struct pk_counter pk_counter_of(const struct pk *k, unsigned header, LLVMValueRef phi);
/** Whether the branch of a block, which the loop takes in each iteration, tests the counter. */
bool pk_test_of(const struct pk *k, int loop, unsigned block, const struct pk_counter *c,
                struct pk_test *out);
/** A value of the loop that is the same in all iterations, through casts and arithmetic. */
bool pk_is_fixed(const struct pk *k, int loop, LLVMValueRef v, unsigned depth);

pf pk_relate(struct pk *k, enum pk_relation r, pf a, pf b);
/** Those of the list that are about a header hold at the node, which is a cut copy of it. */
pf pk_invariants_hold(struct pk *k, unsigned node, const struct pk_invariant *list, size_t n);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_BARRIER_INSTANCE_H
#define INTERP_BARRIER_INSTANCE_H
#include "interp/core/gang.h"

/**
 * An instance of a barrier: its location and the iteration of every loop around it. Lanes wait for
 * each other at an instance, not only at a location.
 */

struct vm_lane_ref {
    struct vm_gang *g;
    uint32_t lane;
};

struct vm_lane_ref vm_lane_at(const struct vm_group *grp, uint32_t item);

static inline const struct bc_insn *vm_end_of_block(const struct vm_fn *fn, uint32_t block)
{
    const struct bc_block *b = &fn->bc->blocks[block];
    return &fn->bc->insns[b->first + b->count - 1];
}

/** The iteration of a loop with barriers that the lane is in. */
uint32_t vm_iteration(const struct vm_gang *g, int32_t loop, uint32_t lane);

/** Are two lanes that wait at the end of `block` at the same instance of it? */
bool vm_same_instance(const struct vm_gang *a, uint32_t la, const struct vm_gang *b, uint32_t lb,
                      uint32_t block);
/** Are all lanes of the gang in the same iterations at `block`? */
bool vm_counters_agree(const struct vm_gang *g, uint32_t block);

/** Is the instance that x waits at earlier than that of y? */
bool vm_waits_earlier(struct vm_lane_ref x, struct vm_lane_ref y);

/** Resumes a waiting lane. */
void vm_let_go(struct vm_gang *g, uint32_t lane);
#endif

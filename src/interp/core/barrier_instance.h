// SPDX-License-Identifier: MIT
#ifndef INTERP_BARRIER_INSTANCE_H
#define INTERP_BARRIER_INSTANCE_H
#include "interp/core/gang.h"

/**
 * Instances of a barrier: its place and the iteration of every loop around it. Lanes wait for one
 * another at an instance, not at a place.
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

/** Which iteration of a loop with barriers the lane is in. */
uint32_t vm_iteration(const struct vm_gang *g, int32_t loop, uint32_t lane);

/** Whether two lanes that wait at the end of `block` are at the same instance of it. */
bool vm_same_instance(const struct vm_gang *a, uint32_t la, const struct vm_gang *b, uint32_t lb,
                      uint32_t block);
/** Whether all of the gang are, if they are there. */
bool vm_counters_agree(const struct vm_gang *g, uint32_t block);

/** Whether x waits at what comes before what y waits at. */
bool vm_waits_earlier(struct vm_lane_ref x, struct vm_lane_ref y);

/** A lane that waits goes on. */
void vm_let_go(struct vm_gang *g, uint32_t lane);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_ACCESS_H
#define INTERP_LANE_ACCESS_H
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"

/** The general form of every access, lane by lane: see lane_access.c. */

vm_handler vm_load_slow, vm_store_slow, vm_op_copy, vm_op_set, vm_op_lea_slow;

/**
 * Computes and checks the addresses of all active lanes, and reports the failing ones. Fills
 * g->offsets, g->lane_ids and g->ok_mask (lanes with a valid access). Returns the number of valid
 * lanes.
 */
uint32_t vm_check_lanes(struct vm_gang *g, const struct vm_access *x, bool write);

/** After vm_check_lanes: passes the accesses of watched objects to the race check. */
void vm_watch_lanes(struct vm_gang *g, const struct vm_access *x, bool write);

/**
 * An operand of a copy or a fill: its site, and the faults of its lanes so far (vm_fault_end
 * reports them).
 */
struct vm_range_operand {
    const struct bc_insn *insn;
    uint32_t site;
    bool is_write;
    struct vm_fault_run faults;
};
/**
 * Checks `size` bytes at a lane's pointer p as a whole. If they are invalid, adds a fault, and the
 * range has no object.
 */
struct vm_lane_range vm_check_range(struct vm_gang *g, struct vm_range_operand *q, uint32_t lane,
                                    uint64_t p, uint64_t size);

/** Copies bytes as memmove does; zeros if `from` is invalid. Both sizes are the same. */
void vm_move_range(struct vm_gang *g, const struct vm_lane_range *to,
                   const struct vm_lane_range *from);
#endif

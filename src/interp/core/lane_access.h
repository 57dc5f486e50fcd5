// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_ACCESS_H
#define INTERP_LANE_ACCESS_H
#include "interp/core/gang.h"

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
 * A range of bytes of one lane, checked as a whole: its object and offset; NULL: it is invalid and
 * was added to `run`.
 */
struct vm_fault_run;

const struct vm_object *vm_check_range(struct vm_gang *g, struct vm_fault_run *run,
                                       const struct bc_insn *src, uint32_t site, uint32_t lane,
                                       uint64_t p, uint64_t size, bool write, uint64_t *off);
/**
 * The source of a written range: bytes of another object of the lane from `at` on, or (from NULL)
 * this word repeatedly.
 */
struct vm_source {
    const struct vm_object *from;
    uint64_t at, word;
};

/** Passes such a range to the race check; `written` NULL: it is read. */
void vm_watch_range(struct vm_gang *g, uint32_t site, const struct vm_object *o, uint32_t lane,
                    uint64_t off, uint64_t size, const struct vm_source *written);
#endif

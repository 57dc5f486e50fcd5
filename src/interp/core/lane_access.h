// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_ACCESS_H
#define INTERP_LANE_ACCESS_H
#include "interp/core/gang.h"

/** The general form of every access, lane by lane: see lane_access.c. */

vm_handler vm_load_slow, vm_store_slow, vm_op_copy, vm_op_set, vm_op_lea_slow;

/**
 * Addresses of an access for all active lanes: ids and offsets checked, failing lanes reported and
 * left out. Fills g->offsets, g->lane_ids and g->ok_mask (lanes that may access); returns how many
 * may.
 */
uint32_t vm_check_lanes(struct vm_gang *g, const struct vm_access *x, bool write);

/** After vm_check_lanes: reports the lanes that access watched objects to the race check. */
void vm_watch_lanes(struct vm_gang *g, const struct vm_access *x, bool write);

/**
 * A range of bytes of one lane, checked as a whole: its object and offset, or NULL (and it is in
 * `run`).
 */
struct vm_fault_run;

const struct vm_object *vm_check_range(struct vm_gang *g, struct vm_fault_run *run,
                                       const struct bc_insn *src, uint32_t site, uint32_t lane,
                                       uint64_t p, uint64_t size, bool write, uint64_t *off);
/**
 * What is written to a range: bytes of another object of the lane from `at` on, or (from NULL) this
 * word over and over.
 */
struct vm_source {
    const struct vm_object *from;
    uint64_t at, word;
};

/** Reports to the race check such a range; `written` NULL: it is read. */
void vm_watch_range(struct vm_gang *g, uint32_t site, const struct vm_object *o, uint32_t lane,
                    uint64_t off, uint64_t size, const struct vm_source *written);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_COMPACTION_H
#define INTERP_COMPACTION_H
#include "interp/core/group.h"

/**
 * Lane compaction: in a divergent loop, the values of the active lanes move to the front of the
 * registers, and the gang is only that wide until the last of them leaves the loop. See
 * compaction.c.
 */

/** A register that is live into the loop, out of it, or across its back edge.
 */
struct vm_compact_reg {
    uint32_t off;
    uint8_t size; // of an element
    bool written; // in the loop
};
struct vm_compact_loop {
    uint32_t nregs, bytes; // bytes of a lane in all registers
    struct vm_compact_reg *regs;
    bool suits, uses_ids;
    bool is_local; // the loop accesses local memory
};

/** Finds the loops that qualify; fills vm_fn.compact_loops. */
void vm_compaction_analyze(struct vm_code *c);

/** At a backward jump to block t with few active lanes: compacts them if that pays. */
void vm_compact(struct vm_gang *g, uint32_t t);
/** The lanes have left the loop: restores the lanes of the frame, running and waiting. */
void vm_compaction_end(struct vm_gang *g);
/** The gang starts another group: discards the compacted state. */
void vm_compaction_drop(struct vm_gang *g);
void vm_compaction_free(struct vm_gang *g);

/**
 * Rewrites an operation of the race check in terms of the uncompacted lanes. `lane`: the first lane
 * of the operation, compacted.
 */
void vm_compaction_restore_op(struct vm_gang *g, struct race_op *op, uint32_t lane);

/** Brings g->slots up to date: call it before nlanes changes, and at the end. */
void vm_gang_count_slots(struct vm_gang *g);

/** Of a gang. */
struct vm_compaction {
    struct vm_frame *frame;
    uint32_t loop, first, last; // its blocks
    uint32_t n, nlanes;         // of the whole gang: `all`, nlanes
    uint64_t since;             // g->insns
    uint16_t lanes[VM_MAX_WIDTH];
    char *all_lanes;        // registers of all lanes
    uint8_t **masks, *mask; // the frame's masks while compacted
    struct vm_lane_count *waiting, *own_waiting;
    uint8_t **own_masks, *own_mask; // its own
    uint64_t *pending;
    uint32_t npending;
    uint32_t *lid[VM_LANE_NUMBERS]; // of the gang
    uint64_t *gids[6];
    uint32_t *now_lid[VM_LANE_NUMBERS];
    uint64_t *now_gids[6];
    uint8_t *op_mask;
    uint64_t *op_offsets;
    uint32_t *op_elements;
    char *op_values;
    void *block_mem;
};
/** The uncompacted lane of lane i. */
static inline uint32_t vm_lane_of(const struct vm_gang *g, uint32_t i)
{
    return g->is_compacted ? g->compaction->lanes[i] : i;
}
#endif

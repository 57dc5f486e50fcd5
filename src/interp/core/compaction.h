// SPDX-License-Identifier: MIT
#ifndef INTERP_COMPACTION_H
#define INTERP_COMPACTION_H
#include "interp/core/group.h"

/**
 * Loops that few lanes still go round: their values are put together at the front of the registers,
 * and the gang is as narrow as they are many until the last of them leaves the loop. compaction.c
 * has the theory.
 */

/** A register that the loop shares with what is around it, or one of its rounds with the next. */
struct vm_dense_reg {
    uint32_t off;
    uint8_t size; // of an element
    bool written; // in the loop
};
struct vm_dense_loop {
    uint32_t nregs, bytes; // of a lane, in all of them
    struct vm_dense_reg *regs;
    bool suits, uses_ids;
    bool is_local; // it accesses local memory
};

/** Which loops of the code suit; fills vm_fn.dense. */
void vm_dense_analyse(struct vm_code *c);

/** At a jump back to block t, with few lanes: perhaps they are put together. */
void vm_dense_look(struct vm_gang *g, uint32_t t);
/**
 * They have left the loop: everything is as it would be, the frame's lanes and its waiting ones
 * included.
 */
void vm_dense_end(struct vm_gang *g);
/** The gang begins anew. */
void vm_dense_drop(struct vm_gang *g);
void vm_dense_free(struct vm_gang *g);

/**
 * For the race check: the access with its lanes where they are at other times. `lane`: the first of
 * the op's, as it is now.
 */
void vm_dense_spread(struct vm_gang *g, struct race_op *op, uint32_t lane);

/** Brings g->slots up to date: before nlanes changes, and at the end. */
void vm_gang_tally(struct vm_gang *g);

/** Of a gang. */
struct vm_dense {
    struct vm_frame *frame;
    uint32_t loop, first, last; // its blocks
    uint32_t n, nlanes;         // of the whole gang: `all`, nlanes
    uint64_t since;             // g->insns
    uint16_t lanes[VM_MAX_WIDTH];
    char *saved;            // registers of all lanes
    uint8_t **masks, *mask; // the frame's, in the meantime
    struct vm_some *waiting, *own_waiting;
    uint8_t **own_masks, *own_mask; // its own
    uint64_t *pending;
    uint32_t npending;
    uint32_t *lid[VM_LANE_NUMBERS]; // the gang's own
    uint64_t *gids[6];
    uint32_t *now_lid[VM_LANE_NUMBERS];
    uint64_t *now_gids[6];
    uint8_t *op_mask;
    uint64_t *op_offsets;
    uint32_t *op_elements;
    char *op_values;
    void *block_mem;
};
/** Where lane i of the gang is at other times. */
static inline uint32_t vm_lane_of(const struct vm_gang *g, uint32_t i)
{
    return g->is_dense ? g->dense->lanes[i] : i;
}
#endif

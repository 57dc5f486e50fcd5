// SPDX-License-Identifier: MIT
#ifndef INTERP_ACCESS_WATCH_H
#define INTERP_ACCESS_WATCH_H
#include "interp/core/gang.h"

/** One call for each memory instruction: the race check, and what the host wants to know. */

/** For the host: these bytes of an object with `touched` were touched. */
struct race_op;
void vm_note_touched(const struct vm_object *o, const struct race_op *op);

/**
 * An access of a watched object: whether it is the one that vm_launch.writer asks for. src: the
 * instruction, or NULL.
 */
void vm_note_writer(struct vm_gang *g, const struct vm_object *o, const struct race_op *op,
                    const struct bc_insn *src);

/**
 * Reports to the race check an access: which lanes is in g->mask, INDEXED takes the offsets in
 * g->offsets.
 */
enum vm_shape { VM_SHAPE_UNIFORM, VM_SHAPE_CONTIGUOUS, VM_SHAPE_INDEXED, VM_SHAPE_ELEMENTS };

void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum vm_shape shape, uint64_t offset0);

/**
 * The same for lanes [lane, lane + n), no others being active. CONTIGUOUS: all of them are active,
 * offset0 is that of the first; ELEMENTS: at those elements of 1 << elog bytes, NULL for other
 * shapes.
 */
struct vm_elements {
    const uint32_t *elements; // of lane 0 on, to each of which `first` is added
    uint32_t first;
    uint64_t lane_shape; // its id, or 0
};

void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, enum vm_shape shape, uint64_t offset0,
                   const struct vm_elements *elements, uint32_t lane, uint32_t n);
#endif

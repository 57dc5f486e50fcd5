// SPDX-License-Identifier: MIT
#ifndef INTERP_ACCESS_WATCH_H
#define INTERP_ACCESS_WATCH_H
#include "interp/core/gang.h"

/** One call for each memory instruction: the race check, and the touched bytes for the host. */

/** Records for the host that the access touched these bytes of an object with `touched`. */
struct race_op;
void vm_note_touched(const struct vm_object *o, const struct race_op *op);

/**
 * Records an access of a watched object if it is the one that vm_launch.writer searches for. src:
 * the instruction, or NULL.
 */
void vm_note_writer(struct vm_gang *g, const struct vm_object *o, const struct race_op *op,
                    const struct bc_insn *src);

/**
 * Passes an access of the lanes in g->mask to the race check. INDEXED: at the offsets in
 * g->offsets.
 */
enum vm_shape { VM_SHAPE_UNIFORM, VM_SHAPE_CONTIGUOUS, VM_SHAPE_INDEXED, VM_SHAPE_ELEMENTS };

void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum vm_shape shape, uint64_t offset0);

/**
 * The same if only lanes [lane, lane + n) may be active. CONTIGUOUS: all of them are active,
 * offset0 is that of the first. ELEMENTS: at these elements of 1 << elog bytes (NULL for other
 * shapes).
 */
struct vm_elements {
    const uint32_t *elements; // from lane 0 on; `first` is added to each
    uint32_t first;
    uint64_t lane_shape; // its id, or 0
};

void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, enum vm_shape shape, uint64_t offset0,
                   const struct vm_elements *elements, uint32_t lane, uint32_t n);
#endif

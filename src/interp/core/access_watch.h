// SPDX-License-Identifier: MIT
#ifndef INTERP_ACCESS_WATCH_H
#define INTERP_ACCESS_WATCH_H
#include "interp/core/gang.h"
#include "race/race.h"

/** One call for each memory instruction: the race check, and the touched bytes for the host. */

/** Records for the host that the access touched these bytes of an object with `touched`. */
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
void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum race_shape shape, uint64_t offset0);

/**
 * The same if only lanes [op->layout_lane, op->layout_lane + op->n) may be active. The caller sets
 * these two, the shape and offset0; for ELEMENTS also elements, element0 and layout. CONTIGUOUS:
 * all of the lanes are active.
 */
void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, struct race_op *op);
#endif

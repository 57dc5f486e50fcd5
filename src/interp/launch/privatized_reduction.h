// SPDX-License-Identifier: MIT
#ifndef INTERP_PRIVATIZED_REDUCTION_H
#define INTERP_PRIVATIZED_REDUCTION_H
#include "interp/core/group.h"

/**
 * Sums that nobody looks at before the launch ends: each worker adds to a copy of its own. See
 * privatized_reduction.c.
 */

/** While code is decoded: an atomic of it. */
void vm_tally_note(struct vm_code *c, const struct bc_mem *m, bool wants_old);
/** Finds the launch's, when its objects are set. */
void vm_tally_find(struct vm_run *run);
/** Are there atomics all the same that workers may take cache lines from one another by? */
bool vm_tally_leaves_some(const struct vm_run *run);
void vm_tally_deinit(struct vm_run *run);
/** A worker begins: it gets its copies, unless it has them. */
void vm_tally_start(struct vm_worker *w);
/** The gang's view of such objects has the worker's copies. */
void vm_tally_bind(struct vm_gang *g);
/** The worker is done: what it added becomes part of the memory that it is of. */
void vm_tally_end(struct vm_worker *w);
/** Of all arguments that share the allocation: is nothing but atomics done through them? */
bool vm_only_atomics(const struct vm_run *run, const void *root);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_PRIVATIZED_REDUCTION_H
#define INTERP_PRIVATIZED_REDUCTION_H
#include "interp/core/group.h"

/**
 * Privatized reductions: each worker accumulates atomics in a private copy, merged when the launch
 * ends. See privatized_reduction.c.
 */

/** While code is decoded: an atomic of it. */
void vm_privatize_note(struct vm_code *c, const struct bc_mem *m, bool wants_old);
/** Finds the launch's, when its objects are set. */
void vm_privatize_find(struct vm_run *run);
/** Are there atomics all the same that workers may take cache lines from one another by? */
bool vm_privatize_leaves_some(const struct vm_run *run);
void vm_privatize_deinit(struct vm_run *run);
/** A worker begins: it gets its copies, unless it has them. */
void vm_privatize_start(struct vm_worker *w);
/** The gang's view of such objects has the worker's copies. */
void vm_privatize_bind(struct vm_gang *g);
/** The worker is done: what it added becomes part of the memory that it is of. */
void vm_privatize_end(struct vm_worker *w);
/** Of all arguments that share the allocation: is nothing but atomics done through them? */
bool vm_only_atomics(const struct vm_run *run, const void *root);
#endif

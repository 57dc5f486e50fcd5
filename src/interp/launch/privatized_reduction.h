// SPDX-License-Identifier: MIT
#ifndef INTERP_PRIVATIZED_REDUCTION_H
#define INTERP_PRIVATIZED_REDUCTION_H
#include "interp/core/group.h"

/**
 * Privatized reductions: each worker accumulates atomics in a private copy, merged when the launch
 * ends. See privatized_reduction.c.
 */

/** Records an atomic while code is decoded. */
void vm_privatize_note(struct vm_code *c, const struct bc_mem *m, bool wants_old);
/** Finds the privatized buffers of a launch, after its objects are set. */
void vm_privatize_find(struct vm_run *run);
/** Are there other atomics by which workers may contend for cache lines? */
bool vm_privatize_leaves_some(const struct vm_run *run);
void vm_privatize_deinit(struct vm_run *run);
/** At the start of a worker: allocates its copies, if it has none. */
void vm_privatize_start(struct vm_worker *w);
/** Sets the worker's copies in the gang's objects. */
void vm_privatize_bind(struct vm_gang *g);
/** At the end of a worker: adds its copies to the buffers. */
void vm_privatize_end(struct vm_worker *w);
/** Are all accesses through the arguments that share the allocation atomics? */
bool vm_only_atomics(const struct vm_run *run, const void *root);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_PACKING_H
#define INTERP_PACKING_H
#include "interp/core/group.h"

/**
 * Batches: so many consecutive work-groups that run as one gang, so that small groups are not slow.
 * That is for kernels where nobody can tell: no waiting for one another, no printf, and ids only
 * where the bytecode has them vary (lowering does so in such kernels). Group ids vary in a batch. A
 * kernel with barriers or local memory has a form of its own for this (bc_kernel.batch): its groups
 * come to each barrier together, and of each local object every group has a copy.
 *
 * Which groups are a batch does not depend on the number of workers: batch b is [b * size, (b + 1)
 * * size) in linear order. Smaller groups, at the edge of a range that local sizes do not divide,
 * run by themselves.
 */
bool vm_batch_suits(const struct bc_module *m, const struct bc_kernel *k);

/** How many groups of so many work-items fill a gang of `most` lanes; 1: none more. */
uint32_t vm_batch_size(uint32_t items, uint64_t ngroups, uint32_t most);

/** How many groups from `linear` on, before `end`, can run together: all of them full, or one. */
uint64_t vm_batch_run(const struct vm_run *run, uint64_t linear, uint64_t end);

/** The ids that vary with the group, of the gang's lanes: g->one_row, or g->gids. */
void vm_batch_ids(struct vm_gang *g, const struct vm_group *grp);
#endif

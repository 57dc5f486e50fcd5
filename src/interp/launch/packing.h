// SPDX-License-Identifier: MIT
#ifndef INTERP_PACKING_H
#define INTERP_PACKING_H
#include "interp/core/group.h"

/**
 * Work-group packing: several consecutive work-groups run as one gang, which makes small groups
 * fast. A kernel permits it if packing is not observable: its work-items do not wait for one
 * another, it has no printf, and ids are used only where the bytecode makes them varying (lowering
 * does so in such kernels). Group ids vary in a pack. A kernel with barriers or local memory has a
 * packed variant (bc_kernel.packed): its groups reach each barrier together, and each group has a
 * copy of each local object.
 *
 * Packs do not depend on the number of workers: pack b is [b * size, (b + 1) * size) in linear
 * order. Smaller groups, at the edge of a range that the local size does not divide, run alone.
 */
bool vm_packing_suits(const struct bc_module *m, const struct bc_kernel *k);

/** The number of groups of `items` work-items per gang of `most` lanes; 1: no packing. */
uint32_t vm_packing_size(uint32_t items, uint64_t ngroups, uint32_t most);

/**
 * The number of groups from `linear` on, below `end`, that can run together: full ones, or a single
 * one.
 */
uint64_t vm_packed_run(const struct vm_run *run, uint64_t linear, uint64_t end);

/** Sets the ids that vary with the group, by lane: g->one_row, or g->gids. */
void vm_packed_ids(struct vm_gang *g, const struct vm_group *grp);
#endif

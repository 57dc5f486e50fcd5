// SPDX-License-Identifier: MIT
#ifndef RACE_CLOCKS_H
#define RACE_CLOCKS_H
#include "race/race.h"

/**
 * Races in launches that synchronize through atomics: the whole check of such a launch, in place of
 * the shadow. The theory is in cells.c. One struct clocks a launch, for one thread; one
 * clocks_group a group that runs.
 */
struct clocks;
struct clocks_group;
struct race_worker;

struct clocks *clocks_create(struct race_launch *l);
void clocks_destroy(struct race_launch *l);

/** The worker's group begins. `*g` is made at the first call and used again. */
void clocks_group_begin(struct race_worker *w, struct clocks_group **g);
void clocks_group_end(struct race_launch *l, struct clocks_group *g); // frees it
/** Some of its objects are images, which fences may name alone. Before the first group begins. */
void clocks_have_images(struct race_launch *l);
void clocks_barrier(struct race_worker *w, unsigned fences, unsigned scope);
void clocks_sub_group_barrier(struct race_worker *w, uint32_t first, uint32_t n,
                              const uint8_t *mask, unsigned fences, unsigned scope);
void clocks_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f);
void clocks_atomic(struct race_worker *w, const struct race_atomic_op *op);
void clocks_access(struct race_worker *w, const struct race_op *op);
/** A side of an async copy that the group's `begun_by` work-items begin, or that ends. */
void clocks_copy(struct race_worker *w, const struct race_copy_side *s, bool is_write,
                 uint32_t begun_by, bool ends);
/** The group has waited for it, after both its sides ended. */
void clocks_copy_ended(struct race_worker *w);
#endif

// SPDX-License-Identifier: MIT
#ifndef RACE_CLOCKS_H
#define RACE_CLOCKS_H
#include "race/race.h"

/**
 * Races in launches that synchronize through atomics: the complete check of such a launch, without
 * the shadow. The theory is in cells.c. A launch has one struct clocks, used by one thread; each
 * running group has a clocks_group.
 */
struct clocks;
struct clocks_group;
struct race_worker;

struct clocks *clocks_create(struct race_launch *l);
void clocks_destroy(struct race_launch *l);

/** The worker's group begins. The first call creates `*g`; later calls reuse it. */
void clocks_group_begin(struct race_worker *w, struct clocks_group **g);
void clocks_group_end(struct race_launch *l, struct clocks_group *g); // frees it
/**
 * Some objects are images, which a fence may name separately. Call before the first group begins.
 */
void clocks_have_images(struct race_launch *l);
void clocks_barrier(struct race_worker *w, unsigned fences, unsigned scope);
void clocks_sub_group_barrier(struct race_worker *w, const struct race_sub_group *items,
                              unsigned fences, unsigned scope);
void clocks_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f);
void clocks_atomic(struct race_worker *w, const struct race_atomic_op *op);
void clocks_access(struct race_worker *w, const struct race_op *op);
/** See race_fork. */
uint32_t clocks_fork(struct race_worker *w, unsigned object, uint64_t offset);
uint32_t clocks_switch(struct race_worker *w, unsigned object, uint64_t offset, uint32_t to);
void clocks_drop(struct race_worker *w, uint32_t record);
/** One side of an async copy that `begun_by` work-items of the group begin, or that ends. */
void clocks_copy(struct race_worker *w, const struct race_copy_side *s, bool is_write,
                 uint32_t begun_by, bool ends);
/** The group has waited for the copy; both its sides have ended. */
void clocks_copy_ended(struct race_worker *w);
#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_TRANSFORM_H
#define NATIVE_TRANSFORM_H
#include "native/native.h"

/**
 * The passes of passes.def over a kernel before it is cut into regions. f: with uniformity; what it
 * says of the blocks is of no use after a change. What was done, and why not, is said in remarks, a
 * line each.
 */

/** Takes out barriers that no dependence between work-items needs: how many. */
unsigned nat_remove_barriers(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                             struct str *remarks);

/**
 * Looks at the next local array that is not in `seen`, false when there is none; where it only
 * buffers a global array, that is read instead. f is of no use after a change, so it is for the
 * caller to build anew.
 */
bool nat_replace_buffer(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                        struct map *seen, struct str *remarks);

/**
 * Copies what stands behind branches that only some work-items go, around loops, for those groups
 * in which all go: how often. f is built anew after each by `build`.
 */
unsigned nat_split_groups(struct rg_fn *f, struct arena *a,
                          void (*build)(struct rg_fn *, LLVMValueRef fn, struct arena *),
                          struct str *remarks);
/** The call of NAT_ALL that the block's branch depends on, or NULL. */
LLVMValueRef nat_all_of(const struct rg_block *b);
/** Whether all work-items of a group come to the end of a block as often and in the same order. */
bool nat_is_in_step(const struct rg_fn *f, unsigned block);
/**
 * Whether the loop over work-items had better go inside this loop, and can; `anywhere`: could, if
 * all work-items came to it.
 */
bool nat_is_horizontal(const struct rg_fn *f, unsigned loop, bool anywhere);

/**
 * Before the others: variables that go up by the same for all work-items become where they began
 * and how far they came: how many.
 */
unsigned nat_split_steps(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a);
/**
 * Behind the others: indices of 32 bits that grow evenly with the first local id, written so that
 * this is seen: how many.
 */
unsigned nat_straighten_indices(const struct rg_fn *f, const struct nat_shape *shape,
                                struct arena *a);

/**
 * After the passes: divisions go in front of branches that only some work-items go. f: with
 * uniformity.
 */
void nat_raise_divisions(const struct rg_fn *f);

/**
 * Gives the ways back of loops in which work-items wait blocks of their own; whether there are such
 * loops. f is of no use afterwards then.
 */
bool nat_split_latches(const struct rg_fn *f);
/** Whether a block is such a way back: others run before who comes there goes on. */
bool nat_yields(const struct rg_fn *f, unsigned block);

/**
 * Loops that all work-items run in step, but which had better stay inside the loop over work-items:
 * by loop.
 */
const bool *nat_inner_loops(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a);
#endif

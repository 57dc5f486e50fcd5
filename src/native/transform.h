// SPDX-License-Identifier: MIT
#ifndef NATIVE_TRANSFORM_H
#define NATIVE_TRANSFORM_H
#include "native/native.h"

/**
 * The passes of passes.def on a kernel before it is cut into regions. f: with uniformity, which a
 * change invalidates. The remarks report what was done, or why not, one line each.
 */

/** Removes barriers that no dependence between work-items needs; returns their number. */
unsigned nat_remove_barriers(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                             struct str *remarks);

/**
 * Processes the next local array that is not in `seen`; returns false if there is none. If the
 * array is only a copy of a global array, the global array is read instead. Invalidates f: the
 * caller rebuilds it.
 */
bool nat_replace_buffer(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                        struct map *seen, struct str *remarks);

/**
 * Versions the code after divergent branches around loops, for the groups in which all work-items
 * take the same direction; returns the number of versions. `build` rebuilds f after each one.
 */
unsigned nat_split_groups(struct rg_fn *f, struct arena *a,
                          void (*build)(struct rg_fn *, LLVMValueRef fn, struct arena *),
                          struct str *remarks);
/**
 * Lets loops that work-items leave in different iterations run in step, with masks; returns their
 * number. `build` rebuilds f after each one.
 */
unsigned nat_mask_loops(struct rg_fn *f, struct arena *a,
                        void (*build)(struct rg_fn *, LLVMValueRef fn, struct arena *),
                        struct str *remarks);
/** Whether it can do so with this loop where all work-items reach it. */
bool nat_takes_mask(const struct rg_fn *f, unsigned loop);

LLVMValueRef nat_build_all(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef condition);
/** The call of NAT_ALL that the block's branch depends on, or NULL. */
LLVMValueRef nat_all_of(const struct rg_block *b);
/**
 * Whether all work-items of a group reach the end of a block equally often and in the same order.
 */
bool nat_is_in_step(const struct rg_fn *f, unsigned block);
/**
 * Whether interchanging the loop over work-items with this loop is possible and profitable;
 * `anywhere`: assume that all work-items reach it.
 */
bool nat_is_horizontal(const struct rg_fn *f, unsigned loop, bool anywhere);

/**
 * Adds the flags nsw and nuw to integer operations that cannot wrap in the launches of the shape,
 * if it has limits.
 */
void nat_mark_no_wrap(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                      struct str *remarks);
/**
 * Before the other passes: splits variables with a uniform step into initial value and progress;
 * returns their number.
 */
unsigned nat_split_steps(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a);
/**
 * After the other passes: rewrites 32-bit indices that grow linearly with the first local id, so
 * that LLVM sees it; returns their number.
 */
unsigned nat_straighten_indices(const struct rg_fn *f, const struct nat_shape *shape,
                                struct arena *a);

/** After the passes: hoists divisions out of divergent branches. f: with uniformity. */
void nat_raise_divisions(const struct rg_fn *f);

/**
 * Gives each back edge of spin loops a block; returns whether there are such loops, and invalidates
 * f in that case.
 */
bool nat_split_latches(const struct rg_fn *f);
/** Whether a block is such a back edge: a work-item that reaches it yields to others. */
bool nat_yields(const struct rg_fn *f, unsigned block);

/**
 * By loop: whether it should stay inside the loop over work-items although all work-items run it in
 * step.
 */
const bool *nat_inner_loops(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a);
#endif

// SPDX-License-Identifier: MIT
#ifndef LOWER_BUILTIN_H
#define LOWER_BUILTIN_H
#include "builtins/builtins.h"
#include "lower/lw.h"

/**
 * Expansion of builtin calls into bytecode. Rows of the kinds OP, MATH and MATHP need only the
 * table; an EXPAND or FAMILY row has a handler lw_bi_HANDLER, in builtin_<family>.c, that fills
 * `out`. To add one: its row in builtins.def names the handler, and the function of that name is
 * written.
 */
struct lw_bi {
    struct lw_fn *f;
    LLVMValueRef inst;
    const struct bi_call *c;
    unsigned nargs;
    unsigned n;     // components of the result, 0 for void
    unsigned size;  // bytes of a component of the result
    lw_reg out[16]; // set by the handler: components of the result
};

/** Component i of argument k; the value of a scalar argument for any i. */
lw_reg lw_bi_arg(struct lw_bi *b, unsigned k, unsigned i);
/** Is argument k a constant? *bits: its value. */
bool lw_bi_const(struct lw_bi *b, unsigned k, uint64_t *bits);

// Shorthands for handlers.
static inline lw_reg lw_1(struct lw_bi *b, enum bc_op op, lw_reg x)
{
    return lw_op(b->f, op, x, BC_NONE, BC_NONE);
}
static inline lw_reg lw_2(struct lw_bi *b, enum bc_op op, lw_reg x, lw_reg y)
{
    return lw_op(b->f, op, x, y, BC_NONE);
}
static inline lw_reg lw_3(struct lw_bi *b, enum bc_op op, lw_reg x, lw_reg y, lw_reg z)
{
    return lw_op(b->f, op, x, y, z);
}
/** A lane function with one result. */
lw_reg lw_bi_lane(struct lw_bi *b, unsigned fn, const lw_reg *src);

// The handlers.
#define EXPAND(n, a, h) void lw_bi_##h(struct lw_bi *b);
#define FAMILY(n, a, h) void lw_bi_##h(struct lw_bi *b);
#include "builtins/builtins.def"

/** Expands llvm.* intrinsics; false: unknown. */
bool lw_bi_intrinsic(struct lw_bi *b, const char *name);
#endif

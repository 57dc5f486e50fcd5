// SPDX-License-Identifier: MIT
// Shared by the expansions of builtins: arguments of the call, and calls of lane functions.
#include "lower/builtin.h"

lw_reg lw_bi_arg(struct lw_bi *b, unsigned k, unsigned i)
{
    unsigned n;
    const lw_reg *r = lw_value(b->f, LLVMGetOperand(b->inst, k), &n);
    return r[n == 1 ? 0 : i];
}

bool lw_bi_const(struct lw_bi *b, unsigned k, uint64_t *bits)
{
    return lw_is_const(b->f, lw_scalar(b->f, LLVMGetOperand(b->inst, k)), bits);
}

lw_reg lw_bi_lane(struct lw_bi *b, unsigned fn, const lw_reg *src)
{
    lw_reg d[BI_MAX_LANE_DST];
    lw_lane(b->f, fn, src, d);
    return d[0];
}

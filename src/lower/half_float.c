// SPDX-License-Identifier: MIT
// half: a register of 16 bits that holds a number's bits. Arithmetic goes through float and back.
//
// For +, -, *, / and sqrt that gives the correctly rounded result: float has 24 bits, and rounding
// twice is harmless where the wider format has at least 2 * 11 + 2. A fused multiply-add needs
// more, and takes double: product and sum of halves that could end between two halves are exact
// there.
#include "lower/lw.h"

#include "builtins/builtins.h"

bool lw_is_half(struct lw_leaf l) { return l.is_float && l.size == 2; }

static lw_reg convert(struct lw_fn *f, enum bi_fn fn, lw_reg x)
{
    lw_reg d;
    lw_lane(f, fn, &x, &d);
    return d;
}

lw_reg lw_half_to_float(struct lw_fn *f, lw_reg h) { return convert(f, BI_FN_half_F32, h); }
lw_reg lw_float_to_half(struct lw_fn *f, lw_reg x) { return convert(f, BI_FN_half_of_F32_rte, x); }
lw_reg lw_double_to_half(struct lw_fn *f, lw_reg x) { return convert(f, BI_FN_half_of_F64_rte, x); }

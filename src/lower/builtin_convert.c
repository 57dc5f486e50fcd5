// SPDX-License-Identifier: MIT
// convert_<type><n>[_sat][_<mode>]. To integers from floating point: round as the mode says, then
// convert; the opcode saturates, which is also an answer to what without _sat is out of range (and
// a finding). Modes towards floating point are lane functions where the conversion is not exact
// anyway.
#include "lower/builtin.h"

static unsigned lg(unsigned bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

// ops.def has these families in the order of the integer's size, for F32 and then for F64.
static enum bc_op family(enum bc_op first, unsigned int_size, unsigned flt_size)
{
    return first + lg(int_size) + (flt_size == 8 ? 4 : 0);
}

static lw_reg float_to_int(struct lw_bi *b, lw_reg x, unsigned from, unsigned to, bool sgn)
{
    switch (b->c->round) {
    case BI_RTE: x = lw_1(b, LW_FLT(RINT, from), x); break;
    case BI_RTP: x = lw_1(b, LW_FLT(CEIL, from), x); break;
    case BI_RTN: x = lw_1(b, LW_FLT(FLOOR, from), x); break;
    default: break;
    }
    const enum bc_op op = family(sgn ? BC_F2S_I8_F32 : BC_F2U_I8_F32, to, from);
    const lw_reg d = lw_temp(b->f, to, lw_is_varying(x));
    lw_emit(b->f, (struct bc_insn){.op = (uint16_t)op,
                                   .flags = b->c->sat ? BC_SATURATES : 0,
                                   .dst = d,
                                   .a = x,
                                   .b = BC_NONE,
                                   .c = BC_NONE});
    return d;
}

// Lane functions stand in the order rtz, rtp, rtn.
static lw_reg rounded(struct lw_bi *b, enum bi_fn rtz, lw_reg x)
{
    return lw_bi_lane(b, rtz + b->c->round - BI_RTZ, &x);
}

static lw_reg int_to_float(struct lw_bi *b, lw_reg x, unsigned from, unsigned to, bool sgn)
{
    const bool exact = to == 4 ? from < 4 : from < 8;
    if (exact || b->c->round == BI_ROUND_NONE || b->c->round == BI_RTE)
        return lw_1(b, family(sgn ? BC_S2F_F32_I8 : BC_U2F_F32_I8, from, to), x);
    return rounded(b,
                   to == 8     ? (sgn ? BI_FN_s2f_F64_I64_rtz : BI_FN_u2f_F64_I64_rtz)
                   : from == 8 ? (sgn ? BI_FN_s2f_F32_I64_rtz : BI_FN_u2f_F32_I64_rtz)
                               : (sgn ? BI_FN_s2f_F32_I32_rtz : BI_FN_u2f_F32_I32_rtz),
                   x);
}

static lw_reg float_to_float(struct lw_bi *b, lw_reg x, unsigned from, unsigned to)
{
    if (from == to) return x;
    if (to == 2) {
        const unsigned mode = b->c->round == BI_ROUND_NONE ? 0 : b->c->round - BI_RTE;
        return lw_bi_lane(b, (from == 8 ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte) + mode,
                          &x);
    }
    if (to == 8) return lw_1(b, BC_FEXT_F64_F32, x);
    if (b->c->round == BI_ROUND_NONE || b->c->round == BI_RTE) return lw_1(b, BC_FTRUNC_F32_F64, x);
    return rounded(b, BI_FN_ftrunc_F32_F64_rtz, x);
}

// x clamped, in its own type, to what the result's type holds.
static lw_reg saturated(struct lw_bi *b, lw_reg x, unsigned from, bool from_sgn, unsigned to,
                        bool to_sgn)
{
    const unsigned value_bits = to * 8 - to_sgn; // of the result, without sign
    const uint64_t max = value_bits == 64 ? UINT64_MAX : (1ull << value_bits) - 1;
    const bool cuts_top = value_bits < from * 8 - from_sgn;
    if (from_sgn && cuts_top) x = lw_2(b, LW_INT(SMIN, from), x, lw_const(b->f, max));
    if (!from_sgn && cuts_top) x = lw_2(b, LW_INT(UMIN, from), x, lw_const(b->f, max));
    if (from_sgn && !to_sgn) x = lw_2(b, LW_INT(SMAX, from), x, lw_const(b->f, 0));
    if (from_sgn && to_sgn && cuts_top) {
        const uint64_t all = from == 8 ? UINT64_MAX : (1ull << from * 8) - 1;
        x = lw_2(b, LW_INT(SMAX, from), x, lw_const(b->f, ~max & all));
    }
    return x;
}

void lw_bi_convert(struct lw_bi *b)
{
    const struct bi_type *from = &b->c->arg[0], *to = &b->c->to;
    const unsigned fs = bi_scalar_size(from->scalar), ts = bi_scalar_size(to->scalar);
    const bool ff = bi_is_float(from->scalar), tf = bi_is_float(to->scalar);
    const bool fsgn = bi_is_signed(from->scalar), tsgn = bi_is_signed(to->scalar);
    if (from->width != to->width || b->n != to->width || b->size != ts) {
        lw_error(b->f, b->inst, "a conversion to another type than its name says");
        return;
    }
    const bool widen = from->scalar == BI_HALF && to->scalar != BI_HALF;
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg x = lw_bi_arg(b, 0, i);
        if (widen) x = lw_half_to_float(b->f, x);
        if (ff && tf) {
            x = float_to_float(b, x, widen ? 4 : fs, ts);
        } else if (ff) {
            x = float_to_int(b, x, widen ? 4 : fs, ts, tsgn);
        } else if (tf && ts == 2) { // twice in the same direction; to nearest, what float rounds is
                                    // infinite in half
            x = float_to_float(b, int_to_float(b, x, fs, 4, fsgn), 4, 2);
        } else if (tf) {
            x = int_to_float(b, x, fs, ts, fsgn);
        } else {
            if (b->c->sat) x = saturated(b, x, fs, fsgn, ts, tsgn);
            x = fsgn ? lw_sext(b->f, x, fs, ts) : lw_zext(b->f, x, fs, ts);
        }
        b->out[i] = x;
    }
}

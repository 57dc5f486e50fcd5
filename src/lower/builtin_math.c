// SPDX-License-Identifier: MIT
// Mathematics and common functions that are a few opcodes, and integer ones.
#include "lower/builtin.h"

#include <math.h>
#include <string.h>

#define FOR_OUT(i) for (unsigned i = 0; i < b->n; i++)

// In two roundings, for float and double: mad may be of any precision. mad24 likewise of integers.
void lw_bi_mad(struct lw_bi *b)
{
    const bool flt = bi_is_float(b->c->gen.scalar);
    FOR_OUT(i)
    {
        lw_reg p = lw_2(b, flt ? LW_FLT(FMUL, b->size) : LW_INT(MUL, b->size), lw_bi_arg(b, 0, i),
                        lw_bi_arg(b, 1, i));
        b->out[i] =
            lw_2(b, flt ? LW_FLT(FADD, b->size) : LW_INT(ADD, b->size), p, lw_bi_arg(b, 2, i));
    }
}

void lw_bi_recip(struct lw_bi *b)
{
    FOR_OUT(i)
    b->out[i] = lw_2(b, LW_FLT(FDIV, b->size), lw_flt(b, b->size, 1), lw_bi_arg(b, 0, i));
}

void lw_bi_nan(struct lw_bi *b)
{
    lw_reg quiet = lw_const(b->f, b->size == 2   ? 0x7e00
                                  : b->size == 4 ? 0x7fc00000
                                                 : 0x7ff8000000000000);
    lw_reg payload = lw_const(b->f, b->size == 2   ? 0x1ff
                                    : b->size == 4 ? 0x3fffff
                                                   : 0x7ffffffffffff);
    FOR_OUT(i)
    {
        lw_reg x = lw_2(b, LW_INT(AND, b->size), lw_bi_arg(b, 0, i), payload);
        b->out[i] = lw_2(b, LW_INT(OR, b->size), x, quiet);
    }
}

static void scale(struct lw_bi *b, double k)
{
    FOR_OUT(i)
    b->out[i] = lw_2(b, LW_FLT(FMUL, b->size), lw_bi_arg(b, 0, i), lw_flt(b, b->size, k));
}

void lw_bi_degrees(struct lw_bi *b) { scale(b, 180 / M_PI); }
void lw_bi_radians(struct lw_bi *b) { scale(b, M_PI / 180); }

void lw_bi_clamp(struct lw_bi *b)
{
    const enum bi_scalar s = b->c->gen.scalar;
    const bool flt = bi_is_float(s), sgn = bi_is_signed(s);
    const enum bc_op max = flt   ? LW_FLT(FMAX, b->size)
                           : sgn ? LW_INT(SMAX, b->size)
                                 : LW_INT(UMAX, b->size);
    const enum bc_op min = flt   ? LW_FLT(FMIN, b->size)
                           : sgn ? LW_INT(SMIN, b->size)
                                 : LW_INT(UMIN, b->size);
    FOR_OUT(i)
    b->out[i] =
        lw_2(b, min, lw_2(b, max, lw_bi_arg(b, 0, i), lw_bi_arg(b, 1, i)), lw_bi_arg(b, 2, i));
}

void lw_bi_mix(struct lw_bi *b)
{
    FOR_OUT(i)
    {
        lw_reg x = lw_bi_arg(b, 0, i), d = lw_2(b, LW_FLT(FSUB, b->size), lw_bi_arg(b, 1, i), x);
        b->out[i] = lw_2(b, LW_FLT(FADD, b->size), x,
                         lw_2(b, LW_FLT(FMUL, b->size), d, lw_bi_arg(b, 2, i)));
    }
}

// 1, -1, the zero itself, and 0 for NaN.
void lw_bi_sign(struct lw_bi *b)
{
    const enum bc_op lt = LW_FLT(FOLT, b->size), sel = LW_INT(SEL, b->size);
    lw_reg zero = lw_const(b->f, 0);
    FOR_OUT(i)
    {
        lw_reg x = lw_bi_arg(b, 0, i);
        lw_reg r = lw_3(b, sel, lw_2(b, LW_FLT(FUNO, b->size), x, x), zero, x);
        r = lw_3(b, sel, lw_2(b, lt, x, zero), lw_flt(b, b->size, -1), r);
        b->out[i] = lw_3(b, sel, lw_2(b, lt, zero, x), lw_flt(b, b->size, 1), r);
    }
}

void lw_bi_step(struct lw_bi *b)
{
    FOR_OUT(i)
    {
        lw_reg less = lw_2(b, LW_FLT(FOLT, b->size), lw_bi_arg(b, 1, i), lw_bi_arg(b, 0, i));
        b->out[i] = lw_3(b, LW_INT(SEL, b->size), less, lw_const(b->f, 0), lw_flt(b, b->size, 1));
    }
}

// t = clamp((x - e0) / (e1 - e0), 0, 1); t * t * (3 - 2 * t)
void lw_bi_smoothstep(struct lw_bi *b)
{
    const unsigned s = b->size;
    const enum bc_op sub = LW_FLT(FSUB, s), mul = LW_FLT(FMUL, s);
    FOR_OUT(i)
    {
        lw_reg e0 = lw_bi_arg(b, 0, i);
        lw_reg t = lw_2(b, LW_FLT(FDIV, s), lw_2(b, sub, lw_bi_arg(b, 2, i), e0),
                        lw_2(b, sub, lw_bi_arg(b, 1, i), e0));
        t = lw_2(b, LW_FLT(FMIN, s), lw_2(b, LW_FLT(FMAX, s), t, lw_const(b->f, 0)),
                 lw_flt(b, s, 1));
        lw_reg k = lw_2(b, sub, lw_flt(b, s, 3), lw_2(b, mul, lw_flt(b, s, 2), t));
        b->out[i] = lw_2(b, mul, lw_2(b, mul, t, t), k);
    }
}

// ---- integers

void lw_bi_mad_hi(struct lw_bi *b)
{
    const enum bc_op hi = bi_is_signed(b->c->gen.scalar) ? LW_INT(SMULHI, b->size)
                                                         : LW_INT(UMULHI, b->size);
    FOR_OUT(i)
    b->out[i] = lw_2(b, LW_INT(ADD, b->size), lw_2(b, hi, lw_bi_arg(b, 0, i), lw_bi_arg(b, 1, i)),
                     lw_bi_arg(b, 2, i));
}

// Up to 32 bits in 64, where a * b + c cannot overflow.
static lw_reg mad_sat_narrow(struct lw_bi *b, bool sgn, lw_reg x, lw_reg y, lw_reg z)
{
    const unsigned bits = b->size * 8;
    struct lw_fn *f = b->f;
    if (sgn)
        x = lw_sext(f, x, b->size, 8), y = lw_sext(f, y, b->size, 8), z = lw_sext(f, z, b->size, 8);
    else
        x = lw_zext(f, x, b->size, 8), y = lw_zext(f, y, b->size, 8), z = lw_zext(f, z, b->size, 8);
    lw_reg r = lw_2(b, BC_ADD_I64, lw_2(b, BC_MUL_I64, x, y), z);
    if (sgn) {
        r = lw_2(b, BC_SMIN_I64, r, lw_const(f, (1ull << (bits - 1)) - 1));
        r = lw_2(b, BC_SMAX_I64, r, lw_const(f, ~0ull << (bits - 1)));
    } else {
        r = lw_2(b, BC_UMIN_I64, r, lw_const(f, (1ull << bits) - 1));
    }
    return lw_zext(f, r, 8, b->size);
}

// 64 bits: the sum's high half, hi + sign of c + carry, must be the extension of its low half.
static lw_reg mad_sat_wide(struct lw_bi *b, bool sgn, lw_reg x, lw_reg y, lw_reg z)
{
    struct lw_fn *f = b->f;
    lw_reg lo = lw_2(b, BC_MUL_I64, x, y), hi = lw_2(b, sgn ? BC_SMULHI_I64 : BC_UMULHI_I64, x, y);
    lw_reg sum = lw_2(b, BC_ADD_I64, lo, z);
    lw_reg carry = lw_zext(f, lw_2(b, BC_ULT_I64, sum, lo), 1, 8);
    hi = lw_2(b, BC_ADD_I64, hi, carry);
    if (!sgn)
        return lw_3(b, BC_SEL_I64, lw_2(b, BC_NE_I64, hi, lw_const(f, 0)), lw_const(f, UINT64_MAX),
                    sum);
    lw_reg sixty_three = lw_const(f, 63);
    hi = lw_2(b, BC_ADD_I64, hi, lw_2(b, BC_ASHR_I64, z, sixty_three));
    lw_reg fits = lw_2(b, BC_EQ_I64, hi, lw_2(b, BC_ASHR_I64, sum, sixty_three));
    lw_reg limit =
        lw_2(b, BC_XOR_I64, lw_2(b, BC_ASHR_I64, hi, sixty_three), lw_const(f, INT64_MAX));
    return lw_3(b, BC_SEL_I64, fits, sum, limit);
}

void lw_bi_mad_sat(struct lw_bi *b)
{
    const bool sgn = bi_is_signed(b->c->gen.scalar);
    FOR_OUT(i)
    {
        lw_reg x = lw_bi_arg(b, 0, i), y = lw_bi_arg(b, 1, i), z = lw_bi_arg(b, 2, i);
        b->out[i] = b->size == 8 ? mad_sat_wide(b, sgn, x, y, z) : mad_sat_narrow(b, sgn, x, y, z);
    }
}

// A field of no bits is none; one that leaves the number is any.
void lw_bi_bitfield(struct lw_bi *b)
{
    const bool inserts = b->c->id == BI_bitfield_insert;
    const unsigned bits = b->size * 8;
    const enum bc_op shl = LW_INT(SHL, b->size), sub = LW_INT(SUB, b->size),
                     sel = LW_INT(SEL, b->size);
    const lw_reg whole = lw_const(b->f, bits), zero = lw_const(b->f, 0);
    const lw_reg offset = lw_zext(b->f, lw_bi_arg(b, inserts ? 2 : 1, 0), 4, b->size),
                 count = lw_zext(b->f, lw_bi_arg(b, inserts ? 3 : 2, 0), 4, b->size);
    const lw_reg none = lw_2(b, LW_INT(EQ, b->size), count, zero),
                 rest = lw_2(b, sub, whole, count);
    FOR_OUT(i)
    {
        lw_reg x = lw_bi_arg(b, 0, i);
        if (inserts) {
            lw_reg field =
                lw_2(b, shl, lw_2(b, LW_INT(LSHR, b->size), lw_const(b->f, ~0ull), rest), offset);
            field = lw_3(b, sel, none, zero, field);
            x = lw_2(b, LW_INT(AND, b->size), x, lw_1(b, LW_INT(NOT, b->size), field));
            lw_reg y =
                lw_2(b, LW_INT(AND, b->size), lw_2(b, shl, lw_bi_arg(b, 1, i), offset), field);
            b->out[i] = lw_2(b, LW_INT(OR, b->size), x, y);
        } else {
            x = lw_2(b, shl, x, lw_2(b, sub, rest, offset));
            x = lw_2(b,
                     b->c->id == BI_bitfield_extract_signed ? LW_INT(ASHR, b->size)
                                                            : LW_INT(LSHR, b->size),
                     x, rest);
            b->out[i] = lw_3(b, sel, none, zero, x);
        }
    }
}

// Four products of 8-bit integers, in vectors or packed in an uint ("uu" and so on: their signs),
// and what they are added to.
void lw_bi_dot_bytes(struct lw_bi *b)
{
    const char *packed = strstr(b->c->row->name, "packed_");
    bool sgn[2];
    for (unsigned k = 0; k < 2; k++)
        sgn[k] = packed ? packed[strlen("packed_") + k] == 's' : bi_is_signed(b->c->arg[k].scalar);
    lw_reg sum = BC_NONE;
    for (unsigned i = 0; i < 4; i++) {
        lw_reg x[2];
        for (unsigned k = 0; k < 2; k++) {
            x[k] = lw_bi_arg(b, k, packed ? 0 : i);
            if (packed)
                x[k] = lw_zext(b->f, lw_2(b, BC_LSHR_I32, x[k], lw_const(b->f, 8 * i)), 4, 1);
            x[k] = sgn[k] ? lw_sext(b->f, x[k], 1, 4) : lw_zext(b->f, x[k], 1, 4);
        }
        const lw_reg product = lw_2(b, BC_MUL_I32, x[0], x[1]);
        sum = i ? lw_2(b, BC_ADD_I32, sum, product) : product;
    }
    if (b->nargs == 3)
        sum = lw_2(b, sgn[0] || sgn[1] ? BC_SADDSAT_I32 : BC_UADDSAT_I32, sum, lw_bi_arg(b, 2, 0));
    b->out[0] = sum;
}

void lw_bi_upsample(struct lw_bi *b)
{
    const unsigned half = b->size / 2;
    FOR_OUT(i)
    {
        lw_reg hi = lw_zext(b->f, lw_bi_arg(b, 0, i), half, b->size),
               lo = lw_zext(b->f, lw_bi_arg(b, 1, i), half, b->size);
        b->out[i] = lw_2(b, LW_INT(OR, b->size),
                         lw_2(b, LW_INT(SHL, b->size), hi, lw_const(b->f, half * 8)), lo);
    }
}

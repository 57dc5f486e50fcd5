// SPDX-License-Identifier: MIT
// Relational functions: a truth is 1 for scalars, all bits (-1) for the components of vectors.
#include "lower/builtin.h"

#include <float.h>
#include <math.h>

static lw_reg truth(struct lw_bi *b, lw_reg is)
{
    lw_reg r = lw_zext(b->f, is, 1, b->size);
    return b->n == 1 ? r : lw_1(b, LW_INT(NEG, b->size), r);
}

void lw_bi_relation(struct lw_bi *b)
{
    const unsigned s = bi_scalar_size(b->c->gen.scalar);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg x = lw_bi_arg(b, 0, i), y = lw_bi_arg(b, 1, i), r = BC_NONE;
        switch (b->c->id) {
        case BI_isequal: r = lw_2(b, LW_FLT(FOEQ, s), x, y); break;
        case BI_isnotequal: r = lw_2(b, LW_FLT(FUNE, s), x, y); break;
        case BI_isgreater: r = lw_2(b, LW_FLT(FOLT, s), y, x); break;
        case BI_isgreaterequal: r = lw_2(b, LW_FLT(FOLE, s), y, x); break;
        case BI_isless: r = lw_2(b, LW_FLT(FOLT, s), x, y); break;
        case BI_islessequal: r = lw_2(b, LW_FLT(FOLE, s), x, y); break;
        case BI_islessgreater:
            r = lw_2(b, BC_OR_I8, lw_2(b, LW_FLT(FOLT, s), x, y), lw_2(b, LW_FLT(FOLT, s), y, x));
            break;
        case BI_isordered: r = lw_2(b, LW_FLT(FORD, s), x, y); break;
        default: r = lw_2(b, LW_FLT(FUNO, s), x, y); break;
        }
        b->out[i] = truth(b, r);
    }
}

void lw_bi_classify(struct lw_bi *b)
{
    const unsigned s = bi_scalar_size(b->c->gen.scalar);
    lw_reg inf = lw_flt(b, s, INFINITY), least = lw_flt(b, s,
                                                        b->half  ? 0x1p-14
                                                        : s == 4 ? FLT_MIN
                                                                 : DBL_MIN);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg x = lw_bi_arg(b, 0, i), r = BC_NONE;
        lw_reg mag = b->c->id == BI_isnan || b->c->id == BI_signbit ? BC_NONE
                                                                    : lw_1(b, LW_FLT(FABS, s), x);
        switch (b->c->id) {
        case BI_isnan: r = lw_2(b, LW_FLT(FUNO, s), x, x); break;
        case BI_isinf: r = lw_2(b, LW_FLT(FOEQ, s), mag, inf); break;
        case BI_isfinite: r = lw_2(b, LW_FLT(FOLT, s), mag, inf); break;
        case BI_isnormal:
            r = lw_2(b, BC_AND_I8, lw_2(b, LW_FLT(FOLE, s), least, mag),
                     lw_2(b, LW_FLT(FOLT, s), mag, inf));
            break;
        default: r = lw_2(b, LW_INT(SLT, s), x, lw_const(b->f, 0)); break; // signbit
        }
        b->out[i] = truth(b, r);
    }
}

// The most significant bits of all components.
void lw_bi_all_any(struct lw_bi *b)
{
    const unsigned s = bi_scalar_size(b->c->gen.scalar);
    lw_reg r = lw_bi_arg(b, 0, 0);
    for (unsigned i = 1; i < b->c->gen.width; i++)
        r = lw_2(b, b->c->id == BI_all ? LW_INT(AND, s) : LW_INT(OR, s), r, lw_bi_arg(b, 0, i));
    b->out[0] = lw_zext(b->f, lw_2(b, LW_INT(SLT, s), r, lw_const(b->f, 0)), 1, b->size);
}

void lw_bi_bitselect(struct lw_bi *b)
{
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg mask = lw_bi_arg(b, 2, i);
        lw_reg x =
            lw_2(b, LW_INT(AND, b->size), lw_bi_arg(b, 0, i), lw_1(b, LW_INT(NOT, b->size), mask));
        lw_reg y = lw_2(b, LW_INT(AND, b->size), lw_bi_arg(b, 1, i), mask);
        b->out[i] = lw_2(b, LW_INT(OR, b->size), x, y);
    }
}

// A scalar condition is true when it is not 0, a vector's component when its most significant bit
// is set.
void lw_bi_select(struct lw_bi *b)
{
    const unsigned s = bi_scalar_size(b->c->arg[2].scalar);
    lw_reg zero = lw_const(b->f, 0);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg is = lw_2(b, b->c->gen.width == 1 ? LW_INT(NE, s) : LW_INT(SLT, s),
                         lw_bi_arg(b, 2, i), zero);
        b->out[i] = lw_3(b, LW_INT(SEL, b->size), is, lw_bi_arg(b, 1, i), lw_bi_arg(b, 0, i));
    }
}

// SPDX-License-Identifier: MIT
// Geometric functions. Lengths do not overflow or vanish on the way: those of float are computed in
// double, those of double as a chain of hypot. The fast_ ones may.
#include "lower/builtin.h"

#include <math.h>

struct vector {
    unsigned n, size;
    lw_reg x[4];
};

static struct vector arg(struct lw_bi *b, unsigned k)
{
    struct vector v = {.n = b->c->gen.width, .size = bi_scalar_size(b->c->gen.scalar)};
    if (v.n > 4 || (b->c->id == BI_cross && v.n < 3) || b->n > 4) {
        lw_error(b->f, b->inst, "'%s' of vectors of %u components does not exist", b->c->row->name,
                 v.n);
        v.n = 0;
    }
    for (unsigned i = 0; i < v.n; i++) v.x[i] = lw_bi_arg(b, k, i);
    return v;
}

static lw_reg dot(struct lw_bi *b, const struct vector *x, const struct vector *y)
{
    lw_reg r = BC_NONE;
    for (unsigned i = 0; i < x->n; i++) {
        lw_reg p = lw_2(b, LW_FLT(FMUL, x->size), x->x[i], y->x[i]);
        r = i ? lw_2(b, LW_FLT(FADD, x->size), r, p) : p;
    }
    return r;
}

static struct vector to_double(struct lw_bi *b, struct vector v)
{
    for (unsigned i = 0; v.size == 4 && i < v.n; i++) v.x[i] = lw_1(b, BC_FEXT_F64_F32, v.x[i]);
    v.size = 8;
    return v;
}

// The length of a vector of doubles that come from numbers of `size` bytes.
static lw_reg length_of_doubles(struct lw_bi *b, const struct vector *d, unsigned size)
{
    if (d->n == 0) return lw_const(b->f, 0);
    if (d->n == 1) return lw_1(b, BC_FABS_F64, d->x[0]);
    if (size == 4) return lw_1(b, BC_SQRT_F64, dot(b, d, d));
    lw_reg r = d->x[0];
    for (unsigned i = 1; i < d->n; i++) r = lw_bi_lane(b, BI_FN_hypot_F64, (lw_reg[]){r, d->x[i]});
    return r;
}

static lw_reg from_double(struct lw_bi *b, unsigned size, lw_reg r)
{
    return size == 4 ? lw_1(b, BC_FTRUNC_F32_F64, r) : r;
}

static lw_reg length(struct lw_bi *b, const struct vector *v, bool fast)
{
    if (v->n == 0) return lw_const(b->f, 0);
    if (v->n == 1) return lw_1(b, LW_FLT(FABS, v->size), v->x[0]);
    if (fast) return lw_1(b, LW_FLT(SQRT, v->size), dot(b, v, v));
    struct vector d = to_double(b, *v);
    return from_double(b, v->size, length_of_doubles(b, &d, v->size));
}

void lw_bi_dot(struct lw_bi *b)
{
    if (!bi_is_float(b->c->gen.scalar)) {
        lw_bi_dot_bytes(b);
        return;
    }
    struct vector x = arg(b, 0), y = arg(b, 1);
    if (x.n) b->out[0] = dot(b, &x, &y);
}

void lw_bi_length(struct lw_bi *b)
{
    struct vector v = arg(b, 0);
    b->out[0] = length(b, &v, b->c->id == BI_fast_length);
}

void lw_bi_distance(struct lw_bi *b)
{
    struct vector x = arg(b, 0), y = arg(b, 1);
    for (unsigned i = 0; i < x.n; i++) x.x[i] = lw_2(b, LW_FLT(FSUB, x.size), x.x[i], y.x[i]);
    b->out[0] = length(b, &x, b->c->id == BI_fast_distance);
}

void lw_bi_cross(struct lw_bi *b)
{
    struct vector x = arg(b, 0), y = arg(b, 1);
    for (unsigned i = 0; i < 3 && x.n; i++) {
        unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        lw_reg p = lw_2(b, LW_FLT(FMUL, x.size), x.x[j], y.x[k]),
               q = lw_2(b, LW_FLT(FMUL, x.size), x.x[k], y.x[j]);
        b->out[i] = lw_2(b, LW_FLT(FSUB, x.size), p, q);
    }
    // a fourth component is 0, as b->out starts
}

// A vector with an infinite component is taken for one with ±1 there and ±0 elsewhere (7.5.1).
static struct vector without_infinity(struct lw_bi *b, struct vector v, lw_reg len)
{
    const unsigned s = v.size;
    lw_reg inf = lw_flt(b, s, INFINITY), is = lw_2(b, LW_FLT(FOEQ, s), len, inf),
           zero = lw_const(b->f, 0);
    for (unsigned i = 0; i < v.n; i++) {
        lw_reg here = lw_2(b, LW_FLT(FOEQ, s), lw_1(b, LW_FLT(FABS, s), v.x[i]), inf);
        lw_reg one = lw_2(b, LW_FLT(COPYSIGN, s), lw_flt(b, s, 1), v.x[i]);
        one = lw_3(b, LW_INT(SEL, s), here, one, lw_2(b, LW_FLT(FMUL, s), v.x[i], zero));
        v.x[i] = lw_3(b, LW_INT(SEL, s), is, one, v.x[i]);
    }
    return v;
}

// v / len in numbers of `size` bytes; a zero vector stays what it is.
static void divide(struct lw_bi *b, struct vector v, lw_reg len, unsigned size)
{
    const unsigned s = v.size;
    lw_reg is_zero = lw_2(b, LW_FLT(FOEQ, s), len, lw_const(b->f, 0));
    len = lw_3(b, LW_INT(SEL, s), is_zero, lw_flt(b, s, 1), len);
    for (unsigned i = 0; i < v.n; i++) {
        lw_reg q = lw_2(b, LW_FLT(FDIV, s), v.x[i], len);
        b->out[i] = s == size ? q : from_double(b, size, q);
    }
}

void lw_bi_normalize(struct lw_bi *b)
{
    struct vector v = arg(b, 0);
    const unsigned size = v.size;
    if (b->c->id == BI_fast_normalize) {
        divide(b, v, length(b, &v, true), size);
        return;
    }
    v = to_double(b, v);
    if (size == 8) { // a length that only overflows: a quarter of the vector has the same direction
        lw_reg over = lw_2(b, BC_FOEQ_F64, length_of_doubles(b, &v, size), lw_flt(b, 8, INFINITY));
        lw_reg by = lw_3(b, BC_SEL_I64, over, lw_flt(b, 8, 0.25), lw_flt(b, 8, 1));
        for (unsigned i = 0; i < v.n; i++) v.x[i] = lw_2(b, BC_FMUL_F64, v.x[i], by);
    }
    v = without_infinity(b, v, length_of_doubles(b, &v, size));
    divide(b, v, length_of_doubles(b, &v, size), size);
}

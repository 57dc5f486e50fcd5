// SPDX-License-Identifier: MIT
// Functions made from SLEEF's and a step or two around them, in blocks of lanes. The remarks give
// the error in ULP against what the OpenCL C specification (7.4) allows.
#include "builtins/lane.h"

#include <math.h>
#include <string.h>

// acospi, asinpi, atanpi, atan2pi: the angle, 1 ULP, times 1 / pi; at most 2.5 where a binade is
// crossed (5 or 6 allowed).
#define OF_PI1(name, base)                                                                         \
    void bi_##name##_F32(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        float *d = dst[0];                                                                         \
        bi_##base##_F32(dst, src, n);                                                              \
        for (unsigned i = 0; i < n; i++) d[i] = (float)(d[i] * M_1_PI);                            \
    }                                                                                              \
    void bi_##name##_F64(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        double *d = dst[0];                                                                        \
        bi_##base##_F64(dst, src, n);                                                              \
        for (unsigned i = 0; i < n; i++) d[i] *= M_1_PI;                                           \
    }
OF_PI1(acospi, acos)
OF_PI1(asinpi, asin)
OF_PI1(atanpi, atan)
OF_PI1(atan2pi, atan2)

// sinpi, cospi, tanpi: x is taken apart exactly as q / 2 + t, |t| <= 1/4; then sine and cosine of
// pi t, where neither is near a zero of its own but at t = 0, change sides by the quadrant q. Below
// 2 ULP. The zeroes are those that the specification lists.
struct pi_block {
    double t[BI_BLOCK], s[BI_BLOCK], c[BI_BLOCK];
    unsigned char quadrant[BI_BLOCK];
};

static void pi_sincos(struct pi_block *b, unsigned m)
{
    for (unsigned i = 0; i < m; i++) {
        const double x = b->t[i];
        const double r = x - 2 * rint(x * 0.5); // exact, in [-1, 1]
        const double q = rint(r * 2);
        b->quadrant[i] = (unsigned char)((int)(isfinite(x) ? q : 0) & 3);
        b->t[i] = M_PI * (r - q * 0.5);
    }
    CALL1(bi_sin_F64, b->s, b->t, m);
    CALL1(bi_cos_F64, b->c, b->t, m);
    for (unsigned i = 0; i < m; i++) {
        const double s = b->s[i], c = b->c[i];
        switch (b->quadrant[i]) {
        case 0: break;
        case 1: b->s[i] = c, b->c[i] = -s; break;
        case 2: b->s[i] = -s, b->c[i] = -c; break;
        default: b->s[i] = -c, b->c[i] = s; break;
        }
    }
}

static double sinpi_of(double x, double s, double c) { return s == 0 ? copysign(0, x) : s; }
static double cospi_of(double x, double s, double c) { return c == 0 ? 0 : c; }
static double tanpi_of(double x, double s, double c)
{
    if (s == 0) return copysign(0, c < 0 ? -x : x);
    return c == 0 ? copysign(INFINITY, s) : s / c;
}

#define PI_FN(name, S, T)                                                                          \
    void bi_##name##_##S(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const T *a = src[0];                                                                       \
        struct pi_block b;                                                                         \
        FOR_BLOCKS(at, n, m) {                                                                     \
            for (unsigned i = 0; i < m; i++) b.t[i] = a[at + i];                                   \
            pi_sincos(&b, m);                                                                      \
            for (unsigned i = 0; i < m; i++) d[at + i] = (T)name##_of(a[at + i], b.s[i], b.c[i]);  \
        }                                                                                          \
    }
PI_FN(sinpi, F32, float)
PI_FN(sinpi, F64, double)
PI_FN(cospi, F32, float)
PI_FN(cospi, F64, double)
PI_FN(tanpi, F32, float)
PI_FN(tanpi, F64, double)

#define SINCOS(S, T)                                                                               \
    void bi_sincos_##S(void *const *dst, const void *const *src, unsigned n)                       \
    {                                                                                              \
        const T *a = src[0];                                                                       \
        T x[BI_BLOCK];                                                                             \
        FOR_BLOCKS(at, n, m) {                                                                     \
            memcpy(x, a + at, m * sizeof(T));                                                      \
            CALL1(bi_sin_##S, (T *)dst[0] + at, x, m);                                             \
            CALL1(bi_cos_##S, (T *)dst[1] + at, x, m);                                             \
        }                                                                                          \
    }
SINCOS(F32, float)
SINCOS(F64, double)

#define LGAMMA_R(S, T)                                                                             \
    void bi_lgamma_r_##S(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        const T *a = src[0];                                                                       \
        int32_t *sign = dst[1];                                                                    \
        T x[BI_BLOCK];                                                                             \
        FOR_BLOCKS(at, n, m) {                                                                     \
            memcpy(x, a + at, m * sizeof(T));                                                      \
            CALL1(bi_lgamma_##S, (T *)dst[0] + at, x, m);                                          \
            for (unsigned i = 0; i < m; i++) {                                                     \
                const double v = x[i], f = floor(v);                                               \
                sign[at + i] = (v == 0 && signbit(v)) || (v < 0 && v != f && fmod(f, 2) != 0) ? -1 \
                                                                                              : 1; \
            }                                                                                      \
        }                                                                                          \
    }
LGAMMA_R(F32, float)
LGAMMA_R(F64, double)

// powr: pow for x >= 0, and its own idea of the special cases (7.5.1).
static bool powr_is_nan(double x, double y)
{
    return x < 0 || x != x || y != y || (x == 0 && y == 0) || (isinf(x) && y == 0) ||
           (x == 1 && isinf(y));
}

#define POWR(S, T)                                                                                 \
    void bi_powr_##S(void *const *dst, const void *const *src, unsigned n)                         \
    {                                                                                              \
        const T *a = src[0], *b = src[1];                                                          \
        T *d = dst[0], x[BI_BLOCK], y[BI_BLOCK];                                                   \
        FOR_BLOCKS(at, n, m) {                                                                     \
            for (unsigned i = 0; i < m; i++) x[i] = a[at + i] == 0 ? 0 : a[at + i];                \
            memcpy(y, b + at, m * sizeof(T));                                                      \
            CALL2(bi_pow_##S, d + at, x, y, m);                                                    \
            for (unsigned i = 0; i < m; i++)                                                       \
                if (powr_is_nan(x[i], y[i])) d[at + i] = (T)NAN;                                   \
        }                                                                                          \
    }
POWR(F32, float)
POWR(F64, double)

// pown: pow of doubles, which hold every int. 1 ULP (16 allowed).
#define POWN(S, T)                                                                                 \
    void bi_pown_##S(void *const *dst, const void *const *src, unsigned n)                         \
    {                                                                                              \
        const T *a = src[0];                                                                       \
        const int32_t *b = src[1];                                                                 \
        T *d = dst[0];                                                                             \
        double x[BI_BLOCK], y[BI_BLOCK];                                                           \
        FOR_BLOCKS(at, n, m) {                                                                     \
            for (unsigned i = 0; i < m; i++) x[i] = a[at + i], y[i] = b[at + i];                   \
            CALL2(bi_pow_F64, x, x, y, m);                                                         \
            for (unsigned i = 0; i < m; i++) d[at + i] = (T)x[i];                                  \
        }                                                                                          \
    }
POWN(F32, float)
POWN(F64, double)

// rootn: |x| = v * 2^(k n) with v's exponent within n of 0; pow(v, 1/n), whose error grows with
// |ln v| / n, and one Newton step y -= y / n * (y^n / v - 1), after which 2 ULP are left (16
//                                                         allowed).
// For large |n| the first guess is as good.
struct root_block {
    double v[BI_BLOCK], y[BI_BLOCK], inverse[BI_BLOCK], n[BI_BLOCK], again[BI_BLOCK];
    int k[BI_BLOCK];
};

static double root_special(double x, int n, double y)
{
    const bool odd = n & 1;
    if (n == 0 || x != x || (x < 0 && !odd)) return NAN;
    if (x == 0 || isinf(x)) {
        y = (n > 0) == (x == 0) ? 0 : INFINITY;
        return odd ? copysign(y, x) : y;
    }
    return x < 0 ? -y : y;
}

static void roots(struct root_block *b, double *x, const int32_t *n, unsigned m)
{
    for (unsigned i = 0; i < m; i++) {
        int e = 0;
        b->v[i] = fabs(x[i]);
        b->n[i] = n[i];
        b->inverse[i] = 1 / b->n[i];
        if (b->v[i] > 0 && b->v[i] <= 0x1.fffffffffffffp1023) frexp(b->v[i], &e);
        b->k[i] = n[i] && n[i] > -1200 && n[i] < 1200 ? e / n[i] : 0;
        b->v[i] = ldexp(b->v[i], -b->k[i] * n[i]);
    }
    CALL2(bi_pow_F64, b->y, b->v, b->inverse, m);
    CALL2(bi_pow_F64, b->again, b->y, b->n, m);
    for (unsigned i = 0; i < m; i++) {
        double y = b->y[i];
        if (n[i] > -1200 && n[i] < 1200)
            y -= y * b->inverse[i] * ((b->again[i] - b->v[i]) / b->v[i]);
        x[i] = root_special(x[i], n[i], n[i] == 1 ? fabs(x[i]) : ldexp(y, b->k[i]));
    }
}

#define ROOTN(S, T)                                                                                \
    void bi_rootn_##S(void *const *dst, const void *const *src, unsigned n)                        \
    {                                                                                              \
        const T *a = src[0];                                                                       \
        const int32_t *b = src[1];                                                                 \
        T *d = dst[0];                                                                             \
        double x[BI_BLOCK];                                                                        \
        struct root_block r;                                                                       \
        FOR_BLOCKS(at, n, m) {                                                                     \
            for (unsigned i = 0; i < m; i++) x[i] = a[at + i];                                     \
            roots(&r, x, b + at, m);                                                               \
            for (unsigned i = 0; i < m; i++) d[at + i] = (T)x[i];                                  \
        }                                                                                          \
    }
ROOTN(F32, float)
ROOTN(F64, double)

// SPDX-License-Identifier: MIT
// SLEEF's functions where their domain ends before that of the result's type: they give infinity
// for arguments whose result is still a number (and tgamma loses its precision below 0). Blocks go
// through SLEEF; the few lanes beyond its limit are computed again in another way. The remarks give
// the error in ULP there and what the OpenCL C specification (7.4) allows.
#include "builtins/lane.h"

#include <math.h>
#include <string.h>

static float one_F32(bi_lane_fn *fn, float x)
{
    CALL1(fn, &x, &x, 1);
    return x;
}
static double one_F64(bi_lane_fn *fn, double x)
{
    CALL1(fn, &x, &x, 1);
    return x;
}

// bi_NAME: SLEEF's, and `again` for the operands x (with the result r) that suit `beyond`;
// bi_one_NAME: of one.
#define PATCH1(name, S, T, beyond, again)                                                          \
    T bi_one_##name##_##S(T x)                                                                     \
    {                                                                                              \
        const T r = bi_one_raw_##name##_##S(x);                                                    \
        return (beyond) ? again : r;                                                               \
    }                                                                                              \
    void bi_##name##_##S(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        const T *a = src[0];                                                                       \
        T *d = dst[0], block[BI_BLOCK];                                                            \
        if (n == 1) {                                                                              \
            *d = bi_one_##name##_##S(*a);                                                          \
            return;                                                                                \
        }                                                                                          \
        FOR_BLOCKS(at, n, m) {                                                                     \
            memcpy(block, a + at, m * sizeof(T));                                                  \
            CALL1(bi_raw_##name##_##S, d + at, block, m);                                          \
            for (unsigned i = 0; i < m; i++) {                                                     \
                const T x = block[i], r = d[at + i];                                               \
                (void)r;                                                                           \
                if (beyond) d[at + i] = again;                                                     \
            }                                                                                      \
        }                                                                                          \
    }

// log(2x), 1.1 (4)
PATCH1(acosh, F32, float, x > 1e9f, one_F32(bi_log_F32, x) + (float)M_LN2)
PATCH1(acosh, F64, double, x > 1e18, one_F64(bi_log_F64, x) + M_LN2)
PATCH1(asinh, F32, float, fabsf(x) > 1e9f,
       copysignf(one_F32(bi_log_F32, fabsf(x)) + (float)M_LN2, x))
PATCH1(asinh, F64, double, fabs(x) > 1e18, copysign(one_F64(bi_log_F64, fabs(x)) + M_LN2, x))
PATCH1(log1p, F32, float, x > 1e30f, one_F32(bi_log_F32, x))
PATCH1(log1p, F64, double, x > 1e300, one_F64(bi_log_F64, x))

// The square of exp(x / 2), 2.3 (3; sinh and cosh 4)
static float half_squared_F32(float x)
{
    const float h = one_F32(bi_raw_exp_F32, x / 2);
    return h / 2 * h;
}
static double half_squared_F64(double x)
{
    const double h = one_F64(bi_raw_exp_F64, x / 2);
    return h / 2 * h;
}
PATCH1(cosh, F32, float, fabsf(x) > 88, half_squared_F32(fabsf(x)))
PATCH1(cosh, F64, double, fabs(x) > 709, half_squared_F64(fabs(x)))
PATCH1(sinh, F32, float, fabsf(x) > 88, copysignf(half_squared_F32(fabsf(x)), x))
PATCH1(sinh, F64, double, fabs(x) > 709, copysign(half_squared_F64(fabs(x)), x))
PATCH1(exp, F32, float, x > 88 && isinf(r), half_squared_F32(x) * 2)
PATCH1(exp, F64, double, x > 709 && isinf(r), half_squared_F64(x) * 2)
PATCH1(expm1, F32, float, x > 88 && isinf(r), half_squared_F32(x) * 2)
PATCH1(expm1, F64, double, x > 709 && isinf(r), half_squared_F64(x) * 2)

// tgamma(-y) = -pi / (y sin(pi y) tgamma(y)), 6 (16); where tgamma(y) overflows by way of tgamma(y
// - 16).
static double tgamma_negative(double x)
{
    const double y = -x;
    if (y > 200) return fmod(floor(x), 2) != 0 ? -0.0 : 0.0;
    if (y <= 170) return -M_PI / (y * one_F64(bi_sinpi_F64, y) * one_F64(bi_raw_tgamma_F64, y));
    double product = y;
    for (int k = 1; k <= 16; k++) product *= y - k;
    return -M_PI / (product * one_F64(bi_sinpi_F64, y)) / one_F64(bi_raw_tgamma_F64, y - 16);
}
PATCH1(tgamma, F64, double, x < -2 && x - floor(x) > 0, tgamma_negative(x))

void bi_tgamma_F32(void *const *dst, const void *const *src, unsigned n)
{
    const float *a = src[0];
    float *d = dst[0];
    double x[BI_BLOCK];
    FOR_BLOCKS(at, n, m) {
        for (unsigned i = 0; i < m; i++) x[i] = a[at + i];
        CALL1(bi_tgamma_F64, x, x, m);
        for (unsigned i = 0; i < m; i++) d[at + i] = (float)x[i];
    }
}

// libm's, in double, whose error is below 1 (16) and which is right at the largest number, too.
#define POW(S, T)                                                                                  \
    void bi_pow_##S(void *const *dst, const void *const *src, unsigned n)                          \
    {                                                                                              \
        const T *a = src[0], *b = src[1];                                                          \
        T *d = dst[0], x[BI_BLOCK], y[BI_BLOCK];                                                   \
        FOR_BLOCKS(at, n, m) {                                                                     \
            memcpy(x, a + at, m * sizeof(T));                                                      \
            memcpy(y, b + at, m * sizeof(T));                                                      \
            CALL2(bi_raw_pow_##S, d + at, x, y, m);                                                \
            for (unsigned i = 0; i < m; i++)                                                       \
                if (isinf(d[at + i]) && !isinf(x[i]) && x[i] != 0) d[at + i] = (T)pow(x[i], y[i]); \
        }                                                                                          \
    }
POW(F32, float)
POW(F64, double)

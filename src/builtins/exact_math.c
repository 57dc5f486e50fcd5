// SPDX-License-Identifier: MIT
// The functions of the mathematics section whose result is exact or correctly rounded by nature.
// libm is used where only one answer is right, so that its versions for different CPUs agree.
#include "builtins/lane.h"

#include <limits.h>
#include <math.h>

#define BOTH1(name, expr32, expr64)                                                                \
    LANES1(name##_F32, float, float, expr32)                                                       \
    LANES1(name##_F64, double, double, expr64)
#define BOTH2(name, expr32, expr64)                                                                \
    LANES2(name##_F32, float, float, float, expr32)                                                \
    LANES2(name##_F64, double, double, double, expr64)

// Of two equal magnitudes the positive is the larger; a number goes before NaN.
#define LARGER_MAG(abs)                                                                            \
    (x != x ? y : y != y ? x : abs(x) > abs(y) ? x : abs(y) > abs(x) ? y : signbit(x) ? y : x)
#define SMALLER_MAG(abs)                                                                           \
    (x != x ? y : y != y ? x : abs(x) < abs(y) ? x : abs(y) < abs(x) ? y : signbit(x) ? x : y)

BOTH2(fdim,
      x != x || y != y ? x + y
      : x > y          ? x - y
                       : 0,
      x != x || y != y ? x + y
      : x > y          ? x - y
                       : 0)
BOTH2(fmod, fmodf(x, y), fmod(x, y))
BOTH1(logb, logbf(x), logb(x))
BOTH2(maxmag, LARGER_MAG(fabsf), LARGER_MAG(fabs))
BOTH2(minmag, SMALLER_MAG(fabsf), SMALLER_MAG(fabs))
BOTH2(nextafter, nextafterf(x, y), nextafter(x, y))
BOTH2(remainder, remainderf(x, y), remainder(x, y))
// What was cut off, exact, says whether to go one further from 0.
BOTH1(round, fabsf(x - truncf(x)) >= 0.5f ? truncf(x) + copysignf(1, x) : truncf(x),
      fabs(x - trunc(x)) >= 0.5 ? trunc(x) + copysign(1, x) : trunc(x))
// Two correctly rounded steps: within 1.5 ULP of the 2 that are allowed.
BOTH1(rsqrt, 1.0f / sqrtf(x), 1.0 / sqrt(x))
LANES2(ldexp_F32, float, float, int32_t, ldexpf(x, y))
LANES2(ldexp_F64, double, double, int32_t, ldexp(x, y))

// FP_ILOGB0 and FP_ILOGBNAN of OpenCL are not libm's.
#define ILOGB(f) (x == 0 ? INT_MIN : x != x ? INT_MAX : isinf(x) ? INT_MAX : f(x))
LANES1(ilogb_F32, int32_t, float, ILOGB(ilogbf))
LANES1(ilogb_F64, int32_t, double, ILOGB(ilogb))

#define SPLIT(S, T, floor, trunc, copysign, below_one, frexp)                                      \
    void bi_fract_##S(void *const *dst, const void *const *src, unsigned n)                        \
    {                                                                                              \
        T *d = dst[0], *whole = dst[1];                                                            \
        const T *a = src[0];                                                                       \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const T x = a[i], w = floor(x), r = x - w;                                             \
            d[i] = isinf(x) ? copysign(0, x) : r == 0 ? copysign(0, x) : r >= 1 ? below_one : r;   \
            whole[i] = w;                                                                          \
        }                                                                                          \
    }                                                                                              \
    void bi_modf_##S(void *const *dst, const void *const *src, unsigned n)                         \
    {                                                                                              \
        T *d = dst[0], *whole = dst[1];                                                            \
        const T *a = src[0];                                                                       \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const T x = a[i], w = trunc(x);                                                        \
            d[i] = isinf(x) ? copysign(0, x) : copysign(x - w, x);                                 \
            whole[i] = w;                                                                          \
        }                                                                                          \
    }                                                                                              \
    void bi_frexp_##S(void *const *dst, const void *const *src, unsigned n)                        \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        int32_t *exponent = dst[1];                                                                \
        const T *a = src[0];                                                                       \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const T x = a[i];                                                                      \
            int e = 0;                                                                             \
            d[i] = x - x == 0 ? frexp(x, &e) : x;                                                  \
            exponent[i] = e;                                                                       \
        }                                                                                          \
    }
SPLIT(F32, float, floorf, truncf, copysignf, 0x1.fffffep-1f, frexpf)
SPLIT(F64, double, floor, trunc, copysign, 0x1.fffffffffffffp-1, frexp)

// The remainder of x / y to nearest even, and the quotient's low seven bits with its sign (libm's
// remquo promises only three). Long division: every subtraction is exact, because its result is
// less than half of the minuend.
static double divide(double x, double y, int32_t *quotient)
{
    *quotient = 0;
    if (x != x || y != y || isinf(x) || y == 0) return NAN;
    if (isinf(y)) return x;
    double a = fabs(x), b = fabs(y);
    unsigned q = 0;
    if (!isinf(b * 128)) a = fmod(a, b * 128);
    for (int k = 6; k >= 0; k--) {
        const double t = ldexp(b, k);
        if (a < t) continue;
        a -= t;
        q += 1u << k;
    }
    if (a > b - a || (a == b - a && q % 2)) {
        a -= b;
        q++;
    }
    q &= 127;
    *quotient = !signbit(x) != !signbit(y) ? -(int32_t)q : (int32_t)q;
    return signbit(x) ? -a : a;
}

#define REMQUO(S, T)                                                                               \
    void bi_remquo_##S(void *const *dst, const void *const *src, unsigned n)                       \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        int32_t *quotient = dst[1];                                                                \
        const T *a = src[0], *b = src[1];                                                          \
        for (unsigned i = 0; i < n; i++) {                                                         \
            int32_t q;                                                                             \
            d[i] = (T)divide(a[i], b[i], &q);                                                      \
            quotient[i] = q;                                                                       \
        }                                                                                          \
    }
REMQUO(F32, float)
REMQUO(F64, double)

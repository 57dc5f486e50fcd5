// SPDX-License-Identifier: MIT
// Conversions that round otherwise than to nearest, half, and table look-ups (shuffle). Integer
// results need none of this: rounding first and then converting is exact.
#include "builtins/lane.h"

#include <float.h>
#include <math.h>
#include <string.h>

// r is x rounded to nearest, `exact` a type that holds both: one step back where the mode wants it.
#define STEP_rtz(r, x, exact, next)                                                                \
    (((r) > 0 ? (exact)(r) > (exact)(x) : (r) < 0 && (exact)(r) < (exact)(x)) ? next(r, 0) : (r))
#define STEP_rtp(r, x, exact, next) ((exact)(r) < (exact)(x) ? next(r, INFINITY) : (r))
#define STEP_rtn(r, x, exact, next) ((exact)(r) > (exact)(x) ? next(r, -INFINITY) : (r))

#define ROUNDED(name, mode, T, A, exact, next)                                                     \
    LANES1(name##_##mode, T, A, STEP_##mode((T)x, x, exact, next))
#define MODES(name, T, A, exact, next)                                                             \
    ROUNDED(name, rtz, T, A, exact, next)                                                          \
    ROUNDED(name, rtp, T, A, exact, next)                                                          \
    ROUNDED(name, rtn, T, A, exact, next)
MODES(s2f_F32_I32, float, int32_t, double, nextafterf)
MODES(u2f_F32_I32, float, uint32_t, double, nextafterf)
MODES(s2f_F32_I64, float, int64_t, __int128, nextafterf)
MODES(u2f_F32_I64, float, uint64_t, __int128, nextafterf)
MODES(s2f_F64_I64, double, int64_t, __int128, nextafter)
MODES(u2f_F64_I64, double, uint64_t, __int128, nextafter)
MODES(ftrunc_F32_F64, float, double, double, nextafterf)

static float float_of_half(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
    uint32_t bits = e == 31 ? 0x7f800000 | m << 13 : e != 0 ? (e + 112) << 23 | m << 13 : 0;
    float f = (float)m * 0x1p-24f; // subnormal
    if (e) memcpy(&f, &bits, sizeof f);
    return sign ? -f : f;
}

// To nearest even from float, without a branch. From 2^-14 on the half's exponent and significand
// are float's with 13 bits less; below, adding 0.5 leaves the number of quanta of 2^-24 in the low
// bits.
static inline uint16_t nearest_half(float x)
{
    uint32_t bits, low, half;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    const float small = fabsf(x) + 0.5f;
    memcpy(&low, &small, sizeof low);
    memcpy(&half, &(float){0.5f}, sizeof half);
    const uint32_t normal = (bits - (112u << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
    const uint32_t finite = bits < 0x38800000 ? low - half : normal;
    const uint32_t big = bits > 0x7f800000 ? 0x7e00 : 0x7c00;
    return (uint16_t)(sign | (bits >= 0x47800000 ? big : finite));
}

// The same from double, whose significand has 42 bits more: here 2^28 leaves the quanta.
static inline uint16_t nearest_half_of_double(double x)
{
    uint64_t bits, low, zero;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t sign = bits >> 48 & 0x8000;
    bits &= UINT64_MAX >> 1;
    const double small = fabs(x) + 0x1p28;
    memcpy(&low, &small, sizeof low);
    memcpy(&zero, &(double){0x1p28}, sizeof zero);
    const uint64_t normal = (bits - (1008ull << 52) + 0x1ffffffffff + (bits >> 42 & 1)) >> 42;
    const uint64_t finite = bits < 0x3f10000000000000 ? low - zero : normal;
    const uint64_t big = bits > 0x7ff0000000000000 ? 0x7e00 : 0x7c00;
    return (uint16_t)(sign | (bits >= 0x40f0000000000000 ? big : finite));
}

// To half through an integer number of quanta, which `round` computes.
static inline uint16_t half_of(double x, double (*round)(double))
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (x != x) return sign | 0x7e00;
    if (isinf(x)) return sign | 0x7c00;
    if (x == 0) return sign;
    int e;
    frexp(x, &e);
    e = e - 1 < -14 ? -14 : e - 1;
    if (e > 16) e = 16;
    double q = fabs(round(ldexp(x, 10 - e)));
    if (q >= 2048) {
        q /= 2;
        e++;
    }
    if (e > 15) // more than 65504: infinite, or the largest number where the mode rounds towards it
        return sign | (round(sign ? -0.75 : 0.75) != 0 ? 0x7c00 : 0x7bff);
    return sign |
           (q < 1024 ? (uint16_t)q : (uint16_t)((unsigned)(e + 15) << 10 | ((unsigned)q - 1024)));
}

LANES1(half_F32, float, uint16_t, float_of_half(x))
LANES1(half_of_F32_rte, uint16_t, float, nearest_half(x))
LANES1(half_of_F32_rtz, uint16_t, float, half_of(x, trunc))
LANES1(half_of_F32_rtp, uint16_t, float, half_of(x, ceil))
LANES1(half_of_F32_rtn, uint16_t, float, half_of(x, floor))
LANES1(half_of_F64_rte, uint16_t, double, nearest_half_of_double(x))
LANES1(half_of_F64_rtz, uint16_t, double, half_of(x, trunc))
LANES1(half_of_F64_rtp, uint16_t, double, half_of(x, ceil))
LANES1(half_of_F64_rtn, uint16_t, double, half_of(x, floor))

// pickM: src[0] is an index, modulo M, into src[1] … src[M].
#define PICK(m, S, T)                                                                              \
    void bi_pick##m##_##S(void *const *dst, const void *const *src, unsigned n)                    \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const T *index = src[0];                                                                   \
        for (unsigned i = 0; i < n; i++) d[i] = ((const T *)src[1 + index[i] % m])[i];             \
    }
#define PICKS(m)                                                                                   \
    PICK(m, I8, uint8_t) PICK(m, I16, uint16_t) PICK(m, I32, uint32_t) PICK(m, I64, uint64_t)
PICKS(2)
PICKS(4)
PICKS(8)
PICKS(16)

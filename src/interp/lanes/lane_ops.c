// SPDX-License-Identifier: MIT
// The lane kernels of ops.def: for every opcode and every form of its operands (varying or
// uniform), one handler with one loop over lanes, which the compiler vectorizes. Compiled once for
// each instruction set (VM_ISA). Results do not depend on the level: no contraction, and fused
// multiply-add is rounded exactly everywhere.
#include "bytecode/ops.def"
#include "interp/core/fault.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/lanes/isa.h"
#include "interp/lanes/lane_loop.h"

#include <math.h>
#include <string.h>
#if defined __SSE2__
#include <immintrin.h>
#endif

typedef uint8_t T_I8;
typedef uint16_t T_I16;
typedef uint32_t T_I32;
typedef uint64_t T_I64;
typedef float T_F32;
typedef double T_F64;
typedef int8_t S_I8;
typedef int16_t S_I16;
typedef int32_t S_I32;
typedef int64_t S_I64;
typedef float S_F32;
typedef double S_F64;
typedef unsigned W_I8;
typedef unsigned W_I16;
typedef uint32_t W_I32;
typedef uint64_t W_I64;
typedef float W_F32;
typedef double W_F64;

// ---- the vocabulary of ops.def's expressions
#define S(x)       ((ST)(x))
#define U(x)       ((T)(x))
#define WIDE(x)    ((WT)(x))
#define BITS       ((unsigned)sizeof(T) * 8)
#define MULU(a, b) U(WIDE(a) * WIDE(b))
#define MULHI_U(a, b)                                                                              \
    (sizeof(T) == 8 ? U((unsigned __int128)(a) * (b) >> 64)                                        \
                    : U(((uint64_t)(a) * (uint64_t)(b)) >> (BITS & 63)))
// (from the unsigned one: gcc 12's vectorizer makes a signed 16-bit product of this kind unsigned)
#define MULHI_S(a, b)  U(MULHI_U(a, b) - (S(a) < 0 ? b : 0) - (S(b) < 0 ? a : 0))
#define TOP            U(WIDE(1) << (BITS - 1))
#define ADDSAT_U(a, b) ((T)(a + b) < a ? U(-1) : U(a + b))
#define SUBSAT_U(a, b) (a < b ? U(0) : U(a - b))
#define ADDSAT_S(a, b)                                                                             \
    ((T)((a ^ (T)(a + b)) & (b ^ (T)(a + b))) & TOP ? U(S(a) < 0 ? TOP : U(TOP - 1)) : U(a + b))
#define SUBSAT_S(a, b)                                                                             \
    ((T)((a ^ b) & (a ^ (T)(a - b))) & TOP ? U(S(a) < 0 ? TOP : U(TOP - 1)) : U(a - b))
#define CLZ(a)        U(a ? (unsigned)__builtin_clzll((uint64_t)a) - (64 - BITS) : BITS)
#define CTZ(a)        U(a ? (unsigned)__builtin_ctzll((uint64_t)a) : BITS)
#define POPCOUNT(a)   U(popcount64(a))
#define BITREVERSE(a) U(reverse64(a) >> (64 - BITS))
#define F2U(bits, a)  (a >= 2 * (double)(1ull << (bits - 1)) ? (T) - 1 : a > 0 ? (T)a : 0)
#define F2S(bits, a)                                                                               \
    (a >= (double)(1ull << (bits - 1))    ? (T)((1ull << (bits - 1)) - 1)                          \
     : a <= -(double)(1ull << (bits - 1)) ? (T)(1ull << (bits - 1))                                \
     : a == a                             ? (T)(int##bits##_t)a                                    \
                                          : 0)

static inline uint64_t popcount64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return x * 0x0101010101010101 >> 56;
}
static inline uint64_t reverse64(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

// ---- forms: how an operand is read, by letter
#define OPEN_V(T, x) const T *p##x = ALIGNED(r + ip->x)
#define OPEN_U(T, x) const T p##x = *(const T *)(r + ip->x)
#define GET_V(x)     p##x[i]
#define GET_U(x)     p##x

#define TYPES(t)                                                                                   \
    typedef T_##t T __attribute__((unused));                                                       \
    typedef S_##t ST __attribute__((unused));                                                      \
    typedef W_##t WT __attribute__((unused))

// one-loop bodies; `D` is the destination's type
#define BODY1(name, t, D, tf, A, e)                                                                \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        TYPES(t);                                                                                  \
        OPEN_##A(T_##tf, a);                                                                       \
        T_##D *pd = ALIGNED(r + ip->d);                                                            \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const T_##tf a = GET_##A(a);                                                           \
            pd[i] = (T_##D)(e);                                                                    \
        }                                                                                          \
        return ip + 1;                                                                             \
    }
#define BODY2(name, t, D, A, B, e)                                                                 \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        TYPES(t);                                                                                  \
        OPEN_##A(T, a);                                                                            \
        OPEN_##B(T, b);                                                                            \
        T_##D *pd = ALIGNED(r + ip->d);                                                            \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const T a = GET_##A(a), b = GET_##B(b);                                                \
            pd[i] = (T_##D)(e);                                                                    \
        }                                                                                          \
        return ip + 1;                                                                             \
    }
#define BODY3(name, t, TA, A, B, C, e)                                                             \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        TYPES(t);                                                                                  \
        OPEN_##A(TA, a);                                                                           \
        OPEN_##B(T, b);                                                                            \
        OPEN_##C(T, c);                                                                            \
        T *pd = ALIGNED(r + ip->d);                                                                \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const TA a = GET_##A(a);                                                               \
            const T b = GET_##B(b), c = GET_##C(c);                                                \
            pd[i] = (e);                                                                           \
        }                                                                                          \
        return ip + 1;                                                                             \
    }
// everything uniform: once
#define ONCE(name, t, D, tf, e, ...)                                                               \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        TYPES(t);                                                                                  \
        char *const r = g->r;                                                                      \
        const T_##tf a = *(const T_##tf *)(r + ip->a);                                             \
        __VA_ARGS__;                                                                               \
        *(T_##D *)(r + ip->d) = (T_##D)(e);                                                        \
        return ip + 1;                                                                             \
    }
#define B_ const T b = *(const T *)(r + ip->b)
#define C_ const T c = *(const T *)(r + ip->c)

#define TWO_FORMS(n, t, D, e)                                                                      \
    ONCE(n##_UU, t, D, t, e, B_)                                                                   \
    BODY2(n##_VU, t, D, V, U, e)                                                                   \
    BODY2(n##_UV, t, D, U, V, e)                                                                   \
    BODY2(n##_VV, t, D, V, V, e)
#define BIN(n, t, e)        TWO_FORMS(n, t, t, e)
#define CMP(n, t, e)        TWO_FORMS(n, t, I8, e)
#define UN(n, t, e)         ONCE(n##_U, t, t, t, e, ) BODY1(n##_V, t, t, t, V, e)
#define CVT(n, to, from, e) ONCE(n##_U, to, to, from, e, ) BODY1(n##_V, to, to, from, V, e)
#define TER(n, t, e)                                                                               \
    ONCE(n##_UUU, t, t, t, e, B_; C_)                                                              \
    BODY3(n##_VUU, t, T_##t, V, U, U, e)                                                           \
    BODY3(n##_UVU, t, T_##t, U, V, U, e)                                                           \
    BODY3(n##_VVU, t, T_##t, V, V, U, e)                                                           \
    BODY3(n##_UUV, t, T_##t, U, U, V, e)                                                           \
    BODY3(n##_VUV, t, T_##t, V, U, V, e)                                                           \
    BODY3(n##_UVV, t, T_##t, U, V, V, e)                                                           \
    BODY3(n##_VVV, t, T_##t, V, V, V, e)
#define SEL(n, t)                                                                                  \
    ONCE(n##_UUU, t, t, I8, (a ? b : c), B_; C_)                                                   \
    BODY3(n##_VUU, t, T_I8, V, U, U, (a ? b : c))                                                  \
    BODY3(n##_UVU, t, T_I8, U, V, U, (a ? b : c))                                                  \
    BODY3(n##_VVU, t, T_I8, V, V, U, (a ? b : c))                                                  \
    BODY3(n##_UUV, t, T_I8, U, U, V, (a ? b : c))                                                  \
    BODY3(n##_VUV, t, T_I8, V, U, V, (a ? b : c))                                                  \
    BODY3(n##_UVV, t, T_I8, U, V, V, (a ? b : c))                                                  \
    BODY3(n##_VVV, t, T_I8, V, V, V, (a ? b : c))

// Division. Up to 32 bits the quotient is taken in double precision, where it is exact after
// truncation (the true quotient is at least 1/b away from the next integer, far more than the
// rounding error), and vectorizes. Invalid lanes are recorded in a mask, with the result 0.
#define QUOT(sgn, a, b)                                                                            \
    (sizeof(T) == 8 ? (sgn ? (T)(S(a) / S(b)) : U(a / b))                                          \
                    : (sgn ? (T)(int32_t)((double)S(a) / (double)S(b))                             \
                           : (T)(uint32_t)((double)a / (double)b)))
#define DIV_BODY(name, t, A, B, sgn, rem)                                                          \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        TYPES(t);                                                                                  \
        OPEN_##A(T, a);                                                                            \
        OPEN_##B(T, b);                                                                            \
        T *pd = ALIGNED(r + ip->d);                                                                \
        uint8_t *fail = ALIGNED(g->fail_mask);                                                     \
        const uint8_t *mask = ALIGNED(g->mask);                                                    \
        uint8_t any = 0;                                                                           \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const T a = GET_##A(a), b = GET_##B(b);                                                \
            const uint8_t bad = (b == 0) | (sgn & (a == TOP) & (b == U(-1)));                      \
            const T s = bad ? U(1) : b;                                                            \
            const T q = QUOT(sgn, a, s);                                                           \
            pd[i] = bad ? 0 : rem ? U(a - MULU(q, s)) : q;                                         \
            fail[i] = (uint8_t)-bad & mask[i];                                                     \
        }                                                                                          \
        LANES for (uint32_t i = 0; i < n; i++) any |= fail[i];                                     \
        if (__builtin_expect(any, 0)) vm_fault_div(g, ip, fail);                                   \
        return ip + 1;                                                                             \
    }
#define DIV_ONCE(name, t, sgn, rem)                                                                \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        TYPES(t);                                                                                  \
        char *const r = g->r;                                                                      \
        const T a = *(const T *)(r + ip->a), b = *(const T *)(r + ip->b);                          \
        const bool bad = b == 0 || (sgn && a == TOP && b == U(-1));                                \
        const T s = bad ? U(1) : b;                                                                \
        const T q = QUOT(sgn, a, s);                                                               \
        *(T *)(r + ip->d) = bad ? 0 : rem ? U(a - MULU(q, s)) : q;                                 \
        if (bad) vm_fault_div(g, ip, g->mask);                                                     \
        return ip + 1;                                                                             \
    }

/**
 * A uniform divisor of 32 bits: the quotient is a product and shifts (Granlund and Montgomery,
 * Division by invariant integers using multiplication, PLDI 1994, figure 4.1).
 */
struct reciprocal {
    uint32_t times, first, then;
};
static inline struct reciprocal reciprocal_of(uint32_t d)
{
    const unsigned bits = d > 1 ? 32 - (unsigned)__builtin_clz(d - 1) : 0; // 2^bits >= d
    return (struct reciprocal){(uint32_t)((((1ull << bits) - d) << 32) / d + 1), bits > 0,
                               bits > 1 ? bits - 1 : 0};
}
#define DIV_BY_ONE(name, sgn, rem)                                                                 \
    DIV_BODY(name##_any, I32, V, U, sgn, rem)                                                      \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        const uint32_t d = *(const uint32_t *)(r + ip->b), minus = sgn && d >> 31 ? ~0u : 0;       \
        if (!d || (sgn && d == ~0u)) return name##_any(g, ip);                                     \
        const struct reciprocal by = reciprocal_of((d ^ minus) - minus);                           \
        const uint32_t *pa = ALIGNED(r + ip->a);                                                   \
        uint32_t *pd = ALIGNED(r + ip->d);                                                         \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const uint32_t a = pa[i], below = sgn ? (uint32_t)((int32_t)a >> 31) : 0,              \
                           u = (a ^ below) - below;                                                \
            const uint32_t high = (uint32_t)((uint64_t)u * by.times >> 32);                        \
            const uint32_t q = (high + ((u - high) >> by.first)) >> by.then, turn = below ^ minus; \
            pd[i] = rem ? a - ((q ^ turn) - turn) * d : (q ^ turn) - turn;                         \
        }                                                                                          \
        return ip + 1;                                                                             \
    }
#define DIV_VU_I8(name, sgn, rem)  DIV_BODY(name, I8, V, U, sgn, rem)
#define DIV_VU_I16(name, sgn, rem) DIV_BODY(name, I16, V, U, sgn, rem)
#define DIV_VU_I32(name, sgn, rem) DIV_BY_ONE(name, sgn, rem)
#define DIV_VU_I64(name, sgn, rem) DIV_BODY(name, I64, V, U, sgn, rem)
#define SGN(n)                     (#n[0] == 'S')
#define REM(n)                     (#n[1] == 'R')
#define DIV(n, t, e)                                                                               \
    DIV_ONCE(n##_UU, t, SGN(n), REM(n))                                                            \
    DIV_VU_##t(n##_VU, SGN(n), REM(n)) DIV_BODY(n##_UV, t, U, V, SGN(n), REM(n))                   \
        DIV_BODY(n##_VV, t, V, V, SGN(n), REM(n))

TER(MUL_ADD_I32, I32, a *b + c)
TER(MUL_ADD_I64, I64, a *b + c)
#include "bytecode/ops.def"

// ---- range checks of conversions to integers: see struct vm_range
#define CHECK_RANGE(name, T)                                                                       \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        const struct vm_range *q = ip->p;                                                          \
        const T low = (T)q->low, end = (T)q->end;                                                  \
        const T *pa = ALIGNED(r + ip->a);                                                          \
        uint8_t *fail = ALIGNED(g->fail_mask);                                                     \
        const uint8_t *mask = ALIGNED(g->mask);                                                    \
        uint8_t any = 0;                                                                           \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const uint8_t good = (pa[i] >= low) & (pa[i] < end);                                   \
            fail[i] = (uint8_t)(good - 1) & mask[i];                                               \
        }                                                                                          \
        LANES for (uint32_t i = 0; i < n; i++) any |= fail[i];                                     \
        if (__builtin_expect(any, 0)) vm_fault_convert(g, ip, fail);                               \
        return ip + 1;                                                                             \
    }
CHECK_RANGE(check_range_F32, float)
CHECK_RANGE(check_range_F64, double)

// ---- indices into arrays inside objects
#define CHECK_INDEX(name, T)                                                                       \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        const T end = ((const struct vm_operands *)ip->p)->n;                                      \
        const T *pa = ALIGNED(r + ip->a);                                                          \
        const uint8_t *mask = ALIGNED(g->mask);                                                    \
        T out = 0, any = 0; /* as wide as the index: narrower ones would need packing */           \
        LANES for (uint32_t i = 0; i < n; i++) out |= pa[i] >= end ? ~(T)0 : 0;                    \
        if (__builtin_expect(!out, 1)) return ip + 1;                                              \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
            any |= (pa[i] >= end ? ~(T)0 : 0) & (T)(int8_t)mask[i];                                \
        if (!any) return ip + 1;                                                                   \
        for (uint32_t i = 0; i < n; i++) g->fail_mask[i] = (uint8_t)-(pa[i] >= end) & mask[i];     \
        vm_fault_index(g, ip, g->fail_mask);                                                       \
        return ip + 1;                                                                             \
    }
CHECK_INDEX(check_index_32, uint32_t)
CHECK_INDEX(check_index_64, uint64_t)

// ---- moves under and without a mask
#define MOVES(lg, T)                                                                               \
    HANDLER(splat_##lg)                                                                            \
    {                                                                                              \
        START;                                                                                     \
        const T v = *(const T *)(r + ip->a);                                                       \
        T *pd = ALIGNED(r + ip->d);                                                                \
        for (uint32_t i = 0; i < n; i++) pd[i] = v;                                                \
        return ip + 1;                                                                             \
    }                                                                                              \
    HANDLER(copy_##lg)                                                                             \
    {                                                                                              \
        START;                                                                                     \
        const T *pa = ALIGNED(r + ip->a);                                                          \
        T *pd = ALIGNED(r + ip->d);                                                                \
        LANES for (uint32_t i = 0; i < n; i++) pd[i] = pa[i];                                      \
        return ip + 1;                                                                             \
    }                                                                                              \
    static inline void blend_values_##lg(T *pd, const T *pa, const uint8_t *mask, uint32_t n)      \
    {                                                                                              \
        pd = ALIGNED(pd);                                                                          \
        pa = ALIGNED(pa);                                                                          \
        mask = ALIGNED(mask);                                                                      \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const T was = pd[i], now = pa[i];                                                      \
            pd[i] = mask[i] ? now : was;                                                           \
        }                                                                                          \
    }                                                                                              \
    HANDLER(blend_##lg)                                                                            \
    {                                                                                              \
        START;                                                                                     \
        blend_values_##lg((T *)(r + ip->d), (const T *)(r + ip->a), g->mask, n);                   \
        return ip + 1;                                                                             \
    }                                                                                              \
    HANDLER(blend_uniform_##lg)                                                                    \
    {                                                                                              \
        START;                                                                                     \
        const T v = *(const T *)(r + ip->a);                                                       \
        T *pd = ALIGNED(r + ip->d);                                                                \
        const uint8_t *mask = ALIGNED(g->mask);                                                    \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            const T was = pd[i];                                                                   \
            pd[i] = mask[i] ? v : was;                                                             \
        }                                                                                          \
        return ip + 1;                                                                             \
    }
MOVES(0, uint8_t)
MOVES(1, uint16_t)
MOVES(2, uint32_t)
MOVES(3, uint64_t)

// ---- masks
typedef uint8_t bytes16 __attribute__((vector_size(16), may_alias));
typedef uint8_t bytes32 __attribute__((vector_size(32), may_alias));
/**
 * Lanes [i, ..) of the masks by vectors: `X(V, bits)` with the widest V, and once more for 16
 * remaining lanes.
 */
#define BY_VECTORS(n, X)                                                                           \
    uint32_t i = 0;                                                                                \
    for (; i + 32 <= (n); i += 32) X(bytes32, bits32)                                              \
    if (i < (n)) X(bytes16, bits16)
#define AT(V, p)   (*(V *)((p) + i))
#define SEEN(V, p) (*(const V *)((p) + i))

/** A bit for each lane of a mask. */
static inline uint32_t bits16(bytes16 v)
{
#if defined __SSE2__
    return (uint32_t)_mm_movemask_epi8((__m128i)v);
#else
    uint32_t m = 0;
    for (int i = 0; i < 16; i++) m |= (uint32_t)(v[i] & 1) << i;
    return m;
#endif
}
static inline uint32_t bits32(bytes32 v)
{
#if defined __AVX2__
    return (uint32_t)_mm256_movemask_epi8((__m256i)v);
#else
    bytes16 half[2];
    memcpy(half, &v, sizeof half);
    return bits16(half[0]) | bits16(half[1]) << 16;
#endif
}
/** Adds lanes [at, end) of a mask, given as bits. */
static inline void add_lanes(struct vm_lane_count *s, uint32_t end, uint32_t bits)
{
#if defined __POPCNT__
    s->n += (uint32_t)__builtin_popcount(bits);
#else
    s->n += (uint32_t)popcount64(bits);
#endif
    s->end = bits ? end : s->end;
}

static struct vm_split_count split(const uint8_t *mask, const uint8_t *cond, uint8_t *m_true,
                                   uint8_t *m_false, uint32_t n, unsigned add)
{
    n &= ~(VM_PAD - 1u);
    mask = ALIGNED(mask);
    cond = ALIGNED(cond);
    m_true = ALIGNED(m_true);
    m_false = ALIGNED(m_false);
    const uint8_t keep_true = add & 1 ? 0xff : 0, keep_false = add & 2 ? 0xff : 0;
    struct vm_lane_count yes = {0}, others = {0};
#define SPLIT(V, bits)                                                                             \
    {                                                                                              \
        const V no = (V)(SEEN(V, cond) == 0), m = SEEN(V, mask);                                   \
        add_lanes(&yes, i + (uint32_t)sizeof(V), bits(m & ~no));                                   \
        add_lanes(&others, i + (uint32_t)sizeof(V), bits(m & no));                                 \
        AT(V, m_true) = (m & ~no) | (add ? AT(V, m_true) & keep_true : m & 0);                     \
        AT(V, m_false) = (m & no) | (add ? AT(V, m_false) & keep_false : m & 0);                   \
    }
    if (add) {
        BY_VECTORS(n, SPLIT)
    } else {
        BY_VECTORS(n, SPLIT)
    }
    return (struct vm_split_count){yes, others};
}
static struct vm_lane_count count(const uint8_t *mask, uint32_t n)
{
    n &= ~(VM_PAD - 1u);
    mask = ALIGNED(mask);
    struct vm_lane_count some = {0};
#define COUNT(V, bits) add_lanes(&some, i + (uint32_t)sizeof(V), bits(SEEN(V, mask)));
    BY_VECTORS(n, COUNT)
    return some;
}
static void merge(uint8_t *to, const uint8_t *from, uint32_t n)
{
    n &= ~(VM_PAD - 1u);
    to = ALIGNED(to);
    from = ALIGNED(from);
    LANES for (uint32_t i = 0; i < n; i++) to[i] |= from[i];
}
static void blend_values(unsigned elog, void *to, const void *from, const uint8_t *mask, uint32_t n)
{
    n &= ~(VM_PAD - 1u);
    switch (elog) {
    case 0: blend_values_0(to, from, mask, n); break;
    case 1: blend_values_1(to, from, mask, n); break;
    case 2: blend_values_2(to, from, mask, n); break;
    default: blend_values_3(to, from, mask, n); break;
    }
}

/** Finds the edges that the active lanes take; if both, the scheduler handles it. */
HANDLER(cbr)
{
    START;
    const char *const cond = ALIGNED(r + ip->a);
    const uint8_t *const mask = ALIGNED(g->mask);
    bytes32 yes = {0}, no = {0};
    uint32_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const bytes32 c = (bytes32)(SEEN(bytes32, cond) == 0), m = SEEN(bytes32, mask);
        yes |= m & ~c;
        no |= m & c;
    }
    uint64_t y[4], o[4];
    memcpy(y, &yes, sizeof y);
    memcpy(o, &no, sizeof o);
    if (i < n) {
        const bytes16 c = (bytes16)(SEEN(bytes16, cond) == 0), m = SEEN(bytes16, mask),
                      some = m & ~c, others = m & c;
        uint64_t rest[2];
        memcpy(rest, &some, sizeof rest);
        y[0] |= rest[0] | rest[1];
        memcpy(rest, &others, sizeof rest);
        o[0] |= rest[0] | rest[1];
    }
    if (!(o[0] | o[1] | o[2] | o[3])) return vm_go(g, ip->b);
    if (!(y[0] | y[1] | y[2] | y[3])) return vm_go(g, ip->c);
    return vm_split(g, (const uint8_t *)cond, ip->b, ip->c);
}

// ---- work-item ids that vary: local id of a dimension plus a uniform
#define WI(name, T)                                                                                \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        const uint32_t *lid = ALIGNED(g->lid[ip->b]);                                              \
        const T add = (T)g->ids[ip->a];                                                            \
        T *pd = ALIGNED(r + ip->d);                                                                \
        LANES for (uint32_t i = 0; i < n; i++) pd[i] = (T)lid[i] + add;                            \
        return ip + 1;                                                                             \
    }
WI(wi32, uint32_t)
WI(wi64, uint64_t)
#define WI_PACKED(name, in_one_row, T)                                                             \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        START;                                                                                     \
        if (g->one_row) return in_one_row(g, ip);                                                  \
        const uint64_t *from = ALIGNED(g->gids[ip->a / 3 == BC_GROUP_ID][ip->a % 3]);              \
        T *pd = ALIGNED(r + ip->d);                                                                \
        LANES for (uint32_t i = 0; i < n; i++) pd[i] = (T)from[i];                                 \
        return ip + 1;                                                                             \
    }
WI_PACKED(wi_packed32, wi32, uint32_t)
WI_PACKED(wi_packed64, wi64, uint64_t)

#define WI_LINEAR(name, T, ID)                                                                     \
    static void name(void *to, uint64_t first, const uint64_t size[2], ID *const id[3],            \
                     uint32_t n)                                                                   \
    {                                                                                              \
        const ID *x = ALIGNED(id[0]), *y = ALIGNED(id[1]), *z = ALIGNED(id[2]);                    \
        const uint64_t sy = size[0], sz = size[1];                                                 \
        T *pd = ALIGNED(to);                                                                       \
        LANES for (uint32_t i = 0; i < n; i++) pd[i] = (T)(first + x[i] + sy * y[i] + sz * z[i]);  \
    }
WI_LINEAR(linear32, uint32_t, uint32_t)
WI_LINEAR(linear64, uint64_t, uint32_t)
WI_LINEAR(linear_packed32, uint32_t, uint64_t)
WI_LINEAR(linear_packed64, uint64_t, uint64_t)

static void strided_ids(uint64_t *to, uint64_t begin, const uint32_t *group, uint32_t size,
                        const uint32_t *lid, uint32_t n)
{
    const uint32_t first = *group;
    if (lid) {
        LANES for (uint32_t i = 0; i < n; i++) to[i] = begin + ((group[i] - first) * size + lid[i]);
    } else {
        LANES for (uint32_t i = 0; i < n; i++) to[i] = begin + (group[i] - first) * size;
    }
}

vm_handler CAT(vm_load_uniform_full_, VM_ISA), CAT(vm_load_uniform_masked_, VM_ISA),
    CAT(vm_store_uniform_, VM_ISA);
vm_handler CAT(vm_load_full_, VM_ISA), CAT(vm_load_masked_, VM_ISA), CAT(vm_store_full_, VM_ISA),
    CAT(vm_store_masked_, VM_ISA), CAT(vm_lea_, VM_ISA), CAT(vm_atomic_, VM_ISA),
    CAT(vm_copy_bytes_, VM_ISA), CAT(vm_set_bytes_, VM_ISA), CAT(vm_undef_plain_, VM_ISA),
    CAT(vm_undef_copy_, VM_ISA), CAT(vm_undef_set_, VM_ISA), CAT(vm_count_, VM_ISA),
    CAT(vm_cost_, VM_ISA);

const struct vm_isa CAT(vm_isa_, VM_ISA) = {
    .name = VM_ISA_NAME,
    .op =
        {
#define TWO(n) [BC_##n] = {n##_UU, n##_VU, n##_UV, n##_VV},
#define THREE(n)                                                                                   \
    [BC_##n] = {n##_UUU, n##_VUU, n##_UVU, n##_VVU, n##_UUV, n##_VUV, n##_UVV, n##_VVV},
#define ONE(n)              [BC_##n] = {n##_U, n##_V},
#define BIN(n, t, e)        TWO(n)
#define CMP(n, t, e)        TWO(n)
#define DIV(n, t, e)        TWO(n)
#define UN(n, t, e)         ONE(n)
#define CVT(n, to, from, e) ONE(n)
#define TER(n, t, e)        THREE(n)
#define SEL(n, t)           THREE(n)
#include "bytecode/ops.def"
        },
#define FORMS(n) {n##_UUU, n##_VUU, n##_UVU, n##_VVU, n##_UUV, n##_VUV, n##_UVV, n##_VVV}
    .mul_add = {FORMS(MUL_ADD_I32), FORMS(MUL_ADD_I64)},
    .splat = {splat_0, splat_1, splat_2, splat_3},
    .copy = {copy_0, copy_1, copy_2, copy_3},
    .blend = {blend_0, blend_1, blend_2, blend_3},
    .blend_uniform = {blend_uniform_0, blend_uniform_1, blend_uniform_2, blend_uniform_3},
    .load = {CAT(vm_load_full_, VM_ISA), CAT(vm_load_masked_, VM_ISA)},
    .store = {CAT(vm_store_full_, VM_ISA), CAT(vm_store_masked_, VM_ISA)},
    .load_uniform = {CAT(vm_load_uniform_full_, VM_ISA), CAT(vm_load_uniform_masked_, VM_ISA)},
    .store_uniform = CAT(vm_store_uniform_, VM_ISA),
    .lea = CAT(vm_lea_, VM_ISA),
    .atomic = CAT(vm_atomic_, VM_ISA),
    .copy_bytes = CAT(vm_copy_bytes_, VM_ISA),
    .set_bytes = CAT(vm_set_bytes_, VM_ISA),
    .undef_plain = CAT(vm_undef_plain_, VM_ISA),
    .undef_copy = CAT(vm_undef_copy_, VM_ISA),
    .undef_set = CAT(vm_undef_set_, VM_ISA),
    .count_access = CAT(vm_count_, VM_ISA),
    .cost_access = CAT(vm_cost_, VM_ISA),
    .cbr = cbr,
    .wi32 = wi32,
    .wi64 = wi64,
    .wi_packed = {wi_packed32, wi_packed64},
    .wi_linear = {linear32, linear64},
    .wi_linear_packed = {linear_packed32, linear_packed64},
    .packed_ids = strided_ids,
    .check_index = {check_index_32, check_index_64},
    .check_range = {check_range_F32, check_range_F64},
    .split = split,
    .count = count,
    .merge = merge,
    .blend_values = blend_values,
};

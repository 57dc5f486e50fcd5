// SPDX-License-Identifier: MIT
#ifndef INTERP_SHAPE_ACCESS_H
#define INTERP_SHAPE_ACCESS_H
// Loads and stores specialized for a known lane shape (lane_shapes.h), strip by strip; for
// strips.h, which is compiled once for each instruction set.
#include "interp/lanes/access_plan.h"

#if defined __AVX2__
#include <immintrin.h>

/** Elements of 4 bytes out of `many` vectors from `p` on. */
INLINE void from_window_2(uint32_t *d, const uint32_t *p, __m256i at, unsigned many)
{
    __m256i v = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)p), at);
    const __m256i which = _mm256_srli_epi32(at, 3);
    for (unsigned k = 1; k < many; k++) {
        const __m256i more =
            _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(p + 8 * k)), at);
        v = _mm256_blendv_epi8(v, more, _mm256_cmpeq_epi32(which, _mm256_set1_epi32((int)k)));
    }
    _mm256_storeu_si256((__m256i *)d, v);
}

/** Selects the bytes p[at], where `at` is below 16 * many. */
INLINE __m128i shuffled(const char *p, __m128i at, unsigned many)
{
    __m128i v = _mm_setzero_si128();
    for (unsigned k = 0; k < many;
         k++) { // bytes outside this vector get a sign bit, which selects 0
        const __m128i in =
            _mm_adds_epu8(_mm_sub_epi8(at, _mm_set1_epi8((char)(16 * k))), _mm_set1_epi8(0x70));
        v = _mm_or_si128(v, _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * k)), in));
    }
    return v;
}

/** 8 numbers below 2^16. */
INLINE __m128i pack_elements(const int32_t *element, int32_t from)
{
    const __m256i k =
        _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)element), _mm256_set1_epi32(from));
    return _mm_packus_epi32(_mm256_castsi256_si128(k), _mm256_extracti128_si256(k, 1));
}

INLINE void window_0(uint8_t *d, const uint8_t *p, const int32_t *element, int32_t from,
                     unsigned many)
{
    const __m128i at =
        _mm_packus_epi16(pack_elements(element, from), pack_elements(element + 8, from));
    _mm_storeu_si128((__m128i *)d, shuffled((const char *)p, at, many));
}
INLINE void window_1(uint16_t *d, const uint16_t *p, const int32_t *element, int32_t from,
                     unsigned many)
{
    const __m128i at =
        _mm_add_epi16(_mm_mullo_epi16(pack_elements(element, from), _mm_set1_epi16(0x0202)),
                      _mm_set1_epi16(0x0100));
    _mm_storeu_si128((__m128i *)d, shuffled((const char *)p, at, many));
}
INLINE void window_2(uint32_t *d, const uint32_t *p, const int32_t *element, int32_t from,
                     unsigned many)
{
    from_window_2(
        d, p,
        _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)element), _mm256_set1_epi32(from)),
        many);
}
/**
 * Stores the masked ones of 8 lanes into `many` vectors from p on, which no other thread may write
 * now: see vm_lane_shape.inverse.
 */
INLINE bool spread_some_2(uint32_t *p, const uint32_t *v, const uint8_t *mask, const int8_t *lane,
                          unsigned many)
{
    const __m256i now = _mm256_loadu_si256((const __m256i *)v),
                  some = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)mask));
    for (unsigned k = 0; k < many; k++) {
        const __m256i of = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(lane + 8 * k)));
        const __m256i stored =
            _mm256_andnot_si256(of, _mm256_permutevar8x32_epi32(some, of)); // only the sign matters
        const __m256 was = _mm256_loadu_ps((const float *)(p + 8 * k)),
                     to = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(now, of));
        _mm256_storeu_ps((float *)(p + 8 * k),
                         _mm256_blendv_ps(was, to, _mm256_castsi256_ps(stored)));
    }
    return true;
}
/** The same for consecutive elements. */
INLINE bool put_back_2(uint32_t *p, const uint32_t *v, const uint8_t *mask)
{
    const __m256 some =
        _mm256_castsi256_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)mask)));
    _mm256_storeu_ps((float *)p, _mm256_blendv_ps(_mm256_loadu_ps((const float *)p),
                                                  _mm256_loadu_ps((const float *)v), some));
    return true;
}
INLINE bool put_back_0(uint8_t *p, const uint8_t *v, const uint8_t *mask)
{
    _mm_storeu_si128((__m128i *)p, _mm_blendv_epi8(_mm_loadu_si128((const __m128i *)p),
                                                   _mm_loadu_si128((const __m128i *)v),
                                                   _mm_loadu_si128((const __m128i *)mask)));
    return true;
}
INLINE bool put_back_1(uint16_t *p, const uint16_t *v, const uint8_t *mask)
{
    const __m128i some = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)mask));
    _mm_storeu_si128((__m128i *)p, _mm_blendv_epi8(_mm_loadu_si128((const __m128i *)p),
                                                   _mm_loadu_si128((const __m128i *)v), some));
    return true;
}
INLINE bool put_back_3(uint64_t *p, const uint64_t *v, const uint8_t *mask)
{
    for (int h = 0; h < 8; h += 4) {
        const __m256i some = _mm256_cvtepi8_epi64(_mm_loadu_si32(mask + h));
        _mm256_storeu_si256((__m256i *)(p + h),
                            _mm256_blendv_epi8(_mm256_loadu_si256((const __m256i *)(p + h)),
                                               _mm256_loadu_si256((const __m256i *)(v + h)), some));
    }
    return true;
}
/** Stores the lanes in m, of 8 lanes, one by one. */
INLINE bool put_some_2(uint32_t *p, const uint32_t *v, uint32_t m)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i some =
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)m), bits), bits);
    _mm256_maskstore_epi32((int *)p, some, _mm256_loadu_si256((const __m256i *)v));
    return true;
}
INLINE bool put_some_3(uint64_t *p, const uint64_t *v, uint32_t m)
{
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    for (int h = 0; h < 8; h += 4) {
        const __m256i of = _mm256_and_si256(_mm256_set1_epi64x(m >> h), bits);
        _mm256_maskstore_epi64((long long *)p + h, _mm256_cmpeq_epi64(of, bits),
                               _mm256_loadu_si256((const __m256i *)(v + h)));
    }
    return true;
}
#define HAS_WINDOWS 1
#else
#define HAS_WINDOWS                           0
#define put_some_2(p, v, m)                   false
#define put_some_3(p, v, m)                   false
#define put_back_0(p, v, mask)                false
#define put_back_1(p, v, mask)                false
#define put_back_2(p, v, mask)                false
#define put_back_3(p, v, mask)                false
#define spread_some_2(p, v, mask, lane, many) false
#define window_0(d, p, element, from, many)   ((void)0)
#define window_1(d, p, element, from, many)   ((void)0)
#define window_2(d, p, element, from, many)   ((void)0)
#endif
#define put_some_0(p, v, m)                   false
#define put_some_1(p, v, m)                   false
#define spread_some_0(p, v, mask, lane, many) false
#define spread_some_1(p, v, mask, lane, many) false
#define spread_some_3(p, v, mask, lane, many) false
#define window_3(d, p, element, from, many)   ((void)0)

#if defined __clang__
#define EIGHT _Pragma("unroll 8")
#else
#define EIGHT _Pragma("GCC unroll 8")
#endif

/** A bit for each byte of a mask. */
static inline uint32_t eight_bits(uint64_t mask)
{
    return (uint32_t)((mask & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

#define ANY_UNIT(lg, T)                                                                            \
    INLINE void any_##lg(T *d, const T *base, const int32_t *element, uint32_t strip)              \
    {                                                                                              \
        EIGHT for (uint32_t i = 0; i < strip; i++) d[i] = base[element[i]];                        \
    }
ANY_UNIT(0, uint8_t)
ANY_UNIT(1, uint16_t)
ANY_UNIT(3, uint64_t)
#if defined __AVX2__
INLINE void any_2(uint32_t *d, const uint32_t *base, const int32_t *element, uint32_t strip)
{
    (void)strip;
    _mm256_storeu_si256(
        (__m256i *)d,
        _mm256_i32gather_epi32((const int *)base, _mm256_loadu_si256((const __m256i *)element), 4));
}
#else
ANY_UNIT(2, uint32_t)
#endif

// `windows`: all windows of the lane shape are inside the object.
#define SHAPED(lg, T, STRIP)                                                                       \
    INLINE void take_strip_##lg(T *d, const T *base, unsigned how, int32_t from,                   \
                                const int32_t *element, bool windows)                              \
    {                                                                                              \
        const T *const p = base + from;                                                            \
        if (how == VM_STRIP_NEXT) {                                                                \
            copy_line(d, p, STRIP * sizeof(T));                                                    \
        } else if (how == VM_STRIP_BROADCAST) {                                                    \
            const T v = *p;                                                                        \
            for (uint32_t i = 0; i < STRIP; i++) d[i] = v;                                         \
        } else if (how == VM_STRIP_ANY || !windows) {                                              \
            any_##lg(d, base, element, STRIP);                                                     \
        } else {                                                                                   \
            switch (how - VM_STRIP_WINDOW) {                                                       \
            case 0: window_##lg(d, p, element, from, 1); break;                                    \
            case 1: window_##lg(d, p, element, from, 2); break;                                    \
            case 2: window_##lg(d, p, element, from, 3); break;                                    \
            default: window_##lg(d, p, element, from, 4); break;                                   \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    /** `base`: lane 0's element; `room`: elements from there to the object's end. */              \
    OUTLINE void load_shaped_##lg(T *d, const T *base, int64_t room,                               \
                                  const struct vm_lane_shape *s, const uint8_t *mask, bool masked) \
    {                                                                                              \
        const bool windows = HAS_WINDOWS && s->reach <= room;                                      \
        const uint8_t *const how = s->how;                                                         \
        const int32_t *const from = s->from, *const element = s->element;                          \
        const uint32_t strips = s->n / STRIP;                                                      \
        d = ALIGNED(d);                                                                            \
        mask = ALIGNED(mask);                                                                      \
        if (!masked && s->all == VM_STRIP_NEXT) {                                                  \
            for (uint32_t u = 0; u < strips; u++)                                                  \
                copy_line(d + u * STRIP, base + from[u], STRIP * sizeof(T));                       \
            return;                                                                                \
        }                                                                                          \
        if (!masked && s->all == VM_STRIP_BROADCAST) {                                             \
            for (uint32_t u = 0; u < strips; u++)                                                  \
                take_strip_##lg(d + u * STRIP, base, VM_STRIP_BROADCAST, from[u], element, false); \
            return;                                                                                \
        }                                                                                          \
        if (!masked) {                                                                             \
            for (uint32_t u = 0; u < strips; u++)                                                  \
                if (how[u] & VM_STRIP_AGAIN)                                                       \
                    copy_line(d + u * STRIP, d + u * STRIP - STRIP, STRIP * sizeof(T));            \
                else                                                                               \
                    take_strip_##lg(d + u * STRIP, base, how[u], from[u], element + u * STRIP,     \
                                    windows);                                                      \
            return;                                                                                \
        }                                                                                          \
        for (uint32_t u = 0; u < strips; u++) {                                                    \
            T now[STRIP] __attribute__((aligned(64)));                                             \
            T *const to = d + u * STRIP;                                                           \
            const uint8_t *const m = mask + u * STRIP;                                             \
            uint64_t some[STRIP / 8];                                                              \
            memcpy(some, m, STRIP);                                                                \
            if (!(some[0] | some[STRIP / 8 - 1])) continue;                                        \
            take_strip_##lg(now, base, how[u] & ~VM_STRIP_AGAIN, from[u], element + u * STRIP,     \
                            windows);                                                              \
            LANES for (uint32_t i = 0; i < STRIP; i++) to[i] = m[i] ? now[i] : to[i];              \
        }                                                                                          \
    }                                                                                              \
    /** `alone`: no other thread may write there now, so old values may be written back.           \
     * `room`: see load_laid_out. */                                                               \
    OUTLINE void store_shaped_##lg(T *base, int64_t room, const T *v, T one, bool is_uniform,      \
                                   const struct vm_lane_shape *s, bool alone, const uint8_t *mask, \
                                   bool masked)                                                    \
    {                                                                                              \
        T same[STRIP] __attribute__((aligned(64)));                                                \
        for (uint32_t i = 0; i < STRIP; i++) same[i] = one;                                        \
        mask = ALIGNED(mask);                                                                      \
        if (!masked && !is_uniform && s->all == VM_STRIP_NEXT) {                                   \
            const int32_t *const from = s->from;                                                   \
            for (uint32_t u = 0; u < s->n / STRIP; u++)                                            \
                copy_line(base + from[u], v + u * STRIP, STRIP * sizeof(T));                       \
            return;                                                                                \
        }                                                                                          \
        const bool spreads = alone && s->spreads && s->reach <= room;                              \
        for (uint32_t u = 0; u < s->n / STRIP; u++) {                                              \
            const T *const from = is_uniform ? same : v + u * STRIP;                               \
            const uint8_t *const m = mask + u * STRIP;                                             \
            const int32_t *const element = s->element + u * STRIP;                                 \
            uint64_t some[2] = {~0ull, ~0ull};                                                     \
            if (masked) memcpy(some, m, STRIP);                                                    \
            if (!~(some[0] & some[1])) {                                                           \
                if ((s->how[u] & ~VM_STRIP_AGAIN) == VM_STRIP_NEXT) {                              \
                    copy_line(base + s->from[u], from, STRIP * sizeof(T));                         \
                } else { /* one after the other: two may have the same element */                  \
                    EIGHT for (uint32_t i = 0; i < STRIP; i++) base[element[i]] = from[i];         \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            const unsigned how = s->how[u] & ~VM_STRIP_AGAIN;                                      \
            if (!(some[0] | some[STRIP / 8 - 1])) continue;                                        \
            if (alone && how == VM_STRIP_NEXT && put_back_##lg(base + s->from[u], from, m))        \
                continue;                                                                          \
            if (spreads && (how == VM_STRIP_WINDOW || how == VM_STRIP_WINDOW + 1) &&               \
                spread_some_##lg(base + s->from[u], from, m, s->inverse + u * 2 * VM_STRIP,        \
                                 how - VM_STRIP_WINDOW + 1))                                       \
                continue;                                                                          \
            uint32_t bits = eight_bits(some[0]) | (STRIP > 8 ? eight_bits(some[1]) << 8 : 0);      \
            if (how == VM_STRIP_NEXT && put_some_##lg(base + s->from[u], from, bits)) continue;    \
            if (alone && __builtin_popcount(bits) >                                                \
                             2) { /* a branch for each lane is mispredicted too often */           \
                EIGHT for (uint32_t i = 0; i < STRIP; i++)                                         \
                {                                                                                  \
                    T *const p = base + element[i];                                                \
                    const T was = *p, now = from[i], all = (T)0 - (T)(m[i] & 1);                   \
                    *p = (T)((now & all) | (was & (T)~all));                                       \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            for (; bits; bits &= bits - 1) {                                                       \
                const int i = __builtin_ctz(bits);                                                 \
                base[element[i]] = from[i];                                                        \
            }                                                                                      \
        }                                                                                          \
    }
SHAPED(0, uint8_t, 16)
SHAPED(1, uint16_t, 8)
SHAPED(2, uint32_t, 8)
SHAPED(3, uint64_t, 8)
#endif

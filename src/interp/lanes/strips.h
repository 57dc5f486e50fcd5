// SPDX-License-Identifier: MIT
#ifndef INTERP_STRIPS_H
#define INTERP_STRIPS_H
// Planned accesses in strips of 16 lanes (strip mining); for access.c, which is compiled once for
// each instruction set.
//
// The addresses of a strip's active lanes determine the method: all the same, consecutive, two
// consecutive halves (rows of groups that are 8 wide), within two vectors (strides, exchanges with
// a neighbor), or a gather or scatter, which costs ten times as much. A load writes active lanes
// only. If the lane shape is known (lane_shapes.h), this was decided when the shape was made
// (shape_access.h).
#include "interp/lanes/shape_access.h"

#include <string.h>
#if defined __SSE2__
#include <immintrin.h>
#endif

static const uint32_t iota[16]
    __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
enum { ALL16 = 0xffff };

/** Bits of the active lanes. */
INLINE uint32_t active16(const uint8_t *mask)
{
#if defined __SSE2__
    return (uint32_t)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)mask));
#else
    uint32_t m = 0;
    for (int i = 0; i < 16; i++) m |= (uint32_t)(mask[i] & 1) << i;
    return m;
#endif
}

/** Are the elements of the lanes in m (not 0) all e, or e + i for lane i? */
#if defined __AVX512F__
INLINE bool all_same(const uint32_t *k, uint32_t m, uint32_t e)
{
    return !_mm512_mask_cmpneq_epi32_mask((__mmask16)m, _mm512_loadu_si512(k),
                                          _mm512_set1_epi32((int)e));
}
INLINE bool all_next(const uint32_t *k, uint32_t m, uint32_t e)
{
    const __m512i want = _mm512_add_epi32(_mm512_load_si512(iota), _mm512_set1_epi32((int)e));
    return !_mm512_mask_cmpneq_epi32_mask((__mmask16)m, _mm512_loadu_si512(k), want);
}
#elif defined __AVX2__
INLINE bool equal16(const uint32_t *k, uint32_t m, __m256i x, __m256i y)
{
    const __m256i a = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)k), x);
    const __m256i b = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(k + 8)), y);
    const uint32_t equal = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a)) |
                           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(b)) << 8;
    return !(m & ~equal);
}
INLINE bool all_same(const uint32_t *k, uint32_t m, uint32_t e)
{
    const __m256i x = _mm256_set1_epi32((int)e);
    return equal16(k, m, x, x);
}
INLINE bool all_next(const uint32_t *k, uint32_t m, uint32_t e)
{
    const __m256i x = _mm256_set1_epi32((int)e);
    return equal16(k, m, _mm256_add_epi32(x, _mm256_load_si256((const __m256i *)iota)),
                   _mm256_add_epi32(x, _mm256_load_si256((const __m256i *)(iota + 8))));
}
#else
INLINE bool all_same(const uint32_t *k, uint32_t m, uint32_t e)
{
    uint32_t differ = 0;
    for (int i = 0; i < 16; i++) differ |= (k[i] ^ e) & (0 - (m >> i & 1));
    return !differ;
}
INLINE bool all_next(const uint32_t *k, uint32_t m, uint32_t e)
{
    uint32_t differ = 0;
    for (int i = 0; i < 16; i++) differ |= (k[i] ^ (e + iota[i])) & (0 - (m >> i & 1));
    return !differ;
}
#endif

/** The layout of 8 elements. */
enum { ANYHOW, BROADCAST, NEXT };
INLINE unsigned shape8(const uint32_t *k)
{
    const uint32_t e0 = k[0];
    uint32_t same = 0, next = 0;
    for (int i = 0; i < 8; i++) {
        same |= k[i] ^ e0;
        next |= k[i] ^ (e0 + iota[i]);
    }
    return !same ? BROADCAST : !next ? NEXT : ANYHOW;
}

/** Element numbers of 16 lanes. The index is the element itself in most accesses: `direct`. */
INLINE const uint32_t *elements(bool direct, uint32_t c0, uint32_t step, const uint32_t *idx,
                                uint32_t *indices)
{
    if (direct) return idx;
    if (step == 1) {
        LANES for (int i = 0; i < 16; i++) indices[i] = idx[i] + c0;
    } else {
        LANES for (int i = 0; i < 16; i++) indices[i] = idx[i] * step + c0;
    }
    return indices;
}

// ---- lanes m of consecutive elements (p: lane 0's); of one element; of any elements
#define SOME(lg, T)                                                                                \
    INLINE void load_next_##lg(T *d, const T *p, uint32_t m)                                       \
    {                                                                                              \
        for (int i = 0; i < 16; i++)                                                               \
            if (m >> i & 1) d[i] = p[i];                                                           \
    }                                                                                              \
    INLINE void store_next_##lg(T *p, const T *v, uint32_t m)                                      \
    {                                                                                              \
        for (int i = 0; i < 16; i++)                                                               \
            if (m >> i & 1) p[i] = v[i];                                                           \
    }
#define ANY(lg, T)                                                                                 \
    INLINE void load_broadcast_##lg(T *d, T v, uint32_t m)                                         \
    {                                                                                              \
        for (int i = 0; i < 16; i++) d[i] = m >> i & 1 ? v : d[i];                                 \
    }                                                                                              \
    INLINE void load_any_##lg(T *d, const T *base, const uint32_t *k, uint32_t m, uint32_t room)   \
    {                                                                                              \
        (void)room;                                                                                \
        if (m == ALL16) {                                                                          \
            LANES for (int i = 0; i < 16; i++) d[i] = base[(int32_t)k[i]];                         \
            return;                                                                                \
        }                                                                                          \
        for (; m; m &= m - 1) {                                                                    \
            const int i = __builtin_ctz(m);                                                        \
            d[i] = base[(int32_t)k[i]];                                                            \
        }                                                                                          \
    }                                                                                              \
    INLINE void store_any_##lg(T *base, const T *v, const uint32_t *k, uint32_t m)                 \
    {                                                                                              \
        if (m == ALL16) {                                                                          \
            for (int i = 0; i < 16; i++) base[(int32_t)k[i]] = v[i];                               \
            return;                                                                                \
        }                                                                                          \
        for (; m; m &= m - 1) {                                                                    \
            const int i = __builtin_ctz(m);                                                        \
            base[(int32_t)k[i]] = v[i];                                                            \
        }                                                                                          \
    }
#if defined __AVX512BW__ && defined __AVX512VL__
#include "interp/lanes/strips_v4.inc"
#elif defined __AVX2__
#include "interp/lanes/strips_v3.inc"
#else
SOME(0, uint8_t)
SOME(1, uint16_t)
SOME(2, uint32_t)
SOME(3, uint64_t)
ANY(2, uint32_t)
#endif
ANY(0, uint8_t)
ANY(1, uint16_t)
ANY(3, uint64_t)

// ---- running a plan: one component for all strips; `room`: elements of the object from `base` on
#define STRIPS(lg, T)                                                                              \
    INLINE void fill16_##lg(T *to, T v) { LANES for (int i = 0; i < 16; i++) to[i] = v; }          \
    INLINE void load_strips_##lg(T *d, const T *base, uint32_t room, const struct plan *pl,        \
                                 const uint8_t *mask, uint32_t n, bool masked)                     \
    {                                                                                              \
        const uint32_t *idx = ALIGNED(pl->idx);                                                    \
        const uint32_t c0 = pl->c0, step = pl->step;                                               \
        const bool direct = !c0 & (step == 1);                                                     \
        if (pl->lane_shape) {                                                                      \
            load_shaped_##lg(d, base + (int32_t)c0, (int64_t)room - (int32_t)c0, pl->lane_shape,   \
                             mask, masked);                                                        \
            return;                                                                                \
        }                                                                                          \
        d = ALIGNED(d);                                                                            \
        mask = ALIGNED(mask);                                                                      \
        for (uint32_t c = 0; c < n; c += 16) {                                                     \
            const uint32_t m = masked ? active16(mask + c) : ALL16;                                \
            if (masked && !m) continue;                                                            \
            uint32_t indices[16] __attribute__((aligned(64)));                                     \
            const uint32_t *k = elements(direct, c0, step, idx + c, indices);                      \
            const uint32_t first = masked ? (uint32_t)__builtin_ctz(m) : 0, e = k[first];          \
            unsigned shape[2];                                                                     \
            if (all_next(k, m, e - first)) {                                                       \
                if (!masked) __builtin_prefetch(base + e + n);                                     \
                if (m == ALL16) copy_line(d + c, base + e, 16 * sizeof(T));                        \
                else load_next_##lg(d + c, base + (int32_t)(e - first), m);                        \
            } else if (all_same(k, m, e)) {                                                        \
                const T v = base[(int32_t)e];                                                      \
                if (m != ALL16) load_broadcast_##lg(d + c, v, m);                                  \
                else fill16_##lg(d + c, v);                                                        \
            } else if (m == ALL16 && k[1] - e <= 1 && (shape[0] = shape8(k)) &&                    \
                       (shape[1] = shape8(k + 8))) {                                               \
                for (uint32_t h = 0; h < 2; h++) {                                                 \
                    const T *const from = base + (int32_t)k[8 * h];                                \
                    T *const to = d + c + 8 * h;                                                   \
                    if (shape[h] == NEXT) {                                                        \
                        memcpy(to, from, 8 * sizeof(T));                                           \
                    } else {                                                                       \
                        const T v = *from;                                                         \
                        for (uint32_t i = 0; i < 8; i++) to[i] = v;                                \
                    }                                                                              \
                }                                                                                  \
            } else {                                                                               \
                load_any_##lg(d + c, base, k, m, room);                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    INLINE void store_strips_##lg(T *base, uint32_t room, const T *v, bool is_uniform,             \
                                  const struct plan *pl, const uint8_t *mask, uint32_t n,          \
                                  bool masked)                                                     \
    {                                                                                              \
        const uint32_t *idx = ALIGNED(pl->idx);                                                    \
        const uint32_t c0 = pl->c0, step = pl->step;                                               \
        const T u = is_uniform ? (T) * (const uint64_t *)v : 0;                                    \
        const bool direct = !c0 & (step == 1);                                                     \
        if (pl->lane_shape) {                                                                      \
            store_shaped_##lg(base + (int32_t)c0, (int64_t)room - (int32_t)c0, v, u, is_uniform,   \
                              pl->lane_shape, pl->o->kind == VM_OBJ_LOCAL, mask, masked);          \
            return;                                                                                \
        }                                                                                          \
        mask = ALIGNED(mask);                                                                      \
        T w[16] __attribute__((aligned(64)));                                                      \
        if (is_uniform)                                                                            \
            for (uint32_t i = 0; i < 16; i++) w[i] = u;                                            \
        for (uint32_t c = 0; c < n; c += 16) {                                                     \
            const uint32_t m = masked ? active16(mask + c) : ALL16;                                \
            if (masked && !m) continue;                                                            \
            const T *const from = is_uniform ? w : v + c;                                          \
            uint32_t indices[16] __attribute__((aligned(64)));                                     \
            const uint32_t *k = elements(direct, c0, step, idx + c, indices);                      \
            const uint32_t first = masked ? (uint32_t)__builtin_ctz(m) : 0, e = k[first];          \
            if (all_next(k, m, e - first)) {                                                       \
                if (!masked) __builtin_prefetch(base + e + n, 1);                                  \
                if (m == ALL16) copy_line(base + e, from, 16 * sizeof(T));                         \
                else store_next_##lg(base + (int32_t)(e - first), from, m);                        \
            } else if (m == ALL16 && k[1] == e + 1 && shape8(k) == NEXT &&                         \
                       shape8(k + 8) == NEXT) {                                                    \
                memcpy(base + e, from, 8 * sizeof(T));                                             \
                memcpy(base + k[8], from + 8, 8 * sizeof(T));                                      \
            } else {                                                                               \
                store_any_##lg(base, from, k, m);                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    OUTLINE void load_all_##lg(T *d, const T *base, uint32_t room, const struct plan *pl,          \
                               const uint8_t *mask, uint32_t n)                                    \
    {                                                                                              \
        load_strips_##lg(d, base, room, pl, mask, n, false);                                       \
    }                                                                                              \
    OUTLINE void load_some_##lg(T *d, const T *base, uint32_t room, const struct plan *pl,         \
                                const uint8_t *mask, uint32_t n)                                   \
    {                                                                                              \
        load_strips_##lg(d, base, room, pl, mask, n, true);                                        \
    }                                                                                              \
    OUTLINE void store_all_##lg(T *base, uint32_t room, const T *v, bool is_uniform,               \
                                const struct plan *pl, const uint8_t *mask, uint32_t n)            \
    {                                                                                              \
        store_strips_##lg(base, room, v, is_uniform, pl, mask, n, false);                          \
    }                                                                                              \
    OUTLINE void store_some_##lg(T *base, uint32_t room, const T *v, bool is_uniform,              \
                                 const struct plan *pl, const uint8_t *mask, uint32_t n)           \
    {                                                                                              \
        store_strips_##lg(base, room, v, is_uniform, pl, mask, n, true);                           \
    }
STRIPS(0, uint8_t)
STRIPS(1, uint16_t)
STRIPS(2, uint32_t)
STRIPS(3, uint64_t)

INLINE uint32_t room_of(const struct plan *pl, const struct vm_access *x, uint32_t comp)
{
    const uint64_t size = pl->o->step ? (uint64_t)pl->o->step * pl->o->copies : pl->o->size;
    return (uint32_t)(size >> x->elog) - comp;
}

#define BY_ELOG(elog, do)                                                                          \
    switch (elog) {                                                                                \
    case 0:                                                                                        \
        do (0, uint8_t);                                                                           \
        break;                                                                                     \
    case 1:                                                                                        \
        do (1, uint16_t);                                                                          \
        break;                                                                                     \
    case 2:                                                                                        \
        do (2, uint32_t);                                                                          \
        break;                                                                                     \
    default: do (3, uint64_t);                                                                     \
    }

/** Component j of a planned load, into d, an array over lanes. */
INLINE void load_component(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                           uint32_t j, void *d, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), room = room_of(pl, x, j);
#define LOAD(lg, T)                                                                                \
    (masked ? load_some_##lg : load_all_##lg)(d, (const T *)pl->base + j, room, pl, g->mask, n)
    BY_ELOG(x->elog, LOAD)
#undef LOAD
}

/** The values of a store: an array over lanes, or a uniform slot. */
struct stored {
    const void *v;
    bool is_uniform;
};
/** Component j of a planned store. */
INLINE void store_component(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                            uint32_t j, struct stored from, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), room = room_of(pl, x, j);
#define STORE(lg, T)                                                                               \
    (masked ? store_some_##lg : store_all_##lg)((T *)pl->base + j, room, from.v, from.is_uniform,  \
                                                pl, g->mask, n)
    BY_ELOG(x->elog, STORE)
#undef STORE
}
#endif

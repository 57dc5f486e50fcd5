// SPDX-License-Identifier: MIT
// Loads and stores of a whole gang, the quick way. Compiled once for each instruction set.
//
// A right access (plan.h) runs by chunks of 16 lanes, each by its own shape: all the same element, consecutive
// elements, or anything.
#include "interp/plan.h"
#include "interp/undef.h"
#include "interp/vectors.h"

#include <string.h>
#if defined __SSE2__
#include <immintrin.h>
#endif

static const uint32_t iota[16] __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/** Whether 16 elements are all e0, or e0, e0 + 1, … */
#if defined __AVX512F__
INLINE bool all_same(const uint32_t *k, uint32_t e0)
{
    return !_mm512_cmpneq_epi32_mask(_mm512_loadu_si512(k), _mm512_set1_epi32((int)e0));
}
INLINE bool all_next(const uint32_t *k, uint32_t e0)
{
    const __m512i want = _mm512_add_epi32(_mm512_load_si512(iota), _mm512_set1_epi32((int)e0));
    return !_mm512_cmpneq_epi32_mask(_mm512_loadu_si512(k), want);
}
#elif defined __AVX2__
INLINE bool equal16(const uint32_t *k, __m256i x, __m256i y)
{
    const __m256i a = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)k), x);
    const __m256i b = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(k + 8)), y);
    return _mm256_movemask_epi8(_mm256_and_si256(a, b)) == -1;
}
INLINE bool all_same(const uint32_t *k, uint32_t e0)
{
    const __m256i e = _mm256_set1_epi32((int)e0);
    return equal16(k, e, e);
}
INLINE bool all_next(const uint32_t *k, uint32_t e0)
{
    const __m256i e = _mm256_set1_epi32((int)e0);
    return equal16(k, _mm256_add_epi32(e, _mm256_load_si256((const __m256i *)iota)),
                   _mm256_add_epi32(e, _mm256_load_si256((const __m256i *)(iota + 8))));
}
#else
INLINE bool all_same(const uint32_t *k, uint32_t e0)
{
    uint32_t differ = 0;
    LANES for (int i = 0; i < 16; i++)
        differ |= k[i] ^ e0;
    return !differ;
}
INLINE bool all_next(const uint32_t *k, uint32_t e0)
{
    uint32_t differ = 0;
    LANES for (int i = 0; i < 16; i++)
        differ |= k[i] ^ (e0 + iota[i]);
    return !differ;
}
#endif

/** How 8 elements lie: rows of groups that are 8 wide. */
enum { ANYHOW, SAME, NEXT };
INLINE unsigned shape8(const uint32_t *k)
{
    const uint32_t e0 = k[0];
    uint32_t same = 0, next = 0;
    for (int i = 0; i < 8; i++) {
        same |= k[i] ^ e0;
        next |= k[i] ^ (e0 + iota[i]);
    }
    return !same ? SAME : !next ? NEXT : ANYHOW;
}

/** Private memory: element numbers become places among the interleaved words (elements of 4 and 8 bytes). */
INLINE bool plan_private(struct vm_gang *g, const struct vm_access *x, struct plan *pl)
{
    if (x->elog < 2) return false;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const uint32_t *idx = ALIGNED(pl->idx);
    uint32_t *e = ALIGNED(g->elements);
    const uint32_t c0 = pl->c0, step = pl->step;
    LANES for (uint32_t i = 0; i < n; i++)
        e[i] = c0 + idx[i] * step;
    pl->idx = e;
    pl->c0 = 0;
    pl->step = 1;
    pl->rows = true;
    return true;
}

/** Element numbers of 16 lanes. The index is the element itself in most accesses: `direct`. */
INLINE const uint32_t *elements(bool direct, uint32_t c0, uint32_t step, const uint32_t *idx, uint32_t *places)
{
    if (direct) return idx;
    if (step == 1) {
        LANES for (int i = 0; i < 16; i++)
            places[i] = idx[i] + c0;
    } else {
        LANES for (int i = 0; i < 16; i++)
            places[i] = idx[i] * step + c0;
    }
    return places;
}

// ---- some of 16 lanes; elements c0 + idx * step
#define SOME(lg, T)                                                                                        \
    INLINE void load_some_##lg(T *d, const T *base, uint32_t c0, uint32_t step, const uint32_t *idx, const uint8_t *mask) \
    {                                                                                                      \
        for (int i = 0; i < 16; i++)                                                                       \
            if (mask[i]) d[i] = base[c0 + idx[i] * step];                                                  \
    }                                                                                                      \
    INLINE void store_some_##lg(T *base, const T *v, uint32_t c0, uint32_t step, const uint32_t *idx, const uint8_t *mask) \
    {                                                                                                      \
        for (int i = 0; i < 16; i++)                                                                       \
            if (mask[i]) base[c0 + idx[i] * step] = v[i];                                                  \
    }                                                                                                      \
    INLINE void store_all_##lg(T *base, const T *v, const uint32_t *k)                                     \
    {                                                                                                      \
        for (int i = 0; i < 16; i++)                                                                       \
            base[k[i]] = v[i];                                                                             \
    }
SOME(0, uint8_t)
SOME(1, uint16_t)
SOME(3, uint64_t)
#if defined __AVX512BW__ && defined __AVX512VL__
INLINE __mmask16 bits_of(const uint8_t *mask) { return _mm_movepi8_mask(_mm_loadu_si128((const __m128i *)mask)); }
INLINE __m512i places_of(uint32_t c0, uint32_t step, const uint32_t *idx)
{
    const __m512i k = _mm512_mullo_epi32(_mm512_loadu_si512(idx), _mm512_set1_epi32((int)step));
    return _mm512_add_epi32(k, _mm512_set1_epi32((int)c0));
}
INLINE void load_some_2(uint32_t *d, const uint32_t *base, uint32_t c0, uint32_t step, const uint32_t *idx, const uint8_t *mask)
{
    const __mmask16 m = bits_of(mask);
    const __m512i v = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, places_of(c0, step, idx), base, 4);
    _mm512_mask_storeu_epi32(d, m, v);
}
// Where two lanes have one place the last wins, as in a loop.
INLINE void store_some_2(uint32_t *base, const uint32_t *v, uint32_t c0, uint32_t step, const uint32_t *idx, const uint8_t *mask)
{
    _mm512_mask_i32scatter_epi32(base, bits_of(mask), places_of(c0, step, idx), _mm512_loadu_si512(v), 4);
}
INLINE void store_all_2(uint32_t *base, const uint32_t *v, const uint32_t *k)
{
    _mm512_i32scatter_epi32(base, _mm512_loadu_si512(k), _mm512_loadu_si512(v), 4);
}
#else
SOME(2, uint32_t)
#endif

// ---- running a plan: one component for 16 lanes at a time
#define CHUNKS(lg, T)                                                                                     \
    INLINE void load_chunks_##lg(T *d, const T *base, const struct plan *pl, const uint8_t *mask,  \
                                        uint32_t n, bool masked)                                          \
    {                                                                                                     \
        const uint32_t *idx = ALIGNED(pl->idx);                                                           \
        const uint32_t c0 = pl->c0, step = pl->step;                                                      \
        const bool direct = !c0 & (step == 1);                                                            \
        d = ALIGNED(d);                                                                                   \
        mask = ALIGNED(mask);                                                                             \
        for (uint32_t c = 0; c < n; c += 16) {                                                            \
            if (masked) {                                                                                 \
                uint64_t m[2];                                                                            \
                memcpy(m, mask + c, 16);                                                                  \
                if (!(m[0] | m[1])) continue;                                                             \
                if (~(m[0] & m[1])) {                                                                     \
                    load_some_##lg(d + c, base, c0, step, idx + c, mask + c);                             \
                    continue;                                                                             \
                }                                                                                         \
            }                                                                                             \
            uint32_t places[16] __attribute__((aligned(64)));                                             \
            const uint32_t *k = elements(direct, c0, step, idx + c, places);                              \
            const uint32_t e0 = k[0];                                                                     \
            unsigned shape[2];                                                                            \
            if (k[1] == e0 && all_same(k, e0)) {                                                          \
                const T v = base[e0];                                                                     \
                for (uint32_t i = 0; i < 16; i++)                                                         \
                    d[c + i] = v;                                                                         \
            } else if (k[1] == e0 + 1 && all_next(k, e0)) {                                               \
                __builtin_prefetch(base + e0 + n);\
                memcpy(d + c, base + e0, 16 * sizeof(T));                                                 \
            } else if (k[1] - e0 <= 1 && (shape[0] = shape8(k)) && (shape[1] = shape8(k + 8))) {          \
                for (uint32_t h = 0; h < 2; h++) {                                                        \
                    const T *const from = base + k[8 * h];                                                \
                    T *const to = d + c + 8 * h;                                                          \
                    if (shape[h] == NEXT) {                                                               \
                        memcpy(to, from, 8 * sizeof(T));                                                  \
                    } else {                                                                              \
                        const T v = *from;                                                                \
                        for (uint32_t i = 0; i < 8; i++)                                                  \
                            to[i] = v;                                                                    \
                    }                                                                                     \
                }                                                                                         \
            } else {                                                                                      \
                LANES for (uint32_t i = 0; i < 16; i++)                                                   \
                    d[c + i] = base[(int32_t)k[i]];                                                       \
            }                                                                                             \
        }                                                                                                 \
    }                                                                                                     \
    INLINE void store_chunks_##lg(T *base, const T *v, T u, bool is_uniform, const struct plan *pl, \
                                         const uint8_t *mask, uint32_t n, bool masked)                    \
    {                                                                                                     \
        const uint32_t *idx = ALIGNED(pl->idx);                                                           \
        const uint32_t c0 = pl->c0, step = pl->step;                                                      \
        const bool direct = !c0 & (step == 1);                                                            \
        mask = ALIGNED(mask);                                                                             \
        for (uint32_t c = 0; c < n; c += 16) {                                                            \
            T w[16] __attribute__((aligned(64)));                                                         \
            const T *from = v + c;                                                                        \
            if (is_uniform) {                                                                             \
                for (uint32_t i = 0; i < 16; i++)                                                         \
                    w[i] = u;                                                                             \
                from = w;                                                                                 \
            }                                                                                             \
            if (masked) {                                                                                 \
                uint64_t m[2];                                                                            \
                memcpy(m, mask + c, 16);                                                                  \
                if (!(m[0] | m[1])) continue;                                                             \
                if (~(m[0] & m[1])) {                                                                     \
                    store_some_##lg(base, from, c0, step, idx + c, mask + c);                             \
                    continue;                                                                             \
                }                                                                                         \
            }                                                                                             \
            uint32_t places[16] __attribute__((aligned(64)));                                             \
            const uint32_t *k = elements(direct, c0, step, idx + c, places);                              \
            const uint32_t e0 = k[0];                                                                     \
            if (k[1] == e0 + 1 && all_next(k, e0)) {                                                      \
                __builtin_prefetch(base + e0 + n, 1);\
                memcpy(base + e0, from, 16 * sizeof(T));                                                  \
            } else if (k[1] == e0 + 1 && shape8(k) == NEXT && shape8(k + 8) == NEXT) {                    \
                memcpy(base + e0, from, 8 * sizeof(T));                                                   \
                memcpy(base + k[8], from + 8, 8 * sizeof(T));                                             \
            } else {                                                                                      \
                store_all_##lg(base, from, k);                                                            \
            }                                                                                             \
        }                                                                                                 \
    }
CHUNKS(0, uint8_t)
CHUNKS(1, uint16_t)
CHUNKS(2, uint32_t)
CHUNKS(3, uint64_t)

INLINE bool any16(const uint8_t *mask)
{
    uint64_t m[2];
    memcpy(m, mask, 16);
    return m[0] | m[1];
}

/** Words of 16 lanes from the first one's word 0 on; a gang's private memory has less than 2^31 words. */
INLINE const uint32_t *row_places(const uint32_t *e, uint32_t width, uint32_t *places)
{
    LANES for (uint32_t i = 0; i < 16; i++)
        places[i] = e[i] * width + i;
    return places;
}

/** Private words: lane i's element e is at (e * words + k) * width + i for its word k. */
static void load_rows(struct vm_gang *g, const struct plan *pl, unsigned elog, uint32_t comp, char *d)
{
    const uint32_t *e = ALIGNED(pl->idx);
    const uint32_t *words = (const uint32_t *)pl->base;
    const uint32_t w = g->code->width, n = g->nlanes;
    const uint8_t *mask = ALIGNED(g->mask);
    uint32_t places[16] __attribute__((aligned(64)));
    if (elog == 2) {
        uint32_t *to = ALIGNED((uint32_t *)d);
        for (uint32_t c = 0; c < g->n; c += 16)
            if (any16(mask + c)) load_some_2(to + c, words + (size_t)comp * w + c, 0, 1, row_places(e + c, w, places), mask + c);
    } else {
        uint64_t *to = ALIGNED((uint64_t *)d);
        LANES for (uint32_t i = 0; i < n; i++) {
            const size_t at = (size_t)(e[i] + comp) * 2 * w + i;
            if (mask[i]) to[i] = words[at] | (uint64_t)words[at + w] << 32;
        }
    }
}
static void store_rows(struct vm_gang *g, const struct plan *pl, unsigned elog, uint32_t comp, const char *v, bool is_varying)
{
    const uint32_t *e = ALIGNED(pl->idx);
    uint32_t *words = (uint32_t *)pl->base;
    const uint32_t w = g->code->width, n = g->nlanes;
    const uint8_t *mask = ALIGNED(g->mask);
    const uint32_t k = is_varying;
    uint32_t places[16] __attribute__((aligned(64)));
    if (elog == 2) {
        const uint32_t *from = (const uint32_t *)v;
        uint32_t same[16];
        for (int i = 0; i < 16 && !is_varying; i++)
            same[i] = *from;
        for (uint32_t c = 0; c < g->n; c += 16)
            if (any16(mask + c))
                store_some_2(words + (size_t)comp * w + c, is_varying ? from + c : same, 0, 1, row_places(e + c, w, places), mask + c);
    } else {
        const uint64_t *from = (const uint64_t *)v;
        LANES for (uint32_t i = 0; i < n; i++)
            if (mask[i]) {
                const size_t at = (size_t)(e[i] + comp) * 2 * w + i;
                words[at] = (uint32_t)from[i * k];
                words[at + w] = (uint32_t)(from[i * k] >> 32);
            }
    }
}

static inline void load_private_row(struct vm_gang *g, const struct vm_access *x, uint32_t first, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), w = g->code->width;
    for (uint32_t j = 0; j < x->ncomp; j++) {
        if (x->elog == 2) {
            const uint32_t *row = ALIGNED((const uint32_t *)g->private_mem + (size_t)(first + j) * w);
            uint32_t *d = ALIGNED(g->r + x->val[j]);
            LANES for (uint32_t i = 0; i < n; i++)
                d[i] = row[i];
        } else {
            const uint32_t *row = ALIGNED((const uint32_t *)g->private_mem + (size_t)(first + 2 * j) * w);
            const uint32_t *high = ALIGNED(row + w);
            uint64_t *d = ALIGNED(g->r + x->val[j]);
            LANES for (uint32_t i = 0; i < n; i++)
                d[i] = row[i] | (uint64_t)high[i] << 32;
        }
    }
}
/** The first active lane's, into uniform slots. */
static inline void load_private_one(struct vm_gang *g, const struct vm_access *x, uint32_t first)
{
    const uint32_t w = g->code->width, wide = x->elog == 3;
    uint32_t lane = 0;
    while (!g->mask[lane]) lane++;
    const uint32_t *row = (const uint32_t *)g->private_mem + (size_t)first * w + lane;
    for (uint32_t j = 0; j < x->ncomp; j++, row += (size_t)w << wide)
        *(uint64_t *)(g->r + x->val[j]) = row[0] | (wide ? (uint64_t)row[w] << 32 : 0);
}
static inline void store_private_row(struct vm_gang *g, const struct vm_access *x, uint32_t first)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), w = g->code->width;
    const uint8_t *mask = ALIGNED(g->mask);
    for (uint32_t j = 0; j < x->ncomp; j++) {
        const bool varying = x->val_varying >> j & 1;
        const uint64_t u = *(const uint64_t *)(g->r + x->val[j]);
        if (x->elog == 2) {
            uint32_t *row = ALIGNED((uint32_t *)g->private_mem + (size_t)(first + j) * w);
            const uint32_t *v = ALIGNED(g->r + x->val[j] * varying);
            if (varying) {
                LANES for (uint32_t i = 0; i < n; i++)
                    row[i] = mask[i] ? v[i] : row[i];
            } else {
                LANES for (uint32_t i = 0; i < n; i++)
                    row[i] = mask[i] ? (uint32_t)u : row[i];
            }
        } else {
            uint32_t *row = ALIGNED((uint32_t *)g->private_mem + (size_t)(first + 2 * j) * w);
            uint32_t *high = ALIGNED(row + w);
            const uint64_t *v = ALIGNED(g->r + x->val[j] * varying);
            LANES for (uint32_t i = 0; i < n; i++) {
                const uint64_t now = varying ? v[i] : u;
                row[i] = mask[i] ? (uint32_t)now : row[i];
                high[i] = mask[i] ? (uint32_t)(now >> 32) : high[i];
            }
        }
    }
}

#include "interp/written.inc"

static inline const struct vm_object *base_object(struct vm_gang *g, const struct vm_access *x)
{
    return vm_object_of(g, *(const uint64_t *)(g->r + x->base_off));
}

static inline uint64_t read_element(const char *p, unsigned elog)
{
    switch (elog) {
    case 0: return *(const uint8_t *)p;
    case 1: return *(const uint16_t *)p;
    case 2: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

static inline void fill(void *d, uint64_t v, unsigned elog, uint32_t n)
{
    n &= ~(VM_PAD - 1u);
    d = ALIGNED(d);
    switch (elog) {
    case 0: for (uint32_t i = 0; i < n; i++) ((uint8_t *)d)[i] = (uint8_t)v; break;
    case 1: for (uint32_t i = 0; i < n; i++) ((uint16_t *)d)[i] = (uint16_t)v; break;
    case 2: for (uint32_t i = 0; i < n; i++) ((uint32_t *)d)[i] = (uint32_t)v; break;
    default: for (uint32_t i = 0; i < n; i++) ((uint64_t *)d)[i] = v; break;
    }
}

/**
 * The commonest access of all: every lane is active, and they take consecutive elements of one object in order. Then
 * the ends alone are checked. Where not followed for uninitialized reads; gives the first element, or NULL.
 */
INLINE char *in_order(struct vm_gang *g, const struct vm_access *x, bool write)
{
    if (x->base_varying || !x->index_varying || x->ncomp > 1 || x->step != 1 || !x->regular || g->nactive != g->nlanes) return NULL;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    uint32_t differ = 0;
    int64_t first;
    if (x->index == BC_IDX_I64) {
        const uint64_t *const idx = ALIGNED(g->r + x->index_off);
        first = (int64_t)idx[0];
        if (idx[1] - idx[0] != 1 || idx[n - 1] - idx[0] != n - 1 || first != (int32_t)first) return NULL;
        uint64_t other = 0;
        LANES for (uint32_t i = 0; i < n; i++)
            other |= idx[i] - (uint64_t)first - i;
        differ = other != 0;
    } else {
        const uint32_t *const idx = ALIGNED(g->r + x->index_off);
        const uint32_t i0 = idx[0];
        if (idx[1] - i0 != 1 || idx[n - 1] - i0 != n - 1) return NULL;
        LANES for (uint32_t i = 0; i < n; i++)
            differ |= idx[i] - i0 - i;
        first = x->index == BC_IDX_S32 ? (int64_t)(int32_t)i0 : (int64_t)i0;
        if (first + n - 1 > (x->index == BC_IDX_S32 ? INT32_MAX : UINT32_MAX)) return NULL; // they wrap
    }
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *const o = vm_object_of(g, p);
    const int64_t t = vm_offset_of(p) + x->disp + first * x->scale;
    if (differ || o->kind == VM_OBJ_PRIVATE || !may_access(x, o, write) || t & unaligned(x) || t < 0 ||
        t > (int64_t)o->size - (int64_t)(n << x->elog))
        return NULL;
    if (x->undef && (vm_is_followed(o) || (write ? vm_undef_stores(g, x) : !x->undef->clean))) return NULL;
    if (o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL)) vm_watch_part(g, x, o, write, VM_SHAPE_CONTIGUOUS, (uint64_t)t, NULL, 0, n);
    return o->base + t;
}

/** Lane by lane. */
static const struct vm_insn *load_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const struct vm_insn *const other = x->undef ? vm_undef_load(g, x) : NULL;
    return other ? other : vm_load_slow(g, ip);
}
static const struct vm_insn *store_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    if (x->undef) vm_undef_store(g, x);
    return vm_store_slow(g, ip);
}

INLINE const struct vm_insn *load(struct vm_gang *g, const struct vm_insn *ip, bool masked)
{
    const struct vm_access *x = ip->p;
    const struct vm_insn *other;
    if (!x->base_varying && !x->index_varying) {
        const struct vm_object *o;
        int64_t off;
        uint32_t first;
        if (x->val_varying && x->regular && private_rows(g, x, &first)) {
            if (x->undef) {
                bool written = !vm_is_followed(base_object(g, x));
                if (!written) shadow_rows(g, x, first, &written);
                if ((other = undef_loads(g, x, written))) return other;
            }
            load_private_row(g, x, first, masked);
            return ip + 1;
        }
        if (!x->val_varying && x->regular && private_rows(g, x, &first)) { // all hold the same there
            if (x->undef) {
                bool written = !vm_is_followed(base_object(g, x));
                if (!written) shadow_rows(g, x, first, &written);
                if ((other = undef_loads(g, x, written))) return other;
            }
            load_private_one(g, x, first);
            return ip + 1;
        }
        if (!uniform_place(g, x, false, &o, &off)) return load_slow(g, ip);
        if (x->undef && (other = undef_loads(g, x, !vm_is_followed(o) || bytes_are_written(o, (uint64_t)off, x->bytes)))) return other;
        if (o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL)) vm_watch(g, x, o, false, VM_SHAPE_UNIFORM, (uint64_t)off);
        for (uint32_t j = 0; j < x->ncomp; j++) {
            const uint64_t v = read_element(o->base + off + (j << x->elog), x->elog);
            if (x->val_varying >> j & 1) fill(g->r + x->val[j], v, x->elog, g->n);
            else *(uint64_t *)(g->r + x->val[j]) = v;
        }
        return ip + 1;
    }
    const char *const row = masked ? NULL : in_order(g, x, false);
    if (row) {
        const uint32_t bytes = (g->n & ~(VM_PAD - 1u)) << x->elog;
        char *const to = ALIGNED(g->r + x->val[0]);
        for (uint32_t at = 0; at < bytes; at += 64)
            __builtin_prefetch(row + bytes + at);
        memcpy(to, row, bytes);
        return ip + 1;
    }
    struct plan pl;
    if (!plan(g, x, masked, false, &pl) || (pl.o->kind == VM_OBJ_PRIVATE && !plan_private(g, x, &pl))) return load_slow(g, ip);
    if (x->undef && (other = undef_loads(g, x, plan_is_written(g, x, &pl, masked)))) return other;
    if (pl.o->kind == VM_OBJ_PRIVATE) {
        for (uint32_t j = 0; j < x->ncomp; j++)
            load_rows(g, &pl, x->elog, j, g->r + x->val[j]);
        return ip + 1;
    }
    watch_plan(g, x, &pl, false);
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (x->ncomp > 1 && pl.idx != g->elements) { // a destination may be the index's register
        memcpy(g->elements, pl.idx, n * sizeof *pl.idx);
        pl.idx = g->elements;
    }
    if (x->ncomp > 1 && load_vectors(g, x, &pl, masked)) return ip + 1;
    for (uint32_t j = 0; j < x->ncomp; j++) {
        void *d = g->r + x->val[j];
        switch (x->elog) {
        case 0: load_chunks_0(d, (const uint8_t *)pl.base + j, &pl, g->mask, n, masked); break;
        case 1: load_chunks_1(d, (const uint16_t *)pl.base + j, &pl, g->mask, n, masked); break;
        case 2: load_chunks_2(d, (const uint32_t *)pl.base + j, &pl, g->mask, n, masked); break;
        default: load_chunks_3(d, (const uint64_t *)pl.base + j, &pl, g->mask, n, masked); break;
        }
    }
    return ip + 1;
}

INLINE const struct vm_insn *store(struct vm_gang *g, const struct vm_insn *ip, bool masked)
{
    const struct vm_access *x = ip->p;
    if (g->code->may_part) return store_slow(g, ip); // notes whether memory changes
    if (!x->base_varying && !x->index_varying) {
        uint32_t first;
        if (x->regular && private_rows(g, x, &first)) {
            const struct vm_object *o = base_object(g, x);
            if (x->undef && vm_undef_stores(g, x)) vm_undef_store(g, x);
            else if (x->undef && vm_is_followed(o)) write_rows(g, x, o, first);
            store_private_row(g, x, first);
            return ip + 1;
        }
        return store_slow(g, ip);
    }
    char *const row = masked ? NULL : in_order(g, x, true);
    if (row) {
        const uint32_t bytes = (g->n & ~(VM_PAD - 1u)) << x->elog;
        if (!(x->val_varying & 1)) {
            fill(g->values, *(const uint64_t *)(g->r + x->val[0]), x->elog, g->n);
            memcpy(row, g->values, bytes);
            return ip + 1;
        }
        for (uint32_t at = 0; at < bytes; at += 64)
            __builtin_prefetch(row + bytes + at, 1);
        memcpy(row, ALIGNED(g->r + x->val[0]), bytes);
        return ip + 1;
    }
    struct plan pl;
    if (!plan(g, x, masked, true, &pl) || (pl.o->kind == VM_OBJ_PRIVATE && !plan_private(g, x, &pl))) return store_slow(g, ip);
    if (x->undef && vm_undef_stores(g, x)) vm_undef_store(g, x);
    else if (x->undef) write_plan(g, x, &pl, masked);
    if (pl.o->kind == VM_OBJ_PRIVATE) {
        for (uint32_t j = 0; j < x->ncomp; j++)
            store_rows(g, &pl, x->elog, j, g->r + x->val[j], x->val_varying >> j & 1);
        return ip + 1;
    }
    watch_plan(g, x, &pl, true);
    if (x->ncomp > 1 && store_vectors(g, x, &pl, masked)) return ip + 1;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    for (uint32_t j = 0; j < x->ncomp; j++) {
        const bool uniform = !(x->val_varying >> j & 1);
        const uint64_t u = uniform ? *(const uint64_t *)(g->r + x->val[j]) : 0;
        const void *v = uniform ? g->r : g->r + x->val[j];
        switch (x->elog) {
        case 0: store_chunks_0((uint8_t *)pl.base + j, v, (uint8_t)u, uniform, &pl, g->mask, n, masked); break;
        case 1: store_chunks_1((uint16_t *)pl.base + j, v, (uint16_t)u, uniform, &pl, g->mask, n, masked); break;
        case 2: store_chunks_2((uint32_t *)pl.base + j, v, (uint32_t)u, uniform, &pl, g->mask, n, masked); break;
        default: store_chunks_3((uint64_t *)pl.base + j, v, u, uniform, &pl, g->mask, n, masked); break;
        }
    }
    return ip + 1;
}

// A gang whose lanes do not fill its last chunk is treated as one with inactive lanes.
#define ENTRY(name, what, masked)                                                        \
    vm_handler CAT(name, VM_ISA);                                                        \
    const struct vm_insn *CAT(name, VM_ISA)(struct vm_gang * g, const struct vm_insn *ip) \
    {                                                                                    \
        return what(g, ip, masked);                                                      \
    }
ENTRY(vm_load_masked_, load, true)
ENTRY(vm_store_masked_, store, true)
#define ENTRY_FULL(name, what, other)                                                    \
    vm_handler CAT(name, VM_ISA);                                                        \
    const struct vm_insn *CAT(name, VM_ISA)(struct vm_gang * g, const struct vm_insn *ip) \
    {                                                                                    \
        return g->n == g->nlanes ? what(g, ip, false) : CAT(other, VM_ISA)(g, ip);       \
    }
ENTRY_FULL(vm_load_full_, load, vm_load_masked_)
ENTRY_FULL(vm_store_full_, store, vm_store_masked_)

/** Address arithmetic saturates inside the object's id. */
vm_handler CAT(vm_lea_, VM_ISA);
const struct vm_insn *CAT(vm_lea_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const int64_t limit = 1ll << 46;
    if (!(x->val_varying & 1) || (!x->base_varying && !x->index_varying) || x->scale > INT32_MAX ||
        x->scale < INT32_MIN || x->disp > limit || x->disp < -limit)
        return vm_op_lea_slow(g, ip);
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    struct vm_access y = *x;
    if (!x->index_varying && x->index != BC_IDX_NONE) spread_index(g, x, &y);
    uint64_t *d = ALIGNED(g->r + x->val[0]);
    const uint64_t *base = ALIGNED(g->r + (x->base_varying ? x->base_off : 0));
    const uint64_t one = *(const uint64_t *)(g->r + x->base_off);
    int64_t *off = ALIGNED((int64_t *)g->offsets);
    const int64_t scale = x->scale, disp = x->disp;
    const uint32_t *i32 = ALIGNED(g->r + y.index_off);
    const int64_t *i64 = ALIGNED(g->r + y.index_off);
    switch (y.index) {
    case BC_IDX_NONE:
        LANES for (uint32_t i = 0; i < n; i++)
            off[i] = disp;
        break;
    case BC_IDX_S32:
        LANES for (uint32_t i = 0; i < n; i++)
            off[i] = (int32_t)i32[i] * scale + disp;
        break;
    case BC_IDX_U32:
        LANES for (uint32_t i = 0; i < n; i++)
            off[i] = i32[i] * scale + disp;
        break;
    default: // beyond this the product may wrap, and the pointer is far outside any object in any case
        LANES for (uint32_t i = 0; i < n; i++) {
            const int64_t v = i64[i], far = 1ll << 31;
            const int64_t product = v * scale + disp;
            const int64_t end = (v > 0) == (scale > 0) ? 1ll << 49 : -(1ll << 49);
            off[i] = (v > far || v < -far) && scale != 0 ? ((v >> 48 == 0 || v >> 48 == -1) && scale <= 8192 && scale >= -8192 ? product : end) : product;
        }
    }
    const int64_t max = (int64_t)VM_PTR_MASK;
    const bool varying = x->base_varying;
    if (varying) {
        LANES for (uint32_t i = 0; i < n; i++) {
            const uint64_t p = base[i];
            int64_t s = (int64_t)(p & VM_PTR_MASK) + off[i];
            s = s < 0 ? 0 : s > max ? max : s;
            d[i] = (p & ~VM_PTR_MASK) | (uint64_t)s;
        }
    } else {
        LANES for (uint32_t i = 0; i < n; i++) {
            int64_t s = (int64_t)(one & VM_PTR_MASK) + off[i];
            s = s < 0 ? 0 : s > max ? max : s;
            d[i] = (one & ~VM_PTR_MASK) | (uint64_t)s;
        }
    }
    return ip + 1;
}

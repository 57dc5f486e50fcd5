// SPDX-License-Identifier: MIT
#ifndef INTERP_PRIVATE_ACCESS_H
#define INTERP_PRIVATE_ACCESS_H
// Accesses of private memory, for access.c. Its words are interleaved over the lanes (structure of
// arrays): word k of all lanes is a row, so lanes with the same offset, the usual case, access a
// row as it is.
#include "interp/lanes/strips.h"

/** Every lane accesses the same offset of its private memory, which is smaller than a word. */
static inline bool private_part(struct vm_gang *g, const struct vm_access *x, struct plan *pl)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    int64_t off;
    if (o->kind != VM_OBJ_PRIVATE || x->elog >= 2 || !x->regular || !one_offset(g, x, p, &off))
        return false;
    if (off < 0 || off > (int64_t)o->size - (int64_t)x->bytes || off & unaligned(x) ||
        !(x->spaces & o->spaces))
        return false;
    for (uint32_t i = 0; i < g->n; i++) g->elements[i] = (uint32_t)(off >> x->elog);
    *pl = (struct plan){o, o->base, g->elements, 0, 1, true, NULL};
    return true;
}

/** Converts element numbers within a lane's memory to those of rows. */
INLINE void plan_private(struct vm_gang *g, struct plan *pl)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const uint32_t *idx = ALIGNED(pl->idx);
    uint32_t *e = ALIGNED(g->elements);
    const uint32_t c0 = pl->c0, step = pl->step;
    LANES for (uint32_t i = 0; i < n; i++) e[i] = c0 + idx[i] * step;
    pl->idx = e;
    pl->c0 = 0;
    pl->step = 1;
    pl->rows = true;
}

/**
 * Lanes m of 16 of one row. May read and write back words of the other lanes if that is faster: no
 * other thread accesses them.
 */
INLINE void load_row_words(uint32_t *d, const uint32_t *row, uint32_t m)
{
#if defined __AVX2__ && !defined __AVX512F__
    for (int h = 0; h < 16; h += 8) {
        const __m256i was = _mm256_loadu_si256((const __m256i *)(d + h)),
                      now = _mm256_loadu_si256((const __m256i *)(row + h));
        _mm256_storeu_si256((__m256i *)(d + h), _mm256_blendv_epi8(was, now, lanes8(m >> h)));
    }
#else
    load_next_2(d, row, m);
#endif
}
INLINE void store_row_words(uint32_t *row, const uint32_t *v, uint32_t m)
{
#if defined __AVX2__ && !defined __AVX512F__
    load_row_words(row, v, m);
#else
    store_next_2(row, v, m);
#endif
}

/**
 * Lanes m of 16, each in its own row: row e[i] from `row` on (the first lane's). A gang's private
 * memory has less than 2^31 words.
 */
INLINE void load_own_words(uint32_t *d, const uint32_t *row, const uint32_t *e, uint32_t w,
                           uint32_t m)
{
    uint32_t indices[16] __attribute__((aligned(64)));
    LANES for (uint32_t i = 0; i < 16; i++) indices[i] = e[i] * w + i;
#if defined __AVX512F__
    const __m512i was = _mm512_loadu_si512(d);
    _mm512_storeu_si512(
        d, _mm512_mask_i32gather_epi32(was, (__mmask16)m, _mm512_load_si512(indices), row, 4));
#elif defined __AVX2__
    for (int h = 0; h < 16; h += 8) {
        const uint32_t some = m >> h & 0xff;
        if (!some) continue;
        const __m256i was = _mm256_loadu_si256((const __m256i *)(d + h)),
                      k = _mm256_load_si256((const __m256i *)(indices + h));
        _mm256_storeu_si256((__m256i *)(d + h),
                            _mm256_mask_i32gather_epi32(was, (const int *)row, k, lanes8(some), 4));
    }
#else
    for (; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        d[i] = row[indices[i]];
    }
#endif
}
INLINE void store_own_words(uint32_t *row, const uint32_t *v, const uint32_t *e, uint32_t w,
                            uint32_t m)
{
    uint32_t indices[16] __attribute__((aligned(64)));
    LANES for (uint32_t i = 0; i < 16; i++) indices[i] = e[i] * w + i;
#if defined __AVX512F__
    _mm512_mask_i32scatter_epi32(row, (__mmask16)m, _mm512_load_si512(indices),
                                 _mm512_loadu_si512(v), 4);
#else
    if (__builtin_popcount(m) > 4) {
        uint32_t nowhere;
        for (int i = 0; i < 16; i++) {
            uint32_t *const to = m >> i & 1 ? row + indices[i] : &nowhere;
            *to = v[i];
        }
        return;
    }
    for (; m; m &= m - 1) {
        const int i = __builtin_ctz(m);
        row[indices[i]] = v[i];
    }
#endif
}

// Parts of words: bytes and shorts
#define PARTS(lg, T)                                                                               \
    INLINE void load_parts_##lg(T *d, const uint32_t *rows, const uint32_t *e, uint32_t comp,      \
                                uint32_t w, uint32_t m)                                            \
    {                                                                                              \
        const uint32_t e0 = e[__builtin_ctz(m)], down = 2 - lg, sub = (1u << down) - 1;            \
        if (all_same(e, m, e0)) {                                                                  \
            const uint32_t at = e0 + comp, shift = (at & sub) * 8 * sizeof(T);                     \
            const uint32_t *const row = rows + (size_t)(at >> down) * w;                           \
            T v[16];                                                                               \
            for (int i = 0; i < 16; i++) v[i] = (T)(row[i] >> shift);                              \
            load_next_##lg(d, v, m);                                                               \
            return;                                                                                \
        }                                                                                          \
        for (; m; m &= m - 1) {                                                                    \
            const uint32_t i = (uint32_t)__builtin_ctz(m), at = e[i] + comp;                       \
            d[i] = ((const T *)(rows + (size_t)(at >> down) * w + i))[at & sub];                   \
        }                                                                                          \
    }                                                                                              \
    INLINE void store_parts_##lg(uint32_t *rows, const T *v, uint32_t k, const uint32_t *e,        \
                                 uint32_t comp, uint32_t w, uint32_t m)                            \
    {                                                                                              \
        const uint32_t down = 2 - lg, sub = (1u << down) - 1;                                      \
        for (; m; m &= m - 1) {                                                                    \
            const uint32_t i = (uint32_t)__builtin_ctz(m), at = e[i] + comp;                       \
            ((T *)(rows + (size_t)(at >> down) * w + i))[at & sub] = v[i * k];                     \
        }                                                                                          \
    }
PARTS(0, uint8_t)
PARTS(1, uint16_t)

// Values of two words: the high one is in the next row.
INLINE void load_own_pairs(uint64_t *d, const uint32_t *rows, const uint32_t *e, uint32_t w,
                           uint32_t m)
{
    for (uint32_t i = 0; i < 16; i++) {
        const size_t at = (size_t)e[i] * 2 * w + i;
        if (m >> i & 1) d[i] = rows[at] | (uint64_t)rows[at + w] << 32;
    }
}
/** v[i * k]: the value of lane i. */
INLINE void store_own_pairs(uint32_t *rows, const uint64_t *v, uint32_t k, const uint32_t *e,
                            uint32_t w, uint32_t m)
{
    for (uint32_t i = 0; i < 16; i++) {
        const size_t at = (size_t)e[i] * 2 * w + i;
        if (!(m >> i & 1)) continue;
        rows[at] = (uint32_t)v[i * k];
        rows[at + w] = (uint32_t)(v[i * k] >> 32);
    }
}

/** Component `comp` of all active lanes. */
static void load_rows(struct vm_gang *g, const struct plan *pl, unsigned elog, uint32_t comp,
                      char *d)
{
    const uint32_t *e = ALIGNED(pl->idx);
    const uint32_t w = g->code->width;
    for (uint32_t c = 0; c < g->n; c += 16) {
        const uint32_t m = active16(g->mask + c), *const rows = (const uint32_t *)pl->base + c;
        if (!m) continue;
        const uint32_t e0 = e[c + (uint32_t)__builtin_ctz(m)];
        switch (elog) {
        case 0: load_parts_0((uint8_t *)d + c, rows, e + c, comp, w, m); break;
        case 1: load_parts_1((uint16_t *)d + c, rows, e + c, comp, w, m); break;
        case 2:
            if (all_same(e + c, m, e0))
                load_row_words((uint32_t *)d + c, rows + (size_t)(e0 + comp) * w, m);
            else load_own_words((uint32_t *)d + c, rows + (size_t)comp * w, e + c, w, m);
            break;
        default: load_own_pairs((uint64_t *)d + c, rows + (size_t)comp * 2 * w, e + c, w, m);
        }
    }
}
static void store_rows(struct vm_gang *g, const struct plan *pl, unsigned elog, uint32_t comp,
                       const char *v, bool is_varying)
{
    const uint32_t *e = ALIGNED(pl->idx);
    const uint32_t w = g->code->width, k = is_varying;
    uint32_t same[16] __attribute__((aligned(64)));
    for (int i = 0; i < 16 && !is_varying && elog == 2; i++) same[i] = *(const uint32_t *)v;
    for (uint32_t c = 0; c < g->n; c += 16) {
        const uint32_t m = active16(g->mask + c);
        uint32_t *const rows = (uint32_t *)pl->base + c;
        if (!m) continue;
        const uint32_t e0 = e[c + (uint32_t)__builtin_ctz(m)];
        switch (elog) {
        case 0: store_parts_0(rows, (const uint8_t *)v + c * k, k, e + c, comp, w, m); break;
        case 1: store_parts_1(rows, (const uint16_t *)v + c * k, k, e + c, comp, w, m); break;
        case 2: {
            const uint32_t *const from = is_varying ? (const uint32_t *)v + c : same;
            if (all_same(e + c, m, e0)) store_row_words(rows + (size_t)(e0 + comp) * w, from, m);
            else store_own_words(rows + (size_t)comp * w, from, e + c, w, m);
            break;
        }
        default:
            store_own_pairs(rows + (size_t)comp * 2 * w, (const uint64_t *)v + c * k, k, e + c, w,
                            m);
        }
    }
}

// ---- one offset for all lanes, known before: whole rows
INLINE void load_private_row(struct vm_gang *g, const struct vm_access *x, uint32_t first,
                             bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), w = g->code->width;
    const uint8_t *const mask = ALIGNED(g->mask);
    for (uint32_t j = 0; j < x->ncomp; j++) {
        if (x->elog == 2) {
            const uint32_t *row =
                ALIGNED((const uint32_t *)g->private_mem + (size_t)(first + j) * w);
            uint32_t *d = ALIGNED(g->r + x->val[j]);
            if (masked) {
                LANES for (uint32_t i = 0; i < n; i++) d[i] = mask[i] ? row[i] : d[i];
            } else {
                LANES for (uint32_t i = 0; i < n; i++) d[i] = row[i];
            }
        } else {
            const uint32_t *row =
                ALIGNED((const uint32_t *)g->private_mem + (size_t)(first + 2 * j) * w);
            const uint32_t *high = ALIGNED(row + w);
            uint64_t *d = ALIGNED(g->r + x->val[j]);
            if (masked) {
                LANES for (uint32_t i = 0; i < n; i++)
                    d[i] = mask[i] ? row[i] | (uint64_t)high[i] << 32 : d[i];
            } else {
                LANES for (uint32_t i = 0; i < n; i++) d[i] = row[i] | (uint64_t)high[i] << 32;
            }
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
INLINE void store_private_row(struct vm_gang *g, const struct vm_access *x, uint32_t first,
                              bool masked)
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
                LANES for (uint32_t i = 0; i < n; i++) row[i] = !masked || mask[i] ? v[i] : row[i];
            } else {
                LANES for (uint32_t i = 0; i < n; i++) row[i] = !masked || mask[i] ? (uint32_t)u
                                                                                   : row[i];
            }
        } else {
            uint32_t *row = ALIGNED((uint32_t *)g->private_mem + (size_t)(first + 2 * j) * w);
            uint32_t *high = ALIGNED(row + w);
            const uint64_t *v = ALIGNED(g->r + x->val[j] * varying);
            LANES for (uint32_t i = 0; i < n; i++)
            {
                const uint64_t now = varying ? v[i] : u;
                row[i] = !masked || mask[i] ? (uint32_t)now : row[i];
                high[i] = !masked || mask[i] ? (uint32_t)(now >> 32) : high[i];
            }
        }
    }
}

#endif

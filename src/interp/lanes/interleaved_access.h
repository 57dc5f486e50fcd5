// SPDX-License-Identifier: MIT
#ifndef INTERP_INTERLEAVED_ACCESS_H
#define INTERP_INTERLEAVED_ACCESS_H
// Interleaved accesses: small vectors, for access.c. Each component has a register, but the
// components of a lane are adjacent in memory. Vectors of bytes and shorts go through words of up
// to 8 bytes a lane, four words through a 4 x 4 transposition. One gather for each component would
// access each cache line once per component.
#include "interp/lanes/access_plan.h"

typedef uint32_t quad __attribute__((vector_size(16)));
#if defined __clang__
#define FOUR _Pragma("unroll 4")
#else
#define FOUR _Pragma("GCC unroll 4") // otherwise four vectors would go through memory
#endif
#define LOW(a, b)   __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b)  __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LEFT(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define RIGHT(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

INLINE void transpose(quad v[4])
{
    const quad a = LOW(v[0], v[1]), b = LOW(v[2], v[3]), c = HIGH(v[0], v[1]), d = HIGH(v[2], v[3]);
    v[0] = LEFT(a, b);
    v[1] = RIGHT(a, b);
    v[2] = LEFT(c, d);
    v[3] = RIGHT(c, d);
}

/**
 * A copy of the plan's numbers, so that they stay in registers: the compiler must assume that a
 * store of lanes changes the plan.
 */
struct indices {
    const uint32_t *idx;
    uint32_t c0, step;
};

INLINE struct indices indices_of(const struct plan *pl)
{
    return (struct indices){ALIGNED(pl->idx), pl->c0, pl->step};
}

/**
 * Element numbers of lanes c … c + 3; for inactive lanes, that of the first active lane.
 */
INLINE bool four_vectors(struct indices at, const uint8_t *mask, uint32_t c, bool masked,
                         uint32_t e[4])
{
    uint32_t m = 0xffffffff;
    if (masked) memcpy(&m, mask + c, 4);
    if (!m) return false;
    const uint32_t *const idx = at.idx + c;
    FOUR for (int i = 0; i < 4; i++) e[i] = at.c0 + idx[i] * at.step;
    if (~m) {
        const uint32_t some = e[__builtin_ctz(m) >> 3];
        for (int i = 0; i < 4; i++)
            if (!mask[c + i]) e[i] = some;
    }
    return true;
}

/** Components j .. j + 3 of 4 bytes. */
INLINE void load_quads(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                       uint32_t j, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), *const base = (const uint32_t *)pl->base + j;
    const struct indices at = indices_of(pl);
    uint32_t *d[4];
    for (int k = 0; k < 4; k++) d[k] = ALIGNED((uint32_t *)(g->r + x->val[j + k]));
    for (uint32_t c = 0; c < n; c += 4) {
        uint32_t e[4];
        quad v[4];
        if (!four_vectors(at, g->mask, c, masked, e)) continue;
        FOUR for (int i = 0; i < 4; i++) memcpy(&v[i], base + (int32_t)e[i], 16);
        transpose(v);
        FOUR for (int k = 0; k < 4; k++) memcpy(d[k] + c, &v[k], 16);
    }
}

INLINE void store_quads(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                        uint32_t j, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    uint32_t *const base = (uint32_t *)pl->base + j;
    const struct indices at = indices_of(pl);
    const uint32_t *from[4];
    bool varies[4];
    for (int k = 0; k < 4; k++) {
        from[k] = (const uint32_t *)(g->r + x->val[j + k]);
        varies[k] = x->val_varying >> (j + k) & 1;
    }
    for (uint32_t c = 0; c < n; c += 4) {
        uint32_t e[4];
        quad v[4];
        if (!four_vectors(at, g->mask, c, masked, e)) continue;
        FOUR for (int k = 0; k < 4; k++)
        {
            if (varies[k]) memcpy(&v[k], from[k] + c, 16);
            else v[k] = (quad){*from[k], *from[k], *from[k], *from[k]};
        }
        transpose(v);
        FOUR for (int i = 0; i < 4; i++) if (!masked || g->mask[c + i])
            memcpy(base + (int32_t)e[i], &v[i], 16);
    }
}

/**
 * Are the active lanes consecutive, and their vectors in memory, too? *first: the element of the
 * first one.
 */
INLINE bool is_line(const struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                    struct active who, uint32_t *first)
{
    const uint32_t n = g->nactive, k = x->ncomp, c0 = pl->c0,
                   step = pl->step, *const idx = pl->idx + who.first, e = c0 + idx[0] * step;
    if (!who.in_row || n < 2 || c0 + idx[n - 1] * step - e != (n - 1) * k) return false;
    uint32_t gap = 0;
    LANES for (uint32_t i = 0; i < n; i++) gap |= (c0 + idx[i] * step) ^ (e + i * k);
    *first = e;
    return !gap;
}

/**
 * Loads consecutive vectors of four components of 4 bytes from `at` on, for the active lanes, from
 * `lane` on. Overwrites other lanes.
 */
OUTLINE void load_line(struct vm_gang *g, const struct vm_access *x, const uint32_t *at,
                       uint32_t lane)
{
    const uint32_t n = g->nactive;
    uint32_t *d[4], i = 0;
    for (int k = 0; k < 4; k++) d[k] = (uint32_t *)(g->r + x->val[k]) + lane;
    for (; i + 4 <= n; i += 4) {
        quad v[4];
        FOUR for (int k = 0; k < 4; k++) memcpy(&v[k], at + 4 * (i + (uint32_t)k), 16);
        transpose(v);
        FOUR for (int k = 0; k < 4; k++) memcpy(d[k] + i, &v[k], 16);
    }
    for (; i < n; i++)
        for (int k = 0; k < 4; k++) d[k][i] = at[4 * i + (uint32_t)k];
}

/** Packs the values that the active lanes store into g->values. */
OUTLINE void pack_line(struct vm_gang *g, const struct vm_access *x, uint32_t lane)
{
    const uint32_t n = g->nactive;
    uint32_t *const to = (uint32_t *)g->values + 4 * lane, i = 0;
    const uint32_t *from[4];
    uint32_t same[4][4];
    bool varies[4];
    for (int k = 0; k < 4; k++) {
        from[k] = (const uint32_t *)(g->r + x->val[k]);
        varies[k] = x->val_varying >> k & 1;
        for (int j = 0; j < 4; j++) same[k][j] = *from[k];
        from[k] = varies[k] ? from[k] + lane : same[k];
    }
    for (; i + 4 <= n; i += 4) {
        quad v[4];
        FOUR for (int k = 0; k < 4; k++) memcpy(&v[k], from[k] + (varies[k] ? i : 0), 16);
        transpose(v);
        FOUR for (int k = 0; k < 4; k++) memcpy(to + 4 * (i + (uint32_t)k), &v[k], 16);
    }
    for (; i < n; i++)
        for (int k = 0; k < 4; k++) to[4 * i + (uint32_t)k] = from[k][varies[k] ? i : 0];
}

/**
 * Components j0 .. of type T, as many as fit into a word W of 2, 4 or 8 bytes: a short vector, or a
 * part of a long one.
 */
#define PACKED(lg, T, W)                                                                           \
    INLINE void load_packed_##lg##_##W(struct vm_gang *g, const struct vm_access *x,               \
                                       const struct plan *pl, uint32_t j0, bool masked)            \
    {                                                                                              \
        const uint32_t n = g->n & ~(VM_PAD - 1u), c0 = pl->c0, step = pl->step;                    \
        const uint32_t *const idx = ALIGNED(pl->idx);                                              \
        const T *const base = (const T *)pl->base + j0;                                            \
        W *const w = ALIGNED((W *)g->values);                                                      \
        for (uint32_t i = 0; i < n; i++)                                                           \
            if (!masked || g->mask[i])                                                             \
                memcpy(&w[i], base + (int32_t)(c0 + idx[i] * step), sizeof(W));                    \
        for (uint32_t j = 0; j < sizeof(W) / sizeof(T); j++) {                                     \
            T *const d = ALIGNED((T *)(g->r + x->val[j0 + j]));                                    \
            LANES for (uint32_t i = 0; i < n; i++) d[i] = (T)(w[i] >> (j * 8 * sizeof(T)));        \
        }                                                                                          \
    }                                                                                              \
    INLINE void store_packed_##lg##_##W(struct vm_gang *g, const struct vm_access *x,              \
                                        const struct plan *pl, uint32_t j0, bool masked)           \
    {                                                                                              \
        const uint32_t n = g->n & ~(VM_PAD - 1u), c0 = pl->c0, step = pl->step;                    \
        const uint32_t *const idx = ALIGNED(pl->idx);                                              \
        T *const base = (T *)pl->base + j0;                                                        \
        W *const w = ALIGNED((W *)g->values);                                                      \
        memset(w, 0, n * sizeof(W));                                                               \
        for (uint32_t j = 0; j < sizeof(W) / sizeof(T); j++) {                                     \
            const T *const v = (const T *)(g->r + x->val[j0 + j]);                                 \
            if (x->val_varying >> (j0 + j) & 1) {                                                  \
                LANES for (uint32_t i = 0; i < n; i++)                                             \
                    w[i] |= (W)((W)v[i] << (j * 8 * sizeof(T)));                                   \
            } else {                                                                               \
                const W u = (W)((W) * v << (j * 8 * sizeof(T)));                                   \
                for (uint32_t i = 0; i < n; i++) w[i] |= u;                                        \
            }                                                                                      \
        }                                                                                          \
        for (uint32_t i = 0; i < n; i++)                                                           \
            if (!masked || g->mask[i])                                                             \
                memcpy(base + (int32_t)(c0 + idx[i] * step), &w[i], sizeof(W));                    \
    }
PACKED(0, uint8_t, uint16_t)
PACKED(0, uint8_t, uint32_t)
PACKED(0, uint8_t, uint64_t)
PACKED(1, uint16_t, uint32_t)
PACKED(1, uint16_t, uint64_t)
PACKED(2, uint32_t, uint64_t)

/** Handles the planned access if it is one of these; memory must not be private. */
#define VECTORS(what)                                                                              \
    INLINE bool what##_any_vectors(struct vm_gang *g, const struct vm_access *x,                   \
                                   const struct plan *pl, bool masked)                             \
    {                                                                                              \
        if (x->elog == 2 && x->ncomp % 4 == 0) {                                                   \
            for (uint32_t j = 0; j < x->ncomp; j += 4) what##_quads(g, x, pl, j, masked);          \
            return true;                                                                           \
        }                                                                                          \
        switch (x->bytes << 2 | x->elog) {                                                         \
        case 2 << 2 | 0: what##_packed_0_uint16_t(g, x, pl, 0, masked); return true;               \
        case 4 << 2 | 0: what##_packed_0_uint32_t(g, x, pl, 0, masked); return true;               \
        case 8 << 2 | 0: what##_packed_0_uint64_t(g, x, pl, 0, masked); return true;               \
        case 4 << 2 | 1: what##_packed_1_uint32_t(g, x, pl, 0, masked); return true;               \
        case 8 << 2 | 1: what##_packed_1_uint64_t(g, x, pl, 0, masked); return true;               \
        case 8 << 2 | 2: what##_packed_2_uint64_t(g, x, pl, 0, masked); return true;               \
        default: break;                                                                            \
        }                                                                                          \
        if (x->elog > 1 || x->bytes % 8) return false;                                             \
        for (uint32_t j = 0; j < x->ncomp; j += 8u >> x->elog)                                     \
            if (x->elog) what##_packed_1_uint64_t(g, x, pl, j, masked);                            \
            else what##_packed_0_uint64_t(g, x, pl, j, masked);                                    \
        return true;                                                                               \
    }                                                                                              \
    OUTLINE bool what##_all_vectors(struct vm_gang *g, const struct vm_access *x,                  \
                                    const struct plan *pl)                                         \
    {                                                                                              \
        return what##_any_vectors(g, x, pl, false);                                                \
    }                                                                                              \
    OUTLINE bool what##_some_vectors(struct vm_gang *g, const struct vm_access *x,                 \
                                     const struct plan *pl)                                        \
    {                                                                                              \
        return what##_any_vectors(g, x, pl, true);                                                 \
    }                                                                                              \
    INLINE bool what##_vectors(struct vm_gang *g, const struct vm_access *x,                       \
                               const struct plan *pl, bool masked)                                 \
    {                                                                                              \
        return masked ? what##_some_vectors(g, x, pl) : what##_all_vectors(g, x, pl);              \
    }
VECTORS(load)
VECTORS(store)
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_ACCESS_PLAN_H
#define INTERP_ACCESS_PLAN_H
// Checks the accesses of a gang; for access.c, atomics.c and copies.c, which are compiled once for
// each instruction set.
//
// The common access has one base pointer for the gang and an index for each lane. Scalar arithmetic
// gives the interval of index values that are in bounds (interval analysis), and one vectorized
// compare tests all lanes. Any other access (a lane out of bounds, misaligned, several objects, a
// huge object) goes to lane_access.c, which repeats it lane by lane and reports errors. Invariant:
// nothing was written before that.
//
// A valid access becomes element numbers e = c0 + index * step (32 bits, modulo 2^32: the final
// value is known to be small).
#include "interp/core/access_watch.h"
#include "interp/core/gang.h"
#include "interp/lanes/active_lanes.h"
#include "interp/lanes/lane_loop.h"
#include "interp/lanes/lane_shapes.h"

#include <string.h>

/** The plan of an access that is known to be valid. */
struct plan {
    const struct vm_object *o;
    char *base;          // element 0
    const uint32_t *idx; // element of lane i: c0 + idx[i] * step
    uint32_t c0, step;
    bool rows; // private memory: element e of lane i is at word e * width + i
    const struct vm_lane_shape *lane_shape; // the shape of all lanes, all of them valid: idx is its
                                            // `element`, step 1; or NULL
};

static inline int64_t floor_div(int64_t a, int64_t b, int shift)
{
    if (shift >= 0) return a >> shift;
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/** The interval of index values for which t + index * scale is in 0..room. */
static inline void interval(const struct vm_access *x, int64_t t, int64_t room, int64_t *lo,
                            int64_t *hi)
{
    if (x->scale > 0) {
        *lo = -floor_div(t, x->scale, x->shift);
        *hi = floor_div(room - t, x->scale, x->shift);
    } else {
        *lo = -floor_div(room - t, -x->scale, -1);
        *hi = floor_div(t, -x->scale, -1);
    }
}

// Usually no lane, active or not, is outside; testing the mask takes twice as long.
INLINE bool outside32(const uint32_t *idx, const uint8_t *mask, uint32_t n, uint32_t lo,
                      uint32_t span, bool masked)
{
    uint32_t any = 0, out = 0;
    idx = ALIGNED(idx);
    mask = ALIGNED(mask);
    LANES for (uint32_t i = 0; i < n; i++) any |= (uint32_t)(idx[i] - lo > span);
    if (!masked || !any) return any;
    LANES for (uint32_t i = 0; i < n; i++) out |= (uint32_t)(idx[i] - lo > span) & mask[i];
    return out;
}
INLINE bool outside64(const uint64_t *idx, const uint8_t *mask, uint32_t n, uint64_t lo,
                      uint64_t span)
{
    uint64_t any = 0, out = 0;
    idx = ALIGNED(idx);
    mask = ALIGNED(mask);
    LANES for (uint32_t i = 0; i < n; i++) any |= (uint64_t)(idx[i] - lo > span);
    if (!any) return false;
    LANES for (uint32_t i = 0; i < n; i++) out |= (uint64_t)(idx[i] - lo > span) & mask[i];
    return out;
}

/** The address bits that must be 0 for an aligned access. */
static inline uint32_t unaligned(const struct vm_access *x)
{
    return (x->align - 1) | ((1u << x->elog) - 1);
}

static inline bool may_access(const struct vm_access *x, const struct vm_object *o, bool write)
{
    return (x->spaces & o->spaces) && !(o->flags & (write ? VM_READ_ONLY : VM_WRITE_ONLY)) &&
           o->size >= x->bytes && o->size >> x->elog <= INT32_MAX;
}

#include "interp/lanes/lane_shapes.inc"

/** `kept`: use a lane shape, which saves testing each lane. */
INLINE bool plan_uniform_base(struct vm_gang *g, const struct vm_access *x, bool masked, bool write,
                              bool kept, struct plan *pl)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    if (!may_access(x, o, write)) return false;
    const int64_t t = vm_offset_of(p) + x->disp, room = (int64_t)(o->size - x->bytes);
    if (t & unaligned(x)) return false;
    int64_t lo, hi;
    interval(x, t, room, &lo, &hi);
    *pl = (struct plan){o, o->base, NULL, (uint32_t)(t >> x->elog), x->step, false, NULL};
    if (x->index != BC_IDX_I64) {
        const int64_t min = x->index == BC_IDX_S32 ? INT32_MIN : 0,
                      max = x->index == BC_IDX_S32 ? INT32_MAX : UINT32_MAX;
        if (lo < min) lo = min;
        if (hi > max) hi = max;
    }
    if (lo > hi) return false;
    if (kept && o->kind != VM_OBJ_PRIVATE && plan_by_lane_shape(g, x, lo, hi, pl)) return true;
    if (x->index == BC_IDX_I64) {
        const uint64_t *idx = ALIGNED(g->r + x->index_off);
        if (outside64(idx, g->mask, n, (uint64_t)lo, (uint64_t)hi - (uint64_t)lo)) return false;
        uint32_t *e = ALIGNED(g->elements);
        const uint32_t c0 = pl->c0, step = pl->step;
        if (step == 1) {
            LANES for (uint32_t i = 0; i < n; i++) e[i] = (uint32_t)idx[i] + c0;
        } else {
            LANES for (uint32_t i = 0; i < n; i++) e[i] = (uint32_t)idx[i] * step + c0;
        }
        pl->idx = e;
        pl->c0 = 0;
        pl->step = 1;
    } else {
        pl->idx = (const uint32_t *)(g->r + x->index_off);
        if (outside32(pl->idx, g->mask, n, (uint32_t)lo, (uint32_t)(hi - lo), masked)) return false;
    }
    return true;
}

OUTLINE bool plan_varying_base(struct vm_gang *g, const struct vm_access *x, bool write,
                               struct plan *pl)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const uint64_t *base = ALIGNED(g->r + x->base_off);
    const uint8_t *mask = ALIGNED(g->mask);
    uint32_t first = 0;
    while (first < n && !mask[first]) first++;
    if (first == n) return false;
    const uint64_t id = base[first] >> BC_PTR_ID_SHIFT;
    const struct vm_object *o = vm_object_of(g, base[first]);
    if (!may_access(x, o, write)) return false;

    int64_t *off = ALIGNED((int64_t *)g->offsets);
    const int64_t disp = x->disp - (int64_t)BC_PTR_BIAS, scale = x->scale;
    uint64_t bad = 0;
    const uint32_t *i32 = ALIGNED(g->r + x->index_off);
    const uint64_t *i64 = ALIGNED(g->r + x->index_off);
    switch (x->index) {
    case BC_IDX_NONE:
        LANES for (uint32_t i = 0; i < n; i++) off[i] = (int64_t)(base[i] & VM_PTR_MASK) + disp;
        break;
    case BC_IDX_S32:
        LANES for (uint32_t i = 0; i < n; i++)
            off[i] = (int64_t)(base[i] & VM_PTR_MASK) + disp + (int32_t)i32[i] * scale;
        break;
    case BC_IDX_U32:
        LANES for (uint32_t i = 0; i < n; i++)
            off[i] = (int64_t)(base[i] & VM_PTR_MASK) + disp + i32[i] * scale;
        break;
    default:
        LANES for (uint32_t i = 0; i < n; i++)
        {
            off[i] = (int64_t)(base[i] & VM_PTR_MASK) + disp + (int64_t)i64[i] * scale;
            bad |= (uint64_t)((i64[i] + (1ull << 32)) >> 33 != 0) & mask[i];
        }
    }
    const uint64_t room = o->size - x->bytes, low = unaligned(x);
    uint32_t *e = ALIGNED(g->elements);
    const unsigned elog = x->elog;
    LANES for (uint32_t i = 0; i < n; i++)
    {
        const uint64_t m = (uint64_t)0 - (mask[i] & 1);
        bad |= (((base[i] >> BC_PTR_ID_SHIFT) ^ id) | (uint64_t)((uint64_t)off[i] > room) |
                ((uint64_t)off[i] & low)) &
               m;
        e[i] = (uint32_t)((uint64_t)off[i] >> elog);
    }
    if (bad) return false;
    *pl = (struct plan){o, o->base, e, 0, 1, false, NULL};
    return true;
}

/**
 * The index is uniform or absent while the base varies, or both are uniform but the object is
 * private: broadcasts the uniform operand to all lanes.
 */
static inline void spread_index(struct vm_gang *g, const struct vm_access *x, struct vm_access *y)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    *y = *x;
    if (x->index == BC_IDX_NONE || x->index_varying) return;
    if (x->index == BC_IDX_I64) {
        const uint64_t v = *(const uint64_t *)(g->r + x->index_off);
        uint64_t *to = ALIGNED(g->spread);
        for (uint32_t i = 0; i < n; i++) to[i] = v;
    } else {
        const uint32_t v = *(const uint32_t *)(g->r + x->index_off);
        uint32_t *to = ALIGNED((uint32_t *)g->spread);
        for (uint32_t i = 0; i < n; i++) to[i] = v;
    }
    y->index_off = (uint32_t)((char *)g->spread - g->r);
    y->index_varying = true;
}

/**
 * If each group of a pack has its own copy: adjusts element numbers to the lanes' copies.
 */
INLINE void plan_copies(struct vm_gang *g, const struct vm_access *x, struct plan *pl)
{
    if (__builtin_expect(!pl->o->step, 1)) return;
    const uint32_t n = g->n & ~(VM_PAD - 1u), c0 = pl->c0, step = pl->step,
                   own = pl->o->step >> x->elog;
    const uint32_t *const group = ALIGNED(g->lid[VM_LANE_GROUP]), *const idx = ALIGNED(pl->idx);
    uint32_t *const e = ALIGNED(g->elements);
    LANES for (uint32_t i = 0; i < n; i++) e[i] = c0 + idx[i] * step + group[i] * own;
    *pl = (struct plan){pl->o, pl->base, e, 0, 1, false, NULL};
}

INLINE bool plan(struct vm_gang *g, const struct vm_access *x, bool masked, bool write, bool kept,
                 struct plan *pl)
{
    bool right;
    if (!x->regular) return false;
    if (!x->base_varying) {
        right = plan_uniform_base(g, x, masked, write, kept, pl);
    } else if (x->index_varying || x->index == BC_IDX_NONE) {
        right = plan_varying_base(g, x, write, pl);
    } else {
        struct vm_access y;
        spread_index(g, x, &y);
        right = plan_varying_base(g, &y, write, pl);
    }
    if (right && !pl->lane_shape) plan_copies(g, x, pl);
    return right;
}

/** Both base and index are uniform: computes the offset; false: it is out of range. */
static inline bool one_offset(struct vm_gang *g, const struct vm_access *x, uint64_t p,
                              int64_t *off)
{
    int64_t v = 0;
    switch (x->index) {
    case BC_IDX_NONE: break;
    case BC_IDX_S32: v = *(const int32_t *)(g->r + x->index_off); break;
    case BC_IDX_U32: v = *(const uint32_t *)(g->r + x->index_off); break;
    default:
        v = *(const int64_t *)(g->r + x->index_off);
        if (v > INT32_MAX || v < INT32_MIN) return false;
    }
    *off = vm_offset_of(p) + x->disp + v * x->scale;
    return true;
}

/** Both base and index are uniform: one element for all lanes. */
static inline bool uniform_place(struct vm_gang *g, const struct vm_access *x, bool write,
                                 const struct vm_object **po, int64_t *off)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    if (o->kind == VM_OBJ_PRIVATE || !x->regular || !may_access(x, o, write) ||
        !one_offset(g, x, p, off))
        return false;
    *po = o;
    return *off >= 0 && *off <= (int64_t)(o->size - x->bytes) && !(*off & unaligned(x)) && !o->step;
}

/** The same if each group has its own copy. */
INLINE bool plan_one_of_each(struct vm_gang *g, const struct vm_access *x, bool write,
                             struct plan *pl)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    int64_t off;
    if (!o->step || !x->regular || !may_access(x, o, write) || !one_offset(g, x, p, &off))
        return false;
    if (off < 0 || off > (int64_t)(o->size - x->bytes) || off & unaligned(x)) return false;
    *pl = (struct plan){o, o->base, g->lid[VM_LANE_0], (uint32_t)(off >> x->elog), 0, false, NULL};
    plan_copies(g, x, pl);
    return true;
}

/** Every lane accesses the same offset of its private memory: whole rows. */
static inline bool private_rows(struct vm_gang *g, const struct vm_access *x, uint32_t *first)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    int64_t t;
    if (o->kind != VM_OBJ_PRIVATE || x->elog < 2 || !one_offset(g, x, p, &t)) return false;
    if (t < 0 || t > (int64_t)o->size - (int64_t)x->bytes || t & unaligned(x)) return false;
    if (!(x->spaces & o->spaces)) return false;
    *first =
        (uint32_t)((o->base - g->private_mem) / (4 * (size_t)g->code->width) + (uint64_t)(t >> 2));
    return true;
}

static inline bool is_watched(const struct vm_object *o)
{
    return o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL);
}

OUTLINE void watch_consecutive(struct vm_gang *g, const struct vm_access *x,
                               const struct vm_object *o, bool write, uint64_t off, uint32_t first)
{
    struct race_op op;
    op.shape = RACE_CONTIGUOUS;
    op.layout_lane = first;
    op.n = g->nactive;
    op.offset0 = off;
    vm_watch_part(g, x, o, write, &op);
}

/**
 * The consecutive active lanes access consecutive elements, from `off` on.
 */
INLINE void watch_line(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                       bool write, uint64_t off, struct active who)
{
    if (is_watched(o)) watch_consecutive(g, x, o, write, off, who.first);
}

OUTLINE void watch_shape(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                         bool write, struct active who)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), k = x->ncomp;
    const uint32_t c0 = pl->c0, step = pl->step, lo = who.first;
    const uint32_t *idx = pl->idx + lo, active = g->nactive, e0 = c0 + idx[0] * step;
    const uint32_t last = c0 +
                          idx[who.in_row ? active - 1 : 0] * step; // the ends usually exclude both
    uint32_t other = !who.in_row || last != e0, gap = !who.in_row || last - e0 != (active - 1) * k;
    if (pl->lane_shape && active == g->nlanes) {
        other = pl->lane_shape->every != 0;
        gap = pl->lane_shape->every != (int32_t)k;
    }
    for (uint32_t i = 0; !gap && i < active; i += 64) {
        const uint32_t end = active - i < 64 ? active : i + 64;
        for (uint32_t j = i; j < end; j++) gap |= (c0 + idx[j] * step) ^ (e0 + j * k);
    }
    for (uint32_t i = 0; !other && i < active; i += 64) {
        const uint32_t end = active - i < 64 ? active : i + 64;
        for (uint32_t j = i; j < end; j++) other |= (c0 + idx[j] * step) ^ e0;
    }
    struct race_op op;
    op.shape = !gap ? RACE_CONTIGUOUS : !other ? RACE_UNIFORM : RACE_ELEMENTS;
    op.layout_lane = lo;
    op.n = active;
    op.offset0 = (uint64_t)e0 << x->elog;
    if (op.shape == RACE_ELEMENTS) {
        op.elements = pl->idx;
        op.element0 = c0;
        op.layout = pl->lane_shape ? pl->lane_shape->id : 0;
        op.offset0 = 0;
        if (step != 1) {
            uint32_t *to = ALIGNED((uint32_t *)g->spread);
            const uint32_t *all = ALIGNED(pl->idx);
            LANES for (uint32_t i = 0; i < n; i++) to[i] = all[i] * step;
            op.elements = to;
        }
        // Lanes that are consecutive by chance (data-dependent) hardly recur; a lane shape recurs
        // with any mask.
        const bool by_chance = pl->lane_shape && (lo | active) % VM_STRIP &&
                               pl->o->flags & VM_WATCH_LOCAL;
        if (!who.in_row || by_chance) {
            op.layout_lane = 0;
            op.n = vm_lanes_run(g);
        } else {
            op.elements += lo;
        }
    }
    vm_watch_part(g, x, pl->o, write, &op);
}

INLINE void watch_plan(struct vm_gang *g, const struct vm_access *x, const struct plan *pl,
                       bool write, struct active who)
{
    if (__builtin_expect(is_watched(pl->o), 0)) watch_shape(g, x, pl, write, who);
}
#endif

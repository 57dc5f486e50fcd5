// SPDX-License-Identifier: MIT
// Loads and stores of a whole gang, vectorized. Compiled once for each instruction set.
//
// An access is checked as a whole and becomes a plan (access_plan.h), which runs in strips of 16
// lanes (strip mining; strips.h), in private memory by rows (private_access.h). An access that
// fails the check goes lane by lane (lane_access.c).
#include "interp/core/access_watch.h"
#include "interp/core/gang.h"
#include "interp/core/lane_access.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/definedness/written_sets.h"
#include "interp/lanes/interleaved_access.h"
#include "interp/lanes/private_access.h"

static inline uint64_t read_element(const char *p, unsigned elog)
{
    switch (elog) {
    case 0: return *(const uint8_t *)p;
    case 1: return *(const uint16_t *)p;
    case 2: return *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

#include "interp/lanes/definedness_clean.inc"
#include "interp/lanes/definedness_undef.inc"

static inline const struct vm_object *base_object(struct vm_gang *g, const struct vm_access *x)
{
    return vm_object_of(g, *(const uint64_t *)(g->r + x->base_off));
}

static inline void fill(void *d, uint64_t v, unsigned elog, uint32_t n)
{
    n &= ~(VM_PAD - 1u);
    d = ALIGNED(d);
    switch (elog) {
    case 0:
        for (uint32_t i = 0; i < n; i++) ((uint8_t *)d)[i] = (uint8_t)v;
        break;
    case 1:
        for (uint32_t i = 0; i < n; i++) ((uint16_t *)d)[i] = (uint16_t)v;
        break;
    case 2:
        for (uint32_t i = 0; i < n; i++) ((uint32_t *)d)[i] = (uint32_t)v;
        break;
    default:
        for (uint32_t i = 0; i < n; i++) ((uint64_t *)d)[i] = v;
        break;
    }
}

/**
 * Copies a row of lanes' values; memcpy has a high startup cost for so few bytes. Prefetches the
 * row after the one at `far`, which is accessed next, unless NULL.
 */
INLINE void copy_row(char *to, const char *from, uint32_t bytes, const char *far, bool write)
{
    uint32_t at = 0;
    for (; at + 64 <= bytes; at += 64) {
        if (far && write) __builtin_prefetch(far + bytes + at, 1);
        else if (far) __builtin_prefetch(far + bytes + at);
        copy_line(to + at, from + at, 64);
    }
    for (; at < bytes; at += 16) memcpy(to + at, from + at, 16);
}

/**
 * Are indices idx[0..n) consecutive numbers? Reads whole vectors, so up to 7 more elements, which
 * are in the register file.
 */
INLINE bool are_consecutive32(const uint32_t *idx, uint32_t n)
{
    typedef indices32 unaligned32 __attribute__((aligned(4)));
    const indices32 iota8 = {0, 1, 2, 3, 4, 5, 6, 7};
    indices32 want = iota8 + idx[0], differ = {0}, more = {0};
    uint32_t i = 0;
    for (; i + 16 <= n; i += 16, want += 16) {
        differ |= *(const unaligned32 *)(idx + i) ^ want;
        more |= *(const unaligned32 *)(idx + i + 8) ^ (want + 8);
    }
    for (; i < n; i += 8, want += 8) {
        const indices32 exist = (indices32)(iota8 < n - i);
        differ |= (*(const unaligned32 *)(idx + i) ^ want) & exist;
    }
    uint64_t any[4];
    differ |= more;
    memcpy(any, &differ, sizeof any);
    return !(any[0] | any[1] | any[2] | any[3]);
}
INLINE bool are_consecutive64(const uint64_t *idx, uint32_t n)
{
    typedef indices64 unaligned64 __attribute__((aligned(8)));
    const indices64 iota4 = {0, 1, 2, 3};
    indices64 want = iota4 + idx[0], differ = {0}, more = {0};
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8, want += 8) {
        differ |= *(const unaligned64 *)(idx + i) ^ want;
        more |= *(const unaligned64 *)(idx + i + 4) ^ (want + 4);
    }
    for (; i < n; i += 4, want += 4) {
        const indices64 exist = (indices64)(iota4 < n - i);
        differ |= (*(const unaligned64 *)(idx + i) ^ want) & exist;
    }
    uint64_t any[4];
    differ |= more;
    memcpy(any, &differ, sizeof any);
    return !(any[0] | any[1] | any[2] | any[3]);
}

/**
 * The most common access: consecutive active lanes access consecutive elements of one object, in
 * order. Only the bounds of the two ends are checked. Returns the first element, or NULL if the
 * access has another form, if a lane may read bytes that were never written, or if a lane may store
 * undefined bytes that must be tracked.
 */
INLINE char *in_order(struct vm_gang *g, const struct vm_access *x, bool write, bool masked,
                      struct active who)
{
    if (!x->plain || !who.in_row) return NULL;
    const uint32_t n = masked ? g->nactive : g->n & ~(VM_PAD - 1u), lo = masked ? who.first : 0;
    if (!masked && g->nactive != g->nlanes) return NULL;
    bool differ;
    int64_t first;
    if (x->index == BC_IDX_I64) {
        const uint64_t *const idx = (const uint64_t *)ALIGNED(g->r + x->index_off) + lo;
        first = (int64_t)idx[0];
        if (idx[n / 2] - idx[0] != n / 2 || idx[n - 1] - idx[0] != n - 1 || first != (int32_t)first)
            return NULL;
        differ = !are_consecutive64(idx, n);
    } else {
        const uint32_t *const idx = (const uint32_t *)ALIGNED(g->r + x->index_off) + lo;
        const uint32_t i0 = idx[0];
        if (idx[n / 2] - i0 != n / 2 || idx[n - 1] - i0 != n - 1) return NULL;
        differ = !are_consecutive32(idx, n);
        first = x->index == BC_IDX_S32 ? (int64_t)(int32_t)i0 : (int64_t)i0;
        if (first + n - 1 > (x->index == BC_IDX_S32 ? INT32_MAX : UINT32_MAX))
            return NULL; // they wrap
    }
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *const o = vm_object_of(g, p);
    const int64_t t = vm_offset_of(p) + x->disp + first * x->scale;
    if (differ || o->kind == VM_OBJ_PRIVATE || o->step || !may_access(x, o, write) ||
        t & unaligned(x) || t < 0 || t > (int64_t)o->size - (int64_t)((uint64_t)n << x->elog))
        return NULL;
    if (x->undef) {
        const bool followed = vm_is_followed(o);
        if (write ? stores_undefined(g, x, o)
                  : followed && !bytes_are_written(o, (uint64_t)t, n << x->elog))
            return NULL;
        if (write && followed) write_bytes(o, (uint64_t)t, n << x->elog);
        else if (!write && !x->undef->clean) vm_undef_loaded(g, x);
    }
    watch_line(g, x, o, write, (uint64_t)t, who);
    return o->base + t;
}

/** Lane by lane. */
static const struct vm_insn *load_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    vm_widen(g);
    const struct vm_insn *const other = x->undef ? vm_undef_load(g, x) : NULL;
    return other ? other : vm_load_slow(g, ip);
}
static const struct vm_insn *store_slow(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    vm_widen(g);
    if (x->undef) vm_undef_store(g, x);
    return vm_store_slow(g, ip);
}

/** One element for all lanes, at `off` of an object that is not private. */
INLINE void load_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                     int64_t off, bool masked)
{
    for (uint32_t j = 0; j < x->ncomp; j++) {
        const uint64_t v = read_element(o->base + off + (j << x->elog), x->elog);
        void *const d = g->r + x->val[j];
        if (!(x->val_varying >> j & 1)) {
            *(uint64_t *)d = v;
        } else if (!masked) {
            fill(d, v, x->elog, g->n);
        } else {
            fill(g->values, v, x->elog, g->n);
            g->isa->blend_values(x->elog, d, g->values, g->mask, g->n);
        }
    }
}

/** Memory that is not private. */
INLINE void load_planned(struct vm_gang *g, const struct vm_access *x, struct plan *pl, bool masked)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (x->ncomp > 1 && pl->idx != g->elements &&
        !pl->lane_shape) { // a destination may be the register of the index
        memcpy(g->elements, pl->idx, n * sizeof *pl->idx);
        pl->idx = g->elements;
    }
    if (x->ncomp > 1 && load_vectors(g, x, pl, masked)) return;
    for (uint32_t j = 0; j < x->ncomp; j++) load_component(g, x, pl, j, g->r + x->val[j], masked);
}

INLINE const struct vm_insn *load(struct vm_gang *g, const struct vm_insn *ip, bool masked)
{
    const struct vm_access *x = ip->p;
    const struct vm_insn *other;
    struct plan pl;
    bool is_planned = false;
    if (!x->base_varying && !x->index_varying) {
        uint32_t first;
        if (x->regular && private_rows(g, x, &first)) {
            if (x->undef && (other = undef_load_rows(g, x, base_object(g, x), first))) return other;
            if (x->val_varying) load_private_row(g, x, first, masked);
            else load_private_one(g, x, first); // all lanes have the same value there
            return ip + 1;
        }
        if (!x->val_varying || !(private_part(g, x, &pl) || plan_one_of_each(g, x, false, &pl)))
            return load_slow(g, ip);
        is_planned = true;
    }
    const struct active who = active_lanes(g);
    const char *const row = is_planned ? NULL : in_order(g, x, false, masked, who);
    if (row && masked) {
        memcpy(g->r + x->val[0] + ((size_t)who.first << x->elog), row,
               (size_t)g->nactive << x->elog);
        return ip + 1;
    }
    if (row) {
        const uint32_t bytes = (g->n & ~(VM_PAD - 1u)) << x->elog;
        copy_row(ALIGNED(g->r + x->val[0]), row, bytes, row, false);
        return ip + 1;
    }
    if (!is_planned && !plan(g, x, masked, false, true, &pl)) return load_slow(g, ip);
    if (pl.o->kind == VM_OBJ_PRIVATE && !is_planned) plan_private(g, &pl);
    uint32_t first;
    if (x->ncomp > 1 && pl.o->kind != VM_OBJ_PRIVATE && is_line(g, x, &pl, who, &first)) {
        const uint64_t off = (uint64_t)first << x->elog;
        const bool written = !x->undef || !vm_is_followed(pl.o) ||
                             bytes_are_written(pl.o, off, g->nactive * x->bytes);
        if (x->undef && (other = undef_load_line(g, x, &pl, masked, written))) return other;
        watch_line(g, x, pl.o, false, off, who);
        if (x->elog == 2 && x->ncomp == 4)
            load_line(g, x, (const uint32_t *)(pl.o->base + off), who.first);
        else load_planned(g, x, &pl, masked);
        return ip + 1;
    }
    if (x->undef && (other = undef_load_plan(g, x, &pl, masked))) return other;
    if (pl.o->kind == VM_OBJ_PRIVATE) {
        for (uint32_t j = 0; j < x->ncomp; j++) load_rows(g, &pl, x->elog, j, g->r + x->val[j]);
        return ip + 1;
    }
    watch_plan(g, x, &pl, false, who);
    load_planned(g, x, &pl, masked);
    return ip + 1;
}

/**
 * A uniform store: the last active lane's values remain, as if lanes stored one by one.
 */
INLINE void store_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                      int64_t off)
{
    uint32_t last = (g->n & ~(VM_PAD - 1u)) - VM_PAD;
    while (!active16(g->mask + last)) last -= VM_PAD;
    const uint32_t lane = last + 31 - (uint32_t)__builtin_clz(active16(g->mask + last));
    for (uint32_t j = 0; j < x->ncomp; j++) {
        const uint64_t v = vm_operand_bits(g, x->val[j], x->val_varying >> j & 1, x->elog, lane);
        memcpy(o->base + off + (j << x->elog), &v, (size_t)1 << x->elog);
    }
}

INLINE const struct vm_insn *store(struct vm_gang *g, const struct vm_insn *ip, bool masked)
{
    const struct vm_access *x = ip->p;
    if (vm_asks_for_change(g)) return store_slow(g, ip);
    struct plan pl;
    bool is_planned = false;
    if (!x->base_varying && !x->index_varying) {
        uint32_t first;
        if (x->regular && private_rows(g, x, &first)) {
            const struct vm_object *own = base_object(g, x);
            if (x->undef && vm_undef_stores(g, x)) write_undefined_rows(g, x, own, first);
            else if (x->undef && vm_is_followed(own)) write_rows(g, x, own, first);
            store_private_row(g, x, first, masked);
            return ip + 1;
        }
        if (!private_part(g, x, &pl) && !plan_one_of_each(g, x, true, &pl))
            return store_slow(g, ip);
        is_planned = true;
    }
    const struct active who = active_lanes(g);
    char *const row = is_planned ? NULL : in_order(g, x, true, masked, who);
    if (row) {
        const uint32_t bytes = (g->n & ~(VM_PAD - 1u)) << x->elog;
        const bool uniform = !(x->val_varying & 1);
        if (uniform) fill(g->values, *(const uint64_t *)(g->r + x->val[0]), x->elog, g->n);
        if (masked) {
            const char *const from = uniform ? (const char *)g->values
                                             : g->r + x->val[0] + ((size_t)who.first << x->elog);
            memcpy(row, from, (size_t)g->nactive << x->elog);
            return ip + 1;
        }
        if (uniform) {
            copy_row(row, g->values, bytes, NULL, true);
            return ip + 1;
        }
        copy_row(row, ALIGNED(g->r + x->val[0]), bytes, row, true);
        return ip + 1;
    }
    if (!is_planned && !plan(g, x, masked, true, true, &pl)) return store_slow(g, ip);
    if (pl.o->kind == VM_OBJ_PRIVATE && !is_planned) plan_private(g, &pl);
    uint32_t first;
    const bool line = x->ncomp > 1 && pl.o->kind != VM_OBJ_PRIVATE &&
                      is_line(g, x, &pl, who, &first);
    if (x->undef && stores_undefined(g, x, pl.o)) write_undefined(g, x, &pl, masked);
    else if (x->undef && line && vm_is_followed(pl.o))
        write_bytes(pl.o, (uint64_t)first << x->elog, g->nactive * x->bytes);
    else if (x->undef && !line) write_plan(g, x, &pl, masked);
    if (line && x->elog == 2 && x->ncomp == 4) {
        const uint64_t off = (uint64_t)first << x->elog;
        struct vm_access packed = *x;
        packed.packed = true;
        pack_line(g, x, who.first);
        watch_line(g, &packed, pl.o, true, off, who);
        memcpy(pl.o->base + off, g->values + (size_t)who.first * x->bytes,
               (size_t)g->nactive * x->bytes);
        return ip + 1;
    }
    if (pl.o->kind == VM_OBJ_PRIVATE) {
        for (uint32_t j = 0; j < x->ncomp; j++)
            store_rows(g, &pl, x->elog, j, g->r + x->val[j], x->val_varying >> j & 1);
        return ip + 1;
    }
    watch_plan(g, x, &pl, true, who);
    if (x->ncomp > 1 && store_vectors(g, x, &pl, masked)) return ip + 1;
    for (uint32_t j = 0; j < x->ncomp; j++)
        store_component(g, x, &pl, j, (struct stored){g->r + x->val[j], !(x->val_varying >> j & 1)},
                        masked);
    return ip + 1;
}

// If the lanes do not fill the last strip, the gang is treated as one with inactive lanes.
#define ENTRY(name, what, masked)                                                                  \
    vm_handler CAT(name, VM_ISA);                                                                  \
    const struct vm_insn *CAT(name, VM_ISA)(struct vm_gang * g, const struct vm_insn *ip)          \
    {                                                                                              \
        return what(g, ip, masked);                                                                \
    }
ENTRY(vm_load_masked_, load, true)
ENTRY(vm_store_masked_, store, true)
#define ENTRY_FULL(name, what, other)                                                              \
    vm_handler CAT(name, VM_ISA);                                                                  \
    const struct vm_insn *CAT(name, VM_ISA)(struct vm_gang * g, const struct vm_insn *ip)          \
    {                                                                                              \
        return g->n == g->nlanes ? what(g, ip, false) : CAT(other, VM_ISA)(g, ip);                 \
    }
ENTRY_FULL(vm_load_full_, load, vm_load_masked_)
ENTRY_FULL(vm_store_full_, store, vm_store_masked_)

// ---- one location for all lanes, except in private memory
INLINE const struct vm_insn *load_uniform(struct vm_gang *g, const struct vm_insn *ip, bool masked)
{
    const struct vm_access *x = ip->p;
    const struct vm_object *o;
    int64_t off;
    if (!uniform_place(g, x, false, &o, &off))
        return masked ? CAT(vm_load_masked_, VM_ISA)(g, ip) : CAT(vm_load_full_, VM_ISA)(g, ip);
    if (x->undef) {
        const bool written = !vm_is_followed(o) || bytes_are_written(o, (uint64_t)off, x->bytes);
        if (x->undef->clean && !written) return vm_undef_switch(g, x->undef->resume);
        if (!written) vm_undef_load_one(g, x, o, (uint64_t)off);
        else if (!x->undef->clean) vm_undef_loaded(g, x);
    }
    if (is_watched(o)) vm_watch(g, x, o, false, RACE_UNIFORM, (uint64_t)off);
    load_one(g, x, o, off, masked);
    return ip + 1;
}
ENTRY(vm_load_uniform_full_, load_uniform, false)
ENTRY(vm_load_uniform_masked_, load_uniform, true)

vm_handler CAT(vm_store_uniform_, VM_ISA);
const struct vm_insn *CAT(vm_store_uniform_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const struct vm_object *o;
    int64_t off;
    if (vm_asks_for_change(g) || !uniform_place(g, x, true, &o, &off))
        return CAT(vm_store_masked_, VM_ISA)(g, ip);
    if (x->undef && stores_undefined(g, x, o)) vm_undef_store_one(g, x, o, (uint64_t)off);
    else if (x->undef && vm_is_followed(o)) write_bytes(o, (uint64_t)off, x->bytes);
    if (is_watched(o)) vm_watch(g, x, o, true, RACE_UNIFORM, (uint64_t)off);
    store_one(g, x, o, off);
    return ip + 1;
}

/** Address arithmetic saturates inside the object's id. */
vm_handler CAT(vm_lea_, VM_ISA);
const struct vm_insn *CAT(vm_lea_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const int64_t limit = 1ll << 46;
    if (!((x->val_varying | x->base_varying | x->index_varying) & 1) && x->regular &&
        x->index != BC_IDX_I64) {
        const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
        int64_t off = 0; // `regular`: below 2^57
        one_offset(g, x, 0, &off);
        off += (int64_t)BC_PTR_BIAS + (int64_t)(p & VM_PTR_MASK);
        off = off<0 ? 0 : off>(int64_t) VM_PTR_MASK ? (int64_t)VM_PTR_MASK : off;
        *(uint64_t *)(g->r + x->val[0]) = (p & ~VM_PTR_MASK) | (uint64_t)off;
        return ip + 1;
    }
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
    case BC_IDX_NONE: LANES for (uint32_t i = 0; i < n; i++) off[i] = disp; break;
    case BC_IDX_S32:
        LANES for (uint32_t i = 0; i < n; i++) off[i] = (int32_t)i32[i] * scale + disp;
        break;
    case BC_IDX_U32: LANES for (uint32_t i = 0; i < n; i++) off[i] = i32[i] * scale + disp; break;
    default: // beyond this the product may wrap; the pointer is far outside any object anyway
        LANES for (uint32_t i = 0; i < n; i++)
        {
            const int64_t v = i64[i], far = 1ll << 31;
            const int64_t product = v * scale + disp;
            const int64_t end = (v > 0) == (scale > 0) ? 1ll << 49 : -(1ll << 49);
            off[i] = (v > far || v < -far) && scale != 0
                         ? ((v >> 48 == 0 || v >> 48 == -1) && scale <= 8192 && scale >= -8192
                                ? product
                                : end)
                         : product;
        }
    }
    const int64_t max = (int64_t)VM_PTR_MASK;
    const bool varying = x->base_varying;
    if (varying) {
        LANES for (uint32_t i = 0; i < n; i++)
        {
            const uint64_t p = base[i];
            int64_t s = (int64_t)(p & VM_PTR_MASK) + off[i];
            s = s < 0 ? 0 : s > max ? max : s;
            d[i] = (p & ~VM_PTR_MASK) | (uint64_t)s;
        }
    } else {
        LANES for (uint32_t i = 0; i < n; i++)
        {
            int64_t s = (int64_t)(one & VM_PTR_MASK) + off[i];
            s = s < 0 ? 0 : s > max ? max : s;
            d[i] = (one & ~VM_PTR_MASK) | (uint64_t)s;
        }
    }
    return ip + 1;
}

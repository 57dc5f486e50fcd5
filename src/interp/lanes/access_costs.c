// SPDX-License-Identifier: MIT
// What memory accesses cost on the device model (doc/DEVICE-MODEL.md has the formulas); compiled
// once for each instruction set. Code that is profiled has an instruction of its own before each
// load, store and atomic; other code does not pay for it.
//
// The lanes of a wave are simd_width consecutive work-items of a group. The cheapest way that fits
// all waves of a gang counts an access:
//  1. Uniform addresses: all waves cost the same.
//  2. Consecutive active lanes whose addresses have a constant distance: a formula for each wave,
//     which is the same for waves that begin at the same place of a line and of the banks.
//  3. Relative addresses that were seen before: the memo of cost_shapes.h.
//  4. Other addresses near each other: vectorized counts for each wave, wave_costs.h.
//  5. Addresses that do not fit in 32 bits from the first one: sorted, wave by wave.
#include "interp/core/block_counts.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/lanes/active_lanes.h"
#include "interp/lanes/cost_shapes.h"
#include "interp/lanes/lane_addresses.h"
#include "interp/lanes/wave_costs.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <string.h>

static inline const struct vm_device_model *model_of(const struct vm_gang *g)
{
    return &g->worker->run->l->coverage->model;
}

/** Costs repeat if an address moves by a multiple of this power of two. */
static inline uint64_t period_of(const struct vm_device_model *m)
{
    const uint64_t line = 1ull << m->line_shift, banks = (uint64_t)m->banks << m->bank_shift;
    return line > banks ? line : banks;
}

/** Adds what an access cost waves of `lanes` active work-items in all. */
static void add_sum(struct vm_gang *g, const struct vm_access *x, bool is_local,
                    const struct vm_wave_sum *sum, uint64_t lanes)
{
    struct vm_access_cost *const c = &g->worker->costs[x->site];
    c->waves += sum->waves;
    c->lanes += lanes;
    if (is_local) {
        c->bank_cycles += sum->n;
        c->ideal_bank_cycles += sum->ideal;
        c->local_bytes += lanes * x->bytes;
    } else {
        c->transactions += sum->n;
        c->ideal_transactions += sum->ideal;
        c->global_bytes += lanes * x->bytes;
    }
}

static inline void add_wave(struct vm_wave_sum *sum, const struct wave_cost *c, uint32_t waves)
{
    sum->n += c->n * waves;
    sum->ideal += c->ideal * waves;
    sum->waves += waves;
}

// ---- 1. uniform addresses
static void count_uniform(struct vm_gang *g, const struct vm_access *x)
{
    const struct vm_device_model *const m = model_of(g);
    uint64_t a[VM_NEIGHBORS];
    lane_addresses(g, x, 0, a);
    const struct vm_object *const o = vm_object_of(g, a[0] - (uint64_t)x->disp);
    const struct wave w = {.n = 1, .bytes = x->bytes, .is_regular = true, .first = a[0]};
    const bool is_local = o->kind == VM_OBJ_LOCAL;
    if (o->kind == VM_OBJ_PRIVATE) return;
    const struct wave_cost c = cost_of(&w, m, is_local);
    struct vm_wave_sum sum = {0};
    add_wave(&sum, &c, vm_active_waves(g, m->simd_width));
    add_sum(g, x, is_local, &sum, g->nactive);
}

// ---- 2. a constant distance
INLINE bool are_regular(const uint32_t *at, uint32_t n, uint32_t step)
{
    uint32_t differ = 0;
    const uint32_t first = at[0];
    LANES for (uint32_t i = 0; i < n; i++) differ |= at[i] ^ (first + i * step);
    return !differ;
}

static bool count_regular(struct vm_gang *g, const struct lanes *l, struct vm_wave_sum *sum)
{
    const struct vm_device_model *const m = model_of(g);
    const uint32_t *const at = l->at + l->lead;
    const uint32_t n = g->nactive, step = n > 1 ? at[1] - at[0] : 0, width = m->simd_width;
    const int64_t every = (int64_t)(int32_t)step, last = every * (n - 1);
    if (!active_lanes(g).in_row || at[n - 1] - at[0] != (uint32_t)last || last < l->low ||
        last > l->high || at[n / 2] - at[0] != n / 2 * step || !are_regular(at, n, step))
        return false;
    const int64_t apart = every * l->unit;
    const uint64_t period = period_of(m);
    struct wave w = {
        .bytes = l->bytes, .is_regular = true, .step = (uint64_t)(apart < 0 ? -apart : apart)};
    struct wave_cost c = {0};
    uint64_t before = 0;
    for (uint32_t k = l->lead, end; k < l->lead + n; k = end) {
        end = k - k % width + width;
        if (end > l->lead + n) end = l->lead + n;
        const uint32_t i = (apart < 0 ? end - 1 : k) - l->lead; // the lowest address
        w.first = l->first + (uint64_t)(apart * i);
        if (end - k != w.n || (w.first ^ before) & (period - 1)) {
            w.n = end - k;
            c = cost_of(&w, m, l->is_local);
        }
        before = w.first;
        add_wave(sum, &c, 1);
    }
    return true;
}

// ---- 3. relative addresses that were seen before
static inline uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

/** A hash of everything that the shape of the access consists of, but only of some lanes. */
static uint64_t key_of(const struct vm_gang *g, const struct lanes *l)
{
    const uint32_t n = g->nlanes, some[] = {1 % n, n / 4, n / 2 + (n > 2), n - n / 4 - 1, n - 1};
    uint64_t h = mix((uint64_t)l->unit << 32 | l->bytes << 1 | l->is_local,
                     (uint64_t)g->nactive << 32 | g->all);
    for (unsigned k = 0; k < sizeof some / sizeof *some; k++)
        h = mix(h, g->mask[some[k]] ? l->at[some[k]] - l->at[l->lead] : 1ull << 32);
    return h | 1;
}

static bool is_shape(const struct vm_gang *g, const struct lanes *l, const struct vm_cost_shape *s)
{
    const bool is_full = g->nactive == g->nlanes;
    const uint32_t n = g->all, first = l->at[l->lead];
    if (s->nactive != g->nactive || s->n != n || s->unit != l->unit || s->bytes != l->bytes ||
        s->is_local != l->is_local || s->is_full != is_full || s->low < l->low ||
        s->high > l->high || (!is_full && memcmp(s->mask, g->mask, n)))
        return false;
    const uint32_t *const at = l->at, *const want = (const uint32_t *)s->at;
    uint32_t differ = 0;
    LANES for (uint32_t i = 0; i < n; i++) differ |= (at[i] - first) ^ want[i];
    if (!differ) return true;
    const uint8_t *const mask = g->mask;
    differ = 0;
    LANES for (uint32_t i = 0; i < n; i++) differ |= mask[i] ? (at[i] - first) ^ want[i] : 0;
    return !differ;
}

static void keep_shape(const struct vm_gang *g, const struct lanes *l, struct vm_cost_shape *s,
                       uint64_t key)
{
    const uint32_t n = g->all, first = l->at[l->lead];
    vm_cost_shape_reset(s);
    s->key = key;
    s->nactive = g->nactive;
    s->n = n;
    s->unit = l->unit;
    s->bytes = l->bytes;
    s->is_local = l->is_local;
    s->is_full = g->nactive == g->nlanes;
    for (uint32_t i = 0; i < n; i++) s->at[i] = (int32_t)(l->at[i] - first);
    memcpy(s->mask, g->mask, n);
}

// ---- 4. wave by wave
static bool add_waves(struct vm_gang *g, const struct lanes *l, struct vm_wave_sum *sum,
                      struct distances *d)
{
    const struct vm_device_model *const m = model_of(g);
    const uint32_t width = m->simd_width;
    struct near_wave w;
    for (uint32_t from = 0; from < g->all; from += width) {
        uint32_t lead = 0;
        w.n = g->all - from < width ? g->all - from : width;
        const uint32_t active = count_active(g->mask + from, w.n, &lead);
        if (!active) continue;
        if (!find_near(l, g->mask, from, lead, &w, d)) return false;
        const struct wave_cost c = cost_of_near(&w, l, m, active);
        add_wave(sum, &c, 1);
    }
    return true;
}

/** By the memo, or wave by wave. False: addresses are too far apart. */
static bool count_shape(struct vm_gang *g, const struct lanes *l, struct vm_wave_sum *sum)
{
    struct vm_cost_shapes **const memo = &g->worker->cost_shapes;
    if (!*memo) *memo = vm_cost_shapes_create();
    const uint64_t key = key_of(g, l), at = l->first & (period_of(model_of(g)) - 1);
    struct vm_cost_shape *const s = &(*memo)->shape[key >> 1 & (VM_COST_SHAPES - 1)];
    const unsigned slot = at >> __builtin_ctz(l->bytes) & (VM_COST_FIRSTS - 1);
    const bool is_known = s->key == key && is_shape(g, l, s);
    struct distances d = {0, 0};
    if (is_known && s->costs[slot].first == at + 1) {
        *sum = (struct vm_wave_sum){s->costs[slot].n, s->costs[slot].ideal, s->waves};
        return true;
    }
    if (!add_waves(g, l, sum, &d)) return false;
    if (!is_known && s->missed != key) {
        s->missed = key;
        return true;
    }
    if (!is_known) keep_shape(g, l, s, key);
    s->low = d.low;
    s->high = d.high;
    s->waves = sum->waves;
    s->costs[slot].first = (uint32_t)at + 1;
    s->costs[slot].n = (uint32_t)sum->n;
    s->costs[slot].ideal = (uint32_t)sum->ideal;
    return true;
}

// ---- 5. any addresses
static void count_far(struct vm_gang *g, const struct vm_access *x)
{
    const struct vm_device_model *const m = model_of(g);
    const uint32_t width = m->simd_width;
    uint64_t a[VM_NEIGHBORS], all[MOST_LANES];
    for (uint32_t from = 0; from < g->all; from += width) {
        uint32_t n = 0;
        for (uint32_t at = from; at < from + width && at < g->all; at += VM_NEIGHBORS) {
            lane_addresses(g, x, at, a);
            for (uint32_t some = active16(g->mask + at); some; some &= some - 1)
                all[n++] = a[__builtin_ctz(some)];
        }
        if (!n) continue;
        const struct wave w = wave_of(all, n, x->bytes);
        const struct vm_object *const o = vm_object_of(g, w.first - (uint64_t)x->disp);
        if (o->kind == VM_OBJ_PRIVATE) continue;
        const struct wave_cost c = cost_of(&w, m, o->kind == VM_OBJ_LOCAL);
        struct vm_wave_sum sum = {0};
        add_wave(&sum, &c, 1);
        add_sum(g, x, o->kind == VM_OBJ_LOCAL, &sum, n);
    }
}

// ---- the addresses of the lanes
/** Indices of 64 bits as distances of 32 bits. False: they do not fit. */
INLINE bool narrow_indices(struct vm_gang *g, const struct vm_access *x, struct lanes *l)
{
    const uint64_t *const idx = ALIGNED((const uint64_t *)(g->r + x->index_off)),
                          first = idx[l->lead];
    const uint8_t *const mask = g->mask;
    uint32_t *const to = ALIGNED(g->elements), n = g->all;
    uint64_t far = 0;
    LANES for (uint32_t i = 0; i < n; i++)
    {
        const uint64_t d = idx[i] - first;
        to[i] = (uint32_t)d;
        far |= (d + (1u << 31)) >> 32;
    }
    if (!far) return true;
    far = 0;
    LANES for (uint32_t i = 0; i < n; i++) far |= mask[i] ? (idx[i] - first + (1u << 31)) >> 32 : 0;
    return !far;
}

/** Addresses as distances in bytes. False: they do not fit. */
static bool narrow_addresses(struct vm_gang *g, const struct vm_access *x, struct lanes *l)
{
    uint64_t a[VM_NEIGHBORS], far = 0;
    for (uint32_t at = 0; at < g->all; at += VM_NEIGHBORS) {
        lane_addresses(g, x, at, a);
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++) {
            const uint64_t d = a[i] - l->first;
            g->elements[at + i] = (uint32_t)d;
            far |= g->mask[at + i] ? (d + (1u << 31)) >> 32 : 0;
        }
    }
    return !far;
}

/** False: some lanes are too far apart. */
static bool find_lanes(struct vm_gang *g, const struct vm_access *x, struct lanes *l)
{
    uint64_t a[VM_NEIGHBORS];
    l->lead = active_lanes(g).first;
    lane_addresses(g, x, l->lead & ~(VM_NEIGHBORS - 1u), a);
    l->first = a[l->lead % VM_NEIGHBORS];
    l->bytes = x->bytes;
    l->at = g->elements;
    l->unit = (uint32_t)x->scale;
    l->low = INT32_MIN;
    l->high = INT32_MAX;
    if (x->base_varying || x->scale <= 0 || x->scale > INT32_MAX) {
        l->unit = 1;
        return narrow_addresses(g, x, l);
    }
    if (x->index == BC_IDX_I64) return narrow_indices(g, x, l);
    l->at = (const uint32_t *)(g->r + x->index_off);
    const uint32_t zero = l->at[l->lead];
    const int64_t value = x->index == BC_IDX_S32 ? (int64_t)(int32_t)zero : (int64_t)zero;
    const int64_t low = (x->index == BC_IDX_S32 ? INT32_MIN : 0) - value,
                  high = (x->index == BC_IDX_S32 ? INT32_MAX : UINT32_MAX) - value;
    if (low > l->low) l->low = low;
    if (high < l->high) l->high = high;
    return true;
}

vm_handler CAT(vm_cost_, VM_ISA);
const struct vm_insn *CAT(vm_cost_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *const x = ip->p;
    struct lanes l;
    struct vm_wave_sum sum = {0};
    if (!x->base_varying && !x->index_varying) {
        count_uniform(g, x);
        return ip + 1;
    }
    if (!x->base_varying &&
        vm_object_of(g, *(const uint64_t *)(g->r + x->base_off))->kind == VM_OBJ_PRIVATE)
        return ip + 1;
    if (!find_lanes(g, x, &l)) {
        count_far(g, x);
        return ip + 1;
    }
    const struct vm_object *const o = vm_object_of(g, l.first - (uint64_t)x->disp);
    if (o->kind == VM_OBJ_PRIVATE) return ip + 1;
    l.is_local = o->kind == VM_OBJ_LOCAL;
    if (count_regular(g, &l, &sum) || count_shape(g, &l, &sum))
        add_sum(g, x, l.is_local, &sum, g->nactive);
    else count_far(g, x);
    return ip + 1;
}

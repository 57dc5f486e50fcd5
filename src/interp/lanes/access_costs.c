// SPDX-License-Identifier: MIT
// What memory accesses cost on the device model (doc/DEVICE-MODEL.md has the formulas); compiled
// once for each instruction set. Code that is profiled has an instruction of its own before each
// load, store and atomic; other code does not pay for it.
//
// The lanes of a wave are simd_width consecutive work-items of a group. Where their addresses have
// a constant distance, as most have, the counts are a formula; otherwise the addresses are sorted.
#include "interp/core/block_counts.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/lanes/lane_addresses.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <string.h>

enum { MOST_LANES = VM_MAX_SIMD_WIDTH, MOST_WORDS = MOST_LANES * VM_MAX_COMPS * 8 / 4 };

/** What the active lanes of a wave access: `bytes` each, from the addresses. */
struct wave {
    uint64_t a[MOST_LANES];
    uint32_t n, bytes;
    bool is_regular; // the addresses have the constant distance `step`, which is not negative
    uint64_t first, step;
};

/** Natural merge sort: rows of a grid, as most waves have, are merged at once. */
static void sort(uint64_t *a, uint32_t n)
{
    uint64_t other[MOST_LANES], *from = a, *to = other;
    for (;;) {
        uint32_t runs = 0;
        for (uint32_t at = 0; at < n; runs++) {
            uint32_t x = at, mid = at + 1, end;
            while (mid < n && from[mid - 1] <= from[mid]) mid++;
            for (end = mid < n ? mid + 1 : n; end < n && from[end - 1] <= from[end];) end++;
            uint32_t y = mid;
            for (uint32_t k = at; k < end; k++)
                to[k] = y == end || (x < mid && from[x] <= from[y]) ? from[x++] : from[y++];
            at = end;
        }
        uint64_t *const sorted = to;
        to = from;
        from = sorted;
        if (runs <= 1) break;
    }
    if (from != a) memcpy(a, from, n * sizeof *a);
}

static void look_for_step(struct wave *w)
{
    const uint64_t step = w->n > 1 ? w->a[1] - w->a[0] : 0;
    uint64_t differ = 0;
    for (uint32_t i = 1; i < w->n; i++) differ |= (w->a[i] - w->a[i - 1]) ^ step;
    const bool falls = step >> 63;
    w->is_regular = !differ;
    w->step = falls ? -step : step;
    w->first = falls ? w->a[w->n - 1] : w->a[0];
    if (!differ) return;
    sort(w->a, w->n);
    w->first = w->a[0];
}

/** The i-th address from the lowest. */
static inline uint64_t address(const struct wave *w, uint32_t i)
{
    return w->is_regular ? w->first + i * w->step : w->a[i];
}

/** Different bytes that are accessed, and cache lines of 1 << line bytes that they lie in. */
static void count_lines(const struct wave *w, unsigned line, uint64_t *bytes, uint64_t *lines)
{
    const uint64_t last = address(w, w->n - 1) + w->bytes - 1;
    if (w->is_regular && w->step <= 1ull << line) { // no line in between is left out
        *lines = (last >> line) - (w->first >> line) + 1;
        *bytes = w->step < w->bytes ? last - w->first + 1 : (uint64_t)w->n * w->bytes;
        return;
    }
    uint64_t end = 0, line_end = 0; // of what was counted
    *bytes = *lines = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const uint64_t from = address(w, i), to = from + w->bytes;
        if (to <= end) continue;
        *bytes += to - (from > end ? from : end);
        const uint64_t first_line = from >> line, next = ((to - 1) >> line) + 1;
        if (next > line_end) *lines += next - (first_line > line_end ? first_line : line_end);
        end = to;
        if (next > line_end) line_end = next;
    }
}

/** Cycles until all banks have given their different words, and the least that so many words take.
 */
static void count_banks(const struct wave *w, const struct vm_device_model *m, uint64_t *cycles,
                        uint64_t *ideal)
{
    const uint64_t word_bytes = 1ull << m->bank_shift;
    if (w->is_regular && w->bytes == word_bytes && !((w->first | w->step) & (word_bytes - 1))) {
        const uint64_t step = w->step >> m->bank_shift, n = step ? w->n : 1;
        const uint64_t lowest = step & -step, apart = lowest < m->banks ? lowest : m->banks,
                       used = step ? m->banks / apart : m->banks; // banks that have some
        *cycles = (n + used - 1) / used;
        *ideal = (n + m->banks - 1) / m->banks;
        return;
    }
    uint32_t in_bank[VM_MAX_BANKS] = {0}, most = 0, words = 0;
    uint64_t next = 0; // words before it were counted
    for (uint32_t i = 0; i < w->n; i++) {
        const uint64_t from = address(w, i) >> m->bank_shift,
                       to = ((address(w, i) + w->bytes - 1) >> m->bank_shift) + 1;
        for (uint64_t word = from > next ? from : next; word < to; word++) {
            const uint32_t n = ++in_bank[word & (m->banks - 1)];
            if (most < n) most = n;
            words++;
        }
        if (next < to) next = to;
    }
    *cycles = most;
    *ideal = (words + m->banks - 1) / m->banks;
}

/** What a wave costs. */
struct cost {
    enum { IN_PRIVATE, IN_LOCAL, IN_GLOBAL } where;
    uint64_t n, ideal; // bank cycles, or transactions
};

static struct cost cost_of(struct vm_gang *g, const struct vm_access *x, const struct wave *w)
{
    const struct vm_device_model *const m = &g->worker->run->l->coverage->model;
    const struct vm_object *const o = vm_object_of(g, w->first - (uint64_t)x->disp);
    struct cost c = {.where = o->kind == VM_OBJ_PRIVATE ? IN_PRIVATE
                              : o->kind == VM_OBJ_LOCAL ? IN_LOCAL
                                                        : IN_GLOBAL};
    uint64_t bytes;
    if (c.where == IN_LOCAL) count_banks(w, m, &c.n, &c.ideal);
    if (c.where != IN_GLOBAL) return c;
    count_lines(w, m->line_shift, &bytes, &c.n);
    c.ideal = (bytes + (1ull << m->line_shift) - 1) >> m->line_shift;
    return c;
}

/** Adds what `waves` such waves cost, of `lanes` active work-items in all. */
static void add_waves(struct vm_gang *g, const struct vm_access *x, const struct cost *cost,
                      uint64_t waves, uint64_t lanes)
{
    struct vm_access_cost *const c = &g->worker->costs[x->site];
    if (cost->where == IN_PRIVATE) return;
    c->waves += waves;
    c->lanes += lanes;
    if (cost->where == IN_LOCAL) {
        c->bank_cycles += waves * cost->n;
        c->ideal_bank_cycles += waves * cost->ideal;
        c->local_bytes += lanes * x->bytes;
    } else {
        c->transactions += waves * cost->n;
        c->ideal_transactions += waves * cost->ideal;
        c->global_bytes += lanes * x->bytes;
    }
}

/**
 * The wave before. One whose addresses have the same distances, in the same object, and begin at
 * the same place of a line and of the banks, costs the same.
 */
struct last_wave {
    uint64_t from_first[MOST_LANES], first;
    uint32_t n; // 0: none
    struct cost cost;
};

static struct cost cost_again(struct vm_gang *g, const struct vm_access *x, struct wave *w,
                              struct last_wave *last)
{
    const struct vm_device_model *const m = &g->worker->run->l->coverage->model;
    const uint64_t line = 1ull << m->line_shift, banks = (uint64_t)m->banks << m->bank_shift,
                   first = w->a[0], moved = first ^ last->first;
    uint64_t differ = (w->n ^ last->n) | moved >> BC_PTR_ID_SHIFT | (moved & (line - 1)) |
                      (moved & (banks - 1));
    if (!differ)
        for (uint32_t i = 0; i < w->n; i++) differ |= (w->a[i] - first) ^ last->from_first[i];
    if (!differ) return last->cost;
    last->n = w->n;
    last->first = first;
    for (uint32_t i = 0; i < w->n; i++) last->from_first[i] = w->a[i] - first;
    look_for_step(w);
    return last->cost = cost_of(g, x, w);
}

/** Of full waves with one base and an index of 32 bits: whether the distance is constant. */
INLINE bool is_full_and_regular(const struct vm_gang *g, const struct vm_access *x, uint32_t from,
                                uint32_t width, struct wave *w)
{
    const uint32_t *const idx = (const uint32_t *)(g->r + x->index_off) + from;
    uint64_t all = ~0ull, word;
    uint32_t differ = 0;
    if (from + width > g->nlanes) return false;
    for (uint32_t i = 0; i < width; i += 8) {
        memcpy(&word, g->mask + from + i, 8);
        all &= word;
    }
    const uint32_t first = idx[0], step = idx[1] - first;
    LANES for (uint32_t i = 0; i < width; i++) differ |= idx[i] ^ (first + i * step);
    if (~all || differ) return false;
    const bool is_signed = x->index == BC_IDX_S32;
    const int64_t low = is_signed ? (int64_t)(int32_t)first : (int64_t)first,
                  high = is_signed ? (int64_t)(int32_t)idx[width - 1] : (int64_t)idx[width - 1],
                  apart = (int64_t)(int32_t)step * x->scale;
    if (high - low != (int64_t)(int32_t)step * (width - 1)) return false; // it wraps
    const uint64_t base = *(const uint64_t *)(g->r + x->base_off) + (uint64_t)x->disp;
    w->is_regular = true;
    w->n = width;
    w->step = (uint64_t)(apart < 0 ? -apart : apart);
    w->first = base + (uint64_t)x->scale * (uint64_t)(apart < 0 ? high : low);
    return true;
}

static void gather_wave(struct vm_gang *g, const struct vm_access *x, uint32_t from, uint32_t width,
                        struct wave *w)
{
    w->n = 0;
    for (uint32_t at = from; at < from + width && at < g->nlanes; at += VM_NEIGHBORS) {
        uint64_t a[VM_NEIGHBORS];
        const uint32_t active = active16(g->mask + at);
        if (!active) continue;
        lane_addresses(g, x, at, a);
        if (active == ALL16) {
            memcpy(w->a + w->n, a, sizeof a);
            w->n += VM_NEIGHBORS;
            continue;
        }
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++)
            if (active >> i & 1) w->a[w->n++] = a[i];
    }
}

vm_handler CAT(vm_cost_, VM_ISA);
const struct vm_insn *CAT(vm_cost_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *const x = ip->p;
    const uint32_t width = g->worker->run->l->coverage->model.simd_width;
    struct wave w;
    struct cost cost;
    w.bytes = x->bytes;
    if (!x->base_varying && !x->index_varying) { // all waves access the same bytes
        uint64_t a[VM_NEIGHBORS];
        lane_addresses(g, x, 0, a);
        w.is_regular = true;
        w.n = 1;
        w.step = 0;
        w.first = a[0];
        cost = cost_of(g, x, &w);
        add_waves(g, x, &cost, vm_active_waves(g, width), g->nactive);
        return ip + 1;
    }
    const bool may_be_regular = !x->base_varying && x->index != BC_IDX_I64;
    struct last_wave last;
    last.n = 0;
    last.first = 0;
    for (uint32_t from = 0; from < g->nlanes; from += width) {
        const bool is_regular = may_be_regular && is_full_and_regular(g, x, from, width, &w);
        if (!is_regular) gather_wave(g, x, from, width, &w);
        if (!w.n) continue;
        cost = is_regular ? cost_of(g, x, &w) : cost_again(g, x, &w, &last);
        add_waves(g, x, &cost, 1, w.n);
    }
    return ip + 1;
}

// SPDX-License-Identifier: MIT
// Definedness: uninitialized values in registers. (The V bits of Valgrind's Memcheck, Seward and
// Nethercote, USENIX 2005, for all lanes at once.)
//
// Undefined values are rare, so a kernel is decoded twice. The clean stream runs while no register
// of the gang is undefined. It handles undefined values only at the few places where one can arise:
// a load of bytes never written, or the start of a variable without a value. There the gang
// switches to the undefined stream, in which every instruction that such a value may reach is
// preceded by one that computes the V bits of its result: which bytes of which lanes are undefined
// (undef_rules.c). The rules follow the bits of the value: `x & 0` is defined, a selection depends
// on the chosen arm only, moves and shifts carry bytes, carries of sums only go upward. At the next
// block the gang returns to the clean stream if no register is flagged.
//
// A use of an undefined value is reported where it happens: vm_undef_check precedes branches,
// accesses (their addresses) and printf; stores are in undef_memory.c. A value that was reported
// counts as defined from there on.
#include "interp/definedness/undef.h"

#include "base/mem.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

// Rows are tested 16 lanes at a time.
typedef uint8_t bytes16 __attribute__((vector_size(16), aligned(1), may_alias));
static bytes16 *at16(uint8_t *p, uint32_t i) { return (bytes16 *)(p + i); }
static bytes16 of16(const uint8_t *p, uint32_t i) { return *(const bytes16 *)(p + i); }
static bool any16(bytes16 v)
{
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    return half[0] | half[1];
}

// ---- origins of rows
uint32_t vm_undef_take(struct vm_undef *u)
{
    const uint32_t set = u->spare[--u->nspare];
    u->users[set] = 1;
    u->alike[set] = VM_ANY_ORIGINS;
    return set;
}

uint64_t *vm_undef_own_origins(struct vm_gang *g, uint32_t row)
{
    struct vm_undef *const u = g->undef;
    const uint32_t was = u->set[row];
    if (u->users[was] == 1) {
        u->alike[was] = VM_ANY_ORIGINS;
        return vm_undef_of_set(g, was);
    }
    u->set[row] = vm_undef_take(u);
    vm_undef_drop(u, was);
    return memcpy(vm_undef_origins(g, row), vm_undef_of_set(g, was),
                  g->code->width * sizeof *u->origins);
}

uint32_t vm_undef_take_same(struct vm_gang *g, uint64_t from)
{
    const uint32_t set = vm_undef_take(g->undef);
    uint64_t *const to = vm_undef_of_set(g, set);
    for (uint32_t i = 0; i < g->n; i++) to[i] = from;
    g->undef->alike[set] = VM_SAME_ORIGIN;
    return set;
}

/** Sets or clears the flag of a row; `set`: its origins. */
static void clear_flag(struct vm_gang *g, uint32_t row)
{
    if (!g->undef->flags[row]) return;
    g->undef->flags[row] = 0;
    g->nundef--;
    vm_undef_drop(g->undef, g->undef->set[row]);
}
static void put_flag(struct vm_gang *g, uint32_t row, uint32_t set)
{
    vm_undef_hold(g->undef, set);
    clear_flag(g, row);
    g->undef->flags[row] = 1;
    g->nundef++;
    g->worker->was_undefined = true;
    g->undef->set[row] = set;
}

/** For a uniform register: the value of the last active lane counts. */
static void put_uniform(struct vm_gang *g, uint32_t row, uint32_t set)
{
    uint8_t *const to = vm_undef_row(g, row), any = 0;
    uint32_t last = g->n - 1, one = set;
    for (uint32_t i = 0; i < g->n; i++) any |= to[i];
    while (!to[last]) last--;
    memset(to, any, g->n);
    if (g->undef->alike[set] != VM_SAME_ORIGIN)
        one = vm_undef_take_same(g, vm_undef_of_set(g, set)[last]);
    put_flag(g, row, one);
    if (one != set) vm_undef_drop(g->undef, one);
}

void vm_undef_put_set(struct vm_gang *g, uint32_t row, const uint8_t *now, uint32_t set,
                      enum vm_undef_how how)
{
    struct vm_undef *const u = g->undef;
    if (!now && (how != VM_U_BLEND || !u->flags[row])) {
        clear_flag(g, row);
        return;
    }
    uint8_t *const to = vm_undef_row(g, row), fresh[VM_MAX_WIDTH] __attribute__((aligned(64)));
    const uint8_t *const mask = g->mask;
    const uint32_t n = g->n;
    const bool keep = how == VM_U_BLEND && u->flags[row];
    bytes16 some = {0}, rest = {0};
    for (uint32_t i = 0; i < n; i += 16) {
        bytes16 v = {0};
        if (now) v = of16(now, i) & of16(mask, i);
        *at16(fresh, i) = v;
        some |= v;
    }
    for (uint32_t i = 0; keep && i < n; i += 16) rest |= of16(to, i) & ~of16(mask, i);
    const bool any = any16(some), left = any16(rest);
    if (!any && !left) {
        clear_flag(g, row);
        return;
    }
    if (!left) memcpy(to, fresh, n);
    else
        for (uint32_t i = 0; i < n; i += 16)
            *at16(to, i) = of16(fresh, i) | (of16(to, i) & ~of16(mask, i));
    if (!any) return; // the remaining lanes keep their origins
    if (how == VM_U_UNIFORM) put_uniform(g, row, set);
    else if (!left) put_flag(g, row, set);
    else if (u->set[row] != set)
        g->isa->blend_values(3, vm_undef_own_origins(g, row), vm_undef_of_set(g, set), fresh, n);
}

void vm_undef_put(struct vm_gang *g, uint32_t row, const uint8_t *now, const uint64_t *from,
                  enum vm_undef_how how)
{
    if (!now) {
        vm_undef_put_set(g, row, NULL, VM_NO_SET, how);
        return;
    }
    const uint32_t set = vm_undef_take(g->undef);
    memcpy(vm_undef_of_set(g, set), from, g->n * sizeof *from);
    vm_undef_put_set(g, row, now, set, how);
    vm_undef_drop(g->undef, set);
}

uint32_t vm_undef_combine(struct vm_gang *g, const uint32_t *rows, uint32_t nrows, uint8_t *any)
{
    struct vm_undef *const u = g->undef;
    const uint8_t *const mask = g->mask;
    const uint32_t n = g->n;
    uint32_t set = VM_NO_SET;
    bool own = false;
    for (uint32_t k = 0; k < nrows; k++) {
        if (!u->flags[rows[k]]) continue;
        const uint8_t *const s = vm_undef_row(g, rows[k]);
        const uint32_t other = u->set[rows[k]];
        if (set == VM_NO_SET) {
            set = other;
            vm_undef_hold(u, set);
            memcpy(any, s, n);
            continue;
        }
        uint8_t more[VM_MAX_WIDTH] __attribute__((aligned(64)));
        bytes16 some = {0};
        for (uint32_t i = 0; i < n && other != set; i += 16) {
            *at16(more, i) = of16(s, i) & of16(mask, i) & (bytes16)(of16(any, i) == 0);
            some |= of16(more, i);
        }
        for (uint32_t i = 0; i < n; i += 16) *at16(any, i) |= of16(s, i);
        if (!any16(some)) continue;
        if (!own) {
            const uint32_t joined = vm_undef_take(u);
            memcpy(vm_undef_of_set(g, joined), vm_undef_of_set(g, set), n * sizeof *u->origins);
            vm_undef_drop(u, set);
            set = joined;
            own = true;
        }
        g->isa->blend_values(3, vm_undef_of_set(g, set), vm_undef_of_set(g, other), more, n);
    }
    return set;
}

const struct vm_insn *vm_undef_switch(struct vm_gang *g, uint32_t resume)
{
    const struct vm_block *b = &g->frame->fn->blocks[g->frame->block];
    vm_widen(g);
    return b->stream[2 + (g->nactive != g->nlanes)] + resume;
}

// ---- results
static uint8_t whole(unsigned size) { return (uint8_t)((1u << size) - 1); }

/** Several results of several operands: all are undefined if one operand is. */
const struct vm_insn *vm_undef_join(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_rows *q = ip->p;
    const uint32_t n = g->n;
    uint8_t any[VM_MAX_WIDTH], now[VM_MAX_WIDTH];
    const uint32_t set = vm_undef_combine(g, q->rows + q->ndst, q->n, any);
    const bool found = set != VM_NO_SET;
    for (uint32_t k = 0; k < q->ndst; k++) {
        if (!q->rows[k]) continue;
        const uint8_t all = whole(q->size[k]);
        if (found)
            for (uint32_t i = 0; i < n; i++) now[i] = any[i] ? all : 0;
        vm_undef_put_set(g, q->rows[k], found ? now : NULL, set,
                         (enum vm_undef_how)q->size[k + q->ndst]);
    }
    if (found) vm_undef_drop(g->undef, set);
    return ip + 1;
}

/**
 * An element selected by an index (shuffle): only the selected one counts.
 */
const struct vm_insn *vm_undef_pick(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_pick *q = ip->p;
    const uint8_t *const flags = g->undef->flags;
    uint8_t any = flags[q->row];
    for (uint32_t k = 0; k < q->n; k++) any |= flags[q->from[k]];
    if (!any) {
        vm_undef_put_set(g, q->dst, NULL, VM_NO_SET, q->how);
        return ip + 1;
    }
    uint8_t now[VM_MAX_WIDTH] = {0};
    uint64_t origin[VM_MAX_WIDTH] = {0};
    for (uint32_t i = 0; i < vm_lanes_run(g); i++) {
        const uint32_t chosen = (uint32_t)vm_operand_bits(g, q->index, q->varying, q->elog, i) &
                                (q->n - 1);
        const bool unknown = flags[q->row] &&
                             vm_undef_row(g, q->row)[i] & 1; // only bits of its lowest byte count
        const uint32_t row = unknown ? q->row : q->from[chosen];
        if (!flags[row] || !vm_undef_row(g, row)[i]) continue;
        now[i] = unknown ? whole(1u << q->elog) : vm_undef_row(g, row)[i];
        origin[i] = vm_undef_origins(g, row)[i];
    }
    vm_undef_put(g, q->dst, now, origin, q->how);
    return ip + 1;
}

/** A variable has no value at its start. */
const struct vm_insn *vm_undef_mark(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_mark *q = ip->p;
    if (q->clean) return vm_undef_switch(g, q->resume);
    uint8_t now[VM_MAX_WIDTH];
    memset(now, whole(q->size), g->n);
    const uint32_t set = vm_undef_take_same(
        g, vm_origin_pack((struct vm_origin){.name = q->name, .loc = ip->src->loc}));
    vm_undef_put_set(g, q->row, now, set, q->how);
    vm_undef_drop(g->undef, set);
    return ip + 1;
}

// ---- uses that are reported
static void add_origin(struct vm_gang *g, uint64_t from)
{
    if (from >> 48) bits_add(&g->worker->undef_bytes, vm_origin_unpack(from).offset);
}

/** Are these bytes of one object, or one variable? */
static bool is_same_origin(const struct vm_origin *a, const struct vm_origin *b)
{
    return a->object == b->object && (a->object || (a->name == b->name && a->loc == b->loc));
}

/** Was the lane reported for another component of the vector, with the same origin? */
static bool is_repeat(const struct vm_gang *g, const struct vm_fault_run *run, uint32_t lane,
                      uint64_t from)
{
    const struct vm_origin o = vm_origin_unpack(from);
    for (unsigned k = 0; k < run->nrows; k++) {
        if (!g->undef->flags[run->rows[k]] || !vm_undef_row(g, run->rows[k])[lane]) continue;
        const struct vm_origin was = vm_origin_unpack(vm_undef_origins(g, run->rows[k])[lane]);
        if (is_same_origin(&was, &o)) return true;
    }
    return false;
}

void vm_undef_fault(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                    uint32_t lane, uint64_t from)
{
    const struct vm_origin o = vm_origin_unpack(from);
    const struct chk_origin *const last = &run->fault.detail.origin;
    const struct vm_origin was = {
        .object = run->fault.object, .name = last->name, .loc = last->loc};
    const bool same = run->count && run->fault.kind == use->kind && is_same_origin(&was, &o);
    if (run->count && !same) vm_fault_end(g, run); // origin in another variable
    struct chk_fault f = *use;
    f.object = o.object;
    f.detail.origin = (struct chk_origin){o.name, o.loc, o.offset, o.size, o.rewritten};
    vm_fault_lane(g, run, lane, &f);
    run->repeats += is_repeat(g, run, lane, from);
    add_origin(g, from);
}

/** The end of the (consecutive) lanes of the same group as this one. */
static uint32_t end_of_group(const struct vm_gang *g, uint32_t lane)
{
    if (g->group->ngroups == 1) return g->nlanes;
    const uint32_t *const group = g->lid[VM_LANE_GROUP], is = group[lane];
    while (lane < g->nlanes && group[lane] == is) lane++;
    return lane;
}

bool vm_undef_is_one(const struct vm_gang *g, uint32_t row, const uint8_t *mask, uint32_t lane,
                     uint32_t end, uint32_t *count)
{
    const uint8_t *const r = vm_undef_row(g, row);
    const uint64_t *const from = vm_undef_origins(g, row), one = from[lane],
                          which = one >> 48 ? ~0ull << 48 : ~1ull;
    uint32_t n = 0, i = lane;
    for (bytes16 sum = {0}; i + 16 <= end; i += 16) {
        uint64_t half[2];
        sum = (bytes16)((of16(r, i) & of16(mask, i)) != 0) & 1;
        memcpy(half, &sum, sizeof half);
        n += (uint32_t)((half[0] + half[1]) * 0x0101010101010101u >> 56);
    }
    for (; i < end; i++) n += (r[i] & mask[i]) != 0;
    *count = n;
    if (g->undef->alike[g->undef->set[row]] != VM_ANY_ORIGINS) return true;
    uint64_t differ = 0;
    for (i = lane; i < end; i++) differ |= from[i] ^ one; // usually the others are equal
    if (!(differ & which)) return true;
    differ = 0;
    for (i = lane; i < end; i++) differ |= r[i] & mask[i] ? from[i] ^ one : 0;
    return !(differ & which);
}

void vm_undef_report_row(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                         uint32_t row, const uint8_t *mask)
{
    const uint8_t *const r = vm_undef_row(g, row);
    const uint64_t *const from = vm_undef_origins(g, row);
    for (uint32_t lane = 0, end, count; lane < g->nlanes; lane = end) {
        end = end_of_group(g, lane);
        while (lane < end && !(r[lane] & mask[lane])) lane++;
        if (lane == end) continue;
        if (vm_undef_is_one(g, row, mask, lane, end,
                            &count)) { // reported at once: see vm_undef_fault
            vm_undef_fault(g, run, use, lane, from[lane]);
            run->count += count - 1;
            for (uint32_t i = lane + 1; i < end && (from[lane] >> 48 || run->nrows); i++) {
                if (!(r[i] & mask[i])) continue;
                run->repeats += is_repeat(g, run, i, from[i]);
                add_origin(g, from[i]);
            }
            continue;
        }
        for (uint32_t i = lane; i < end; i++)
            if (r[i] & mask[i]) vm_undef_fault(g, run, use, i, from[i]);
    }
}

void vm_undef_report(struct vm_gang *g, const struct bc_insn *src, uint32_t row,
                     const uint8_t *mask, enum chk_fault_kind kind)
{
    if (!g->undef->flags[row]) return;
    struct vm_fault_run run = {0};
    vm_undef_report_row(g, &run, &(struct chk_fault){.kind = kind, .site = src->site, .insn = src},
                        row, mask);
    vm_fault_end(g, &run);
    uint8_t *const r = vm_undef_row(g, row);
    bytes16 left = {0};
    for (uint32_t i = 0; i < g->n; i += 16) {
        *at16(r, i) &= ~of16(mask, i);
        left |= of16(r, i);
    }
    if (!any16(left)) clear_flag(g, row);
}

const struct vm_insn *vm_undef_check(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_rows *q = ip->p;
    for (uint32_t k = 0; k < q->n; k++) vm_undef_report(g, ip->src, q->rows[k], g->mask, q->kind);
    return ip + 1;
}

// ---- storage
struct vm_undef *vm_undef_create(const struct vm_code *c)
{
    struct vm_undef *u = mem_alloc(sizeof *u);
    const uint32_t nsets = c->undef_rows + VM_UNDEF_HELD;
    u->rows = mem_try_alloc((size_t)c->undef_rows * c->width, 64);
    u->flags = mem_alloc(c->undef_rows);
    u->set = mem_alloc(c->undef_rows * sizeof *u->set);
    u->users = mem_alloc(nsets * sizeof *u->users);
    u->alike = mem_alloc(nsets * sizeof *u->alike);
    u->spare = mem_alloc(nsets * sizeof *u->spare);
    for (uint32_t i = 0; i < nsets; i++) u->spare[u->nspare++] = nsets - 1 - i;
    u->origins = mem_try_alloc((size_t)nsets * c->width * sizeof *u->origins, 64);
    u->shadows = mem_alloc((c->module->nobjects + 1) * sizeof *u->shadows);
    u->private_bytes = mem_try_alloc(4 * (size_t)c->private_words * c->width + 64, 64);
    if (!u->rows || !u->origins || !u->private_bytes) {
        vm_undef_destroy(u);
        return NULL;
    }
    for (uint32_t i = 0; i < c->module->nobjects; i++)
        u->shadows[i] = (struct vm_shadow){.bytes = u->private_bytes +
                                                    4 * (size_t)c->private_word[i] * c->width,
                                           .count = &u->shadows[i].own_count};
    return u;
}

void vm_undef_destroy(struct vm_undef *u)
{
    if (!u) return;
    free(u->rows);
    free(u->flags);
    free(u->set);
    free(u->users);
    free(u->alike);
    free(u->spare);
    free(u->origins);
    free(u->shadows);
    free(u->private_bytes);
    free(u);
}

void vm_undef_flag(struct vm_gang *g, uint32_t row, uint64_t from)
{
    const uint32_t set = vm_undef_take_same(g, from);
    put_flag(g, row, set);
    vm_undef_drop(g->undef, set);
}

void vm_undef_clear(struct vm_gang *g)
{
    for (uint32_t row = 0; row < g->code->undef_rows && g->nundef; row++) clear_flag(g, row);
}

void vm_undef_start(struct vm_gang *g)
{
    const struct vm_code *c = g->code;
    vm_undef_clear(g);
    if (!c->private_words) return;
    memset(g->undef->private_bytes, VM_NEVER_WRITTEN, 4 * (size_t)c->private_words * c->width);
    for (uint32_t i = 0; i < c->module->nobjects; i++)
        if (c->module->objects[i].kind == BC_OBJ_PRIVATE)
            g->undef->shadows[i].own_count = c->module->objects[i].size * g->nlanes;
}

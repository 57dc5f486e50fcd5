// SPDX-License-Identifier: MIT
// Values that were never given, in registers.
//
// Undefined values are rare, so a kernel is decoded twice: the clean stream, which runs while no register
// of the gang is undefined, knows nothing of them but at the few places where one can come up (a load of
// bytes never written, the start of a variable without a value). There the gang changes to the other
// stream, in which every instruction that such a value may reach is preceded by one that computes the
// row of its result: which bytes of which lanes are undefined. The rules are those of the value's bits: `x & 0`
// is defined, of a selection only the chosen arm counts, moves and shifts carry bytes, sums upwards only. At the next block
// the gang is back in the clean stream if no row's flag is set any more.
//
// What an undefined value may not do is told where it happens: vm_undef_check stands before branches,
// accesses (their addresses) and printf; stores are undef_memory.c's. What was told counts as defined.
#include "interp/undef.h"

#include "base/mem.h"
#include "interp/fault.h"
#include "interp/group.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *row_of(struct vm_gang *g, uint32_t row) { return g->undef->rows + (size_t)row * g->code->width; }

static uint64_t *origins_of(struct vm_gang *g, uint32_t row) { return g->undef->origins + (size_t)row * g->code->width; }

static void set_flag(struct vm_gang *g, uint32_t row, bool on)
{
    g->nundef += (uint32_t)on - g->undef->flags[row];
    g->undef->flags[row] = on;
}

void vm_undef_put(struct vm_gang *g, uint32_t row, const uint8_t *now, const uint64_t *from, enum vm_undef_how how)
{
    if (!now && (how != VM_U_BLEND || !g->undef->flags[row])) {
        set_flag(g, row, false);
        return;
    }
    uint8_t *to = row_of(g, row), any = 0;
    const uint8_t *mask = g->mask;
    const uint32_t n = g->n;
    const bool keep = how == VM_U_BLEND && g->undef->flags[row];
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t v = now ? now[i] & mask[i] : 0;
        to[i] = keep ? v | (to[i] & (uint8_t)~mask[i]) : v;
        any |= to[i];
    }
    set_flag(g, row, any);
    if (!any || !now) return;
    uint64_t *const origin = origins_of(g, row), one = 0;
    if (how != VM_U_UNIFORM && !keep) memcpy(origin, from, n * sizeof *origin); // of lanes that are defined nobody asks
    else if (how != VM_U_UNIFORM) for (uint32_t i = 0; i < n; i++) origin[i] = now[i] & mask[i] ? from[i] : origin[i];
    if (how != VM_U_UNIFORM) return;
    for (uint32_t i = 0; i < n; i++)
        if (now[i] & mask[i]) one = from[i];
    memset(to, any, n);
    for (uint32_t i = 0; i < n; i++)
        origin[i] = one;
}

const struct vm_insn *vm_undef_switch(struct vm_gang *g, uint32_t resume)
{
    const struct vm_block *b = &g->frame->fn->blocks[g->frame->block];
    vm_widen(g);
    return b->stream[2 + (g->nactive != g->nlanes)] + resume;
}

// ---- results
static uint8_t whole(unsigned size) { return (uint8_t)((1u << size) - 1); }

/** Bytes of v that are all `bits` (0 or 0xff), as a mask. */
static uint8_t bytes_that_are(uint64_t v, uint8_t bits, unsigned size)
{
    uint8_t m = 0;
    for (unsigned i = 0; i < size; i++)
        m |= (uint8_t)(((uint8_t)(v >> 8 * i) == bits) << i);
    return m;
}

static uint8_t shifted(const struct vm_undef_op *q, uint8_t a, uint64_t by)
{
    by &= 8 * q->size - 1;
    const unsigned bytes = (unsigned)by / 8;
    const uint8_t all = whole(q->size);
    uint8_t r;
    if (q->rule == VM_U_SHL) {
        r = (uint8_t)(a << bytes);
        if (by % 8) r |= (uint8_t)(r << 1);
    } else {
        r = a >> bytes;
        if (by % 8) r |= r >> 1;
        if (q->rule == VM_U_ASHR && a >> (q->size - 1) & 1) r |= (uint8_t)(all & ~(all >> (bytes + (by % 8 != 0))));
    }
    return r & all;
}

/** From the lowest undefined byte on: carries go upwards only. */
static uint8_t carried(uint8_t a) { return (uint8_t)-(a & -a); }

static uint8_t result(struct vm_gang *g, const struct vm_undef_op *q, uint32_t lane, uint8_t a, uint8_t b, uint8_t c)
{
    const uint8_t all = whole(q->size);
    const unsigned lg = (unsigned)__builtin_ctz(q->size);
#define VALUE(k, lg) vm_operand_bits(g, q->off[k], q->varying >> (k) & 1, lg, lane)
    switch ((enum vm_undef_rule)q->rule) {
    case VM_U_ANY: break;
    case VM_U_MOVE: return a & all;
    case VM_U_CARRY: return carried(a | b) & all;
    case VM_U_BITS: return (a | b) & all;
    case VM_U_AND: {
        const uint8_t r = (a | b) & all;
        if (!r) return 0;
        return r & (uint8_t)~(bytes_that_are(VALUE(0, lg), 0, q->size) & ~a) & (uint8_t)~(bytes_that_are(VALUE(1, lg), 0, q->size) & ~b);
    }
    case VM_U_OR: {
        const uint8_t r = (a | b) & all;
        if (!r) return 0;
        if (q->size == 1 && ((!a && VALUE(0, lg)) || (!b && VALUE(1, lg)))) return 0; // true or anything
        return r & (uint8_t)~(bytes_that_are(VALUE(0, lg), 0xff, q->size) & ~a) &
               (uint8_t)~(bytes_that_are(VALUE(1, lg), 0xff, q->size) & ~b);
    }
    case VM_U_MUL:
        if ((!a && !VALUE(0, lg)) || (!b && !VALUE(1, lg))) return 0;
        return carried(a | b) & all;
    case VM_U_SEL: return a ? all : VALUE(0, 0) ? b : c;
    case VM_U_SEXT: return a | (a >> (q->from - 1) & 1 ? all & (uint8_t)~whole(q->from) : 0);
    case VM_U_SHL:
    case VM_U_LSHR:
    case VM_U_ASHR:
        if (b) return all;
        return a ? shifted(q, a, VALUE(1, lg)) : 0;
    }
#undef VALUE
    return a | b | c ? all : 0;
}

/** Where the lanes' undefined operands came from, the first of several; of other lanes it may be anything. */
static const uint64_t *origins_in(struct vm_gang *g, const struct vm_undef_op *q, const uint8_t *const s[3], uint64_t *room)
{
    const uint8_t *const flags = g->undef->flags;
    const uint64_t *from = NULL;
    for (int k = 2; k >= 0; k--) {
        if (!flags[q->src[k]]) continue;
        const uint64_t *const o = origins_of(g, q->src[k]);
        for (uint32_t i = 0; from && i < g->n; i++) room[i] = s[k][i] ? o[i] : from[i];
        from = from ? room : o;
    }
    return from;
}

const struct vm_insn *vm_undef_plain(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_op *q = ip->p;
    const uint8_t *const flags = g->undef->flags;
    if (!(flags[q->src[0]] | flags[q->src[1]] | flags[q->src[2]])) {
        if (flags[q->dst]) vm_undef_put(g, q->dst, NULL, NULL, q->how);
        return ip + 1;
    }
    const uint8_t *s[3];
    for (int k = 0; k < 3; k++)
        s[k] = row_of(g, flags[q->src[k]] ? q->src[k] : 0);
    uint8_t now[VM_MAX_WIDTH];
    const uint32_t n = g->n;
    if (q->rule == VM_U_ANY || q->rule == VM_U_MOVE) {
        const uint8_t all = whole(q->size), any = q->rule == VM_U_ANY ? 0xff : 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t r = s[0][i] | s[1][i] | s[2][i];
            now[i] = (any ? (uint8_t)-(r != 0) : r) & all;
        }
    } else if (q->rule == VM_U_CARRY) {
        const uint8_t all = whole(q->size);
        for (uint32_t i = 0; i < n; i++) now[i] = carried(s[0][i] | s[1][i]) & all;
    } else {
        memset(now, 0, n);
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->mask[i]) now[i] = result(g, q, i, s[0][i], s[1][i], s[2][i]);
    }
    uint64_t room[VM_MAX_WIDTH];
    vm_undef_put(g, q->dst, now, origins_in(g, q, s, room), q->how);
    return ip + 1;
}

/** Several results of several operands: all undefined where one operand is. */
const struct vm_insn *vm_undef_join(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_rows *q = ip->p;
    const uint32_t n = g->n;
    uint8_t any[VM_MAX_WIDTH], now[VM_MAX_WIDTH];
    uint64_t from[VM_MAX_WIDTH];
    bool found = false;
    for (uint32_t k = q->ndst; k < q->ndst + q->n; k++) {
        if (!g->undef->flags[q->rows[k]]) continue;
        if (!found) memset(any, 0, n);
        found = true;
        const uint64_t *o = origins_of(g, q->rows[k]);
        const uint8_t *s = row_of(g, q->rows[k]);
        for (uint32_t i = 0; i < n; i++) {
            if (s[i] && !any[i]) from[i] = o[i];
            any[i] |= s[i];
        }
    }
    for (uint32_t k = 0; k < q->ndst; k++) {
        if (!q->rows[k]) continue;
        if (found)
            for (uint32_t i = 0; i < n; i++)
                now[i] = any[i] ? whole(q->size[k]) : 0;
        const enum vm_undef_how how = q->size[k + q->ndst];
        vm_undef_put(g, q->rows[k], found ? now : NULL, from, how);
    }
    return ip + 1;
}

/** A variable has no value at its start. */
const struct vm_insn *vm_undef_mark(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_mark *q = ip->p;
    if (q->clean) return vm_undef_switch(g, q->resume);
    uint8_t now[VM_MAX_WIDTH];
    memset(now, whole(q->size), g->n);
    uint64_t from[VM_MAX_WIDTH];
    for (uint32_t i = 0; i < g->n; i++)
        from[i] = vm_origin_pack((struct vm_origin){.name = q->name, .loc = ip->src->loc});
    vm_undef_put(g, q->row, now, from, q->how);
    return ip + 1;
}

/** In the clean stream: a call that comes back with something undefined. */
const struct vm_insn *vm_undef_call(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_insn *next = vm_op_call(g, ip);
    return next && g->nundef ? vm_undef_switch(g, ip->a) : next;
}

// ---- where it matters
void vm_undef_fault(struct vm_gang *g, struct vm_fault_run *run, const struct bc_insn *src, uint32_t site, unsigned kind,
                    uint32_t lane, uint64_t from)
{
    const struct vm_origin o = vm_origin_unpack(from);
    const bool same = run->count && run->kind == (enum vm_fault_kind)kind && run->object == o.object &&
                      (o.object || (run->origin.name == o.name && run->origin.loc == o.loc));
    if (run->count && !same) vm_fault_end(g, run); // of another variable
    vm_fault_lane(g, run, src, site, (enum vm_fault_kind)kind, o.object, lane, (int64_t)o.offset, o.size);
    if (run->count == 1) run->origin = o;
}

void vm_undef_tell(struct vm_gang *g, const struct bc_insn *src, uint32_t row, const uint8_t *mask, unsigned kind)
{
    if (!g->undef->flags[row]) return;
    struct vm_fault_run run = {0};
    uint8_t *r = row_of(g, row), any = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        if (i < g->nlanes && mask[i] && r[i]) vm_undef_fault(g, &run, src, src->site, kind, i, origins_of(g, row)[i]);
        if (mask[i]) r[i] = 0;
        any |= r[i];
    }
    set_flag(g, row, any);
    vm_fault_end(g, &run);
}

const struct vm_insn *vm_undef_check(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_rows *q = ip->p;
    for (uint32_t k = 0; k < q->n; k++) vm_undef_tell(g, ip->src, q->rows[k], g->mask, q->kind);
    return ip + 1;
}

// ---- storage
struct vm_undef *vm_undef_create(const struct vm_code *c)
{
    struct vm_undef *u = mem_alloc(sizeof *u);
    u->rows = mem_try_alloc((size_t)c->undef_rows * c->width, 64);
    u->flags = mem_alloc(c->undef_rows);
    u->origins = mem_try_alloc((size_t)c->undef_rows * c->width * sizeof *u->origins, 64);
    u->shadows = mem_alloc((c->module->nobjects + 1) * sizeof *u->shadows);
    u->private_bytes = mem_try_alloc(4 * (size_t)c->private_words * c->width + 64, 64);
    if (!u->rows || !u->origins || !u->private_bytes) {
        vm_undef_destroy(u);
        return NULL;
    }
    for (uint32_t i = 0; i < c->module->nobjects; i++)
        u->shadows[i] = (struct vm_shadow){.bytes = u->private_bytes + 4 * (size_t)c->private_word[i] * c->width,
                                           .count = &u->shadows[i].own_count};
    return u;
}

void vm_undef_destroy(struct vm_undef *u)
{
    if (!u) return;
    free(u->rows);
    free(u->flags);
    free(u->origins);
    free(u->shadows);
    free(u->private_bytes);
    free(u);
}

void vm_undef_start(struct vm_gang *g)
{
    const struct vm_code *c = g->code;
    memset(g->undef->flags, 0, c->undef_rows);
    g->nundef = 0;
    if (!c->private_words) return;
    memset(g->undef->private_bytes, VM_NEVER_WRITTEN, 4 * (size_t)c->private_words * c->width);
    for (uint32_t i = 0; i < c->module->nobjects; i++)
        if (c->module->objects[i].kind == BC_OBJ_PRIVATE) g->undef->shadows[i].own_count = c->module->objects[i].size * g->nlanes;
}

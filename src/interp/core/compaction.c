// SPDX-License-Identifier: MIT
// Lane compaction: divergent loops whose cost follows the active lanes (as the dynamic warp
// formation of Fung et al., MICRO 2007, and the thread block compaction of Fung and Aamodt, HPCA
// 2011, do in hardware).
//
// An instruction costs a gang the same for one active lane as for all. Where the end of a loop
// depends on data (rows of a sparse matrix, neighbors in a graph, iterations to convergence), most
// iterations have few active lanes. After some of these iterations, the values of the active lanes
// are gathered at the front of every register that is live into the loop or across its back edge.
// The gang then has only that many lanes. When all of them have left the loop, their values are
// scattered back.
//
// Invariant: while compacted, lane i is not work-item first_item + i. Nothing in the loop may
// depend on lane numbers, except through what is translated here: ids of work-items, the race
// check, reports (vm_lane_of), and the V bits of undefined values. Loops do not qualify if they
// access private memory (it is interleaved by lane), contain barriers, or return from the function.
// The order of the lanes is preserved, and with it the results that depend on it (atomics, stores
// to one location).
//
// The lanes of the frame that wait at the start are set aside; none of them is in the loop. Lanes
// that leave the loop wait in their compacted positions until the loop is empty, so no block after
// the loop runs early.
#include "interp/core/compaction.h"

#include "base/mem.h"
#include "bytecode/operands.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 1,         // iterations with few active lanes before compaction
    MOST_PATIENCE = 1024, // after compactions that did not pay off
    PAYS = 4,             // approximate number of iterations after which it pays off
    FEW_IN_LOCAL = 4, // threshold if the race check covers local memory: compacted lanes have no
                      // named layout
};

// ---- loops that qualify
struct view {
    const struct vm_code *c;
    const struct bc_fn *bc;
    uint8_t *state; // [varying]: bits
    struct vm_compact_loop *loop;
};
enum { DEFINED = 1, EXPOSED = 2, WRITTEN = 4, OUTLIVES = 8 };

static void use(struct view *v, uint32_t operand)
{
    if (operand == BC_NONE || !(operand & BC_V)) return;
    uint8_t *s = &v->state[operand & ~BC_V];
    if (!(*s & DEFINED)) *s |= EXPOSED;
}
static void define(struct view *v, uint32_t operand, bool outlives)
{
    if (operand == BC_NONE || !(operand & BC_V)) return;
    v->state[operand & ~BC_V] |= (uint8_t)(DEFINED | WRITTEN | (outlives ? OUTLIVES : 0));
}

static bool is_for_all(const struct vm_code *c, uint32_t site)
{
    const unsigned space = c->module->sites[site].space;
    return space != BC_PRIVATE && !(space == BC_GENERIC && c->private_words);
}

static bool fn_suits(const struct vm_code *c, const struct bc_fn *bc);

/** Records the registers that the instruction reads and writes. False: it disqualifies the loop. */
static bool look(struct view *v, const struct bc_insn *b)
{
    const struct bc_mem *const sites = v->c->module->sites;
    const uint32_t *const ext = v->bc->ext;
    const unsigned effects = bc_ops[b->op].effects;
    if (!(effects & BC_COMPACTS)) return false;
    if (effects & (BC_READS | BC_WRITES)) {
        const unsigned space = sites[b->site].space;
        if (!is_for_all(v->c, b->site)) return false;
        v->loop->is_local |= space == BC_LOCAL;
        v->loop->uses_ids |= v->c->packed &&
                             (space == BC_LOCAL || space == BC_GENERIC); // vm_own_copy
    }
    v->loop->uses_ids |= bc_ops[b->op].ext == BC_EXT_WI;
    if (effects & BC_CALLS && !fn_suits(v->c, &v->c->module->fns[ext[b->ext]])) return false;
    BC_EACH_OPERAND(o, sites, ext, b, BC_USE_IN) use(v, *o.at);
    BC_EACH_OPERAND(o, sites, ext, b, BC_USE_OUT) define(v, *o.at, b->flags & BC_MASKED);
    return true;
}

/** A function that a loop calls qualifies if all its instructions do, except its end. */
static bool fn_suits(const struct vm_code *c, const struct bc_fn *bc)
{
    struct vm_compact_loop loop = {0};
    struct view v = {.c = c, .bc = bc, .state = mem_alloc(bc->nvarying + 1), .loop = &loop};
    bool suits = true;
    for (uint32_t i = 0; i < bc->ninsns && suits; i++)
        suits = bc->insns[i].op == BC_RET || look(&v, &bc->insns[i]);
    free(v.state);
    return suits && !loop.uses_ids;
}

static void analyse_loop(struct vm_code *c, struct vm_fn *fn, uint32_t l)
{
    const struct bc_fn *bc = fn->bc;
    struct vm_compact_loop *loop = &fn->compact_loops[l];
    struct view v = {.c = c, .bc = bc, .state = mem_alloc(bc->nvarying + 1), .loop = loop};
    bool suits = !bc->loops[l].has_barrier;
    for (uint32_t b = bc->loops[l].header; b <= bc->loops[l].last && suits; b++) {
        for (uint32_t i = 0; i < bc->nvarying; i++) v.state[i] &= (uint8_t)~DEFINED;
        for (uint32_t i = 0; i < bc->blocks[b].count && suits; i++)
            suits = look(&v, &bc->insns[bc->blocks[b].first + i]);
    }
    loop->regs = arena_array(&c->arena, struct vm_compact_reg, suits ? bc->nvarying : 0);
    for (uint32_t i = 0; i < bc->nvarying && suits; i++) {
        if (!(v.state[i] & (EXPOSED | OUTLIVES))) continue;
        loop->regs[loop->nregs++] =
            (struct vm_compact_reg){fn->varying_off[i], bc->vsize[i], v.state[i] & WRITTEN};
        loop->bytes += bc->vsize[i];
    }
    loop->suits = suits;
    c->compact_bytes = c->compact_bytes > loop->bytes ? c->compact_bytes : loop->bytes;
    free(v.state);
}

void vm_compaction_analyze(struct vm_code *c)
{
    if (c->may_part || c->stepped || c->synchronizes || c->mode & (VM_FAST_FORWARDING | VM_PROFILE))
        return;
    for (uint32_t f = 0; f < c->nfns; f++) {
        struct vm_fn *fn = &c->fns[f];
        if (!fn->bc->nloops) continue;
        fn->compact_loops = arena_array(&c->arena, struct vm_compact_loop, fn->bc->nloops);
        for (uint32_t l = 0; l < fn->bc->nloops; l++) analyse_loop(c, fn, l);
    }
}

// ---- compacting
static void *piece(char *base, size_t *at, size_t size)
{
    void *const p = base ? base + *at : NULL;
    *at += (size + 63) & ~(size_t)63;
    return p;
}

static size_t lay_out(struct vm_compaction *d, const struct vm_code *c, char *base)
{
    const size_t w = c->width;
    size_t at = 0;
    uint32_t nblocks = 0;
    for (uint32_t f = 0; f < c->nfns; f++)
        nblocks = nblocks > c->fns[f].bc->nblocks ? nblocks : c->fns[f].bc->nblocks;
    d->all_lanes = piece(base, &at, (size_t)c->compact_bytes * w);
    d->own_mask = piece(base, &at, w);
    d->own_masks = piece(base, &at, nblocks * sizeof *d->own_masks);
    d->own_waiting = piece(base, &at, nblocks * sizeof *d->own_waiting);
    d->pending = piece(base, &at, (nblocks + 63) / 64 * sizeof *d->pending);
    for (uint32_t i = 0; i < VM_LANE_NUMBERS; i++) d->now_lid[i] = piece(base, &at, 4 * w);
    for (uint32_t i = 0; i < 6; i++) d->now_gids[i] = piece(base, &at, 8 * w);
    d->op_mask = piece(base, &at, w);
    d->op_offsets = piece(base, &at, 8 * w);
    d->op_elements = piece(base, &at, 4 * w);
    d->op_values = piece(base, &at, 8 * VM_MAX_COMPS * w);
    for (uint32_t b = 0; b < nblocks; b++) {
        uint8_t *const mask = piece(base, &at, w);
        if (base) d->own_masks[b] = mask;
    }
    return at;
}

static bool make(struct vm_gang *g)
{
    if (g->compaction) return true;
    struct vm_compaction *d = mem_alloc(sizeof *d);
    d->block_mem = mem_try_alloc(lay_out(d, g->code, NULL), 64);
    if (d->block_mem) {
        lay_out(d, g->code, d->block_mem);
        g->compaction = d;
    } else {
        free(d);
    }
    return d->block_mem;
}

void vm_compaction_free(struct vm_gang *g)
{
    if (g->compaction) free(g->compaction->block_mem);
    free(g->compaction);
}

#define EACH_SIZE(size, X)                                                                         \
    switch (size) {                                                                                \
    case 1: X(uint8_t) break;                                                                      \
    case 2: X(uint16_t) break;                                                                     \
    case 4: X(uint32_t) break;                                                                     \
    default: X(uint64_t) break;                                                                    \
    }

static void gather(void *to, const void *from, unsigned size, const uint16_t *lanes, uint32_t n)
{
#define GATHER(T)                                                                                  \
    for (uint32_t i = 0; i < n; i++) ((T *)to)[i] = ((const T *)from)[lanes[i]];
    EACH_SIZE(size, GATHER)
}
static void scatter(void *to, const void *from, unsigned size, const uint16_t *lanes, uint32_t n)
{
#define SCATTER(T)                                                                                 \
    for (uint32_t i = 0; i < n; i++) ((T *)to)[lanes[i]] = ((const T *)from)[i];
    EACH_SIZE(size, SCATTER)
}

static void gather_ids(struct vm_gang *g, struct vm_compaction *d, uint32_t n)
{
    const struct vm_code *c = g->code;
    for (unsigned i = 0; i < VM_LANE_NUMBERS; i++) {
        d->lid[i] = g->lid[i];
        if (i > VM_LANE_LINEAR && !c->packed) continue;
        gather(d->now_lid[i], g->lid[i], 4, d->lanes, n);
        g->lid[i] = d->now_lid[i];
    }
    for (unsigned i = 0; i < 6; i++) {
        uint64_t **const ids = &g->gids[i / 3][i % 3];
        d->gids[i] = *ids;
        if (!(c->ids_used >> ((i / 3 ? BC_GROUP_ID : BC_GLOBAL_ID) * 3 + i % 3) & 1)) continue;
        gather(d->now_gids[i], *ids, 8, d->lanes, n);
        *ids = d->now_gids[i];
    }
}
static void give_back_ids(struct vm_gang *g, const struct vm_compaction *d)
{
    for (unsigned i = 0; i < VM_LANE_NUMBERS; i++) g->lid[i] = d->lid[i];
    for (unsigned i = 0; i < 6; i++) g->gids[i / 3][i % 3] = d->gids[i];
}

static void begin(struct vm_gang *g, uint32_t l)
{
    struct vm_frame *const f = g->frame;
    const struct vm_compact_loop *loop = &f->fn->compact_loops[l];
    if (!make(g)) return;
    struct vm_compaction *const d = g->compaction;
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->nlanes; i++) { // branchless: a branch would be mispredicted
        d->lanes[n] = (uint16_t)i;
        n += g->mask[i] & 1;
    }
    char *all_lanes = d->all_lanes;
    for (uint32_t i = 0; i < loop->nregs; i++) {
        const struct vm_compact_reg *q = &loop->regs[i];
        const size_t bytes = (size_t)q->size * g->n;
        memcpy(all_lanes, g->r + q->off, bytes);
        gather(g->r + q->off, all_lanes, q->size, d->lanes, n);
        all_lanes += bytes;
    }
    gather_ids(g, d, loop->uses_ids ? n : 0);
    vm_gang_count_slots(g);
    d->frame = f;
    d->loop = l;
    d->first = f->fn->bc->loops[l].header;
    d->last = f->fn->bc->loops[l].last;
    d->n = g->n;
    d->nlanes = g->nlanes;
    d->since = g->insns;
    d->masks = f->masks;
    d->waiting = f->waiting;
    d->mask = f->mask;
    memcpy(d->pending, f->pending, f->words * sizeof *f->pending);
    memset(f->pending, 0, f->words * sizeof *f->pending);
    d->npending = f->npending;
    f->npending = 0;
    f->masks = d->own_masks;
    f->waiting = d->own_waiting;
    f->mask = d->own_mask;
    g->nlanes = n;
    g->n = g->all = g->end = (n + VM_PAD - 1) & ~(VM_PAD - 1u);
    memset(f->mask, 0xff, n);
    memset(f->mask + n, 0, g->n - n);
    g->mask = f->mask;
    g->is_compacted = true;
}

void vm_compact(struct vm_gang *g, uint32_t t)
{
    struct vm_frame *const f = g->frame;
    const int32_t l = f->fn->blocks[t].loop;
    if (l < 0 || f->fn->bc->loops[l].header != t || !f->fn->compact_loops[l].suits || g->nundef ||
        g->code->decides)
        return;
    if (f->fn->compact_loops[l].is_local && g->group->race && g->nactive > g->nlanes / FEW_IN_LOCAL)
        return;
    if (g->is_compacted && (f != g->compaction->frame || (uint32_t)l != g->compaction->loop))
        return;
    const uint32_t patience = f->patience[l] ? f->patience[l] : PATIENCE;
    if (f->sparse[l]++ < patience) return;
    f->sparse[l] = 0;
    if (g->is_compacted) vm_compaction_end(g); // compact again, with fewer lanes
    begin(g, (uint32_t)l);
}

/** Spreads rows of V bits that were set while compacted. */
static void spread_rows(struct vm_gang *g, const struct vm_compaction *d, uint32_t n)
{
    const size_t w = g->code->width;
    uint8_t *const is_uniform = mem_alloc(g->code->undef_rows);
    for (uint32_t f = 0; f < g->code->nfns; f++)
        for (uint32_t i = 0; i < g->code->fns[f].bc->nuniform; i++)
            is_uniform[g->code->fns[f].uniform_row[i]] = 1;
    for (uint32_t row = 1; row < g->code->undef_rows; row++) {
        if (!g->undef->flags[row]) continue;
        uint8_t *const bytes = g->undef->rows + row * w;
        uint64_t *const origins = vm_undef_own_origins(g, row);
        if (is_uniform[row]) {
            memset(bytes, bytes[0], d->n);
            for (uint32_t i = 0; i < d->n; i++) origins[i] = origins[0];
            continue;
        }
        memset(bytes + n, 0, d->n - n);
        for (uint32_t i = n; i-- > 0;) { // lanes[i] >= i
            const uint8_t v = bytes[i];
            bytes[i] = 0;
            bytes[d->lanes[i]] = v;
            origins[d->lanes[i]] = origins[i];
        }
    }
    free(is_uniform);
}

static void spread_mask(const struct vm_compaction *d, uint8_t *to, const uint8_t *from, uint32_t n,
                        bool add)
{
    if (!add) memset(to, 0, d->n);
    for (uint32_t i = 0; i < n; i++) to[d->lanes[i]] |= from[i];
}

void vm_compaction_end(struct vm_gang *g)
{
    struct vm_compaction *const d = g->compaction;
    struct vm_frame *const f = d->frame;
    const struct vm_compact_loop *loop = &f->fn->compact_loops[d->loop];
    const uint32_t n = g->nlanes;
    vm_gang_count_slots(g);
    char *all_lanes = d->all_lanes;
    for (uint32_t i = 0; i < loop->nregs; i++) {
        const struct vm_compact_reg *q = &loop->regs[i];
        if (q->written) scatter(all_lanes, g->r + q->off, q->size, d->lanes, n);
        memcpy(g->r + q->off, all_lanes, (size_t)q->size * d->n);
        all_lanes += (size_t)q->size * d->n;
    }
    if (g->nundef) spread_rows(g, d, n);
    for (uint32_t b = 0; b < f->fn->bc->nblocks && f->npending; b++) {
        const uint64_t bit = 1ull << (b & 63);
        if (!(f->pending[b >> 6] & bit)) continue;
        const bool waits = d->pending[b >> 6] & bit;
        spread_mask(d, d->masks[b], f->masks[b], n, waits);
        d->waiting[b] = g->isa->count(d->masks[b], d->n);
        d->npending += !waits;
        d->pending[b >> 6] |= bit;
    }
    spread_mask(d, d->mask, f->mask, n, false);
    g->end = g->isa->count(d->mask, d->n).end;
    d->own_mask = f->mask; // which may have changed
    f->masks = d->masks;
    f->waiting = d->waiting;
    f->mask = d->mask;
    f->npending = d->npending;
    memcpy(f->pending, d->pending, f->words * sizeof *f->pending);
    give_back_ids(g, d);
    g->n = g->all = d->n;
    g->nlanes = d->nlanes;
    g->mask = f->mask;
    g->is_compacted = false;
    uint16_t *const patience = &f->patience[d->loop];
    const uint32_t iteration = f->fn->bc->blocks[d->first].count + f->fn->bc->blocks[d->last].count;
    const uint32_t was = *patience ? *patience : PATIENCE;
    if (g->insns - d->since < (uint64_t)PAYS * iteration)
        *patience = (uint16_t)(2 * was < MOST_PATIENCE ? 2 * was : MOST_PATIENCE);
    else if (was > PATIENCE) *patience = (uint16_t)(was / 2);
}

void vm_compaction_drop(struct vm_gang *g)
{
    struct vm_compaction *const d = g->compaction;
    d->own_mask = d->frame->mask;
    d->frame->masks = d->masks;
    d->frame->waiting = d->waiting;
    d->frame->mask = d->mask;
    give_back_ids(g, d);
    vm_gang_count_slots(g);
    g->nlanes = d->nlanes;
    g->is_compacted = false;
}

/** Moves the stored values to the uncompacted positions of the lanes. */
static void spread_values(struct vm_compaction *d, const struct race_op *op, const uint16_t *to)
{
#define CASE(V)                                                                                    \
    case sizeof(V):                                                                                \
        for (uint32_t i = 0; i < op->n; i++)                                                       \
            memcpy(d->op_values + to[i] * sizeof(V), (const char *)op->values + i * sizeof(V),     \
                   sizeof(V));                                                                     \
        break;
    switch (op->size) {
        CASE(uint8_t)
        CASE(uint16_t)
        CASE(uint32_t)
        CASE(uint64_t)
    default:
        for (uint32_t i = 0; i < op->n; i++)
            memcpy(d->op_values + (size_t)to[i] * op->size,
                   (const char *)op->values + (size_t)i * op->size, op->size);
    }
#undef CASE
}

/** Converts offsets to element indices if possible, which is faster. */
static bool spread_elements(struct vm_compaction *d, struct race_op *op, const uint16_t *to)
{
    if (op->shape == RACE_ELEMENTS) {
        for (uint32_t i = 0; i < op->n; i++) d->op_elements[to[i]] = op->elements[i];
    } else if (op->shape == RACE_CONTIGUOUS && !((op->size | op->offset0) & (op->size - 1)) &&
               op->offset0 / op->size + op->n < INT32_MAX) {
        const uint32_t first = (uint32_t)(op->offset0 / op->size);
        for (uint32_t i = 0; i < op->n; i++) d->op_elements[to[i]] = first + i;
        op->element_shift = (unsigned)__builtin_ctz(op->size);
    } else {
        return false;
    }
    op->elements = d->op_elements;
    op->shape = RACE_ELEMENTS;
    return true;
}

void vm_compaction_restore_op(struct vm_gang *g, struct race_op *op, uint32_t lane)
{
    struct vm_compaction *const d = g->compaction;
    const uint16_t *const to = d->lanes + lane;
    const uint32_t first = to[0], span = to[op->n - 1] - first + 1u; // they ascend
    op->first_item = g->first_item + first;
    if (span == op->n) return;
    memset(d->op_mask + first, 0, span);
    for (uint32_t i = 0; i < op->n; i++) d->op_mask[to[i]] = op->mask ? op->mask[i] : 0xff;
    if (op->values) spread_values(d, op, to);
    if (op->shape != RACE_UNIFORM && !spread_elements(d, op, to)) {
        for (uint32_t i = 0; i < op->n; i++)
            d->op_offsets[to[i]] = op->shape == RACE_CONTIGUOUS
                                       ? op->offset0 + (uint64_t)i * op->size
                                       : op->offsets[i];
        op->shape = RACE_INDEXED;
    }
    op->offsets = d->op_offsets + first;
    if (op->shape == RACE_ELEMENTS) op->elements = d->op_elements + first;
    op->mask = d->op_mask + first;
    if (op->values) op->values = d->op_values + (size_t)first * op->size;
    op->n = span;
}

void vm_gang_count_slots(struct vm_gang *g)
{
    g->slots += (g->insns - g->slots_until) * (g->is_compacted ? g->compaction->nlanes : g->nlanes);
    g->slots_until = g->insns;
}

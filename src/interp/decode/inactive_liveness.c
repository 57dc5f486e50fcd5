// SPDX-License-Identifier: MIT
// Inactive-lane liveness: finds results that need no blend because no inactive lane needs the old
// value.
//
// Otherwise, a value that outlives its block is written for the active lanes only. A register may
// be overwritten in block B if it is not live-in at any block where lanes may wait while B runs.
// (Live-in sets come from the usual backward data-flow analysis.)
//
// By the rule of the scheduler (schedule.c) lanes wait before P while B runs only if
//   - an edge jumps over B, from a block before B to P after it;
//   - P is the header of a loop around B, and a back edge reaches it from a block before B;
//   - an edge leaves a loop around B for P in an earlier iteration;
//   - or P follows a barrier, where lanes resume that arrived earlier.
// The analysis is skipped where lanes may wait for one another, and for irreducible control flow.
// Results of functions, which returned lanes leave there, and iteration counters are always live.
#include "base/mem.h"
#include "bytecode/operands.h"
#include "interp/decode/decode.h"
#include "interp/decode/decoder.h"
#include "interp/definedness/undef.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 1 << 24 };

struct lives {
    const struct bc_fn *bc;
    uint32_t words;
    uint64_t *in; // [block][word]: live-in registers
    uint64_t *now;
};

static uint64_t *row(const struct lives *v, uint64_t *of, uint32_t b)
{
    return of + (size_t)b * v->words;
}

static void want(struct lives *v, uint32_t r)
{
    if (r != BC_NONE && r & BC_V) v->now[(r & ~BC_V) >> 6] |= 1ull << (r & 63);
}
static void give(struct lives *v, uint32_t r)
{
    if (r != BC_NONE && r & BC_V) v->now[(r & ~BC_V) >> 6] &= ~(1ull << (r & 63));
}
static void want_all(struct lives *v, const uint32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) want(v, list[i]);
}

/** Transfer function: from the registers live after the instruction to those live before it. */
static void look_back(struct lives *v, const struct bc_module *m, const struct bc_insn *b)
{
    BC_EACH_OPERAND(o, m->sites, v->bc->ext, b, BC_USE_OUT | BC_USE_IN)
        if (o.use & BC_USE_OUT) give(v, *o.at);
        else want(v, *o.at);
}

static const struct bc_insn *end_of(const struct bc_fn *bc, uint32_t b)
{
    return &bc->insns[bc->blocks[b].first + bc->blocks[b].count - 1];
}

static unsigned successors(const struct bc_fn *bc, uint32_t b, uint32_t to[2])
{
    return bc_successors(end_of(bc, b), to);
}

static void find_lives(struct lives *v, const struct bc_module *m)
{
    const struct bc_fn *bc = v->bc;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = bc->nblocks; b-- > 0;) {
            uint32_t to[2];
            memset(v->now, 0, v->words * sizeof *v->now);
            for (unsigned k = successors(bc, b, to); k-- > 0;)
                for (uint32_t w = 0; w < v->words; w++) v->now[w] |= row(v, v->in, to[k])[w];
            for (uint32_t i = bc->blocks[b].count; i-- > 0;)
                look_back(v, m, &bc->insns[bc->blocks[b].first + i]);
            changed |= memcmp(row(v, v->in, b), v->now, v->words * sizeof *v->now) != 0;
            memcpy(row(v, v->in, b), v->now, v->words * sizeof *v->now);
        }
    }
}

static bool is_around(const struct bc_loop *l, uint32_t b)
{
    return b >= l->header && b <= l->last;
}

/**
 * Is the edge reducible: forward, or back to the header of an enclosing loop, and into loops only
 * at their headers?
 */
static bool is_tame(const struct bc_fn *bc, uint32_t from, uint32_t to)
{
    bool back = false;
    for (uint32_t l = 0; l < bc->nloops; l++) {
        back |= bc->loops[l].header == to && is_around(&bc->loops[l], from);
        if (is_around(&bc->loops[l], to) && !is_around(&bc->loops[l], from) &&
            to != bc->loops[l].header)
            return false;
    }
    return to > from || back;
}

static void add(struct lives *v, uint64_t *kept, uint32_t b, const uint64_t *want)
{
    uint64_t *const to = row(v, kept, b);
    for (uint32_t w = 0; w < v->words; w++) to[w] |= want[w];
}

/** Marks the blocks that may run while lanes from `from` wait before `to`. */
static void keep_while_waiting(struct lives *v, uint64_t *kept, uint32_t from, uint32_t to)
{
    const struct bc_fn *bc = v->bc;
    const uint64_t *const want = row(v, v->in, to);
    for (uint32_t b = from + 1; b < to; b++) add(v, kept, b, want);
    for (uint32_t l = 0; l < bc->nloops; l++) {
        const struct bc_loop *const loop = &bc->loops[l];
        if (!is_around(loop, from)) continue;
        if (!is_around(loop, to))
            for (uint32_t b = loop->header; b <= loop->last; b++) add(v, kept, b, want);
        else if (to == loop->header && to <= from)
            for (uint32_t b = from + 1; b <= loop->last; b++) add(v, kept, b, want);
    }
}

/** [block][word]: registers whose old values inactive lanes may need. */
static uint64_t *find_inactive_live(struct lives *v)
{
    const struct bc_fn *bc = v->bc;
    uint64_t *const kept = mem_alloc((size_t)bc->nblocks * v->words * sizeof *kept);
    for (uint32_t from = 0; from < bc->nblocks; from++) {
        uint32_t to[2];
        const unsigned op = end_of(bc, from)->op;
        for (unsigned k = successors(bc, from, to);
             k-- > 0 && op != BC_BARRIER && op != BC_RECONVERGE;)
            keep_while_waiting(v, kept, from, to[k]);
    }
    memset(v->now, 0, v->words * sizeof *v->now);
    want_all(v, bc->rets, bc->nrets);
    for (uint32_t l = 0; l < bc->nloops; l++) want(v, bc->loops[l].counter);
    for (uint32_t from = 0; from < bc->nblocks; from++) {
        const struct bc_insn *const i = end_of(bc, from);
        for (uint32_t w = 0; (i->op == BC_BARRIER || i->op == BC_RECONVERGE) && w < v->words; w++)
            v->now[w] |= row(v, v->in, i->ext)[w]; // whatever runs
    }
    for (uint32_t b = 0; b < bc->nblocks; b++) add(v, kept, b, v->now);
    return kept;
}

void dec_inactive_liveness(struct decoder *d)
{
    const struct bc_fn *bc = d->fn->bc;
    const uint32_t words = bc->nvarying / 64 + 1;
    free(d->inactive_live);
    d->inactive_live = NULL;
    d->live_words = words;
    if (d->code->may_part || d->code->stepped || d->code->mode & VM_FAST_FORWARDING) return;
    if ((uint64_t)bc->nblocks * words > MOST_BITS / 64 ||
        (uint64_t)bc->nblocks * bc->nblocks * (bc->nloops + 1) > MOST_BITS)
        return;
    for (uint32_t i = 0; i < bc->ninsns; i++)
        if (bc_ops[bc->insns[i].op].effects & BC_CROSSES) return;
    for (uint32_t b = 0; b < bc->nblocks; b++) {
        uint32_t to[2];
        for (unsigned k = successors(bc, b, to); k-- > 0;)
            if (!is_tame(bc, b, to[k])) return;
    }
    struct lives v = {.bc = bc, .words = words};
    v.in = mem_alloc((size_t)bc->nblocks * words * sizeof *v.in);
    v.now = mem_alloc(words * sizeof *v.now);
    find_lives(&v, d->m);
    d->inactive_live = find_inactive_live(&v);
    free(v.in);
    free(v.now);
}

// SPDX-License-Identifier: MIT
// Livelock detection for one gang.
//
// A gang that has written nothing visible to others for a long time is checked at some of its
// backward jumps, by Brent's cycle detection (BIT 20, 1980). The reference state is renewed at
// powers of two, so cycles of any length up to half of MOST_LOOKS are found. If registers, private
// memory, calls and waiting lanes equal the reference byte by byte, and nothing was written in
// between, the gang repeats itself forever and no-progress is reported.
//
// This is certain only while no other work-item runs. Lanes of functions that may wait for one
// another take turns, so the count of turns (vm_frame.spins) is part of the state, and a gang that
// yields discards its reference (vm_gang_livelock_reset). A loop that never returns to a state ends
// at the instruction limit for gangs without effects. A loop that writes is reported if no edge
// leaves it. Work-items that wait for others by atomics are handled by vm_group_is_stuck (group.c).
#include "interp/livelock/gang_livelock.h"

#include "bytecode/operands.h"
#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/lane_identity.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/livelock/fingerprint.h"

#include <string.h>

enum { FIRST_LOOK = 1 << 23, MOST_LOOKS = 4096 };
static const uint64_t MOST_BYTES = 1 << 28; // maximum size of a compared state

/** Visits the values of some lanes in a register. */
static void visit_lanes(struct vm_visit *v, const char *reg, unsigned size, const uint8_t *some,
                        uint32_t n)
{
    char room[8 * VM_MAX_WIDTH], *to = room;
    for (uint32_t i = 0; i < n; i++, reg += size)
        if (some[i]) to = (char *)memcpy(to, reg, size) + size;
    vm_visit(v, room, (size_t)(to - room));
}

static void add_lanes(uint8_t *some, const uint8_t *mask, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) some[i] |= mask[i];
}

/**
 * Finds the lanes that run, or wait inside the outermost loop of a frame. Other lanes do nothing
 * until the loop ends, and their dead values may change (inactive_liveness.c).
 */
static void find_lanes(const struct vm_gang *g, uint8_t *some)
{
    memset(some, 0, g->all);
    for (const struct vm_frame *f = g->frame; f; f = f->caller) {
        const struct bc_fn *bc = f->fn->bc;
        uint32_t first = 0, last = bc->nblocks - 1;
        for (int32_t l = f->fn->blocks[f->block].loop; l >= 0; l = bc->loops[l].parent)
            first = bc->loops[l].header, last = bc->loops[l].last;
        add_lanes(some, f->mask, g->all);
        for (uint32_t b = first; f->npending && b <= last; b++)
            if (f->pending[b >> 6] >> (b & 63) & 1) add_lanes(some, f->masks[b], g->all);
    }
}

static size_t state_size(const struct vm_gang *g)
{
    return g->code->scratch_v + 4 * (size_t)g->code->private_words * g->code->width;
}

static void visit_frame(struct vm_visit *v, const struct vm_gang *g, const struct vm_frame *f)
{
    vm_visit(v, &f->block, sizeof f->block);
    vm_visit(v, &f->call, sizeof f->call);
    if (f->fn->bc->may_part) vm_visit(v, &f->spins, sizeof f->spins);
    vm_visit(v, f->mask, g->n);
    vm_visit(v, f->pending, f->words * sizeof *f->pending);
    for (uint32_t b = 0; f->npending && b < f->fn->bc->nblocks; b++)
        if (f->pending[b >> 6] >> (b & 63) & 1) vm_visit(v, f->masks[b], g->n);
}

/** Frames come first: they differ soonest. */
static void visit_gang(struct vm_visit *v, const struct vm_gang *g)
{
    const struct vm_code *const c = g->code;
    uint8_t some[VM_MAX_WIDTH];
    find_lanes(g, some);
    vm_visit(v, &g->nlanes, sizeof g->nlanes);
    if (g->is_compacted)
        vm_visit(v, g->compaction->lanes, g->nlanes * sizeof *g->compaction->lanes);
    for (const struct vm_frame *f = g->frame; f; f = f->caller) visit_frame(v, g, f);
    for (uint32_t f = 0; f < c->nfns && !v->differs; f++) {
        const struct bc_fn *bc = c->fns[f].bc;
        vm_visit(v, g->r + c->fns[f].uniform_off, 8 * (size_t)bc->nuniform);
        for (uint32_t i = 0; i < bc->nvarying && !v->differs; i++)
            visit_lanes(v, g->r + c->fns[f].varying_off[i], bc->vsize[i], some, g->all);
    }
    vm_visit(v, g->private_mem, 4 * (size_t)c->private_words * c->width);
    vm_visit(v, g->parked, 4 * (size_t)g->nlanes);
}

static void keep_state(struct vm_gang *g)
{
    visit_gang(&(struct vm_visit){.purpose = VM_VISIT_KEEP, .of = &g->livelock.reference}, g);
}

static bool is_at_reference(struct vm_gang *g)
{
    struct vm_visit v = {.purpose = VM_VISIT_COMPARE, .of = &g->livelock.reference};
    visit_gang(&v, g);
    return vm_visit_is_same(&v);
}

/**
 * The nesting depth of the jump in calls and loops: the outermost jump of the cycle identifies the
 * endless loop.
 */
static uint32_t depth_of(const struct vm_gang *g)
{
    uint32_t depth = 0;
    const struct vm_frame *f = g->frame;
    for (int32_t l = f->fn->blocks[f->block].loop; l >= 0; l = f->fn->bc->loops[l].parent) depth++;
    for (f = f->caller; f; f = f->caller) depth += 1024;
    return depth;
}

static void note_location(struct vm_gang *g)
{
    struct vm_gang_livelock *q = &g->livelock;
    const uint32_t depth = depth_of(g);
    if (q->depth && q->depth <= depth + 1) return;
    const struct bc_fn *bc = g->frame->fn->bc;
    const int32_t loop = bc->blocks[g->frame->block].loop;
    const struct bc_block *b = &bc->blocks[loop >= 0 ? bc->loops[loop].header : g->frame->block];
    q->depth = depth + 1;
    q->loc = bc->insns[b->first + b->count - 1].loc;
    if (!bc->insns[b->first].loc && !q->loc) q->loc = bc->loc;
    q->ncalls = vm_calls_of(g, q->calls);
}

/** Does the loop have no exit edge? */
static bool is_closed(const struct bc_fn *bc, const struct bc_loop *l)
{
    for (uint32_t b = l->header; b <= l->last; b++) {
        const struct bc_insn *end = &bc->insns[bc->blocks[b].first + bc->blocks[b].count - 1];
        uint32_t to[2];
        unsigned n = bc_successors(end, to);
        if (!n) return false;
        while (n-- > 0)
            if (to[n] < l->header || to[n] > l->last) return false;
    }
    return true;
}

/** Is the gang in a loop without an exit? */
static bool has_no_way_out(struct vm_gang *g)
{
    for (const struct vm_frame *f = g->frame; f; f = f->caller)
        for (int32_t l = f->fn->blocks[f->block].loop; l >= 0; l = f->fn->bc->loops[l].parent)
            if (is_closed(f->fn->bc, &f->fn->bc->loops[l])) return true;
    return false;
}

static bool end_launch(struct vm_gang *g, enum chk_livelock why, uint64_t limit)
{
    struct vm_run *run = g->worker->run;
    const struct vm_gang_livelock *q = &g->livelock;
    int expected = VM_STOP_NOT;
    uint32_t first = 0;
    while (first < g->nlanes - 1 && !g->mask[first]) first++;
    if (atomic_compare_exchange_strong(&run->stopped, &expected, VM_STOP_LIVELOCK) &&
        !g->worker->muted)
        chk_report_livelock(&run->chk, (struct chk_where){q->loc, q->calls, q->ncalls},
                            vm_item_of(g, first), why, limit);
    return true;
}

void vm_gang_livelock_start(struct vm_gang *g)
{
    vm_fingerprint_free(&g->livelock.reference);
    g->livelock = (struct vm_gang_livelock){.since = g->insns,
                                            .look_at = g->insns + FIRST_LOOK,
                                            .pause = FIRST_LOOK,
                                            .effects = g->effects};
}

static void look_later(struct vm_gang *g)
{
    struct vm_gang_livelock *q = &g->livelock;
    const uint64_t limit = g->worker->run->l->livelock_limit;
    q->looks = 0;
    q->look_at = g->insns + q->pause;
    if (limit && q->look_at > q->since + limit) q->look_at = q->since + limit + 1;
}

void vm_gang_livelock_reset(struct vm_gang *g)
{
    if (g->livelock.looks) look_later(g);
}

bool vm_gang_is_livelocked(struct vm_gang *g)
{
    struct vm_gang_livelock *q = &g->livelock;
    const uint64_t limit = g->worker->run->l->livelock_limit;
    if (g->code->stepped) return false;
    if (g->effects != q->effects) {
        const bool closed = has_no_way_out(g);
        vm_gang_livelock_start(g);
        if (closed) note_location(g);
        return closed && end_launch(g, CHK_LIVELOCK_CLOSED, 0);
    }
    if (!q->looks) {
        q->most = MOST_BYTES / state_size(g) < MOST_LOOKS ? (uint32_t)(MOST_BYTES / state_size(g))
                                                          : MOST_LOOKS;
        q->renew = 1;
        q->depth = 0;
    }
    note_location(g);
    if (limit && g->insns - q->since > limit) return end_launch(g, CHK_LIVELOCK_TIMEOUT, limit);
    if (q->looks && is_at_reference(g)) return end_launch(g, CHK_LIVELOCK_STATE, 0);
    if (++q->looks >= q->renew) {
        keep_state(g);
        q->renew *= 2;
        q->depth = 0;
    }
    if (q->looks >= q->most) {
        q->pause *= 2;
        look_later(g);
    }
    return false;
}

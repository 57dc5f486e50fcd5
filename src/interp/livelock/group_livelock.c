// SPDX-License-Identifier: MIT
// Livelock detection for a group: the state of a group inside its loops, and groups that repeat it.
//
// The future of the work-items follows from memory and from the registers that control flow,
// addresses or stored values in the current loops depend on (a backward slice, Weiser 1981). An
// iteration counter that is only incremented does not belong to these. If this state recurs and
// memory did not change, the group repeats itself forever.
//
// A group of several gangs, or one whose loop has barriers, is checked at some of the barriers that
// it passes; a gang alone is checked by gang_livelock.c. Local memory is part of the state; the
// check requires that global memory was not written in between.
#include "interp/livelock/group_livelock.h"

#include "base/mem.h"
#include "bytecode/operands.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/livelock/fingerprint.h"

#include <string.h>
#include <time.h>

enum { FIRST_LOOK = 1 << 14, MOST_LOOKS = 256, PATIENCE = 10 }; // barriers; looks; seconds
static const uint64_t MOST_BYTES = 1 << 25;                     // maximum size of a compared state

// ---- the backward slice
struct slice {
    const struct vm_fn *fn;
    uint8_t *blocks, *uniform, *varying;
    bool changed;
};

static bool matters(const struct slice *s, uint32_t operand)
{
    if (operand == BC_NONE) return false;
    return operand & BC_V ? s->varying[operand & ~BC_V] : s->uniform[operand];
}

static void mark(struct slice *s, uint32_t operand)
{
    if (operand == BC_NONE || matters(s, operand)) return;
    if (operand & BC_V) s->varying[operand & ~BC_V] = 1;
    else s->uniform[operand] = 1;
    s->changed = true;
}

static void mark_insn(struct slice *s, const struct bc_module *m, const struct bc_insn *b)
{
    const uint32_t *const ext = s->fn->bc->ext;
    bool any = bc_ops[b->op].effects & BC_ACTS;
    BC_EACH_OPERAND(o, m->sites, ext, b, BC_USE_OUT) any |= matters(s, *o.at);
    if (!any) return;
    BC_EACH_OPERAND(o, m->sites, ext, b, BC_USE_IN) mark(s, *o.at);
}

static void add_loop(const struct vm_fn *fn, uint32_t block, uint8_t *blocks)
{
    int32_t l = fn->blocks[block].loop;
    while (l >= 0 && fn->bc->loops[l].parent >= 0) l = fn->bc->loops[l].parent;
    if (l >= 0)
        memset(blocks + fn->bc->loops[l].header, 1,
               fn->bc->loops[l].last - fn->bc->loops[l].header + 1);
}

/** Finds the blocks of all loops that work-items are in. */
static void find_blocks(const struct vm_group *grp, uint8_t *blocks)
{
    for (uint32_t k = 0; k < grp->ngangs; k++) {
        const struct vm_gang *g = grp->gangs[k];
        const struct vm_frame *f = &g->frames[0];
        if (g->nactive) add_loop(f->fn, f->block, blocks);
        for (uint32_t b = 0; b < f->fn->bc->nblocks; b++)
            if (f->pending[b >> 6] >> (b & 63) & 1) add_loop(f->fn, b, blocks);
        for (uint32_t i = 0; i < g->nlanes && g->nparked; i++)
            if (g->parked[i]) add_loop(f->fn, g->parked[i] - 1, blocks);
    }
}

/**
 * The slice of the kernel's registers for these blocks; reused if the blocks are the same as
 * before.
 */
static const struct slice *slice_of(struct vm_group *grp)
{
    const struct vm_code *c = grp->gangs[0]->code;
    const struct bc_fn *bc = c->fns[0].bc;
    if (!grp->slice) {
        grp->slice = mem_alloc(sizeof *grp->slice);
        grp->slice->fn = &c->fns[0];
        grp->slice->blocks = mem_alloc(bc->nblocks + 1);
        grp->slice->uniform = mem_alloc(bc->nuniform + 1);
        grp->slice->varying = mem_alloc(bc->nvarying + 1);
    }
    struct slice *s = grp->slice;
    uint8_t *blocks = mem_alloc(bc->nblocks + 1);
    find_blocks(grp, blocks);
    const bool same = !memcmp(blocks, s->blocks, bc->nblocks);
    memcpy(s->blocks, blocks, bc->nblocks);
    free(blocks);
    if (same) return s;
    memset(s->uniform, 0, bc->nuniform + 1);
    memset(s->varying, 0, bc->nvarying + 1);
    do {
        s->changed = false;
        for (uint32_t b = 0; b < bc->nblocks; b++)
            for (uint32_t i = 0; s->blocks[b] && i < bc->blocks[b].count; i++)
                mark_insn(s, c->module, &bc->insns[bc->blocks[b].first + i]);
    } while (s->changed);
    return s;
}

void vm_slice_free(struct slice *s)
{
    if (!s) return;
    free(s->blocks);
    free(s->uniform);
    free(s->varying);
    free(s);
}

// ---- the state
static void visit_gang(struct vm_visit *v, const struct vm_gang *g, const struct slice *s)
{
    const struct bc_fn *bc = s->fn->bc;
    const struct vm_frame *f = &g->frames[0];
    for (uint32_t i = bc->nconst; i < bc->nuniform; i++)
        if (s->uniform[i]) vm_visit(v, g->r + s->fn->uniform_off + 8 * (size_t)i, 8);
    for (uint32_t i = 0; i < bc->nvarying; i++)
        if (s->varying[i])
            vm_visit(v, g->r + s->fn->varying_off[i], (size_t)bc->vsize[i] * g->nlanes);
    vm_visit(v, g->private_mem, 4 * (size_t)g->code->private_words * g->code->width);
    vm_visit(v, &f->block, sizeof f->block);
    vm_visit(v, f->pending, f->words * sizeof *f->pending);
    for (uint32_t b = 0; b < bc->nblocks; b++)
        if (f->pending[b >> 6] >> (b & 63) & 1) vm_visit(v, f->masks[b], g->nlanes);
    vm_visit(v, g->parked, 4 * (size_t)g->nlanes);
    vm_visit(v, g->returned, g->nlanes);
}

static void visit_group(struct vm_visit *v, struct vm_group *grp)
{
    const struct slice *s = slice_of(grp);
    for (uint32_t k = 0; k < grp->ngangs && !v->differs; k++) visit_gang(v, grp->gangs[k], s);
    if (grp->local_mem) vm_visit(v, grp->local_mem, grp->worker->run->local_bytes);
}

uint64_t vm_group_fingerprint(struct vm_group *grp)
{
    struct vm_visit v = {.purpose = VM_VISIT_HASH, .hash = 1};
    visit_group(&v, grp);
    return v.hash | 1;
}

static bool is_at_reference(struct vm_group *grp)
{
    struct vm_visit v = {.purpose = VM_VISIT_COMPARE, .of = &grp->livelock.reference};
    visit_group(&v, grp);
    return vm_visit_is_same(&v);
}

// ---- livelock across barriers
static uint64_t far_effects(const struct vm_group *grp)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < grp->ngangs; k++) n += grp->gangs[k]->effects / VM_FAR_EFFECT;
    return n;
}

static uint32_t most_looks(const struct vm_group *grp)
{
    const struct vm_code *c = grp->gangs[0]->code;
    const uint64_t bytes = grp->ngangs *
                               (c->file_size + 4 * (uint64_t)c->private_words * c->width) +
                           grp->worker->run->local_bytes + 1;
    return MOST_BYTES / bytes < MOST_LOOKS ? (uint32_t)(MOST_BYTES / bytes) + 2 : MOST_LOOKS;
}

void vm_group_livelock_start(struct vm_group *grp)
{
    struct vm_group_livelock *q = &grp->livelock;
    vm_fingerprint_free(&q->reference);
    *q = (struct vm_group_livelock){
        .pause = FIRST_LOOK, .effects = far_effects(grp), .look_at = grp->rendezvous + FIRST_LOOK};
}

/** Records the outermost barrier of the cycle, which is in the endless loop. */
static void note_location(struct vm_group *grp, uint32_t block)
{
    struct vm_group_livelock *q = &grp->livelock;
    const struct vm_fn *fn = &grp->gangs[0]->code->fns[0];
    uint32_t depth = 1;
    const int32_t inner = fn->blocks[block].loop;
    for (int32_t l = inner; l >= 0; l = fn->bc->loops[l].parent) depth++;
    if (q->depth && q->depth <= depth) return;
    const struct bc_block *b = &fn->bc->blocks[inner >= 0 ? fn->bc->loops[inner].header : block];
    q->depth = depth;
    q->loc = fn->bc->insns[b->first + b->count - 1].loc;
}

static uint64_t seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec;
}

void vm_group_livelock_report(struct vm_group *grp)
{
    struct vm_run *run = grp->worker->run;
    int expected = VM_STOP_NOT;
    if (!atomic_compare_exchange_strong(&run->stopped, &expected, VM_STOP_LIVELOCK) ||
        grp->worker->muted)
        return;
    chk_report_livelock(&run->chk, (struct chk_where){grp->livelock.loc, NULL, 0},
                        vm_item_of(grp->gangs[0], 0), CHK_LIVELOCK_BARRIERS, 0);
}

enum vm_livelock vm_group_livelock_check(struct vm_group *grp, uint32_t block)
{
    struct vm_group_livelock *q = &grp->livelock;
    const struct vm_code *c = grp->gangs[0]->code;
    struct vm_worker *w = grp->worker;
    if (c->stepped || block == BC_NONE || c->fns[0].blocks[block].loop < 0) return VM_LIVELOCK_NOT;
    const uint64_t effects = far_effects(grp);
    if (effects != q->effects || w->changed) {
        grp->changed |= w->changed;
        w->changed = false;
        vm_group_livelock_start(grp);
        return VM_LIVELOCK_NOT;
    }
    if (!q->looks) {
        q->most = most_looks(grp);
        q->renew = 1;
        q->depth = 0;
    }
    note_location(grp, block);
    if (q->looks && is_at_reference(grp)) {
        if (w->max_contexts > 1) { // this one may wait for another group
            q->is_known = true;
            return VM_LIVELOCK_UNLESS_WRITTEN;
        }
        if (!q->since) q->since = seconds();
        if (w->run->nworkers == 1 || !c->uses_atomics || seconds() - q->since >= PATIENCE)
            return VM_LIVELOCK;
    }
    if (++q->looks >= q->renew) {
        visit_group(&(struct vm_visit){.purpose = VM_VISIT_KEEP, .of = &q->reference}, grp);
        q->renew *= 2;
        q->depth = 0;
    }
    if (q->looks >= q->most) {
        q->looks = 0;
        if (!q->since) q->pause *= 2;
        q->look_at = grp->rendezvous + q->pause;
    }
    return VM_LIVELOCK_NOT;
}

bool vm_group_livelock_stops(struct vm_group *grp, uint32_t block)
{
    const enum vm_livelock end = vm_group_livelock_check(grp, block);
    if (end == VM_LIVELOCK) {
        vm_group_livelock_report(grp);
        for (uint32_t k = 0; k < grp->ngangs; k++) grp->gangs[k]->stop = true;
    }
    return end != VM_LIVELOCK_NOT;
}

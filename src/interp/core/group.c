// SPDX-License-Identifier: MIT
// A work-group: its gangs run in turn, each as far as the barrier; then the barrier is judged
// (barrier.c).
#include "interp/core/group.h"

#include "base/err.h"
#include "base/mem.h"
#include "interp/calls/async_copies.h"
#include "interp/core/barrier.h"
#include "interp/core/collective_args.h"
#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/lane_identity.h"
#include "interp/core/local_memory.h"
#include "interp/core/memory_object.h"
#include "interp/core/reconvergence.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/images/image_fences.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/livelock/fingerprint.h"
#include "interp/livelock/group_livelock.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

/** Up to n gangs. */
static bool add_gangs(struct vm_group *grp, uint32_t n)
{
    const struct vm_run *run = grp->worker->run;
    for (; grp->max_gangs < n; grp->max_gangs++) {
        struct vm_gang *g = vm_gang_get(run->l->program, run->code);
        if (!g) return false;
        grp->gangs[grp->max_gangs] = g;
        g->insns = g->lane_insns = g->slots = g->slots_until = g->counted = 0;
        vm_gang_bind(g, grp);
    }
    return true;
}

/**
 * A debugger may never begin the group, and small gangs can be made when it does. Large ones, for
 * which there might be no memory then, are made at once.
 */
static bool may_add_later(const struct vm_group *grp)
{
    enum { SMALL = 64 << 20 };
    const struct vm_run *run = grp->worker->run;
    return run->code->stepped && grp->gangs[0]->block_size <= SMALL / run->gangs_per_group;
}

struct err *vm_group_create(struct vm_worker *w, struct vm_group **out)
{
    struct vm_run *run = w->run;
    struct vm_group *grp = mem_alloc(sizeof *grp);
    *out = grp;
    grp->worker = w;
    if (run->race) grp->race = race_worker_get(run->race, vm_race_worker(w) + w->ncontexts);
    struct err *const err = vm_local_memory_create(grp);
    if (err) return err;
    vm_writers_create(grp);
    if (run->code->collects) grp->put = mem_alloc(2 * sizeof *grp->put * run->group_items);
    if (run->code->undef_put) grp->put_undef = mem_alloc(2 * (size_t)run->group_items);
    if (run->code->undef_put)
        grp->put_origins = mem_alloc(2 * sizeof *grp->put_origins * run->group_items);
    grp->gangs = mem_array(NULL, run->gangs_per_group, sizeof *grp->gangs);
    if (!add_gangs(grp, 1) || (!may_add_later(grp) && !add_gangs(grp, run->gangs_per_group)))
        return err_new("no memory for the registers and private memory of a work-group");
    return NULL;
}

void vm_group_release(struct vm_group *grp)
{
    if (!grp) return;
    struct vm_worker *w = grp->worker;
    for (uint32_t i = 0; i < grp->max_gangs; i++) {
        struct vm_gang *g = grp->gangs[i];
        vm_gang_count_slots(g);
        w->stats.insns += g->insns;
        w->stats.lane_insns += g->lane_insns;
        w->stats.slots += g->slots;
        vm_gang_put(w->run->l->program, w->run->code, g);
    }
    free(grp->gangs);
    vm_local_memory_free(grp);
    vm_writers_free(grp);
    vm_image_fences_deinit(&grp->image_fences);
    free(grp->put);
    free(grp->put_undef);
    free(grp->put_origins);
    vm_slice_free(grp->slice);
    vm_fingerprint_free(&grp->livelock.reference);
    str_deinit(&grp->out);
    vec_free(&grp->copies);
    free(grp);
}

void vm_group_prepare(struct vm_group *grp, uint64_t linear, uint64_t n)
{
    vm_image_fences_clear(&grp->image_fences);
    vm_local_memory_clear(grp);
    vm_writers_clear(grp);
    const struct vm_run *run = grp->worker->run;
    const struct vm_launch *l = run->l;
    grp->linear = linear;
    grp->pack = linear - linear % run->packed_groups;
    grp->ngroups = (uint32_t)n;
    grp->id[0] = linear % run->grid[0];
    grp->id[1] = linear / run->grid[0] % run->grid[1];
    grp->id[2] = linear / run->grid[0] / run->grid[1];
    grp->items = 1;
    for (int k = 0; k < 3; k++) {
        const uint64_t left = l->global[k] - grp->id[k] * l->local[k];
        grp->shape[k] = (uint32_t)(left < l->local[k] ? left : l->local[k]);
        grp->items *= grp->shape[k];
    }
    grp->items *= grp->ngroups;
    grp->ngangs = (grp->items + run->code->lanes - 1) / run->code->lanes;
    grp->diverged = false;
    grp->put_half = 0;
    grp->rendezvous = grp->barriers = 0;
    grp->cycle = (struct vm_cycle){0};
    grp->first_args = (struct vm_first_args){0};
    vec_clear(&grp->copies);
    grp->ncopied = 0;
    grp->drops_copies = grp->events_differ = false;
    grp->wrong_event.count = 0;
    for (uint32_t id = 1; grp->shadows && id < run->nobjects; id++)
        if (run->objects[id].kind == VM_OBJ_LOCAL)
            grp->shadows[id].own_count = run->objects[id].size * grp->ngroups;
    grp->is_used = true;
    grp->is_begun = false;
    if (grp->race) race_group_begin(grp->race, linear / run->packed_groups);
}

void vm_group_begin(struct vm_group *grp)
{
    grp->is_begun = true;
    if (!add_gangs(grp, grp->worker->run->gangs_per_group)) abort(); // small ones: see above
    vm_group_livelock_start(grp);
    for (uint32_t i = 0; i < grp->ngangs; i++)
        vm_gang_start(grp->gangs[i], grp, i * grp->worker->run->code->lanes);
}

void vm_group_start(struct vm_group *grp, uint64_t linear, uint64_t n)
{
    vm_group_prepare(grp, linear, n);
    vm_group_begin(grp);
}

static void run_gang(struct vm_gang *g)
{
    struct vm_frame *f = &g->frames[0];
    g->state = VM_RUNNING;
    const struct vm_insn *ip;
    if (g->fresh) {
        g->fresh = false;
        ip = vm_enter(g, 0);
    } else {
        ip = vm_frame_resume(g, f);
    }
    do {
        while (ip) ip = ip->fn(g, ip);
        if (g->stop || !g->code->may_part || !g->nparked || !vm_reconverge_rest(g) ||
            g->state != VM_RUNNING)
            break;
        ip = vm_frame_resume(g, f);
    } while (ip);
    if (g->stop) g->state = VM_DONE;
    else if (g->state == VM_RUNNING) g->state = g->nparked ? VM_WAITING : VM_DONE;
}

enum vm_state vm_group_run(struct vm_group *grp)
{
    const struct vm_debugger *debugger = grp->worker->run->l->debugger;
    if (debugger) return debugger->run_group(debugger->ctx, grp) ? VM_DONE : VM_YIELDED;
    for (;;) {
        bool yielded = false, waiting = false;
        for (uint32_t i = 0; i < grp->ngangs; i++) {
            struct vm_gang *g = grp->gangs[i];
            if (g->state == VM_RUNNING || g->state == VM_YIELDED) run_gang(g);
            if (g->stop) return VM_DONE;
            yielded |= g->state == VM_YIELDED;
            waiting |= g->state == VM_WAITING;
        }
        if (yielded) return VM_YIELDED;
        if (!waiting) {
            vm_copies_left(grp);
            return VM_DONE;
        }
        const struct vm_gang *g = grp->gangs[0];
        const uint32_t at = g->nparked == g->nlanes ? g->parked[0] - 1 : BC_NONE;
        vm_group_judge(grp);
        if (__builtin_expect(vm_group_livelock_is_due(grp), 0) && vm_group_livelock_stops(grp, at))
            return g->stop ? VM_DONE : VM_YIELDED;
    }
}

bool vm_group_is_stuck(struct vm_group *grp)
{
    // Brent's cycle detection: the state is compared with one that is renewed at each power of two.
    // Only while memory is as it was then do equal states mean the same future.
    struct vm_cycle *const c = &grp->cycle;
    const uint64_t state = vm_group_fingerprint(grp), changes = grp->worker->changes;
    const bool is_last = state == c->last && changes == c->last_changes,
               is_reference = state == c->reference && changes == c->reference_changes;
    if (is_last || is_reference) c->known1 = changes + 1;
    c->last = state;
    c->last_changes = changes;
    if (!(c->yields & (c->yields + 1))) c->reference = state, c->reference_changes = changes;
    c->yields++;
    return c->known1 == changes + 1;
}

void vm_group_report_stuck(struct vm_group *grp)
{
    struct vm_run *run = grp->worker->run;
    if (grp->livelock.is_known) {
        vm_group_livelock_report(grp);
        return;
    }
    const struct bc_fn *fn = run->code->fns[0].bc;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        struct chk_item first = {0};
        uint64_t n = 0;
        for (uint32_t k = 0; k < grp->ngangs; k++) {
            struct vm_gang *g = grp->gangs[k];
            const struct vm_frame *f = &g->frames[0];
            if (g->state != VM_YIELDED || !(f->pending[b >> 6] >> (b & 63) & 1)) continue;
            uint32_t lane = 0;
            while (!f->masks[b][lane]) lane++;
            if (!n) first = vm_item_of(g, lane);
            n += g->isa->count(f->masks[b], g->n).n;
        }
        const struct bc_block *bb = &fn->blocks[b];
        if (n)
            chk_report_no_progress(
                &run->chk, (struct chk_where){fn->insns[bb->first + bb->count - 1].loc, NULL, 0},
                first, n);
    }
}

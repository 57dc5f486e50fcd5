// SPDX-License-Identifier: MIT
// The hooks that code calls during fast-forward (fast_forward_run.h): at the first instruction of a
// line or block, before writes, and at barriers.
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/fast_forward_run.h"
#include "interp/vm.h"

#include <string.h>

/**
 * The first instruction of a block of the kernel: here the state of every lane is known, so it can
 * pause.
 */
static bool can_pause(const struct vm_gang *g, const struct bc_insn *i)
{
    const struct vm_frame *f = &g->frames[0];
    return g->frame == f && !g->is_compacted &&
           i == &f->fn->bc->insns[f->fn->bc->blocks[f->block].first];
}

const struct vm_insn *vm_fast_forward_look(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    struct vm_worker *w = g->worker;
    if (can_pause(g, ip->src)) {
        w->fast_forward_looks++;
        w->fast_forward_paused = w->fast_forward_asked ||
                                 w->fast_forward_looks == w->fast_forward_pause_at;
        for (uint32_t i = 0; w->fast_forward_counts && !w->fast_forward_paused && i < g->nlanes;
             i++)
            w->fast_forward_counts[g->first_item + i] += g->mask[i] & 1;
    }
    if (!w->fast_forward_failed && !w->fast_forward_paused &&
        (ip->src->flags & BC_BREAK || w->fast_forward_asked ||
         atomic_load_explicit(d->attention, memory_order_relaxed)))
        w->fast_forward_failed = d->fast_forward_look(d->ctx, g, ip->src);
    if (!w->fast_forward_failed && !w->fast_forward_paused) return ip + 1;
    g->stop = true;
    return NULL;
}

void vm_fast_forward_pause(struct vm_worker *w) { w->fast_forward_asked = true; }

const struct vm_insn *vm_fast_forward_write(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    d->fast_forward_write(d->ctx, g, ip->src);
    return ip + 1;
}

/** Sets the candidate for a pause at which the run ends, if that is before the next barrier. */
void vm_fast_forward_arm(struct vm_worker *w, const struct vm_group *grp)
{
    if (w->fast_forward_counts)
        memset(w->fast_forward_counts, 0, grp->items * sizeof *w->fast_forward_counts);
    w->fast_forward_pause_at = w->fast_forward_passed == w->fast_forward_most &&
                                       w->fast_forward_last
                                   ? w->fast_forward_last
                                   : UINT64_MAX;
}

bool vm_fast_forward_may_pass(struct vm_group *grp)
{
    const struct vm_worker *w = grp->worker;
    const struct vm_debugger *d = w->run->l->debugger;
    return !w->fast_forward_failed && w->fast_forward_passed < w->fast_forward_most &&
           d->fast_forward_met(d->ctx, grp);
}

void vm_fast_forward_has_passed(struct vm_group *grp)
{
    struct vm_worker *w = grp->worker;
    w->fast_forward_passed += !w->fast_forward_failed;
    w->fast_forward_looks = 0;
    vm_fast_forward_arm(w, grp);
}

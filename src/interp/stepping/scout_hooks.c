// SPDX-License-Identifier: MIT
// What code calls during fast-forward (scout.h): at the first instruction of a line or block,
// before writes, and at barriers.
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/scout.h"
#include "interp/vm.h"

#include <string.h>

/** The first instruction of a block of the kernel: the state of every lane is known here. */
static bool can_pause(const struct vm_gang *g, const struct bc_insn *i)
{
    const struct vm_frame *f = &g->frames[0];
    return g->frame == f && !g->is_compacted &&
           i == &f->fn->bc->insns[f->fn->bc->blocks[f->block].first];
}

const struct vm_insn *vm_scout_look(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    struct vm_worker *w = g->worker;
    if (can_pause(g, ip->src)) {
        w->scout_looks++;
        w->scout_paused = w->scout_asked || w->scout_looks == w->scout_pause_at;
        for (uint32_t i = 0; w->scout_counts && !w->scout_paused && i < g->nlanes; i++)
            w->scout_counts[g->first_item + i] += g->mask[i] & 1;
    }
    if (!w->scout_failed && !w->scout_paused &&
        (ip->src->flags & BC_BREAK || w->scout_asked ||
         atomic_load_explicit(d->attention, memory_order_relaxed)))
        w->scout_failed = d->scout_look(d->ctx, g, ip->src);
    if (!w->scout_failed && !w->scout_paused) return ip + 1;
    g->stop = true;
    return NULL;
}

void vm_scout_pause(struct vm_worker *w) { w->scout_asked = true; }

const struct vm_insn *vm_scout_write(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    d->scout_write(d->ctx, g, ip->src);
    return ip + 1;
}

/** The candidate for a pause at which it ends, if that is before the next barrier. */
void vm_scout_arm(struct vm_worker *w, const struct vm_group *grp)
{
    if (w->scout_counts) memset(w->scout_counts, 0, grp->items * sizeof *w->scout_counts);
    w->scout_pause_at = w->scout_passed == w->scout_most && w->scout_last ? w->scout_last
                                                                          : UINT64_MAX;
}

bool vm_scout_may_pass(struct vm_group *grp)
{
    const struct vm_worker *w = grp->worker;
    const struct vm_debugger *d = w->run->l->debugger;
    return !w->scout_failed && w->scout_passed < w->scout_most && d->scout_met(d->ctx, grp);
}

void vm_scout_has_passed(struct vm_group *grp)
{
    struct vm_worker *w = grp->worker;
    w->scout_passed += !w->scout_failed;
    w->scout_looks = 0;
    vm_scout_arm(w, grp);
}

// SPDX-License-Identifier: MIT
// What code calls while work-items run as lanes of wide gangs under a debugger (scout.h): looks at
// the first instruction of a line, before writes, and at barriers.
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/scout.h"
#include "interp/stepping/serialized_atomics.h"
#include "interp/vm.h"

const struct vm_insn *vm_scout_look(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    struct vm_worker *w = g->worker;
    if (!w->scout_failed &&
        (ip->src->flags & BC_BREAK || atomic_load_explicit(d->attention, memory_order_relaxed)))
        w->scout_failed = d->scout_look(d->ctx, g, ip->src);
    if (!w->scout_failed) return ip + 1;
    g->stop = true;
    return NULL;
}

const struct vm_insn *vm_scout_write(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_debugger *d = g->worker->run->l->debugger;
    d->scout_write(d->ctx, g, ip->src);
    return ip + 1;
}

/** Between two barriers all went as if one work-item had run after the other. */
bool vm_scout_in_order(const struct vm_group *grp)
{
    struct vm_worker *w = grp->worker;
    if (!w->serial || w->scout_failed || vm_serial_end(w->serial)) return true;
    w->scout_failed = w->out_of_order = true;
    return false;
}

bool vm_scout_may_pass(struct vm_group *grp)
{
    const struct vm_worker *w = grp->worker;
    const struct vm_debugger *d = w->run->l->debugger;
    if (!vm_scout_in_order(grp)) return false;
    return w->scout_passed < w->scout_most && d->scout_met(d->ctx, grp);
}

void vm_scout_has_passed(struct vm_group *grp)
{
    grp->worker->scout_passed += !grp->worker->scout_failed;
}

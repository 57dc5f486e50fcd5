// SPDX-License-Identifier: MIT
// The collective-argument check: OpenCL requires some arguments to be the same in all work-items of
// a group (async copies, work_group_broadcast). They are compared with those of the first
// work-item.
#include "interp/core/collective_args.h"

#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

static uint64_t argument(struct vm_gang *g, const struct vm_collective_args *a, unsigned k,
                         uint32_t lane)
{
    return vm_operand_bits(g, a->off[k], a->varying >> k & 1, a->elog, lane);
}

void vm_check_collective_args(struct vm_gang *g, const struct vm_insn *ip,
                              const struct vm_collective_args *a)
{
    const struct vm_run *run = g->worker->run;
    struct vm_first_args *m = &g->group->first_args;
    if (!a->varying || g->group->diverged || !(run->l->checks & VM_CHECK_DIVERGENCE)) return;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        if (m->at != ip->src || m->number != g->group->rendezvous) {
            *m = (struct vm_first_args){
                .at = ip->src, .number = g->group->rendezvous, .item = vm_item_of(g, i)};
            for (unsigned k = 0; k < a->n; k++) m->arg[k] = argument(g, a, k, i);
        }
        for (unsigned k = 0; k < a->n && !m->reported; k++) {
            const uint64_t v = argument(g, a, k, i);
            if (!(a->varying >> k & 1) || v == m->arg[k]) continue;
            m->reported = true;
            if (g->worker->fast_forwarding) {
                g->worker->fast_forward_failed = true;
                return;
            }
            if (a->kind == BC_BAR_ASYNC_COPY)
                vm_group_defines_all(g->group); // unwritten elements are follow-on errors
            chk_report_argument(&run->chk,
                                &(struct chk_argument){.what = a->kinds[k],
                                                       .kind = a->kind,
                                                       .loc = ip->src->loc,
                                                       .item = {m->item, vm_item_of(g, i)},
                                                       .value = {m->arg[k], v}});
        }
    }
}

void vm_group_defines_all(struct vm_group *grp)
{
    for (uint32_t id = 0; grp->shadows && id < grp->worker->run->nobjects; id++)
        grp->shadows[id].own_count = 0;
}

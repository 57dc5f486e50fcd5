// SPDX-License-Identifier: MIT
// Barriers: which are passed, and what happens after a divergence.
//
// A lane that reaches a barrier parks. When no lane of the group can run, the barrier is passed if
// all work-items are parked at the same instance of it (same place, same iteration of every
// enclosing loop). Otherwise barrier-divergence is reported. In a group of one gang whose lanes
// arrive together, no lane parks.
//
// After a divergence, the work-items at the first instance (in iterations, then in program order)
// continue as if they had passed it; the others wait there. When all work-items of the group reach
// a common barrier, the divergence has ended. Until then, further divergence is a follow-on error
// and is not reported.
#include "interp/core/barrier.h"

#include "interp/calls/async_copies.h"
#include "interp/calls/sys.h"
#include "interp/core/barrier_instance.h"
#include "interp/core/collective_args.h"
#include "interp/core/divergence_point.h"
#include "interp/core/divergence_report.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/core/reconvergence.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/images/image_fences.h"
#include "interp/launch/worker.h"
#include "interp/livelock/group_livelock.h"
#include "interp/stepping/fast_forward_run.h"

/** `loc`: the location of the barrier; 0: it is not in the source. */
static void passed(struct vm_group *grp, unsigned kind, uint32_t flags, unsigned scope,
                   uint32_t loc)
{
    grp->rendezvous++;
    if (kind == BC_BAR_COLLECTIVE) grp->put_half ^= 1;
    if (kind == BC_BAR_WAIT_GROUP_EVENTS) vm_copies_end(grp);
    // all work-items are there, but nothing else is ordered
    if (kind != BC_BAR_BARRIER) return;
    grp->barriers++;
    if (flags & BC_FENCE_IMAGE) vm_image_fences_clear(&grp->image_fences);
    if (!grp->race) return;
    race_barrier(grp->race, flags & 0xff, scope); // see BC_BARRIER in ops.def
    race_barrier_at(grp->race, loc);
}

static uint32_t flags_of(struct vm_gang *g, const struct vm_operands *q, uint32_t lane)
{
    return q->off[0] ? (uint32_t)vm_operand_bits(g, q->off[0], q->varying & 1, 2, lane) : 0;
}

const struct vm_insn *vm_op_barrier(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_barrier *q = ip->p;
    struct vm_group *grp = g->group;
    struct vm_frame *f = g->frame;
    if (q->kind == BC_BAR_BARRIER && q->scope <= BC_SCOPE_SUB_GROUP) return vm_go(g, ip->b);
    f->spins = 0;
    const bool fast_forwarding = grp->worker->fast_forwarding;
    if (g->nactive == g->nlanes && grp->ngangs == 1 && !(q->flags.varying & 1) &&
        vm_counters_agree(g, f->block) && (!fast_forwarding || vm_fast_forward_may_pass(grp))) {
        passed(grp, q->kind, flags_of(g, &q->flags, 0), q->scope, ip->src->loc);
        grp->diverged = false;
        vm_choices_forget(g);
        if (fast_forwarding) {
            vm_fast_forward_has_passed(grp);
            return grp->worker->fast_forward_failed ? NULL : vm_go(g, ip->b);
        }
        if (__builtin_expect(vm_group_livelock_is_due(grp), 0) &&
            vm_group_livelock_stops(grp, f->block)) {
            if (g->stop) return NULL;
            for (uint32_t i = 0; i < g->nlanes; i++) vm_frame_pend(g, f, ip->b, i);
            g->nactive = 0;
            g->state = VM_YIELDED;
            return NULL;
        }
        return vm_go(g, ip->b);
    }
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) {
            g->parked[i] = f->block + 1;
            g->flags[i] = flags_of(g, &q->flags, i);
        }
    g->nparked += g->nactive;
    return vm_next(g);
}

/** Releases the lanes that are parked at the same instance as `at`; `all`: these are all lanes. */
static void release(struct vm_group *grp, struct vm_lane_ref at, bool all)
{
    const uint32_t parked = at.g->parked[at.lane];
    for (uint32_t k = 0; k < grp->ngangs; k++) {
        struct vm_gang *g = grp->gangs[k];
        if (!g->nparked) continue;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (all ||
                (g->parked[i] == parked && vm_same_instance(g, i, at.g, at.lane, parked - 1)))
                vm_let_go(g, i);
    }
}

static bool all_at_one(const struct vm_group *grp)
{
    const struct vm_lane_ref a = vm_lane_at(grp, 0);
    for (uint32_t k = 0; k < grp->ngangs; k++) {
        const struct vm_gang *g = grp->gangs[k];
        if (g->nreturned || g->nparked != g->nlanes) return false;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->parked[i] != a.g->parked[a.lane]) return false;
    }
    for (uint32_t i = 1; i < grp->items; i++) {
        const struct vm_lane_ref b = vm_lane_at(grp, i);
        if (!vm_same_instance(a.g, a.lane, b.g, b.lane, a.g->parked[a.lane] - 1)) return false;
    }
    return true;
}

bool vm_group_arrived(const struct vm_group *grp)
{
    const struct vm_lane_ref a = vm_lane_at(grp, 0);
    bool same = true;
    for (uint32_t k = 0; k < grp->ngangs && same; k++) {
        const struct vm_gang *g = grp->gangs[k];
        same = g->nlanes && g->nparked == g->nlanes;
        for (uint32_t i = 0; i < g->nlanes && same; i++) same = g->flags[i] == a.g->flags[a.lane];
    }
    return same && all_at_one(grp);
}

/** A lane that waits at the first of the barriers. */
static struct vm_lane_ref first_waiting(const struct vm_group *grp)
{
    struct vm_lane_ref first = {0};
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_lane_ref a = vm_lane_at(grp, i);
        if (a.g->parked[a.lane] && (!first.g || vm_waits_earlier(a, first))) first = a;
    }
    return first;
}

void vm_group_judge(struct vm_group *grp)
{
    if (grp->gangs[0]->code->stepped && vm_reconverge_stepped(grp, false)) return;
    if (all_at_one(grp)) {
        const struct vm_lane_ref a = vm_lane_at(grp, 0);
        const bool had_diverged = grp->diverged;
        grp->diverged = false;
        for (uint32_t k = 0; k < grp->ngangs; k++) vm_choices_forget(grp->gangs[k]);
        const struct bc_insn *b = vm_end_of_block(&a.g->code->fns[0], a.g->parked[a.lane] - 1);
        passed(grp, b->a, vm_compare_flags(grp, b->a, had_diverged), b->c, b->loc);
        release(grp, a, true);
    } else {
        vm_report_divergence(grp);
        vm_group_defines_all(grp);
        grp->diverged = true;
        vm_copies_end(grp);
        passed(grp, BC_BAR_BARRIER, BC_FENCE_LOCAL | BC_FENCE_GLOBAL, BC_SCOPE_GROUP,
               0); // one finding is enough: suppress races that follow from it
        release(grp, first_waiting(grp), false);
    }
}

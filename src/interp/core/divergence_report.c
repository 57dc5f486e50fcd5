// SPDX-License-Identifier: MIT
// Reports a group that cannot pass a barrier. Work-items are sorted into parties by the instance
// that they wait at.
#include "interp/core/divergence_report.h"

#include "base/mem.h"
#include "interp/core/barrier_instance.h"
#include "interp/core/divergence_point.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>

enum { MAX_PARTIES = 8, MAX_LOOPS = 8, MAX_POINTS = 8 };

/** Is this the last tested case of a switch, so that all other values go to the default? */
static bool is_last_case(const struct bc_fn *fn, const struct bc_insn *last)
{
    const struct bc_block *next = &fn->blocks[last->c];
    const struct bc_insn *end = &fn->insns[next->first + next->count - 1];
    return !(end->flags & BC_CASE && end->loc == last->loc);
}

/** Finds the distinct branches at which other parties diverged from the first party. */
static unsigned find_divergence_points(const struct vm_group *grp, const struct chk_party *party,
                                       unsigned n, struct chk_divergence_point *out)
{
    enum { MAX_TRIES = 1 << 17 }; // searched notes
    const struct vm_fn *fn = &grp->gangs[0]->code->fns[0];
    struct vm_divergence_point at[MAX_POINTS];
    unsigned found = 0;
    uint32_t tries = MAX_TRIES;
    for (unsigned k = 1; k < n; k++)
        for (uint32_t i = party[k].first; i < grp->items && found < MAX_POINTS && tries; i++) {
            bool explained = !party[k].members[i];
            for (unsigned p = 0; p < found; p++)
                explained |= at[p].yes ? out[p].yes[i] : out[p].no[i];
            if (explained ||
                !vm_divergence_point_find(grp, party[0].members, i, &tries, &at[found]))
                continue;
            const struct bc_block *b = &fn->bc->blocks[at[found].block];
            const struct bc_insn *last = &fn->bc->insns[b->first + b->count - 1];
            struct chk_divergence_point *p = &out[found];
            *p = (struct chk_divergence_point){.loc = last->loc,
                                               .is_case = last->flags & BC_CASE,
                                               .comparison = vm_comparison(fn->bc, last)};
            p->is_last_case = p->is_case && !at[found].yes && is_last_case(fn->bc, last);
            if (p->is_case && b->count > 1 && last[-1].b < fn->bc->nconst)
                p->value = fn->bc->consts[last[-1].b];
            p->yes = mem_alloc(grp->items);
            p->no = mem_alloc(grp->items);
            for (unsigned o = 0; o < 2; o++)
                p->operand[o] = mem_alloc(grp->items * sizeof *p->operand[o]);
            vm_divergence_point_members(grp, &at[found++], p->yes, p->no, p->operand);
        }
    return found;
}

/** Where the party of lane `a` is: at the end of block at - 1; 0: it returned. */
static void describe_party(const struct vm_fn *fn, struct vm_lane_ref a, uint32_t at,
                           struct chk_party *p, uint32_t iterations[MAX_LOOPS],
                           uint32_t loop_locs[MAX_LOOPS])
{
    p->iterations = iterations;
    p->loop_locs = loop_locs;
    p->loc = at ? vm_end_of_block(fn, at - 1)->loc : 0;
    p->at_barrier = at != 0;
    p->kind = at ? (enum bc_barrier)vm_end_of_block(fn, at - 1)->a : BC_BAR_BARRIER;
    for (int32_t l = at ? fn->blocks[at - 1].loop : -1; l >= 0 && p->nloops < MAX_LOOPS;
         l = fn->bc->loops[l].parent) {
        if (fn->bc->loops[l].counter == BC_NONE) continue;
        const struct bc_block *h = &fn->bc->blocks[fn->bc->loops[l].header];
        iterations[p->nloops] = vm_iteration(a.g, l, a.lane);
        loop_locs[p->nloops++] = fn->bc->loops[l].loc ? fn->bc->loops[l].loc
                                                      : fn->bc->insns[h->first + h->count - 1].loc;
    }
}

/** Sorts the work-items by where they are and reports it. */
void vm_report_divergence(struct vm_group *grp)
{
    struct vm_run *run = grp->worker->run;
    if (!(run->l->checks & VM_CHECK_DIVERGENCE) || grp->diverged || grp->worker->muted ||
        grp->ngroups > 1)
        return;
    const struct vm_fn *fn = &run->code->fns[0];
    struct chk_party party[MAX_PARTIES] = {0};
    uint32_t iterations[MAX_PARTIES][MAX_LOOPS], loop_locs[MAX_PARTIES][MAX_LOOPS];
    uint8_t *members = mem_alloc((size_t)MAX_PARTIES * grp->items);
    unsigned n = 0;
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_lane_ref a = vm_lane_at(grp, i);
        const uint32_t at = a.g->parked[a.lane];
        unsigned k = 0;
        for (; k < n; k++) {
            const struct vm_lane_ref b = vm_lane_at(grp, party[k].first);
            if (b.g->parked[b.lane] == at &&
                (!at || vm_same_instance(a.g, a.lane, b.g, b.lane, at - 1)))
                break;
        }
        if (k == MAX_PARTIES) continue;
        struct chk_party *p = &party[k];
        if (k == n) {
            n++;
            p->first = i;
            p->members = members + (size_t)k * grp->items;
            describe_party(fn, a, at, p, iterations[k], loop_locs[k]);
        }
        p->count++;
        members[(size_t)k * grp->items + i] = 1;
    }
    // the party reported on is the largest at a barrier; those that returned come last
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++)
            if (party[b].at_barrier > party[a].at_barrier ||
                (party[b].at_barrier == party[a].at_barrier && party[b].count > party[a].count)) {
                const struct chk_party p = party[a];
                party[a] = party[b];
                party[b] = p;
            }
    struct chk_divergence_point point[MAX_POINTS];
    const unsigned npoints = find_divergence_points(grp, party, n, point);
    chk_report_divergence(&run->chk,
                          &(struct chk_divergence){grp->linear,
                                                   grp->items,
                                                   {grp->shape[0], grp->shape[1], grp->shape[2]},
                                                   party,
                                                   n,
                                                   point,
                                                   npoints});
    for (unsigned i = 0; i < npoints; i++) {
        free(point[i].yes);
        free(point[i].no);
        free(point[i].operand[0]);
        free(point[i].operand[1]);
    }
    free(members);
}

/** Reports flags that differ. Returns the flags that all work-items name. */
uint32_t vm_compare_flags(struct vm_group *grp, unsigned kind, bool had_diverged)
{
    struct vm_run *run = grp->worker->run;
    const struct vm_lane_ref a = vm_lane_at(grp, 0);
    uint32_t all = a.g->flags[a.lane];
    bool is_reported = !(run->l->checks & VM_CHECK_DIVERGENCE) || grp->worker->muted;
    for (uint32_t i = 1; i < grp->items; i++) {
        const struct vm_lane_ref b = vm_lane_at(grp, i);
        if (b.g->flags[b.lane] == a.g->flags[a.lane]) continue;
        if (kind == BC_BAR_BARRIER) all &= b.g->flags[b.lane];
        if (is_reported) continue;
        is_reported = true;
        const struct bc_insn *at = vm_end_of_block(&run->code->fns[0], a.g->parked[a.lane] - 1);
        struct chk_argument arg = {.what = CHK_ARG_FLAGS,
                                   .kind = (enum bc_barrier)at->a,
                                   .loc = at->loc,
                                   .item = {vm_item_of(a.g, a.lane), vm_item_of(b.g, b.lane)},
                                   .value = {a.g->flags[a.lane], b.g->flags[b.lane]}};
        if (arg.kind == BC_BAR_WAIT_GROUP_EVENTS && had_diverged)
            return all;                             // some work-items began copies that others did
                                                    // not
        if (arg.kind == BC_BAR_WAIT_GROUP_EVENTS) { // see there, too
            const uint32_t x = (uint32_t)arg.value[0], y = (uint32_t)arg.value[1];
            arg.what = (x & 0xff) == (y & 0xff) ? CHK_ARG_EVENT_LIST : CHK_ARG_EVENTS;
            grp->events_differ = true;
            arg.value[0] = x & 0xff;
            arg.value[1] = y & 0xff;
        }
        chk_report_argument(&run->chk, &arg);
    }
    return all;
}

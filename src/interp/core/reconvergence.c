// SPDX-License-Identifier: MIT
// Reconvergence of sub-groups (BC_RECONVERGE): where work-items exchange values with others of
// their sub-group.
//
// Lanes that take the same path are together where their paths join (schedule.c), so none has to
// wait. Where lanes may wait for one another (bc_fn.may_part), the lanes of a sub-group may arrive
// one at a time, for example after a spin lock. They park, as at a barrier, until the whole
// sub-group is at the same instance. A sub-group lies in one gang.
//
// When no lane of the gang can run, the missing lanes will not arrive: they returned, or wait
// elsewhere. The lane earliest in (iteration, program order) resumes first. Collectives that need
// every lane then report the missing ones (sys_collective.c). Collectives of the lanes that are
// present wait as long, so that their result does not depend on scheduling; they continue with
// those present when nothing else makes progress, for example when the others spin for a lock that
// one of them holds.
//
// Under a debugger each work-item is a gang, and all of them park. When no other work-item of the
// group can be stepped, those at one instance perform the collective together.
#include "interp/core/reconvergence.h"

#include "interp/calls/sys.h"
#include "interp/core/barrier_instance.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

static const struct bc_insn *place_of(const struct vm_gang *g, uint32_t lane)
{
    return vm_end_of_block(&g->code->fns[0], g->parked[lane] - 1);
}

static bool waits_here(const struct vm_gang *g, uint32_t lane)
{
    return g->parked[lane] && place_of(g, lane)->op == BC_RECONVERGE;
}

/** Resumes the lanes of [at, end) that are at the same instance as lane `like`. */
static void let_go_with(struct vm_gang *g, uint32_t at, uint32_t end, uint32_t like)
{
    const uint32_t parked = g->parked[like];
    bool same[BC_MAX_SUB_GROUP];
    for (uint32_t i = at; i < end; i++)
        same[i - at] = g->parked[i] == parked && vm_same_instance(g, i, g, like, parked - 1);
    for (uint32_t i = at; i < end; i++)
        if (same[i - at]) vm_let_go(g, i);
}

static uint32_t end_of(const struct vm_gang *g, uint32_t at)
{
    const uint32_t size = vm_sub_group_size(g->worker->run->l);
    return at + size < g->nlanes ? at + size : g->nlanes;
}

const struct vm_insn *vm_op_reconverge(struct vm_gang *g, const struct vm_insn *ip)
{
    const uint32_t block = g->frame->block;
    if (g->nactive == g->nlanes && vm_counters_agree(g, block)) return vm_go(g, ip->b);
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) g->parked[i] = block + 1;
    g->nparked += g->nactive;
    for (uint32_t at = 0, end; at < g->nlanes; at = end) {
        end = end_of(g, at);
        uint32_t here = at;
        while (here < end && g->parked[here] == block + 1 &&
               vm_same_instance(g, here, g, at, block))
            here++;
        if (here == end) let_go_with(g, at, end, at);
    }
    return vm_next(g);
}

/**
 * Resumes the earliest waiting lanes of the sub-group, if they need not wait longer.
 */
static bool rest_of(struct vm_gang *g, uint32_t at, uint32_t end, bool stuck)
{
    uint32_t least = end;
    bool runs = false;
    for (uint32_t i = at; i < end; i++) {
        runs |= !g->parked[i] && !g->returned[i];
        if (waits_here(g, i) && (least == end || vm_waits_earlier((struct vm_lane_ref){g, i},
                                                                  (struct vm_lane_ref){g, least})))
            least = i;
    }
    if (least == end || (runs && !(stuck && !place_of(g, least)->a))) return false;
    let_go_with(g, at, end, least);
    return true;
}

static bool let_rest_go(struct vm_gang *g, bool stuck)
{
    const enum vm_state state = g->state;
    bool any = false;
    for (uint32_t at = 0, end; at < g->nlanes; at = end) {
        end = end_of(g, at);
        any |= rest_of(g, at, end, stuck);
    }
    g->state = state;
    return any;
}

bool vm_reconverge_rest(struct vm_gang *g) { return let_rest_go(g, false); }

// ---- stepped: one work-item per gang
const struct vm_insn *vm_op_reconverge_stepped(struct vm_gang *g, const struct vm_insn *ip)
{
    g->parked[0] = g->frame->block + 1;
    g->nparked++;
    return vm_next(g);
}

/**
 * Chooses the earliest of the work-items [at, end) that wait for their sub-group. Returns their
 * number; 0: they must wait. They resume if they are all work-items of the sub-group or (`rest`)
 * need not wait for the others.
 */
static uint32_t choose_reconverging(const struct vm_group *grp, uint32_t at, uint32_t end,
                                    bool rest, bool stuck, bool who[])
{
    struct vm_gang *const *const g = grp->gangs;
    uint32_t least = end, n = 0;
    bool runs = false;
    for (uint32_t i = at; i < end; i++) {
        runs |= !g[i]->parked[0] && !g[i]->returned[0];
        if (waits_here(g[i], 0) &&
            (least == end ||
             vm_waits_earlier((struct vm_lane_ref){g[i], 0}, (struct vm_lane_ref){g[least], 0})))
            least = i;
    }
    if (least == end) return 0;
    for (uint32_t i = at; i < end; i++) {
        who[i - at] = g[i]->parked[0] == g[least]->parked[0] &&
                      vm_same_instance(g[i], 0, g[least], 0, g[least]->parked[0] - 1);
        n += who[i - at];
    }
    const bool may = n == end - at || (rest && (!runs || (stuck && !place_of(g[least], 0)->a)));
    return may ? n : 0;
}

static bool reconverge_stepped(struct vm_group *grp, bool rest, bool stuck, bool only_ask)
{
    const uint32_t size = vm_sub_group_size(grp->worker->run->l);
    bool any = false, who[BC_MAX_SUB_GROUP];
    for (uint32_t at = 0, end; at < grp->items && !(any && only_ask); at = end) {
        end = at + size < grp->items ? at + size : grp->items;
        if (!choose_reconverging(grp, at, end, rest, stuck, who)) continue;
        any = true;
        if (!only_ask) vm_collect_stepped(grp, at, end - at, who);
    }
    return any;
}

bool vm_reconverge_stepped(struct vm_group *grp, bool only_ask)
{
    return reconverge_stepped(grp, false, false, only_ask) ||
           reconverge_stepped(grp, true, false, only_ask);
}

bool vm_reconverge_partially(struct vm_group *grp)
{
    bool any = false;
    if (grp->worker->run->code->stepped) return reconverge_stepped(grp, true, true, false);
    for (uint32_t k = 0; k < grp->ngangs; k++)
        any |= grp->gangs[k]->nparked && let_rest_go(grp->gangs[k], true);
    return any;
}

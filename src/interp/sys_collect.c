// SPDX-License-Identifier: MIT
// What a work-group or a sub-group computes of its work-items' values.
//
// Work-group functions are reached by all work-items, as a barrier is, and have one in them (enum bc_collect). The
// values lie in the group's `put`. There are two rounds of it: a gang that is past a function's barrier may put the
// value for the next one while other gangs have not looked at this one's; it cannot be two ahead.
//
// A sub-group's work-items lie in one gang (launch.c sees to that), its first lane at a multiple of the sub-group's
// size. Those that are active when the instruction runs take part. Lanes that take the same way through the program
// are together again where their ways meet, so those are all who can reach it together; where they may part,
// they have waited for each other (meet.c).
#include "interp/collect.h"
#include "interp/group.h"
#include "interp/sys.h"

static uint64_t operand(struct vm_gang *g, const struct vm_collect *q, unsigned k, unsigned elog, uint32_t lane)
{
    return vm_operand_bits(g, q->off[k], q->varying >> k & 1, elog, lane);
}

static unsigned log_of(const struct vm_collect *q) { return (unsigned)__builtin_ctz(bc_type_size((enum bc_type)q->how.type)); }

static void result(struct vm_gang *g, const struct vm_collect *q, uint32_t lane, uint64_t v)
{
    const bool truth = q->how.what >= BC_COL_ALL && q->how.what <= BC_COL_BALLOT;
    vm_set_operand(g, q->off[3], q->varying >> 3 & 1, truth ? 2 : log_of(q), lane, v);
}

/** All work-items of the group are to want the value of the same one. */
static void compare_ids(struct vm_gang *g, const struct vm_insn *ip)
{
    static const enum chk_argument_kind kinds[] = {CHK_ARG_ID};
    const struct vm_collect *q = ip->p;
    vm_group_agrees(g, ip, &(struct vm_agreement){.kind = BC_BAR_COLLECTIVE, .n = 1, .kinds = kinds, .off = &q->off[1], .elog = 2, .varying = q->varying >> 1 & 1});
}

const struct vm_insn *vm_op_collect_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    struct vm_group *grp = g->group;
    const uint32_t items = grp->items, room = g->worker->run->group_items;
    if (q->how.what == BC_COL_PUT) {
        uint64_t *to = grp->put + (size_t)grp->round * room + g->first_item;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->mask[i]) to[i] = operand(g, q, 0, log_of(q), i);
        return ip + 1;
    }
    const uint64_t *from = grp->put + (size_t)(grp->round ^ 1) * room;
    if (q->how.what == BC_COL_INCLUSIVE || q->how.what == BC_COL_EXCLUSIVE) {
        uint64_t sum = vm_combine_identity(&q->how);
        for (uint32_t i = 0; i < g->first_item + g->nlanes; i++) {
            const uint64_t next = i ? vm_combine(&q->how, sum, from[i]) : from[0];
            if (i >= g->first_item && g->mask[i - g->first_item])
                result(g, q, i - g->first_item, q->how.what == BC_COL_INCLUSIVE ? next : sum);
            sum = next;
        }
        return ip + 1;
    }
    if (q->how.what == BC_COL_BROADCAST) compare_ids(g, ip);
    uint64_t all = q->how.what == BC_COL_BROADCAST ? 0 : vm_combined(&q->how, from, items);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        if (q->how.what == BC_COL_BROADCAST) {
            const uint64_t k = operand(g, q, 1, 2, i);
            all = k < items ? from[k] : 0;
        }
        result(g, q, i, all);
    }
    return ip + 1;
}

/** Orders the accesses of each sub-group's work-items. */
static void barrier(struct vm_gang *g, const struct vm_collect *q, uint32_t size)
{
    for (uint32_t at = 0; g->group->race && at < g->nlanes; at += size) {
        const uint32_t n = at + size < g->nlanes ? size : g->nlanes - at;
        unsigned flags = 7;
        bool any = false;
        for (uint32_t i = at; i < at + n; i++) {
            if (!g->mask[i]) continue;
            flags &= (unsigned)operand(g, q, 1, 2, i);
            any = true;
        }
        if (any) race_meet(g->group->race, g->first_item + at, n, &g->mask[at], flags, q->how.combine);
    }
}

/** Sub-groups of which only some lanes are here. */
static __attribute__((cold)) void tell_missing(struct vm_gang *g, const struct vm_insn *ip, uint32_t size)
{
    for (uint32_t at = 0; at < g->nlanes; at += size) {
        const uint32_t end = at + size < g->nlanes ? at + size : g->nlanes;
        uint32_t here = 0, first = 0, missing = 0;
        for (uint32_t i = at; i < end; i++) {
            if (g->mask[i] && !here++) first = i;
            if (!g->mask[i]) missing = i;
        }
        if (!here || here == end - at) continue;
        struct vm_fault_run run = {0};
        vm_fault_lane(g, &run, ip->src, 0, VM_FAULT_SUB_GROUP, 0, first, end - at, here);
        run.at[0] = (int32_t)vm_item_of(g, missing).item;
        vm_fault_end(g, &run);
    }
}

/** The id of a broadcast and the flags of a barrier are to be the same in a sub-group, of which lanes [at, end) are. */
static __attribute__((cold)) void tell_differing(struct vm_gang *g, const struct vm_insn *ip, uint32_t at, uint32_t end)
{
    const struct vm_collect *q = ip->p;
    uint32_t first = at;
    while (first < end && !g->mask[first]) first++;
    for (uint32_t i = first; i < end; i++) {
        const uint64_t x = operand(g, q, 1, 2, first), y = operand(g, q, 1, 2, i);
        if (!g->mask[i] || x == y) continue;
        const bool barrier = q->how.what == BC_COL_BARRIER;
        chk_report_argument(&g->worker->run->chk, &(struct chk_argument){.what = barrier ? CHK_ARG_FLAGS : CHK_ARG_ID, .kind = barrier ? BC_BAR_BARRIER : BC_BAR_COLLECTIVE,
                                                                         .sub_group = true, .loc = ip->src->loc, .item = {vm_item_of(g, first), vm_item_of(g, i)}, .value = {x, y}});
        return;
    }
}

const struct vm_insn *vm_op_collect_sub_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    const uint32_t size = vm_sub_group_size(g->worker->run->l);
    if (q->by_all && g->nactive != g->nlanes && !g->group->parted) tell_missing(g, ip, size);
    const bool same = !q->by_all || !(q->varying >> 1 & 1) || !(g->worker->run->l->checks & VM_CHECK_DIVERGENCE);
    for (uint32_t at = 0; !same && at < g->nlanes && !g->group->parted; at += size) tell_differing(g, ip, at, at + size < g->nlanes ? at + size : g->nlanes);
    if (q->how.what == BC_COL_BARRIER) {
        barrier(g, q, size);
        return ip + 1;
    }
    for (uint32_t at = 0; at < g->nlanes; at += size) {
        struct vm_sub_group s = {.first = at, .size = at + size < g->nlanes ? size : g->nlanes - at, .whole = size};
        bool any = false;
        for (uint32_t i = 0; i < s.size; i++) {
            s.active[i] = g->mask[at + i];
            any |= s.active[i];
            if (s.active[i] && q->has & 1) s.v[i] = operand(g, q, 0, log_of(q), at + i);
            if (s.active[i] && q->has & 2) s.by[i] = operand(g, q, 1, 2, at + i);
        }
        if (!any) continue;
        if (q->how.has_cluster) s.cluster = operand(g, q, 2, 2, at);
        vm_sub_group_collect(&q->how, &s);
        for (uint32_t i = 0; i < s.size; i++)
            if (s.active[i]) result(g, q, at + i, s.r[i]);
    }
    return ip + 1;
}

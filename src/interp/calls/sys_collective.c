// SPDX-License-Identifier: MIT
// Collectives: functions of the values of all work-items of a work-group or a sub-group.
//
// All work-items must reach a work-group function, as a barrier, and it contains a barrier (enum
// bc_collect). The values are in the group's `put`, which is double-buffered: a gang that is past
// the barrier of one function may put the value for the next one while other gangs have not read
// this one. A gang cannot be two functions ahead.
//
// The work-items of a sub-group are in one gang, the first lane at a multiple of the sub-group's
// size. The lanes that are active at the instruction take part. Lanes that take the same path
// reconverge where paths join, so no other lanes can arrive together with these. If lanes may wait
// for each other, they waited for the sub-group before (reconvergence.c).
#include "interp/calls/collective.h"
#include "interp/calls/sys.h"
#include "interp/core/barrier_instance.h"
#include "interp/core/collective_args.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/step.h"
#include "interp/vm.h"

static uint64_t operand(struct vm_gang *g, const struct vm_collect *q, unsigned k, unsigned elog,
                        uint32_t lane)
{
    return vm_operand_bits(g, q->off[k], q->varying >> k & 1, elog, lane);
}

static unsigned log_of(const struct vm_collect *q)
{
    return (unsigned)__builtin_ctz(bc_type_size((enum bc_type)q->how.type));
}

static void result(struct vm_gang *g, const struct vm_collect *q, uint32_t lane, uint64_t v)
{
    const bool truth = q->how.what >= BC_COL_ALL && q->how.what <= BC_COL_BALLOT;
    vm_set_operand(g, q->off[3], q->varying >> 3 & 1, truth ? 2 : log_of(q), lane, v);
}

/** Checks that all work-items of the group name the same source work-item. */
static void compare_ids(struct vm_gang *g, const struct vm_insn *ip)
{
    static const enum chk_argument_kind kinds[] = {CHK_ARG_ID};
    const struct vm_collect *q = ip->p;
    vm_check_collective_args(g, ip,
                             &(struct vm_collective_args){.kind = BC_BAR_COLLECTIVE,
                                                          .n = 1,
                                                          .kinds = kinds,
                                                          .off = &q->off[1],
                                                          .elog = 2,
                                                          .varying = q->varying >> 1 & 1});
}

static __attribute__((cold)) void report_outside(struct vm_gang *g, const struct bc_insn *insn,
                                                 uint32_t lane, uint64_t id, uint64_t size,
                                                 bool sub_group)
{
    struct vm_fault_run run = {0};
    vm_fault_lane(g, &run, lane,
                  &(struct chk_fault){.kind = CHK_BROADCAST,
                                      .insn = insn,
                                      .detail.broadcast = {(int64_t)id, size, sub_group}});
    vm_fault_end(g, &run);
}

const struct vm_insn *vm_op_collect_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    struct vm_group *grp = g->group;
    const uint32_t items = grp->items, room = g->worker->run->group_items;
    if (q->how.what == BC_COL_PUT) {
        uint64_t *to = grp->put + (size_t)grp->put_half * room + g->first_item;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->mask[i]) to[i] = operand(g, q, 0, log_of(q), i);
        return ip + 1;
    }
    const uint64_t *from = grp->put + (size_t)(grp->put_half ^ 1) * room;
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
            if (__builtin_expect(k >= items, 0) && !grp->diverged)
                report_outside(g, ip->src, i, k, items, false);
        }
        result(g, q, i, all);
    }
    return ip + 1;
}

/** The n work-items of a sub-group, and which of them take part. */
struct members {
    struct vm_lane_ref at[BC_MAX_SUB_GROUP];
    bool here[BC_MAX_SUB_GROUP];
    uint32_t n;
};

static struct members members_of(struct vm_gang *g, uint32_t at, uint32_t size)
{
    struct members m = {.n = at + size < g->nlanes ? size : g->nlanes - at};
    for (uint32_t i = 0; i < m.n; i++)
        m.at[i] = (struct vm_lane_ref){g, at + i}, m.here[i] = g->mask[at + i];
    return m;
}

static uint64_t operand_of(const struct members *m, const struct vm_collect *q, unsigned k,
                           unsigned elog, uint32_t i)
{
    return operand(m->at[i].g, q, k, elog, m->at[i].lane);
}

/** Orders the accesses of a sub-group's work-items. */
static void barrier(const struct members *m, const struct vm_collect *q)
{
    struct race_worker *const race = m->at[0].g->group->race;
    unsigned flags = 7;
    uint8_t mask[BC_MAX_SUB_GROUP] = {0};
    bool any = false;
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->here[i]) continue;
        flags &= (unsigned)operand_of(m, q, 1, 2, i);
        mask[i] = 0xff;
        any = true;
    }
    if (any && race)
        race_sub_group_barrier(
            race, &(struct race_sub_group){m->at[0].g->first_item + m->at[0].lane, m->n, mask},
            flags, q->how.combine);
}

/** Reports that work-items of the sub-group are missing. */
static __attribute__((cold)) void report_missing(const struct members *m,
                                                 const struct bc_insn *insn)
{
    uint32_t here = 0, first = 0, mask = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->here[i] && !here++) first = i;
        mask |= (uint32_t)!!m->here[i] << i;
    }
    if (!here || here == m->n) return;
    struct vm_fault_run run = {0};
    vm_fault_lane(m->at[first].g, &run, m->at[first].lane,
                  &(struct chk_fault){.kind = CHK_SUB_GROUP,
                                      .insn = insn,
                                      .detail.sub_group = {
                                          vm_item_of(m->at[0].g, m->at[0].lane).item, m->n, mask}});
    vm_fault_end(m->at[first].g, &run);
}

/** Checks the argument of a block access. */
static bool is_of_block(const struct vm_collect *q)
{
    return q->how.what == BC_COL_BLOCK_POINTER || q->how.what == BC_COL_BLOCK_COORDINATES;
}

/** Reports a sub-group that is too small for block accesses. */
static __attribute__((cold)) void report_partial(const struct members *m,
                                                 const struct bc_insn *insn)
{
    uint32_t first = 0;
    struct vm_fault_run run = {0};
    while (first < m->n && !m->here[first]) first++;
    const struct vm_gang *g = m->at[0].g;
    const uint32_t most = (uint32_t)g->ids[BC_MAX_SUB_GROUP_SIZE * 3];
    if (first == m->n || m->n >= most || g->group->diverged) return;
    vm_fault_lane(
        m->at[first].g, &run, m->at[first].lane,
        &(struct chk_fault){.kind = CHK_PARTIAL, .insn = insn, .detail.partial = {m->n, most}});
    vm_fault_end(m->at[first].g, &run);
}

/** Reports a block's argument, a broadcast's id or a barrier's flags that differ within a
 * sub-group. */
static __attribute__((cold)) void report_differing(const struct members *m,
                                                   const struct bc_insn *insn,
                                                   const struct vm_collect *q)
{
    const unsigned k = !is_of_block(q), elog = k ? 2 : 3;
    uint32_t first = 0;
    while (first < m->n && !m->here[first]) first++;
    for (uint32_t i = first; i < m->n; i++) {
        const uint64_t x = operand_of(m, q, k, elog, first), y = operand_of(m, q, k, elog, i);
        if (!m->here[i] || x == y) continue;
        const bool is_barrier = q->how.what == BC_COL_BARRIER;
        const struct vm_lane_ref *a = &m->at[first], *b = &m->at[i];
        chk_report_argument(&a->g->worker->run->chk,
                            &(struct chk_argument){
                                .what = is_barrier                            ? CHK_ARG_FLAGS
                                        : k                                   ? CHK_ARG_ID
                                        : q->how.what == BC_COL_BLOCK_POINTER ? CHK_ARG_POINTER
                                                                              : CHK_ARG_COORDINATES,
                                .kind = is_barrier ? BC_BAR_BARRIER : BC_BAR_COLLECTIVE,
                                .sub_group = true,
                                .loc = insn->loc,
                                .item = {vm_item_of(a->g, a->lane), vm_item_of(b->g, b->lane)},
                                .value = {x, y}});
        return;
    }
}

/**
 * The first lane that asks for the value of a work-item outside its sub-group where this is an
 * error; s->size: none. Ids that differ are reported separately.
 */
static uint32_t asks_outside(const struct vm_gang *g, const struct vm_collect *q,
                             const struct vm_sub_group *s)
{
    uint32_t first = 0;
    if (!q->by_all || q->how.what != BC_COL_BROADCAST || g->group->diverged) return s->size;
    while (first < s->size && !s->active[first]) first++;
    return first < s->size && s->by[first] < s->size ? s->size : first;
}

static bool compares(const struct vm_gang *g, const struct vm_collect *q)
{
    return q->by_all && q->varying >> !is_of_block(q) & 1 &&
           g->worker->run->l->checks & VM_CHECK_DIVERGENCE;
}

const struct vm_insn *vm_op_collect_sub_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    const uint32_t size = vm_sub_group_size(g->worker->run->l);
    const bool missing = q->by_all && g->nactive != g->nlanes && !g->group->diverged,
               differing = compares(g, q) && !g->group->diverged;
    const bool block = is_of_block(q);
    for (uint32_t at = 0; (missing || differing || block) && at < g->nlanes; at += size) {
        const struct members m = members_of(g, at, size);
        if (block) report_partial(&m, ip->src);
        if (missing) report_missing(&m, ip->src);
        if (differing) report_differing(&m, ip->src, q);
    }
    if (block) return ip + 1;
    if (q->how.what == BC_COL_BARRIER) {
        for (uint32_t at = 0; g->group->race && at < g->nlanes; at += size) {
            const struct members m = members_of(g, at, size);
            barrier(&m, q);
        }
        return ip + 1;
    }
    for (uint32_t at = 0; at < g->nlanes; at += size) {
        struct vm_sub_group s = {
            .first = at, .size = at + size < g->nlanes ? size : g->nlanes - at, .whole = size};
        bool any = false;
        for (uint32_t i = 0; i < s.size; i++) {
            s.active[i] = g->mask[at + i];
            any |= s.active[i];
            if (s.active[i] && q->has & 1) s.v[i] = operand(g, q, 0, log_of(q), at + i);
            if (s.active[i] && q->has & 2) s.by[i] = operand(g, q, 1, 2, at + i);
        }
        if (!any) continue;
        const uint32_t asks = asks_outside(g, q, &s);
        if (asks < s.size) report_outside(g, ip->src, at + asks, s.by[asks], s.size, true);
        if (q->how.has_cluster) s.cluster = operand(g, q, 2, 2, at);
        vm_sub_group_collect(&q->how, &s);
        for (uint32_t i = 0; i < s.size; i++)
            if (s.active[i]) result(g, q, at + i, s.r[i]);
    }
    return ip + 1;
}

// ---- stepped: each work-item is a gang, and is before the instruction
static void collect_stepped(const struct members *m, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    const struct vm_gang *g = m->at[0].g;
    struct vm_sub_group s = {
        .first = g->first_item, .size = m->n, .whole = vm_sub_group_size(g->worker->run->l)};
    if (q->by_all && !g->group->diverged) report_missing(m, ip->src);
    if (compares(g, q) && !g->group->diverged) report_differing(m, ip->src, q);
    if (is_of_block(q)) {
        report_partial(m, ip->src);
        return;
    }
    if (q->how.what == BC_COL_BARRIER) {
        barrier(m, q);
        return;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        s.active[i] = m->here[i];
        if (m->here[i] && q->has & 1) s.v[i] = operand_of(m, q, 0, log_of(q), i);
        if (m->here[i] && q->has & 2) s.by[i] = operand_of(m, q, 1, 2, i);
        if (m->here[i] && q->how.has_cluster) s.cluster = operand_of(m, q, 2, 2, i);
    }
    const uint32_t asks = asks_outside(g, q, &s);
    if (asks < s.size) report_outside(m->at[asks].g, ip->src, 0, s.by[asks], s.size, true);
    vm_sub_group_collect(&q->how, &s);
    for (uint32_t i = 0; i < m->n; i++)
        if (m->here[i]) result(m->at[i].g, q, 0, s.r[i]);
}

static bool is_collective(const struct vm_insn *ip)
{
    const struct vm_undef_collect *q = ip->p;
    return ip->fn == vm_op_collect_sub_group || (ip->fn == vm_undef_collect && !q->is_group);
}

/**
 * Steps each member to the next instruction that they perform together. Returns it, or NULL if no
 * member is left. Members compute its operands on the way, in the stream with V bits if some
 * operand is undefined.
 */
static const struct vm_insn *step_to_collective(struct members *m)
{
    const struct vm_insn *ip = NULL;
    for (uint32_t i = 0; i < m->n; i++) {
        struct vm_gang *const x = m->at[i].g;
        while (m->here[i] && x->at && !is_collective(x->at)) vm_step(x);
        m->here[i] &= x->at != NULL;
        if (m->here[i]) ip = x->at;
    }
    return ip;
}

void vm_collect_stepped(struct vm_group *grp, uint32_t first, uint32_t n, const bool who[])
{
    struct members m = {.n = n};
    uint32_t left = 0, one = 0;
    for (uint32_t i = n; i-- > 0;) {
        struct vm_gang *const g = grp->gangs[first + i];
        m.at[i].g = g;
        m.here[i] = who[i];
        if (!who[i]) continue;
        one = i;
        vm_let_go(g, 0);
        vm_step_begin(g);
    }
    const struct vm_gang *const g = m.at[one].g;
    const struct bc_block *const b = &g->frames[0].fn->bc->blocks[g->frames[0].block];
    for (uint32_t i = 0; i < b->count; i++)
        left += g->frames[0].fn->bc->insns[b->first + i].op == BC_COLLECT;
    while (left--) {
        const struct vm_insn *ip = step_to_collective(&m);
        if (ip && ip->fn == vm_undef_collect) {
            struct vm_gang *of[BC_MAX_SUB_GROUP];
            for (uint32_t i = 0; i < n; i++) of[i] = m.at[i].g;
            vm_undef_collect_stepped(of, m.here, n);
            ip = step_to_collective(&m);
        }
        if (!ip) return; // the group was stopped
        collect_stepped(&m, ip);
        for (uint32_t i = 0; i < n; i++)
            if (m.here[i]) m.at[i].g->at++;
    }
}

// SPDX-License-Identifier: MIT
// What a work-group or a sub-group computes of its work-items' values.
//
// Work-group functions are reached by all work-items, as a barrier is, and have one in them (enum bc_collect). The
// values lie in the group's `put`. There are two rounds of it: a gang that is past a function's barrier may put the
// value for the next one while other gangs have not looked at this one's; it cannot be two ahead.
//
// A sub-group's work-items lie in one gang (launch.c sees to that), its first lane at a multiple of the sub-group's
// size. Those that are active when the instruction runs take part. Lanes that take the same way through the program
// are together again where their ways meet, so those are all who can reach it together. (But not in functions where
// lanes wait for one another, bc_fn.may_part: there nobody is said to be missing.)
#include "interp/group.h"
#include "interp/sys.h"

#include <math.h>
#include <string.h>

static uint64_t ones_of(unsigned size) { return size == 8 ? ~0ull : (1ull << 8 * size) - 1; }
static int64_t sign_extended(uint64_t v, unsigned size) { return (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size); }

static uint64_t bits_of(double x, unsigned size)
{
    uint64_t r = 0;
    const float f = (float)x;
    memcpy(&r, size == 4 ? (const void *)&f : &x, size);
    return r;
}
static float float_of(uint64_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t combine_float(enum bc_combine op, bool wide, uint64_t x, uint64_t y)
{
    if (!wide) { // each step rounds to float
        const float a = float_of(x), b = float_of(y);
        const float r = op == BC_COM_ADD ? a + b : op == BC_COM_MUL ? a * b : op == BC_COM_MIN ? fminf(a, b) : fmaxf(a, b);
        return bits_of((double)r, 4);
    }
    const double a = double_of(x), b = double_of(y);
    return bits_of(op == BC_COM_ADD ? a + b : op == BC_COM_MUL ? a * b : op == BC_COM_MIN ? fmin(a, b) : fmax(a, b), 8);
}

static uint64_t combine(const struct vm_collect *q, uint64_t x, uint64_t y)
{
    const enum bc_combine op = (enum bc_combine)q->combine;
    const unsigned size = bc_type_size((enum bc_type)q->type);
    if (q->type >= BC_F32 && op <= BC_COM_MAX) return combine_float(op, q->type == BC_F64, x, y);
    const bool less = op == BC_COM_UMIN || op == BC_COM_UMAX ? x < y : sign_extended(x, size) < sign_extended(y, size);
    switch (op) {
    case BC_COM_ADD: return (x + y) & ones_of(size);
    case BC_COM_MUL: return (x * y) & ones_of(size);
    case BC_COM_MIN:
    case BC_COM_UMIN: return less ? x : y;
    case BC_COM_MAX:
    case BC_COM_UMAX: return less ? y : x;
    case BC_COM_AND: return x & y;
    case BC_COM_OR: return x | y;
    case BC_COM_XOR: return x ^ y;
    case BC_COM_LOGICAL_AND: return x && y;
    case BC_COM_LOGICAL_OR: return x || y;
    default: return !x != !y;
    }
}

// What a combination with nobody gives.
static uint64_t identity(const struct vm_collect *q)
{
    const unsigned size = bc_type_size((enum bc_type)q->type);
    const bool flt = q->type >= BC_F32;
    switch ((enum bc_combine)q->combine) {
    case BC_COM_MUL: return flt ? bits_of(1, size) : 1;
    case BC_COM_MIN: return flt ? bits_of(INFINITY, size) : ones_of(size) >> 1;
    case BC_COM_MAX: return flt ? bits_of(-INFINITY, size) : 1ull << (8 * size - 1);
    case BC_COM_UMIN:
    case BC_COM_AND: return ones_of(size);
    case BC_COM_LOGICAL_AND: return 1;
    default: return 0;
    }
}

static uint64_t operand(struct vm_gang *g, const struct vm_collect *q, unsigned k, unsigned elog, uint32_t lane)
{
    return vm_operand_bits(g, q->off[k], q->varying >> k & 1, elog, lane);
}

static unsigned log_of(const struct vm_collect *q) { return (unsigned)__builtin_ctz(bc_type_size((enum bc_type)q->type)); }

static void result(struct vm_gang *g, const struct vm_collect *q, uint32_t lane, uint64_t v)
{
    const bool truth = q->what >= BC_COL_ALL && q->what <= BC_COL_BALLOT;
    vm_set_operand(g, q->off[3], q->varying >> 3 & 1, truth ? 2 : log_of(q), lane, v);
}

static uint64_t combined(const struct vm_collect *q, const uint64_t *v, uint32_t n)
{
    uint64_t r = identity(q);
    if (q->what == BC_COL_REDUCE) {
        for (uint32_t i = 0; i < n; i++)
            r = i ? combine(q, r, v[i]) : v[0];
        return r;
    }
    r = q->what == BC_COL_ALL;
    for (uint32_t i = 0; i < n; i++)
        r = q->what == BC_COL_ALL ? r && v[i] : r || v[i];
    return r;
}

const struct vm_insn *vm_op_collect_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    struct vm_group *grp = g->group;
    const uint32_t items = grp->items, room = g->worker->run->group_items;
    if (q->what == BC_COL_PUT) {
        uint64_t *to = grp->put + (size_t)grp->round * room + g->first_item;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->mask[i]) to[i] = operand(g, q, 0, log_of(q), i);
        return ip + 1;
    }
    const uint64_t *from = grp->put + (size_t)(grp->round ^ 1) * room;
    if (q->what == BC_COL_INCLUSIVE || q->what == BC_COL_EXCLUSIVE) {
        uint64_t sum = identity(q);
        for (uint32_t i = 0; i < g->first_item + g->nlanes; i++) {
            const uint64_t next = i ? combine(q, sum, from[i]) : from[0];
            if (i >= g->first_item && g->mask[i - g->first_item])
                result(g, q, i - g->first_item, q->what == BC_COL_INCLUSIVE ? next : sum);
            sum = next;
        }
        return ip + 1;
    }
    uint64_t all = q->what == BC_COL_BROADCAST ? 0 : combined(q, from, items);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        if (q->what == BC_COL_BROADCAST) {
            const uint64_t k = operand(g, q, 1, 2, i);
            all = k < items ? from[k] : 0;
        }
        result(g, q, i, all);
    }
    return ip + 1;
}

// ---- sub-groups
enum { MAX_SUB_GROUP = 32 };
struct sub_group {
    uint32_t first, size; // lanes
    bool active[MAX_SUB_GROUP];
    uint64_t v[MAX_SUB_GROUP];
};

static void scan(struct vm_gang *g, const struct vm_collect *q, const struct sub_group *s)
{
    const uint64_t given = q->has & 4 ? operand(g, q, 2, 2, s->first) : 0;
    const uint32_t cluster = given && given < s->size ? (uint32_t)given : s->size;
    for (uint32_t at = 0; at < s->size; at += cluster) {
        const uint32_t end = at + cluster < s->size ? at + cluster : s->size;
        uint64_t sum = identity(q);
        bool any = false;
        for (uint32_t i = at; i < end; i++) {
            if (!s->active[i]) continue;
            const uint64_t next = any ? combine(q, sum, s->v[i]) : s->v[i];
            if (q->what != BC_COL_REDUCE) result(g, q, s->first + i, q->what == BC_COL_INCLUSIVE ? next : sum);
            sum = next;
            any = true;
        }
        for (uint32_t i = at; i < end && q->what == BC_COL_REDUCE; i++)
            if (s->active[i]) result(g, q, s->first + i, sum);
    }
}

// The lane whose value lane i is to have.
static uint64_t source(struct vm_gang *g, const struct vm_collect *q, const struct sub_group *s, uint32_t i)
{
    const uint64_t by = operand(g, q, 1, 2, s->first + i);
    switch ((enum bc_collect)q->what) {
    case BC_COL_SHUFFLE_XOR: return i ^ by;
    case BC_COL_SHUFFLE_UP: return i - by;
    case BC_COL_SHUFFLE_DOWN: return i + by;
    case BC_COL_ROTATE: {
        const uint64_t whole = q->has & 4 ? operand(g, q, 2, 2, s->first) : vm_sub_group_size(g->worker->run->l);
        return whole ? i / whole * whole + (i + by) % whole : i;
    }
    default: return by;
    }
}

static void exchange(struct vm_gang *g, const struct vm_collect *q, const struct sub_group *s)
{
    uint32_t first = 0;
    while (!s->active[first])
        first++;
    for (uint32_t i = 0; i < s->size; i++) {
        if (!s->active[i]) continue;
        const uint64_t k = q->what == BC_COL_FIRST ? first : source(g, q, s, i);
        result(g, q, s->first + i, k < s->size && s->active[k] ? s->v[k] : 0);
    }
}

static void vote(struct vm_gang *g, const struct vm_collect *q, const struct sub_group *s)
{
    uint64_t all = 1, any = 0, ballot = 0, same = 1, first = s->size, size = bc_type_size((enum bc_type)q->type);
    for (uint32_t i = s->size; i-- > 0;) {
        if (!s->active[i]) continue;
        all &= s->v[i] != 0;
        any |= s->v[i] != 0;
        ballot |= (uint64_t)(s->v[i] != 0) << i;
        if (first < s->size)
            same &= q->type < BC_F32 ? s->v[i] == s->v[first]
                    : size == 4      ? float_of(s->v[i]) == float_of(s->v[first])
                                     : double_of(s->v[i]) == double_of(s->v[first]);
        first = i;
    }
    for (uint32_t i = 0; i < s->size; i++) {
        if (!s->active[i]) continue;
        result(g, q, s->first + i,
               q->what == BC_COL_ALL         ? all
               : q->what == BC_COL_ANY       ? any
               : q->what == BC_COL_ALL_EQUAL ? same
               : q->what == BC_COL_ELECT     ? i == first
                                             : ballot);
    }
}

// Orders the accesses of the sub-group's work-items. The race check has no barrier of less than a work-group: what it
// takes for ordered besides is left out, not reported.
static void barrier(struct vm_gang *g, const struct vm_collect *q)
{
    uint32_t lane = 0;
    while (!g->mask[lane])
        lane++;
    if (g->group->race) race_barrier(g->group->race, (unsigned)operand(g, q, 1, 2, lane) & 7, BC_SCOPE_GROUP);
}

static bool meets(const struct vm_gang *g)
{
    for (const struct vm_frame *f = g->frame; f; f = f->caller)
        if (f->fn->bc->may_part) return false;
    return !g->group->parted;
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

const struct vm_insn *vm_op_collect_sub_group(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_collect *q = ip->p;
    const uint32_t size = vm_sub_group_size(g->worker->run->l);
    if (q->by_all && g->nactive != g->nlanes && meets(g)) tell_missing(g, ip, size);
    if (q->what == BC_COL_BARRIER) {
        barrier(g, q);
        return ip + 1;
    }
    for (uint32_t at = 0; at < g->nlanes; at += size) {
        struct sub_group s = {.first = at, .size = at + size < g->nlanes ? size : g->nlanes - at};
        bool any = false;
        for (uint32_t i = 0; i < s.size; i++) {
            s.active[i] = g->mask[at + i];
            any |= s.active[i];
            if (s.active[i] && q->has & 1) s.v[i] = operand(g, q, 0, log_of(q), at + i);
        }
        if (!any) continue;
        switch ((enum bc_collect)q->what) {
        case BC_COL_REDUCE:
        case BC_COL_INCLUSIVE:
        case BC_COL_EXCLUSIVE: scan(g, q, &s); break;
        case BC_COL_ALL:
        case BC_COL_ANY:
        case BC_COL_ALL_EQUAL:
        case BC_COL_ELECT:
        case BC_COL_BALLOT: vote(g, q, &s); break;
        default: exchange(g, q, &s);
        }
    }
    return ip + 1;
}

// SPDX-License-Identifier: MIT
// The story of a finding: the events of both work-items, found in the history, with their causes as
// `why` shows them (why_tree.c).
#include "debug/history/finding_story.h"

#include "bytecode/operands.h"
#include "debug/history/history.h"
#include "debug/history/item_diff.h"
#include "debug/history/why_tree.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"

#include <string.h>

#define H     dbg_timeline
#define LL(x) ((unsigned long long)(x))

static struct dbg_story S;
static struct dbg_story_result result;

const struct dbg_story_result *dbg_story_result(void) { return &result; }

void dbg_story_choose(const struct dbg_story *s) { S = *s; }

static const struct dbg_found *finding(void) { return &dbg_findings.all.data[S.finding]; }

/** The moment of the finding in the side's group; of another group, its end. */
static struct dbg_moment moment_of(struct vm_group *grp, const struct dbg_story_side *side)
{
    size_t at;
    dbg_history_find(side->group, &at);
    if (side->group == finding()->group) return dbg_trace_moment(grp, at, &finding()->time);
    return (struct dbg_moment){.group = H.groups.data[at]};
}

/** Barriers that the group has passed at the moment; those in a fast-forward count as well. */
static uint64_t barriers_before(struct dbg_moment m)
{
    const uint64_t t = dbg_moment_time(m);
    uint64_t n = 0;
    for (size_t i = 0; i < m.group->slices.len && m.group->slices.data[i].from <= t; i++) {
        const struct dbg_slice *s = &m.group->slices.data[i];
        n += s->item == DBG_JUDGE ? 1 : s->item == DBG_FAST_FORWARD ? s->span.barriers : 0;
    }
    return n;
}

// ---- races
struct access {
    const struct bc_module *m;
    struct vm_gang *g;
    const struct dbg_story_side *side;
    struct dbg_past_group *group;
    uint64_t place, size, interval; // interval: UINT64_MAX: any
    struct dbg_cause cause;
    bool found;
};

static bool overlaps(const struct access *a, uint64_t place, uint64_t size)
{
    return size && place < a->place + a->size && a->place < place + size;
}

static bool visit_access(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    struct access *a = ctx;
    if (e->item != a->side->item || a->m->locs[e->insn->loc].line != a->side->line || !e->address)
        return false;
    const bool writes = bc_effects(a->m->sites, e->fn->ext, e->insn) & BC_WRITES,
               reads = !writes || e->from || e->insn->op == BC_ATOMIC;
    const bool copies = e->from && !a->side->is_write;
    if (a->side->is_write ? !writes : !reads) return false;
    if (!overlaps(a, copies ? dbg_place_of(a->g, e->from) : e->place, e->size)) return false;
    const struct dbg_moment m = {a->group, t->segment, e->after};
    if (a->interval != UINT64_MAX && barriers_before(m) != a->interval) return false;
    struct dbg_cause *c = &a->cause;
    *c = (struct dbg_cause){.kind = writes && !copies ? DBG_BY_WRITE : DBG_BY_READ,
                            .moment = m,
                            .event = *e,
                            .item = e->item,
                            .address = copies ? e->from : e->address,
                            .size = e->size,
                            .known = !copies && (writes || e->size <= sizeof e->value)};
    dbg_event_bytes(t, e, 0, c->bytes, sizeof c->bytes);
    c->undefined = dbg_event_missing(t, e, 0, c->written, sizeof c->written);
    return a->found = true;
}

/**
 * The next object after id that may be that of the finding, by its name; 0: there is none. Private
 * objects have the names of variables, but do not race.
 */
static uint64_t next_object(const struct vm_group *grp, uint64_t id)
{
    const struct dbg_found *f = finding();
    while (f->object && ++id < dbg_launch.run->chk.nobjects) {
        const char *name = dbg_launch.run->chk.objects[id].name;
        if (name && grp->gangs[0]->objects[id].kind > VM_OBJ_PRIVATE && !strcmp(name, f->object))
            return id;
    }
    return 0;
}

static bool find_access(struct vm_group *grp, uint64_t object, const struct dbg_story_side *side,
                        uint64_t interval, struct dbg_cause *out)
{
    const struct dbg_moment from = moment_of(grp, side);
    struct vm_gang *g = grp->gangs[side->item];
    struct access a = {.m = g->code->module,
                       .g = g,
                       .side = side,
                       .group = from.group,
                       .place = dbg_place_of(g, BC_PTR(object, finding()->first_byte)),
                       .size = finding()->nbytes,
                       .interval = interval};
    const struct dbg_search s = {.item = side->item, .visit = visit_access, .ctx = &a};
    dbg_search_back(grp, from, &s);
    *out = a.cause;
    return a.found;
}

static bool is_earlier(const struct dbg_cause *a, const struct dbg_cause *b)
{
    const size_t x = dbg_moment_at(a->moment), y = dbg_moment_at(b->moment);
    return x != y ? x < y : dbg_moment_time(a->moment) < dbg_moment_time(b->moment);
}

/** Are the accesses known to lie between the same two barriers? Those of sub-groups do not count.
 */
static bool is_one_interval(const struct vm_group *grp)
{
    const struct bc_fn *fn = grp->gangs[0]->code->fns[0].bc;
    bool sub_groups = false;
    for (uint32_t i = 0; i < fn->ninsns; i++) sub_groups |= fn->insns[i].op == BC_RECONVERGE;
    return S.sides[0].group == S.sides[1].group && finding()->kind != REP_MISSING_FENCE &&
           !sub_groups;
}

/** Both accesses; the second one in the run's order is the one at which the race was found. */
static bool find_accesses(struct vm_group *grp, uint64_t object, struct dbg_causes *out)
{
    const bool same_group = S.sides[0].group == S.sides[1].group,
               same_interval = is_one_interval(grp);
    for (unsigned first = 0; first < 2; first++) {
        struct dbg_cause a, b;
        if (!find_access(grp, object, &S.sides[first], UINT64_MAX, &a)) continue;
        if (!find_access(grp, object, &S.sides[!first],
                         same_interval ? barriers_before(a.moment) : UINT64_MAX, &b))
            continue;
        if (same_group && is_earlier(&a, &b) && !first) continue; // b may be later than the race
        vec_push(&out->list, is_earlier(&a, &b) ? a : b);
        vec_push(&out->list, is_earlier(&a, &b) ? b : a);
        return true;
    }
    return false;
}

void dbg_story_race(struct vm_group *grp, struct str *out)
{
    struct dbg_causes c = {{0}};
    uint64_t object = next_object(grp, 0);
    result = (struct dbg_story_result){.finding = S.finding};
    while (object && !find_accesses(grp, object, &c)) object = next_object(grp, object);
    if (!object) {
        str_put(out, "The accesses were not found in the history.\n");
        return;
    }
    result.is_found = true;
    str_put(out, "In the order of this run:\n");
    dbg_why_show(grp, out, &c, 1);
    if (S.sides[0].group != S.sides[1].group) {
        str_put(out, "Work-groups run in any order, and at the same time.\n");
    } else if (is_one_interval(grp)) {
        const uint64_t n = result.barriers = barriers_before(c.list.data[0].moment);
        result.has_barriers = true;
        str_printf(out,
                   "The work-group has passed %llu barrier%s before both accesses and none between "
                   "them: the order is not defined.\n",
                   LL(n), n == 1 ? "" : "s");
    }
    vec_free(&c.list);
}

// ---- divergence
struct last {
    uint32_t item;
    const struct bc_insn *insn; // NULL: any
    struct dbg_event event;
    struct dbg_segment *segment;
};

static bool visit_last(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    struct last *l = ctx;
    if (e->item != l->item || (l->insn && e->insn != l->insn)) return false;
    l->event = *e;
    l->segment = t->segment;
    return true;
}

/** The last execution of the instruction by the side. */
static bool last_of(struct vm_group *grp, const struct dbg_story_side *side,
                    const struct bc_insn *insn, struct dbg_cause *out)
{
    const struct dbg_moment from = moment_of(grp, side);
    struct last l = {.item = side->item, .insn = insn};
    const struct dbg_search s = {.item = side->item, .visit = visit_last, .ctx = &l};
    if (dbg_search_back(grp, from, &s) != DBG_SEARCH_FOUND) return false;
    *out = (struct dbg_cause){.kind = DBG_BY_BRANCH,
                              .moment = {from.group, l.segment, l.event.after},
                              .role = DBG_CONTROL,
                              .event = l.event,
                              .item = side->item};
    return true;
}

/**
 * The branch that led the first side to its barrier and the other side elsewhere; false: there is
 * none, since they are in different iterations of the same loop.
 */
static bool find_branches(struct vm_group *grp, struct dbg_causes *out)
{
    struct dbg_cause a, b;
    if (!last_of(grp, &S.sides[0], NULL, &a)) return false;
    while (dbg_branch_of(grp, &a, &a))
        if (last_of(grp, &S.sides[1], a.event.insn, &b) &&
            (a.event.value & 1) != (b.event.value & 1)) {
            vec_push(&out->list, a);
            vec_push(&out->list, b);
            return true;
        }
    return false;
}

void dbg_story_divergence(struct vm_group *grp, struct str *out)
{
    struct dbg_causes c = {{0}};
    result = (struct dbg_story_result){.finding = S.finding};
    result.is_found = find_branches(grp, &c);
    result.is_diff = !result.is_found;
    if (result.is_found) {
        str_put(out, "The condition had different values in two of the work-items, the first of "
                     "which is at the barrier:\n");
        dbg_why_show(grp, out, &c, 2);
    } else {
        dbg_diff_choose((struct dbg_diff_side){S.sides[0].group, S.sides[0].item},
                        (struct dbg_diff_side){S.sides[1].group, S.sides[1].item});
        dbg_diff_answer(grp, out);
    }
    vec_free(&c.list);
}

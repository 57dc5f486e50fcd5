// SPDX-License-Identifier: MIT
// Moments of the past in which many work-items ran together (scout.c), made into slices that can be
// followed.
//
// What ran together did nothing that depends on the order, else it would have been given up. So the
// same work-items are stepped to the same barrier, one after the other, from the state that is
// kept: that gives slices and states as if they had been stepped at once. Each such moment grows to
// the time that this takes; what lies behind it moves on.
//
// They may have passed many barriers together. So a segment is divided first, in the middle, as
// often as it takes to have the part of it that is looked for between two barriers: that is done by
// running them together again.
#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/history/fast_forward.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/findings.h"
#include "debug/session/item_order.h"
#include "interp/stepping/saved.h"
#include "interp/stepping/scout.h"

#include <stdlib.h>
#include <string.h>

#define H dbg_timeline

struct expansion {
    struct vm_group *grp;
    struct dbg_past_group *p;
    uint32_t only; // the one work-item that is stepped; UINT32_MAX: all are
    bool divides;  // nobody is stepped who was not
};

static void keep_state(struct expansion *u)
{
    if (dbg_history.time < vec_last(&u->p->segments)->from + H.stride) return;
    dbg_segment_begin(u->p, u->grp);
}

/** Up to n parts of instructions of an item; fewer when it comes to a barrier or its end. */
static void step_item(struct expansion *u, uint32_t item, uint64_t n)
{
    struct vm_gang *g = u->grp->gangs[item];
    const struct vm_insn *prev = NULL;
    if (!vm_step_begin(g)) return;
    dbg_history_save_item(u->p, g, item);
    dbg_history_add_slice(u->p, item);
    while (n-- && g->at) {
        const struct vm_insn *ip = g->at;
        const struct bc_insn *i = ip->src;
        if (!prev || ip != prev + 1 || i != prev->src) { // between two instructions
            keep_state(u);
            dbg_history_save_item(u->p, g, item);
            if (dbg_writes(i)) dbg_history_save_written(u->p, g, i, 0);
        }
        prev = ip;
        vm_step(g);
        dbg_history.time++;
    }
}

static void judge(struct expansion *u)
{
    for (uint32_t i = 0; i < u->grp->items; i++) dbg_history_save_item(u->p, u->grp->gangs[i], i);
    dbg_history_add_slice(u->p, DBG_JUDGE);
    vm_group_judge(u->grp);
    dbg_history.time++;
}

/** The same work-items run together once more, and what they write is kept. */
static bool run_again(struct expansion *u, uint32_t except, uint64_t passed,
                      const struct vm_serial_plan *plan)
{
    H.recording = true;
    H.last_page = NULL;
    const bool done = dbg_fast_forward_again(u->grp, except, passed, plan, true);
    H.recording = false;
    if (!done) return false;
    vec_last(&u->p->segments)->together = true;
    vec_push(&u->p->slices,
             ((struct dbg_slice){DBG_FAST_FORWARD, except, dbg_history.time, passed, plan}));
    dbg_history.time++;
    return true;
}

/** A segment begins in which any work-item may run. */
static struct dbg_segment *begin_segment(struct expansion *u)
{
    struct dbg_segment *s = dbg_segment_begin(u->p, u->grp);
    for (uint32_t i = 0; i < u->grp->items; i++) dbg_history_save_item(u->p, u->grp->gangs[i], i);
    return s;
}

/** All but the one run together, as they did; a segment of its own. */
static bool run_others(struct expansion *u)
{
    struct dbg_segment *s = begin_segment(u);
    if (!run_again(u, u->only, 0, NULL)) { // cannot be, but for a kernel with races
        for (size_t i = s->pages.len; i-- > 0;)
            memcpy(s->pages.data[i].at, s->pages.data[i].bytes, s->pages.data[i].size);
        vm_group_restore(u->grp, s->group);
        return false;
    }
    dbg_segment_begin(u->p, u->grp);
    return true;
}

/**
 * Follows old slices from time `from` to `to`. Who ran together is stepped, or (divides) runs
 * together again.
 */
static void follow(struct expansion *u, const struct dbg_slice *old, size_t n, uint64_t from,
                   uint64_t to)
{
    uint64_t t = from;
    for (size_t c = 0; c < n && t < to; c++) {
        const uint64_t end = c + 1 < n && old[c + 1].from < to ? old[c + 1].from : to;
        if (end <= t) continue;
        if (old[c].item == DBG_FAST_FORWARD && u->divides) {
            run_again(u, old[c].except, old[c].passed, old[c].plan);
        } else if (old[c].item == DBG_FAST_FORWARD && u->only != UINT32_MAX &&
                   old[c].except == UINT32_MAX && run_others(u)) {
            step_item(u, u->only, UINT64_MAX);
        } else if (old[c].item == DBG_FAST_FORWARD) {
            for (uint32_t k = 0; k < u->grp->items; k++)
                if (dbg_in_order(u->grp, k) != old[c].except)
                    step_item(u, dbg_in_order(u->grp, k), UINT64_MAX);
        } else if (old[c].item == DBG_JUDGE) {
            judge(u);
        } else {
            step_item(u, old[c].item, end - t);
        }
        t = end;
    }
}

bool dbg_history_is_of_others(const struct dbg_past_group *p, size_t k, uint32_t item)
{
    const uint64_t from = p->segments.data[k]->from,
                   to = k + 1 < p->segments.len ? p->segments.data[k + 1]->from : UINT64_MAX;
    for (size_t i = 0; i < p->slices.len; i++)
        if (p->slices.data[i].item == DBG_FAST_FORWARD && p->slices.data[i].from >= from &&
            p->slices.data[i].from < to && p->slices.data[i].except != item)
            return false;
    return true;
}

/**
 * The moment at which a segment is divided: that of turn number `turn`, and in the middle of it
 * where that is its only one.
 */
struct cut {
    size_t turn;
    bool inside;
};

/** False: its work-items ran together once, to the next barrier. */
static bool find_cut(const struct dbg_past_group *p, uint64_t from, uint64_t to, struct cut *cut)
{
    VEC(size_t) together = {0};
    for (size_t i = 0; i < p->slices.len; i++)
        if (p->slices.data[i].item == DBG_FAST_FORWARD && p->slices.data[i].from >= from &&
            p->slices.data[i].from < to)
            vec_push(&together, i);
    const size_t n = together.len;
    cut->turn = n ? together.data[n / 2] : 0;
    cut->inside = n == 1;
    vec_free(&together);
    return n > 1 || (n && p->slices.data[cut->turn].passed);
}

/**
 * Turns `old` were cut off at the cut, where we are: what was behind it is done again, as a segment
 * of its own.
 */
static void divide(struct expansion *u, const struct dbg_slice *old, size_t n,
                   const struct cut *cut, uint64_t to)
{
    const struct dbg_slice t = old[cut->turn];
    const uint64_t clean_for = vec_last(&u->p->segments)->clean_for,
                   before = (t.passed + 1) / 2; // barriers up to the middle
    if (cut->inside) {
        dbg_fast_forward_again(u->grp, t.except, before - 1, t.plan, true);
        vec_push(&u->p->slices, ((struct dbg_slice){DBG_FAST_FORWARD, t.except, dbg_history.time++,
                                                    before - 1, t.plan}));
        vec_push(&u->p->slices,
                 ((struct dbg_slice){
                     .item = DBG_JUDGE, .except = UINT32_MAX, .from = dbg_history.time++}));
        vm_group_judge(u->grp);
    }
    begin_segment(u)->clean_for = clean_for;
    if (cut->inside) run_again(u, t.except, t.passed - before, NULL);
    follow(u, old, n, cut->inside ? t.from + 1 : t.from, to);
}

static uint64_t expand(struct vm_group *grp, size_t at, size_t k, uint64_t time, uint32_t only)
{
    struct dbg_past_group *p = H.groups.data[at];
    struct expansion u = {.grp = grp,
                          .p = p,
                          .only = vm_scout_is_serial(dbg_fast_forward.engine) ? UINT32_MAX : only};
    const uint64_t from = p->segments.data[k]->from,
                   to = k + 1 < p->segments.len ? p->segments.data[k + 1]->from : p->length;
    struct cut cut;
    u.divides = find_cut(p, from, to, &cut);
    dbg_history_rewind(grp, at, k);
    const struct dbg_observer whole = {.blind = true, .whole = true};
    if (u.divides) dbg_history_replay(grp, p->slices.data[cut.turn].from, &whole);
    VEC(struct dbg_segment *) later = {0};
    VEC(struct dbg_slice) old = {0};
    for (size_t i = k + 1; i < p->segments.len; i++) vec_push(&later, p->segments.data[i]);
    p->segments.len = k + 1;
    for (size_t i = 0; i < p->slices.len; i++) vec_push(&old, p->slices.data[i]);
    const uint64_t length = p->length, grows_at = old.data[cut.turn].from;
    H.cursor = 0;
    if (u.divides) {
        p->slices.len = cut.turn;
        divide(&u, old.data, old.len, &cut, to);
    } else {
        p->segments.data[k]->together = false;
        p->segments.data[k]->clean_for = 0;
        size_t kept = 0;
        while (kept < p->slices.len && p->slices.data[kept].from < from) kept++;
        p->slices.len = kept;
        follow(&u, old.data, old.len, from, to);
    }
    const uint64_t more = dbg_history.time - to;
    for (size_t i = 0; i < old.len; i++) {
        struct dbg_slice t = old.data[i];
        t.from += more;
        if (old.data[i].from >= to) vec_push(&p->slices, t);
    }
    for (size_t i = 0; i < later.len; i++) {
        later.data[i]->from += more;
        vec_push(&p->segments, later.data[i]);
    }
    for (size_t i = 0; i < p->writes.len; i++)
        if (p->writes.data[i].time >= to) p->writes.data[i].time += more;
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        struct dbg_found *f = &dbg_findings.all.data[i];
        if (f->launch == dbg_launch.run->chk.number && f->group == p->linear && f->time >= to)
            f->time += more;
    }
    p->length = length + more;
    H.last_page = NULL;
    vec_free(&later);
    vec_free(&old);
    return time > grows_at ? time + more : time;
}

uint64_t dbg_history_expand(struct vm_group *grp, size_t at, size_t k, uint64_t t)
{
    return expand(grp, at, k, t, UINT32_MAX);
}
uint64_t dbg_history_expand_item(struct vm_group *grp, size_t at, size_t k, uint64_t t,
                                 uint32_t item)
{
    return expand(grp, at, k, t, item);
}

void dbg_history_expand_here(struct vm_group *grp)
{
    const size_t at = H.at;
    const uint64_t now = dbg_history.time;
    dbg_history_go_to(grp, at, dbg_history_expand(grp, at, dbg_segment_of(at, now, false), now));
}

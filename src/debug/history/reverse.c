// SPDX-License-Identifier: MIT
// Reverse execution: finds the target. rewind.c goes there, history.c records the data. The target
// is found by replaying segments, from the present one backward, with an observer.
#include "debug/breakpoints/memory_access.h"
#include "debug/breakpoints/watch.h"
#include "debug/breakpoints/watch_expression.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/frames.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>

#define H        dbg_timeline
#define AT_PAUSE "the kernel ran at full speed up to the interrupt"

static void say_interrupted(struct str *out)
{
    atomic_store(&dbg.interrupt, 0);
    str_put(out, "\nInterrupted while going back.\n");
}

// ---- by lines
struct event { // a work-item reaches another line or depth
    uint64_t time;
    uint32_t file, line, inlined_at;
    unsigned depth;
};
struct lines {
    uint32_t item;
    VEC(struct event) events;
};

static bool same_place(const struct event *a, const struct event *b)
{
    return a->file == b->file && a->line == b->line && a->inlined_at == b->inlined_at &&
           a->depth == b->depth;
}

static void see_lines(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct lines *x = ctx;
    if (item != x->item) return;
    const uint32_t loc = g->at->src->loc;
    const struct bc_loc *l = &g->code->module->locs[loc];
    if (!loc || !l->line) return;
    const struct event e = {dbg_history.time, l->file, l->line, l->inlined_at, dbg_depth(g, loc)};
    if (!x->events.len || !same_place(&vec_last(&x->events), &e)) vec_push(&x->events, e);
}

/** Inserts the events of the previous segment in front. */
static void prepend(struct lines *x, struct lines *before)
{
    const bool goes_on = before->events.len && x->events.len &&
                         same_place(&vec_last(&before->events), &x->events.data[0]);
    for (size_t i = goes_on; i < x->events.len; i++) vec_push(&before->events, x->events.data[i]);
    vec_free(&x->events);
    x->events.data = before->events.data;
    x->events.len = before->events.len;
    x->events.cap = before->events.cap;
}

enum { NONE = -1, UNKNOWN = -2 }; // UNKNOWN: an earlier segment must be replayed

/**
 * The event before time t that the kind of step goes back to. `whole`: the events begin with the
 * group.
 */
static int64_t earlier(const struct lines *x, enum dbg_goal_kind kind, uint64_t t, unsigned depth,
                       bool whole)
{
    for (size_t i = x->events.len; i-- > 0;) {
        const struct event *e = &x->events.data[i];
        if (e->time >= t) continue;
        if (!i && !whole) return UNKNOWN; // the line may have begun earlier
        if (kind != DBG_REVERSE_TO_LINE && i && x->events.data[i - 1].depth > e->depth &&
            x->events.data[i - 1].time < t)
            continue; // in the middle of a line, after a call
        if (kind == DBG_REVERSE_TO_LINE && e->line != dbg_goal.line) continue;
        if (kind == DBG_REVERSE_NEXT && e->depth > depth) continue;
        if (kind == DBG_REVERSE_FINISH && e->depth >= depth) continue;
        return (int64_t)i;
    }
    return whole ? NONE : UNKNOWN;
}

/**
 * The event that begins the present activation with this depth, or the number of events if it
 * begins at time t.
 */
static int64_t entry(const struct lines *x, uint64_t t, unsigned depth, bool whole)
{
    for (size_t i = x->events.len; i-- > 0;)
        if (x->events.data[i].time < t && x->events.data[i].depth < depth) return (int64_t)i + 1;
    return whole ? 0 : UNKNOWN;
}

/**
 * Finds the target of `count` steps back from `now`; false: an earlier segment must be replayed.
 */
static bool find_target(const struct lines *x, uint64_t now, bool whole, uint64_t *t, bool *stuck)
{
    unsigned depth = dbg_goal.depth;
    *t = now;
    *stuck = false;
    if (dbg_goal.kind == DBG_REVERSE_ENTRY) {
        const int64_t e = entry(x, now, depth, whole);
        if (e >= 0 && (size_t)e < x->events.len) *t = x->events.data[e].time;
        return e != UNKNOWN;
    }
    for (uint64_t n = dbg_goal.count ? dbg_goal.count : 1; n-- && !*stuck;) {
        const int64_t e = earlier(x, dbg_goal.kind, *t, depth, whole);
        if (e == UNKNOWN) return false;
        *stuck = e == NONE;
        if (*stuck && !x->events.len) *t = 0;
        else *t = x->events.data[*stuck ? 0 : e].time;
        if (!*stuck) depth = x->events.data[e].depth;
    }
    if (*t > now) *t = now;
    return true;
}

/** Adds the events of the item in segment k up to `until`. */
static void look_at(struct vm_group *grp, struct lines *x, size_t at, size_t k, uint64_t until)
{
    struct lines before = {.item = x->item};
    const struct dbg_observer o = {.see = see_lines, .ctx = &before, .blind = true};
    dbg_history_rewind(grp, at, k);
    dbg_history_replay(grp, until, &o);
    prepend(x, &before);
}

/**
 * Expands a fast-forward in segment k; returns the new `until`. Later times are shifted by the same
 * amount.
 */
static uint64_t with_slices(struct vm_group *grp, size_t at, size_t *k, uint64_t until,
                            uint32_t item)
{
    const struct dbg_past_group *p = H.groups.data[at];
    while (p->segments.data[*k]->has_fast_forward &&
           (!*k || dbg_segment_has(p->segments.data[*k], item))) {
        until = dbg_history_expand(grp, at, *k, until);
        *k = dbg_segment_of(at, until, true);
    }
    return until;
}

/** May the item have run in segment k? */
static bool ran_in(const struct dbg_past_group *p, size_t k, uint32_t item)
{
    return !k || dbg_segment_has(p->segments.data[k], item);
}

/**
 * The target time of dbg_goal from time `now` of group `at`, or (REVERSE_TO_LINE) the last earlier
 * time in its line.
 */
static uint64_t lines_back(struct vm_group *grp, size_t at, uint64_t now, bool *stuck)
{
    const struct dbg_past_group *p = H.groups.data[at];
    struct lines x = {.item = dbg_goal.item};
    uint64_t until = now, t = now;
    for (size_t k = dbg_segment_of(at, now, true); !dbg_history_is_unwanted(); k--) {
        if (dbg_history_is_closed(grp, p, k)) {
            if (!find_target(&x, now, true, &t, stuck) || *stuck) t = until, *stuck = true;
            break;
        }
        const uint64_t more = with_slices(grp, at, &k, until, x.item) - until;
        now += more, until += more, t += more;
        for (size_t i = 0; i < x.events.len; i++) x.events.data[i].time += more;
        if (ran_in(p, k, x.item)) look_at(grp, &x, at, k, until);
        if (find_target(&x, now, !k, &t, stuck)) break;
        *stuck = !k;
        if (!k) break;
        until = p->segments.data[k]->from;
    }
    vec_free(&x.events);
    return t;
}

// ---- by instructions
struct counted {
    uint32_t item;
    uint64_t n,
        wanted;            // its instructions until now; the index of the target
    uint64_t first, found; // their times
};

static void count(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct counted *c = ctx;
    if (item != c->item) return;
    if (!c->n) c->first = dbg_history.time;
    if (c->n++ == c->wanted) c->found = dbg_history.time;
}

static struct counted count_in(struct vm_group *grp, size_t at, size_t k, uint64_t until,
                               uint64_t wanted)
{
    struct counted c = {.item = dbg_goal.item, .wanted = wanted};
    const struct dbg_observer o = {.see = count, .ctx = &c, .blind = true};
    dbg_history_rewind(grp, at, k);
    dbg_history_replay(grp, until, &o);
    return c;
}

/** The time `count` instructions of the item before time `now` of group `at`. */
static uint64_t instructions_back(struct vm_group *grp, size_t at, uint64_t now, bool *stuck)
{
    const struct dbg_past_group *p = H.groups.data[at];
    uint64_t until = now, t = 0, left = dbg_goal.count ? dbg_goal.count : 1;
    for (size_t k = dbg_segment_of(at, now, true); !dbg_history_is_unwanted(); k--) {
        if (dbg_history_is_closed(grp, p, k)) {
            *stuck = true;
            return until;
        }
        const uint64_t before = until;
        until = with_slices(grp, at, &k, until, dbg_goal.item);
        if (t) t += until - before;
        const struct counted c = ran_in(p, k, dbg_goal.item)
                                     ? count_in(grp, at, k, until, UINT64_MAX)
                                     : (struct counted){0};
        if (dbg_history_is_unwanted()) break;
        if (c.n >= left) return count_in(grp, at, k, until, c.n - left).found;
        left -= c.n;
        if (c.n) t = c.first;
        *stuck = !k;
        if (!k) break;
        until = p->segments.data[k]->from;
    }
    return t;
}

/** Steps back in group `at` by dbg_goal, from `now`. */
static void step_back(struct vm_group *grp, size_t at, uint64_t now, struct str *out)
{
    bool stuck = false;
    const uint64_t t = dbg_goal.kind == DBG_REVERSE_STEPI ? instructions_back(grp, at, now, &stuck)
                                                          : lines_back(grp, at, now, &stuck);
    if (dbg_history_is_unwanted() || !dbg_history_go_to(grp, at, t)) say_interrupted(out);
    else if (stuck)
        str_printf(out, "\nNo more reverse-execution history: %s.\n",
                   dbg_history_is_closed(grp, H.groups.data[at], dbg_segment_of(at, t, true))
                       ? AT_PAUSE
                       : "the work-item begins here");
}

// ---- by stops
struct hits {
    bool any;
    bool reads;  // are watched
    bool closed; // the history cannot be replayed further back
    uint64_t time;
    uint32_t item;
    unsigned which; // number of the breakpoint, which may have been deleted
    struct str text;
};

static void see_breaks(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct hits *h = ctx;
    struct dbg_break *b = g->at->src->flags & BC_BREAK ? dbg_break_would_hit(g, item, g->at->src)
                                                       : NULL;
    struct dbg_break *const read =
        !b && h->reads && dbg_reads(g->at->src) ? dbg_watch_read(g, item, g->at->src) : NULL;
    struct str text = {0};
    if (read && dbg_watch_read_hit(read, g, item, g->at->src, &text)) {
        h->any = true;
        h->time = dbg_history.time;
        h->item = item;
        h->which = read->number;
        str_clear(&h->text);
        str_put(&h->text, str_text(&text));
    }
    str_deinit(&text);
    if (!b) return;
    h->any = true;
    h->time = dbg_history.time;
    h->item = item;
    h->which = b->number;
    str_clear(&h->text);
    str_printf(&h->text, "%s %u, ", b->temporary ? "Temporary breakpoint" : "Breakpoint",
               b->number);
}

static void saw_writes(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct hits *h = ctx;
    struct dbg_break *b = NULL;
    struct str text = {0};
    if (insn->op != BC_STORE && insn->op != BC_ATOMIC && insn->op != BC_COPY && insn->op != BC_SET)
        return;
    if (dbg_any_watch() && dbg_watch_hit(g, item, insn, &text, &b)) {
        h->any = true;
        h->time = dbg_history.time - 1; // before the write
        h->item = item;
        h->which = b->number;
        str_clear(&h->text);
        str_put(&h->text, str_text(&text));
    }
    str_deinit(&text);
}

/** Is global memory there written in the segment? */
static bool writes_to(const struct dbg_segment *s, struct vm_gang *g, uint64_t address,
                      uint64_t size)
{
    const struct vm_object *o = vm_object_of(g, address);
    const uint64_t off = (uint64_t)vm_offset_of(address);
    for (uint64_t at = off / DBG_PAGE * DBG_PAGE; at < off + size; at += DBG_PAGE)
        for (size_t k = 0; k < s->pages.len; k++)
            if (s->pages.data[k].at == o->base + at) return true;
    return false;
}

/** May a watched value be written in the segment? */
static bool watch_writes(const struct dbg_past_group *p, const struct dbg_segment *s,
                         struct vm_gang *g)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (b->kind != DBG_WATCH || b->disabled || !dbg_is_watching(&b->watch) ||
            b->watch.launch != dbg_launch.run->chk.number)
            continue;
        if (b->watch.access != DBG_ON_WRITE) return true; // reads are not recorded
        if (b->watch.group != UINT64_MAX) {
            if (b->watch.group == p->linear)
                return true; // local and private memory: must be
                             // replayed
            continue;
        }
        const struct dbg_watch_expression *x = b->watch.expression;
        if (!x && writes_to(s, g, b->watch.address, b->watch.size)) return true;
        for (size_t k = 0; x && k < x->parts.len; k++)
            if (writes_to(s, g, x->parts.data[k].address, x->parts.data[k].size)) return true;
    }
    return false;
}

/** Is it known that nothing is hit in the segment? */
static bool is_clean(struct vm_group *grp, const struct dbg_past_group *p, size_t k)
{
    return p->segments.data[k]->clean_for == dbg_breaks.changes &&
           !watch_writes(p, p->segments.data[k], grp->gangs[0]);
}

/** Finds the last hit in segment k before `until`. */
static enum dbg_replayed look_for_hits(struct vm_group *grp, size_t at, size_t k, uint64_t until,
                                       struct hits *h)
{
    const struct dbg_past_group *p = H.groups.data[at];
    const struct dbg_observer o = {.see = see_breaks, .saw = saw_writes, .ctx = h};
    dbg_history_rewind(grp, at, k);
    if (p->segments.data[k]->has_fast_forward && dbg_any_watch() &&
        watch_writes(p, p->segments.data[k], grp->gangs[0]))
        return DBG_MUST_EXPAND;
    dbg_watch_refresh();
    const enum dbg_replayed r = dbg_history_replay(grp, until, &o);
    const bool whole = until >=
                       (k + 1 < p->segments.len ? p->segments.data[k + 1]->from : p->length);
    if (r == DBG_REPLAYED && !h->any && whole) p->segments.data[k]->clean_for = dbg_breaks.changes;
    return r;
}

/** Goes to the last hit before the present time; false: interrupted. */
static bool seek_hit(struct vm_group *grp, struct hits *h)
{
    uint64_t until = dbg_history.time;
    size_t at = H.at, k = dbg_segment_of(at, until, true);
    while (!dbg_history_is_unwanted()) {
        const enum dbg_replayed r = is_clean(grp, H.groups.data[at], k)
                                        ? DBG_REPLAYED
                                        : look_for_hits(grp, at, k, until, h);
        if (r == DBG_CUT_SHORT) break;
        if (r == DBG_MUST_EXPAND && dbg_history_is_closed(grp, H.groups.data[at], k)) {
            h->closed = true;
            return dbg_history_go_to(grp, at, until);
        }
        if (r == DBG_MUST_EXPAND) {
            h->any = false;
            until = dbg_history_expand(grp, at, k, until);
            k = dbg_segment_of(at, until, true);
            continue;
        }
        if (h->any) return dbg_history_go_to(grp, at, h->time);
        if (!k && !at) return dbg_history_go_to(grp, at, 0);
        if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
        until = k ? H.groups.data[at]->segments.data[k]->from : H.groups.data[--at]->length;
        k = dbg_segment_of(at, until, true);
    }
    dbg_history_go_to(grp, at, H.groups.data[at]->segments.data[k]->from);
    return false;
}

static void continue_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    struct hits h = {.reads = dbg_any_read_watch()};
    const uint32_t focus = dbg_focus.item;
    const bool arrived = seek_hit(grp, &h);
    dbg_watch_refresh();
    dbg_focus.item = h.any && arrived ? h.item : focus < grp->items ? focus : 0;
    if (!arrived) say_interrupted(out);
    else if (h.any) str_put(out, str_text(&h.text)), *which = dbg_break_find(h.which);
    else
        str_printf(out, "\nNo more reverse-execution history: %s.\n",
                   h.closed      ? AT_PAUSE
                   : H.forgotten ? "older work-groups are no longer kept (`set history-size`)"
                                 : "the launch begins here");
    str_deinit(&h.text);
}

void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    *which = NULL;
    dbg_history_mark();
    if (dbg_history.off || !H.groups.len) {
        str_put(out, "This launch has no history: its work-groups wait for each "
                     "other.\n");
    } else if (dbg_goal.kind == DBG_REVERSE_CONTINUE) {
        continue_back(grp, out, which);
    } else if (dbg_goal.kind == DBG_REVERSE_TO_TIME) {
        if (!dbg_history_go_to(grp, dbg_goal.group, dbg_goal.before)) say_interrupted(out);
    } else if (dbg_goal.kind == DBG_REVERSE_TO_LINE) {
        const uint64_t length = H.groups.data[dbg_goal.group]->length;
        step_back(grp, dbg_goal.group, dbg_goal.before < length ? dbg_goal.before : length, out);
    } else {
        step_back(grp, H.at, dbg_history.time, out);
    }
}

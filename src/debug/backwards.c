// SPDX-License-Identifier: MIT
// Going backwards: where to. Moving there is in travel.c, what is kept for it in history.c.
//
// Where to go to is found by following stretch after stretch, from the present one back, and looking at what happens.
#include "debug/history.h"

#include <stdlib.h>

#define H dbg_history

// ---- by lines
struct event { // a work-item comes to another line, or depth
    uint64_t time;
    uint32_t file, line, inlined_at;
    unsigned depth;
};
struct lines {
    uint32_t item;
    VEC(struct event) events;
    uint64_t last; // its last instruction
    bool any;
};

static bool same_place(const struct event *a, const struct event *b)
{
    return a->file == b->file && a->line == b->line && a->inlined_at == b->inlined_at && a->depth == b->depth;
}

static void see_lines(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct lines *x = ctx;
    if (item != x->item) return;
    x->last = dbg.time;
    x->any = true;
    const uint32_t loc = g->at->src->loc;
    const struct bc_loc *l = &g->code->module->locs[loc];
    if (!loc || !l->line) return;
    const struct event e = {dbg.time, l->file, l->line, l->inlined_at, dbg_depth(g, loc)};
    if (!x->events.len || !same_place(&vec_last(&x->events), &e)) vec_push(&x->events, e);
}

/** Events of the stretch before come in front. */
static void prepend(struct lines *x, struct lines *before)
{
    if (!x->any) x->last = before->last, x->any = before->any;
    const bool goes_on = before->events.len && x->events.len && same_place(&vec_last(&before->events), &x->events.data[0]);
    for (size_t i = goes_on; i < x->events.len; i++) vec_push(&before->events, x->events.data[i]);
    vec_free(&x->events);
    x->events.data = before->events.data;
    x->events.len = before->events.len;
    x->events.cap = before->events.cap;
}

enum { NONE = -1, UNKNOWN = -2 }; // unknown: what lies before must be looked at

/** The event to go back to before time t, as the kind of step wants. `whole`: the events begin with the group. */
static int64_t earlier(const struct lines *x, enum dbg_goal_kind kind, uint64_t t, unsigned depth, bool whole)
{
    for (size_t i = x->events.len; i-- > 0;) {
        const struct event *e = &x->events.data[i];
        if (e->time >= t) continue;
        if (!i && !whole) return UNKNOWN; // perhaps the line began before
        if (kind != DBG_REVERSE_TO_LINE && i && x->events.data[i - 1].depth > e->depth && x->events.data[i - 1].time < t) continue; // in the middle of a line, behind a call
        if (kind == DBG_REVERSE_TO_LINE && e->line != dbg.goal.line) continue;
        if (kind == DBG_REVERSE_NEXT && e->depth > depth) continue;
        if (kind == DBG_REVERSE_FINISH && e->depth >= depth) continue;
        return (int64_t)i;
    }
    return whole ? NONE : UNKNOWN;
}

/** Where `count` steps back from `now` lead to; false: what lies before must be looked at. */
static bool find_target(const struct lines *x, uint64_t now, bool whole, uint64_t *t, bool *stuck)
{
    unsigned depth = dbg.goal.depth;
    *t = now;
    *stuck = false;
    for (uint64_t n = dbg.goal.count ? dbg.goal.count : 1; n-- && !*stuck;) {
        const int64_t e = earlier(x, dbg.goal.kind, *t, depth, whole);
        if (e == UNKNOWN) return false;
        *stuck = e == NONE;
        if (*stuck && !x->events.len) *t = 0;
        else *t = x->events.data[*stuck ? 0 : e].time;
        if (!*stuck) depth = x->events.data[e].depth;
    }
    if (*t > now) *t = now;
    return true;
}

/** Adds what the item did in stretch k up to `until`. */
static void look_at(struct vm_group *grp, struct lines *x, size_t at, size_t k, uint64_t until)
{
    struct lines before = {.item = x->item};
    const struct dbg_observer o = {see_lines, NULL, &before, true};
    dbg_history_rewind(grp, at, k);
    dbg_history_replay(grp, until, &o);
    prepend(x, &before);
}

/** From time `now` of group `at` as dbg.goal says, or (REVERSE_TO_LINE) to the last time before that in its line. */
static void step_back(struct vm_group *grp, size_t at, uint64_t now, struct str *out)
{
    const struct dbg_past_group *p = H.groups.data[at];
    struct lines x = {.item = dbg.goal.item};
    uint64_t until = now, t = now, left = dbg.goal.count ? dbg.goal.count : 1;
    bool stuck = false;
    for (size_t k = dbg_stretch_of(at, now, true);;) {
        const bool concerned = !k || dbg_stretch_has(p->stretches.data[k], x.item);
        if (p->stretches.data[k]->together && concerned && !dbg_history_is_of_others(p, k, x.item)) {
            const uint64_t more = dbg_history_unfold_item(grp, at, k, until, x.item) - until;
            now += more, until += more, t += more;
            for (size_t i = 0; i < x.events.len; i++) x.events.data[i].time += more;
            x.last += more;
            k = dbg_stretch_of(at, until, true);
            continue;
        }
        const bool of_others = p->stretches.data[k]->together && k + 1 < p->stretches.len && p->stretches.data[k + 1]->from == p->stretches.data[k]->from + 1;
        if (concerned && !of_others) look_at(grp, &x, at, k, until);
        if (dbg.goal.kind == DBG_REVERSE_STEPI && x.any) { // one at a time
            t = until = x.last;
            x.any = false;
            if (!--left) break;
            k = dbg_stretch_of(at, t, true);
            continue;
        }
        if (dbg.goal.kind != DBG_REVERSE_STEPI && find_target(&x, now, !k, &t, &stuck)) break;
        if (!k) {
            stuck = true;
            if (dbg.goal.kind == DBG_REVERSE_STEPI) t = t == now && left ? 0 : t;
            break;
        }
        until = p->stretches.data[k--]->from;
    }
    vec_free(&x.events);
    dbg_history_go_to(grp, at, t < now ? t : now);
    if (stuck) str_put(out, "\nNo more reverse-execution history: the work-item begins here.\n");
}

// ---- by stops
struct hits {
    bool any;
    bool reads; // are watched
    uint64_t time;
    uint32_t item;
    struct dbg_break *which;
    struct str text;
};

static void see_breaks(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct hits *h = ctx;
    struct dbg_break *b = g->at->src->flags & BC_BREAK ? dbg_break_would_hit(g, item, g->at->src) : NULL;
    struct dbg_break *const read = !b && h->reads && dbg_reads(g->at->src) ? dbg_watch_read(g, item, g->at->src) : NULL;
    struct str text = {0};
    if (read && dbg_watch_read_hit(read, g, item, g->at->src, &text)) {
        h->any = true;
        h->time = dbg.time;
        h->item = item;
        h->which = read;
        str_clear(&h->text);
        str_put(&h->text, str_text(&text));
    }
    str_deinit(&text);
    if (!b) return;
    h->any = true;
    h->time = dbg.time;
    h->item = item;
    h->which = b;
    str_clear(&h->text);
    str_printf(&h->text, "%s %u, ", b->temporary ? "Temporary breakpoint" : "Breakpoint", b->number);
}

static void saw_writes(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct hits *h = ctx;
    struct dbg_break *b = NULL;
    struct str text = {0};
    if (insn->op != BC_STORE && insn->op != BC_ATOMIC && insn->op != BC_COPY && insn->op != BC_SET) return;
    if (dbg_any_watch() && dbg_watch_hit(g, item, insn, &text, &b)) {
        h->any = true;
        h->time = dbg.time - 1; // before the write
        h->item = item;
        h->which = b;
        str_clear(&h->text);
        str_put(&h->text, str_text(&text));
    }
    str_deinit(&text);
}

/** Nothing can be hit in the stretch, as far as is known. */
static bool is_clean(struct vm_group *grp, const struct dbg_past_group *p, size_t k)
{
    return p->stretches.data[k]->clean_for == dbg.break_changes && !dbg_watch_writes(p, p->stretches.data[k], grp->gangs[0]);
}

/** Looks for the last hit in stretch k before `until`; false: a moment of it must be unfolded first. */
static bool look_for_hits(struct vm_group *grp, size_t at, size_t k, uint64_t until, struct hits *h)
{
    const struct dbg_past_group *p = H.groups.data[at];
    const struct dbg_observer o = {see_breaks, saw_writes, h, false};
    dbg_history_rewind(grp, at, k);
    if (p->stretches.data[k]->together && dbg_any_watch() && dbg_watch_writes(p, p->stretches.data[k], grp->gangs[0])) return false;
    dbg_watch_refresh();
    if (!dbg_history_replay(grp, until, &o)) return false;
    const bool whole = until >= (k + 1 < p->stretches.len ? p->stretches.data[k + 1]->from : p->length);
    if (!h->any && whole) p->stretches.data[k]->clean_for = dbg.break_changes;
    return true;
}

static void continue_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    struct hits h = {.reads = dbg_any_read_watch()};
    uint64_t until = dbg.time;
    const uint32_t focus = dbg.focus;
    size_t at = H.at, k = dbg_stretch_of(at, until, true);
    bool interrupted = false;
    for (;;) {
        if (!is_clean(grp, H.groups.data[at], k) && !look_for_hits(grp, at, k, until, &h)) {
            h.any = false;
            until = dbg_history_unfold(grp, at, k, until);
            k = dbg_stretch_of(at, until, true);
            continue;
        }
        if (h.any || (!k && !at)) break;
        if (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) dbg_answer_knock();
        interrupted = atomic_exchange(&dbg.interrupt, 0);
        if (interrupted) break;
        if (k) {
            until = H.groups.data[at]->stretches.data[k--]->from;
        } else {
            until = H.groups.data[--at]->length;
            k = dbg_stretch_of(at, until, true);
        }
    }
    dbg_history_go_to(grp, at, h.any ? h.time : H.groups.data[at]->stretches.data[k]->from);
    dbg_watch_refresh();
    dbg.focus = h.any ? h.item : focus < grp->items ? focus : 0;
    if (h.any) str_put(out, str_text(&h.text)), *which = h.which;
    else if (interrupted) str_put(out, "\nInterrupted, on the way back.\n");
    else str_printf(out, "\nNo more reverse-execution history: %s.\n",
                    H.forgotten ? "what was before is forgotten (`set history-size`)" : "the launch begins here");
    str_deinit(&h.text);
}

void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    *which = NULL;
    dbg_history_mark();
    if (H.off || !H.groups.len) {
        str_put(out, "There is no history of this launch: its work-groups wait for one another and run by turns.\n");
    } else if (dbg.goal.kind == DBG_REVERSE_CONTINUE) {
        continue_back(grp, out, which);
    } else if (dbg.goal.kind == DBG_REVERSE_TO_LINE) {
        const uint64_t length = H.groups.data[dbg.goal.group]->length;
        step_back(grp, dbg.goal.group, dbg.goal.before < length ? dbg.goal.before : length, out);
    } else {
        step_back(grp, H.at, dbg.time, out);
    }
}

// SPDX-License-Identifier: MIT
// Going backwards, by going forwards again from a state that is kept: history.c has the theory.
//
// Where to go to is found by following stretch after stretch, from the present one back, and looking at what happens.
#include "debug/history.h"

#include "base/mem.h"
#include "interp/saved.h"

#include <stdlib.h>
#include <string.h>

#define H dbg_history

// ---- moving in time
void dbg_write_by_hand(struct vm_group *grp)
{
    const struct dbg_past_group *p = H.groups.data[H.at];
    for (size_t i = 0; i < p->writes.len; i++)
        if (p->writes.data[i].time == dbg.time) err_free(dbg_write_raw(grp->gangs[p->writes.data[i].item], p->writes.data[i].address, p->writes.data[i].bytes, p->writes.data[i].size));
}

void dbg_history_restart(struct vm_group *grp, size_t at)
{
    H.at = at;
    H.cursor = 0;
    str_clear(&grp->out);
    vm_group_start(grp, H.groups.data[at]->linear, 1);
    dbg.group_number = grp->linear;
    dbg.time = 0;
    dbg_enter_kernel(grp);
    dbg_enter_past(grp); // vm_gang_start may have made the objects anew
    dbg_write_by_hand(grp);
}

/** The end of a group that was: all its work-items have returned. */
static void restart_at_end(struct vm_group *grp, size_t at)
{
    dbg_history_restart(grp, at);
    for (uint32_t i = 0; i < grp->items; i++) {
        struct vm_gang *g = grp->gangs[i];
        g->at = NULL;
        g->fresh = false;
        g->state = VM_DONE;
        g->nreturned = 1;
        g->returned[0] = 0xff;
        g->frame = &g->frames[0];
    }
}

void dbg_history_rewind(struct vm_group *grp, size_t at, size_t k)
{
    dbg_enter_past(grp);
    const size_t from = H.at;
    for (size_t n = from + 1; n-- > at;) {
        const struct dbg_past_group *p = H.groups.data[n];
        for (size_t i = p->stretches.len; i-- > (n == at ? k : 0);) {
            const struct dbg_stretch *s = p->stretches.data[i];
            for (size_t j = s->pages.len; j-- > 0;) memcpy(s->pages.data[j].at, s->pages.data[j].bytes, s->pages.data[j].size);
        }
    }
    if (!k) {
        dbg_history_restart(grp, at);
        return;
    }
    if (at != from) restart_at_end(grp, at);
    const struct dbg_past_group *p = H.groups.data[at];
    for (size_t i = p->stretches.len; i-- > k;)
        for (size_t j = 0; j < p->stretches.data[i]->items.len; j++)
            vm_lane_restore(grp->gangs[p->stretches.data[i]->items.data[j].item], p->stretches.data[i]->items.data[j].state);
    vm_group_restore(grp, p->stretches.data[k]->group);
    dbg.time = p->stretches.data[k]->from;
    H.cursor = 0;
    dbg_enter_past(grp); // restored objects are as they were watched
    dbg_write_by_hand(grp);
}

uint32_t dbg_history_turn(void)
{
    if (!dbg.past) return UINT32_MAX;
    const struct dbg_past_group *p = H.groups.data[H.at];
    if (dbg.time >= p->length || !p->turns.len) return UINT32_MAX; // the group is done
    if (H.cursor + 1 < p->turns.len && p->turns.data[H.cursor + 1].from <= dbg.time) {
        size_t low = H.cursor + 1, high = p->turns.len; // the last one that began by now
        while (high - low > 1) {
            const size_t mid = low + (high - low) / 2;
            *(p->turns.data[mid].from <= dbg.time ? &low : &high) = mid;
        }
        H.cursor = low;
    }
    return p->turns.data[H.cursor].item;
}

bool dbg_history_advance(struct vm_group *grp)
{
    if (!dbg.past) return false;
    const struct dbg_past_group *p = H.groups.data[H.at];
    dbg_write_by_hand(grp);
    if (H.at + 1 == H.groups.len && dbg.time >= p->length) {
        dbg_leave_past(grp);
        return true;
    }
    return H.cursor + 1 < p->turns.len && p->turns.data[H.cursor + 1].from <= dbg.time;
}

bool dbg_history_next_group(struct vm_group *grp)
{
    if (!dbg.past || H.at + 1 >= H.groups.len) return false;
    dbg_history_restart(grp, H.at + 1);
    if (!H.groups.data[H.at]->length && H.at + 1 == H.groups.len) dbg_leave_past(grp);
    return true;
}

/** Looks at instructions that are done again: `see` before the first part of one, `saw` behind each part. */
struct observer {
    void (*see)(void *ctx, struct vm_gang *g, uint32_t item);
    void (*saw)(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
    void *ctx;
};

/** One item's turn, up to `time`. */
static bool replay_turn(struct vm_group *grp, uint32_t item, uint64_t time, const struct observer *o)
{
    const struct dbg_past_group *p = H.groups.data[H.at];
    const bool by_hand = p->writes.len;
    struct vm_gang *g = grp->gangs[item];
    const struct vm_insn *prev = NULL;
    if (H.cursor + 1 < p->turns.len && p->turns.data[H.cursor + 1].from < time) time = p->turns.data[H.cursor + 1].from;
    if (!vm_step_begin(g)) return false; // cannot be
    while (dbg.time < time && g->at) {
        const struct vm_insn *ip = g->at;
        if (o && o->see && (!prev || ip != prev + 1 || ip->src != prev->src)) o->see(o->ctx, g, item);
        prev = ip;
        vm_step(g);
        dbg.time++;
        if (by_hand) dbg_write_by_hand(grp);
        if (o && o->saw) o->saw(o->ctx, g, item, ip->src);
    }
    return true;
}

/** Does what was done until `time`. */
static void replay(struct vm_group *grp, uint64_t time, const struct observer *o)
{
    while (dbg.time < time) {
        const uint32_t item = dbg_history_turn();
        if (item == UINT32_MAX) return;
        if (item == DBG_JUDGE) {
            vm_group_judge(grp);
            dbg.time++;
            dbg_write_by_hand(grp);
        } else if (!replay_turn(grp, item, time, o)) {
            return;
        }
    }
}

/** The stretch of group `at` that time t lies in; `before`: in which the instruction before it lies. */
static size_t stretch_of(size_t at, uint64_t t, bool before)
{
    const struct dbg_past_group *p = H.groups.data[at];
    size_t k = p->stretches.len - 1;
    while (k && p->stretches.data[k]->from + before > t) k--;
    return k;
}

static void go_to(struct vm_group *grp, size_t at, uint64_t time)
{
    dbg_history_rewind(grp, at, stretch_of(at, time, false)); // it is never a moment inside of one that must be unfolded
    replay(grp, time, NULL);
    if (H.at + 1 == H.groups.len && dbg.time >= H.groups.data[H.at]->length) dbg_leave_past(grp);
}

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
    const struct observer o = {see_lines, NULL, &before};
    dbg_history_rewind(grp, at, k);
    replay(grp, until, &o);
    prepend(x, &before);
}

static void step_back(struct vm_group *grp, struct str *out)
{
    uint64_t now = dbg.time;
    const size_t at = H.at;
    const struct dbg_past_group *p = H.groups.data[at];
    struct lines x = {.item = dbg.goal.item};
    uint64_t until = now, t = now, left = dbg.goal.count ? dbg.goal.count : 1;
    bool stuck = false;
    for (size_t k = stretch_of(at, now, true);;) {
        if (p->stretches.data[k]->together) {
            const uint64_t more = dbg_history_unfold(grp, at, k);
            now += more, until += more, t += more;
            for (size_t i = 0; i < x.events.len; i++) x.events.data[i].time += more;
            k = stretch_of(at, until, true);
            continue;
        }
        if (!k || dbg_stretch_has(p->stretches.data[k], x.item)) look_at(grp, &x, at, k, until);
        if (dbg.goal.kind == DBG_REVERSE_STEPI && x.any) { // one at a time
            t = until = x.last;
            x.any = false;
            if (!--left) break;
            k = stretch_of(at, t, true);
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
    go_to(grp, at, t < now ? t : now);
    if (stuck) str_put(out, "\nNo more reverse-execution history: the work-item begins here.\n");
}

// ---- by stops
struct hits {
    bool any;
    uint64_t time;
    uint32_t item;
    struct dbg_break *which;
    struct str text;
};

static void see_breaks(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct hits *h = ctx;
    struct dbg_break *b = g->at->src->flags & BC_BREAK ? dbg_break_would_hit(g, item, g->at->src) : NULL;
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

static void continue_back(struct vm_group *grp, struct str *out, struct dbg_break **which)
{
    struct hits h = {0};
    const struct observer o = {see_breaks, saw_writes, &h};
    uint64_t until = dbg.time;
    const uint32_t focus = dbg.focus;
    size_t at = H.at, k = stretch_of(at, until, true);
    bool interrupted = false;
    for (;;) {
        if (H.groups.data[at]->stretches.data[k]->together) {
            until += dbg_history_unfold(grp, at, k);
            k = stretch_of(at, until, true);
            continue;
        }
        dbg_history_rewind(grp, at, k);
        dbg_watch_refresh();
        replay(grp, until, &o);
        if (h.any || (!k && !at)) break;
        if (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) dbg_answer_knock();
        interrupted = atomic_exchange(&dbg.interrupt, 0);
        if (interrupted) break;
        if (k) {
            until = H.groups.data[at]->stretches.data[k--]->from;
        } else {
            until = H.groups.data[--at]->length;
            k = stretch_of(at, until, true);
        }
    }
    go_to(grp, at, h.any ? h.time : H.groups.data[at]->stretches.data[k]->from);
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
        return;
    }
    if (dbg.goal.kind == DBG_REVERSE_CONTINUE) continue_back(grp, out, which);
    else step_back(grp, out);
}

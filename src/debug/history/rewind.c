// SPDX-License-Identifier: MIT
// Time travel: restores a checkpoint and replays from there. history.c has the theory.
//
// The present contents of undone pages are saved (struct dbg_ahead). To go forward to a later
// moment of the past, the present is restored first, and then undone from there. A page that was
// not undone has its present contents, since replay only writes what was written the first time.
#include "base/mem.h"
#include "debug/history/fast_forward.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "interp/stepping/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#define H dbg_timeline

void dbg_write_by_hand(struct vm_group *grp)
{
    const struct dbg_past_group *p = H.groups.data[H.at];
    size_t first = 0, end = p->writes.len; // sorted by time
    while (first < end) {
        const size_t mid = first + (end - first) / 2;
        *(p->writes.data[mid].time < dbg_history.time ? &first : &end) =
            p->writes.data[mid].time < dbg_history.time ? mid + 1 : mid;
    }
    for (size_t i = first; i < p->writes.len && p->writes.data[i].time == dbg_history.time; i++) {
        const struct dbg_by_hand *w = &p->writes.data[i];
        err_free(dbg_write_raw(grp->gangs[w->item], w->address, w->bytes, w->size));
    }
}

void dbg_history_restart(struct vm_group *grp, size_t at)
{
    H.at = at;
    H.cursor = 0;
    str_clear(&grp->out);
    vm_group_start(grp, H.groups.data[at]->linear, 1);
    dbg_focus.group_number = grp->linear;
    dbg_history.time = 0;
    dbg_group_enter(grp);
    dbg_enter_past(grp); // vm_gang_start may have recreated the objects
    dbg_write_by_hand(grp);
}

void dbg_history_items_return(struct vm_group *grp)
{
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

// ---- the present, while in the past
void dbg_ahead_forget(void)
{
    struct dbg_ahead *x = &H.ahead;
    for (size_t i = 0; i < x->pages.len; i++) free(x->pages.data[i].bytes);
    for (size_t i = 0; i < x->items.len; i++) free(x->items.data[i].state);
    vec_free(&x->pages);
    vec_free(&x->items);
    map_deinit(&x->saved_pages);
    str_deinit(&x->group);
    str_deinit(&x->printed);
    *x = (struct dbg_ahead){0};
}

/** Saves the present state of the running group. */
static void keep_present(struct vm_group *grp)
{
    H.ahead.kept = true;
    for (uint32_t i = 0; i < grp->items; i++) {
        struct str state = {0};
        vm_lane_save(grp->gangs[i], &state);
        vec_push(&H.ahead.items,
                 ((struct dbg_item_checkpoint){i, mem_dup(state.data, state.len), state.len}));
        str_deinit(&state);
    }
    vm_group_save(grp, &H.ahead.group);
    str_put_n(&H.ahead.printed, str_text(&grp->out), grp->out.len);
}

/**
 * Saves the present contents of a page that is about to be restored. Before its first restoration
 * it has its present contents.
 */
static void keep_page(const struct dbg_page *p)
{
    bool is_new;
    map_put_ptr(&H.ahead.saved_pages, p->at, &is_new);
    if (is_new)
        vec_push(&H.ahead.pages, ((struct dbg_page){p->at, mem_dup(p->at, p->size), p->size}));
}

static void return_to_present(struct vm_group *grp)
{
    const size_t last = H.groups.len - 1;
    for (size_t i = 0; i < H.ahead.pages.len; i++)
        memcpy(H.ahead.pages.data[i].at, H.ahead.pages.data[i].bytes, H.ahead.pages.data[i].size);
    if (H.at != last) dbg_history_restart(grp, last);
    for (size_t i = 0; i < H.ahead.items.len; i++)
        vm_lane_restore(grp->gangs[H.ahead.items.data[i].item], H.ahead.items.data[i].state);
    str_clear(&grp->out);
    str_put_n(&grp->out, str_text(&H.ahead.printed), H.ahead.printed.len);
    vm_group_restore(grp, H.ahead.group.data);
    H.at = last;
    H.cursor = 0;
    dbg_history.time = H.groups.data[last]->length;
}

static bool lies_ahead(size_t at, size_t k)
{
    return at > H.at ||
           (at == H.at && H.groups.data[at]->segments.data[k]->from > dbg_history.time);
}

void dbg_history_rewind(struct vm_group *grp, size_t at, size_t k)
{
    if (!H.ahead.kept) keep_present(grp);
    dbg_enter_past(grp);
    if (lies_ahead(at, k)) return_to_present(grp);
    const size_t from = H.at;
    for (size_t n = from + 1; n-- > at;) {
        const struct dbg_past_group *p = H.groups.data[n];
        for (size_t i = p->segments.len; i-- > (n == at ? k : 0);) {
            const struct dbg_segment *s = p->segments.data[i];
            for (size_t j = s->pages.len; j-- > 0;) {
                keep_page(&s->pages.data[j]);
                memcpy(s->pages.data[j].at, s->pages.data[j].bytes, s->pages.data[j].size);
            }
        }
    }
    if (!k) {
        dbg_history_restart(grp, at);
        return;
    }
    if (at != from) {
        dbg_history_restart(grp, at);
        dbg_history_items_return(grp);
    }
    const struct dbg_past_group *p = H.groups.data[at];
    for (size_t i = p->segments.len; i-- > k;)
        for (size_t j = 0; j < p->segments.data[i]->items.len; j++)
            vm_lane_restore(grp->gangs[p->segments.data[i]->items.data[j].item],
                            p->segments.data[i]->items.data[j].state);
    vm_group_restore(grp, p->segments.data[k]->group);
    dbg_history.time = p->segments.data[k]->from;
    H.cursor = 0;
    dbg_enter_past(grp); // the restored objects have their watch flags
    dbg_write_by_hand(grp);
}

bool dbg_history_find(uint64_t group, size_t *at)
{
    for (*at = 0; *at < H.groups.len; ++*at)
        if (H.groups.data[*at]->linear == group) return true;
    return false;
}

// ---- replay
uint32_t dbg_history_slice(void)
{
    if (!dbg_history.past) return UINT32_MAX;
    const struct dbg_past_group *p = H.groups.data[H.at];
    if (dbg_history.time >= p->length || !p->slices.len) return UINT32_MAX; // the group is done
    if (H.cursor + 1 < p->slices.len && p->slices.data[H.cursor + 1].from <= dbg_history.time) {
        size_t low = H.cursor + 1, high = p->slices.len; // binary search: the last slice that has
                                                         // begun
        while (high - low > 1) {
            const size_t mid = low + (high - low) / 2;
            *(p->slices.data[mid].from <= dbg_history.time ? &low : &high) = mid;
        }
        H.cursor = low;
    }
    return p->slices.data[H.cursor].item;
}

bool dbg_history_slice_again(struct vm_group *grp, bool blind)
{
    const struct dbg_slice *t = &H.groups.data[H.at]->slices.data[H.cursor];
    return dbg_fast_forward_again(grp, &t->span, blind);
}

bool dbg_history_advance(struct vm_group *grp)
{
    if (!dbg_history.past) return false;
    const struct dbg_past_group *p = H.groups.data[H.at];
    dbg_write_by_hand(grp);
    if (H.at + 1 == H.groups.len && dbg_history.time >= p->length) {
        dbg_leave_past(grp);
        return true;
    }
    return H.cursor + 1 < p->slices.len && p->slices.data[H.cursor + 1].from <= dbg_history.time;
}

void dbg_history_judge(struct vm_group *grp)
{
    for (uint32_t k = 0; k < grp->ngangs; k++)
        if (grp->gangs[k]->nparked) {
            vm_group_judge(grp);
            return;
        }
}

bool dbg_history_next_group(struct vm_group *grp)
{
    if (!dbg_history.past || H.at + 1 >= H.groups.len) return false;
    dbg_history_restart(grp, H.at + 1);
    if (!H.groups.data[H.at]->length && H.at + 1 == H.groups.len) dbg_leave_past(grp);
    return true;
}

bool dbg_history_is_unwanted(void)
{
    return atomic_load_explicit(&dbg.interrupt, memory_order_relaxed) || dbg.ended;
}

/** Replays one item's slice, up to `time`. */
static enum dbg_replayed replay_slice(struct vm_group *grp, uint32_t item, uint64_t time,
                                      const struct dbg_observer *o)
{
    const struct dbg_past_group *p = H.groups.data[H.at];
    const bool by_hand = p->writes.len;
    struct vm_gang *g = grp->gangs[item];
    const struct vm_insn *prev = NULL;
    if (H.cursor + 1 < p->slices.len && p->slices.data[H.cursor + 1].from < time)
        time = p->slices.data[H.cursor + 1].from;
    if (!vm_step_begin(g)) return DBG_LOST;
    while (dbg_history.time < time && g->at) {
        const struct vm_insn *ip = g->at;
        const bool begins = !prev || ip != prev + 1 || ip->src != prev->src;
        if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
        if (begins && !(o && o->whole) && dbg_history_is_unwanted()) return DBG_CUT_SHORT;
        if (begins && o && o->see) o->see(o->ctx, g, item);
        prev = ip;
        vm_step(g);
        dbg_history.time++;
        if (by_hand) dbg_write_by_hand(grp);
        if (o && o->saw) o->saw(o->ctx, g, item, ip->src);
    }
    return DBG_REPLAYED;
}

enum dbg_replayed dbg_history_replay(struct vm_group *grp, uint64_t time,
                                     const struct dbg_observer *o)
{
    while (dbg_history.time < time) {
        const uint64_t before = dbg_history.time;
        const uint32_t item = dbg_history_slice();
        if (item == UINT32_MAX) break;
        if (item < DBG_FAST_FORWARD) {
            const enum dbg_replayed r = replay_slice(grp, item, time, o);
            if (r != DBG_REPLAYED || dbg_history.time == before)
                return r != DBG_REPLAYED ? r : DBG_LOST;
            continue;
        }
        if (item == DBG_JUDGE) dbg_history_judge(grp);
        else if (!dbg_history_slice_again(grp, !o || o->blind)) return DBG_MUST_EXPAND;
        dbg_history.time++;
        dbg_write_by_hand(grp);
    }
    return DBG_REPLAYED;
}

size_t dbg_segment_of(size_t at, uint64_t t, bool before)
{
    const struct dbg_past_group *p = H.groups.data[at];
    size_t k = p->segments.len - 1;
    while (k && p->segments.data[k]->from + before > t) k--;
    return k;
}

bool dbg_history_go_to(struct vm_group *grp, size_t at, uint64_t time)
{
    dbg_history_rewind(grp, at, dbg_segment_of(at, time,
                                               false)); // never within a fast-forward
    const bool arrived = dbg_history_replay(grp, time, NULL) != DBG_CUT_SHORT;
    if (H.at + 1 == H.groups.len && dbg_history.time >= H.groups.data[H.at]->length)
        dbg_leave_past(grp);
    return arrived;
}

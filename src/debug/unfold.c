// SPDX-License-Identifier: MIT
// Moments of the past in which many work-items ran together (scout.c), made into turns that can be followed.
//
// What ran together did nothing that depends on the order, else it would have been given up. So the same work-items are
// stepped to the same barrier, one after the other, from the state that is kept: that gives turns and states as if they
// had been stepped at once. Each such moment grows to the time that this takes; what lies behind it moves on.
#include "debug/history.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define H dbg_history

struct unfolding {
    struct vm_group *grp;
    struct dbg_past_group *p;
    VEC(uint64_t) writes; // times of what the user wrote, as they become
};

static void keep_state(struct unfolding *u)
{
    if (dbg.time < vec_last(&u->p->stretches)->from + H.stride) return;
    dbg_stretch_begin(u->p, u->grp);
}

/** Up to n parts of instructions of an item; fewer when it comes to a barrier or its end. */
static void step_item(struct unfolding *u, uint32_t item, uint64_t n)
{
    struct vm_gang *g = u->grp->gangs[item];
    const struct vm_insn *prev = NULL;
    if (!vm_step_begin(g)) return;
    dbg_history_save_item(u->p, g, item);
    dbg_history_add_turn(u->p, item);
    while (n-- && g->at) {
        const struct vm_insn *ip = g->at;
        const struct bc_insn *i = ip->src;
        if (!prev || ip != prev + 1 || i != prev->src) { // between two instructions
            keep_state(u);
            dbg_history_save_item(u->p, g, item);
            if (i->op == BC_STORE || i->op == BC_COPY || i->op == BC_SET || i->op == BC_IMAGE || i->op == BC_ATOMIC || i->op == BC_ASYNC_COPY)
                dbg_history_save_written(u->p, g, i, 0);
        }
        prev = ip;
        vm_step(g);
        dbg.time++;
    }
}

static void judge(struct unfolding *u)
{
    for (uint32_t i = 0; i < u->grp->items; i++) dbg_history_save_item(u->p, u->grp->gangs[i], i);
    dbg_history_add_turn(u->p, DBG_JUDGE);
    vm_group_judge(u->grp);
    dbg.time++;
}

/** Follows old turns from time `from` to `to`. */
static void follow(struct unfolding *u, const struct dbg_turn *old, size_t n, uint64_t from, uint64_t to)
{
    uint64_t t = from;
    for (size_t c = 0; c < n && t < to; c++) {
        const uint64_t end = c + 1 < n && old[c + 1].from < to ? old[c + 1].from : to;
        if (end <= t) continue;
        if (old[c].item == DBG_TOGETHER) {
            for (uint32_t k = 0; k < u->grp->items; k++) step_item(u, dbg_in_order(u->grp, k), UINT64_MAX);
        } else if (old[c].item == DBG_JUDGE) {
            judge(u);
        } else {
            step_item(u, old[c].item, end - t);
        }
        t = end;
    }
}

uint64_t dbg_history_unfold(struct vm_group *grp, size_t at, size_t k)
{
    struct dbg_past_group *p = H.groups.data[at];
    struct unfolding u = {.grp = grp, .p = p};
    const uint64_t from = p->stretches.data[k]->from, to = k + 1 < p->stretches.len ? p->stretches.data[k + 1]->from : p->length;
    dbg_history_rewind(grp, at, k);
    VEC(struct dbg_stretch *) later = {0};
    VEC(struct dbg_turn) old = {0};
    for (size_t i = k + 1; i < p->stretches.len; i++) vec_push(&later, p->stretches.data[i]);
    p->stretches.len = k + 1;
    for (size_t i = 0; i < p->turns.len; i++) vec_push(&old, p->turns.data[i]);
    const uint64_t length = p->length;
    size_t kept = 0;
    while (kept < p->turns.len && p->turns.data[kept].from < from) kept++;
    p->turns.len = kept;
    follow(&u, old.data, old.len, from, to);
    const uint64_t more = dbg.time - to;
    for (size_t i = 0; i < old.len; i++)
        if (old.data[i].from >= to) vec_push(&p->turns, ((struct dbg_turn){old.data[i].item, old.data[i].from + more}));
    for (size_t i = 0; i < later.len; i++) {
        later.data[i]->from += more;
        vec_push(&p->stretches, later.data[i]);
    }
    for (size_t i = 0; i < p->writes.len; i++)
        if (p->writes.data[i].time >= to) p->writes.data[i].time += more;
    p->length = length + more;
    p->stretches.data[k]->together = false;
    H.last_page = NULL;
    vec_free(&later);
    vec_free(&old);
    return more;
}

void dbg_history_unfold_here(struct vm_group *grp)
{
    const struct dbg_past_group *p = H.groups.data[H.at];
    const size_t at = H.at;
    const uint64_t now = dbg.time;
    size_t k = p->stretches.len - 1;
    while (k && p->stretches.data[k]->from > now) k--;
    dbg_history_unfold(grp, at, k);
    dbg_history_rewind(grp, at, k);
    // what lies between the stretch and this moment is as it was
    while (dbg.time < now) {
        const uint32_t item = dbg_history_turn();
        if (item == DBG_JUDGE) vm_group_judge(grp), dbg.time++;
        else if (item == UINT32_MAX || !vm_step_begin(grp->gangs[item])) break;
        else vm_step(grp->gangs[item]), dbg.time++;
        dbg_write_by_hand(grp);
    }
}

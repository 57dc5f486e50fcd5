// SPDX-License-Identifier: MIT
// Expands fast-forwards of the past into slices that can be replayed. A fast-forward does not
// depend on the order of work-items; otherwise it would have been abandoned. So the same work-items
// are stepped equally far, one after the other, from the checkpoint. The resulting slices and
// checkpoints are those of normal stepping. If the run was paused, it is first repeated wide to
// count how far each work-item came. The fast-forward, which was one moment of time, then takes the
// time of stepping, and later times are shifted.
#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/history/fast_forward.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/checkpoints.h"
#include "debug/session/findings.h"
#include "debug/session/item_order.h"

#include <stdlib.h>

#define H dbg_timeline

struct expansion {
    struct vm_group *grp;
    struct dbg_past_group *p;
    uint64_t time, is; // an old time of the group, and the new one
};

static void keep_state(struct expansion *u)
{
    if (dbg_history.time < vec_last(&u->p->segments)->from + H.stride) return;
    dbg_segment_begin(u->p, u->grp);
}

/** The same as can_pause of stepping/fast_forward_hooks.c. */
static bool is_candidate(const struct vm_gang *g, const struct bc_insn *i)
{
    const struct vm_frame *f = &g->frames[0];
    return g->frame == f && i == &f->fn->bc->insns[f->fn->bc->blocks[f->block].first];
}

/**
 * Steps an item by up to n parts of instructions, past at most `candidates` candidates for a pause,
 * up to a barrier or its end.
 */
static void step_item(struct expansion *u, uint32_t item, uint64_t n, uint64_t candidates)
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
            if (candidates != UINT64_MAX && is_candidate(g, i) && !candidates--) return;
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
    dbg_history_judge(u->grp);
    dbg_history.time++;
}

/** counts: for a paused fast-forward, otherwise NULL. */
static void step_all(struct expansion *u, const struct vm_fast_forward_span *span,
                     const uint64_t *counts)
{
    for (uint64_t b = 0; b <= span->barriers; b++) {
        if (b) judge(u);
        for (uint32_t k = 0; k < u->grp->items; k++) {
            const uint32_t item = dbg_in_order(u->grp, k);
            step_item(u, item, UINT64_MAX,
                      counts && b == span->barriers ? counts[item] : UINT64_MAX);
        }
    }
}

/** Replays old slices from time `from` to `to`, and steps where work-items ran wide. */
static void follow(struct expansion *u, const struct dbg_slice *old, size_t n, uint64_t from,
                   uint64_t to, const uint64_t *counts)
{
    uint64_t t = from;
    for (size_t c = 0; c < n && t < to; c++) {
        const uint64_t end = c + 1 < n && old[c + 1].from < to ? old[c + 1].from : to;
        if (end <= t) continue;
        if (u->time >= t && u->time < end) u->is = dbg_history.time + (u->time - t);
        if (old[c].item == DBG_FAST_FORWARD) step_all(u, &old[c].span, counts);
        else if (old[c].item == DBG_JUDGE) judge(u);
        else step_item(u, old[c].item, end - t, UINT64_MAX);
        t = end;
    }
}

/** The fast-forward of a segment, which has one. */
static const struct dbg_slice *fast_forward_in(const struct dbg_past_group *p, size_t k)
{
    const uint64_t from = p->segments.data[k]->from;
    size_t i = 0;
    while (p->slices.data[i].from < from || p->slices.data[i].item != DBG_FAST_FORWARD) i++;
    return &p->slices.data[i];
}

bool dbg_history_is_closed(const struct vm_group *grp, const struct dbg_past_group *p, size_t k)
{
    enum { MOST = 1 << 24 }; // limit of candidates passed by all work-items: some seconds
    return p->segments.data[k]->paused && fast_forward_in(p, k)->span.looks > MOST / grp->items;
}

/** For a paused fast-forward: how far each work-item came. */
static uint64_t *count_candidates(struct vm_group *grp, size_t at, size_t k)
{
    const struct dbg_observer whole = {.blind = true, .whole = true};
    if (!H.groups.data[at]->segments.data[k]->paused) return NULL;
    const struct dbg_slice *s = fast_forward_in(H.groups.data[at], k);
    uint64_t *counts = mem_alloc(grp->items * sizeof *counts);
    dbg_history_rewind(grp, at, k);
    dbg_history_replay(grp, s->from, &whole);
    dbg_fast_forward_count(grp, &s->span, counts);
    dbg_history.time++;
    return counts;
}

/** Shifts everything after time `to`. */
static void move_on(struct dbg_past_group *p, uint64_t to, uint64_t more)
{
    for (size_t i = 0; i < p->writes.len; i++)
        if (p->writes.data[i].time >= to) p->writes.data[i].time += more;
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        struct dbg_found *f = &dbg_findings.all.data[i];
        if (f->launch == dbg_launch.run->chk.number && f->group == p->linear && f->time >= to)
            f->time += more;
    }
    for (size_t i = 0; i < dbg_checkpoints.list.len; i++) {
        struct dbg_checkpoint *c = &dbg_checkpoints.list.data[i];
        if (c->launch == dbg_launch.run->chk.number && c->group == p->linear && c->time >= to)
            c->time += more;
    }
}

uint64_t dbg_history_expand(struct vm_group *grp, size_t at, size_t k, uint64_t time)
{
    struct dbg_past_group *p = H.groups.data[at];
    struct expansion u = {.grp = grp, .p = p, .time = time, .is = time};
    const uint64_t from = p->segments.data[k]->from,
                   to = k + 1 < p->segments.len ? p->segments.data[k + 1]->from : p->length,
                   length = p->length;
    uint64_t *counts = count_candidates(grp, at, k);
    dbg_history_rewind(grp, at, k);
    VEC(struct dbg_segment *) later = {0};
    VEC(struct dbg_slice) old = {0};
    for (size_t i = k + 1; i < p->segments.len; i++) vec_push(&later, p->segments.data[i]);
    p->segments.len = k + 1;
    for (size_t i = 0; i < p->slices.len; i++) vec_push(&old, p->slices.data[i]);
    H.cursor = 0;
    p->segments.data[k]->has_fast_forward = p->segments.data[k]->paused = false;
    p->segments.data[k]->clean_for = 0;
    size_t kept = 0;
    while (kept < p->slices.len && p->slices.data[kept].from < from) kept++;
    p->slices.len = kept;
    follow(&u, old.data, old.len, from, to, counts);
    const uint64_t more = dbg_history.time - to;
    for (size_t i = 0; i < old.len; i++) {
        struct dbg_slice s = old.data[i];
        s.from += more;
        if (old.data[i].from >= to) vec_push(&p->slices, s);
    }
    for (size_t i = 0; i < later.len; i++) {
        later.data[i]->from += more;
        vec_push(&p->segments, later.data[i]);
    }
    move_on(p, to, more);
    p->length = length + more;
    H.last_page = NULL;
    vec_free(&later);
    vec_free(&old);
    free(counts);
    return time >= to ? time + more : u.is;
}

void dbg_history_expand_here(struct vm_group *grp)
{
    const size_t at = H.at;
    const uint64_t now = dbg_history.time;
    dbg_history_go_to(grp, at, dbg_history_expand(grp, at, dbg_segment_of(at, now, false), now));
}

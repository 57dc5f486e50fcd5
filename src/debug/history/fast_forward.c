// SPDX-License-Identifier: MIT
// Fast-forward: work-items run as lanes of wide gangs while no stop is possible, because stepping
// is slow. Work-items at the same location (at the kernel's beginning, or after a barrier) run wide
// (stepping/fast_forward_run.h), through as many barriers as they can in LONGEST. Breakpoints are
// evaluated for all lanes at once. If one may hit, or at a finding, the run is abandoned and memory
// is restored; the work-items run wide again to the last barrier before that, and are stepped from
// there, so the stop is exact. Otherwise they are where stepping would have brought them, since
// nothing in a fast-forward depends on the order of work-items, except in kernels with races and
// after writes by the user. An interrupt pauses the run where it is.
#include "debug/history/fast_forward.h"

#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/breakpoints/watch.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FEW = 4,       // so few work-items are stepped as fast
    SETTLE = 20000 // instructions that are stepped if an interrupt finds no candidate for a pause
};
static const int64_t LONGEST = 10000000, // nanoseconds of a run, so that repeating it is fast
    PATIENCE = 500000000;                // from an interrupt to giving up on a pause

struct dbg_fast_forward dbg_fast_forward;

static struct {
    const struct race_mark *mark; // at the beginning of the run; or NULL
    int64_t until, asked;         // asked: processor time of the request to pause, or 0
    bool again;                   // replay: no checks
} run;

static int64_t time_by(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static int64_t now(void) { return time_by(CLOCK_MONOTONIC); }

/** Handles an interrupt. True: no candidate for a pause was found in time. */
static bool interrupted(struct vm_gang *g)
{
    // Not the time that other processes take: giving up goes back to the last barrier.
    const int64_t spent = time_by(CLOCK_THREAD_CPUTIME_ID);
    if (!run.asked) {
        run.asked = spent;
        vm_fast_forward_pause(g->worker);
    }
    if (spent - run.asked < PATIENCE) return false;
    dbg_fast_forward.interrupt_from = dbg_history.time + SETTLE; // restart
    return true;
}

bool dbg_fast_forward_look(void *ctx, struct vm_gang *g, const struct bc_insn *insn)
{
    if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
    if (atomic_load_explicit(&dbg.interrupt, memory_order_relaxed) && !dbg_history.past &&
        !run.again && interrupted(g))
        return true;
    return insn->flags & BC_BREAK && !dbg_never_stops() && !dbg_fast_forward.blind &&
           dbg_break_may_hit(g, insn);
}

static bool raced(const struct vm_group *grp)
{
    return run.mark && race_found_since(grp->race, run.mark);
}

bool dbg_fast_forward_met(void *ctx, struct vm_group *grp)
{
    if (dbg_history.past || run.again) return true;
    if (raced(grp)) grp->worker->fast_forward_failed = true;
    return !grp->worker->fast_forward_failed && !run.asked && now() < run.until;
}

static void record_run(struct vm_gang *g, const struct bc_insn *insn, const struct dbg_run *r)
{
    dbg_history_record_run(g, r);
    dbg_earlier_record_run(g, insn, r);
}

static void record_scatter(struct vm_gang *g, const struct bc_insn *insn,
                           const struct dbg_scatter *s)
{
    dbg_history_record_scatter(s);
    dbg_earlier_record_scatter(g, insn, s);
}

void dbg_fast_forward_write(void *ctx, struct vm_gang *g, const struct bc_insn *insn)
{
    if (dbg_history.past) return;
    if (insn->op == BC_STORE || insn->op == BC_ATOMIC) {
        static const struct dbg_write_visitor record = {record_run, record_scatter};
        dbg_lane_writes(g, insn, &record);
        return;
    }
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) {
            dbg_history_record_lane(g, insn, i);
            dbg_earlier_record(g, insn, i);
        }
}

static bool is_possible(const struct vm_group *grp)
{
    const struct dbg_timeline *h = &dbg_timeline;
    return dbg_fast_forward.engine && !dbg_fast_forward.rests && !dbg_history.past &&
           !dbg_history.off && !h->unchecked && dbg_settings.locking != DBG_LOCK_ON &&
           h->groups.len && !h->groups.data[h->at]->writes.len && !grp->diverged &&
           !grp->worker->run->l->enqueuer && // an abandoned run would enqueue again
           !dbg_any_watch() && !atomic_load(&dbg.interrupt);
}

/**
 * The block + 1 where the item would begin; 0: the kernel's beginning; UINT32_MAX: the item cannot
 * take part.
 */
static uint32_t place_of(const struct vm_gang *g, uint32_t item)
{
    const bool stood_here = dbg_focus.stopped_at && dbg_focus.stopped_at == g->at &&
                            dbg_focus.stopped_time == dbg_history.time && item == dbg_focus.item &&
                            g->at->src->flags & BC_BREAK; // no second stop
    if (g->at)
        return !stood_here && g->frame == &g->frames[0] && g->at->src == dbg_launch.first_insn &&
                       !g->nundef
                   ? 0
                   : UINT32_MAX;
    const uint32_t block1 = vm_fast_forward_block(g);
    return block1 ? block1 : UINT32_MAX;
}

/**
 * Chooses the work-items at the same location; returns their number. Other work-items that can run
 * go first.
 */
static uint32_t choose(struct vm_group *grp, uint8_t *chosen, uint32_t *block1)
{
    uint32_t n = 0;
    if (!grp->is_begun) {
        memset(chosen, 1, grp->items);
        *block1 = 0;
        return grp->items;
    }
    *block1 = UINT32_MAX;
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_gang *g = grp->gangs[i];
        if (!g->at && g->state != VM_RUNNING) continue;
        const uint32_t place = place_of(g, i);
        if (place == UINT32_MAX || (*block1 != UINT32_MAX && place != *block1)) {
            if (dbg_item_order.prefer >= grp->items) dbg_item_order.prefer = i;
            return 0;
        }
        *block1 = place;
        chosen[i] = 1;
        n++;
    }
    return n;
}

/** Runs wide, at the frontier. */
static bool attempt(struct vm_group *grp, const struct vm_fast_forward_start *from,
                    struct vm_fast_forward_span *ran)
{
    struct race_mark *mark = grp->race ? race_mark(grp->race) : NULL;
    run.mark = mark;
    run.until = now() + LONGEST;
    run.asked = 0;
    dbg_history_fast_forward(grp, from->chosen);
    const bool done = vm_fast_forward_run(dbg_fast_forward.engine, grp, from, NULL, ran) &&
                      !raced(grp);
    dbg_history_fast_forward_ends(grp, done ? ran : NULL);
    if (mark && !done) race_go_back(grp->race, mark);
    else race_mark_destroy(mark);
    run.mark = NULL;
    return done;
}

/**
 * After an abandoned attempt: runs past the last barrier that it passed. Checks are off, because
 * they were done in the attempt.
 */
static void run_up_to(struct vm_group *grp, const struct vm_fast_forward_start *from,
                      uint64_t passed)
{
    struct race_worker *const race = grp->race;
    struct vm_worker *const w = grp->worker;
    const struct vm_fast_forward_span until = {.barriers = passed - 1};
    struct vm_fast_forward_span ran;
    grp->race = NULL;
    w->muted = run.again = dbg_fast_forward.blind = true;
    const bool done = vm_fast_forward_run(dbg_fast_forward.engine, grp, from, &until, &ran) &&
                      ran.barriers == until.barriers;
    run.again = dbg_fast_forward.blind = false;
    dbg_history_fast_forward_ends(grp, done ? &ran : NULL);
    if (done) {
        dbg_history_slice_begins(NULL, DBG_JUDGE);
        vm_group_judge(grp);
        dbg_history.time++;
        dbg_history_mark();
    }
    w->muted = false;
    grp->race = race;
}

bool dbg_fast_forward_run(struct vm_group *grp)
{
    if (!is_possible(grp)) return false;
    uint8_t *chosen = mem_alloc(grp->items);
    struct vm_fast_forward_start from = {.chosen = chosen, .begin = dbg_group_begin};
    struct vm_fast_forward_span ran = {0};
    bool done = false;
    if (choose(grp, chosen, &from.block1) > FEW) {
        done = attempt(grp, &from, &ran);
        if (!done && !grp->is_begun) dbg_group_begin(grp);
        if (!done && ran.barriers) run_up_to(grp, &from, ran.barriers);
        dbg_fast_forward.rests = !done;
        if (done) dbg_item_order.prefer = ran.looks ? ran.item : UINT32_MAX;
    }
    free(chosen);
    return done || ran.barriers;
}

void dbg_fast_forward_begin(struct vm_run *r)
{
    dbg_fast_forward.engine = vm_fast_forward_create(r);
}

void dbg_fast_forward_end(void)
{
    vm_fast_forward_destroy(dbg_fast_forward.engine);
    dbg_fast_forward.engine = NULL;
}

bool dbg_fast_forward_again(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            bool blind)
{
    const struct vm_insn *const stood_at = dbg_focus.stopped_at;
    const uint32_t prefer = dbg_item_order.prefer;
    uint8_t *chosen = mem_alloc(grp->items);
    struct vm_fast_forward_start from = {.chosen = chosen};
    struct vm_fast_forward_span ran;
    dbg_focus.stopped_at = NULL; // stopped_at belongs to the present
    const bool any = dbg_fast_forward.engine && choose(grp, chosen, &from.block1);
    dbg_focus.stopped_at = stood_at;
    dbg_item_order.prefer = prefer;
    dbg_fast_forward.blind = blind;
    const bool done = any && vm_fast_forward_run(dbg_fast_forward.engine, grp, &from, span, &ran) &&
                      ran.barriers == span->barriers && ran.looks == span->looks;
    dbg_fast_forward.blind = false;
    free(chosen);
    return done;
}

bool dbg_fast_forward_count(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            uint64_t *counts)
{
    grp->worker->fast_forward_counts = counts;
    const bool done = dbg_fast_forward_again(grp, span, true);
    grp->worker->fast_forward_counts = NULL;
    return done;
}

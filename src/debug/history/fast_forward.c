// SPDX-License-Identifier: MIT
// Running work-items together while there is nothing to stop for.
//
// Stepping one work-item at a time is what a debugger is for, and slow. Most of what lies before a
// stop is of no interest: so work-items that stand at the same place (at the kernel's beginning, or
// behind a barrier) are run as lanes of wide gangs (interp/stepping/scout.h), through as many
// barriers as they can in a while. Breakpoints are looked at for all lanes at once. When one may
// hit, when something is found, when the user wants something, it is given up, memory is put back,
// they run together once more to the last barrier before that, and from there they are stepped:
// then the stop comes where it belongs. When not, they are where stepping would have brought them,
// as long as nothing depends on the order in which they ran, which kernels with races, and what a
// user wrote by hand, might do. Atomics are made to come in the order of the work-items
// (interp/stepping/serialized_atomics.h), which may take several attempts.
#include "debug/history/fast_forward.h"

#include "base/mem.h"
#include "debug/breakpoints/watch.h"
#include "debug/history/history.h"
#include "debug/history/timeline.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"
#include "interp/stepping/scout.h"

#include <stdlib.h>
#include <time.h>

enum {
    FEW = 4,
    PAUSE = 200000,
    ATTEMPTS = 6
}; // work-items that are stepped as quickly; instructions from an interrupt to its stop
static const int64_t LONGEST =
    10000000; // nanoseconds, from which on they go through no more barriers: what lies between can
              // be found again in no time

struct dbg_fast_forward dbg_fast_forward;

static struct {
    const struct race_mark *mark; // of when they began; or NULL
    int64_t until;
    bool again;                       // what was already done: nothing is looked at
    struct vm_serial_plan *next_plan; // for the interval before which the work-items stand
} together;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

bool dbg_fast_forward_look(void *ctx, struct vm_gang *g, const struct bc_insn *insn)
{
    if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
    if (atomic_load_explicit(&dbg.interrupt, memory_order_relaxed) && !dbg_history.past &&
        !together.again) {
        dbg_fast_forward.interrupt_from = dbg_history.time +
                                          PAUSE; // all begins anew: let it get somewhere
        return true;
    }
    return insn->flags & BC_BREAK && !dbg.detached && !dbg_fast_forward.blind &&
           dbg_break_may_hit(g, insn);
}

static bool raced(const struct vm_group *grp)
{
    return together.mark && race_found_since(grp->race, together.mark);
}

bool dbg_fast_forward_met(void *ctx, struct vm_group *grp)
{
    if (dbg_history.past || together.again) return true;
    if (raced(grp)) grp->worker->scout_failed = true;
    return !grp->worker->scout_failed && now() < together.until;
}

void dbg_fast_forward_write(void *ctx, struct vm_gang *g, const struct bc_insn *insn)
{
    if (insn->op == BC_ATOMIC && g->code->module->sites[insn->site].space == BC_LOCAL)
        return; // kept with the group
    for (uint32_t i = 0; i < g->nlanes && (!dbg_history.past || dbg_timeline.recording); i++)
        if (g->mask[i]) dbg_history_record_lane(g, insn, i);
}

static bool is_possible(const struct vm_group *grp)
{
    const struct dbg_timeline *h = &dbg_timeline;
    return dbg_fast_forward.engine && !dbg_fast_forward.rests && !dbg_history.past &&
           !dbg_history.off && !h->unchecked && dbg_settings.locking != DBG_LOCK_ON &&
           h->groups.len && !h->groups.data[h->at]->writes.len && !grp->diverged &&
           !dbg_any_watch() && !atomic_load(&dbg.interrupt) &&
           !(dbg_item_order.seeded && vm_scout_is_serial(dbg_fast_forward.engine));
}

/**
 * Where the item would begin: a block + 1, 0: at the kernel's beginning; UINT32_MAX: it is
 * somewhere else.
 */
static uint32_t place_of(const struct vm_gang *g, uint32_t item)
{
    const bool stood_here = dbg_focus.stopped_at && dbg_focus.stopped_at == g->at &&
                            dbg_focus.stopped_time == dbg_history.time && item == dbg_focus.item;
    if (g->at)
        return !stood_here && g->frame == &g->frames[0] && g->at->src == dbg_launch.first_insn &&
                       !g->nundef
                   ? 0
                   : UINT32_MAX;
    const uint32_t block1 = vm_scout_block(g);
    return block1 ? block1 : UINT32_MAX;
}

/** Those that stand together; how many. Others that can run go first. */
static uint32_t choose(struct vm_group *grp, uint8_t *chosen, uint32_t *block1)
{
    uint32_t n = 0;
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

/**
 * To the barrier that was passed last before there was something to stop for, and past it. What was
 * checked already is not once more.
 */
static void run_up_to(struct vm_group *grp, const uint8_t *chosen, uint32_t block1, uint64_t passed,
                      struct vm_serial_plan *plan)
{
    struct race_worker *const race = grp->race;
    struct vm_worker *const w = grp->worker;
    uint64_t n;
    grp->race = NULL;
    w->muted = together.again = dbg_fast_forward.blind = true;
    const bool done =
        vm_scout_run(dbg_fast_forward.engine, grp, chosen, block1, passed - 1, plan, &n) &&
        n == passed - 1;
    together.again = dbg_fast_forward.blind = false;
    dbg_history_fast_forward_ends(grp, done, passed - 1, plan);
    if (!done) vm_serial_plan_free(plan);
    if (done) {
        dbg_history_slice_begins(NULL, DBG_JUDGE);
        vm_group_judge(grp);
        dbg_history.time++;
        dbg_history_mark();
    }
    w->muted = false;
    grp->race = race;
}

/**
 * Tries until atomics come in order, when that is what is the matter. *plan is for the first
 * interval, and may become another.
 */
static bool try(struct vm_group *grp, const uint8_t *chosen, uint32_t block1,
                struct vm_serial_plan **plan, uint64_t *passed, struct race_mark **mark)
{
    struct vm_serial_plan *next = together.next_plan;
    together.next_plan = NULL;
    for (unsigned n = 0; n < ATTEMPTS; n++) {
        *plan = next;
        *mark = grp->race ? race_mark(grp->race) : NULL;
        together.mark = *mark;
        together.until = now() + LONGEST;
        dbg_history_fast_forward(grp, chosen);
        if (vm_scout_run(dbg_fast_forward.engine, grp, chosen, block1, UINT64_MAX, *plan, passed) &&
            !raced(grp))
            return true;
        next = vm_scout_plan(dbg_fast_forward.engine);
        dbg_history_fast_forward_ends(grp, false, 0, NULL);
        if (*passed || !next) break;
        if (*mark) race_go_back(grp->race, *mark);
        *mark = NULL;
        vm_serial_plan_free(*plan);
        *plan = NULL;
    }
    if (*passed)
        together.next_plan = next; // it is for what they stand before, once they have passed
    else vm_serial_plan_free(next);
    return false;
}

bool dbg_fast_forward_run(struct vm_group *grp)
{
    uint32_t block1;
    uint64_t passed = 0;
    if (!is_possible(grp)) return false;
    uint8_t *chosen = mem_alloc(grp->items);
    const bool enough = choose(grp, chosen, &block1) > FEW;
    bool done = false;
    if (enough) {
        struct race_mark *mark = NULL;
        struct vm_serial_plan *plan = NULL;
        done = try(grp, chosen, block1, &plan, &passed, &mark);
        if (done) dbg_history_fast_forward_ends(grp, true, passed, plan);
        else if (passed) run_up_to(grp, chosen, block1, passed, plan);
        else vm_serial_plan_free(plan);
        if (mark && !done) race_go_back(grp->race, mark);
        else race_mark_destroy(mark);
        dbg_fast_forward.rests = !done && !together.next_plan;
        if (done) dbg_item_order.prefer = UINT32_MAX;
    }
    free(chosen);
    return done || passed;
}

void dbg_fast_forward_begin(struct vm_run *run) { dbg_fast_forward.engine = vm_scout_create(run); }

void dbg_fast_forward_end(void)
{
    vm_scout_destroy(dbg_fast_forward.engine);
    dbg_fast_forward.engine = NULL;
    vm_serial_plan_free(together.next_plan);
    together.next_plan = NULL;
}

bool dbg_fast_forward_again(struct vm_group *grp, uint32_t except, uint64_t barriers,
                            const struct vm_serial_plan *plan, bool blind)
{
    const struct vm_insn *const stood_at = dbg_focus.stopped_at;
    const uint32_t prefer = dbg_item_order.prefer;
    uint8_t *chosen = mem_alloc(grp->items);
    uint32_t block1;
    dbg_focus.stopped_at = NULL; // who stands there, does so in the present
    const bool any = dbg_fast_forward.engine && choose(grp, chosen, &block1);
    dbg_focus.stopped_at = stood_at;
    dbg_item_order.prefer = prefer;
    if (except < grp->items) chosen[except] = 0;
    dbg_fast_forward.blind = blind;
    uint64_t passed;
    const bool done =
        any &&
        vm_scout_run(dbg_fast_forward.engine, grp, chosen, block1, barriers, plan, &passed) &&
        passed == barriers;
    dbg_fast_forward.blind = false;
    free(chosen);
    return done;
}

// SPDX-License-Identifier: MIT
// Runs kernels under the debugger: one work-item at a time to the next barrier, in order of ids,
// except that the work-item that the user moves runs first. The launching thread stays here for the
// whole launch. Before each new source-level instruction it tests for a stop: a breakpoint, the
// goal of a step, a finding. At a stop it sleeps until the client resumes it. The state of a
// work-item is completely in its gang, so that others can be stepped meanwhile.
#include "debug/breakpoints/memory_access.h"
#include "debug/breakpoints/watch.h"
#include "debug/debug.h"
#include "debug/execution/finding_stop.h"
#include "debug/execution/stop.h"
#include "debug/history/fast_forward.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/history.h"
#include "debug/history/launch_context.h"
#include "debug/history/repeated_launch.h"
#include "debug/history/why_tree.h"
#include "debug/session/findings.h"
#include "debug/session/frames.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

// ---- goals
static bool same_line(const struct bc_loc *l)
{
    return l->file == dbg_goal.file && l->line == dbg_goal.line &&
           l->inlined_at == dbg_goal.inlined_at;
}

/** Was the current function called from there? */
static bool called_from(const struct vm_gang *g, uint32_t loc)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    return dbg_frames(g, f) > 1 && f[1].loc == loc;
}

/** `step`: another line or depth; if one call is chosen, the calls of others are stepped over. */
static bool step_is_over(const struct vm_gang *g, const struct bc_loc *l, unsigned depth)
{
    if (dbg_goal.call && depth > dbg_goal.depth)
        return depth == dbg_goal.depth + 1 && called_from(g, dbg_goal.call);
    return depth != dbg_goal.depth || !same_line(l);
}

/** Is the goal reached before the item runs insn? */
static bool goal_reached(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    if (item != dbg_goal.item) return false;
    if (dbg_goal.kind == DBG_STEPI)
        return (!dbg_goal.over || dbg_depth(g, insn->loc) <= dbg_goal.depth) &&
               dbg_goal.count-- <= 1;
    const struct bc_loc *l = &g->code->module->locs[insn->loc];
    if (!insn->loc || !l->line) return false;
    const unsigned depth = dbg_depth(g, insn->loc);
    bool there = false;
    switch (dbg_goal.kind) {
    case DBG_STEP: there = step_is_over(g, l, depth); break;
    case DBG_NEXT:
        there = depth < dbg_goal.depth || (depth == dbg_goal.depth && !same_line(l));
        break;
    case DBG_UNTIL:
        there = depth < dbg_goal.depth ||
                (depth == dbg_goal.depth && (l->line > dbg_goal.line || l->file != dbg_goal.file));
        break;
    case DBG_FINISH: there = depth < dbg_goal.depth; break;
    default: break;
    }
    if (!there) return false;
    if (--dbg_goal.count) { // `step 3`: from here on
        dbg_goal.depth = depth;
        dbg_goal.file = l->file;
        dbg_goal.line = l->line;
        dbg_goal.inlined_at = l->inlined_at;
        return false;
    }
    return true;
}

/** Are breakpoints disabled for this work-item by `set scheduler-locking`? */
static bool is_locked_out(uint32_t item)
{
    switch (dbg_settings.locking) {
    case DBG_LOCK_ON:
        return dbg_focus.shown_launch == dbg_launch.run->chk.number && item != dbg_focus.item;
    case DBG_LOCK_STEP: return dbg_is_stepping() && item != dbg_goal.item;
    default: return false;
    }
}

/** Stops before the next instruction of the item, if there is a reason. */
static bool look(struct vm_gang *g, uint32_t item)
{
    const struct bc_insn *insn = g->at->src;
    const bool stood_here = dbg_focus.stopped_time == dbg_history.time &&
                            dbg_focus.stopped_at == g->at;
    if (insn->flags & BC_BREAK && !stood_here && !is_locked_out(item)) {
        struct dbg_break *which = NULL;
        str_clear(&dbg_stop_text);
        if (dbg_break_hit(g, item, insn, &dbg_stop_text, &which)) {
            dbg_stop_here(item, "breakpoint", NULL, true, which);
            return true;
        }
        str_clear(&dbg_stop_text);
    }
    if (atomic_load_explicit(&dbg.interrupt, memory_order_relaxed) && insn->loc &&
        dbg_history.time >= dbg_fast_forward.interrupt_from) {
        atomic_store(&dbg.interrupt, 0);
        dbg_fast_forward.interrupt_from = 0;
        str_clear(&dbg_stop_text);
        str_put(&dbg_stop_text, "Interrupted.\n");
        dbg_stop_here(item, "pause", NULL, true, NULL);
        return true;
    }
    if (dbg_is_stepping() && !stood_here && goal_reached(g, item, insn)) {
        struct dbg_frame f[DBG_MAX_FRAMES];
        str_clear(&dbg_stop_text);
        const unsigned n = dbg_frames(g, f);
        const bool other = n && (n != dbg_goal.depth || dbg_goal.kind == DBG_FINISH);
        dbg_stop_here(item, "step", NULL, other, NULL);
        return true;
    }
    return false;
}

/** Does the instruction write to memory that others see, or that is watched? */
static inline bool writes(const struct vm_gang *g, const struct bc_insn *i)
{
    return dbg_writes(i) && (i->op != BC_STORE || dbg_progress.watches_private ||
                             g->code->module->sites[i->site].space != BC_PRIVATE);
}

// ---- running
/**
 * Stops before the next instruction of the item if necessary. Was there a stop?
 */
static bool stops_before(struct vm_gang *g, uint32_t item)
{
    if (dbg.repeats) return dbg_history_is_unwanted();
    if (dbg_never_stops()) return false;
    if (dbg_findings.pending.len && dbg_stop_for_findings(item)) return true;
    return (g->at->src->flags & BC_BREAK || dbg_is_stepping() ||
            atomic_load_explicit(&dbg.interrupt, memory_order_relaxed)) &&
           look(g, item);
}

/** Records that the next stop is for this access. */
static void stands_at(const struct vm_gang *g, const struct bc_insn *access)
{
    dbg_focus.accessed_by = g;
    dbg_focus.access = access;
}

enum stepped { GOES_ON, WAS_STOPPED, SLICE_IS_OVER };

/** Runs the next instruction of the item; `watching`: there are watchpoints. */
static enum stepped step_item(struct vm_gang *g, uint32_t item, bool begins, bool watching)
{
    const struct vm_insn *ip = g->at;
    const bool write = writes(g, ip->src), watch = watching && write; // for each of its parts
    if (write && begins) dbg_history_record(g, ip->src);
    if (write && begins && !dbg_history.past) dbg_earlier_record(g, ip->src, 0);
    struct dbg_break *const read = watching && begins && dbg_reads(ip->src) && dbg_any_read_watch()
                                       ? dbg_watch_read(g, item, ip->src)
                                       : NULL;
    const size_t found = dbg_findings.pending.len;
    dbg_focus.accessed_by = NULL;
    vm_step(g);
    dbg_history.time++;
    if (dbg_findings.pending.len > found) stands_at(g, ip->src);
    const bool slice_over = dbg_history.past && dbg_history_advance(g->group);
    if (watch || read) {
        struct dbg_break *which = read;
        struct str hit = {0};
        const bool is_hit = (watch && dbg_watch_hit(g, item, ip->src, &hit, &which)) ||
                            (read && dbg_watch_read_hit(read, g, item, ip->src, &hit));
        if (is_hit) {
            str_clear(&dbg_stop_text);
            str_put(&dbg_stop_text, str_text(&hit));
        }
        str_deinit(&hit);
        if (is_hit) {
            stands_at(g, ip->src);
            dbg_stop_here(item, "data breakpoint", NULL, true, which);
            return WAS_STOPPED;
        }
    }
    return slice_over ? SLICE_IS_OVER : GOES_ON;
}

/** Runs the item until it waits or is done (true), or there was a stop (false). */
static bool run_item(struct vm_gang *g, uint32_t item)
{
    const struct vm_insn *prev = NULL;
    const bool watching = dbg_progress.watches_private = dbg_any_watch();
    while (g->at) {
        const struct vm_insn *ip = g->at;
        if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
        const bool begins = !prev || ip != prev + 1 ||
                            ip->src != prev->src; // one instruction may be decoded into several
        if (begins && dbg_history.time >= dbg_history.next_state) dbg_history_state(g, item);
        if (begins && stops_before(g, item)) return false;
        if (!prev) dbg_history_slice_begins(g, item);
        prev = ip;
        const enum stepped how = step_item(g, item, begins, watching);
        if (how == WAS_STOPPED) return false;
        if (g->stop) return true;
        if (how == SLICE_IS_OVER && g->at) return false;
    }
    return !(dbg_findings.pending.len && !dbg_never_stops() && dbg_stop_for_findings(item));
}

static bool can_run(const struct vm_gang *g) { return g->at || g->state == VM_RUNNING; }

static uint32_t next_item(struct vm_group *grp)
{
    if (dbg_item_order.prefer < grp->items && can_run(grp->gangs[dbg_item_order.prefer]))
        return dbg_item_order.prefer;
    if (!dbg_is_stepping()) dbg_item_order.prefer = UINT32_MAX;
    for (uint32_t k = 0; k < grp->items; k++) {
        const uint32_t i = dbg_in_order(grp, k);
        if (can_run(grp->gangs[i])) return i;
    }
    return UINT32_MAX;
}

/** The stepped item has ended. */
static void stop_at_end(uint32_t item)
{
    str_clear(&dbg_stop_text);
    str_put(&dbg_stop_text, "[Work-item ");
    dbg_put_item(&dbg_stop_text, dbg_focus.group_number, item);
    str_put(&dbg_stop_text, " has returned]\n");
    dbg_focus.shown_item = item;
    dbg_stop_here(item, "step", "returned", false, NULL);
}

static void group_begins(struct vm_group *grp)
{
    grp->worker->muted = dbg.repeats; // errors were reported the first time
    if (grp->is_begun) dbg_group_enter(grp);
    dbg_history.time = 0;
    dbg_item_order.prefer = UINT32_MAX;
    dbg_focus.stopped_at = NULL;
    dbg_fast_forward.rests = false;
    dbg_fast_forward.interrupt_from = 0;
    dbg_history_group(grp);
    if (!grp->is_begun && !dbg_is_stepping() && dbg_goal.kind != DBG_TO_GROUP &&
        dbg_fast_forward_run(grp))
        return;
    if (!grp->is_begun) dbg_group_begin(grp);
    if (dbg.repeats) return;
    dbg_watch_group_begins(grp);
    dbg_watch_refresh();
}

static void go_back(struct vm_group *grp)
{
    struct dbg_break *which = NULL;
    const uint32_t item = dbg_goal.item;
    const bool far = dbg_goal.kind == DBG_REVERSE_CONTINUE;
    const unsigned depth = dbg_goal.depth;
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct str why = {0};
    dbg_history_back(grp, &why, &which);
    str_clear(&dbg_stop_text);
    str_put(&dbg_stop_text, str_text(&why));
    str_deinit(&why);
    dbg_stop_here(far ? dbg_focus.item : item, which ? "breakpoint" : "step", NULL,
                  far || dbg_stop_text.len || dbg_frames(dbg_gang(item), f) != depth, which);
}

/** Makes the work-items of a group that ran as a whole, all of which have returned. */
static void make_items(struct vm_group *grp)
{
    if (grp->is_begun) return;
    dbg_group_begin(grp);
    dbg_focus.ran_together = true;
    dbg_history_items_return(grp);
}

/** The stop at the end of the launch, if that is wanted. */
static void launch_ends(struct vm_group *grp)
{
    if (dbg.repeats || dbg_may_stop_at_launch_end()) make_items(grp);
    if (dbg.repeats) dbg_repeated_is_at_end(grp);
    if (!dbg_never_stops())
        dbg_stop_at_launch_end(dbg_focus.item < grp->items ? dbg_focus.item : 0);
}

// ---- under --schedule: the interpreter chooses the work-item (interp/stepping/interleave.c)
static void begin_scheduled(void *ctx, struct vm_group *grp)
{
    dbg_focus.group = grp;
    dbg_focus.group_number = grp->linear;
    group_begins(grp);
}

static void step_scheduled(void *ctx, struct vm_group *grp, uint32_t item, bool begins)
{
    struct vm_gang *g = grp->gangs[item];
    dbg_focus.group = grp;
    dbg_focus.group_number = grp->linear;
    if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
    while (begins && stops_before(g, item))
        while (dbg_is_reverse()) go_back(grp);
    dbg_progress.watches_private = dbg_any_watch();
    step_item(g, item, begins, dbg_progress.watches_private);
    while (dbg_is_reverse()) go_back(grp);
    if (g->at) return;
    if (dbg_findings.pending.len && !dbg_never_stops()) dbg_stop_for_findings(item);
    if (g->state != VM_DONE) return;
    if (dbg_is_stepping() && item == dbg_goal.item && !dbg_never_stops()) stop_at_end(item);
    const uint64_t *n = dbg_launch.run->l->global;
    if (++dbg_progress.ended == n[0] * n[1] * n[2]) launch_ends(grp);
    while (dbg_is_reverse()) go_back(grp);
}

static void group_begins_or_goes_on(struct vm_group *grp)
{
    const bool begins = !grp->is_begun || (grp->gangs[0]->fresh && !grp->gangs[0]->at &&
                                           dbg_progress.group_began != grp->linear + 1);
    dbg_focus.group = grp;
    dbg_focus.group_number = grp->linear;
    if (begins) {
        dbg_progress.group_began = grp->linear + 1;
        group_begins(grp);
        if (dbg_goal.kind == DBG_TO_GROUP && dbg_goal.group == grp->linear && !dbg_never_stops()) {
            str_clear(&dbg_stop_text);
            dbg_stop_here(0, dbg_goal.entry ? "entry" : "goto", NULL, true, NULL);
        }
    }
    for (uint32_t i = 0; i < grp->ngangs && grp->is_begun; i++)
        if (grp->gangs[i]->state == VM_YIELDED) grp->gangs[i]->state = VM_RUNNING;
}

/** Replay: repeats a slice that is not of a single work-item. */
static void repeat_slice(struct vm_group *grp, uint32_t slice)
{
    if (slice == DBG_JUDGE) {
        dbg_history_judge(grp);
    } else if (dbg_is_stepping() || dbg_any_watch() || !dbg_history_slice_again(grp, false)) {
        dbg_history_expand_here(grp);
        return;
    }
    dbg_history.time++;
    dbg_history_advance(grp);
}

enum progress { GOES_ON_HERE, GROUP_ENDS, GROUP_YIELDS };

/** The last work-item has returned. */
static enum progress end_group(struct vm_group *grp)
{
    if (dbg_history_next_group(grp)) return GOES_ON_HERE;
    dbg_history_mark();
    const bool first = dbg_progress.group_ended !=
                       grp->linear + 1; // not after going back and forward again
    dbg_progress.group_ended = grp->linear + 1;
    dbg_progress.ended += first;
    if (grp->copies.len) make_items(grp);
    if (first) vm_copies_left(grp);
    if (dbg_progress.ended == dbg_launch.run->ngroups && grp->worker->max_contexts == 1)
        vm_races_report(dbg_launch.run); // between groups
    if (dbg_findings.pending.len && !dbg_never_stops()) {
        make_items(grp);
        if (dbg_stop_for_findings(0) && dbg_is_reverse()) return GOES_ON_HERE;
    }
    if (dbg_progress.ended == dbg_launch.run->ngroups) launch_ends(grp);
    if (dbg_is_reverse()) return GOES_ON_HERE;
    dbg_progress.group_began = 0;
    return GROUP_ENDS;
}

/** No work-item can run: all have returned, wait at barriers or yielded to other groups. */
static enum progress nobody_runs(struct vm_group *grp)
{
    bool waits = false, yielded = false;
    for (uint32_t i = 0; i < grp->ngangs; i++) {
        waits |= grp->gangs[i]->state == VM_WAITING;
        yielded |= grp->gangs[i]->state == VM_YIELDED;
    }
    if (yielded && !vm_reconverge_stepped(grp, true)) return GROUP_YIELDS;
    if (!waits) return end_group(grp);
    dbg_history_slice_begins(NULL, DBG_JUDGE);
    vm_group_judge(grp);
    dbg_history.time++;
    dbg_history_mark();
    dbg_fast_forward.rests = false;
    if (dbg_is_stepping()) dbg_item_order.prefer = dbg_goal.item;
    else if (dbg_settings.locking == DBG_LOCK_ON) dbg_item_order.prefer = dbg_focus.item;
    if (dbg_findings.pending.len && !dbg_never_stops())
        dbg_stop_for_findings(dbg_focus.item < grp->items ? dbg_focus.item : 0);
    return GOES_ON_HERE;
}

/** Runs an item until it waits, has returned or stops; false: the launch ends. */
static bool run_slice(struct vm_group *grp, uint32_t item)
{
    struct vm_gang *g = grp->gangs[item];
    if (!vm_step_begin(g)) {
        if (dbg_history.past) dbg_history_lost();
        return true;
    }
    if (!run_item(g, item)) return true;
    if (g->stop) return false;
    if (dbg_is_stepping() && item == dbg_goal.item && g->state == VM_DONE && !dbg_never_stops())
        stop_at_end(item);
    return true;
}

static bool run_group(void *ctx, struct vm_group *grp)
{
    group_begins_or_goes_on(grp);
    if (!grp->is_begun) { // it ran as a whole
        const enum progress p = end_group(grp);
        if (p != GOES_ON_HERE) return p == GROUP_ENDS;
    }
    for (;;) {
        if (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) dbg_yield_lock();
        if (dbg.repeats && dbg_history_is_unwanted()) {
            atomic_store(&dbg_launch.run->stopped, VM_STOP_CANCEL);
            return true;
        }
        if (dbg_is_reverse()) {
            go_back(grp);
            continue;
        }
        uint32_t item = dbg_history_slice();
        if (item != UINT32_MAX && item >= DBG_FAST_FORWARD) {
            repeat_slice(grp, item);
            continue;
        }
        if (item == UINT32_MAX && !dbg_is_stepping() && dbg_fast_forward_run(grp)) continue;
        if (item == UINT32_MAX) item = next_item(grp);
        if (item != UINT32_MAX) {
            if (!run_slice(grp, item)) return true;
            continue;
        }
        const enum progress p = nobody_runs(grp);
        if (p != GOES_ON_HERE) return p == GROUP_ENDS;
    }
}

/** The user changes memory: the future is recorded again, so earlier answers of `why` are void. */
static void user_writes(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size)
{
    dbg_why_forget();
    dbg_history_write(g, address, bytes, size);
}

static void begin(void *ctx, struct vm_run *run)
{
    pthread_mutex_lock(&dbg.lock);
    dbg.state = DBG_RUNNING;
    dbg_progress = (struct dbg_progress){0};
    run->chk.on_finding = dbg_on_finding;
    dbg_write_hooks = (struct dbg_write_hooks){user_writes, dbg_watch_refresh};
    dbg_history_launch(run);
    dbg_earlier_launch_begins(run);
    dbg_repeat_keep(run->l);
    dbg_fast_forward_begin(run);
    dbg_fast_forward.interrupt_from = 0;
    dbg_launch.run = run;
    dbg_launch.module = dbg_module_of(run->code->module);
    if (dbg_launch_note(run->l, run->code->module))
        dbg_events.launch_began(run->l, run->code->module);
    if (dbg_goal.kind == DBG_TO_LAUNCH && dbg_goal.count-- <= 1)
        dbg_goal = (struct dbg_goal){.kind = DBG_TO_GROUP, .entry = dbg_goal.entry};
}

static void end(void *ctx, struct vm_run *run)
{
    run->chk.on_finding = NULL;
    dbg_fast_forward_end();
    dbg_functions_forget();
    dbg_history_launch_ends();
    dbg_earlier_launch_ends();
    dbg_watch_launch_ends();
    dbg_launch.run = NULL;
    dbg_focus.group = NULL;
    dbg.state = DBG_HOST;
    dbg_events.launch_ended();
    if (dbg_is_stepping() || dbg_goal.kind == DBG_TO_GROUP) dbg_goal.kind = DBG_GO;
    pthread_mutex_unlock(&dbg.lock);
}

// ---- an earlier launch again
static void begin_again(void *ctx, struct vm_run *run)
{
    pthread_mutex_lock(&dbg.lock);
    dbg_history_launch(run);
    dbg_fast_forward_begin(run);
    dbg_launch.run = run;
    dbg_launch.module = dbg_module_of(run->code->module);
}

static void end_again(void *ctx, struct vm_run *run)
{
    dbg_fast_forward_end();
    dbg_history_launch_ends();
    pthread_mutex_unlock(&dbg.lock);
}

static void ignore_fault(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first)
{
}
static void ignore_race(void *ctx, struct vm_run *run, const struct race_pair *p) {}

static const struct vm_debugger repeating = {.begin = begin_again,
                                             .run_group = run_group,
                                             .end = end_again,
                                             .fault = ignore_fault,
                                             .race = ignore_race,
                                             .fast_forward_look = dbg_fast_forward_look,
                                             .fast_forward_write = dbg_fast_forward_write,
                                             .fast_forward_met = dbg_fast_forward_met,
                                             .attention = &dbg.lock_wanted};

const struct vm_debugger *dbg_debugger(void)
{
    dbg_repeating = &repeating;
    static const struct vm_debugger d = {.begin = begin,
                                         .run_group = run_group,
                                         .group_begins = begin_scheduled,
                                         .step = step_scheduled,
                                         .end = end,
                                         .fault = dbg_on_fault,
                                         .race = dbg_on_race,
                                         .fast_forward_look = dbg_fast_forward_look,
                                         .fast_forward_write = dbg_fast_forward_write,
                                         .fast_forward_met = dbg_fast_forward_met,
                                         .attention = &dbg.lock_wanted};
    return dbg.connected && !dbg.detached ? &d : NULL;
}

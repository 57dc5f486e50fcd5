// SPDX-License-Identifier: MIT
// Running kernels under the debugger: one work-item at a time to the next barrier, in order of ids
// but for the one that the user moves, which goes first.
//
// The launching thread is in here for the whole launch. Before each instruction that begins
// something new it looks whether to stop: at what is planted, at the goal of a step, at a finding.
// At a stop it sleeps until the client lets it go on. A work-item's state is all in its gang, so
// that any other can be stepped meanwhile.
#include "debug/session.h"

#include "base/mem.h"
#include "debug/command.h"
#include "debug/history.h"
#include "interp/stepping/scout.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct dbg_session dbg = {.lock = PTHREAD_MUTEX_INITIALIZER,
                          .resumed = PTHREAD_COND_INITIALIZER,
                          .stop_on_findings = true,
                          .confirm = true,
                          .paginate = true,
                          .list_size = 10,
                          .print_elements = 200,
                          .break_changes = 1,
                          .history_limit = 256 << 20,
                          .prefer = UINT32_MAX};

static struct err *not_run(void)
{
    return err_new("The program is not being run.  `run` starts it again.");
}

struct err *dbg_no_program(void)
{
    return dbg.idle ? not_run() : err_new("No program is built yet.");
}

struct err *dbg_need_stopped(void)
{
    if (dbg.state == DBG_STOPPED) return NULL;
    return dbg.idle                     ? not_run()
           : dbg.state == DBG_BEGINNING ? err_new("The program is not being run; `run` lets it go.")
                                        : err_new("No kernel is stopped.");
}

void dbg_changed_by_hand(struct vm_gang *g, const struct dbg_value *v) { dbg_watch_refresh(); }

// ---- stopping
void dbg_stop(const char *reason, const char *description, const struct dbg_break *which)
{
    dbg.state = DBG_STOPPED;
    dbg.resume = false;
    dbg.frame = 0;
    dbg.list_line = 0;
    struct vm_gang *g = dbg_gang(dbg.focus);
    dbg.stopped_time = dbg.time;
    dbg.stopped_at = g->at;
    const unsigned number = which ? which->number : 0;
    dbg_send_stopped(reason, description, str_text(&dbg.stop_text), number);
    for (size_t i = dbg.breaks.len; i-- > 0;) { // those of `until` go at any stop
        struct dbg_break *b = dbg.breaks.data[i];
        if (b == which && b->once) b->once = false, b->disabled = true, dbg_break_plant();
        if (!b->number || (b == which && b->temporary)) dbg_break_remove(b);
    }
    str_clear(&dbg.stop_text);
    dbg.scout_rests = false;
    while (!dbg.resume && !dbg.ended) pthread_cond_wait(&dbg.resumed, &dbg.lock);
    dbg.state = DBG_RUNNING;
}

void dbg_stop_extras(struct str *out) { dbg_displays_put(out); }

void dbg_answer_knock(void)
{
    pthread_mutex_unlock(&dbg.lock);
    while (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) sched_yield();
    pthread_mutex_lock(&dbg.lock);
}

/** What the stop's text says behind its reason: who it is, where, and the line. */
static void describe_stop(uint32_t item, bool whole_frame)
{
    struct vm_gang *g = dbg_gang(item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (!n) return;
    if (whole_frame) {
        dbg_put_frame(&dbg.stop_text, g, &f[0], 0);
        str_put(&dbg.stop_text, "\n");
    }
    dbg_put_source(&dbg.stop_text, g->code->module, f[0].loc);
}

static void switching(uint32_t item)
{
    const uint64_t launch = dbg.run->chk.number;
    if (dbg.shown_launch == launch && dbg.shown_group == dbg.group_number && dbg.shown_item == item)
        return;
    struct str s = {0};
    str_put(&s, "[Switching to work-item ");
    dbg_put_item(&s, dbg.group_number, item);
    str_put(&s, "]\n");
    str_put(&s, str_text(&dbg.stop_text));
    str_clear(&dbg.stop_text);
    str_put(&dbg.stop_text, str_text(&s));
    str_deinit(&s);
    dbg.shown_launch = launch;
    dbg.shown_group = dbg.group_number;
    dbg.shown_item = item;
}

void dbg_stop_here(uint32_t item, const char *reason, const char *description, bool whole_frame,
                   struct dbg_break *which)
{
    const bool finished = dbg.goal.kind == DBG_FINISH && !strcmp(reason, "step") && !description;
    dbg.focus = item;
    dbg.prefer = item;
    dbg.goal.kind = DBG_GO;
    describe_stop(item, whole_frame);
    if (finished) dbg_returned_put(&dbg.stop_text, dbg_gang(item));
    switching(item);
    dbg_history_mark();
    dbg_stop(reason, description, which);
}

// ---- goals
static bool same_line(const struct bc_loc *l)
{
    return l->file == dbg.goal.file && l->line == dbg.goal.line &&
           l->inlined_at == dbg.goal.inlined_at;
}

/** Whether the goal is reached before the item runs insn. */
static bool goal_reached(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    if (item != dbg.goal.item) return false;
    if (dbg.goal.kind == DBG_STEPI)
        return (!dbg.goal.over || dbg_depth(g, insn->loc) <= dbg.goal.depth) &&
               dbg.goal.count-- <= 1;
    const struct bc_loc *l = &g->code->module->locs[insn->loc];
    if (!insn->loc || !l->line) return false;
    const unsigned depth = dbg_depth(g, insn->loc);
    bool there = false;
    switch (dbg.goal.kind) {
    case DBG_STEP: there = depth != dbg.goal.depth || !same_line(l); break;
    case DBG_NEXT:
        there = depth < dbg.goal.depth || (depth == dbg.goal.depth && !same_line(l));
        break;
    case DBG_UNTIL:
        there = depth < dbg.goal.depth ||
                (depth == dbg.goal.depth && (l->line > dbg.goal.line || l->file != dbg.goal.file));
        break;
    case DBG_FINISH: there = depth < dbg.goal.depth; break;
    default: break;
    }
    if (!there) return false;
    if (--dbg.goal.count) { // `step 3`: from here on
        dbg.goal.depth = depth;
        dbg.goal.file = l->file;
        dbg.goal.line = l->line;
        dbg.goal.inlined_at = l->inlined_at;
        return false;
    }
    return true;
}

static bool is_stepping(void) { return dbg.goal.kind >= DBG_STEP && dbg.goal.kind <= DBG_UNTIL; }

/** Stops before the instruction that item does next, when there is a reason. */
static bool look(struct vm_gang *g, uint32_t item)
{
    const struct bc_insn *insn = g->at->src;
    const bool stood_here = dbg.stopped_time == dbg.time && dbg.stopped_at == g->at;
    if (insn->flags & BC_BREAK && !stood_here) {
        struct dbg_break *which = NULL;
        str_clear(&dbg.stop_text);
        if (dbg_break_hit(g, item, insn, &dbg.stop_text, &which)) {
            dbg_stop_here(item, "breakpoint", NULL, true, which);
            return true;
        }
        str_clear(&dbg.stop_text);
    }
    if (atomic_load_explicit(&dbg.interrupt, memory_order_relaxed) && insn->loc &&
        dbg.time >= dbg.interrupt_from) {
        atomic_store(&dbg.interrupt, 0);
        dbg.interrupt_from = 0;
        str_clear(&dbg.stop_text);
        str_put(&dbg.stop_text, "Interrupted.\n");
        dbg_stop_here(item, "pause", NULL, true, NULL);
        return true;
    }
    if (is_stepping() && !stood_here && goal_reached(g, item, insn)) {
        struct dbg_frame f[DBG_MAX_FRAMES];
        str_clear(&dbg.stop_text);
        const unsigned n = dbg_frames(g, f);
        const bool other = n && (n != dbg.goal.depth || dbg.goal.kind == DBG_FINISH);
        dbg_stop_here(item, "step", NULL, other, NULL);
        return true;
    }
    return false;
}

/** To memory that others see, or that is watched. */
static inline bool writes(const struct vm_gang *g, const struct bc_insn *i)
{
    return dbg_writes(i) && (i->op != BC_STORE || dbg.watches_private ||
                             g->code->module->sites[i->site].space != BC_PRIVATE);
}

// ---- running
/**
 * Before the item runs what it does next, which begins an instruction: whether there was a stop.
 */
static bool stops_before(struct vm_gang *g, uint32_t item)
{
    if (dbg.undebugged) return false;
    if (dbg.found.len && dbg_stop_for_findings(item)) return true;
    return (g->at->src->flags & BC_BREAK || is_stepping() ||
            atomic_load_explicit(&dbg.interrupt, memory_order_relaxed)) &&
           look(g, item);
}

enum stepped { GOES_ON, WAS_STOPPED, TURN_IS_OVER };

/** Runs what the item does next; `watching`: there are watchpoints. */
static enum stepped step_item(struct vm_gang *g, uint32_t item, bool begins, bool watching)
{
    const struct vm_insn *ip = g->at;
    const bool write = begins && writes(g, ip->src), watch = watching && write;
    if (write) dbg_history_record(g, ip->src);
    struct dbg_break *const read = watching && begins && dbg_reads(ip->src) && dbg_any_read_watch()
                                       ? dbg_watch_read(g, item, ip->src)
                                       : NULL;
    vm_step(g);
    dbg.time++;
    const bool turn_over = dbg.past && dbg_history_advance(g->group);
    if (watch || read) {
        struct dbg_break *which = read;
        struct str hit = {0};
        const bool is_hit = (watch && dbg_watch_hit(g, item, ip->src, &hit, &which)) ||
                            (read && dbg_watch_read_hit(read, g, item, ip->src, &hit));
        if (is_hit) {
            str_clear(&dbg.stop_text);
            str_put(&dbg.stop_text, str_text(&hit));
        }
        str_deinit(&hit);
        if (is_hit) {
            dbg_stop_here(item, "data breakpoint", NULL, true, which);
            return WAS_STOPPED;
        }
    }
    return turn_over ? TURN_IS_OVER : GOES_ON;
}

/** Runs the item until it waits or is done (true), or there was a stop (false). */
static bool run_item(struct vm_gang *g, uint32_t item)
{
    const struct vm_insn *prev = NULL;
    const bool watching = dbg.watches_private = dbg_any_watch();
    while (g->at) {
        const struct vm_insn *ip = g->at;
        if (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) dbg_answer_knock();
        const bool begins = !prev || ip != prev + 1 ||
                            ip->src != prev->src; // one instruction may be decoded into several
        if (begins && dbg.time >= dbg.next_state) dbg_history_state(g, item);
        if (begins && stops_before(g, item)) return false;
        if (!prev) dbg_history_turn_begins(g, item);
        prev = ip;
        const enum stepped how = step_item(g, item, begins, watching);
        if (how == WAS_STOPPED) return false;
        if (g->stop) return true;
        if (how == TURN_IS_OVER && g->at) return false;
    }
    return !(dbg.found.len && !dbg.undebugged && dbg_stop_for_findings(item));
}

static bool can_run(const struct vm_gang *g) { return g->at || g->state == VM_RUNNING; }

uint32_t dbg_in_order(const struct vm_group *grp, uint32_t k)
{
    struct dbg_order *o = &dbg.order;
    if (!o->given) return k;
    if (o->items.len != grp->items || o->group != grp->linear || o->launch != dbg.nlaunches ||
        o->barriers != grp->barriers) {
        o->group = grp->linear;
        o->launch = dbg.nlaunches;
        o->barriers = grp->barriers;
        vec_clear(&o->items);
        uint64_t x =
            hash_bytes(&(uint64_t[]){o->seed, o->launch, o->group, o->barriers}, 32, o->seed);
        for (uint32_t i = 0; i < grp->items; i++) { // Fisher and Yates
            vec_push(&o->items, i);
            x = hash_bytes(&x, sizeof x, o->seed);
            const uint32_t j = (uint32_t)(x % (i + 1));
            o->items.data[i] = o->items.data[j];
            o->items.data[j] = i;
        }
    }
    return o->items.data[k];
}

static uint32_t next_item(struct vm_group *grp)
{
    if (dbg.prefer < grp->items && can_run(grp->gangs[dbg.prefer])) return dbg.prefer;
    if (!is_stepping()) dbg.prefer = UINT32_MAX;
    for (uint32_t k = 0; k < grp->items; k++) {
        const uint32_t i = dbg_in_order(grp, k);
        if (can_run(grp->gangs[i])) return i;
    }
    return UINT32_MAX;
}

/** The item that is stepped came to its end. */
static void stop_at_end(uint32_t item)
{
    str_clear(&dbg.stop_text);
    str_put(&dbg.stop_text, "[Work-item ");
    dbg_put_item(&dbg.stop_text, dbg.group_number, item);
    str_put(&dbg.stop_text, " has returned]\n");
    dbg.shown_item = item;
    dbg_stop_here(item, "step", "returned", false, NULL);
}

void dbg_enter_kernel(struct vm_group *grp)
{
    dbg.first_insn = NULL;
    for (uint32_t i = 0; i < grp->items; i++) {
        struct vm_gang *g = grp->gangs[i];
        vm_step_begin(g);
        while (g->at && !g->at->src->loc && g->at->src->op == BC_STORE) vm_step(g);
        if (g->at) dbg.first_insn = g->at->src;
    }
}

static void group_begins(struct vm_group *grp)
{
    dbg_enter_kernel(grp);
    dbg.time = 0;
    dbg.prefer = UINT32_MAX;
    dbg.stopped_at = NULL;
    dbg.scout_rests = false;
    dbg.interrupt_from = 0;
    dbg_watch_group_begins(grp);
    dbg_watch_refresh();
    dbg_history_group(grp);
}

static void go_back(struct vm_group *grp)
{
    struct dbg_break *which = NULL;
    const uint32_t item = dbg.goal.item;
    const bool far = dbg.goal.kind == DBG_REVERSE_CONTINUE;
    const unsigned depth = dbg.goal.depth;
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct str why = {0};
    dbg_history_back(grp, &why, &which);
    str_clear(&dbg.stop_text);
    str_put(&dbg.stop_text, str_text(&why));
    str_deinit(&why);
    dbg_stop_here(far ? dbg.focus : item, which ? "breakpoint" : "step", NULL,
                  far || dbg.stop_text.len || dbg_frames(dbg_gang(item), f) != depth, which);
}

// ---- under --schedule: the engine chooses who runs (interp/stepping/interleave.c)
static void begin_scheduled(void *ctx, struct vm_group *grp)
{
    dbg.grp = grp;
    dbg.group_number = grp->linear;
    group_begins(grp);
}

static void step_scheduled(void *ctx, struct vm_group *grp, uint32_t item, bool begins)
{
    struct vm_gang *g = grp->gangs[item];
    dbg.grp = grp;
    dbg.group_number = grp->linear;
    if (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) dbg_answer_knock();
    while (begins && stops_before(g, item))
        while (dbg.goal.kind >= DBG_REVERSE_STEP) go_back(grp);
    dbg.watches_private = dbg_any_watch();
    step_item(g, item, begins, dbg.watches_private);
    while (dbg.goal.kind >= DBG_REVERSE_STEP) go_back(grp);
    if (g->at || dbg.undebugged) return;
    if (dbg.found.len) dbg_stop_for_findings(item);
    if (is_stepping() && item == dbg.goal.item && g->state == VM_DONE) stop_at_end(item);
}

static bool run_group(void *ctx, struct vm_group *grp)
{
    const bool begins = grp->gangs[0]->fresh && !grp->gangs[0]->at &&
                        dbg.group_began != grp->linear + 1;
    dbg.grp = grp;
    dbg.group_number = grp->linear;
    if (begins) {
        dbg.group_began = grp->linear + 1;
        group_begins(grp);
        if (dbg.goal.kind == DBG_TO_GROUP && dbg.goal.group == grp->linear && !dbg.undebugged) {
            str_clear(&dbg.stop_text);
            dbg_stop_here(0, "goto", NULL, true, NULL);
        }
    }
    for (uint32_t i = 0; i < grp->ngangs; i++)
        if (grp->gangs[i]->state == VM_YIELDED) grp->gangs[i]->state = VM_RUNNING;
    for (;;) {
        if (atomic_load_explicit(&dbg.knock, memory_order_relaxed)) dbg_answer_knock();
        if (dbg.goal.kind >= DBG_REVERSE_STEP) {
            go_back(grp);
            continue;
        }
        uint32_t item = dbg_history_turn();
        if (item == UINT32_MAX && !is_stepping() && dbg_scout_run(grp)) continue;
        if (item == UINT32_MAX) item = next_item(grp);
        if (item == DBG_TOGETHER) {
            if (!is_stepping() && !dbg_any_watch() && dbg_history_turn_again(grp, false)) {
                dbg.time++;
                dbg_history_advance(grp);
            } else {
                dbg_history_unfold_here(grp);
            }
            continue;
        }
        if (item == DBG_JUDGE) {
            vm_group_judge(grp);
            dbg.time++;
            dbg_history_advance(grp);
            continue;
        }
        if (item == UINT32_MAX) {
            bool waits = false, yielded = false;
            for (uint32_t i = 0; i < grp->ngangs; i++) {
                waits |= grp->gangs[i]->state == VM_WAITING;
                yielded |= grp->gangs[i]->state == VM_YIELDED;
            }
            if (yielded && !vm_meet_stepped(grp, true)) return false;
            if (!waits && dbg_history_next_group(grp)) continue;
            if (!waits) {
                dbg_history_mark();
                vm_copies_left(grp);
                if (grp->linear + 1 == dbg.run->ngroups && grp->worker->max_contexts == 1)
                    vm_races_tell(dbg.run); // between groups
                if (dbg.found.len && !dbg.undebugged && dbg_stop_for_findings(0) &&
                    dbg.goal.kind >= DBG_REVERSE_STEP)
                    continue;
                dbg.group_began = 0;
                return true;
            }
            dbg_history_turn_begins(NULL, DBG_JUDGE);
            vm_group_judge(grp);
            dbg.time++;
            dbg_history_mark();
            dbg.scout_rests = false;
            if (is_stepping()) dbg.prefer = dbg.goal.item;
            if (dbg.found.len && !dbg.undebugged)
                dbg_stop_for_findings(dbg.focus < grp->items ? dbg.focus : 0);
            continue;
        }
        struct vm_gang *g = grp->gangs[item];
        if (!vm_step_begin(g)) {
            if (dbg.past) dbg_history_lost();
            continue;
        }
        if (!run_item(g, item)) continue; // somebody said something
        if (g->stop) return true;
        if (is_stepping() && item == dbg.goal.item && g->state == VM_DONE && !dbg.undebugged)
            stop_at_end(item);
    }
}

static void note_launch(const struct vm_run *run)
{
    enum { MAX_LAUNCHES = 200 };
    const struct vm_launch *l = run->l;
    struct str s = {0};
    str_printf(&s, "%s, ", bc_str(run->code->module, l->kernel->name));
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t *size = i ? l->local : l->global;
        str_put(&s, i ? ", local " : "global ");
        for (unsigned k = 0; k < l->dims; k++)
            str_printf(&s, "%s%llu", k ? "x" : "", (unsigned long long)size[k]);
    }
    if (l->host_site) str_printf(&s, ", %s", l->host_site);
    if (dbg.launches.len == MAX_LAUNCHES) {
        free(dbg.launches.data[0].text);
        memmove(dbg.launches.data, dbg.launches.data + 1,
                --dbg.launches.len * sizeof *dbg.launches.data);
    }
    vec_push(&dbg.launches, ((struct dbg_launched){l->number, str_take(&s)}));
}

static void begin(void *ctx, struct vm_run *run)
{
    pthread_mutex_lock(&dbg.lock);
    dbg.run = run;
    dbg.module = NULL;
    for (size_t i = 0; i < dbg.modules.len; i++)
        if (dbg.modules.data[i].m == run->code->module) dbg.module = &dbg.modules.data[i];
    dbg.state = DBG_RUNNING;
    dbg.group_began = 0;
    run->chk.told = dbg_on_told;
    dbg.nlaunches++;
    dbg_history_launch(run);
    dbg.scout = vm_scout_create(run);
    dbg.interrupt_from = 0;
    note_launch(run);
    if (dbg.goal.kind == DBG_TO_LAUNCH && dbg.goal.count-- <= 1)
        dbg.goal = (struct dbg_goal){.kind = DBG_TO_GROUP};
}

static void end(void *ctx, struct vm_run *run)
{
    run->chk.told = NULL;
    vm_scout_destroy(dbg.scout);
    dbg_scout_forget();
    dbg.scout = NULL;
    dbg_history_launch_ends();
    dbg_watch_launch_ends();
    dbg.run = NULL;
    dbg.grp = NULL;
    dbg.state = DBG_HOST;
    if (dbg.findings.len) dbg_send_carried();
    if (is_stepping() || dbg.goal.kind == DBG_TO_GROUP) dbg.goal.kind = DBG_GO;
    pthread_mutex_unlock(&dbg.lock);
}

const struct vm_debugger *dbg_debugger(void)
{
    static const struct vm_debugger d = {.begin = begin,
                                         .run_group = run_group,
                                         .group_begins = begin_scheduled,
                                         .step = step_scheduled,
                                         .end = end,
                                         .fault = dbg_on_fault,
                                         .race = dbg_on_race,
                                         .scout_look = dbg_scout_look,
                                         .scout_write = dbg_scout_write,
                                         .scout_met = dbg_scout_met,
                                         .attention = &dbg.knock};
    return dbg_wanted() && dbg.connected && !dbg.undebugged ? &d : NULL;
}

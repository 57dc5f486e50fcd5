// SPDX-License-Identifier: MIT
#ifndef DEBUG_HISTORY_H
#define DEBUG_HISTORY_H
#include "base/map.h"
#include "debug/session.h"

/**
 * The past of a launch: history.c keeps it and has the theory, backwards.c goes there. Time is
 * dbg.time, counted from the beginning of each work-group. All is called by the thread that runs
 * the kernel, with the lock.
 */
enum { DBG_PAGE = 4096 };
enum {
    DBG_JUDGE = UINT32_MAX - 1, // in place of a work-item: a barrier is judged
    DBG_TOGETHER = UINT32_MAX - 2
}; // or many run together, in one moment

void dbg_history_launch(const struct vm_run *run); // it begins
void dbg_history_launch_ends(void);
void dbg_history_group(struct vm_group *grp); // it begins, for the first time
/** At the frontier of what was ever done: an item's turn begins, or a judgement (g NULL). */
void dbg_history_turn_begins(struct vm_gang *g, uint32_t item);
/** At the frontier, before an instruction that writes is done. */
void dbg_history_record(struct vm_gang *g, const struct bc_insn *insn);
/** At the frontier, dbg.time has got to dbg.next_state: the state of this moment is kept. */
void dbg_history_state(struct vm_gang *g, uint32_t item);
/**
 * Work-items begin to run together, and have done so past so many barriers, with a plan (which is
 * taken over); else what they wrote is undone.
 */
void dbg_history_together(struct vm_group *grp, const uint8_t *chosen);
void dbg_history_together_ends(struct vm_group *grp, bool done, uint64_t passed,
                               struct vm_serial_plan *plan);
/** What an active lane of a wide gang is about to write. */
void dbg_history_record_lane(struct vm_gang *g, const struct bc_insn *insn, uint32_t lane);
/** In the past: whose turn it is (an item or DBG_JUDGE); UINT32_MAX at the frontier. */
uint32_t dbg_history_turn(void);
/** After a step: is the turn over? At the frontier the checks are back. */
bool dbg_history_advance(struct vm_group *grp);
/**
 * In the past: it cannot be followed (a kernel with races, or what a user wrote). From here on the
 * order is made anew.
 */
void dbg_history_lost(void);
/** In the past, at a moment in which many ran together: from here on there are turns. */
void dbg_history_unfold_here(struct vm_group *grp);
/** The group is done, and a later one was begun already: it begins again, in the past. */
bool dbg_history_next_group(struct vm_group *grp);
/** The user writes to memory. */
void dbg_history_write(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size);

/**
 * Goes back as dbg.goal says (a REVERSE kind); the focus is where it ends, `out` says why there.
 */
void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which);
/** The place of a work-group in the history; false: it is not there. */
bool dbg_history_find(uint64_t group, size_t *at);
/** A breakpoint was hit where we are, or would have been but for its ignore count. */
void dbg_history_hit(void);
/** The group has got as far as dbg.time: before anybody looks back. */
void dbg_history_mark(void);

// ---- what is kept; for history.c and backwards.c only
struct dbg_turn {
    uint32_t item;
    uint32_t except; // DBG_TOGETHER: a work-item that was not among them, or UINT32_MAX
    uint64_t from;   // time
    uint64_t passed; // DBG_TOGETHER: barriers on the way
    const struct vm_serial_plan
        *plan; // for what lies before the first of them, or NULL; the group's
};
struct dbg_page {
    char *at, *bytes;
    uint32_t size;
};
struct dbg_by_hand {
    uint64_t time, address, size;
    uint32_t item;
    uint8_t *bytes;
};
struct dbg_saved_item {
    uint32_t item;
    char *state; // vm_lane_save
    size_t size;
};
/**
 * A stretch of time, with what it changes as it was when the stretch began. A group's first has no
 * states: it begins anew.
 */
struct dbg_stretch {
    uint64_t from;
    bool together; // in a moment of it many ran together: single ones cannot be followed until that
                   // is made turns
    uint64_t clean_for; // the breakpoints of that dbg.break_changes are not hit in it
    char *group;        // vm_group_save
    size_t group_size;
    VEC(struct dbg_saved_item) items; // those that run in it
    uint64_t *has;                    // the same, a bit an item
    VEC(struct dbg_page) pages;
    struct map saved; // address of a page → 1
};
struct dbg_past_group {
    uint64_t linear;
    uint64_t length; // time that it has got to
    VEC(struct dbg_turn) turns;
    VEC(struct dbg_stretch *) stretches;
    VEC(struct dbg_by_hand) writes;
    VEC(struct vm_serial_plan *) plans;
    uint64_t bytes;
};
/** The present, as far as it was undone. */
struct dbg_ahead {
    bool kept;
    VEC(struct dbg_page) pages;
    struct map saved;
    VEC(struct dbg_saved_item) items; // all of the last group
    struct str group, printed;
};
struct dbg_history {
    VEC(struct dbg_past_group *) groups;
    size_t at;     // the group that runs
    size_t cursor; // turn of it
    uint64_t bytes, forgotten;
    uint64_t stride;       // how long a stretch is to be
    const char *last_page; // that was saved
    struct str before;     // the group, before work-items ran together
    bool off;
    bool recording; // in the past, what is written is kept nevertheless
    bool unchecked; // the user changed the past: the race check does not know this group any more
    struct race_worker *race; // kept while in the past
    struct dbg_ahead ahead;
};
extern struct dbg_history dbg_history;

static inline bool dbg_stretch_has(const struct dbg_stretch *s, uint32_t item)
{
    return s->has && s->has[item / 64] >> item % 64 & 1;
}
struct dbg_stretch *dbg_stretch_begin(struct dbg_past_group *p, struct vm_group *grp);
void dbg_history_save_item(struct dbg_past_group *p, struct vm_gang *g,
                           uint32_t item); // as it is, into the last stretch
void dbg_history_save_written(struct dbg_past_group *p, const struct vm_gang *g,
                              const struct bc_insn *i, uint32_t lane);
void dbg_history_add_turn(struct dbg_past_group *p, uint32_t item);
void dbg_history_keep_in_bounds(void);
void dbg_enter_past(struct vm_group *grp);
void dbg_leave_past(struct vm_group *grp);
/** What the user wrote by hand at this time is written again. */
void dbg_write_by_hand(struct vm_group *grp);
/**
 * Stretch k of group `at`, in which many ran together, comes nearer to turns that can be followed:
 * it becomes two, or when they ran to the next barrier only they are stepped. Gives what time t of
 * the group is now.
 */
uint64_t dbg_history_unfold(struct vm_group *grp, size_t at, size_t k, uint64_t t);
/** The same, but one work-item only is stepped, the others run together before it. */
uint64_t dbg_history_unfold_item(struct vm_group *grp, size_t at, size_t k, uint64_t t,
                                 uint32_t item);
/** Of all moments of the stretch in which many ran together the work-item was left out. */
bool dbg_history_is_of_others(const struct dbg_past_group *p, size_t k, uint32_t item);
/**
 * Everything as it was when stretch k of group `at` began; also where that lies ahead of where we
 * are in the past.
 */
void dbg_history_rewind(struct vm_group *grp, size_t at, size_t k);
/** Group number `at` of the history is at its beginning; global memory is as the caller made it. */
void dbg_history_restart(struct vm_group *grp, size_t at);
/** A watched value may be written in the stretch. */
bool dbg_watch_writes(const struct dbg_past_group *p, const struct dbg_stretch *s,
                      struct vm_gang *g);
void dbg_ahead_forget(void);
/** The turn that dbg_history_turn gave, DBG_TOGETHER: see dbg_scout_again. */
bool dbg_history_turn_again(struct vm_group *grp, bool blind);
/**
 * Looks at instructions that are done again: `see` before the first part of one, `saw` behind each
 * part.
 */
struct dbg_observer {
    void (*see)(void *ctx, struct vm_gang *g, uint32_t item);
    void (*saw)(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
    void *ctx;
    bool blind; // breakpoints do not matter
    bool whole; // whatever the user wants meanwhile
};
enum dbg_replayed {
    DBG_REPLAYED,    // up to the time
    DBG_CUT_SHORT,   // the user wants something else: it is somewhere before that
    DBG_MUST_UNFOLD, // many ran together on the way, and a breakpoint may be hit there
    DBG_LOST,        // whose turn it was cannot run: what was recorded is not what happens
};
/** Does what was done until `time`, and answers those who knock. */
enum dbg_replayed dbg_history_replay(struct vm_group *grp, uint64_t time,
                                     const struct dbg_observer *o);
/** The user interrupts, or has left: who goes back gives up. */
bool dbg_history_is_unwanted(void);
/**
 * The stretch of group `at` that time t lies in; `before`: in which the instruction before it lies.
 */
size_t dbg_stretch_of(size_t at, uint64_t t, bool before);
/**
 * Time `time` of group `at`, no moment inside of one that must be unfolded; false: an earlier one,
 * for the user does not want to wait.
 */
bool dbg_history_go_to(struct vm_group *grp, size_t at, uint64_t time);
#endif

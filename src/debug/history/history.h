// SPDX-License-Identifier: MIT
#ifndef DEBUG_HISTORY_H
#define DEBUG_HISTORY_H
#include "base/map.h"
#include "debug/breakpoints/breakpoint.h"
#include "interp/stepping/fast_forward_run.h"

/**
 * The history of a launch: history.c records it and has the theory, reverse.c goes back. All
 * functions are called by the thread that runs the kernel, with the lock held.
 */
struct dbg_history {
    uint64_t time;       // instructions since the work-group began
    uint64_t next_state; // time at which the next state is kept
    bool past;           // the kernel is replaying the past
    bool off;            // this launch has no history
};
extern struct dbg_history dbg_history;
enum {
    DBG_JUDGE = UINT32_MAX - 1,       // instead of a work-item: a barrier is passed
    DBG_FAST_FORWARD = UINT32_MAX - 2 // or a fast-forward, which is one moment
};

void dbg_history_launch(const struct vm_run *run); // it begins
void dbg_history_launch_ends(void);
void dbg_history_group(struct vm_group *grp); // a group begins, for the first time
/** At the frontier: an item's slice begins, or a barrier is passed (g NULL). */
void dbg_history_slice_begins(struct vm_gang *g, uint32_t item);
/** At the frontier, before an instruction that writes is executed. */
void dbg_history_record(struct vm_gang *g, const struct bc_insn *insn);
/** At the frontier, when dbg_history.time has reached next_state: saves the present state. */
void dbg_history_state(struct vm_gang *g, uint32_t item);
/** A fast-forward begins. */
void dbg_history_fast_forward(struct vm_group *grp, const uint8_t *chosen);
/**
 * The fast-forward ended after this distance; NULL: it was abandoned, and its writes are undone.
 */
void dbg_history_fast_forward_ends(struct vm_group *grp, const struct vm_fast_forward_span *ran);
/** Records what active lanes of a wide gang are about to write. */
struct dbg_run;
struct dbg_scatter;
void dbg_history_record_run(struct vm_gang *g, const struct dbg_run *r);
void dbg_history_record_scatter(const struct dbg_scatter *s);
void dbg_history_record_lane(struct vm_gang *g, const struct bc_insn *insn, uint32_t lane);
/** In the past: the item of the current slice, or one of these; UINT32_MAX at the frontier. */
uint32_t dbg_history_slice(void);
/** Runs the slice DBG_FAST_FORWARD that dbg_history_slice returned: see dbg_fast_forward_again. */
bool dbg_history_slice_again(struct vm_group *grp, bool blind);
/** After a step: is the slice over? Enables checks at the frontier. */
bool dbg_history_advance(struct vm_group *grp);
/**
 * In the past: replay is impossible (a kernel with races, or writes of the user). From here on the
 * kernel is recorded again.
 */
void dbg_history_lost(void);
/** In the past, at a fast-forward: expands it into slices of single work-items. */
void dbg_history_expand_here(struct vm_group *grp);
/** In the past: passes the barrier at which work-items wait; none do if the launch is canceled. */
void dbg_history_judge(struct vm_group *grp);
/** The group has run to its end: all its work-items have returned. */
void dbg_history_items_return(struct vm_group *grp);
/** The group is done. If a later one has run before, starts its replay. */
bool dbg_history_next_group(struct vm_group *grp);
/** Records that the user writes to memory. */
void dbg_history_write(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size);

/**
 * Goes back by dbg_goal (a REVERSE kind). The focus moves to the end; `out` gets the reason of the
 * stop.
 */
void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which);
/** The index of a work-group in the history; false: it was forgotten, or has not run. */
bool dbg_history_find(uint64_t group, size_t *at);
/** Records that the group has reached dbg_history.time; to be called before going back. */
void dbg_history_mark(void);
/** For `info history`. */
void dbg_history_put(struct str *out);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_HISTORY_H
#define DEBUG_HISTORY_H
#include "debug/session.h"

/**
 * The past of a launch: history.c has the theory. Time is dbg.time, counted from the beginning of each work-group.
 * All is called by the thread that runs the kernel, with the lock.
 */
enum { DBG_JUDGE = UINT32_MAX - 1 }; // in place of a work-item: a barrier is judged

void dbg_history_launch(const struct vm_run *run); // it begins
void dbg_history_launch_ends(void);
void dbg_history_group(struct vm_group *grp);      // it begins, for the first time
/** Before an instruction of an item, or a judgement, is done at the frontier of what was ever done. */
void dbg_history_record(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
/** In the past: whose turn it is (an item or DBG_JUDGE); UINT32_MAX at the frontier. */
uint32_t dbg_history_turn(void);
/** After a step: is the turn over? At the frontier the checks are back. */
bool dbg_history_advance(struct vm_group *grp);
/** The group is done, and a later one was begun already: it begins again, in the past. */
bool dbg_history_next_group(struct vm_group *grp);
/** The user writes to memory. */
void dbg_history_write(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size);

/** Goes back as dbg.goal says (a REVERSE kind); the focus is where it ends, `out` says why there. */
void dbg_history_back(struct vm_group *grp, struct str *out, struct dbg_break **which);
/** The group has got as far as dbg.time: before anybody looks back. */
void dbg_history_mark(void);
#endif

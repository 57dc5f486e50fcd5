// SPDX-License-Identifier: MIT
#ifndef DEBUG_HISTORY_H
#define DEBUG_HISTORY_H
#include "debug/session.h"

/** The past of a launch: see history.c. All are called by the thread that runs the kernel, with the lock. */
void dbg_history_group(struct vm_group *grp);  // it begins
void dbg_history_before(struct vm_gang *g, uint32_t item, const struct vm_insn *ip);
void dbg_history_judge(void);                  // a barrier is judged
void dbg_history_at_stop(void);
void dbg_history_changed(void);                // the user wrote to memory: what lies ahead is not what it was
void dbg_history_launch_ends(void);
#endif

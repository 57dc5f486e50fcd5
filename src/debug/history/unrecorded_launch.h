// SPDX-License-Identifier: MIT
#ifndef DEBUG_UNRECORDED_LAUNCH_H
#define DEBUG_UNRECORDED_LAUNCH_H
#include "interp/vm.h"

#include <stdbool.h>

/**
 * Launches in which only a finding or the user can stop run as without the debugger: with the code,
 * the engine and the threads of a checked run. Their memory is kept (repeated_launch.h). At the
 * first finding, or when the user interrupts or sets a breakpoint, such a run ends early, the
 * memory is restored, and the launch runs again, under the debugger.
 */

/** One launch runs at a time; a stopped one, too. */
void dbg_unrecorded_lock(void);
void dbg_unrecorded_unlock(void);
/** Can the launch run that way? l->program is that of the debugger. */
bool dbg_unrecorded_is_possible(const struct vm_launch *l);
/** It begins. Returns the flag for vm_launch.cut; NULL: it has to run under the debugger. */
volatile int *dbg_unrecorded_begin(const struct vm_launch *l);
/** It ended. False: its memory was restored, and it has to run under the debugger. */
bool dbg_unrecorded_end(const struct vm_launch *l, bool is_clean);

/** The agent, which has the lock: the launch, if one runs, has to run under the debugger. */
void dbg_unrecorded_cut(void);
#endif

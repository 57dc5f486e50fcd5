// SPDX-License-Identifier: MIT
#ifndef DEBUG_LAUNCH_CONTEXT_H
#define DEBUG_LAUNCH_CONTEXT_H
#include "interp/vm.h"

/** How far the launch is. */
struct dbg_progress {
    bool watches_private; // a watchpoint may be on a private variable
    uint64_t group_began; // linear id of the last started group, plus 1
    uint64_t group_ended; // linear id of the last group whose end was checked, plus 1
    uint64_t ended;       // groups that have ended; work-items under a schedule
};
extern struct dbg_progress dbg_progress;

/**
 * All state of src/debug that belongs to one launch. While an earlier launch is run again
 * (repeated_launch.h), that of the stopped launch is kept in one of these.
 */
struct dbg_launch_context;
/** A launch that has not begun. */
struct dbg_launch_context *dbg_launch_context_create(void);
/** Exchanges it with the present state. */
void dbg_launch_context_swap(struct dbg_launch_context *c);
void dbg_launch_context_destroy(struct dbg_launch_context *c);
/** The hooks of a launch that is run again (dbg.repeats); set by execution.c. */
extern const struct vm_debugger *dbg_repeating;
#endif

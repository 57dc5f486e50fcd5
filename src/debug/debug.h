// SPDX-License-Identifier: MIT
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H
#include "interp/vm.h"

/**
 * The debugger's agent runs in the app's process. Its client, `cldbg -i` or `cldbg dap`, listens at
 * the socket that CLDBG_DEBUG names and speaks the Debug Adapter Protocol. Without the variable,
 * these functions do nothing.
 */

/** Is this process to be debugged, connected or not? */
bool dbg_wanted(void);
/**
 * At the app's first use of OpenCL: connects, and returns when the client lets the app run. Once.
 * `leave` reports the findings and ends the process when the client asks for it; it may return if a
 * launch is running.
 */
void dbg_start(void (*leave)(void));
/**
 * A program was built (dev_build.for_debugger), or is released: sets or removes its breakpoints.
 * released: true: the debugger may run its launches again, until dbg_module_removed.
 */
void dbg_module_added(const struct bc_module *m, const char *options); // of the build; may be NULL
bool dbg_module_released(const struct bc_module *m);
void dbg_module_removed(const struct bc_module *m);
/** A command of the app has written global memory. */
struct dbg_memory_write {
    const void *first;
    uint64_t size;
    const void *from;     // the global memory that it copied; or NULL
    const char *function; // "clEnqueueWriteBuffer"; never freed
    const char *where;    // "enqueued at main.c:42 (main)", or NULL; never freed
};
void dbg_memory_written(const struct dbg_memory_write *w);
void dbg_memory_freed(const void *first, uint64_t size);
/** For vm_launch.debugger; NULL without a client. */
const struct vm_debugger *dbg_debugger(void);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_DEBUG_H
#define DEBUG_DEBUG_H
#include "interp/vm.h"

/**
 * The debugger's agent: it lives in the app's process and is spoken to over a socket in the Debug
 * Adapter Protocol. `cldbg -i` and `cldbg dap` listen at the socket that CLDBG_DEBUG names; without
 * that variable nothing here does anything.
 */

/** Is this process to be debugged? Says so from the first call on, connected or not. */
bool dbg_wanted(void);
/**
 * At the app's first use of OpenCL: connects, and comes back when the client lets the app go on.
 * Once. `leave` ends the process when the client says so, with what was found so far told; it may
 * come back while a launch has yet to end.
 */
void dbg_start(void (*leave)(void));
/**
 * A program was built (dev_build.for_debugger); its breakpoints are planted. It goes: they are
 * forgotten.
 */
void dbg_module_added(const struct bc_module *m, const char *options); // of the build; may be NULL
void dbg_module_removed(const struct bc_module *m);
/** What a launch's vm_launch.debugger is to be: NULL when nobody debugs. */
const struct vm_debugger *dbg_debugger(void);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_STOP_H
#define DEBUG_STOP_H
#include "debug/breakpoints/breakpoint.h"

extern struct str dbg_stop_text; // the reason: beginning of the next stop's text
/**
 * Stops before the next instruction of the item, until the client resumes. Appends the location to
 * dbg_stop_text. `reason` and `description` are of the protocol's event "stopped".
 */
void dbg_stop_here(uint32_t item, const char *reason, const char *description, bool whole_frame,
                   struct dbg_break *which);
#endif

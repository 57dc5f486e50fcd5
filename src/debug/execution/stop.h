// SPDX-License-Identifier: MIT
#ifndef DEBUG_STOP_H
#define DEBUG_STOP_H
#include "debug/breakpoints/breakpoint.h"

extern struct str dbg_stop_text; // why: the beginning of the next stop's text
/**
 * Stops before what the item does next, until the client lets it go on. dbg_stop_text is completed
 * by the location. `reason` and `description` are of the protocol's event "stopped".
 */
void dbg_stop_here(uint32_t item, const char *reason, const char *description, bool whole_frame,
                   struct dbg_break *which);
#endif

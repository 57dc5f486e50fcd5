// SPDX-License-Identifier: MIT
#ifndef DEBUG_LANE_CONDITION_H
#define DEBUG_LANE_CONDITION_H
#include "debug/breakpoints/breakpoint.h"

/**
 * Does the condition hold for active lanes of a wide gang? SOME: for those with holds[lane] set.
 */
enum dbg_lanes_hold {
    DBG_LANES_UNKNOWN,
    DBG_LANES_NONE,
    DBG_LANES_SOME
}; // UNKNOWN: the condition cannot be evaluated this way
enum dbg_lanes_hold dbg_condition_lanes(struct dbg_expr *e, struct vm_gang *g, bool *holds);
/** Is the condition false for a stepped work-item because of its ids alone? */
bool dbg_condition_excludes(const struct dbg_expr *e, struct vm_gang *g);
#endif

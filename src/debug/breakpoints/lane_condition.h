// SPDX-License-Identifier: MIT
#ifndef DEBUG_LANE_CONDITION_H
#define DEBUG_LANE_CONDITION_H
#include "debug/breakpoints/breakpoint.h"

/**
 * Whether the condition holds for lanes of a wide gang that are active; some: for those whose
 * holds[lane] is set.
 */
enum dbg_lanes_hold {
    DBG_LANES_UNKNOWN,
    DBG_LANES_NONE,
    DBG_LANES_SOME
}; // unknown: this condition cannot be evaluated so
enum dbg_lanes_hold dbg_condition_lanes(struct dbg_expr *e, struct vm_gang *g, bool *holds);
#endif

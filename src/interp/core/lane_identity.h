// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_IDENTITY_H
#define INTERP_LANE_IDENTITY_H
#include "check/check.h"
#include "interp/core/gang.h"

/** The work-item of a lane, and its call stack. */

struct chk_item vm_item_of(const struct vm_gang *g, uint32_t lane);

/** The call stack of the current frame, innermost first. */
unsigned vm_calls_of(const struct vm_gang *g, uint32_t calls[CHK_MAX_CALLS]);
#endif

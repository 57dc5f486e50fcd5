// SPDX-License-Identifier: MIT
#ifndef DEBUG_ITEM_DIFF_H
#define DEBUG_ITEM_DIFF_H
#include "base/str.h"
#include "interp/core/group.h"

/**
 * For dbg_goal.query: where two work-items of the running group first took different branches, and
 * which of their variables differ there. dbg_diff_choose has chosen them.
 */
void dbg_diff_answer(struct vm_group *grp, struct str *out);
void dbg_diff_choose(uint32_t a, uint32_t b);
#endif

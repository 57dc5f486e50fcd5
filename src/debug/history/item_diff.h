// SPDX-License-Identifier: MIT
#ifndef DEBUG_ITEM_DIFF_H
#define DEBUG_ITEM_DIFF_H
#include "base/str.h"
#include "interp/core/group.h"

/**
 * For dbg_goal.query: where two work-items first took different branches, and which of their
 * variables differ there. dbg_diff_choose has chosen them, from groups that are in the history.
 */
void dbg_diff_answer(struct vm_group *grp, struct str *out);
struct dbg_diff_side {
    uint64_t group; // linear
    uint32_t item;
};
void dbg_diff_choose(struct dbg_diff_side a, struct dbg_diff_side b);
#endif

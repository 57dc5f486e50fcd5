// SPDX-License-Identifier: MIT
#ifndef DEBUG_ITEM_DIFF_H
#define DEBUG_ITEM_DIFF_H
#include "base/str.h"
#include "base/vec.h"
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

/** The last answer. */
struct dbg_diff_variable {
    const char *name, *fn; // fn: of an outer frame; otherwise NULL
    uint64_t address;
    struct str text[2];
};
struct dbg_diff_variables {
    VEC(struct dbg_diff_variable) list;
};
enum dbg_diff_end {
    DBG_DIFF_PARTED,
    DBG_DIFF_EQUAL,       // up to the present
    DBG_DIFF_INTERRUPTED, // by the user
    DBG_DIFF_CLOSED,      // the kernel then ran at full speed up to an interrupt
    DBG_DIFF_LOST,        // replay differs from the recording
    DBG_DIFF_TOO_FAR      // one is too far ahead
};
struct dbg_diff_result {
    enum dbg_diff_end end;
    struct dbg_diff_side sides[2];
    uint64_t common;                     // equal instructions
    const struct bc_insn *branch;        // the last of them; NULL: parted at the beginning
    const struct bc_insn *parted[2];     // the next lines, if they parted
    struct dbg_diff_variables variables; // with different values
};
const struct dbg_diff_result *dbg_diff_result(void);
#endif

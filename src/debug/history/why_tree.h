// SPDX-License-Identifier: MIT
#ifndef DEBUG_WHY_TREE_H
#define DEBUG_WHY_TREE_H
#include "base/err.h"
#include "base/str.h"
#include "debug/history/dynamic_slice.h"

/** The tree of `why`: the causes of a value (dynamic_slice.h), numbered. */
enum { DBG_WHY_DEPTH = 3, DBG_WHY_MOST_DEPTH = 20 };
/** For dbg_goal.query: writes the tree that one of these has chosen. */
void dbg_why_answer(struct vm_group *grp, struct str *out);
/** Shows causes as the roots of a tree, with `depth` levels of their causes. */
void dbg_why_show(struct vm_group *grp, struct str *out, const struct dbg_causes *roots,
                  unsigned depth);
/** The causes of a value in memory of the focused work-item. */
void dbg_why_value(const struct dbg_value *v, unsigned depth);
/** Those of an earlier answer's line. */
struct err *dbg_why_number(uint64_t number, unsigned depth);
/** The kernel goes on: earlier answers are no longer valid. */
void dbg_why_forget(void);
#endif

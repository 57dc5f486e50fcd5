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

/** A cause in the last answer: a line, or a part of the line that follows its effect. */
struct dbg_why_line {
    size_t node;
    size_t parent;       // the line that it is a cause of, from 1; 0: a root
    size_t number;       // 0: none
    size_t see;          // the number of the line that has its causes; 0: itself
    bool has_more;       // it has causes that the answer does not show
    size_t from, length; // its text in the answer
};
size_t dbg_why_lines(bool *is_cut); // is_cut: the answer was too long
const struct dbg_why_line *dbg_why_line(size_t i, const struct dbg_cause **cause);
/** Around uses of the cause: it may be in an earlier launch that was repeated. */
void dbg_why_enter(const struct dbg_why_line *line), dbg_why_leave(const struct dbg_why_line *line);
/** The cause's bytes as a value of the type; the work-item function that it called. */
void dbg_cause_put_value(struct str *out, struct vm_gang *g, const struct dbg_type *t,
                         const struct dbg_cause *c);
void dbg_cause_put_id(struct str *name, struct str *value, const struct dbg_cause *c);
/** The kernel goes on: earlier answers are no longer valid. */
void dbg_why_forget(void);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_GOAL_H
#define DEBUG_GOAL_H
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct vm_group;
enum dbg_goal_kind {
    DBG_GO,
    DBG_STEP,
    DBG_NEXT,
    DBG_FINISH,
    DBG_STEPI,
    DBG_UNTIL,
    DBG_TO_GROUP,
    DBG_TO_LAUNCH,
    DBG_QUERY, // the kernel does not go on
    DBG_REVERSE_STEP,
    DBG_REVERSE_NEXT,
    DBG_REVERSE_STEPI,
    DBG_REVERSE_FINISH,
    DBG_REVERSE_TO_LINE,
    DBG_REVERSE_ENTRY,   // to the beginning of a function
    DBG_REVERSE_TO_TIME, // or forward
    DBG_REVERSE_CONTINUE
};
/** The goal of a command that runs the kernel. All except GO apply to one work-item. */
struct dbg_goal {
    enum dbg_goal_kind kind;
    uint64_t count; // remaining repetitions
    uint32_t item;
    unsigned depth; // number of frames at the beginning
    bool over;      // STEPI: not into called functions
    uint32_t call;  // STEP: loc of the only call to step into; 0: any
    bool entry;     // TO_LAUNCH: requested by the client with stopOnEntry
    uint32_t file, line, inlined_at;
    uint64_t group;  // TO_GROUP; REVERSE_TO_LINE, REVERSE_TO_TIME: its index in the history
    uint64_t before; // the same: a time
    void (*query)(struct vm_group *grp, struct str *out); // QUERY: writes the answer
};
extern struct dbg_goal dbg_goal;

/** Is a forward step in progress? */
static inline bool dbg_is_stepping(void)
{
    return dbg_goal.kind >= DBG_STEP && dbg_goal.kind <= DBG_UNTIL;
}
static inline bool dbg_is_reverse(void) { return dbg_goal.kind >= DBG_REVERSE_STEP; }
#endif

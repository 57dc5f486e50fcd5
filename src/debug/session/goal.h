// SPDX-License-Identifier: MIT
#ifndef DEBUG_GOAL_H
#define DEBUG_GOAL_H
#include <stdbool.h>
#include <stdint.h>

enum dbg_goal_kind {
    DBG_GO,
    DBG_STEP,
    DBG_NEXT,
    DBG_FINISH,
    DBG_STEPI,
    DBG_UNTIL,
    DBG_TO_GROUP,
    DBG_TO_LAUNCH,
    DBG_REVERSE_STEP,
    DBG_REVERSE_NEXT,
    DBG_REVERSE_STEPI,
    DBG_REVERSE_FINISH,
    DBG_REVERSE_TO_LINE,
    DBG_REVERSE_CONTINUE
};
/** How far to go. All but GO are of one work-item. */
struct dbg_goal {
    enum dbg_goal_kind kind;
    uint64_t count; // how often still
    uint32_t item;
    unsigned depth; // of frames, where it began
    bool over;      // STEPI: not in functions that are called
    bool entry;     // TO_LAUNCH: the client asked for it with stopOnEntry
    uint32_t file, line, inlined_at;
    uint64_t group;  // TO_GROUP; REVERSE_TO_LINE: its index in the history
    uint64_t before; // REVERSE_TO_LINE: a time
};
extern struct dbg_goal dbg_goal;

/** A step forward that is under way. */
static inline bool dbg_is_stepping(void)
{
    return dbg_goal.kind >= DBG_STEP && dbg_goal.kind <= DBG_UNTIL;
}
static inline bool dbg_is_reverse(void) { return dbg_goal.kind >= DBG_REVERSE_STEP; }
#endif

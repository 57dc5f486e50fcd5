// SPDX-License-Identifier: MIT
#ifndef DEBUG_FINDING_STORY_H
#define DEBUG_FINDING_STORY_H
#include "base/str.h"
#include "interp/core/group.h"

/** A finding step by step, for `info race` and `info divergence`. */
struct dbg_story_side {
    uint64_t group; // linear
    uint32_t item, line;
    bool is_write; // races
};
struct dbg_story {
    size_t finding;                 // index in dbg_findings.all
    struct dbg_story_side sides[2]; // races: the accesses; divergence: a work-item at the barrier,
                                    // and one that is not
};
void dbg_story_choose(const struct dbg_story *s);
/** For dbg_goal.query. */
void dbg_story_race(struct vm_group *grp, struct str *out);
void dbg_story_divergence(struct vm_group *grp, struct str *out);
#endif

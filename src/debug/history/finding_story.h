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
/** What the last story says besides the causes of why_tree.h. */
struct dbg_story_result {
    size_t finding;
    bool is_found;     // the events are in the history: the causes are its roots
    bool has_barriers; // a race in one interval, after this many barriers
    uint64_t barriers;
    bool is_diff; // a divergence without a condition: item_diff.h has the answer
};
const struct dbg_story_result *dbg_story_result(void);
/** For dbg_goal.query. */
void dbg_story_race(struct vm_group *grp, struct str *out);
void dbg_story_divergence(struct vm_group *grp, struct str *out);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_FOCUS_H
#define DEBUG_FOCUS_H
#include "base/str.h"
#include "base/vec.h"
#include "debug/session/programs.h"
#include "interp/stepping/step.h"

struct dbg_launched {
    uint64_t number;
    char *text;
};
/** The launch that runs. */
struct dbg_launch {
    struct vm_run *run; // NULL between launches
    struct dbg_module *module;
    uint64_t count;                   // launches so far
    const struct bc_insn *first_insn; // of the kernel's first line
    VEC(struct dbg_launched) log;     // the last ones, for `info launches`
};
extern struct dbg_launch dbg_launch;
/** Numbers the launch and adds it to the log, once; false: that was done before. */
bool dbg_launch_note(const struct vm_launch *l, const struct bc_module *m);
/**
 * At the beginning of a group, runs every work-item up to its first source line, so that arguments
 * can be shown.
 */
void dbg_group_enter(struct vm_group *grp);
/** Begins a group that was only prepared, and enters it. */
void dbg_group_begin(struct vm_group *grp);

/** The running work-group, and the work-item and frame that commands refer to. */
struct dbg_focus {
    struct vm_group *group;
    uint64_t group_number; // linear
    uint32_t item;         // number in the group
    unsigned frame;        // 0: innermost
    uint32_t lane;         // lane of the gang for expressions; 0 except in wide gangs
    // the last stop: no second stop at the same moment and place
    uint64_t stopped_time;
    // a stop for the effect of an access is located at the access, although it was executed
    const struct vm_gang *accessed_by;
    const struct bc_insn *access;
    const struct vm_insn *stopped_at;
    bool at_launch_end; // the stop is at the end of the launch
    bool ran_together;  // the group ran as a whole, without values of its work-items' variables
    // the work-item that the last stop showed: "[Switching to …]" when it is another
    uint32_t shown_item;
    uint64_t shown_group, shown_launch;
};
extern struct dbg_focus dbg_focus;

/** Where `list` continues; line 0: around the focus. */
struct dbg_listing {
    unsigned line;
    uint32_t file;
    const struct bc_module *module;
};
extern struct dbg_listing dbg_listing;

/** An error unless a kernel is stopped. */
struct err *dbg_need_stopped(void);
static inline struct vm_gang *dbg_gang(uint32_t item) { return dbg_focus.group->gangs[item]; }
/** The gang of the focus; NULL unless a kernel is stopped. */
struct vm_gang *dbg_focus_gang(void);

/** The sizes of a launch. */
struct dbg_sizes {
    uint64_t offset[3], global[3], local[3], grid[3];
};
struct dbg_sizes dbg_sizes_of(const struct vm_launch *l);
void dbg_item_ids_in(const struct dbg_sizes *s, uint64_t group, uint32_t item, uint64_t local[3],
                     uint64_t grp[3], uint64_t global[3]);
/** The ids of a work-item of the running launch. */
void dbg_item_ids(uint64_t group, uint32_t item, uint64_t local[3], uint64_t grp[3],
                  uint64_t global[3]);
/** "local (l,m,n) group (…) global (g,h,i)" */
void dbg_put_item(struct str *out, uint64_t group, uint32_t item);
#endif

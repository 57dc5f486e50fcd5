// SPDX-License-Identifier: MIT
#ifndef DEBUG_REPEATED_LAUNCH_H
#define DEBUG_REPEATED_LAUNCH_H
#include "debug/history/dynamic_slice.h"

/**
 * Earlier launches that `why` runs again. Launches are deterministic under the debugger, so one
 * that is run again with the same memory has the same history (checkpoint and re-execution, as in
 * rr). When a launch begins, the memory that it may access is kept, within `set history-size`; on
 * demand it is run again on copies of that memory. The end of the repeated launch stays available
 * until the stopped launch goes on.
 */
void dbg_repeat_keep(const struct vm_launch *l); // the launch begins
/**
 * The same for a launch whose writes are not recorded in earlier_writes.h. False: what it can write
 * is not kept. Then dbg_repeat_ran_unrecorded at its end, or dbg_repeat_restore, which undoes it.
 */
bool dbg_repeat_keep_unrecorded(const struct vm_launch *l);
void dbg_repeat_ran_unrecorded(void);
void dbg_repeat_restore(void);
/** The module is about to be freed; waits until no repeated launch uses it. The lock is held. */
/** Can launches of the module that were not recorded be run again? The lock is held. */
bool dbg_repeat_uses(const struct bc_module *m);
void dbg_repeat_module_removed(const struct bc_module *m);

struct dbg_repeated;
/** Can the launch be run again? */
bool dbg_repeat_is_possible(uint64_t launch);
/** Makes the repeated launch the present one; its last group, at the end. Calls are nested. */
struct vm_group *dbg_repeated_enter(struct dbg_repeated *r);
void dbg_repeated_leave(void);
/**
 * Runs the launch of the cause (BY_EARLIER) again, and finds the writes of its bytes; *in: where
 * their moments are. Returns DBG_BY_WRITE, or the kind that says why not.
 */
enum dbg_cause_kind dbg_repeat_write(const struct dbg_cause *c, struct dbg_repeated **in,
                                     struct dbg_causes *out);
/** Where the bytes of memory of the entered launch are in the app. */
uint64_t dbg_repeated_place(uint64_t place);
/**
 * The last write of the first bytes before the present launch, which may be a repeated one. False:
 * unknown, because too little was kept.
 */
bool dbg_repeat_find_earlier(uint64_t place, uint64_t size, const uint8_t *value,
                             struct dbg_earlier_write *out);
/** The stopped launch goes on: the repeated launches end. */
void dbg_repeated_close(void);
/** For execution.c: a repeated launch is at its end, and waits there for dbg_repeated_close. */
void dbg_repeated_is_at_end(struct vm_group *grp);
#endif

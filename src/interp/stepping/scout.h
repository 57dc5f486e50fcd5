// SPDX-License-Identifier: MIT
#ifndef INTERP_SCOUT_H
#define INTERP_SCOUT_H
#include "interp/stepping/step.h"

/**
 * Fast-forward, for a debugger that has nothing to stop for: work-items that stand at the same
 * place run as lanes of wide gangs instead of being stepped, to a barrier, to their end, or until
 * the user interrupts. Barriers that the whole group meets at are passed on the way. If it turns
 * out that there was something to stop for, all is given up: the stepped gangs are as they were,
 * and the caller undoes what was written.
 */
struct vm_scout;
/**
 * NULL: this kernel cannot run so. Its work-items wait for one another, work in sub-groups, or use
 * the results of atomics, which depend on the order of the work-items.
 */
struct vm_scout *vm_scout_create(struct vm_run *run);
void vm_scout_destroy(struct vm_scout *s);
/**
 * One work-item stands where the chosen ones must: at its beginning, or let go by a barrier. The
 * block, + 1; 0: neither.
 */
uint32_t vm_scout_block(const struct vm_gang *g);
/** Who runs, and from which block, as vm_scout_block has it. */
struct vm_scout_start {
    const uint8_t *chosen; // [item]
    uint32_t block1;
};
/** How far: past so many barriers, then up to a pause (its number), or to the next barrier (0). */
struct vm_scout_span {
    uint64_t barriers, looks;
    uint32_t item; // of a pause: a work-item that was running
};
/**
 * Runs them that far (until NULL: as far as the debugger wants); true: done, and the stepped gangs
 * are where they came to. *ran is how far, also if it failed.
 */
bool vm_scout_run(struct vm_scout *s, struct vm_group *grp, const struct vm_scout_start *from,
                  const struct vm_scout_span *until, struct vm_scout_span *ran);
/** For vm_debugger.scout_look: pause where every work-item's state can be told, as soon as
 * possible. */
void vm_scout_pause(struct vm_worker *w);

/** For scout.c: a run, or the interval after a barrier, begins. */
void vm_scout_arm(struct vm_worker *w, const struct vm_group *grp);
/**
 * For barriers: the group that runs so is all there; false: it is to stay. What was passed is
 * counted then.
 */
bool vm_scout_may_pass(struct vm_group *grp);
void vm_scout_has_passed(struct vm_group *grp);

vm_handler vm_scout_look, vm_scout_write; // instructions that only such code has
#endif

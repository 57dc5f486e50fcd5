// SPDX-License-Identifier: MIT
#ifndef INTERP_FAST_FORWARD_RUN_H
#define INTERP_FAST_FORWARD_RUN_H
#include "interp/stepping/step.h"

/**
 * Fast-forward, for a debugger that has nothing to stop for: work-items that stand at the same
 * place run as lanes of wide gangs instead of being stepped, to a barrier, to their end, or until
 * the user interrupts. Barriers that the whole group meets at are passed on the way. If it turns
 * out that there was something to stop for, all is given up: the stepped gangs are as they were,
 * and the caller undoes what was written.
 */
struct vm_fast_forward;
/**
 * NULL: this kernel cannot run so. Its work-items wait for one another, work in sub-groups, or use
 * the results of atomics, which depend on the order of the work-items.
 */
struct vm_fast_forward *vm_fast_forward_create(struct vm_run *run);
void vm_fast_forward_destroy(struct vm_fast_forward *s);
/**
 * The block, + 1, if the work-item is where the chosen ones must be: at its beginning or just
 * released by a barrier. Otherwise 0.
 */
uint32_t vm_fast_forward_block(const struct vm_gang *g);
/** The work-items that run, and the block where they start (see vm_fast_forward_block). */
struct vm_fast_forward_start {
    const uint8_t *chosen; // [item]
    uint32_t block1;
};
/** How far: past this many barriers, then to a pause (its number) or the next barrier (0). */
struct vm_fast_forward_span {
    uint64_t barriers, looks;
    uint32_t item; // of a pause: a work-item that was running
};
/**
 * Runs them up to `until` (NULL: as far as the debugger wants). Returns true if the stepped gangs
 * are where the run ended. *ran is how far it ran, also if it failed.
 */
bool vm_fast_forward_run(struct vm_fast_forward *s, struct vm_group *grp,
                         const struct vm_fast_forward_start *from,
                         const struct vm_fast_forward_span *until,
                         struct vm_fast_forward_span *ran);
/** For vm_debugger.fast_forward_look: pause as soon as every work-item's state is known. */
void vm_fast_forward_pause(struct vm_worker *w);

/** For fast_forward_run.c: a run, or the interval after a barrier, begins. */
void vm_fast_forward_arm(struct vm_worker *w, const struct vm_group *grp);
/**
 * For barriers: whether the group, whose work-items all arrived in fast-forward, may pass. If it
 * does, vm_fast_forward_has_passed counts the barrier.
 */
bool vm_fast_forward_may_pass(struct vm_group *grp);
void vm_fast_forward_has_passed(struct vm_group *grp);

vm_handler vm_fast_forward_look, vm_fast_forward_write; // instructions that only such code has
#endif

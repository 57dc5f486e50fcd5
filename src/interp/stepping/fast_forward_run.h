// SPDX-License-Identifier: MIT
#ifndef INTERP_FAST_FORWARD_RUN_H
#define INTERP_FAST_FORWARD_RUN_H
#include "interp/stepping/step.h"

/**
 * Fast-forward, for a debugger while no stop is possible: work-items at the same location run as
 * lanes of wide gangs instead of being stepped, to a barrier, to their end, or until the user
 * interrupts. Barriers that the whole group reaches are passed on the way. If a stop turns out to
 * be necessary, the run is abandoned: the stepped gangs are unchanged, and the caller undoes
 * writes.
 */
struct vm_fast_forward;
/**
 * NULL: not possible for this kernel, because its work-items wait for one another, work in
 * sub-groups, or use the results of atomics, which depend on the order of the work-items.
 */
struct vm_fast_forward *vm_fast_forward_create(struct vm_run *run);
void vm_fast_forward_destroy(struct vm_fast_forward *s);
/**
 * The block + 1 if the work-item can take part: at its beginning or just released by a barrier.
 * Otherwise 0.
 */
uint32_t vm_fast_forward_block(const struct vm_gang *g);
/** The work-items to run, and the block where they start (see vm_fast_forward_block). */
struct vm_fast_forward_start {
    const uint8_t *chosen; // [item]
    uint32_t block1;
    /**
     * Of a group that is only prepared: all work-items are chosen, and if they all return, their
     * stepped gangs are not needed. Otherwise this begins them.
     */
    void (*begin)(struct vm_group *grp);
};
/** The distance: past this many barriers, then to a pause (its number) or the next barrier (0). */
struct vm_fast_forward_span {
    uint64_t barriers, looks;
    uint32_t item; // of a pause: a work-item that was running
};
/**
 * Runs them up to `until` (NULL: as far as the debugger wants). Returns true if the stepped gangs
 * were moved to the end of the run. *ran is the distance, also after a failure.
 */
bool vm_fast_forward_run(struct vm_fast_forward *s, struct vm_group *grp,
                         const struct vm_fast_forward_start *from,
                         const struct vm_fast_forward_span *until,
                         struct vm_fast_forward_span *ran);
/** For vm_debugger.fast_forward_look: pauses as soon as every work-item's state is known. */
void vm_fast_forward_pause(struct vm_worker *w);

/** For fast_forward_run.c: call it when a run, or the interval after a barrier, begins. */
void vm_fast_forward_arm(struct vm_worker *w, const struct vm_group *grp);
/**
 * For barriers: may the group, whose work-items all arrived in fast-forward, pass? If it does,
 * vm_fast_forward_has_passed counts the barrier.
 */
bool vm_fast_forward_may_pass(struct vm_group *grp);
void vm_fast_forward_has_passed(struct vm_group *grp);

vm_handler vm_fast_forward_look, vm_fast_forward_write; // instructions of fast-forward code only
#endif

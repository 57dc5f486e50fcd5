// SPDX-License-Identifier: MIT
#ifndef INTERP_SCOUT_H
#define INTERP_SCOUT_H
#include "interp/stepping/serialized_atomics.h"
#include "interp/stepping/step.h"

/**
 * For a debugger that has nothing to stop for: work-items that stand at the same place run as lanes
 * of wide gangs to a barrier, or to their end, instead of being stepped. Barriers that the whole
 * group meets at are passed on the way. When it turns out that there was something to stop for, all
 * is given up: the stepped gangs are as they were, what was written is for the caller to undo.
 */
struct vm_scout;
/** NULL: this kernel is not run so (its work-items wait for one another, or work in sub-groups). */
struct vm_scout *vm_scout_create(struct vm_run *run);
/** The outcome depends on the order of the work-items: it is made to be that of their numbers. */
bool vm_scout_is_serial(const struct vm_scout *s);
void vm_scout_destroy(struct vm_scout *s);
/**
 * One work-item stands where `chosen` ones must: at its beginning, or let go by a barrier. The
 * block, + 1; 0: neither.
 */
uint32_t vm_scout_block(const struct vm_gang *g);
/**
 * Runs those items whose chosen[item] is set, past at most `most` barriers; true: done, and the
 * stepped gangs are where they came to. *passed: barriers that were passed, also where it failed
 * after them. `plan`, or NULL, is for what lies before the first of them.
 */
bool vm_scout_run(struct vm_scout *s, struct vm_group *grp, const uint8_t *chosen, uint32_t block1,
                  uint64_t most, const struct vm_serial_plan *plan, uint64_t *passed);
/**
 * It failed only since atomics came in another order than stepped ones: a plan that may help (the
 * caller's), else NULL.
 */
struct vm_serial_plan *vm_scout_plan(struct vm_scout *s);

/** Between two barriers all went as if one work-item had run after the other. */
bool vm_scout_in_order(const struct vm_group *grp);
/**
 * For barriers: the group that runs so is all there; false: it is to stay. What was passed is
 * counted then.
 */
bool vm_scout_may_pass(struct vm_group *grp);
void vm_scout_has_passed(struct vm_group *grp);

vm_handler vm_scout_look, vm_scout_write; // instructions that only such code has
#endif

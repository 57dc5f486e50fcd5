// SPDX-License-Identifier: MIT
#ifndef INTERP_CHECKPOINT_H
#define INTERP_CHECKPOINT_H
#include "interp/stepping/step.h"

/**
 * States to go back to, as bytes, for a debugger: gangs have one lane and are stepped (step.h), and
 * stand between two instructions. Global memory is not among it.
 */
void vm_lane_save(struct vm_gang *g, struct str *to);
void vm_lane_restore(struct vm_gang *g, const char *from);
/** The group without its lanes: barriers, async copies, local memory, how much it printed. */
void vm_group_save(struct vm_group *grp, struct str *to);
void vm_group_restore(struct vm_group *grp, const char *from);
#endif

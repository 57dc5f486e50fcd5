// SPDX-License-Identifier: MIT
#ifndef INTERP_CHECKPOINT_H
#define INTERP_CHECKPOINT_H
#include "interp/stepping/step.h"

/**
 * Checkpoints for a debugger, as bytes. Gangs have one lane and are stepped (step.h), and are
 * between two instructions. Global memory is not included.
 */
void vm_lane_save(struct vm_gang *g, struct str *to);
void vm_lane_restore(struct vm_gang *g, const char *from);
/** The group without its lanes: barriers, async copies, local memory, amount of printed text. */
void vm_group_save(struct vm_group *grp, struct str *to);
void vm_group_restore(struct vm_group *grp, const char *from);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_BARRIER_H
#define INTERP_BARRIER_H
#include "interp/core/group.h"

/** Barriers of a group: see barrier.c. */

/**
 * No work-item can run: passes the barrier, or reports the divergence and resumes some work-items.
 */
void vm_group_judge(struct vm_group *grp);

/**
 * Do all work-items wait at one instance of a barrier, with the same arguments?
 */
bool vm_group_arrived(const struct vm_group *grp);

vm_handler vm_op_barrier;
#endif

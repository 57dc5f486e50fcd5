// SPDX-License-Identifier: MIT
#ifndef INTERP_BARRIER_H
#define INTERP_BARRIER_H
#include "interp/core/group.h"

/** Barriers of a group: see barrier.c. */

/** No work-item can run: the barrier is passed, or what is wrong with it is reported and some go
 * on. */
void vm_group_judge(struct vm_group *grp);

/**
 * All its work-items wait at one instance of a barrier, which they came to with the same arguments.
 */
bool vm_group_arrived(const struct vm_group *grp);

vm_handler vm_op_barrier;
#endif

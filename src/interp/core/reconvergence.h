// SPDX-License-Identifier: MIT
#ifndef INTERP_RECONVERGENCE_H
#define INTERP_RECONVERGENCE_H
#include "interp/core/group.h"

/** Work-items of a sub-group that wait for each other: see reconvergence.c. */

/**
 * No lane can run: resumes lanes that wait for lanes of their sub-group that can no longer arrive.
 * Returns whether any do.
 */
bool vm_reconverge_rest(struct vm_gang *g);

/** The same under a debugger, for all work-items. `only_ask`: only returns whether any would. */
bool vm_reconverge_stepped(struct vm_group *grp, bool only_ask);

/**
 * No work-item makes progress: resumes those that need not wait for the rest of their sub-group.
 * Returns whether any do.
 */
bool vm_reconverge_partially(struct vm_group *grp);

vm_handler vm_op_reconverge, vm_op_reconverge_stepped;
#endif

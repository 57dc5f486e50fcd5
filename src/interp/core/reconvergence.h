// SPDX-License-Identifier: MIT
#ifndef INTERP_RECONVERGENCE_H
#define INTERP_RECONVERGENCE_H
#include "interp/core/group.h"

/** Where work-items of a sub-group wait for one another: see reconvergence.c. */

/**
 * No lane runs: those go on that wait for lanes of their sub-group of which none can come any more;
 * whether any do.
 */
bool vm_reconverge_rest(struct vm_gang *g);

/** The same under a debugger, of all work-items; `only_ask`: whether any would. */
bool vm_reconverge_stepped(struct vm_group *grp, bool only_ask);

/**
 * Nobody gets any further: those go on that need not wait for the rest of their sub-group; whether
 * any do.
 */
bool vm_reconverge_partially(struct vm_group *grp);

vm_handler vm_op_reconverge, vm_op_reconverge_stepped;
#endif

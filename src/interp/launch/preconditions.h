// SPDX-License-Identifier: MIT
#ifndef INTERP_PRECONDITIONS_H
#define INTERP_PRECONDITIONS_H
#include "interp/vm.h"

/**
 * The kernel has a form for launches like this one (bc_kernel.guarded): its barriers' guards hold
 * for every work-item.
 */
bool vm_guards_hold(const struct vm_launch *l);
#endif

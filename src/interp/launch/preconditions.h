// SPDX-License-Identifier: MIT
#ifndef INTERP_PRECONDITIONS_H
#define INTERP_PRECONDITIONS_H
#include "interp/vm.h"

/**
 * Does the kernel have a specialized variant (bc_kernel.specialized) whose preconditions hold for
 * every work-item of the launch?
 */
bool vm_preconditions_hold(const struct vm_launch *l);
#endif

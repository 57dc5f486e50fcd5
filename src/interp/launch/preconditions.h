// SPDX-License-Identifier: MIT
#ifndef INTERP_PRECONDITIONS_H
#define INTERP_PRECONDITIONS_H
#include "interp/vm.h"

/**
 * Whether the kernel has a variant specialized for launches like this one (bc_kernel.specialized),
 * and its preconditions hold for every work-item.
 */
bool vm_preconditions_hold(const struct vm_launch *l);
#endif

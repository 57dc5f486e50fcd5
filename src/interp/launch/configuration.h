// SPDX-License-Identifier: MIT
#ifndef INTERP_CONFIGURATION_H
#define INTERP_CONFIGURATION_H
#include "interp/launch/run.h"

/**
 * Chooses the width of gangs, the number of groups per gang, and the variant of the kernel (l is
 * run->l): sets run->packed_groups, run->npacks, run->code.
 */
void vm_configure(struct vm_run *run, struct vm_launch *l);
#endif

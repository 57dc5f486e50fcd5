// SPDX-License-Identifier: MIT
#ifndef INTERP_CONFIGURATION_H
#define INTERP_CONFIGURATION_H
#include "interp/launch/run.h"

/**
 * Chooses how wide gangs are, how many groups one holds, and which variant of the kernel runs (l is
 * run->l): sets run->packed_groups, run->npacks, run->code.
 */
void vm_configure(struct vm_run *run, struct vm_launch *l);
#endif

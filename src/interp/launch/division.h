// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVISION_H
#define INTERP_DIVISION_H
#include <stdbool.h>

/** Launches that several processes share: struct vm_division (vm.h). */
struct vm_run;
/**
 * Before the workers run: limits them to the groups of this part. If one process has to run all
 * groups, part 0 does so, and for the others the result is false.
 */
bool vm_division_begin(struct vm_run *run);
/**
 * After they have ended. Part 0: takes the results of the other parts. False: there is nothing to
 * report in this process, or in no process (vm_division.why).
 */
bool vm_division_meet(struct vm_run *run);
#endif

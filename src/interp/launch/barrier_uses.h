// SPDX-License-Identifier: MIT
#ifndef INTERP_BARRIER_USES_H
#define INTERP_BARRIER_USES_H
#include "race/race.h"

/** Which barriers of a kernel are needed, for --advise (race/barrier_intervals.c). */
struct vm_run;
/** Numbers the barriers of the launch, if that is wanted and can be found out. */
void vm_barriers_number(struct vm_run *run, struct race_config *c);
/** After races and faults were reported: adds the result to the launch's coverage. */
void vm_barriers_end(struct vm_run *run);
#endif

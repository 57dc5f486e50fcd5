// SPDX-License-Identifier: MIT
#ifndef INTERP_RACE_SETUP_H
#define INTERP_RACE_SETUP_H
#include "interp/launch/run.h"

/** Chooses the objects that are checked for races, and the kind of check; sets run->race. */
void vm_race_setup(struct vm_run *run);
/** The largest size of which all accesses to local or global memory are multiples. */
unsigned vm_race_granularity(const struct vm_run *run, bool local);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_LAUNCH_REPORT_H
#define INTERP_LAUNCH_REPORT_H
#include "interp/launch/run.h"

/** After all groups: finds races between groups, and reports all races. Called once. */
void vm_races_report(struct vm_run *run);

/** Converts the workers' fault records to findings. */
void vm_report_faults(struct vm_run *run);
#endif

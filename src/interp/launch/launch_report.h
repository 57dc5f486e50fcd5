// SPDX-License-Identifier: MIT
#ifndef INTERP_LAUNCH_REPORT_H
#define INTERP_LAUNCH_REPORT_H
#include "interp/launch/run.h"

/** All groups are done: races between them are looked for, and all races reported. Once. */
void vm_races_report(struct vm_run *run);

/** Makes findings of the workers' fault records. */
void vm_report_faults(struct vm_run *run);
#endif

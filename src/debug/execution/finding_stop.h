// SPDX-License-Identifier: MIT
#ifndef DEBUG_FINDING_STOP_H
#define DEBUG_FINDING_STOP_H
#include "interp/stepping/step.h"

// for struct vm_debugger and struct chk_launch
void dbg_on_fault(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first);
void dbg_on_race(void *ctx, struct vm_run *run, const struct race_pair *p);
void dbg_on_finding(void *ctx, const struct rep_finding *f);
/** Stops for findings of the item's last instruction, if enabled. */
bool dbg_stop_for_findings(uint32_t item);
/** Is there a catchpoint, or the setting, for the end of launches? */
bool dbg_may_stop_at_launch_end(void);
/** All work-items of the launch have returned: stops if the user wants it. */
void dbg_stop_at_launch_end(uint32_t item);
#endif

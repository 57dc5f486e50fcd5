// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVERGENCE_REPORT_H
#define INTERP_DIVERGENCE_REPORT_H
#include "interp/core/group.h"

/** Reports, once, that work-items of the group wait at different barriers or returned. */
void vm_report_divergence(struct vm_group *grp);

/**
 * All work-items wait at one barrier. Reports flags that differ. Returns the flags that all of them
 * name, which the barrier fences.
 */
uint32_t vm_compare_flags(struct vm_group *grp, unsigned kind, bool had_diverged);
#endif

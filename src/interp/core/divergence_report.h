// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVERGENCE_REPORT_H
#define INTERP_DIVERGENCE_REPORT_H
#include "interp/core/group.h"

/** The work-items of the group wait at different barriers, or some returned: reported once. */
void vm_report_divergence(struct vm_group *grp);

/**
 * All work-items wait at one barrier: reports flags that differ. Returns the flags that all of them
 * name, which the barrier fences.
 */
uint32_t vm_compare_flags(struct vm_group *grp, unsigned kind, bool had_diverged);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVERGENCE_REPORT_H
#define INTERP_DIVERGENCE_REPORT_H
#include "interp/core/group.h"

/** The work-items of the group wait at different barriers, or some returned: reported once. */
void vm_report_divergence(struct vm_group *grp);

/**
 * All wait at one barrier: reports flags that differ. What a barrier fences is what all of them
 * name.
 */
uint32_t vm_compare_flags(struct vm_group *grp, unsigned kind, bool had_diverged);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_INTERLEAVE_H
#define INTERP_INTERLEAVE_H
#include "interp/core/group.h"

/**
 * Runs the whole launch in the order given by vm_launch.schedule. The launch has one worker, and
 * gangs have one lane.
 */
void vm_interleave(struct vm_worker *w);
#endif

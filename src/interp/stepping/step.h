// SPDX-License-Identifier: MIT
#ifndef INTERP_STEP_H
#define INTERP_STEP_H
#include "interp/core/barrier.h"
#include "interp/core/barrier_instance.h"
#include "interp/core/fault.h"
#include "interp/core/group.h"
#include "interp/core/host_address.h"
#include "interp/core/lane_operand.h"
#include "interp/core/reconvergence.h"
#include "interp/core/lane_identity.h"
#include "interp/launch/launch_report.h"
#include "interp/launch/worker.h"

/**
 * The engine for a debugger: one instruction of one work-item. Gangs have one lane. A call pushes a
 * frame and returns the callee's first instruction, instead of running it on the C stack. Each
 * work-item of a group can therefore stop anywhere, and they can be stepped in any order.
 */

/**
 * Makes g->at name what the lane does next: at its start, after a barrier or a yield. NULL: it has
 * nothing to do.
 */
const struct vm_insn *vm_step_begin(struct vm_gang *g);
/** Runs g->at. If the lane cannot go on, g->at is NULL and g->state is the reason. */
void vm_step(struct vm_gang *g);
/** The barrier at which the work-item waits, or NULL. */
const struct bc_insn *vm_step_barrier(const struct vm_gang *g);

vm_handler vm_step_call, vm_step_undef_call;
/**
 * An access to a scalar variable in private memory; the general way where something is the matter
 * with it.
 */
vm_handler vm_step_load, vm_step_store;
bool vm_step_is_plain(const struct vm_access *x);
/**
 * Work-items [0, n) of a sub-group, of which `here` stand before vm_undef_collect for a function
 * that they have come together for: it is done for all of these.
 */
void vm_undef_collect_stepped(struct vm_gang *const g[], const bool here[], uint32_t n);
#endif

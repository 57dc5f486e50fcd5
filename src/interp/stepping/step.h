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
 * The interpreter for a debugger: one instruction of one work-item. Gangs have one lane. A call
 * pushes a frame and returns the callee's first instruction, instead of running it on the C stack.
 * Each work-item of a group can therefore stop anywhere, and they can be stepped in any order.
 */

/**
 * Sets g->at to the lane's next instruction, at its start or after a barrier or a yield. NULL: the
 * lane cannot run.
 */
const struct vm_insn *vm_step_begin(struct vm_gang *g);
/** Begins a function that no frame calls, in a gang that was started. */
void vm_step_enter(struct vm_gang *g, const struct vm_fn *fn);
/** Runs g->at. If the lane cannot continue, g->at is NULL and g->state is the reason. */
void vm_step(struct vm_gang *g);
/** The barrier at which the work-item waits, or NULL. */
const struct bc_insn *vm_step_barrier(const struct vm_gang *g);

vm_handler vm_step_call, vm_step_undef_call;
/**
 * An access to a scalar variable in private memory; falls back to the general access for any error.
 */
vm_handler vm_step_load, vm_step_store;
bool vm_step_is_plain(const struct vm_access *x);
/**
 * Executes vm_undef_collect for the members `here` of a sub-group [0, n), which have all reached
 * it.
 */
void vm_undef_collect_stepped(struct vm_gang *const g[], const bool here[], uint32_t n);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_TRIAL_CALL_H
#define INTERP_TRIAL_CALL_H
#include "interp/stepping/step.h"

/**
 * Trial calls, for expressions of a debugger: a function of the program runs in a copy of a stepped
 * work-item. The copy has the private memory of the work-item, and sees the memory of its group and
 * of the launch, which it can only read. Nothing that it does is checked for races, counted or
 * reported.
 */
struct vm_trial {
    struct vm_gang *copy;        // made on first use; of the same code as the work-item
    const struct bc_insn *fault; // the instruction that failed, and how; NULL: none
    enum chk_fault_kind kind;
};
enum vm_trial_end {
    VM_TRIAL_RETURNED, // the results are in the function's registers of the copy
    VM_TRIAL_FAILED,   // at an instruction that would be a finding
    VM_TRIAL_ENDLESS,  // stopped after the given number of instructions
    VM_TRIAL_WROTE     // it changed variables of its callers
};

/**
 * Readies the copy of g for a call of fn, which can reach the functions with a bit in `reached` (by
 * index in code->fns): the caller writes parameters then. `result`: id of a private object that the
 * function may write, or 0. False: there is no memory.
 */
bool vm_trial_begin(struct vm_trial *t, struct vm_gang *g, const struct vm_fn *fn,
                    const bool *reached, uint32_t result);
enum vm_trial_end vm_trial_run(struct vm_trial *t, const struct vm_gang *g, uint64_t limit);
void vm_trial_deinit(struct vm_trial *t);
#endif

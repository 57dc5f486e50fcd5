// SPDX-License-Identifier: MIT
#ifndef INTERP_SCHEDULE_H
#define INTERP_SCHEDULE_H
#include "interp/core/gang.h"

/** Which lanes run next where they diverge: see schedule.c. */

/** Enters block t of the current frame with the lanes of mask and nactive. */
const struct vm_insn *vm_enter(struct vm_gang *g, uint32_t t);

/** The active lanes go to block t. Runs the lanes that are next. */
const struct vm_insn *vm_go(struct vm_gang *g, uint32_t t);

/**
 * The active lanes leave the frame or wait. Runs the lanes that are next; NULL if none are left.
 */
const struct vm_insn *vm_next(struct vm_gang *g);

const struct vm_insn *vm_split(struct vm_gang *g, const uint8_t *cond, uint32_t t_true,
                               uint32_t t_false);
/** Makes f the running frame, without pending lanes. The caller enters block 0. */
void vm_frame_start(struct vm_gang *g, struct vm_frame *f, const uint8_t *mask);

/** Makes a lane wait before a block. When all lanes wait, vm_frame_resume runs some. */
void vm_frame_pend(struct vm_gang *g, struct vm_frame *f, uint32_t block, uint32_t lane);

const struct vm_insn *vm_frame_resume(struct vm_gang *g, struct vm_frame *f);

/** Begins or ends the lifetime of a function's variables in memory. */
void vm_set_variables(struct vm_gang *g, const struct vm_fn *fn, bool there);

/** Terminators and calls. vm_undef_call: in the clean stream, where the callee may return something
 * undefined. */
vm_handler vm_op_br, vm_op_cbr_uniform, vm_op_ret, vm_op_call, vm_undef_call;
#endif

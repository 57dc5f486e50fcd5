// SPDX-License-Identifier: MIT
#ifndef PROOF_PROOF_H
#define PROOF_PROOF_H
#include "base/vec.h"
#include "bytecode/question.h"
#include "frontend/debug_metadata.h"

#include <llvm-c/Core.h>

/**
 * Proofs about kernels: whether every launch that a question describes is free of races, barrier
 * divergence, accesses out of bounds, etc. The question and the answer are in bytecode/question.h.
 * doc/VERIFY.md describes the method and its assumptions.
 *
 * Soundness: PROOF_PROVED is true for all executions that the question allows. A construct that is
 * not understood makes properties unknown, with the instruction as the reason.
 */

/** Removes the barriers that the question names, before everything else. */
struct err *proof_drop_barriers(LLVMModuleRef m, const struct proof_question *q);

/**
 * Inlines all calls and promotes private variables to registers, in place, after rg_normalize. The
 * debug info is created before it.
 */
struct err *proof_prepare(LLVMModuleRef m);

/** Branches on which barriers depend and that may go several ways in a work-group. */
struct proof_branches {
    VEC(LLVMValueRef) of; // terminators of the prepared module; a branch may occur several times
    bool all;             // it is not known of any
};
/** Finds those that are not proved to be uniform; q->wanted: PROOF_DIVERGENCE alone. */
struct err *proof_find_branches(LLVMModuleRef m, const struct proof_question *q, struct arena *a,
                                struct proof_branches *out);

/** Answers one question about a prepared module; any number may be asked. Texts live in `a`. */
struct err *proof_run(LLVMModuleRef m, struct fe_debug *d, const struct proof_question *q,
                      struct arena *a, struct proof_answer *out);
#endif

// SPDX-License-Identifier: MIT
// Questions about a program without some of its barriers: if it has no race, they are needless.
// Barriers of other files at the same line and column go, too, which only makes more races.
#include "proof/proof.h"

#include "llvm/ir.h"
#include "regions/regions.h"

/** Removes the barrier calls at the place; returns their number. */
static unsigned drop(LLVMModuleRef m, const struct proof_line *at)
{
    unsigned n = 0;
    for (LLVMValueRef fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!LLVMIsACallInst(i) || rg_barrier_of(i) != RG_WORK_GROUP_BARRIER ||
                    LLVMGetDebugLocLine(i) != at->line || LLVMGetDebugLocColumn(i) != at->column)
                    continue;
                LLVMInstructionEraseFromParent(i);
                n++;
            }
    return n;
}

struct err *proof_drop_barriers(LLVMModuleRef m, const struct proof_question *q)
{
    for (uint32_t i = 0; i < q->ndropped; i++)
        if (!drop(m, &q->dropped[i]))
            return err_new("there is no barrier at line %u, column %u", q->dropped[i].line,
                           q->dropped[i].column);
    return NULL;
}

// SPDX-License-Identifier: MIT
// Block merging: appends a block to its only predecessor, if it is the only successor of that.
// Unoptimized code of clang has additional blocks at the end of each `if` and for the step of each
// `for`. Each of them costs the interpreter a jump, and analyses of the lowering are local to a
// block. Behavior and source locations do not change.
#include "regions/regions.h"

#include "llvm/ir.h"

/** The only predecessor of b, if it jumps there unconditionally; otherwise NULL. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef b)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
    LLVMValueRef jump = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    if (!jump || !LLVMIsABranchInst(jump) || LLVMIsConditional(jump)) return NULL;
    LLVMValueRef first = LLVMGetFirstInstruction(b);
    LLVMBasicBlockRef before = LLVMGetInstructionParent(jump);
    return before == b || LLVMIsAPHINode(first) || l_has_debug_records(b) ? NULL : before;
}

static void join(LLVMBuilderRef at, LLVMBasicBlockRef to, LLVMBasicBlockRef b)
{
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(to));
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(b),
                           LLVMBasicBlockAsValue(to)); // and blocks merged after b
    for (LLVMValueRef i; (i = LLVMGetFirstInstruction(b));) {
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderAtEnd(at, to);
        LLVMSetCurrentDebugLocation2(at, NULL); // each keeps its location
        LLVMInsertIntoBuilder(at, i);
    }
    LLVMDeleteBasicBlock(b);
}

void rg_merge_blocks(LLVMModuleRef m)
{
    LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    l_each_function(m, fn)
        for (LLVMBasicBlockRef b = LLVMIsDeclaration(fn) ? NULL : LLVMGetFirstBasicBlock(fn), next;
             b; b = next) {
            next = LLVMGetNextBasicBlock(b);
            LLVMBasicBlockRef before = only_before(b);
            if (before) join(at, before, b);
        }
    LLVMDisposeBuilder(at);
}

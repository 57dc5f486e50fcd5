// SPDX-License-Identifier: MIT
// Block merging: a block with one predecessor, of which it is the only successor, is appended to
// it. Clang, which runs without optimization here, begins a block at the end of each `if` and for
// the step of each `for`; every one of them costs the engine a jump, and what the lowering finds
// out about a block ends with it. The program does the same at the same places.
#include "regions/regions.h"

#include "llvm/ir.h"

/** The only block that b comes from, if it goes there without a condition; or NULL. */
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
                           LLVMBasicBlockAsValue(to)); // and blocks that were merged after b
    for (LLVMValueRef i; (i = LLVMGetFirstInstruction(b));) {
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderAtEnd(at, to);
        LLVMSetCurrentDebugLocation2(at, NULL); // each keeps its own
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

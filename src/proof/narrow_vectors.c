// SPDX-License-Identifier: MIT
// Variables of three components. clang loads and stores them as vectors of four, whose last
// component has no value, which keeps them in memory. Where all accesses of a variable are such,
// they become accesses of three components, and mem2reg promotes it.
#include "proof/kernel.h"

#include "llvm/ir.h"

/** The type of a variable of three components; NULL: it is another variable. */
static LLVMTypeRef narrow_type(LLVMValueRef variable)
{
    LLVMTypeRef t = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : NULL;
    const bool is_vector = t && LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    return is_vector && LLVMGetVectorSize(t) == 3 ? t : NULL;
}

/** A shuffle that takes the first three components of its first operand. */
static bool takes_three(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || !LLVMIsAShuffleVectorInst(v)) return false;
    for (int i = 0; i < 3; i++)
        if (LLVMGetMaskValue(v, (unsigned)i) != i) return false;
    return true;
}

static bool has_four(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind && LLVMGetVectorSize(t) == 4;
}

static bool narrows_only(LLVMValueRef load)
{
    if (!has_four(load)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef s = LLVMGetUser(u);
        if (!takes_three(s) || LLVMGetOperand(s, 0) != load || LLVMGetNumMaskElements(s) != 3)
            return false;
    }
    return true;
}

static bool can_be_narrow(LLVMValueRef variable, LLVMTypeRef narrow)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsACallInst(i) && l_callee(i) && str_starts(l_name(l_callee(i)), "llvm.lifetime."))
            continue;
        const bool loads = LLVMIsALoadInst(i) && !LLVMGetVolatile(i) && narrows_only(i),
                   stores = LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) &&
                            LLVMGetOperand(i, 1) == variable &&
                            (LLVMTypeOf(LLVMGetOperand(i, 0)) == narrow ||
                             has_four(LLVMGetOperand(i, 0)));
        if (!loads && !stores) return false;
    }
    return true;
}

static void narrow_access(LLVMBuilderRef b, LLVMValueRef i, LLVMTypeRef narrow)
{
    LLVMPositionBuilderBefore(b, i);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef v = LLVMGetOperand(i, 0);
        if (LLVMTypeOf(v) != narrow) {
            LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(narrow));
            LLVMValueRef three[3];
            for (unsigned k = 0; k < 3; k++) three[k] = LLVMConstInt(i32, k, false);
            v = LLVMBuildShuffleVector(b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                       LLVMConstVector(three, 3), "");
        }
        LLVMBuildStore(b, v, LLVMGetOperand(i, 1));
    } else {
        LLVMValueRef v = LLVMBuildLoad2(b, narrow, LLVMGetOperand(i, 0), "");
        for (LLVMUseRef u; (u = LLVMGetFirstUse(i));) {
            LLVMValueRef shuffle = LLVMGetUser(u);
            LLVMReplaceAllUsesWith(shuffle, v);
            LLVMInstructionEraseFromParent(shuffle);
        }
    }
    LLVMInstructionEraseFromParent(i);
}

void pk_narrow_vectors(LLVMValueRef f)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
    l_each_insn(LLVMGetEntryBasicBlock(f), variable) {
        LLVMTypeRef narrow = narrow_type(variable);
        if (!narrow || !can_be_narrow(variable, narrow)) continue;
        VEC(LLVMValueRef) accesses = {0};
        for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
            if (!LLVMIsACallInst(LLVMGetUser(u))) vec_push(&accesses, LLVMGetUser(u));
        for (size_t i = 0; i < accesses.len; i++) narrow_access(b, accesses.data[i], narrow);
        vec_free(&accesses);
    }
    LLVMDisposeBuilder(b);
}

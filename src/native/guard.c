// SPDX-License-Identifier: MIT
// Guards of integer division. Division by zero, and of the smallest integer by -1, has an
// unspecified value in OpenCL C; it does not trap, and LLVM must not treat it as undefined
// behavior. Invariant: the result is 0, as in the interpreter. The compared operands are frozen;
// otherwise a division by an undefined value could trap.
#include "native/native.h"

LLVMValueRef nat_guard_division(LLVMBuilderRef b, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    const bool sgn = op == LLVMSDiv || op == LLVMSRem;
    LLVMValueRef x = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
    if (!sgn && op != LLVMUDiv && op != LLVMURem) return NULL;
    if (LLVMIsAConstantInt(d) && LLVMConstIntGetZExtValue(d) && LLVMConstIntGetSExtValue(d) != -1)
        return NULL;
    LLVMTypeRef t = LLVMTypeOf(d);
    LLVMValueRef ones = LLVMConstAllOnes(t), zero = LLVMConstNull(t);
    LLVMPositionBuilderBefore(b, i);
    d = LLVMBuildFreeze(b, d, "");
    LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntEQ, d, zero, "");
    if (sgn) {
        LLVMTypeRef e = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
        LLVMValueRef least[16], one = LLVMConstInt(e, 1ull << (LLVMGetIntTypeWidth(e) - 1), false);
        for (unsigned k = 0; k < 16; k++) least[k] = one;
        if (e != t) one = LLVMConstVector(least, LLVMGetVectorSize(t));
        x = LLVMBuildFreeze(b, x, "");
        LLVMValueRef is = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, d, ones, ""),
                                       LLVMBuildICmp(b, LLVMIntEQ, x, one, ""), "");
        bad = LLVMBuildOr(b, bad, is, "");
    }
    LLVMSetOperand(i, 0, x);
    LLVMSetOperand(i, 1, LLVMBuildSelect(b, bad, LLVMBuildSub(b, zero, ones, ""), d, ""));
    return bad;
}

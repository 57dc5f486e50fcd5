// SPDX-License-Identifier: MIT
// Builtins of half: those of float, on operands that are widened and with a result that is rounded,
// as in lower/ (builtin.c, half.c). LLVM has the arithmetic itself, and does it the same way.
#include "native/body.h"

#include <string.h>

LLVMValueRef nat_to_half(struct nat_body *x, LLVMValueRef v, enum bi_round round)
{
    LLVMTypeRef t = LLVMTypeOf(v), half = LLVMHalfTypeInContext(x->ctx);
    const bool wide = LLVMGetTypeKind(nat_elem(t)) == LLVMDoubleTypeKind;
    const unsigned mode = round == BI_ROUND_NONE ? 0 : round - BI_RTE;
    if (!wide && !mode) return LLVMBuildFPTrunc(x->b, v, nat_with(t, half), "");
    v = nat_lane(x, (wide ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte) + mode, &v);
    return LLVMBuildBitCast(x->b, v, nat_with(t, half), "");
}

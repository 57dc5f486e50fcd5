// SPDX-License-Identifier: MIT
// Builtins of half by those of float: operands are widened, which is exact, and the result is
// rounded (half evaluated in a wider format, IEEE 754 10.4).
#include "library/expansions.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <string.h>

// Builtins that move the bits of half, or convert it themselves.
static const bool moves_bits[BI_COUNT] = {
    [BI_shuffle] = true,
    [BI_shuffle2] = true,
    [BI_vload] = true,
    [BI_vstore] = true,
    [BI_printf] = true,
    [BI_work_group_broadcast] = true,
    [BI_sub_group_broadcast] = true,
    [BI_sub_group_broadcast_first] = true,
    [BI_sub_group_non_uniform_broadcast] = true,
    [BI_sub_group_shuffle] = true,
    [BI_sub_group_shuffle_xor] = true,
    [BI_sub_group_shuffle_up] = true,
    [BI_sub_group_shuffle_down] = true,
    [BI_sub_group_rotate] = true,
    [BI_sub_group_clustered_rotate] = true,
};

bool lib_is_of_half(const struct bi_call *c)
{
    bool any = c->gen.scalar == BI_HALF && !c->gen.pointers;
    for (unsigned k = 0; k < c->nargs; k++)
        any |= c->arg[k].scalar == BI_HALF && !c->arg[k].pointers;
    return any && !moves_bits[c->id] && strncmp(c->row->name, "atomic_", 7) &&
           !(c->id == BI_convert_ && c->to.scalar == BI_HALF);
}

/** float for half, in vectors too; NULL for other types. */
static LLVMTypeRef wide_type(LLVMTypeRef t)
{
    const bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    if (LLVMGetTypeKind(vector ? LLVMGetElementType(t) : t) != LLVMHalfTypeKind) return NULL;
    LLVMTypeRef f = LLVMFloatTypeInContext(LLVMGetTypeContext(t));
    return vector ? LLVMVectorType(f, LLVMGetVectorSize(t)) : f;
}

/** The mangled name with f for Dh: neither is remembered for substitution. */
static LLVMValueRef float_function(LLVMValueRef half, LLVMTypeRef t)
{
    struct str name = {0};
    for (const char *p = l_name(half); *p; p++)
        if (p[0] == 'D' && p[1] == 'h') str_put_char(&name, 'f'), p++;
        else str_put_char(&name, *p);
    LLVMValueRef f = lib_declared(LLVMGetGlobalParent(half), str_text(&name), t);
    str_deinit(&name);
    return f;
}

static LLVMValueRef private_variable(LLVMValueRef call, LLVMTypeRef t)
{
    LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(t));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
    LLVMValueRef v = LLVMBuildAlloca(b, t, "");
    LLVMDisposeBuilder(b);
    return v;
}

LLVMValueRef lib_call_of_float(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c)
{
    LLVMTypeRef types[BI_MAX_ARGS], result = wide_type(LLVMTypeOf(call)),
                                    t = result ? result : LLVMTypeOf(call);
    LLVMValueRef args[BI_MAX_ARGS], second = NULL; // fract, modf, sincos have a second result
    if (LLVMGetNumArgOperands(call) != c->nargs) return NULL;
    for (unsigned k = 0; k < c->nargs; k++) {
        args[k] = LLVMGetOperand(call, k);
        types[k] = wide_type(LLVMTypeOf(args[k]));
        if (types[k]) args[k] = LLVMBuildFPExt(b, args[k], types[k], "");
        if (c->arg[k].scalar == BI_HALF && c->arg[k].pointers)
            args[k] = second = private_variable(call, t);
        types[k] = LLVMTypeOf(args[k]);
    }
    LLVMTypeRef of = LLVMFunctionType(t, types, c->nargs, false);
    LLVMValueRef fn = float_function(LLVMGetCalledValue(call), of),
                 r = LLVMBuildCall2(b, of, fn, args, c->nargs, "");
    LLVMSetInstructionCallConv(r, LLVMSPIRFUNCCallConv);
    if (second) {
        LLVMValueRef v =
            LLVMBuildFPTrunc(b, LLVMBuildLoad2(b, t, second, ""), LLVMTypeOf(call), "");
        LLVMSetAlignment(LLVMBuildStore(b, v, LLVMGetOperand(call, c->nargs - 1)), 2);
    }
    if (!result) return r;
    if (c->id == BI_fract) { // what rounds to 1 stays below it
        LLVMValueRef least =
                         LLVMConstReal(LLVMFloatTypeInContext(LLVMGetTypeContext(t)), 0x1.ffcp-1),
                     all[16];
        for (unsigned k = 0; k < 16; k++) all[k] = least;
        if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
            least = LLVMConstVector(all, LLVMGetVectorSize(t));
        r = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, least, r, ""), least, r, "");
    }
    return LLVMBuildFPTrunc(b, r, LLVMTypeOf(call), "");
}

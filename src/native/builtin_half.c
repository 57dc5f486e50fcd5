// SPDX-License-Identifier: MIT
// Builtins of half: those of float, on operands that are widened and with a result that is rounded,
// as in lower/ (builtin.c, half.c). LLVM has the arithmetic itself, and does it the same way.
#include "native/body.h"

#include <string.h>

// Builtins to which half is 16 bits, or that convert it themselves.
static const bool takes_bits[BI_COUNT] = {
    [BI_convert_] = true,  [BI_select] = true, [BI_bitselect] = true, [BI_shuffle] = true,
    [BI_shuffle2] = true,  [BI_vload] = true,  [BI_vstore] = true,    [BI_nan] = true,
    [BI_nextafter] = true, [BI_fma] = true,
};

static bool of_half(const struct bi_type *t) { return t->scalar == BI_HALF; }

static bool is_half(LLVMTypeRef t) { return LLVMGetTypeKind(nat_elem(t)) == LLVMHalfTypeKind; }

static LLVMTypeRef wide_type(struct nat_body *x, LLVMTypeRef t)
{
    return is_half(t) ? nat_with(t, LLVMFloatTypeInContext(x->ctx)) : t;
}

bool nat_is_of_half(const struct bi_call *c)
{
    bool any = of_half(&c->gen);
    for (unsigned k = 0; k < c->nargs; k++) any |= of_half(&c->arg[k]) && !c->arg[k].pointers;
    return any && !takes_bits[c->id] &&
           !strstr(c->row->name, "_group_"); // (those see to it themselves)
}

// The float function is one of this module's own; the second result of fract, modf and sincos goes
// through a place of its own.
LLVMValueRef nat_half_call(struct nat_body *x)
{
    struct bi_call wide = *x->c;
    LLVMTypeRef types[BI_MAX_ARGS];
    LLVMValueRef args[BI_MAX_ARGS], second = NULL;
    for (unsigned k = 0; k < x->nargs; k++) {
        LLVMValueRef p = LLVMGetParam(x->fn, k);
        args[k] = p;
        if (of_half(&x->c->arg[k]) && x->c->arg[k].pointers)
            args[k] = second = LLVMBuildAlloca(x->b, wide_type(x, x->type), "");
        else if (is_half(LLVMTypeOf(p)))
            args[k] = LLVMBuildFPExt(x->b, p, wide_type(x, LLVMTypeOf(p)), "");
        if (of_half(&x->c->arg[k])) wide.arg[k].scalar = BI_FLOAT;
        types[k] = LLVMTypeOf(args[k]);
    }
    if (of_half(&wide.gen)) wide.gen.scalar = BI_FLOAT;
    struct str name = {0};
    str_printf(&name, "half.%s", l_name(x->fn));
    LLVMTypeRef t = LLVMFunctionType(wide_type(x, x->type), types, x->nargs, false);
    LLVMValueRef fn = LLVMAddFunction(x->m, name.data, t);
    str_deinit(&name);
    nat_give_body(x->m, fn, &wide, true);
    if (LLVMIsDeclaration(fn)) {
        LLVMDeleteFunction(fn);
        x->no = true;
        return NULL;
    }
    LLVMValueRef r = LLVMBuildCall2(x->b, t, fn, args, x->nargs, "");
    if (x->c->id == BI_fract) { // what rounds to 1 stays below it
        LLVMValueRef below = nat_flt(x, LLVMTypeOf(r), 0x1.ffcp-1);
        r = LLVMBuildSelect(x->b, LLVMBuildFCmp(x->b, LLVMRealOLT, below, r, ""), below, r, "");
    }
    if (second) {
        LLVMValueRef v = LLVMBuildLoad2(x->b, wide_type(x, x->type), second, "");
        LLVMSetAlignment(LLVMBuildStore(x->b, LLVMBuildFPTrunc(x->b, v, x->type, ""),
                                        LLVMGetParam(x->fn, x->nargs - 1)),
                         2);
    }
    return is_half(x->type) ? LLVMBuildFPTrunc(x->b, r, x->type, "") : r;
}

LLVMValueRef nat_to_half(struct nat_body *x, LLVMValueRef v, enum bi_round round)
{
    LLVMTypeRef t = LLVMTypeOf(v), half = LLVMHalfTypeInContext(x->ctx);
    const bool wide = LLVMGetTypeKind(nat_elem(t)) == LLVMDoubleTypeKind;
    const unsigned mode = round == BI_ROUND_NONE ? 0 : round - BI_RTE;
    if (!wide && !mode) return LLVMBuildFPTrunc(x->b, v, nat_with(t, half), "");
    v = nat_lane(x, (wide ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte) + mode, &v);
    return LLVMBuildBitCast(x->b, v, nat_with(t, half), "");
}

// A fused multiply-add of halves is exact in double where it could end between two of them.
LLVMValueRef nat_half_fma(struct nat_body *x, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMTypeRef t = nat_with(LLVMTypeOf(a), LLVMDoubleTypeInContext(x->ctx));
    LLVMValueRef v[] = {LLVMBuildFPExt(x->b, a, t, ""), LLVMBuildFPExt(x->b, b, t, ""),
                        LLVMBuildFPExt(x->b, c, t, "")};
    return nat_to_half(x, nat_intrinsic(x, "llvm.fma", t, v, 3), BI_ROUND_NONE);
}

LLVMValueRef nat_half_next(struct nat_body *x)
{
    LLVMTypeRef bits = nat_with(x->type, LLVMInt16TypeInContext(x->ctx));
    LLVMValueRef v[] = {LLVMBuildBitCast(x->b, nat_arg(x, 0), bits, ""),
                        LLVMBuildBitCast(x->b, nat_arg(x, 1), bits, "")};
    return LLVMBuildBitCast(x->b, nat_lane(x, BI_FN_nextafter_F16, v), x->type, "");
}

// What clang makes of a * b + c.
void nat_half_intrinsics(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!l_is_intrinsic(f, "fmuladd") && !l_is_intrinsic(f, "fma")) continue;
        LLVMTypeRef t = LLVMGlobalGetValueType(f);
        if (!is_half(LLVMGetReturnType(t)) || !LLVMGetFirstUse(f)) continue;
        struct nat_body x = {.m = m,
                             .ctx = LLVMGetModuleContext(m),
                             .fn = LLVMAddFunction(m, "half.fma", t),
                             .type = LLVMGetReturnType(t)};
        x.b = LLVMCreateBuilderInContext(x.ctx);
        LLVMPositionBuilderAtEnd(x.b, LLVMAppendBasicBlockInContext(x.ctx, x.fn, ""));
        LLVMBuildRet(x.b, nat_half_fma(&x, LLVMGetParam(x.fn, 0), LLVMGetParam(x.fn, 1),
                                       LLVMGetParam(x.fn, 2)));
        LLVMDisposeBuilder(x.b);
        LLVMReplaceAllUsesWith(f, x.fn);
    }
}

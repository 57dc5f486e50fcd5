// SPDX-License-Identifier: MIT
// convert_<type><n>[_sat][_<mode>] as instructions of LLVM. Calls are left where LLVM has none:
// floating point to integers (convert_<integer>[_sat], which saturates with and without _sat: out
// of range any result is right, and the interpreter reports it), and roundings that are lane
// functions (bi_convert_lane).
#include "library/expansions.h"

#include "builtins/mangle.h"
#include "llvm/ir.h"

#include <string.h>

static LLVMTypeRef type_of(LLVMContextRef ctx, enum bi_scalar s)
{
    switch (s) {
    case BI_HALF: return LLVMHalfTypeInContext(ctx);
    case BI_FLOAT: return LLVMFloatTypeInContext(ctx);
    case BI_DOUBLE: return LLVMDoubleTypeInContext(ctx);
    default: return LLVMIntTypeInContext(ctx, bi_scalar_size(s) * 8);
    }
}

LLVMValueRef lib_converted(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef v,
                           const struct bi_call *how)
{
    static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
    struct str name = {0}, mangled = {0};
    str_printf(&name, "convert_%s", bi_scalar_name(how->to.scalar));
    if (how->arg[0].width > 1) str_printf(&name, "%u", how->arg[0].width);
    str_printf(&name, "%s%s", how->sat ? "_sat" : "", modes[how->round]);
    bi_mangle(&mangled, str_text(&name), how->arg, 1);
    LLVMTypeRef from = LLVMTypeOf(v),
                to = lib_with(from, type_of(LLVMGetTypeContext(from), how->to.scalar)),
                t = LLVMFunctionType(to, &from, 1, false);
    v = LLVMBuildCall2(b, t, lib_declared(m, str_text(&mangled), t), &v, 1, "");
    LLVMSetInstructionCallConv(v, LLVMSPIRFUNCCallConv);
    str_deinit(&name);
    str_deinit(&mangled);
    return v;
}

static LLVMValueRef intrinsic(LLVMBuilderRef b, LLVMModuleRef m, const char *name,
                              LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef t = LLVMTypeOf(args[0]);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID(name, strlen(name)), &t, 1);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, n, "");
}

static LLVMValueRef limited(LLVMBuilderRef b, LLVMModuleRef m, const char *name, LLVMValueRef v,
                            uint64_t limit)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef all[16], args[2] = {v, NULL};
    const unsigned n = lib_width(t);
    LLVMTypeRef elem = n > 1 ? LLVMGetElementType(t) : t;
    for (unsigned k = 0; k < n; k++) all[k] = LLVMConstInt(elem, limit, false);
    args[1] = n > 1 ? LLVMConstVector(all, n) : all[0];
    return intrinsic(b, m, name, args, 2);
}

/** v clamped, in its own type, to what the result's type holds. */
static LLVMValueRef saturated(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef v,
                              const struct bi_call *c)
{
    const enum bi_scalar from = c->arg[0].scalar, to = c->to.scalar;
    const bool from_signed = bi_is_signed(from), to_signed = bi_is_signed(to);
    const unsigned bits = bi_scalar_size(to) * 8 - to_signed; // of the result, without sign
    const uint64_t max = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    const bool exceeds = bits < bi_scalar_size(from) * 8 - from_signed;
    if (exceeds) v = limited(b, m, from_signed ? "llvm.smin" : "llvm.umin", v, max);
    if (from_signed && !to_signed) v = limited(b, m, "llvm.smax", v, 0);
    if (from_signed && to_signed && exceeds) v = limited(b, m, "llvm.smax", v, ~max);
    return v;
}

static LLVMValueRef int_to_float(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef v, LLVMTypeRef t,
                                 const struct bi_call *c)
{
    const unsigned from = bi_scalar_size(c->arg[0].scalar), to = bi_scalar_size(c->to.scalar);
    const bool exact = to == 4 ? from < 4 : from < 8,
               nearest = c->round == BI_ROUND_NONE || c->round == BI_RTE;
    if (to == 2) { // twice in the same direction; to nearest, what float rounds is infinite in half
        struct bi_call first = *c, second = *c;
        first.to.scalar = second.arg[0].scalar = BI_FLOAT;
        return lib_converted(b, m, lib_converted(b, m, v, &first), &second);
    }
    if (!exact && !nearest) return NULL;
    return bi_is_signed(c->arg[0].scalar) ? LLVMBuildSIToFP(b, v, t, "")
                                          : LLVMBuildUIToFP(b, v, t, "");
}

static LLVMValueRef float_to_float(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef t,
                                   const struct bi_call *c)
{
    const unsigned from = bi_scalar_size(c->arg[0].scalar), to = bi_scalar_size(c->to.scalar);
    if (from == to) return v;
    if (from < to) return LLVMBuildFPExt(b, v, t, "");
    if ((from == 8 && to == 2) || (c->round != BI_ROUND_NONE && c->round != BI_RTE)) return NULL;
    return LLVMBuildFPTrunc(b, v, t, "");
}

static LLVMValueRef float_to_int(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef v,
                                 const struct bi_call *c)
{
    static const char *const steps[] = {
        [BI_RTE] = "llvm.rint", [BI_RTP] = "llvm.ceil", [BI_RTN] = "llvm.floor"};
    struct bi_call cut = *c;
    cut.round = BI_ROUND_NONE;
    if (c->round == BI_ROUND_NONE) return NULL;
    if (c->round != BI_RTZ) v = intrinsic(b, m, steps[c->round], &v, 1);
    return lib_converted(b, m, v, &cut);
}

LLVMValueRef lib_convert(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c)
{
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetCalledValue(call));
    LLVMValueRef v = LLVMGetOperand(call, 0);
    LLVMTypeRef t = LLVMTypeOf(call), from = type_of(LLVMGetTypeContext(t), c->arg[0].scalar);
    if (c->arg[0].width != c->to.width || lib_width(t) != c->to.width ||
        LLVMTypeOf(v) != lib_with(t, from) ||
        t != lib_with(t, type_of(LLVMGetTypeContext(t), c->to.scalar)))
        return NULL; // the types of the call do not match its name
    const bool of_float = bi_is_float(c->arg[0].scalar);
    if (bi_is_float(c->to.scalar))
        return of_float ? float_to_float(b, v, t, c) : int_to_float(b, m, v, t, c);
    if (of_float) return float_to_int(b, m, v, c);
    if (c->sat) v = saturated(b, m, v, c);
    return LLVMBuildIntCast2(b, v, t, bi_is_signed(c->arg[0].scalar), "");
}

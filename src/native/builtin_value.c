// SPDX-License-Identifier: MIT
// Expands pure builtins (values to values) into LLVM code. Invariant: the same steps in the same
// order as in lower/, so that both give the same bits.
#include "native/body.h"

#include <string.h>

LLVMValueRef nat_bi_work_item(struct nat_body *x)
{
    x->no = true;
    return NULL;
}

// ---- opcodes

static LLVMValueRef intrinsic2(struct nat_body *x, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    return nat_intrinsic(x, name, LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}

// ops.def: b < a || a != a ? b : a (and a < b for the maximum)
static LLVMValueRef extreme(struct nat_body *x, bool min, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef less = LLVMBuildFCmp(x->b, LLVMRealOLT, min ? b : a, min ? a : b, "");
    LLVMValueRef nan = LLVMBuildFCmp(x->b, LLVMRealUNO, a, a, "");
    return LLVMBuildSelect(x->b, nan, b, LLVMBuildSelect(x->b, less, b, a, ""), "");
}

static LLVMValueRef half_sum(struct nat_body *x, bool sgn, bool up, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef d = LLVMBuildXor(x->b, a, b, ""), one = nat_int(x, LLVMTypeOf(a), 1);
    d = sgn ? LLVMBuildAShr(x->b, d, one, "") : LLVMBuildLShr(x->b, d, one, "");
    return up ? LLVMBuildSub(x->b, LLVMBuildOr(x->b, a, b, ""), d, "")
              : LLVMBuildAdd(x->b, LLVMBuildAnd(x->b, a, b, ""), d, "");
}

static LLVMValueRef high_product(struct nat_body *x, bool sgn, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef t = LLVMTypeOf(a);
    const unsigned bits = LLVMGetIntTypeWidth(nat_elem(t));
    LLVMTypeRef wide = nat_with(t, LLVMIntTypeInContext(x->ctx, bits * 2));
    const LLVMOpcode ext = sgn ? LLVMSExt : LLVMZExt;
    LLVMValueRef p = LLVMBuildMul(x->b, LLVMBuildCast(x->b, ext, a, wide, ""),
                                  LLVMBuildCast(x->b, ext, b, wide, ""), "");
    return LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, p, nat_int(x, wide, bits), ""), t, "");
}

/** Opcodes that are an LLVM intrinsic, over values of any size. */
static const char *intrinsic_of(unsigned op)
{
    switch (op) {
    case BC_CEIL_F32: return "llvm.ceil";
    case BC_FLOOR_F32: return "llvm.floor";
    case BC_TRUNC_F32: return "llvm.trunc";
    case BC_RINT_F32: return "llvm.rint";
    case BC_FABS_F32: return "llvm.fabs";
    case BC_SQRT_F32: return "llvm.sqrt";
    case BC_COPYSIGN_F32: return "llvm.copysign";
    case BC_FMA_F32: return "llvm.fma";
    case BC_SABS_I8: return "llvm.abs";
    case BC_SADDSAT_I8: return "llvm.sadd.sat";
    case BC_UADDSAT_I8: return "llvm.uadd.sat";
    case BC_SSUBSAT_I8: return "llvm.ssub.sat";
    case BC_USUBSAT_I8: return "llvm.usub.sat";
    case BC_CLZ_I8: return "llvm.ctlz";
    case BC_CTZ_I8: return "llvm.cttz";
    case BC_POPCOUNT_I8: return "llvm.ctpop";
    case BC_BITREVERSE_I8: return "llvm.bitreverse";
    case BC_SMAX_I8: return "llvm.smax";
    case BC_UMAX_I8: return "llvm.umax";
    case BC_SMIN_I8: return "llvm.smin";
    case BC_UMIN_I8: return "llvm.umin";
    default: return NULL;
    }
}

LLVMValueRef nat_op(struct nat_body *x, unsigned op, bool sgn, LLVMValueRef *v, unsigned n)
{
    LLVMValueRef a = v[0], b = n > 1 ? v[1] : NULL;
    const char *name = intrinsic_of(op);
    if (op == BC_SABS_I8 || op == BC_CLZ_I8 || op == BC_CTZ_I8) // the flag: no input gives poison
        v[n++] = LLVMConstInt(LLVMInt1TypeInContext(x->ctx), 0, false);
    if (name) return nat_intrinsic(x, name, LLVMTypeOf(a), v, n);
    switch (op) {
    case BC_FMAX_F32: return extreme(x, false, a, b);
    case BC_FMIN_F32: return extreme(x, true, a, b);
    case BC_FDIV_F32: return LLVMBuildFDiv(x->b, a, b, "");
    case BC_MOV_I8: return a;
    case BC_SABSDIFF_I8:
        return LLVMBuildSub(x->b, intrinsic2(x, "llvm.smax", a, b),
                            intrinsic2(x, "llvm.smin", a, b), "");
    case BC_UABSDIFF_I8:
        return LLVMBuildSub(x->b, intrinsic2(x, "llvm.umax", a, b),
                            intrinsic2(x, "llvm.umin", a, b), "");
    case BC_SHADD_I8:
    case BC_UHADD_I8: return half_sum(x, sgn, false, a, b);
    case BC_SRHADD_I8:
    case BC_URHADD_I8: return half_sum(x, sgn, true, a, b);
    case BC_SMULHI_I8:
    case BC_UMULHI_I8: return high_product(x, sgn, a, b);
    case BC_ROTL_I8:
        return nat_intrinsic(x, "llvm.fshl", LLVMTypeOf(a), (LLVMValueRef[]){a, a, b}, 3);
    case BC_MUL_I8: return LLVMBuildMul(x->b, a, b, "");
    default: x->no = true; return NULL;
    }
}

static LLVMValueRef component(struct nat_body *x, LLVMValueRef v, unsigned i)
{
    if (nat_lanes(LLVMTypeOf(v)) == 1) return v;
    return LLVMBuildExtractElement(x->b, v, LLVMConstInt(LLVMInt32TypeInContext(x->ctx), i, false),
                                   "");
}

// ---- conversions that library/expand_conversions.c does not expand

LLVMValueRef nat_bi_convert(struct nat_body *x)
{
    LLVMValueRef v = LLVMGetParam(x->fn, 0);
    const enum bi_scalar to = x->c->to.scalar;
    if (bi_is_float(to)) {
        v = nat_lane(x, bi_convert_lane(x->c), &v);
        return LLVMBuildBitCast(x->b, v, x->type, "");
    }
    const char *name = bi_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    LLVMTypeRef types[] = {x->type, LLVMTypeOf(v)};
    LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(x->m, LLVMLookupIntrinsicID(name, strlen(name)), types, 2);
    return LLVMBuildCall2(x->b, LLVMGlobalGetValueType(fn), fn, &v, 1, "");
}

LLVMValueRef nat_bi_shuffle(struct nat_body *x)
{
    const unsigned sources = x->nargs - 1, m = x->c->arg[0].width, total = sources * m;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(x->ctx);
    LLVMValueRef all = LLVMGetParam(x->fn, 0), mask = LLVMGetParam(x->fn, sources),
                 r = LLVMGetUndef(x->type);
    if (sources == 2) {
        LLVMValueRef order[32];
        for (unsigned i = 0; i < total; i++) order[i] = LLVMConstInt(i32, i, false);
        all = LLVMBuildShuffleVector(x->b, all, LLVMGetParam(x->fn, 1),
                                     LLVMConstVector(order, total), "");
    }
    mask = LLVMBuildAnd(x->b, mask, nat_int(x, LLVMTypeOf(mask), total - 1), "");
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef at = component(x, mask, i);
        r = LLVMBuildInsertElement(x->b, r, LLVMBuildExtractElement(x->b, all, at, ""),
                                   LLVMConstInt(i32, i, false), "");
    }
    return r;
}

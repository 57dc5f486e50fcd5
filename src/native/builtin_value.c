// SPDX-License-Identifier: MIT
// Builtins that compute a value from values, as LLVM code. What each means is as in lower/: the
// same steps in the same order, so that both give the same bits.
#include "native/body.h"

#include <string.h>

LLVMValueRef nat_bi_work_item(struct nat_body *x)
{
    x->no = true;
    return NULL;
}

// ---- opcodes

static LLVMValueRef one_of(struct nat_body *x, const char *intrinsic, LLVMValueRef a)
{
    return nat_intrinsic(x, intrinsic, LLVMTypeOf(a), &a, 1);
}
static LLVMValueRef two_of(struct nat_body *x, const char *intrinsic, LLVMValueRef a,
                           LLVMValueRef b)
{
    return nat_intrinsic(x, intrinsic, LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}
static LLVMValueRef with_flag(struct nat_body *x, const char *intrinsic, LLVMValueRef a)
{
    const unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
    LLVMTypeRef t = LLVMTypeOf(a);
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(x->m, id, &t, 1),
                 args[] = {a, LLVMConstInt(LLVMInt1TypeInContext(x->ctx), 0, false)};
    return LLVMBuildCall2(x->b, LLVMGlobalGetValueType(fn), fn, args, 2, "");
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
    LLVMValueRef p = sgn ? LLVMBuildMul(x->b, LLVMBuildSExt(x->b, a, wide, ""),
                                        LLVMBuildSExt(x->b, b, wide, ""), "")
                         : LLVMBuildMul(x->b, LLVMBuildZExt(x->b, a, wide, ""),
                                        LLVMBuildZExt(x->b, b, wide, ""), "");
    return LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, p, nat_int(x, wide, bits), ""), t, "");
}

LLVMValueRef nat_op(struct nat_body *x, unsigned op, bool sgn, LLVMValueRef a, LLVMValueRef b,
                    LLVMValueRef c)
{
    switch (op) {
    case BC_CEIL_F32: return one_of(x, "llvm.ceil", a);
    case BC_FLOOR_F32: return one_of(x, "llvm.floor", a);
    case BC_TRUNC_F32: return one_of(x, "llvm.trunc", a);
    case BC_RINT_F32: return one_of(x, "llvm.rint", a);
    case BC_FABS_F32: return one_of(x, "llvm.fabs", a);
    case BC_SQRT_F32: return one_of(x, "llvm.sqrt", a);
    case BC_COPYSIGN_F32: return two_of(x, "llvm.copysign", a, b);
    case BC_FMA_F32:
        return nat_intrinsic(x, "llvm.fma", LLVMTypeOf(a), (LLVMValueRef[]){a, b, c}, 3);
    case BC_FMAX_F32: return extreme(x, false, a, b);
    case BC_FMIN_F32: return extreme(x, true, a, b);
    case BC_FDIV_F32: return LLVMBuildFDiv(x->b, a, b, "");
    case BC_MOV_I8: return a;
    case BC_SABS_I8: return with_flag(x, "llvm.abs", a);
    case BC_SABSDIFF_I8:
        return LLVMBuildSub(x->b, two_of(x, "llvm.smax", a, b), two_of(x, "llvm.smin", a, b), "");
    case BC_UABSDIFF_I8:
        return LLVMBuildSub(x->b, two_of(x, "llvm.umax", a, b), two_of(x, "llvm.umin", a, b), "");
    case BC_SADDSAT_I8: return two_of(x, "llvm.sadd.sat", a, b);
    case BC_UADDSAT_I8: return two_of(x, "llvm.uadd.sat", a, b);
    case BC_SSUBSAT_I8: return two_of(x, "llvm.ssub.sat", a, b);
    case BC_USUBSAT_I8: return two_of(x, "llvm.usub.sat", a, b);
    case BC_SHADD_I8:
    case BC_UHADD_I8: return half_sum(x, sgn, false, a, b);
    case BC_SRHADD_I8:
    case BC_URHADD_I8: return half_sum(x, sgn, true, a, b);
    case BC_SMULHI_I8:
    case BC_UMULHI_I8: return high_product(x, sgn, a, b);
    case BC_ROTL_I8:
        return nat_intrinsic(x, "llvm.fshl", LLVMTypeOf(a), (LLVMValueRef[]){a, a, b}, 3);
    case BC_CLZ_I8: return with_flag(x, "llvm.ctlz", a);
    case BC_CTZ_I8: return with_flag(x, "llvm.cttz", a);
    case BC_POPCOUNT_I8: return one_of(x, "llvm.ctpop", a);
    case BC_BITREVERSE_I8: return one_of(x, "llvm.bitreverse", a);
    case BC_MUL_I8: return LLVMBuildMul(x->b, a, b, "");
    case BC_SMAX_I8: return two_of(x, "llvm.smax", a, b);
    case BC_UMAX_I8: return two_of(x, "llvm.umax", a, b);
    case BC_SMIN_I8: return two_of(x, "llvm.smin", a, b);
    case BC_UMIN_I8: return two_of(x, "llvm.umin", a, b);
    }
    x->no = true;
    return LLVMGetUndef(LLVMTypeOf(a));
}

static LLVMValueRef component(struct nat_body *x, LLVMValueRef v, unsigned i)
{
    if (nat_width(LLVMTypeOf(v)) == 1) return v;
    return LLVMBuildExtractElement(x->b, v, LLVMConstInt(LLVMInt32TypeInContext(x->ctx), i, false),
                                   "");
}

// ---- conversions

static LLVMValueRef float_to_int(struct nat_body *x, LLVMValueRef v, bool sgn)
{
    switch (x->c->round) {
    case BI_RTE: v = nat_op(x, BC_RINT_F32, false, v, NULL, NULL); break;
    case BI_RTP: v = nat_op(x, BC_CEIL_F32, false, v, NULL, NULL); break;
    case BI_RTN: v = nat_op(x, BC_FLOOR_F32, false, v, NULL, NULL); break;
    default: break;
    }
    const char *name = sgn ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    LLVMTypeRef types[] = {x->type, LLVMTypeOf(v)};
    LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(x->m, LLVMLookupIntrinsicID(name, strlen(name)), types, 2);
    return LLVMBuildCall2(x->b, LLVMGlobalGetValueType(fn), fn, &v, 1, "");
}

static LLVMValueRef rounded(struct nat_body *x, enum bi_fn rtz, LLVMValueRef v)
{
    return nat_lane(x, rtz + x->c->round - BI_RTZ, &v);
}

static LLVMValueRef int_to_float(struct nat_body *x, LLVMValueRef v, unsigned from, unsigned to,
                                 bool sgn)
{
    const bool exact = to == 4 ? from < 4 : from < 8;
    if (exact || x->c->round == BI_ROUND_NONE || x->c->round == BI_RTE)
        return sgn ? LLVMBuildSIToFP(x->b, v, x->type, "") : LLVMBuildUIToFP(x->b, v, x->type, "");
    return rounded(x,
                   to == 8     ? (sgn ? BI_FN_s2f_F64_I64_rtz : BI_FN_u2f_F64_I64_rtz)
                   : from == 8 ? (sgn ? BI_FN_s2f_F32_I64_rtz : BI_FN_u2f_F32_I64_rtz)
                               : (sgn ? BI_FN_s2f_F32_I32_rtz : BI_FN_u2f_F32_I32_rtz),
                   v);
}

// v clamped, in its own type, to what the result's type holds.
static LLVMValueRef saturated(struct nat_body *x, LLVMValueRef v, unsigned from, bool from_sgn,
                              unsigned to, bool to_sgn)
{
    const unsigned value_bits = to * 8 - to_sgn;
    const uint64_t max = value_bits == 64 ? UINT64_MAX : (1ull << value_bits) - 1;
    const bool cuts_top = value_bits < from * 8 - from_sgn;
    LLVMTypeRef t = LLVMTypeOf(v);
    if (cuts_top)
        v = nat_op(x, from_sgn ? BC_SMIN_I8 : BC_UMIN_I8, false, v, nat_int(x, t, max), NULL);
    if (from_sgn && !to_sgn) v = nat_op(x, BC_SMAX_I8, true, v, nat_int(x, t, 0), NULL);
    if (from_sgn && to_sgn && cuts_top)
        v = nat_op(x, BC_SMAX_I8, true, v, nat_int(x, t, ~max), NULL);
    return v;
}

LLVMValueRef nat_bi_convert(struct nat_body *x)
{
    const struct bi_type *from = &x->c->arg[0], *to = &x->c->to;
    const unsigned fs = bi_scalar_size(from->scalar), ts = bi_scalar_size(to->scalar);
    const bool fsgn = bi_is_signed(from->scalar), tsgn = bi_is_signed(to->scalar);
    LLVMValueRef v = LLVMGetParam(x->fn, 0);
    if (from->scalar == BI_HALF && to->scalar != BI_HALF) {
        v = LLVMBuildFPExt(x->b, v, nat_with(LLVMTypeOf(v), LLVMFloatTypeInContext(x->ctx)), "");
        if (ts == 4 && bi_is_float(to->scalar)) return v;
    }
    if (bi_is_float(from->scalar) && bi_is_float(to->scalar)) {
        if (fs == ts) return v;
        if (ts == 2) return nat_to_half(x, v, x->c->round);
        if (ts == 8) return LLVMBuildFPExt(x->b, v, x->type, "");
        if (x->c->round == BI_ROUND_NONE || x->c->round == BI_RTE)
            return LLVMBuildFPTrunc(x->b, v, x->type, "");
        return rounded(x, BI_FN_ftrunc_F32_F64_rtz, v);
    }
    if (bi_is_float(from->scalar)) return float_to_int(x, v, tsgn);
    if (to->scalar ==
        BI_HALF) { // twice in the same direction; to nearest, what float rounds is infinite in half
        LLVMTypeRef half = x->type;
        x->type = nat_with(half, LLVMFloatTypeInContext(x->ctx));
        v = int_to_float(x, v, fs, 4, fsgn);
        x->type = half;
        return nat_to_half(x, v, x->c->round);
    }
    if (bi_is_float(to->scalar)) return int_to_float(x, v, fs, ts, fsgn);
    if (x->c->sat) v = saturated(x, v, fs, fsgn, ts, tsgn);
    return LLVMBuildIntCast2(x->b, v, x->type, fsgn, "");
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

// ---- vectors in memory: aligned as a component, and 3 components are 3 in memory

static LLVMValueRef place(struct nat_body *x, unsigned pointer, unsigned offset, LLVMTypeRef elem,
                          unsigned stride)
{
    LLVMValueRef k = LLVMGetParam(x->fn, offset);
    k = LLVMBuildMul(x->b, k, LLVMConstInt(LLVMTypeOf(k), stride, false), "");
    return LLVMBuildGEP2(x->b, elem, LLVMGetParam(x->fn, pointer), &k, 1, "");
}

LLVMValueRef nat_bi_vload(struct nat_body *x)
{
    LLVMTypeRef e = nat_elem(x->type);
    LLVMValueRef p = place(x, 1, 0, e, x->n), r = LLVMGetUndef(x->type);
    if (x->n != 3) {
        r = LLVMBuildLoad2(x->b, x->type, p, "");
        LLVMSetAlignment(r, bi_scalar_size(x->c->arg[1].scalar));
        return r;
    }
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(x->ctx), i, false);
        LLVMValueRef v = LLVMBuildLoad2(x->b, e, LLVMBuildGEP2(x->b, e, p, &at, 1, ""), "");
        r = LLVMBuildInsertElement(x->b, r, v, at, "");
    }
    return r;
}

LLVMValueRef nat_bi_vstore(struct nat_body *x)
{
    LLVMValueRef v = LLVMGetParam(x->fn, 0);
    LLVMTypeRef e = nat_elem(LLVMTypeOf(v));
    const unsigned n = nat_width(LLVMTypeOf(v));
    LLVMValueRef p = place(x, 2, 1, e, n);
    if (n != 3) {
        LLVMSetAlignment(LLVMBuildStore(x->b, v, p), bi_scalar_size(x->c->arg[2].scalar));
        return NULL;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(x->ctx), i, false);
        LLVMBuildStore(x->b, LLVMBuildExtractElement(x->b, v, at, ""),
                       LLVMBuildGEP2(x->b, e, p, &at, 1, ""));
    }
    return NULL;
}

static unsigned half_stride(unsigned n, bool aligned) { return aligned && n == 3 ? 4 : n; }

LLVMValueRef nat_bi_vload_half(struct nat_body *x)
{
    LLVMTypeRef h = LLVMInt16TypeInContext(x->ctx), i64 = LLVMInt64TypeInContext(x->ctx);
    LLVMValueRef p = place(x, 1, 0, h, half_stride(x->n, x->c->id == BI_vloada_half)),
                 r = LLVMGetUndef(x->type);
    for (unsigned i = 0; i < x->n; i++) {
        LLVMValueRef at = LLVMConstInt(i64, i, false),
                     v = LLVMBuildLoad2(x->b, h, LLVMBuildGEP2(x->b, h, p, &at, 1, ""), "");
        v = nat_lane(x, BI_FN_half_F32, &v);
        r = x->n == 1 ? v : LLVMBuildInsertElement(x->b, r, v, at, "");
    }
    return r;
}

LLVMValueRef nat_bi_vstore_half(struct nat_body *x)
{
    const struct bi_type *t = &x->c->arg[0];
    const unsigned rte = t->scalar == BI_DOUBLE ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte;
    const unsigned mode = x->c->round == BI_ROUND_NONE ? 0 : x->c->round - BI_RTE;
    LLVMTypeRef h = LLVMInt16TypeInContext(x->ctx), i64 = LLVMInt64TypeInContext(x->ctx);
    LLVMValueRef p = place(x, 2, 1, h, half_stride(t->width, x->c->id == BI_vstorea_half));
    for (unsigned i = 0; i < t->width; i++) {
        LLVMValueRef at = LLVMConstInt(i64, i, false), v = component(x, LLVMGetParam(x->fn, 0), i);
        LLVMBuildStore(x->b, nat_lane(x, rte + mode, &v), LLVMBuildGEP2(x->b, h, p, &at, 1, ""));
    }
    return NULL;
}

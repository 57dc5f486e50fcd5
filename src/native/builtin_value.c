// SPDX-License-Identifier: MIT
// Builtins that compute a value from values, as LLVM code. What each means is as in lower/: the
// same steps in the same order, so that both give the same bits.
#include "native/body.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define IS_FLT(x) bi_is_float((x)->c->gen.scalar)
#define IS_SGN(x) bi_is_signed((x)->c->gen.scalar)

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

// ---- arithmetic

static LLVMValueRef sub(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildFSub(x->b, a, b, "");
}
static LLVMValueRef mul(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildFMul(x->b, a, b, "");
}
static LLVMValueRef add(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildFAdd(x->b, a, b, "");
}
static LLVMValueRef sel(struct nat_body *x, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(x->b, c, a, b, "");
}
static LLVMValueRef fcmp(struct nat_body *x, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildFCmp(x->b, p, a, b, "");
}

LLVMValueRef nat_bi_mad(struct nat_body *x)
{
    if (IS_FLT(x)) return add(x, mul(x, nat_arg(x, 0), nat_arg(x, 1)), nat_arg(x, 2));
    return LLVMBuildAdd(x->b, LLVMBuildMul(x->b, nat_arg(x, 0), nat_arg(x, 1), ""), nat_arg(x, 2),
                        "");
}

LLVMValueRef nat_bi_recip(struct nat_body *x)
{
    return LLVMBuildFDiv(x->b, nat_flt(x, x->type, 1), nat_arg(x, 0), "");
}

LLVMValueRef nat_bi_nan(struct nat_body *x)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(nat_elem(x->type));
    const bool wide = kind == LLVMDoubleTypeKind, half = kind == LLVMHalfTypeKind;
    LLVMValueRef v = LLVMGetParam(x->fn, 0);
    LLVMTypeRef t = LLVMTypeOf(v);
    v = LLVMBuildAnd(x->b, v, nat_int(x, t, wide ? 0x7ffffffffffff : half ? 0x1ff : 0x3fffff), "");
    v = LLVMBuildOr(x->b, v,
                    nat_int(x, t,
                            wide   ? 0x7ff8000000000000
                            : half ? 0x7e00
                                   : 0x7fc00000),
                    "");
    return LLVMBuildBitCast(x->b, v, x->type, "");
}

// (lower computes the factor as a number of the type)
LLVMValueRef nat_bi_degrees(struct nat_body *x)
{
    return mul(x, nat_arg(x, 0), nat_flt(x, x->type, 180 / M_PI));
}
LLVMValueRef nat_bi_radians(struct nat_body *x)
{
    return mul(x, nat_arg(x, 0), nat_flt(x, x->type, M_PI / 180));
}

LLVMValueRef nat_bi_clamp(struct nat_body *x)
{
    const unsigned max = IS_FLT(x) ? BC_FMAX_F32 : IS_SGN(x) ? BC_SMAX_I8 : BC_UMAX_I8;
    const unsigned min = IS_FLT(x) ? BC_FMIN_F32 : IS_SGN(x) ? BC_SMIN_I8 : BC_UMIN_I8;
    return nat_op(x, min, false, nat_op(x, max, false, nat_arg(x, 0), nat_arg(x, 1), NULL),
                  nat_arg(x, 2), NULL);
}

LLVMValueRef nat_bi_mix(struct nat_body *x)
{
    LLVMValueRef a = nat_arg(x, 0);
    return add(x, a, mul(x, sub(x, nat_arg(x, 1), a), nat_arg(x, 2)));
}

LLVMValueRef nat_bi_sign(struct nat_body *x)
{
    LLVMValueRef v = nat_arg(x, 0), zero = nat_flt(x, x->type, 0), r;
    r = sel(x, fcmp(x, LLVMRealUNO, v, v), zero, v);
    r = sel(x, fcmp(x, LLVMRealOLT, v, zero), nat_flt(x, x->type, -1), r);
    return sel(x, fcmp(x, LLVMRealOLT, zero, v), nat_flt(x, x->type, 1), r);
}

LLVMValueRef nat_bi_step(struct nat_body *x)
{
    return sel(x, fcmp(x, LLVMRealOLT, nat_arg(x, 1), nat_arg(x, 0)), nat_flt(x, x->type, 0),
               nat_flt(x, x->type, 1));
}

LLVMValueRef nat_bi_smoothstep(struct nat_body *x)
{
    LLVMValueRef e0 = nat_arg(x, 0), t;
    t = LLVMBuildFDiv(x->b, sub(x, nat_arg(x, 2), e0), sub(x, nat_arg(x, 1), e0), "");
    t = nat_op(x, BC_FMIN_F32, false,
               nat_op(x, BC_FMAX_F32, false, t, nat_flt(x, x->type, 0), NULL),
               nat_flt(x, x->type, 1), NULL);
    return mul(x, mul(x, t, t), sub(x, nat_flt(x, x->type, 3), mul(x, nat_flt(x, x->type, 2), t)));
}

// ---- integers

static LLVMValueRef component(struct nat_body *x, LLVMValueRef v, unsigned i)
{
    if (nat_width(LLVMTypeOf(v)) == 1) return v;
    return LLVMBuildExtractElement(x->b, v, LLVMConstInt(LLVMInt32TypeInContext(x->ctx), i, false),
                                   "");
}

LLVMValueRef nat_bi_mad_hi(struct nat_body *x)
{
    LLVMValueRef hi = nat_op(x, IS_SGN(x) ? BC_SMULHI_I8 : BC_UMULHI_I8, IS_SGN(x), nat_arg(x, 0),
                             nat_arg(x, 1), NULL);
    return LLVMBuildAdd(x->b, hi, nat_arg(x, 2), "");
}

LLVMValueRef nat_bi_mad_sat(struct nat_body *x)
{
    const bool sgn = IS_SGN(x);
    const unsigned bits = LLVMGetIntTypeWidth(nat_elem(x->type));
    LLVMTypeRef wide = nat_with(x->type, LLVMIntTypeInContext(x->ctx, bits * 2));
    LLVMValueRef v[3];
    for (unsigned k = 0; k < 3; k++)
        v[k] = sgn ? LLVMBuildSExt(x->b, nat_arg(x, k), wide, "")
                   : LLVMBuildZExt(x->b, nat_arg(x, k), wide, "");
    LLVMValueRef r = LLVMBuildAdd(x->b, LLVMBuildMul(x->b, v[0], v[1], ""), v[2], "");
    LLVMValueRef ones = LLVMConstAllOnes(x->type), max = ones;
    if (sgn) max = LLVMBuildLShr(x->b, ones, nat_int(x, x->type, 1), "");
    LLVMValueRef top = LLVMBuildZExt(x->b, max, wide, "");
    r = nat_op(x, sgn ? BC_SMIN_I8 : BC_UMIN_I8, sgn, r, top, NULL);
    if (sgn) r = nat_op(x, BC_SMAX_I8, true, r, LLVMBuildNot(x->b, top, ""), NULL);
    return LLVMBuildTrunc(x->b, r, x->type, "");
}

LLVMValueRef nat_bi_bitfield(struct nat_body *x)
{
    const bool inserts = x->c->id == BI_bitfield_insert;
    LLVMTypeRef t = x->type;
    LLVMValueRef v = LLVMGetParam(x->fn, 0), n[2], zero = LLVMConstNull(t);
    for (unsigned k = 0; k < 2; k++) {
        LLVMTypeRef e = nat_elem(t), from = LLVMTypeOf(LLVMGetParam(x->fn, k + 1 + inserts));
        n[k] = LLVMGetParam(x->fn, k + 1 + inserts);
        if (LLVMGetIntTypeWidth(e) != LLVMGetIntTypeWidth(from))
            n[k] = LLVMGetIntTypeWidth(e) < LLVMGetIntTypeWidth(from)
                       ? LLVMBuildTrunc(x->b, n[k], e, "")
                       : LLVMBuildZExt(x->b, n[k], e, "");
        n[k] = nat_as(x, n[k], t);
    }
    // (a shift by all of the bits has no value: where there is no field, its result is not taken)
    LLVMValueRef none = LLVMBuildICmp(x->b, LLVMIntEQ, n[1], zero, "");
    LLVMValueRef rest =
        LLVMBuildSub(x->b, nat_int(x, t, LLVMGetIntTypeWidth(nat_elem(t))), n[1], "");
    rest = LLVMBuildSelect(x->b, none, zero, rest, "");
    if (inserts) {
        LLVMValueRef field =
            LLVMBuildShl(x->b, LLVMBuildLShr(x->b, LLVMConstAllOnes(t), rest, ""), n[0], "");
        field = LLVMBuildSelect(x->b, none, zero, field, "");
        LLVMValueRef y = LLVMBuildSelect(x->b, none, zero,
                                         LLVMBuildShl(x->b, LLVMGetParam(x->fn, 1), n[0], ""), "");
        return LLVMBuildOr(x->b, LLVMBuildAnd(x->b, v, LLVMBuildNot(x->b, field, ""), ""),
                           LLVMBuildAnd(x->b, y, field, ""), "");
    }
    LLVMValueRef up = LLVMBuildSelect(x->b, none, zero, LLVMBuildSub(x->b, rest, n[0], ""), "");
    v = LLVMBuildShl(x->b, v, up, "");
    v = x->c->id == BI_bitfield_extract_signed ? LLVMBuildAShr(x->b, v, rest, "")
                                               : LLVMBuildLShr(x->b, v, rest, "");
    return LLVMBuildSelect(x->b, none, zero, v, "");
}

LLVMValueRef nat_bi_dot_bytes(struct nat_body *x)
{
    const char *packed = strstr(x->c->row->name, "packed_");
    LLVMTypeRef i32 = LLVMInt32TypeInContext(x->ctx), wide = LLVMVectorType(i32, 4);
    LLVMValueRef v[2];
    bool sgn[2];
    for (unsigned k = 0; k < 2; k++) {
        sgn[k] = packed ? packed[strlen("packed_") + k] == 's' : bi_is_signed(x->c->arg[k].scalar);
        v[k] = LLVMBuildBitCast(x->b, LLVMGetParam(x->fn, k),
                                LLVMVectorType(LLVMInt8TypeInContext(x->ctx), 4), "");
        v[k] = sgn[k] ? LLVMBuildSExt(x->b, v[k], wide, "") : LLVMBuildZExt(x->b, v[k], wide, "");
    }
    LLVMValueRef products = LLVMBuildMul(x->b, v[0], v[1], ""), sum = component(x, products, 0);
    for (unsigned i = 1; i < 4; i++) sum = LLVMBuildAdd(x->b, sum, component(x, products, i), "");
    return x->nargs == 3 ? nat_op(x, sgn[0] || sgn[1] ? BC_SADDSAT_I8 : BC_UADDSAT_I8,
                                  sgn[0] || sgn[1], sum, LLVMGetParam(x->fn, 2), NULL)
                         : sum;
}

LLVMValueRef nat_bi_upsample(struct nat_body *x)
{
    LLVMValueRef hi = LLVMBuildZExt(x->b, LLVMGetParam(x->fn, 0), x->type, ""),
                 lo = LLVMBuildZExt(x->b, LLVMGetParam(x->fn, 1), x->type, "");
    return LLVMBuildOr(
        x->b,
        LLVMBuildShl(x->b, hi, nat_int(x, x->type, LLVMGetIntTypeWidth(nat_elem(x->type)) / 2), ""),
        lo, "");
}

// ---- geometry

static LLVMValueRef dot(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef p = mul(x, a, b), r = component(x, p, 0);
    for (unsigned i = 1; i < nat_width(LLVMTypeOf(a)); i++) r = add(x, r, component(x, p, i));
    return r;
}

static bool is_float32(LLVMValueRef v)
{
    return LLVMGetTypeKind(nat_elem(LLVMTypeOf(v))) == LLVMFloatTypeKind;
}

static LLVMValueRef to_double(struct nat_body *x, LLVMValueRef v)
{
    LLVMTypeRef t = nat_with(LLVMTypeOf(v), LLVMDoubleTypeInContext(x->ctx));
    return is_float32(v) ? LLVMBuildFPExt(x->b, v, t, "") : v;
}

static LLVMValueRef length_of_doubles(struct nat_body *x, LLVMValueRef d, bool from_float)
{
    if (nat_width(LLVMTypeOf(d)) == 1) return nat_op(x, BC_FABS_F32, false, d, NULL, NULL);
    if (from_float) return nat_op(x, BC_SQRT_F32, false, dot(x, d, d), NULL, NULL);
    LLVMValueRef r = component(x, d, 0);
    for (unsigned i = 1; i < nat_width(LLVMTypeOf(d)); i++)
        r = nat_lane(x, BI_FN_hypot_F64, (LLVMValueRef[]){r, component(x, d, i)});
    return r;
}

static LLVMValueRef length(struct nat_body *x, LLVMValueRef v, bool fast)
{
    if (nat_width(LLVMTypeOf(v)) == 1) return nat_op(x, BC_FABS_F32, false, v, NULL, NULL);
    if (fast) return nat_op(x, BC_SQRT_F32, false, dot(x, v, v), NULL, NULL);
    LLVMValueRef r = length_of_doubles(x, to_double(x, v), is_float32(v));
    return is_float32(v) ? LLVMBuildFPTrunc(x->b, r, LLVMFloatTypeInContext(x->ctx), "") : r;
}

LLVMValueRef nat_bi_dot(struct nat_body *x)
{
    return IS_FLT(x) ? dot(x, nat_arg(x, 0), nat_arg(x, 1)) : nat_bi_dot_bytes(x);
}
LLVMValueRef nat_bi_length(struct nat_body *x)
{
    return length(x, nat_arg(x, 0), x->c->id == BI_fast_length);
}
LLVMValueRef nat_bi_distance(struct nat_body *x)
{
    return length(x, sub(x, nat_arg(x, 0), nat_arg(x, 1)), x->c->id == BI_fast_distance);
}

LLVMValueRef nat_bi_cross(struct nat_body *x)
{
    LLVMValueRef a = nat_arg(x, 0), b = nat_arg(x, 1), r = LLVMConstNull(x->type);
    if (x->n < 3) x->no = true;
    for (unsigned i = 0; i < 3 && !x->no; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        LLVMValueRef c = sub(x, mul(x, component(x, a, j), component(x, b, k)),
                             mul(x, component(x, a, k), component(x, b, j)));
        r = LLVMBuildInsertElement(x->b, r, c,
                                   LLVMConstInt(LLVMInt32TypeInContext(x->ctx), i, false), "");
    }
    return r;
}

static LLVMValueRef divide(struct nat_body *x, LLVMValueRef v, LLVMValueRef len)
{
    LLVMTypeRef t = LLVMTypeOf(len);
    len = sel(x, fcmp(x, LLVMRealOEQ, len, nat_flt(x, t, 0)), nat_flt(x, t, 1), len);
    LLVMValueRef q = LLVMBuildFDiv(x->b, v, nat_as(x, len, LLVMTypeOf(v)), "");
    return LLVMTypeOf(q) == x->type ? q : LLVMBuildFPTrunc(x->b, q, x->type, "");
}

LLVMValueRef nat_bi_normalize(struct nat_body *x)
{
    LLVMValueRef v = nat_arg(x, 0);
    const bool from_float = is_float32(v);
    if (x->c->id == BI_fast_normalize) return divide(x, v, length(x, v, true));
    v = to_double(x, v);
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef len = length_of_doubles(x, v, from_float), inf = nat_flt(x, t, INFINITY);
    if (!from_float) { // a length that only overflows: a quarter of the vector has the same
                       // direction
        LLVMTypeRef one = LLVMTypeOf(len);
        LLVMValueRef over = fcmp(x, LLVMRealOEQ, len, nat_flt(x, one, INFINITY));
        v = mul(x, v, nat_as(x, sel(x, over, nat_flt(x, one, 0.25), nat_flt(x, one, 1)), t));
        len = length_of_doubles(x, v, from_float);
    }
    LLVMValueRef here = fcmp(x, LLVMRealOEQ, nat_op(x, BC_FABS_F32, false, v, NULL, NULL), inf);
    LLVMValueRef one = nat_op(x, BC_COPYSIGN_F32, false, nat_flt(x, t, 1), v, NULL);
    one = sel(x, here, one, mul(x, v, nat_flt(x, t, 0)));
    v = sel(x, nat_as(x, fcmp(x, LLVMRealOEQ, len, nat_flt(x, LLVMTypeOf(len), INFINITY)), t), one,
            v);
    return divide(x, v, length_of_doubles(x, v, from_float));
}

// ---- relations: a truth is 1 for scalars, all bits for the components of vectors

static LLVMValueRef truth(struct nat_body *x, LLVMValueRef is)
{
    return x->n == 1 ? LLVMBuildZExt(x->b, is, x->type, "") : LLVMBuildSExt(x->b, is, x->type, "");
}

LLVMValueRef nat_bi_relation(struct nat_body *x)
{
    static const struct {
        enum bi_id id;
        LLVMRealPredicate p;
    } table[] = {
        {BI_isequal, LLVMRealOEQ},       {BI_isnotequal, LLVMRealUNE},
        {BI_isgreater, LLVMRealOGT},     {BI_isgreaterequal, LLVMRealOGE},
        {BI_isless, LLVMRealOLT},        {BI_islessequal, LLVMRealOLE},
        {BI_islessgreater, LLVMRealONE}, {BI_isordered, LLVMRealORD},
        {BI_isunordered, LLVMRealUNO},
    };
    unsigned k = 0;
    while (table[k].id != x->c->id) k++;
    return truth(x, fcmp(x, table[k].p, nat_arg(x, 0), nat_arg(x, 1)));
}

LLVMValueRef nat_bi_classify(struct nat_body *x)
{
    LLVMValueRef v = nat_arg(x, 0), mag = nat_op(x, BC_FABS_F32, false, v, NULL, NULL);
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef inf = nat_flt(x, t, INFINITY), least = nat_flt(x, t,
                                                                x->for_half     ? 0x1p-14
                                                                : is_float32(v) ? FLT_MIN
                                                                                : DBL_MIN);
    switch (x->c->id) {
    case BI_isnan: return truth(x, fcmp(x, LLVMRealUNO, v, v));
    case BI_isinf: return truth(x, fcmp(x, LLVMRealOEQ, mag, inf));
    case BI_isfinite: return truth(x, fcmp(x, LLVMRealOLT, mag, inf));
    case BI_isnormal:
        return truth(x, LLVMBuildAnd(x->b, fcmp(x, LLVMRealOLE, least, mag),
                                     fcmp(x, LLVMRealOLT, mag, inf), ""));
    default: { // signbit
        LLVMTypeRef bits = nat_with(t, LLVMIntTypeInContext(x->ctx, is_float32(v) ? 32 : 64));
        return truth(x, LLVMBuildICmp(x->b, LLVMIntSLT, LLVMBuildBitCast(x->b, v, bits, ""),
                                      nat_int(x, bits, 0), ""));
    }
    }
}

LLVMValueRef nat_bi_all_any(struct nat_body *x)
{
    LLVMValueRef v = nat_arg(x, 0), r = component(x, v, 0);
    for (unsigned i = 1; i < nat_width(x->gen); i++)
        r = x->c->id == BI_all ? LLVMBuildAnd(x->b, r, component(x, v, i), "")
                               : LLVMBuildOr(x->b, r, component(x, v, i), "");
    return LLVMBuildZExt(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, r, nat_int(x, LLVMTypeOf(r), 0), ""),
                         x->type, "");
}

LLVMValueRef nat_bi_bitselect(struct nat_body *x)
{
    LLVMTypeRef t = x->type, bits = t;
    if (IS_FLT(x))
        bits = nat_with(t, LLVMIntTypeInContext(x->ctx, bi_scalar_size(x->c->gen.scalar) * 8));
    LLVMValueRef v[3];
    for (unsigned k = 0; k < 3; k++) v[k] = LLVMBuildBitCast(x->b, nat_arg(x, k), bits, "");
    LLVMValueRef r = LLVMBuildOr(x->b, LLVMBuildAnd(x->b, v[0], LLVMBuildNot(x->b, v[2], ""), ""),
                                 LLVMBuildAnd(x->b, v[1], v[2], ""), "");
    return LLVMBuildBitCast(x->b, r, t, "");
}

LLVMValueRef nat_bi_select(struct nat_body *x)
{
    LLVMValueRef c = LLVMGetParam(x->fn, 2), zero = LLVMConstNull(LLVMTypeOf(c));
    return sel(x, LLVMBuildICmp(x->b, x->n == 1 ? LLVMIntNE : LLVMIntSLT, c, zero, ""),
               nat_arg(x, 1), nat_arg(x, 0));
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

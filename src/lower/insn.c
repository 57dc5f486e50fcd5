// SPDX-License-Identifier: MIT
// One instruction of LLVM at a time: arithmetic, comparisons, conversions. An instruction that the
// bytecode cannot express is a build error.
#include "lower/lw.h"

#include <string.h>

static struct lw_leaf leaf_of(struct lw_fn *f, LLVMValueRef v)
{
    const struct lw_leaf *l;
    return lw_leaves(f, LLVMTypeOf(v), &l) ? l[0] : (struct lw_leaf){.size = 4, .bits = 32};
}

static lw_reg not_bool(struct lw_fn *f, lw_reg r)
{
    return lw_op(f, BC_XOR_I8, r, lw_const(f, 1), BC_NONE);
}

lw_reg lw_compare(struct lw_fn *f, LLVMIntPredicate p, unsigned size, lw_reg a, lw_reg b)
{
    switch (p) {
    case LLVMIntEQ: return lw_op(f, LW_INT(EQ, size), a, b, BC_NONE);
    case LLVMIntNE: return lw_op(f, LW_INT(NE, size), a, b, BC_NONE);
    case LLVMIntULT: return lw_op(f, LW_INT(ULT, size), a, b, BC_NONE);
    case LLVMIntUGT: return lw_op(f, LW_INT(ULT, size), b, a, BC_NONE);
    case LLVMIntULE: return lw_op(f, LW_INT(ULE, size), a, b, BC_NONE);
    case LLVMIntUGE: return lw_op(f, LW_INT(ULE, size), b, a, BC_NONE);
    case LLVMIntSLT: return lw_op(f, LW_INT(SLT, size), a, b, BC_NONE);
    case LLVMIntSGT: return lw_op(f, LW_INT(SLT, size), b, a, BC_NONE);
    case LLVMIntSLE: return lw_op(f, LW_INT(SLE, size), a, b, BC_NONE);
    default: return lw_op(f, LW_INT(SLE, size), b, a, BC_NONE);
    }
}

static lw_reg compare_float(struct lw_fn *f, LLVMRealPredicate p, unsigned size, lw_reg a, lw_reg b)
{
    if (size == 2) a = lw_half_to_float(f, a), b = lw_half_to_float(f, b), size = 4;
#define C(family, x, y) lw_op(f, LW_FLT(family, size), x, y, BC_NONE)
    switch (p) {
    case LLVMRealOEQ: return C(FOEQ, a, b);
    case LLVMRealOGT: return C(FOLT, b, a);
    case LLVMRealOGE: return C(FOLE, b, a);
    case LLVMRealOLT: return C(FOLT, a, b);
    case LLVMRealOLE: return C(FOLE, a, b);
    case LLVMRealONE: return lw_op(f, BC_AND_I8, C(FUNE, a, b), C(FORD, a, b), BC_NONE);
    case LLVMRealORD: return C(FORD, a, b);
    case LLVMRealUNO: return C(FUNO, a, b);
    case LLVMRealUEQ: return lw_op(f, BC_OR_I8, C(FOEQ, a, b), C(FUNO, a, b), BC_NONE);
    case LLVMRealUGT: return not_bool(f, C(FOLE, a, b));
    case LLVMRealUGE: return not_bool(f, C(FOLT, a, b));
    case LLVMRealULT: return not_bool(f, C(FOLE, b, a));
    case LLVMRealULE: return not_bool(f, C(FOLT, b, a));
    case LLVMRealUNE: return C(FUNE, a, b);
    default: return lw_const(f, p == LLVMRealPredicateTrue);
    }
#undef C
}

static enum bc_op binary_op(LLVMOpcode op, unsigned size)
{
    switch (op) {
    case LLVMAdd: return LW_INT(ADD, size);
    case LLVMSub: return LW_INT(SUB, size);
    case LLVMMul: return LW_INT(MUL, size);
    case LLVMUDiv: return LW_INT(UDIV, size);
    case LLVMSDiv: return LW_INT(SDIV, size);
    case LLVMURem: return LW_INT(UREM, size);
    case LLVMSRem: return LW_INT(SREM, size);
    case LLVMShl: return LW_INT(SHL, size);
    case LLVMLShr: return LW_INT(LSHR, size);
    case LLVMAShr: return LW_INT(ASHR, size);
    case LLVMAnd: return LW_INT(AND, size);
    case LLVMOr: return LW_INT(OR, size);
    case LLVMXor: return LW_INT(XOR, size);
    case LLVMFAdd: return LW_FLT(FADD, size);
    case LLVMFSub: return LW_FLT(FSUB, size);
    case LLVMFMul: return LW_FLT(FMUL, size);
    case LLVMFDiv: return LW_FLT(FDIV, size);
    default: return BC_OP_COUNT;
    }
}

static lw_reg binary(struct lw_fn *f, LLVMOpcode op, struct lw_leaf l, lw_reg a, lw_reg b)
{
    if (l.bits == 1) { // bool: modulo 2
        if (op == LLVMAdd || op == LLVMSub) op = LLVMXor;
        if (op == LLVMMul) op = LLVMAnd;
    }
    if (lw_is_half(l))
        return lw_float_to_half(
            f, lw_op(f, binary_op(op, 4), lw_half_to_float(f, a), lw_half_to_float(f, b), BC_NONE));
    return lw_op(f, binary_op(op, l.size), a, b, BC_NONE);
}

static lw_reg negated(struct lw_fn *f, struct lw_leaf l, lw_reg a)
{
    if (lw_is_half(l)) return lw_op(f, BC_XOR_I16, a, lw_const(f, 0x8000), BC_NONE);
    return lw_op(f, LW_FLT(FNEG, l.size), a, BC_NONE, BC_NONE);
}

static lw_reg convert(struct lw_fn *f, LLVMValueRef inst, struct lw_leaf from, struct lw_leaf to,
                      lw_reg a)
{
    static const enum bc_op u2f[2][4] = {
        {BC_U2F_F32_I8, BC_U2F_F32_I16, BC_U2F_F32_I32, BC_U2F_F32_I64},
        {BC_U2F_F64_I8, BC_U2F_F64_I16, BC_U2F_F64_I32, BC_U2F_F64_I64}};
    static const enum bc_op s2f[2][4] = {
        {BC_S2F_F32_I8, BC_S2F_F32_I16, BC_S2F_F32_I32, BC_S2F_F32_I64},
        {BC_S2F_F64_I8, BC_S2F_F64_I16, BC_S2F_F64_I32, BC_S2F_F64_I64}};
    static const enum bc_op f2u[2][4] = {
        {BC_F2U_I8_F32, BC_F2U_I16_F32, BC_F2U_I32_F32, BC_F2U_I64_F32},
        {BC_F2U_I8_F64, BC_F2U_I16_F64, BC_F2U_I32_F64, BC_F2U_I64_F64}};
    static const enum bc_op f2s[2][4] = {
        {BC_F2S_I8_F32, BC_F2S_I16_F32, BC_F2S_I32_F32, BC_F2S_I64_F32},
        {BC_F2S_I8_F64, BC_F2S_I16_F64, BC_F2S_I32_F64, BC_F2S_I64_F64}};
    unsigned fi = from.size == 1 ? 0 : from.size == 2 ? 1 : from.size == 4 ? 2 : 3;
    unsigned ti = to.size == 1 ? 0 : to.size == 2 ? 1 : to.size == 4 ? 2 : 3;
    lw_reg none = BC_NONE;
    if (lw_is_half(from)) {
        a = lw_half_to_float(f, a);
        if (to.is_float && to.size == 4) return a;
        from.size = 4;
    }
    if (lw_is_half(to)) { // integers beyond float's 24 bits are beyond half's range too
        if (from.is_float) return from.size == 8 ? lw_double_to_half(f, a) : lw_float_to_half(f, a);
        to.size = 4;
        return lw_float_to_half(f, convert(f, inst, from, to, a));
    }
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMTrunc: {
        lw_reg r = lw_zext(f, a, from.size, to.size);
        return to.bits == 1 ? lw_op(f, BC_AND_I8, r, lw_const(f, 1), none) : r;
    }
    case LLVMZExt: return lw_zext(f, a, from.size, to.size);
    case LLVMSExt:
        if (from.bits == 1)
            return lw_op(f, LW_INT(NEG, to.size), lw_zext(f, a, 1, to.size), none, none);
        return lw_sext(f, a, from.size, to.size);
    case LLVMPtrToInt:
        if (lw_may_alias_arguments(LLVMGetOperand(inst, 0), NULL)) a = lw_canonical_pointer(f, a);
        if (rg_is_signed_number(inst)) a = lw_sign(f, LLVMTypeOf(LLVMGetOperand(inst, 0)), a);
        return lw_zext(f, a, from.size, to.size);
    case LLVMIntToPtr:
        a = lw_zext(f, a, from.size, to.size);
        return to.has_owner ? lw_authenticate(f, LLVMTypeOf(inst), a) : a;
    case LLVMUIToFP: return lw_op(f, u2f[to.size == 8][fi], a, none, none);
    case LLVMSIToFP:
        if (from.bits == 1) a = lw_op(f, BC_NEG_I8, a, none, none);
        return lw_op(f, s2f[to.size == 8][fi], a, none, none);
    case LLVMFPToUI: return lw_op(f, f2u[from.size == 8][ti], a, none, none);
    case LLVMFPToSI: return lw_op(f, f2s[from.size == 8][ti], a, none, none);
    case LLVMFPExt: return lw_op(f, BC_FEXT_F64_F32, a, none, none);
    default: return lw_op(f, BC_FTRUNC_F32_F64, a, none, none);
    }
}

// Bits regrouped: the same bytes seen as scalars of another size.
static void bitcast(struct lw_fn *f, LLVMValueRef inst)
{
    struct lw_leaf from = leaf_of(f, LLVMGetOperand(inst, 0)), to = leaf_of(f, inst);
    unsigned n, count = lw_count(f, LLVMTypeOf(inst));
    const lw_reg *a = lw_value(f, LLVMGetOperand(inst, 0), &n);
    lw_reg *out = arena_array(&f->arena, lw_reg, count);
    for (unsigned i = 0; i < count; i++) {
        if (from.size == to.size) {
            out[i] = a[i];
        } else if (from.size > to.size) {
            unsigned per = from.size / to.size;
            lw_reg x = a[i / per];
            if (i % per)
                x = lw_op(f, LW_INT(LSHR, from.size), x, lw_const(f, i % per * to.size * 8),
                          BC_NONE);
            out[i] = lw_zext(f, x, from.size, to.size);
        } else {
            unsigned per = to.size / from.size;
            out[i] = lw_zext(f, a[i * per], from.size, to.size);
            for (unsigned k = 1; k < per; k++) {
                lw_reg x = lw_op(f, LW_INT(SHL, to.size),
                                 lw_zext(f, a[i * per + k], from.size, to.size),
                                 lw_const(f, k * from.size * 8), BC_NONE);
                out[i] = lw_op(f, LW_INT(OR, to.size), out[i], x, BC_NONE);
            }
        }
    }
    lw_result(f, inst, out, count);
}

// Element of a vector by an index that is not a constant inside it: a chain of selects.
static void dynamic_element(struct lw_fn *f, LLVMValueRef inst, bool insert)
{
    unsigned n;
    const lw_reg *v = lw_value(f, LLVMGetOperand(inst, 0), &n);
    LLVMValueRef idx = LLVMGetOperand(inst, insert ? 2 : 1);
    struct lw_leaf e = leaf_of(f, LLVMGetOperand(inst, 0)), il = leaf_of(f, idx);
    enum bc_index_kind kind;
    lw_reg checked = lw_index_reg(f, idx, &kind), k = lw_scalar(f, idx), out[16] = {0};
    lw_emit(f,
            (struct bc_insn){
                .op = BC_INDEX, .dst = BC_NONE, .a = checked, .b = BC_NONE, .c = kind, .ext = n});
    lw_reg x = insert ? lw_scalar(f, LLVMGetOperand(inst, 1)) : lw_const(f, 0);
    for (unsigned i = 0; i < n; i++) {
        lw_reg is = lw_op(f, LW_INT(EQ, il.size), k, lw_const(f, i), BC_NONE);
        if (insert) out[i] = lw_op(f, LW_INT(SEL, e.size), is, x, v[i]);
        else x = lw_op(f, LW_INT(SEL, e.size), is, v[i], x);
    }
    if (insert) lw_result(f, inst, out, n);
    else lw_result(f, inst, &x, 1);
}

static enum bc_order order_of(LLVMAtomicOrdering o)
{
    switch (o) {
    case LLVMAtomicOrderingAcquire: return BC_ACQUIRE;
    case LLVMAtomicOrderingRelease: return BC_RELEASE;
    case LLVMAtomicOrderingAcquireRelease: return BC_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent: return BC_SEQ_CST;
    default: return BC_RELAXED;
    }
}

static void atomic_rmw(struct lw_fn *f, LLVMValueRef inst)
{
    static const int ops[] = {
        [LLVMAtomicRMWBinOpXchg] = BC_XCHG,
        [LLVMAtomicRMWBinOpAdd] = BC_ATOMIC_ADD,
        [LLVMAtomicRMWBinOpSub] = BC_ATOMIC_SUB,
        [LLVMAtomicRMWBinOpAnd] = BC_ATOMIC_AND,
        [LLVMAtomicRMWBinOpNand] = -1,
        [LLVMAtomicRMWBinOpOr] = BC_ATOMIC_OR,
        [LLVMAtomicRMWBinOpXor] = BC_ATOMIC_XOR,
        [LLVMAtomicRMWBinOpMax] = BC_ATOMIC_SMAX,
        [LLVMAtomicRMWBinOpMin] = BC_ATOMIC_SMIN,
        [LLVMAtomicRMWBinOpUMax] = BC_ATOMIC_UMAX,
        [LLVMAtomicRMWBinOpUMin] = BC_ATOMIC_UMIN,
        [LLVMAtomicRMWBinOpFAdd] = BC_ATOMIC_FADD,
        [LLVMAtomicRMWBinOpFSub] = -1,
        [LLVMAtomicRMWBinOpFMax] = BC_ATOMIC_FMAX,
        [LLVMAtomicRMWBinOpFMin] = BC_ATOMIC_FMIN,
    };
    unsigned op = LLVMGetAtomicRMWBinOp(inst);
    if (op >= sizeof ops / sizeof *ops || ops[op] < 0) {
        lw_unsupported(f, inst);
        return;
    }
    const struct lw_atomic how = {.kind = BC_ATOMIC_RMW,
                                  .op = (enum bc_atomic_op)ops[op],
                                  .order = order_of(LLVMGetOrdering(inst)),
                                  .scope = BC_SCOPE_DEVICE};
    const struct lw_leaf l = leaf_of(f, inst);
    lw_reg value = lw_scalar(f, LLVMGetOperand(inst, 1));
    if (l.has_owner) value = lw_sign(f, LLVMTypeOf(inst), value);
    lw_reg r = lw_atomic(f, lw_address(f, LLVMGetOperand(inst, 0)), l.size, how, value, BC_NONE);
    if (l.has_owner) r = lw_authenticate(f, LLVMTypeOf(inst), r);
    lw_result(f, inst, &r, 1);
}

static void cmpxchg(struct lw_fn *f, LLVMValueRef inst)
{
    struct lw_leaf l = leaf_of(f, LLVMGetOperand(inst, 1));
    const LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(inst, 1));
    lw_reg want = lw_scalar(f, LLVMGetOperand(inst, 1)),
           value = lw_scalar(f, LLVMGetOperand(inst, 2)), r[2];
    if (l.has_owner) want = lw_sign(f, t, want), value = lw_sign(f, t, value);
    const struct lw_atomic how = {.kind = BC_ATOMIC_RMW,
                                  .op = BC_CMPXCHG,
                                  .order = order_of(LLVMGetCmpXchgSuccessOrdering(inst)),
                                  .failure = order_of(LLVMGetCmpXchgFailureOrdering(inst)),
                                  .scope = BC_SCOPE_DEVICE};
    r[0] = lw_atomic(f, lw_address(f, LLVMGetOperand(inst, 0)), l.size, how, value, want);
    r[1] = lw_op(f, LW_INT(EQ, l.size), r[0], want, BC_NONE);
    if (l.has_owner) r[0] = lw_authenticate(f, t, r[0]);
    lw_result(f, inst, r, 2);
}

static bool supported(struct lw_fn *f, LLVMValueRef inst)
{
    bool ok = lw_need_type(f, inst, LLVMTypeOf(inst));
    for (int k = 0; k < LLVMGetNumOperands(inst) && ok; k++) {
        LLVMValueRef o = LLVMGetOperand(inst, (unsigned)k);
        if (!LLVMIsABasicBlock(o) && !LLVMIsAFunction(o) &&
            LLVMGetTypeKind(LLVMTypeOf(o)) != LLVMMetadataTypeKind)
            ok = lw_need_type(f, inst, LLVMTypeOf(o));
    }
    return ok;
}

static bool uses(LLVMValueRef inst, LLVMValueRef value)
{
    for (int k = 0; k < LLVMGetNumOperands(inst); k++)
        if (LLVMGetOperand(inst, (unsigned)k) == value) return true;
    return false;
}

/** A parameter has its value before clang declares it. */
static bool is_parameter(LLVMValueRef declare, LLVMValueRef variable)
{
    for (LLVMValueRef i = LLVMGetPreviousInstruction(declare); i; i = LLVMGetPreviousInstruction(i))
        if (!l_is_debug(i) && uses(i, variable)) return true;
    return false;
}

/** The variable is given a value as a whole before anything else is done with it. */
static bool is_set_up(struct lw_fn *f, LLVMValueRef declare, LLVMValueRef variable, uint64_t size)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(declare); i; i = LLVMGetNextInstruction(i)) {
        if (l_is_debug(i)) continue;
        if (!uses(i, variable)) continue;
        if (LLVMIsAStoreInst(i))
            return LLVMGetOperand(i, 1) == variable &&
                   l_store_size(f->m->llvm, LLVMTypeOf(LLVMGetOperand(i, 0))) == size;
        LLVMValueRef callee = LLVMIsACallInst(i) ? l_callee(i) : NULL;
        if (!callee || !(l_is_intrinsic(callee, "memcpy") || l_is_intrinsic(callee, "memset")) ||
            LLVMGetOperand(i, 0) != variable)
            return false;
        uint64_t n;
        return l_const_bits(LLVMGetOperand(i, 2), &n) && n == size;
    }
    return false;
}

/**
 * The declaration of a variable in memory. Where control may come here again, in a loop or a
 * function called again, it has no value any more, whatever lies there.
 */
static void declared(struct lw_fn *f, LLVMValueRef inst)
{
    LLVMValueRef variable = l_declared(inst);
    if (!variable || !LLVMIsAAllocaInst(variable) || map_get_ptr(&f->rg->var_of, variable)) return;
    if (f->is_kernel && f->rg->blocks[f->block].loop < 0) return;
    if (is_parameter(inst, variable)) return;
    const uint32_t object = lw_object(f->m, variable);
    if (!is_set_up(f, inst, variable, f->m->objects.data[object].size))
        lw_emit(f, (struct bc_insn){.op = BC_FORGET,
                                    .dst = BC_NONE,
                                    .a = BC_NONE,
                                    .b = BC_NONE,
                                    .c = BC_NONE,
                                    .ext = object});
}

void lw_insn(struct lw_fn *f, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    if (op == LLVMCall && rg_web_of(f->rg, inst) >= 0)
        lw_undefined(f, (unsigned)rg_web_of(f->rg, inst)); // its declaration
    if (op == LLVMCall && l_is_debug(inst)) declared(f, inst);
    if (op == LLVMPHI || l_is_debug(inst)) return;
    if (op == LLVMAlloca) {
        if (!map_get_ptr(&f->rg->var_of, inst)) lw_object(f->m, inst);
        return;
    }
    if (!supported(f, inst)) return;
    if (lw_defer(f, inst)) return;
    unsigned n = lw_count(f, LLVMTypeOf(inst)), k;
    lw_reg *out = arena_array(&f->arena, lw_reg, n + 1);
    LLVMValueRef x = LLVMGetNumOperands(inst) ? LLVMGetOperand(inst, 0) : NULL;
    LLVMValueRef y = LLVMGetNumOperands(inst) > 1 ? LLVMGetOperand(inst, 1) : NULL;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv: {
        struct lw_leaf l = leaf_of(f, inst);
        for (k = 0; k < n; k++)
            out[k] = binary(f, op, l, lw_component(f, x, k), lw_component(f, y, k));
        break;
    }
    case LLVMFNeg:
        for (k = 0; k < n; k++) out[k] = negated(f, leaf_of(f, inst), lw_component(f, x, k));
        break;
    case LLVMICmp: {
        struct lw_leaf l = leaf_of(f, x);
        const bool by_address = lw_may_alias_arguments(x, y);
        for (k = 0; k < n; k++) {
            lw_reg a = lw_component(f, x, k), b = lw_component(f, y, k);
            if (by_address) a = lw_canonical_pointer(f, a), b = lw_canonical_pointer(f, b);
            out[k] = lw_compare(f, LLVMGetICmpPredicate(inst), l.size, a, b);
        }
        break;
    }
    case LLVMFCmp:
        for (k = 0; k < n; k++)
            out[k] = compare_float(f, LLVMGetFCmpPredicate(inst), leaf_of(f, x).size,
                                   lw_component(f, x, k), lw_component(f, y, k));
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMFPExt:
    case LLVMFPTrunc: {
        struct lw_leaf from = leaf_of(f, x), to = leaf_of(f, inst);
        for (k = 0; k < n; k++) out[k] = convert(f, inst, from, to, lw_component(f, x, k));
        break;
    }
    case LLVMBitCast: bitcast(f, inst); return;
    case LLVMSelect: {
        const struct lw_leaf *l;
        lw_leaves(f, LLVMTypeOf(inst), &l);
        bool vector = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
        for (k = 0; k < n; k++)
            out[k] = lw_op(f, LW_INT(SEL, l[k].size), lw_component(f, x, vector ? k : 0),
                           lw_component(f, y, k), lw_component(f, LLVMGetOperand(inst, 2), k));
        break;
    }
    case LLVMGetElementPtr: out[0] = lw_addr_reg(f, lw_pointer_addr(f, inst)); break;
    case LLVMExtractElement:
    case LLVMInsertElement: {
        bool insert = op == LLVMInsertElement;
        unsigned at;
        if (!lw_element(inst, &at)) {
            dynamic_element(f, inst, insert);
            return;
        }
        for (k = 0; k < n; k++)
            out[k] = !insert   ? lw_component(f, x, at)
                     : k == at ? lw_scalar(f, y)
                               : lw_component(f, x, k);
        break;
    }
    case LLVMShuffleVector: {
        unsigned m = LLVMGetVectorSize(LLVMTypeOf(x));
        for (k = 0; k < n; k++) {
            int e = LLVMGetMaskValue(inst, k);
            out[k] = e < 0             ? lw_const(f, 0)
                     : (unsigned)e < m ? lw_component(f, x, (unsigned)e)
                                       : lw_component(f, y, (unsigned)e - m);
        }
        break;
    }
    case LLVMExtractValue:
    case LLVMInsertValue: // used in another block: read through the lazy form
        for (k = 0; k < n; k++) out[k] = lw_structural(f, inst, k);
        break;
    case LLVMFreeze:
    case LLVMAddrSpaceCast:
        for (k = 0; k < n; k++) out[k] = lw_component(f, x, k);
        break;
    case LLVMLoad: lw_load_insn(f, inst); return;
    case LLVMStore: lw_store_insn(f, inst); return;
    case LLVMAtomicRMW: atomic_rmw(f, inst); return;
    case LLVMAtomicCmpXchg: cmpxchg(f, inst); return;
    case LLVMFence:
        lw_emit(f, (struct bc_insn){.op = BC_FENCE,
                                    .dst = BC_NONE,
                                    .a = BC_NONE,
                                    .b = BC_NONE,
                                    .c = BC_NONE,
                                    .ext = BC_FENCE_LOCAL | BC_FENCE_GLOBAL |
                                           (uint32_t)order_of(LLVMGetOrdering(inst)) << 8 |
                                           BC_SCOPE_DEVICE << 16});
        return;
    case LLVMCall: lw_call(f, inst); return;
    default: lw_unsupported(f, inst); return;
    }
    if (n) lw_result(f, inst, out, n);
}

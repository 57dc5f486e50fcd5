// SPDX-License-Identifier: MIT
// An odd integer of n bits is kept in `lo`, and from 65 bits on its upper ones in `hi`; the bits
// beyond n are always 0. So unsigned operations are the plain instructions, carries out of n bits
// are cut off, and signed operations first fill the upper bits with the sign. A vector of odd
// integers becomes a vector of these representations.
#include "frontend/odd_integers.h"

#include "base/map.h"
#include "base/vec.h"
#include "llvm/ir.h"

#include <stdlib.h>

struct odd {
    LLVMValueRef lo, hi; // hi: NULL up to 64 bits
};

struct taker {
    LLVMContextRef ctx;
    LLVMBuilderRef b;
    struct map place; // of instructions with odd results: 1 + index in `values`
    VEC(struct odd) values;
    VEC(LLVMValueRef) insns; // all that are replaced
};

// Of an integer, or of the components of a vector; 0 of anything else.
static unsigned width(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}
static bool is_odd(unsigned bits)
{
    return bits && bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64;
}
static unsigned carrier(unsigned bits)
{
    return !is_odd(bits) ? bits : bits < 8 ? 8 : bits < 16 ? 16 : bits < 32 ? 32 : 64;
}

static unsigned components(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 0;
}

/** The type that represents an integer of v's type, or half of it. */
static LLVMTypeRef part_of(struct taker *t, LLVMValueRef v)
{
    LLVMTypeRef one = LLVMIntTypeInContext(t->ctx, carrier(width(v)));
    return components(v) ? LLVMVectorType(one, components(v)) : one;
}

/** The number n, in each component of a vector. */
static LLVMValueRef number(LLVMValueRef like, uint64_t n)
{
    const unsigned count = components(like);
    if (!count) return LLVMConstInt(LLVMTypeOf(like), n, false);
    VEC(LLVMValueRef) all = {0};
    for (unsigned i = 0; i < count; i++)
        vec_push(&all, LLVMConstInt(LLVMGetElementType(LLVMTypeOf(like)), n, false));
    LLVMValueRef v = LLVMConstVector(all.data, count);
    vec_free(&all);
    return v;
}

/** Whether v is a number, in each component the same, of up to 64 bits. */
static bool is_number(LLVMValueRef v, uint64_t *n)
{
    LLVMValueRef one = v;
    if (components(v)) {
        if (!LLVMIsConstant(v) || !(one = LLVMGetAggregateElement(v, 0))) return false;
        for (unsigned i = 1; i < components(v); i++)
            if (LLVMGetAggregateElement(v, i) != one) return false;
    }
    if (!LLVMIsAConstantInt(one)) return false;
    *n = LLVMConstIntGetZExtValue(one);
    return true;
}

// ---- which functions

// Shifts of two halves are known by their number, which all of the passes' are.
static bool has_form(LLVMValueRef i)
{
    const unsigned n = width(i);
    uint64_t by;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMICmp:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt: return true;
    case LLVMExtractElement: return !is_odd(width(LLVMGetOperand(i, 1)));
    case LLVMInsertElement: return !is_odd(width(LLVMGetOperand(i, 2)));
    case LLVMShuffleVector: return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return n < 64 || is_number(LLVMGetOperand(i, 1), &by);
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem: return n < 64;
    default: return false;
    }
}

static bool is_plain(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) || LLVMIsAConstantInt(v) || l_is_undef(v) ||
           LLVMIsAConstantDataVector(v) || LLVMIsAConstantVector(v) ||
           LLVMIsAConstantAggregateZero(v);
}

/**
 * Lists the instructions that have to do with odd integers; false when one of them cannot be taken.
 */
static bool find(struct taker *t, LLVMValueRef fn)
{
    l_each_block(fn, b)
        l_each_insn(b, i) {
            bool odd = is_odd(width(i)), can = width(i) <= 128;
            for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
                if (!is_odd(width(o))) continue;
                odd = true;
                can &= width(o) <= 128 && is_plain(o);
            }
            if (!odd || l_is_debug(i)) continue;
            if (!can || !has_form(i)) return false;
            vec_push(&t->insns, i);
        }
    return true;
}

// ---- values

static LLVMValueRef cut(struct taker *t, LLVMValueRef v, unsigned bits)
{
    const unsigned room = width(v);
    return bits == room ? v : LLVMBuildAnd(t->b, v, number(v, (1ull << bits) - 1), "");
}

/** The lowest n bits of the result. */
static struct odd cut_to(struct taker *t, struct odd v, unsigned n)
{
    if (v.hi) v.hi = cut(t, v.hi, n - 64);
    else v.lo = cut(t, v.lo, n);
    return v;
}

// Bits from n on as bit n - 1 is.
static LLVMValueRef fill(struct taker *t, LLVMValueRef v, unsigned n)
{
    LLVMValueRef by = number(v, width(v) - n);
    return n == width(v) ? v : LLVMBuildAShr(t->b, LLVMBuildShl(t->b, v, by, ""), by, "");
}

static struct odd with_sign(struct taker *t, struct odd v, unsigned n)
{
    if (v.hi) v.hi = fill(t, v.hi, n - 64);
    else v.lo = fill(t, v.lo, n);
    return v;
}

static struct odd get(struct taker *t, LLVMValueRef v)
{
    const unsigned n = width(v);
    if (!is_odd(n)) return (struct odd){v, NULL};
    const uint64_t *at = map_get_ptr(&t->place, v);
    if (at) return t->values.data[*at - 1];
    LLVMTypeRef part = part_of(t, v);
    if (l_is_undef(v)) return (struct odd){LLVMGetUndef(part), n > 64 ? LLVMGetUndef(part) : NULL};
    // a number: of one, the builder makes another one
    if (n <= 64) return (struct odd){LLVMBuildZExt(t->b, v, part, ""), NULL};
    return (struct odd){LLVMBuildTrunc(t->b, v, part, ""),
                        LLVMBuildTrunc(t->b, LLVMBuildLShr(t->b, v, number(v, 64), ""), part, "")};
}

// ---- instructions

static struct odd each(struct taker *t, LLVMOpcode op, struct odd x, struct odd y)
{
    return (struct odd){LLVMBuildBinOp(t->b, op, x.lo, y.lo, ""),
                        x.hi ? LLVMBuildBinOp(t->b, op, x.hi, y.hi, "") : NULL};
}

static struct odd sum(struct taker *t, LLVMOpcode op, struct odd x, struct odd y)
{
    struct odd r = each(t, op, x, y);
    if (!r.hi) return r;
    LLVMValueRef carry = op == LLVMAdd ? LLVMBuildICmp(t->b, LLVMIntULT, r.lo, x.lo, "")
                                       : LLVMBuildICmp(t->b, LLVMIntULT, x.lo, y.lo, "");
    r.hi = LLVMBuildBinOp(t->b, op, r.hi, LLVMBuildZExt(t->b, carry, LLVMTypeOf(r.hi), ""), "");
    return r;
}

static struct odd product(struct taker *t, struct odd x, struct odd y)
{
    struct odd r = {LLVMBuildMul(t->b, x.lo, y.lo, ""), NULL};
    if (!x.hi) return r;
    // the upper half of x.lo * y.lo, of products of 32 bits
    LLVMValueRef half = number(x.lo, 32), xl = cut(t, x.lo, 32), yl = cut(t, y.lo, 32);
    LLVMValueRef xh = LLVMBuildLShr(t->b, x.lo, half, ""), yh = LLVMBuildLShr(t->b, y.lo, half, "");
    LLVMValueRef u = LLVMBuildAdd(t->b, LLVMBuildMul(t->b, xh, yl, ""),
                                  LLVMBuildLShr(t->b, LLVMBuildMul(t->b, xl, yl, ""), half, ""),
                                  "");
    LLVMValueRef v = LLVMBuildAdd(t->b, LLVMBuildMul(t->b, xl, yh, ""), cut(t, u, 32), "");
    LLVMValueRef high = LLVMBuildAdd(
        t->b, LLVMBuildMul(t->b, xh, yh, ""),
        LLVMBuildAdd(t->b, LLVMBuildLShr(t->b, u, half, ""), LLVMBuildLShr(t->b, v, half, ""), ""),
        "");
    LLVMValueRef cross = LLVMBuildAdd(t->b, LLVMBuildMul(t->b, x.lo, y.hi, ""),
                                      LLVMBuildMul(t->b, x.hi, y.lo, ""), "");
    r.hi = LLVMBuildAdd(t->b, high, cross, "");
    return r;
}

/** x shifted by k; of two halves the one that bits come from (`from`) fills the other (`to`). */
static struct odd shift_two(struct taker *t, LLVMOpcode op, struct odd x, uint64_t k)
{
    const bool left = op == LLVMShl;
    LLVMValueRef from = left ? x.lo : x.hi, to = left ? x.hi : x.lo, filler = number(from, 0);
    if (op == LLVMAShr) filler = LLVMBuildAShr(t->b, from, number(from, 63), "");
    if (k >= 64) {
        to = LLVMBuildBinOp(t->b, op, from, number(from, k - 64), "");
        from = filler;
    } else if (k) {
        LLVMValueRef moved =
            LLVMBuildBinOp(t->b, left ? LLVMLShr : LLVMShl, from, number(from, 64 - k), "");
        to = LLVMBuildOr(t->b,
                         LLVMBuildBinOp(t->b, left ? LLVMShl : LLVMLShr, to, number(to, k), ""),
                         moved, "");
        from = LLVMBuildBinOp(t->b, op, from, number(from, k), "");
    }
    return left ? (struct odd){from, to} : (struct odd){to, from};
}

static struct odd shift(struct taker *t, LLVMOpcode op, LLVMValueRef insn, unsigned n)
{
    struct odd x = get(t, LLVMGetOperand(insn, 0)), y = get(t, LLVMGetOperand(insn, 1));
    if (op == LLVMAShr) x = with_sign(t, x, n);
    uint64_t k;
    if (!x.hi || !is_number(LLVMGetOperand(insn, 1), &k)) return each(t, op, x, y);
    if (k >= n)
        return (struct odd){LLVMGetPoison(LLVMTypeOf(x.lo)), LLVMGetPoison(LLVMTypeOf(x.lo))};
    return shift_two(t, op, x, k);
}

static LLVMValueRef compared(struct taker *t, LLVMValueRef insn)
{
    LLVMValueRef a = LLVMGetOperand(insn, 0);
    const LLVMIntPredicate p = LLVMGetICmpPredicate(insn);
    struct odd x = get(t, a), y = get(t, LLVMGetOperand(insn, 1));
    const bool is_signed = p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
    if (is_signed) x = with_sign(t, x, width(a)), y = with_sign(t, y, width(a));
    if (!x.hi) return LLVMBuildICmp(t->b, p, x.lo, y.lo, "");
    const bool below = p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE;
    const bool or_equal = p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntUGE || p == LLVMIntSGE;
    LLVMValueRef same = LLVMBuildICmp(t->b, LLVMIntEQ, x.hi, y.hi, "");
    if (p == LLVMIntEQ || p == LLVMIntNE) {
        LLVMValueRef equal =
            LLVMBuildAnd(t->b, same, LLVMBuildICmp(t->b, LLVMIntEQ, x.lo, y.lo, ""), "");
        return p == LLVMIntEQ ? equal : LLVMBuildNot(t->b, equal, "");
    }
    const LLVMIntPredicate high = is_signed ? (below ? LLVMIntSLT : LLVMIntSGT)
                                            : (below ? LLVMIntULT : LLVMIntUGT);
    const LLVMIntPredicate low = below ? (or_equal ? LLVMIntULE : LLVMIntULT)
                                       : (or_equal ? LLVMIntUGE : LLVMIntUGT);
    return LLVMBuildSelect(t->b, same, LLVMBuildICmp(t->b, low, x.lo, y.lo, ""),
                           LLVMBuildICmp(t->b, high, x.hi, y.hi, ""), "");
}

/** Between widths, one of which is odd. */
static struct odd cast(struct taker *t, LLVMValueRef insn, bool is_signed)
{
    LLVMValueRef a = LLVMGetOperand(insn, 0);
    const unsigned from = width(a), n = width(insn);
    struct odd x = get(t, a);
    if (is_signed) x = with_sign(t, x, from);
    LLVMTypeRef part = part_of(t, insn);
    if (n <= 64) return (struct odd){LLVMBuildIntCast2(t->b, x.lo, part, is_signed, ""), NULL};
    x.lo = LLVMBuildIntCast2(t->b, x.lo, part, is_signed, "");
    if (!x.hi) x.hi = is_signed ? LLVMBuildAShr(t->b, x.lo, number(x.lo, 63), "") : number(x.lo, 0);
    return x;
}

/** Components of vectors come, go and change their places. */
static struct odd moved(struct taker *t, LLVMValueRef i, LLVMOpcode op)
{
    struct odd x = get(t, LLVMGetOperand(i, 0)), y = {NULL, NULL};
    LLVMValueRef at = LLVMGetOperand(i, 1);
    if (op == LLVMExtractElement)
        return (struct odd){LLVMBuildExtractElement(t->b, x.lo, at, ""),
                            x.hi ? LLVMBuildExtractElement(t->b, x.hi, at, "") : NULL};
    y = get(t, at);
    if (op == LLVMInsertElement) {
        at = LLVMGetOperand(i, 2);
        return (struct odd){LLVMBuildInsertElement(t->b, x.lo, y.lo, at, ""),
                            x.hi ? LLVMBuildInsertElement(t->b, x.hi, y.hi, at, "") : NULL};
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(t->ctx);
    VEC(LLVMValueRef) all = {0};
    for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++) {
        const int from = LLVMGetMaskValue(i, k);
        vec_push(&all, from < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (unsigned)from, false));
    }
    LLVMValueRef mask = LLVMConstVector(all.data, (unsigned)all.len);
    vec_free(&all);
    return (struct odd){LLVMBuildShuffleVector(t->b, x.lo, y.lo, mask, ""),
                        x.hi ? LLVMBuildShuffleVector(t->b, x.hi, y.hi, mask, "") : NULL};
}

static struct odd made(struct taker *t, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    const unsigned n = width(i);
    if (op == LLVMICmp) return (struct odd){compared(t, i), NULL};
    if (op == LLVMTrunc || op == LLVMZExt || op == LLVMSExt)
        return cut_to(t, cast(t, i, op == LLVMSExt), n);
    if (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) return cut_to(t, shift(t, op, i, n), n);
    if (op == LLVMExtractElement || op == LLVMInsertElement || op == LLVMShuffleVector)
        return moved(t, i, op);
    struct odd x = get(t, LLVMGetOperand(i, op == LLVMSelect));
    if (op == LLVMFreeze)
        return (struct odd){LLVMBuildFreeze(t->b, x.lo, ""),
                            x.hi ? LLVMBuildFreeze(t->b, x.hi, "") : NULL};
    struct odd y = get(t, LLVMGetOperand(i, op == LLVMSelect ? 2 : 1));
    LLVMValueRef c = LLVMGetOperand(i, 0);
    switch (op) {
    case LLVMSelect:
        return (struct odd){LLVMBuildSelect(t->b, c, x.lo, y.lo, ""),
                            x.hi ? LLVMBuildSelect(t->b, c, x.hi, y.hi, "") : NULL};
    case LLVMAdd:
    case LLVMSub: return cut_to(t, sum(t, op, x, y), n);
    case LLVMMul: return cut_to(t, product(t, x, y), n);
    case LLVMSDiv:
    case LLVMSRem: return cut_to(t, each(t, op, with_sign(t, x, n), with_sign(t, y, n)), n);
    default: return each(t, op, x, y); // and, or, xor, udiv, urem
    }
}

// ---- a function

static size_t put(struct taker *t, LLVMValueRef i, struct odd v)
{
    vec_push(&t->values, v);
    *map_put_ptr(&t->place, i, NULL) = t->values.len;
    return t->values.len - 1;
}

/**
 * Replaces an instruction, after those that it needs. (In unreachable code, it may need itself.)
 */
static void take(struct taker *t, LLVMValueRef i)
{
    if (map_get_ptr(&t->place, i)) return;
    LLVMValueRef none = LLVMGetPoison(part_of(t, i));
    const size_t at = put(t, i, (struct odd){none, width(i) > 64 ? none : NULL});
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsAInstruction(o) && is_odd(width(o))) take(t, o);
    }
    LLVMPositionBuilderBefore(t->b, i);
    struct odd v = made(t, i);
    t->values.data[at] = v;
    if (!is_odd(width(i))) LLVMReplaceAllUsesWith(i, v.lo);
}

static void fill_phi(struct taker *t, LLVMValueRef phi)
{
    const struct odd to = get(t, phi);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(from));
        struct odd v = get(t, LLVMGetIncomingValue(phi, k));
        LLVMAddIncoming(to.lo, &v.lo, &from, 1);
        if (to.hi) LLVMAddIncoming(to.hi, &v.hi, &from, 1);
    }
}

static void take_all(struct taker *t)
{
    for (size_t k = 0; k < t->insns.len; k++) {
        LLVMValueRef i = t->insns.data[k];
        if (!LLVMIsAPHINode(i)) continue;
        LLVMPositionBuilderBefore(t->b, i);
        LLVMTypeRef part = part_of(t, i);
        LLVMValueRef lo = LLVMBuildPhi(t->b, part, l_name(i));
        put(t, i, (struct odd){lo, width(i) > 64 ? LLVMBuildPhi(t->b, part, "") : NULL});
    }
    for (size_t k = 0; k < t->insns.len; k++) take(t, t->insns.data[k]);
    for (size_t k = 0; k < t->insns.len; k++)
        if (LLVMIsAPHINode(t->insns.data[k])) fill_phi(t, t->insns.data[k]);
    for (size_t k = 0; k < t->insns.len; k++) {
        LLVMReplaceAllUsesWith(t->insns.data[k], LLVMGetUndef(LLVMTypeOf(t->insns.data[k])));
        LLVMInstructionEraseFromParent(t->insns.data[k]);
    }
}

void fe_take_odd_integers(LLVMModuleRef m)
{
    struct taker t = {.ctx = LLVMGetModuleContext(m)};
    t.b = LLVMCreateBuilderInContext(t.ctx);
    l_each_function(m, f) {
        t.insns.len = t.values.len = 0;
        if (find(&t, f) && t.insns.len) take_all(&t);
        map_deinit(&t.place);
        t.place = (struct map){0};
    }
    LLVMDisposeBuilder(t.b);
    vec_free(&t.insns);
    vec_free(&t.values);
}

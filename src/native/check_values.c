// SPDX-License-Identifier: MIT
// Checks of operands: divisors, floating-point numbers that become integers, and how often loops
// repeat.
#include "native/checks.h"

#include "builtins/builtins.h"

#include <math.h>

/** A condition for each component of a vector: all of them hold. */
static LLVMValueRef all_of(struct nat_checking *x, LLVMValueRef ok)
{
    LLVMTypeRef t = LLVMTypeOf(ok);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return ok;
    LLVMTypeRef bits = LLVMIntTypeInContext(x->c, LLVMGetVectorSize(t));
    return LLVMBuildICmp(x->b, LLVMIntEQ, LLVMBuildBitCast(x->b, ok, bits, ""),
                         LLVMConstAllOnes(bits), "");
}

static LLVMTypeRef element_of(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

/** The constant `one` in all components. */
static LLVMValueRef splat(LLVMTypeRef t, LLVMValueRef one)
{
    LLVMValueRef all[16];
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return one;
    for (unsigned k = 0; k < 16; k++) all[k] = one;
    return LLVMConstVector(all, LLVMGetVectorSize(t));
}

static void check_division(struct nat_checking *x, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1);
    LLVMTypeRef t = LLVMTypeOf(d), e = element_of(t);
    LLVMPositionBuilderBefore(x->b, i);
    LLVMValueRef ok = LLVMBuildICmp(x->b, LLVMIntNE, d, LLVMConstNull(t), "");
    if (op == LLVMSDiv || op == LLVMSRem) {
        LLVMValueRef least = splat(t, LLVMConstInt(e, 1ull << (LLVMGetIntTypeWidth(e) - 1), false));
        LLVMValueRef fits = LLVMBuildOr(x->b,
                                        LLVMBuildICmp(x->b, LLVMIntNE, d, LLVMConstAllOnes(t), ""),
                                        LLVMBuildICmp(x->b, LLVMIntNE, a, least, ""), "");
        ok = LLVMBuildAnd(x->b, ok, fits, "");
    }
    nat_check_that(x, all_of(x, ok));
}

/**
 * Truncated towards zero, the number fits. (Coarse for signed ones: below -2^(n-1) by less than 1,
 * it fits, too.)
 */
static void check_conversion(struct nat_checking *x, LLVMValueRef v, LLVMTypeRef to, bool is_signed)
{
    LLVMTypeRef t = LLVMTypeOf(v), e = element_of(t);
    const int bits = (int)LLVMGetIntTypeWidth(element_of(to));
    const double end = ldexp(1, is_signed ? bits - 1 : bits);
    LLVMValueRef least = splat(t, LLVMConstReal(e, is_signed ? -end : -1)),
                 most = splat(t, LLVMConstReal(e, end));
    LLVMValueRef low = LLVMBuildFCmp(x->b, is_signed ? LLVMRealOGE : LLVMRealOGT, v, least, ""),
                 high = LLVMBuildFCmp(x->b, LLVMRealOLT, v, most, "");
    nat_check_that(x, all_of(x, LLVMBuildAnd(x->b, low, high, "")));
}

static struct err *check_convert_call(struct nat_checking *x, LLVMValueRef i)
{
    struct bi_call c;
    LLVMValueRef f = l_callee(i);
    if (!f || !LLVMIsDeclaration(f) || !bi_lookup(l_name(f), &c) ||
        !str_starts(c.row->name, "convert_") || c.sat || bi_is_float(c.to.scalar) ||
        !bi_is_float(c.arg[0].scalar))
        return NULL;
    if (c.round) return err_new("it has a conversion with a rounding that is not checked");
    LLVMPositionBuilderBefore(x->b, i);
    check_conversion(x, LLVMGetOperand(i, 0), LLVMTypeOf(i), bi_is_signed(c.to.scalar));
    return NULL;
}

/** atomic_…_explicit may name a scope. */
static bool may_have_scope(LLVMValueRef call)
{
    struct bi_call c;
    LLVMValueRef f = l_callee(call);
    return f && LLVMIsDeclaration(f) && bi_lookup(l_name(f), &c) &&
           str_starts(c.row->name, "atomic_") && strstr(c.row->name, "_explicit");
}

static struct err *check_value(struct nat_checking *x, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        if (x->checks & PROOF_CHECK_DIVISIONS) check_division(x, i);
        return NULL;
    case LLVMFPToSI:
    case LLVMFPToUI:
        LLVMPositionBuilderBefore(x->b, i);
        if (x->checks & PROOF_CHECK_CONVERSIONS)
            check_conversion(x, LLVMGetOperand(i, 0), LLVMTypeOf(i), op == LLVMFPToSI);
        return NULL;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: x->has_scopes = true; return NULL; // of bitcode that an app made
    case LLVMCall:
        x->has_scopes |= may_have_scope(i);
        return x->checks & PROOF_CHECK_CONVERSIONS ? check_convert_call(x, i) : NULL;
    default: return NULL;
    }
}

/**
 * What is poison in LLVM for some operands must be one value, whatever it is, since what is checked
 * of it must be true of its other uses.
 */
static struct err *tame(struct nat_checking *x, LLVMValueRef i)
{
    LLVMValueRef by;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        by = LLVMGetOperand(i, 1);
        if (LLVMIsAInstruction(by) && LLVMGetInstructionOpcode(by) == LLVMAnd)
            by = LLVMGetOperand(by, 1); // as OpenCL C has it
        if (LLVMIsAConstantInt(by) &&
            LLVMConstIntGetZExtValue(by) < LLVMGetIntTypeWidth(LLVMTypeOf(i)))
            return NULL;
        break;
    case LLVMFPToSI:
    case LLVMFPToUI: break;
    case LLVMExtractElement:
    case LLVMInsertElement:
        by = LLVMGetOperand(i, LLVMIsAExtractElementInst(i) ? 1 : 2);
        return LLVMIsAConstantInt(by) ? NULL : err_new("it computes the index of a component");
    case LLVMCall: // llvm.ctlz, llvm.abs, …: an operand says that some values give poison
        by = LLVMGetNumArgOperands(i) == 2 && l_callee(i) &&
                     str_starts(l_name(l_callee(i)), "llvm.")
                 ? LLVMGetOperand(i, 1)
                 : NULL;
        if (by && LLVMTypeOf(by) == x->i1) LLVMSetOperand(i, 1, LLVMConstNull(x->i1));
        return NULL;
    default: return NULL;
    }
    LLVMPositionBuilderBefore(x->b, LLVMGetNextInstruction(i));
    LLVMValueRef one = LLVMBuildFreeze(x->b, i, "");
    LLVMReplaceAllUsesWith(i, one);
    if (LLVMIsAInstruction(one)) LLVMSetOperand(one, 0, i);
    return NULL;
}

struct err *nat_check_values(struct nat_checking *x)
{
    struct err *e = NULL;
    l_each_function(x->m, f)
        l_each_block(f, b)
            l_each_insn(b, i)
                if (!e && !(e = check_value(x, i))) e = tame(x, i);
    return e;
}

// ---- loops

enum { MOST_AT_ONCE = 1 << 20 };

struct counted {
    LLVMValueRef phi, bound;
    bool up, is_signed;
    uint64_t step;
    uint64_t iterations; // of the loop and those in it, if constants decide; 0: they do not
};

static void tick(struct nat_checking *x, LLVMValueRef before, LLVMValueRef n, bool leaves)
{
    LLVMPositionBuilderBefore(x->b, before);
    LLVMTypeRef types[] = {x->i64, x->i1},
                type = LLVMFunctionType(LLVMVoidTypeInContext(x->c), types, 2, false);
    LLVMValueRef f = LLVMGetNamedFunction(x->m, NAT_TICK), args[] = {n, NULL};
    if (!f) f = LLVMAddFunction(x->m, NAT_TICK, type);
    args[1] = LLVMConstInt(x->i1, leaves, false);
    LLVMBuildCall2(x->b, type, f, args, 2, "");
}

static bool is_inside(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef v)
{
    const int b = LLVMIsAInstruction(v) ? rg_block_of(f, v) : -1;
    return b >= 0 && rg_in_loop(l, (unsigned)b);
}

static bool comes_from_inside(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef phi,
                              unsigned k)
{
    return is_inside(f, l, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
}

static bool is_left_from_header(const struct rg_fn *f, const struct rg_loop *l)
{
    for (unsigned b = l->header; b <= l->last; b++) {
        if (f->blocks[b].end != RG_BRANCH && f->blocks[b].end != RG_BARRIER) return false;
        for (unsigned s = 0; s < f->blocks[b].nsucc && b != l->header; s++)
            if (!rg_in_loop(l, f->blocks[b].succ[s])) return false;
    }
    return true;
}

/** The constant that the counter advances by in each iteration; 0: there is none. */
static int64_t step_of(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef phi)
{
    int64_t step = 0;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, k);
        if (!comes_from_inside(f, l, phi, k)) continue;
        if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
            LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            return 0;
        const int64_t its = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
        if (step && its != step) return 0;
        step = its;
    }
    return step;
}

/**
 * Whether the loop is left from its header alone, when a counter passes a bound that the loop does
 * not change: the number of iterations is known when it begins.
 */
static bool is_counted(const struct rg_fn *f, unsigned loop, struct counted *c)
{
    const struct rg_loop *l = &f->loops[loop];
    const struct rg_block *h = &f->blocks[l->header];
    if (h->end != RG_BRANCH || h->nsucc != 2 || !LLVMIsABranchInst(h->stop)) return false;
    LLVMValueRef test = LLVMGetCondition(h->stop);
    if (!LLVMIsAICmpInst(test) || !is_left_from_header(f, l)) return false;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    c->phi = LLVMGetOperand(test, 0);
    c->bound = LLVMGetOperand(test, 1);
    c->up = p == LLVMIntULT || p == LLVMIntSLT;
    c->is_signed = p == LLVMIntSLT || p == LLVMIntSGT;
    if (!c->up && p != LLVMIntUGT && p != LLVMIntSGT) return false;
    if (!rg_in_loop(l, h->succ[0]) || rg_in_loop(l, h->succ[1]) || !LLVMIsAPHINode(c->phi) ||
        LLVMGetInstructionParent(c->phi) != h->bb || is_inside(f, l, c->bound) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(c->phi)) > 64)
        return false;
    const int64_t step = step_of(f, l, c->phi);
    c->step = c->up ? (uint64_t)step : -(uint64_t)step;
    return step && (step > 0) == c->up;
}

static LLVMValueRef wide(struct nat_checking *x, const struct counted *c, LLVMValueRef v)
{
    return LLVMBuildIntCast2(x->b, v, x->i64, c->is_signed, "");
}

/**
 * Iterations when the counter begins at `init`, at most. With a step other than 1, a counter may
 * wrap around before it passes the bound.
 */
static LLVMValueRef iterations(struct nat_checking *x, const struct counted *c, LLVMValueRef init)
{
    LLVMValueRef from = wide(x, c, c->up ? init : c->bound),
                 to = wide(x, c, c->up ? c->bound : init);
    LLVMValueRef some = LLVMBuildICmp(x->b, c->is_signed ? LLVMIntSLT : LLVMIntULT, from, to, "");
    LLVMValueRef n = LLVMBuildSub(x->b, to, from, "");
    LLVMValueRef most = nat_k(x, 1ull << 62); // more than may be left
    n = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntULT, n, most, ""), n, most, "");
    return LLVMBuildSelect(x->b, some, n, nat_k(x, 0), "");
}

/** The iterations of the loop and the loops in it, if constants decide them and they are few. */
static uint64_t constant_iterations(const struct rg_fn *f, unsigned loop, const struct counted *c)
{
    const struct rg_loop *l = &f->loops[loop];
    int64_t init = 0;
    bool known = LLVMIsAConstantInt(c->bound) != NULL, is_known = false;
    for (unsigned k = 0; k < LLVMCountIncoming(c->phi) && known; k++) {
        LLVMValueRef v = LLVMGetIncomingValue(c->phi, k);
        if (comes_from_inside(f, l, c->phi, k)) continue;
        known = LLVMIsAConstantInt(v) && (!is_known || LLVMConstIntGetSExtValue(v) == init);
        is_known = true;
        if (known) init = LLVMConstIntGetSExtValue(v);
    }
    if (!known || !is_known) return 0;
    const int64_t bound = LLVMConstIntGetSExtValue(c->bound),
                  n = c->up ? bound - init : init - bound;
    // small numbers are the same with and without a sign, and the counter does not wrap around
    const int64_t small = 1 << 20;
    if (init < 0 || bound < 0 || init > small || bound > small || c->step > (uint64_t)small ||
        LLVMGetIntTypeWidth(LLVMTypeOf(c->phi)) < 32)
        return 0;
    return n > 0 ? ((uint64_t)n + c->step - 1) / c->step : 1;
}

static void find_counted(const struct rg_fn *f, struct counted *c, bool *counted)
{
    for (unsigned l = f->nloops; l-- > 0;) { // children first
        counted[l] = is_counted(f, l, &c[l]);
        if (counted[l]) c[l].iterations = constant_iterations(f, l, &c[l]);
        if (counted[l] && !c[l].iterations && c[l].step != 1) counted[l] = false;
        uint64_t inside = 1;
        for (unsigned k = l + 1; k < f->nloops && c[l].iterations; k++)
            if (f->loops[k].parent == (int)l)
                inside = c[k].iterations ? inside + c[k].iterations : UINT32_MAX;
        c[l].iterations *= inside;
        if (c[l].iterations > MOST_AT_ONCE) c[l].iterations = 0;
    }
}

static void count_loop(struct nat_checking *x, const struct rg_fn *f, unsigned loop,
                       const struct counted *c, bool is_counted)
{
    const struct rg_loop *l = &f->loops[loop];
    LLVMBasicBlockRef bb = f->blocks[l->header].bb;
    if (!is_counted) {
        LLVMValueRef i = LLVMGetFirstInstruction(bb);
        while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
        tick(x, i, nat_k(x, 1), true);
        return;
    }
    for (unsigned k = 0; k < LLVMCountIncoming(c->phi); k++) {
        if (comes_from_inside(f, l, c->phi, k)) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(c->phi, k));
        LLVMPositionBuilderBefore(x->b, end);
        LLVMValueRef n = c->iterations ? nat_k(x, c->iterations)
                                       : iterations(x, c, LLVMGetIncomingValue(c->phi, k));
        tick(x, end, n, !c->iterations);
    }
}

void nat_check_ends(struct nat_checking *x)
{
    struct arena a = {0};
    struct rg_fn f;
    rg_cfg_build(&f, x->kernel, &a);
    struct counted *c = arena_array(&a, struct counted, f.nloops + 1);
    bool *counted = arena_array(&a, bool, f.nloops + 1);
    find_counted(&f, c, counted);
    for (unsigned l = 0; l < f.nloops; l++) {
        const int parent = f.loops[l].parent;
        if (parent < 0 || !c[parent].iterations) count_loop(x, &f, l, &c[l], counted[l]);
    }
    rg_fn_deinit(&f);
    arena_deinit(&a);
}

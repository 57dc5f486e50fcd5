// SPDX-License-Identifier: MIT
// Finds guards for function specialization: `if (i < n) { … barrier … }`, or `if (i >= n) return;`
// before a barrier. If sizes divide evenly, all work-items take the same direction, and a kernel
// that can rely on it is much faster (otherwise may_part makes nearly everything vary). This is
// known at the launch: ids have a range, and the bound is an argument. lower/kernel_variants.c
// makes a variant of the kernel without these branches.
#include "regions/regions.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/** For a load of a variable with a single store, the stored value; otherwise the value itself. */
static LLVMValueRef source(const struct rg_fn *f, LLVMValueRef v)
{
    while (LLVMIsALoadInst(v)) {
        const int web = rg_web_of(f, v);
        if (web < 0 || f->webs[web].ndefs != 1 || f->webs[web].has_undef) return v;
        if (!f->webs[web].stored) return v; // a join
        v = f->webs[web].stored;
    }
    return v;
}

static unsigned bits_of(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

/** Adds the constant of `x + c` or `x - c` to *sum, and returns x; NULL: there is no constant. */
static LLVMValueRef without_constant(const struct rg_fn *f, LLVMValueRef v, int64_t *sum)
{
    const bool minus = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMSub;
    if (!LLVMIsABinaryOperator(v) || (LLVMGetInstructionOpcode(v) != LLVMAdd && !minus))
        return NULL;
    LLVMValueRef a = source(f, LLVMGetOperand(v, 0)), b = source(f, LLVMGetOperand(v, 1));
    if (!minus && LLVMIsAConstantInt(a)) {
        LLVMValueRef swapped = a;
        a = b;
        b = swapped;
    }
    if (!LLVMIsAConstantInt(b) || *sum || bits_of(b) > 64) return NULL;
    const int64_t c = LLVMConstIntGetSExtValue(b);
    if (c > INT32_MAX || c < -INT32_MAX) return NULL;
    *sum = minus ? -c : c;
    return a;
}

/** Is it an id, possibly converted to another width, plus a constant? */
static bool is_id(const struct rg_fn *f, LLVMValueRef v, struct rg_precondition *g)
{
    v = source(f, v);
    if (bits_of(v) != 32 && bits_of(v) != 64) return false;
    g->narrow |= bits_of(v) == 32;
    if (LLVMIsATruncInst(v) || LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        return is_id(f, LLVMGetOperand(v, 0), g);
    LLVMValueRef more = without_constant(f, v, &g->plus);
    if (more) return is_id(f, more, g);
    if (!LLVMIsACallInst(v) || LLVMGetNumArgOperands(v) != 1 || bits_of(v) != 64) return false;
    char name[64];
    rg_callee_base_name(v, name, sizeof name);
    LLVMValueRef dim = LLVMGetOperand(v, 0), callee = LLVMGetCalledValue(v);
    g->is_local = !strcmp(name, "get_local_id");
    if (!LLVMIsDeclaration(callee) || (!g->is_local && strcmp(name, "get_global_id") != 0))
        return false;
    if (!LLVMIsAConstantInt(dim) || LLVMConstIntGetZExtValue(dim) > 2) return false;
    g->dim = (unsigned)LLVMConstIntGetZExtValue(dim);
    return true;
}

static bool param_of(const struct rg_fn *f, LLVMValueRef v, unsigned *k)
{
    for (*k = 0; *k < LLVMCountParams(f->fn); ++*k)
        if (LLVMGetParam(f->fn, *k) == v) return true;
    return false;
}

/** Is it a constant, or an argument plus a constant, possibly extended? */
static bool is_bound(const struct rg_fn *f, LLVMValueRef v, struct rg_precondition *g)
{
    v = source(f, v);
    if (LLVMIsAConstantInt(v)) {
        g->value = LLVMConstIntGetSExtValue(v);
        return bits_of(v) <= 64;
    }
    if (g->wide && (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))) {
        g->arg_signed = LLVMIsASExtInst(v) != NULL;
        v = source(f, LLVMGetOperand(v, 0));
        if (bits_of(v) != 32) return false;
    }
    g->arg_bits = bits_of(v);
    LLVMValueRef more = without_constant(f, v, &g->value);
    return (g->arg_bits == 32 || g->arg_bits == 64) && param_of(f, more ? more : v, &g->arg);
}

/**
 * Does a path from successor k of block b reach a barrier before the immediate post-dominator of b?
 */
static bool leads_to_barrier(const struct rg_fn *f, unsigned b, unsigned k)
{
    bool *seen = mem_alloc(f->nblocks), found = false;
    VEC(unsigned) work = {0};
    vec_push(&work, f->blocks[b].succ[k]);
    seen[b] = true;
    while (work.len && !found) {
        const unsigned at = vec_pop(&work);
        if (seen[at] || (int)at == f->blocks[b].ipdom) continue;
        seen[at] = true;
        found = f->blocks[at].end == RG_BARRIER;
        for (unsigned s = 0; s < f->blocks[at].nsucc; s++) vec_push(&work, f->blocks[at].succ[s]);
    }
    vec_free(&work);
    free(seen);
    return found;
}

/**
 * The only successor that leads to a barrier before the immediate post-dominator; 2: both or
 * neither.
 */
static unsigned side_of_barrier(const struct rg_fn *f, unsigned b)
{
    const bool first = leads_to_barrier(f, b, 0), second = leads_to_barrier(f, b, 1);
    return first == second ? 2 : second;
}

static LLVMIntPredicate inverse(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGE;
    default: return LLVMIntSGT;
    }
}

static LLVMIntPredicate mirrored(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    default: return LLVMIntSGE;
    }
}

static bool is_guard(const struct rg_fn *f, unsigned b, struct rg_precondition *g)
{
    const struct rg_block *B = &f->blocks[b];
    LLVMValueRef cond = B->end == RG_BRANCH && B->nsucc == 2 && LLVMIsABranchInst(B->stop)
                            ? source(f, LLVMGetCondition(B->stop))
                            : NULL;
    if (!f->decides[b] || !cond || !LLVMIsAICmpInst(cond)) return false;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
    if (p == LLVMIntEQ || p == LLVMIntNE) return false;
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        *g = (struct rg_precondition){.branch = B->stop,
                                      .wide = bits_of(LLVMGetOperand(cond, 0)) == 64};
        if (!is_id(f, LLVMGetOperand(cond, swapped), g) ||
            !is_bound(f, LLVMGetOperand(cond, !swapped), g))
            continue;
        g->side = side_of_barrier(f, b);
        g->predicate = swapped ? mirrored(p) : p;
        if (g->side == 1) g->predicate = inverse(g->predicate);
        return g->side < 2;
    }
    return false;
}

unsigned rg_preconditions(const struct rg_fn *f, struct rg_precondition out[RG_MAX_PRECONDITIONS])
{
    unsigned n = 0;
    for (unsigned b = 0; b < f->nblocks && n < RG_MAX_PRECONDITIONS; b++)
        n += is_guard(f, b, &out[n]);
    return n;
}

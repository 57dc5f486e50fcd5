// SPDX-License-Identifier: MIT
// Masked loops: loops that work-items leave in different iterations run in step (SPMD code for
// SIMD; Pharr and Mark, "ispc", InPar 2012; Karrenberg and Hack, "Whole-function vectorization",
// CGO 2011).
//
//     while (c) body;              active = true;
//                                  do { if (active) { if (c) body; else active = false; } }
//                                  while (!all(!active));
//
// The new loop ends once for all work-items that run together: its condition is a call of NAT_ALL,
// as in loop_versioning.c. So the loop over work-items can be interchanged with it, and LLVM
// vectorizes the body with masks. Invariant: what a work-item computes stays the same, also if the
// loops are not interchanged.
//
// A loop runs until the last of these work-items leaves it. That is worth it only where an
// iteration costs much less for a vector than for its work-items, in loops that compute and access
// no memory, and where few work-items run together: in kernels without barriers, which run in
// blocks.
#include "native/transform.h"

#include "llvm/ir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { FEWEST_INSNS = 6, MOST_INSNS = 300, MOST_LOOPS = 8, MOST_EXITS = 4 };

/** Does the instruction only compute, in every lane, wanted or not? */
static bool only_computes(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
    case LLVMPHI: return true;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: {
        LLVMValueRef by = LLVMGetOperand(i, 1);
        return LLVMIsAConstantInt(by) && LLVMConstIntGetSExtValue(by) > 0;
    }
    case LLVMLoad:
    case LLVMStore:
    case LLVMAlloca:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMSwitch: return false;
    case LLVMCall: {
        LLVMValueRef f = l_callee(i);
        const unsigned kind = LLVMGetEnumAttributeKindForName("speculatable", 12);
        return f && (str_starts(l_name(f), "cldbg.v") ||
                     LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind));
    }
    default: return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
    }
}

bool nat_takes_mask(const struct rg_fn *f, unsigned loop)
{
    const struct rg_loop *l = &f->loops[loop];
    unsigned insns = 0;
    if (!l->divergent || l->has_reconvergence || f->has_barrier || f->may_part || f->irreducible)
        return false;
    for (unsigned k = 0; k < f->nloops; k++)
        if (f->loops[k].parent == (int)loop) return false;
    for (unsigned b = l->header; b <= l->last; b++) {
        if (f->blocks[b].end != RG_BRANCH) return false;
        for (LLVMValueRef i = f->blocks[b].first; i; i = LLVMGetNextInstruction(i), insns++)
            if (!only_computes(i)) return false;
    }
    return insns >= FEWEST_INSNS && insns <= MOST_INSNS;
}

struct masking {
    const struct rg_fn *f;
    const struct rg_loop *l;
    LLVMBuilderRef b;
    LLVMBasicBlockRef entry, head, end, after; // head, end, after: of the new loop
    // Of the old one:
    LLVMBasicBlockRef header, exits[MOST_EXITS];
    unsigned nexits;
    // An i32, since LLVM takes vectors of bits in memory apart: 0, or 1 + the index of the exit
    // that the work-item took.
    LLVMValueRef left;
    struct map of; // phi of the header or of an exit → its variable
};

static LLVMValueRef variable(struct masking *m, LLVMTypeRef t)
{
    LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(m->entry));
    return LLVMBuildAlloca(m->b, t, "");
}

static LLVMValueRef variable_of(const struct masking *m, LLVMValueRef phi)
{
    const uint64_t *at = map_get_ptr(&m->of, phi);
    return at ? (LLVMValueRef)(uintptr_t)*at : NULL;
}

static void declare_phis(struct masking *m, LLVMBasicBlockRef block)
{
    l_each_insn(block, i) {
        if (!LLVMIsAPHINode(i)) break;
        *map_put_ptr(&m->of, i, NULL) = (uintptr_t)variable(m, LLVMTypeOf(i));
    }
}

/** Before the builder's place: the phis of `to` get their values of the edge from `from`. */
static void set_phis(struct masking *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    l_each_insn(to, phi) {
        if (!LLVMIsAPHINode(phi)) break;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            if (LLVMGetIncomingBlock(phi, k) != from) continue;
            LLVMBuildStore(m->b, LLVMGetIncomingValue(phi, k), variable_of(m, phi));
            break;
        }
    }
}

static LLVMValueRef number(const struct masking *m, unsigned n)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(m->f->fn));
    return LLVMConstInt(LLVMInt32TypeInContext(c), n, false);
}

static LLVMValueRef read_left(const struct masking *m)
{
    return LLVMBuildLoad2(m->b, LLVMTypeOf(number(m, 0)), m->left, "");
}

/** The index of an exit; nexits for other blocks. */
static unsigned exit_of(const struct masking *m, LLVMBasicBlockRef to)
{
    unsigned k = 0;
    while (k < m->nexits && m->exits[k] != to) k++;
    return k;
}

/** An edge of the loop to its header or an exit goes to the end of the new loop instead. */
static void redirect(struct masking *m, LLVMBasicBlockRef from, unsigned k)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(m->f->fn));
    LLVMValueRef stop = LLVMGetBasicBlockTerminator(from);
    LLVMBasicBlockRef to = LLVMGetSuccessor(stop, k),
                      edge = LLVMInsertBasicBlockInContext(c, m->end, "");
    const unsigned exit = exit_of(m, to);
    LLVMPositionBuilderAtEnd(m->b, edge);
    set_phis(m, from, to);
    if (exit < m->nexits) LLVMBuildStore(m->b, number(m, exit + 1), m->left);
    LLVMBuildBr(m->b, m->end);
    LLVMSetSuccessor(stop, k, edge);
}

/** Replaces the phis by the values of their variables, read at the end of `at`. */
static void replace_phis(struct masking *m, LLVMBasicBlockRef block, LLVMBasicBlockRef at)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMValueRef stop = LLVMGetBasicBlockTerminator(at);
        LLVMPositionBuilderBefore(m->b, stop);
        LLVMValueRef v = LLVMBuildLoad2(m->b, LLVMTypeOf(i), variable_of(m, i), "");
        LLVMReplaceAllUsesWith(i, v);
        LLVMInstructionEraseFromParent(i);
    }
}

static void build_ends(struct masking *m)
{
    LLVMPositionBuilderAtEnd(m->b, m->head);
    LLVMBuildCondBr(m->b, LLVMBuildIsNull(m->b, read_left(m), ""), m->header, m->end);
    LLVMPositionBuilderAtEnd(m->b, m->end);
    LLVMValueRef done = LLVMBuildIsNotNull(m->b, read_left(m), "");
    LLVMBuildCondBr(m->b, nat_build_all(m->b, LLVMGetGlobalParent(m->f->fn), done), m->after,
                    m->head);
    LLVMPositionBuilderAtEnd(m->b, m->after);
    if (m->nexits == 1) {
        LLVMBuildBr(m->b, m->exits[0]);
        return;
    }
    LLVMValueRef sw = LLVMBuildSwitch(m->b, read_left(m), m->exits[0], m->nexits - 1);
    for (unsigned k = 1; k < m->nexits; k++) LLVMAddCase(sw, number(m, k + 1), m->exits[k]);
}

static void mask(struct masking *m, LLVMBasicBlockRef before)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(m->f->fn));
    m->head = LLVMInsertBasicBlockInContext(c, m->header, "");
    m->end = LLVMInsertBasicBlockInContext(c, m->exits[0], "");
    m->after = LLVMInsertBasicBlockInContext(c, m->exits[0], "");
    m->left = variable(m, LLVMInt32TypeInContext(c));
    declare_phis(m, m->header);
    for (unsigned k = 0; k < m->nexits; k++) declare_phis(m, m->exits[k]);
    LLVMValueRef stop = LLVMGetBasicBlockTerminator(before);
    LLVMPositionBuilderBefore(m->b, stop);
    set_phis(m, before, m->header);
    LLVMBuildStore(m->b, number(m, 0), m->left);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(stop); k++)
        if (LLVMGetSuccessor(stop, k) == m->header) LLVMSetSuccessor(stop, k, m->head);
    for (unsigned b = m->l->header; b <= m->l->last; b++) {
        LLVMBasicBlockRef from = m->f->blocks[b].bb;
        LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(last, k);
            if (to == m->header || exit_of(m, to) < m->nexits) redirect(m, from, k);
        }
    }
    build_ends(m);
    replace_phis(m, m->header, m->head);
    for (unsigned k = 0; k < m->nexits; k++) replace_phis(m, m->exits[k], m->after);
}

/** Finds the block before the loop and those after it, if they have no other edges. */
static bool find_ends(struct masking *m, LLVMBasicBlockRef *before)
{
    const struct rg_fn *f = m->f;
    const struct rg_block *h = &f->blocks[m->l->header];
    int from = -1;
    m->nexits = 0;
    for (unsigned b = m->l->header; b <= m->l->last; b++)
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
            const struct rg_block *to = &f->blocks[f->blocks[b].succ[k]];
            if (rg_in_loop(m->l, f->blocks[b].succ[k]) || exit_of(m, to->bb) < m->nexits) continue;
            if (m->nexits == MOST_EXITS) return false;
            m->exits[m->nexits++] = to->bb;
            for (unsigned j = 0; j < to->npred; j++)
                if (!rg_in_loop(m->l, to->pred[j])) return false;
        }
    for (unsigned k = 0; k < h->npred; k++) {
        if (rg_in_loop(m->l, h->pred[k])) continue;
        if (from >= 0) return false;
        from = (int)h->pred[k];
    }
    if (!m->nexits || from < 0 || !nat_is_in_step(f, (unsigned)from)) return false;
    *before = f->blocks[from].bb;
    m->header = h->bb;
    m->entry = f->blocks[0].bb;
    return true;
}

static void run(LLVMValueRef fn, const char *passes)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMConsumeError(LLVMRunPasses(LLVMGetGlobalParent(fn), passes, NULL, o));
    LLVMDisposePassBuilderOptions(o);
}

static bool mask_some(struct rg_fn *f)
{
    struct masking m = {.f = f};
    LLVMBasicBlockRef before;
    for (unsigned l = 0; l < f->nloops; l++) {
        m.l = &f->loops[l];
        if (!nat_takes_mask(f, l) || !find_ends(&m, &before)) continue;
        m.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f->fn)));
        mask(&m, before);
        LLVMDisposeBuilder(m.b);
        map_deinit(&m.of);
        return true;
    }
    return false;
}

unsigned nat_mask_loops(struct rg_fn *f, struct arena *a,
                        void (*build)(struct rg_fn *, LLVMValueRef fn, struct arena *),
                        struct str *remarks)
{
    LLVMValueRef fn = f->fn;
    unsigned n = 0;
    bool any = false;
    for (unsigned l = 0; l < f->nloops; l++) any |= nat_takes_mask(f, l);
    if (!any) return 0;
    for (; n < MOST_LOOPS; n++) {
        run(fn, "function(mem2reg,loop-simplify,lcssa)"); // one block before and after each loop
        rg_fn_deinit(f);
        build(f, fn, a);
        if (!mask_some(f)) break;
    }
    if (n)
        str_printf(remarks,
                   "%u loop%s that work-items leave at different times run%s in step, with masks "
                   "[masks]\n",
                   n, n == 1 ? "" : "s", n == 1 ? "s" : "");
    return n;
}

// SPDX-License-Identifier: MIT
// Loops in which a work-item waits for what another one of its group does: a lock, a flag, a turn.
//
// Work-items between two cuts run one after the other, so such a loop would go round for ever. Each
// way back to its header is a cut, therefore: who has gone round once lets all others go on that
// can, and those who wait in a loop take turns (continuations.c). To have a block of its own for
// that, critical edges are split first.
//
// A loop that tries until its compare-and-exchange finds what it read itself, as a sum of floats
// does, waits for nobody of its own thread, and is left alone.
#include "native/transform.h"

#include "llvm/ir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static bool is_part(LLVMValueRef v, LLVMValueRef exchange, unsigned part)
{
    return LLVMIsAExtractValueInst(v) && LLVMGetOperand(v, 0) == exchange &&
           LLVMGetNumIndices(v) == 1 && LLVMGetIndices(v)[0] == part;
}

// Whether a value is, from the second round on, what the exchange read.
static bool was_read(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef v,
                     LLVMValueRef exchange)
{
    if (LLVMIsALoadInst(v)) { // anew in each round
        const int b = rg_block_of(f, v);
        return b >= 0 && rg_in_loop(l, (unsigned)b) &&
               LLVMGetOperand(v, 0) == LLVMGetOperand(exchange, 0);
    }
    if (!LLVMIsAPHINode(v)) return false;
    for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
        const int from = rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, k)));
        if (from >= 0 && rg_in_loop(l, (unsigned)from) &&
            !is_part(LLVMGetIncomingValue(v, k), exchange, 0))
            return false;
    }
    return true;
}

static bool is_success(LLVMValueRef condition, LLVMValueRef exchange)
{
    if (is_part(condition, exchange, 1)) return true;
    if (!LLVMIsAICmpInst(condition)) return false;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1),
                 expected = LLVMGetOperand(exchange, 1);
    return (p == LLVMIntEQ || p == LLVMIntNE) && ((a == expected && is_part(b, exchange, 0)) ||
                                                  (b == expected && is_part(a, exchange, 0)));
}

static bool only_retries(const struct rg_fn *f, const struct rg_loop *l)
{
    LLVMValueRef exchange = NULL, condition = NULL;
    for (unsigned b = l->header; b <= l->last; b++) {
        const struct rg_block *B = &f->blocks[b];
        for (LLVMValueRef i = B->first; i && i != B->stop; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAtomicCmpXchgInst(i)) continue;
            if (exchange) return false;
            exchange = i;
        }
        if (B->end != RG_BRANCH || B->nsucc > 2 ||
            (B->nsucc == 2 && (condition || !LLVMIsABranchInst(B->stop))))
            return false;
        if (B->nsucc == 2) condition = LLVMGetCondition(B->stop);
    }
    return exchange && condition && is_success(condition, exchange) &&
           was_read(f, l, LLVMGetOperand(exchange, 1), exchange);
}

static bool waits(const struct rg_fn *f, const struct rg_loop *l)
{
    return l->may_spin && !only_retries(f, l);
}

bool nat_yields(const struct rg_fn *f, unsigned b)
{
    const struct rg_block *B = &f->blocks[b];
    if (B->end != RG_BRANCH || B->nsucc != 1) return false;
    for (int l = B->loop; l >= 0; l = f->loops[l].parent)
        if (f->loops[l].header == B->succ[0]) return waits(f, &f->loops[l]);
    return false;
}

bool nat_split_latches(const struct rg_fn *f)
{
    bool any = false;
    for (unsigned l = 0; l < f->nloops; l++) any |= waits(f, &f->loops[l]);
    if (!any) return false;
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMConsumeError(
        LLVMRunPasses(LLVMGetGlobalParent(f->fn), "function(break-crit-edges)", NULL, o));
    LLVMDisposePassBuilderOptions(o);
    return true;
}

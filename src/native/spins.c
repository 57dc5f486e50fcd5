// SPDX-License-Identifier: MIT
// Spin loops: loops in which a work-item waits for another one of its group (a lock, a flag, a
// ticket).
//
// Work-items between two cuts run one after the other, so such a loop would not end. Each of its
// back edges is therefore a cut: after one iteration a work-item yields to all others that can run,
// and the work-items that wait in a loop take turns (continuations.c). Critical edges are split
// first, so that each back edge has a block.
//
// A loop that retries a compare-and-exchange until the value is the one that it read, such as an
// atomic sum of floats, does not wait for work-items of its own thread (lock-free), and stays
// unchanged.
#include "native/transform.h"

#include "llvm/ir.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static bool is_part(LLVMValueRef v, LLVMValueRef exchange, unsigned part)
{
    return LLVMIsAExtractValueInst(v) && LLVMGetOperand(v, 0) == exchange &&
           LLVMGetNumIndices(v) == 1 && LLVMGetIndices(v)[0] == part;
}

// Whether a value is, from the second iteration on, the value that the exchange read.
static bool was_read(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef v,
                     LLVMValueRef exchange)
{
    if (LLVMIsALoadInst(v)) { // again in each iteration
        const int b = rg_block_of(f, v);
        return b >= 0 && rg_in_loop(l, (unsigned)b) &&
               LLVMGetOperand(v, 0) == LLVMGetOperand(exchange, 0);
    }
    if (!LLVMIsAPHINode(v)) return false;
    for (unsigned k = 0; k < LLVMCountIncoming(v); k++) {
        const int from = rg_incoming_block(f, v, k);
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

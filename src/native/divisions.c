// SPDX-License-Identifier: MIT
// Divisions taken out of branches that only some work-items go, to where what they divide is there.
//
// LLVM's vectoriser (19) leaves a division that not all lanes reach to branches of its own, a lane
// each, since it might trap. Where an address is made of it that turns out the same for all lanes,
// it takes the first lane's: which is poison when the first lane did not come there. A division
// that is guarded, and whose operands are frozen, may as well stand before the branch, where it is
// done for all lanes at once. What comes to be the same for all is seen only when LLVM is done with
// the rest, so all go up, not those alone whose operands do not vary. Of the loop over work-items
// they must be taken before LLVM's other passes, which put what only a branch needs back into it.
#include "native/transform.h"

#include "llvm/ir.h"

enum { DEEP = 16 };

static bool is_division(LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMUDiv || op == LLVMURem || op == LLVMSDiv || op == LLVMSRem;
}

/** Does it nothing but compute? Then it may run where its result is not wanted. */
static bool only_computes(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze: return true;
    case LLVMCall: { // llvm.umax and the like
        static const char name[] = "speculatable";
        LLVMValueRef callee = l_callee(i);
        return callee &&
               LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex,
                                           LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
    }
    default: return false;
    }
}

static unsigned block_of(const struct rg_fn *f, LLVMValueRef i)
{
    return (unsigned)rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i)));
}

/**
 * Moves v, and what it is made of, up to where the last of its operands is; the block in which it
 * is then.
 */
static unsigned raise(const struct rg_fn *f, LLVMBuilderRef b, LLVMValueRef v, unsigned depth)
{
    if (!LLVMIsAInstruction(v)) return 0;
    const unsigned own = block_of(f, v);
    if (!depth || !only_computes(v) || !f->varying_control[own]) return own;
    unsigned last = 0;
    for (int k = LLVMGetNumOperands(v); k-- > 0;) { // (a callee is no instruction)
        const unsigned at = raise(f, b, LLVMGetOperand(v, (unsigned)k), depth - 1);
        if (rg_dominates(f, last, at)) last = at;
    }
    if (f->blocks[last].bb == f->blocks[own].bb) return own;
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(f->blocks[last].bb));
    LLVMInsertIntoBuilder(b, v);
    nat_guard_division(
        b, v); // anew: under the branch's condition LLVM may have seen that it needs no guard
    return last;
}

void nat_raise_divisions(const struct rg_fn *f)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f->fn)));
    l_each_block(f->fn, bb)
        for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_division(i)) raise(f, b, i, DEEP);
        }
    LLVMDisposeBuilder(b);
}

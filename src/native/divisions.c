// SPDX-License-Identifier: MIT
// Speculative hoisting of guarded divisions: moves a division out of divergent branches, to the
// point where its operands are available.
//
// LLVM's vectorizer (19) puts a division that not all lanes reach into branches, one for each lane,
// because it might trap. If the quotient is part of an address that is uniform over the lanes, LLVM
// uses the value of the first lane, which is poison if that lane did not reach the division.
// Invariant: a hoisted division has a guard and frozen operands, so it cannot trap; it is then done
// for all lanes at once. All divisions are hoisted, not only those with uniform operands, because
// uniformity is visible only after LLVM's other passes. These passes sink instructions that only a
// branch needs into that branch, so the divisions are hoisted out of the loop over work-items
// before they run.
#include "native/transform.h"

#include "llvm/ir.h"

enum { DEEP = 16 };

static bool is_division(LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMUDiv || op == LLVMURem || op == LLVMSDiv || op == LLVMSRem;
}

/** Whether an instruction has no side effects. It may then run speculatively. */
static bool only_computes(LLVMValueRef i)
{
    if (l_is_integer_operation(i) || l_is_integer_cast(i) || is_division(i)) return true;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMFCmp:
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
    case LLVMCall: { // llvm.umax and similar intrinsics
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
 * Moves v and its operands up to the last definition of an operand. Returns the block that v is in
 * afterwards.
 */
static unsigned raise(const struct rg_fn *f, LLVMBuilderRef b, LLVMValueRef v, unsigned depth)
{
    if (!LLVMIsAInstruction(v)) return 0;
    const unsigned own = block_of(f, v);
    if (!depth || !only_computes(v) || !f->varying_control[own]) return own;
    unsigned last = 0;
    for (int k = LLVMGetNumOperands(v); k-- > 0;) { // (a callee is not an instruction)
        const unsigned at = raise(f, b, LLVMGetOperand(v, (unsigned)k), depth - 1);
        if (rg_dominates(f, last, at)) last = at;
    }
    if (f->blocks[last].bb == f->blocks[own].bb) return own;
    LLVMInstructionRemoveFromParent(v);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(f->blocks[last].bb));
    LLVMInsertIntoBuilder(b, v);
    nat_guard_division(
        b, v); // again: LLVM may have removed the guard because of the branch's condition
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

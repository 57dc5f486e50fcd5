// SPDX-License-Identifier: MIT
// Whether a variable without a value matters: a forward data flow from the places where variables
// have no value (inlining.c) and from undefined constants, through operations that only compute, to
// a use that is not one of these: a branch, an address, a store, a call. Such a use makes the
// property unknown, on whatever path it is.
#include "proof/kernel.h"

#include "base/str.h"
#include "llvm/ir.h"

struct flow {
    struct pk *k;
    struct map undefined; // instruction → 1
    bool changed;
};

static bool is_undefined(const struct flow *f, LLVMValueRef v)
{
    if (LLVMIsAInstruction(v)) return map_get_ptr(&f->undefined, v) != NULL;
    if (!LLVMIsAConstant(v)) return false;
    for (unsigned e = 0; LLVMIsAConstantVector(v) && e < LLVMGetVectorSize(LLVMTypeOf(v)); e++)
        if (l_is_undef(LLVMGetOperand(v, e))) return true;
    return l_is_undef(v);
}

/** Whether a component of a vector has a value. */
static bool has_component(const struct flow *f, LLVMValueRef v, unsigned e)
{
    while (LLVMIsAInstruction(v) && LLVMIsAInsertElementInst(v)) {
        LLVMValueRef at = LLVMGetOperand(v, 2);
        if (!LLVMIsAConstantInt(at)) return !is_undefined(f, v);
        if (LLVMConstIntGetZExtValue(at) == e) return !is_undefined(f, LLVMGetOperand(v, 1));
        v = LLVMGetOperand(v, 0);
    }
    if (LLVMIsAConstantVector(v)) return !l_is_undef(LLVMGetOperand(v, e));
    return !is_undefined(f, v);
}

/** Whether a chain of insertions gives each component of the vector a defined value. */
static bool is_whole(const struct flow *f, LLVMValueRef v)
{
    bool whole = LLVMIsAConstantInt(LLVMGetOperand(v, 2));
    for (unsigned e = 0; whole && e < LLVMGetVectorSize(LLVMTypeOf(v)); e++)
        whole = has_component(f, v, e);
    return whole;
}

/** Whether each component of a shuffle is one that has a value. */
static bool takes_defined(const struct flow *f, LLVMValueRef v)
{
    const unsigned n = LLVMGetNumMaskElements(v);
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(a));
    for (unsigned i = 0; i < n; i++) {
        const int m = LLVMGetMaskValue(v, i);
        if (m < 0 || !has_component(f, (unsigned)m < size ? a : b, (unsigned)m % size))
            return false;
    }
    return true;
}

static bool only_computes(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
    case LLVMSwitch:
    case LLVMRet:
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMGetElementPtr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return false;
    case LLVMCall: {
        char name[64];
        rg_callee_base_name(i, name, sizeof name);
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || str_starts(name, "work_group_") ||
            str_starts(name, "sub_group_") || str_starts(name, "atom"))
            return false;
        for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, a))) == LLVMPointerTypeKind)
                return false;
        return true;
    }
    default: return true;
    }
}

/** Whether the result of an instruction may have no value. */
static bool gives_undefined(const struct flow *f, LLVMValueRef i)
{
    char name[64] = "";
    if (LLVMIsACallInst(i)) rg_callee_base_name(i, name, sizeof name);
    if (str_starts(name, PK_UNDEFINED_VALUE)) return true;
    if (!only_computes(i)) return false;
    if (LLVMIsAInsertElementInst(i) && is_whole(f, i)) return false;
    if (LLVMIsAShuffleVectorInst(i)) return !takes_defined(f, i);
    if (LLVMIsAExtractElementInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return !has_component(f, LLVMGetOperand(i, 0),
                              (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)));
    const int n = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);
    for (int o = 0; o < n; o++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        if (!LLVMIsABasicBlock(v) && is_undefined(f, v)) return true;
    }
    return false;
}

static void use(const struct flow *f, LLVMValueRef i)
{
    if (only_computes(i) || l_is_debug(i)) return;
    for (int o = LLVMGetNumOperands(i); o-- > 0;) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        if (LLVMIsABasicBlock(v) || !is_undefined(f, v)) continue;
        pk_unknown(f->k, PROOF_INITIALIZED, (struct pk_sites){.at = i}, NULL,
                   "a variable may have no value here");
    }
}

void pk_decide_variables(struct pk *k)
{
    struct flow f = {.k = k};
    do {
        f.changed = false;
        for (unsigned b = 0; b < k->f.nblocks; b++)
            for (LLVMValueRef i = k->f.blocks[b].first; i && i != k->f.blocks[b].stop;
                 i = LLVMGetNextInstruction(i)) {
                if (map_get_ptr(&f.undefined, i) || !gives_undefined(&f, i)) continue;
                map_put_ptr(&f.undefined, i, NULL);
                f.changed = true;
            }
    } while (f.changed);
    for (unsigned b = 0; b < k->f.nblocks; b++) {
        for (LLVMValueRef i = k->f.blocks[b].first; i && i != k->f.blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            use(&f, i);
        use(&f, k->f.blocks[b].stop);
    }
    map_deinit(&f.undefined);
}

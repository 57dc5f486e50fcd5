// SPDX-License-Identifier: MIT
// Whether a variable without a value matters: a forward data flow from the places where variables
// have no value (inlining.c) and from undefined constants, through operations that only compute, to
// a use that is not one of these: a branch, an address, a store, a call. Components of vectors are
// followed apart: clang loads and stores those of three as those of four. Such a use makes the
// property unknown, on whatever path it is.
#include "proof/kernel.h"

#include "base/str.h"
#include "llvm/ir.h"

struct flow {
    struct pk *k;
    struct map undefined; // instruction → its components without a value, as bits
    bool changed;
};

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static unsigned components(LLVMValueRef v)
{
    return is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : 1; // at most 16
}

static uint64_t all_of(LLVMValueRef v) { return (1ull << components(v)) - 1; }

static uint64_t undefined_of(const struct flow *f, LLVMValueRef v)
{
    if (LLVMIsAInstruction(v)) {
        const uint64_t *at = map_get_ptr(&f->undefined, v);
        return at ? *at : 0;
    }
    if (!LLVMIsAConstant(v)) return 0;
    if (l_is_undef(v)) return all_of(v);
    uint64_t r = 0;
    for (unsigned e = 0; LLVMIsAConstantVector(v) && e < components(v); e++)
        if (l_is_undef(LLVMGetOperand(v, e))) r |= 1ull << e;
    return r;
}

/** Of a shuffle: each component is one of the two operands. */
static uint64_t of_shuffle(const struct flow *f, LLVMValueRef v)
{
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const uint64_t both = undefined_of(f, a) | undefined_of(f, b) << components(a);
    uint64_t r = 0;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(v); i++) {
        const int m = LLVMGetMaskValue(v, i);
        if (m < 0 || both >> m & 1) r |= 1ull << i;
    }
    return r;
}

static uint64_t of_insertion(const struct flow *f, LLVMValueRef v)
{
    LLVMValueRef at = LLVMGetOperand(v, 2);
    const uint64_t old = undefined_of(f, LLVMGetOperand(v, 0)),
                   value = undefined_of(f, LLVMGetOperand(v, 1));
    if (!LLVMIsAConstantInt(at)) return value || undefined_of(f, at) ? all_of(v) : old;
    const uint64_t bit = 1ull << (LLVMConstIntGetZExtValue(at) & 15);
    return value ? old | bit : old & ~bit;
}

static uint64_t of_extraction(const struct flow *f, LLVMValueRef v)
{
    LLVMValueRef at = LLVMGetOperand(v, 1);
    const uint64_t from = undefined_of(f, LLVMGetOperand(v, 0));
    if (!LLVMIsAConstantInt(at)) return from || undefined_of(f, at);
    return from >> (LLVMConstIntGetZExtValue(at) & 15) & 1;
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

/** Whether each component of the result depends only on those of the same number. */
static bool is_by_component(LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op != LLVMCall && op != LLVMBitCast;
}

/** The components of the result that may have no value. */
static uint64_t gives_undefined(const struct flow *f, LLVMValueRef i)
{
    char name[64] = "";
    if (LLVMIsACallInst(i)) rg_callee_base_name(i, name, sizeof name);
    if (str_starts(name, PK_UNDEFINED_VALUE)) return all_of(i);
    if (!only_computes(i)) return 0;
    if (LLVMIsAInsertElementInst(i)) return of_insertion(f, i);
    if (LLVMIsAShuffleVectorInst(i)) return of_shuffle(f, i);
    if (LLVMIsAExtractElementInst(i)) return of_extraction(f, i);
    const int n = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);
    uint64_t r = 0;
    for (int o = 0; o < n; o++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        if (LLVMIsABasicBlock(v)) continue;
        const uint64_t u = undefined_of(f, v);
        if (u && (!is_by_component(i) || components(v) != components(i))) return all_of(i);
        r |= u;
    }
    return r;
}

static void use(const struct flow *f, LLVMValueRef i)
{
    if (only_computes(i) || l_is_debug(i)) return;
    for (int o = LLVMGetNumOperands(i); o-- > 0;) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        if (LLVMIsABasicBlock(v) || !undefined_of(f, v)) continue;
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
                const uint64_t u = gives_undefined(&f, i) | undefined_of(&f, i);
                if (u == undefined_of(&f, i)) continue;
                *map_put_ptr(&f.undefined, i, NULL) = u;
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

// SPDX-License-Identifier: MIT
// Pointer canonicalization for comparisons. A pointer contains the number of its object, and each
// argument is a separate object, so that a finding names the argument that was used. But a program
// may pass one buffer for two arguments, and a kernel may test for that (`b != a ? b[i] : 1`). So
// where pointers are compared or converted to numbers, BC_CANONICAL converts them to pointers based
// on the first argument with the same bytes. Both sides of most comparisons are based on one
// pointer (`p != end`), or on no argument (`p != 0`), and need no conversion.
#include "lower/lw.h"

enum { MOST_SEEN = 24 };
struct bases {
    LLVMValueRef base; // NULL: none found yet
    bool several;
    LLVMValueRef seen[MOST_SEEN];
    unsigned nseen;
};

static bool is_new(struct bases *s, LLVMValueRef v)
{
    for (unsigned i = 0; i < s->nseen; i++)
        if (s->seen[i] == v) return false;
    if (s->nseen == MOST_SEEN) s->several = true;
    else s->seen[s->nseen++] = v;
    return !s->several;
}

static void find(struct bases *s, LLVMValueRef v);

/**
 * Visits the values stored to a variable; false: the variable has other uses than loads and stores.
 */
static bool find_stored(struct bases *s, LLVMValueRef variable)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i) || l_is_debug(i)) continue;
        if (LLVMIsACallInst(i) && l_callee(i) && str_starts(l_name(l_callee(i)), "llvm.lifetime"))
            continue;
        if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != variable) return false;
    }
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (LLVMIsAStoreInst(LLVMGetUser(u))) find(s, LLVMGetOperand(LLVMGetUser(u), 0));
    return true;
}

static void find(struct bases *s, LLVMValueRef v)
{
    if (s->several || !is_new(s, v)) return;
    if (LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v)) return; // not a place
    const LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                          : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                   : 0;
    switch (op) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: find(s, LLVMGetOperand(v, 0)); return;
    case LLVMSelect:
        find(s, LLVMGetOperand(v, 1));
        find(s, LLVMGetOperand(v, 2));
        return;
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(v); k++) find(s, LLVMGetIncomingValue(v, k));
        return;
    case LLVMLoad:
        if (LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) &&
            LLVMGetTypeKind(LLVMGetAllocatedType(LLVMGetOperand(v, 0))) == LLVMPointerTypeKind &&
            find_stored(s, LLVMGetOperand(v, 0)))
            return;
        break;
    default: break;
    }
    if (s->base && s->base != v) s->several = true;
    s->base = v;
}

/** May it point into memory that arguments share? */
static bool may_be_shared(const struct bases *s, LLVMValueRef v)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    if (space == BC_LOCAL || space == BC_PRIVATE) return false;
    return s->several || (s->base && !LLVMIsAAllocaInst(s->base) &&
                          !LLVMIsAGlobalVariable(s->base) && !LLVMIsAFunction(s->base));
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

bool lw_may_alias_arguments(LLVMValueRef a, LLVMValueRef b)
{
    if (!is_pointer(a)) return false;
    struct bases x = {0}, y = {0};
    find(&x, a);
    if (!may_be_shared(&x, a)) return false;
    if (!b) return true;
    find(&y, b);
    return may_be_shared(&y, b) && (x.several || y.several || x.base != y.base);
}

lw_reg lw_canonical_pointer(struct lw_fn *f, lw_reg p)
{
    const lw_reg d = lw_temp(f, 8, lw_is_varying(p));
    lw_emit(f, (struct bc_insn){.op = BC_CANONICAL, .dst = d, .a = p, .b = BC_NONE, .c = BC_NONE});
    return d;
}

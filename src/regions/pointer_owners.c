// SPDX-License-Identifier: MIT
// Pointers with an owner: where they are signed. See interp/core/signing.h.
#include "regions/regions.h"

enum { PRIVATE = 0, LOCAL = 3, GENERIC = 4 };

/** Whether the type has a pointer to one of the address spaces, bits. */
static bool points_to(LLVMTypeRef t, unsigned spaces)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind: {
        const unsigned space = LLVMGetPointerAddressSpace(t);
        return space <= GENERIC && spaces >> space & 1;
    }
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: return points_to(LLVMGetElementType(t), spaces);
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (points_to(LLVMStructGetTypeAtIndex(t, i), spaces)) return true;
        return false;
    default: return false;
    }
}

bool rg_has_owner(LLVMTypeRef t) { return points_to(t, 1 << PRIVATE | 1 << LOCAL | 1 << GENERIC); }

bool rg_owner_varies(const struct rg_fn *f, LLVMTypeRef t)
{
    return points_to(t, 1 << PRIVATE | 1 << GENERIC | (unsigned)f->groups_vary << LOCAL);
}

bool rg_is_signed_there(const struct rg_fn *f, LLVMTypeRef t, LLVMValueRef pointer)
{
    return rg_has_owner(t) && !rg_private_is_pointers(f, pointer);
}

static LLVMValueRef only_user(LLVMValueRef v)
{
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use) && LLVMIsAInstruction(LLVMGetUser(use)) ? LLVMGetUser(use)
                                                                               : NULL;
}

bool rg_is_signed_number(LLVMValueRef ptrtoint)
{
    enum { LOW_BITS = 0xffff }; // signing leaves these as they are
    if (!rg_has_owner(LLVMTypeOf(LLVMGetOperand(ptrtoint, 0)))) return false;
    LLVMValueRef user = LLVMIsAInstruction(ptrtoint) ? only_user(ptrtoint) : NULL;
    if (!user) return true;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMAnd: {
        LLVMValueRef mask = LLVMGetOperand(user, 1);
        return !LLVMIsAConstantInt(mask) || LLVMConstIntGetZExtValue(mask) > LOW_BITS;
    }
    case LLVMSub: {
        LLVMValueRef a = LLVMGetOperand(user, 0), b = LLVMGetOperand(user, 1);
        return a == b || !LLVMIsAPtrToIntInst(a) || !LLVMIsAPtrToIntInst(b) ||
               only_user(a) != user || only_user(b) != user;
    }
    default: return true;
    }
}

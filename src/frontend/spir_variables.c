// SPDX-License-Identifier: MIT
#include "frontend/spir_variables.h"

#include "base/mem.h"
#include "base/vec.h"
#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

static bool is_address_of_part(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) ||
           (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
}

static bool is_only_read(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsALoadInst(user) &&
            !(is_address_of_part(user) && LLVMGetOperand(user, 0) == address && is_only_read(user)))
            return false;
    }
    return true;
}

/** Replaces all uses of an address by another one, of another address space. */
static void move_uses(LLVMValueRef from, LLVMValueRef to)
{
    VEC(LLVMValueRef) users = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(from); u; u = LLVMGetNextUse(u))
        vec_push(&users, LLVMGetUser(u));
    for (size_t i = 0; i < users.len; i++) {
        LLVMValueRef user = users.data[i], part;
        if (LLVMIsALoadInst(user)) {
            LLVMSetOperand(user, 0, to);
            continue;
        }
        const unsigned n = (unsigned)LLVMGetNumOperands(user) - 1;
        VEC(LLVMValueRef) indices = {0};
        for (unsigned k = 1; k <= n; k++) vec_push(&indices, LLVMGetOperand(user, k));
        if (LLVMIsAConstantExpr(user)) {
            part = LLVMConstGEP2(LLVMGetGEPSourceElementType(user), to, indices.data, n);
        } else {
            LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(user)));
            LLVMPositionBuilderBefore(b, user);
            part = LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(user), to, indices.data, n, "");
            LLVMDisposeBuilder(b);
        }
        vec_free(&indices);
        move_uses(user, part);
        if (LLVMIsAInstruction(user)) LLVMInstructionEraseFromParent(user);
    }
    vec_free(&users);
}

LLVMValueRef fe_take_spir_variables(LLVMModuleRef m)
{
    VEC(LLVMValueRef) all = {0};
    LLVMValueRef other = NULL;
    l_each_global(m, g)
        if (!LLVMGetPointerAddressSpace(LLVMTypeOf(g)) && LLVMGetInitializer(g) &&
            strncmp(l_name(g), "llvm.", 5))
            vec_push(&all, g);
    for (size_t i = 0; i < all.len; i++) {
        LLVMValueRef g = all.data[i];
        if (!is_only_read(g)) {
            other = other ? other : g;
            continue;
        }
        LLVMValueRef constant = LLVMAddGlobalInAddressSpace(m, LLVMGlobalGetValueType(g), "", 2);
        LLVMSetInitializer(constant, LLVMGetInitializer(g));
        LLVMSetAlignment(constant, LLVMGetAlignment(g));
        LLVMSetGlobalConstant(constant, true);
        LLVMSetLinkage(constant, LLVMInternalLinkage);
        move_uses(g, constant);
        LLVMReplaceAllUsesWith(g, LLVMGetUndef(LLVMTypeOf(g))); // dead constant expressions
        char *name = mem_strdup(l_name(g));
        LLVMDeleteGlobal(g);
        LLVMSetValueName2(constant, name, strlen(name));
        free(name);
    }
    vec_free(&all);
    return other;
}

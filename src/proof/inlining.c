// SPDX-License-Identifier: MIT
// Prepares a module for proofs: one function per kernel, private variables in registers. Only
// passes that neither remove a memory access of another object nor use undefined behavior are run.
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static unsigned kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_private_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
           (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 0 ||
            LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 4);
}

/** Whether a pointer to a variable of the function may outlive it. */
static bool hands_out_pointers(LLVMValueRef f)
{
    l_each_block(f, b)
        l_each_insn(b, i) {
            const LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op == LLVMRet && LLVMGetNumOperands(i) && is_private_pointer(LLVMGetOperand(i, 0)))
                return true;
            if (op == LLVMStore && is_private_pointer(LLVMGetOperand(i, 0)) &&
                !LLVMIsAAllocaInst(LLVMGetOperand(i, 1)))
                return true;
        }
    return false;
}

struct err *proof_prepare(LLVMModuleRef m)
{
    LLVMAttributeRef always =
        LLVMCreateEnumAttribute(LLVMGetModuleContext(m), kind("alwaysinline"), 0);
    l_each_function(m, f) {
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("noinline"));
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("optnone"));
        if (!LLVMIsDeclaration(f) && hands_out_pointers(f))
            LLVMGetOrInsertNamedMetadata(m, PK_POINTERS_OUTLIVE, strlen(PK_POINTERS_OUTLIVE));
        if (LLVMIsDeclaration(f) || (l_is_kernel(f) && !LLVMGetFirstUse(f))) continue;
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
    }
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMErrorRef bad = LLVMRunPasses(m, "always-inline,function(mem2reg)", NULL, o);
    LLVMDisposePassBuilderOptions(o);
    if (!bad) return NULL;
    char *text = LLVMGetErrorMessage(bad);
    struct err *e = err_new("the kernel cannot be prepared for proofs: %s", text);
    LLVMDisposeErrorMessage(text);
    return e;
}

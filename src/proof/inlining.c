// SPDX-License-Identifier: MIT
// Prepares a module for proofs: one function per kernel, private variables in registers. Only
// passes that neither remove a memory access of another object nor use undefined behavior are run.
//
// A private variable has no value at the beginning of its function, and again where it is declared
// (in the body of a loop). Before the variables are promoted, a call of PK_UNDEFINED_VALUE is
// stored to each there: promotion would otherwise choose a value for it. For an array, a
// struct or an event, a call of PK_DECLARED marks the place.
#include "proof/kernel.h"

#include "base/str.h"
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

/** Of a variable that is not promoted: an array, a struct, or an event, which is waited for there.
 */
static bool stays_in_memory(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMArrayTypeKind || LLVMGetTypeKind(t) == LLVMStructTypeKind ||
           LLVMGetTypeKind(t) == LLVMTargetExtTypeKind;
}

static LLVMValueRef function(LLVMModuleRef m, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return f && LLVMGlobalGetValueType(f) == type ? f : LLVMAddFunction(m, name, type);
}

/** From here on the variable has no value. */
static void mark(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef variable, LLVMValueRef before)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef t = LLVMGetAllocatedType(variable), of = LLVMTypeOf(variable);
    LLVMPositionBuilderBefore(b, before);
    if (stays_in_memory(t)) {
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), &of, 1, false);
        LLVMBuildCall2(b, type, function(m, PK_DECLARED, type), &variable, 1, "");
        return;
    }
    LLVMTypeRef type = LLVMFunctionType(t, NULL, 0, false);
    char *text = LLVMPrintTypeToString(t);
    struct str name = {0};
    str_printf(&name, "%s.%s", PK_UNDEFINED_VALUE, text);
    LLVMDisposeMessage(text);
    LLVMValueRef v = LLVMBuildCall2(b, type, function(m, str_text(&name), type), NULL, 0, "");
    LLVMBuildStore(b, v, variable);
    str_deinit(&name);
}

/** A parameter is declared after its value was stored. */
static bool is_parameter(LLVMValueRef variable, LLVMValueRef declaration)
{
    LLVMValueRef i = LLVMGetPreviousInstruction(declaration);
    for (; i && (LLVMIsAStoreInst(i) || l_is_debug(i)); i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable) return true;
    return false;
}

static void mark_undefined(LLVMModuleRef m, LLVMValueRef f)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    while (first && LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    l_each_block(f, block)
        l_each_insn(block, i) {
            LLVMValueRef variable = l_declared(i);
            if (!variable || !LLVMIsAAllocaInst(variable)) continue;
            if (!is_parameter(variable, i)) mark(b, m, variable, i);
        }
    l_each_insn(entry, i) {
        if (LLVMIsAAllocaInst(i) && LLVMGetFirstUse(i)) mark(b, m, i, first);
    }
    LLVMDisposeBuilder(b);
}

struct err *proof_prepare(LLVMModuleRef m)
{
    LLVMAttributeRef always =
        LLVMCreateEnumAttribute(LLVMGetModuleContext(m), kind("alwaysinline"), 0);
    l_each_function(m, f) {
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("noinline"));
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("optnone"));
        if (LLVMIsDeclaration(f)) continue;
        pk_narrow_vectors(f);
        mark_undefined(m, f);
        if (hands_out_pointers(f))
            LLVMGetOrInsertNamedMetadata(m, PK_POINTERS_OUTLIVE, strlen(PK_POINTERS_OUTLIVE));
        if (l_is_kernel(f) && !LLVMGetFirstUse(f)) continue;
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

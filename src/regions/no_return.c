// SPDX-License-Identifier: MIT
// Functions that end without a return statement: their return value is undefined. Clang keeps a
// return value in a variable, or a struct in memory of the caller. This pass marks the variable as
// the return value, so that reports can name the function, inlined or not. Memory of the caller may
// hold the result of an earlier call: if some path to the end does not write it, the function
// starts by copying a variable that is never written to it.
#include "regions/regions.h"

#include "llvm/ir.h"

static void note_variable(LLVMValueRef fn)
{
    l_each_block(fn, b) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || !LLVMIsAReturnInst(end) || !LLVMGetNumOperands(end)) continue;
        LLVMValueRef load = LLVMGetOperand(end, 0),
                     from = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
        if (from && LLVMIsAAllocaInst(from)) l_note_returned(from, fn);
    }
}

/** Does an instruction of the block use the address in a way that may write there? */
static bool is_written_in(LLVMBasicBlockRef b, LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) return true;
        if (LLVMIsAGetElementPtrInst(i) || LLVMIsAAddrSpaceCastInst(i)) {
            if (is_written_in(b, i)) return true;
        } else if (LLVMGetInstructionParent(i) == b && !LLVMIsALoadInst(i) && !l_is_debug(i)) {
            return true;
        }
    }
    return false;
}

/**
 * Is there a path from the entry to a return that does not write the memory?
 */
static bool may_stay_unwritten(LLVMValueRef fn, LLVMValueRef address)
{
    VEC(LLVMBasicBlockRef) todo = {0};
    struct map seen = {0};
    bool found = false, is_new;
    vec_push(&todo, LLVMGetEntryBasicBlock(fn));
    while (todo.len && !found) {
        LLVMBasicBlockRef b = todo.data[--todo.len];
        map_put_ptr(&seen, b, &is_new);
        if (!is_new || is_written_in(b, address)) continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        found = LLVMIsAReturnInst(end) != NULL;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            vec_push(&todo, LLVMGetSuccessor(end, k));
    }
    vec_free(&todo);
    map_deinit(&seen);
    return found;
}

/** The caller's memory for a returned struct, and its type. NULL: none. */
static LLVMValueRef given_memory(LLVMValueRef fn, LLVMTypeRef *type)
{
    for (unsigned k = 0; k < LLVMCountParams(fn); k++) {
        LLVMAttributeRef a =
            LLVMGetEnumAttributeAtIndex(fn, k + 1, LLVMGetEnumAttributeKindForName("sret", 4));
        if (!a) continue;
        *type = LLVMGetTypeAttributeValue(a);
        return LLVMGetParam(fn, k);
    }
    return NULL;
}

static void start_without_value(LLVMModuleRef m, LLVMValueRef fn, LLVMValueRef memory,
                                LLVMTypeRef t)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMBuilderRef at = LLVMCreateBuilderInContext(c);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(at, first);
    LLVMValueRef nothing = LLVMBuildAlloca(at, t, "");
    const unsigned align = l_align(m, t);
    LLVMBuildMemCpy(at, memory, align, nothing, align,
                    LLVMConstInt(LLVMInt64TypeInContext(c), l_size(m, t), false));
    l_note_returned(nothing, fn);
    LLVMDisposeBuilder(at);
}

void rg_returned(LLVMModuleRef m)
{
    l_each_function(m, fn) {
        LLVMTypeRef t;
        LLVMValueRef memory = LLVMIsDeclaration(fn) ? NULL : given_memory(fn, &t);
        note_variable(fn);
        if (memory && l_size(m, t) && may_stay_unwritten(fn, memory))
            start_without_value(m, fn, memory, t);
    }
}

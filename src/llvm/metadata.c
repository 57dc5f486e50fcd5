// SPDX-License-Identifier: MIT
// Metadata and debug info. LLVM 22 keeps debug variables as records beside the instructions and cannot
// turn them back; LLVM 19 can, and its C API reads only the older form, calls of llvm.dbg.declare.
#include "llvm/ir.h"

#include "base/mem.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#define DEBUG_RECORDS (LLVM_VERSION_MAJOR >= 22)

// LLVM 22 made size and offset of a type operands of its node, which moves those after them.
const struct l_di_layout l_di = {
    .scope = 1,
    .type_name = 2,
    .base_type = DEBUG_RECORDS ? 5 : 3,
    .elements = DEBUG_RECORDS ? 6 : 4,
    .signature = DEBUG_RECORDS ? 5 : 3,
    .var_name = 1,
    .var_type = 3,
    .subprogram_name = 2,
    .subprogram_type = 4,
};

LLVMValueRef l_md_operand(LLVMValueRef node, unsigned i)
{
    unsigned n = LLVMGetMDNodeNumOperands(node);
    if (i >= n) return NULL;
    LLVMValueRef few[32], *all = n <= 32 ? few : mem_array(NULL, n, sizeof *all);
    LLVMGetMDNodeOperands(node, all);
    LLVMValueRef v = all[i];
    if (all != few) free(all);
    return v;
}

const char *l_md_string(LLVMValueRef v, unsigned *len)
{
    *len = 0;
    return v && LLVMIsAMDString(v) ? LLVMGetMDString(v, len) : NULL;
}

LLVMValueRef l_md_value(LLVMModuleRef m, LLVMMetadataRef md)
{
    return LLVMMetadataAsValue(LLVMGetModuleContext(m), md);
}

LLVMMetadataRef l_md(LLVMValueRef v) { return LLVMValueAsMetadata(v); }

#if DEBUG_RECORDS
void l_debug_prepare(LLVMModuleRef m) {}
LLVMValueRef l_declared(LLVMValueRef i) { return NULL; }

void l_each_declare(LLVMValueRef f, l_declare_fn *fn, void *context)
{
    l_each_block(f, b) l_each_insn(b, i) {
        for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i); r; r = LLVMGetNextDbgRecord(r)) {
            if (LLVMDbgRecordGetKind(r) != LLVMDbgRecordDeclare) continue;
            LLVMValueRef address = LLVMDbgVariableRecordGetValue(r, 0);
            if (address)
                fn(context, address, LLVMDbgVariableRecordGetVariable(r), LLVMDbgRecordGetDebugLoc(r));
        }
    }
}
#else
void l_debug_prepare(LLVMModuleRef m) { LLVMSetIsNewDbgInfoFormat(m, 0); }
LLVMValueRef l_declared(LLVMValueRef i) { return LLVMIsADbgDeclareInst(i) ? l_md_operand(LLVMGetOperand(i, 0), 0) : NULL; }

void l_each_declare(LLVMValueRef f, l_declare_fn *fn, void *context)
{
    l_each_block(f, b) l_each_insn(b, i) {
        LLVMValueRef address = l_declared(i);
        if (address) fn(context, address, l_md(LLVMGetOperand(i, 1)), LLVMInstructionGetDebugLoc(i));
    }
}
#endif

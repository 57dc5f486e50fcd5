// SPDX-License-Identifier: MIT
// Metadata and debug info. Both versions keep debug variables as records beside the instructions.
// They are read here in the older form, calls of llvm.dbg.declare: those stand where the variable
// is declared like any other instruction, and LLVM 19's C API knows nothing else. LLVM 19 turns the
// records back itself; LLVM 22 cannot, so calls are put beside them.
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

static unsigned returned_kind(LLVMContextRef c)
{
    static const char name[] = "cldbg.returned";
    return LLVMGetMDKindIDInContext(c, name, sizeof name - 1);
}

void l_note_returned(LLVMValueRef variable, LLVMValueRef function)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const char *symbol = l_name(function);
    LLVMMetadataRef of[] = {LLVMMDStringInContext2(c, symbol, strlen(symbol)),
                            LLVMGetSubprogram(function)};
    LLVMSetMetadata(variable, returned_kind(c),
                    LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, of, of[1] ? 2 : 1)));
}

bool l_returned_by(LLVMValueRef variable, LLVMValueRef *symbol, LLVMMetadataRef *subprogram)
{
    if (!LLVMIsAInstruction(variable)) return false;
    LLVMValueRef note =
        LLVMGetMetadata(variable, returned_kind(LLVMGetTypeContext(LLVMTypeOf(variable))));
    if (!note) return false;
    LLVMValueRef of = l_md_operand(note, 1);
    *symbol = l_md_operand(note, 0);
    *subprogram = of ? l_md(of) : NULL;
    return true;
}

#if DEBUG_RECORDS
static void put_call(LLVMModuleRef m, LLVMBuilderRef at, LLVMDbgRecordRef r)
{
    static const char name[] = "llvm.dbg.declare";
    LLVMValueRef address = LLVMDbgVariableRecordGetValue(r, 0);
    if (!address) return;
    LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    LLVMValueRef of[] = {
        l_md_value(m, LLVMValueAsMetadata(address)),
        l_md_value(m, LLVMDbgVariableRecordGetVariable(r)),
        l_md_value(m, LLVMDbgVariableRecordGetExpression(r)),
    };
    LLVMValueRef call = LLVMBuildCall2(at, LLVMGlobalGetValueType(fn), fn, of, 3, "");
    LLVMInstructionSetDebugLoc(call, LLVMDbgRecordGetDebugLoc(r));
}

static void put_calls(LLVMModuleRef m, LLVMBuilderRef at, LLVMValueRef i)
{
    for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i); r; r = LLVMGetNextDbgRecord(r))
        if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare) put_call(m, at, r);
}

void l_debug_prepare(LLVMModuleRef m)
{
    LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    l_each_function(m, f)
        l_each_block(f, b)
            l_each_insn(b, i) {
                if (!LLVMGetFirstDbgRecord(i)) continue;
                LLVMPositionBuilderBeforeInstrAndDbgRecords(at, i); // (the records stay there)
                put_calls(m, at, i);
            }
    LLVMDisposeBuilder(at);
}
bool l_has_debug_records(LLVMBasicBlockRef b)
{
    l_each_insn(b, i)
        if (LLVMGetFirstDbgRecord(i)) return true;
    return false;
}
#else
void l_debug_prepare(LLVMModuleRef m) { LLVMSetIsNewDbgInfoFormat(m, 0); }
bool l_has_debug_records(LLVMBasicBlockRef b) { return false; }
#endif

LLVMValueRef l_declared(LLVMValueRef i)
{
    return LLVMIsADbgDeclareInst(i) ? l_md_operand(LLVMGetOperand(i, 0), 0) : NULL;
}

void l_each_declare(LLVMValueRef f, l_declare_fn *fn, void *context)
{
    l_each_block(f, b)
        l_each_insn(b, i) {
            LLVMValueRef address = l_declared(i);
            if (address)
                fn(context, address, l_md(LLVMGetOperand(i, 1)), LLVMInstructionGetDebugLoc(i));
        }
}

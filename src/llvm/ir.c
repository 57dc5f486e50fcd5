// SPDX-License-Identifier: MIT
#include "config.h"

#include "llvm/ir.h"

#include "base/map.h"

#include <llvm-c/Support.h>

#include <string.h>

const char *l_name(LLVMValueRef v)
{
    size_t n;
    const char *s = LLVMGetValueName2(v, &n);
    return s ? s : "";
}

LLVMValueRef l_callee(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    return f && LLVMIsAFunction(f) ? f : NULL;
}

bool l_is_debug(LLVMValueRef insn) { return LLVMIsADbgInfoIntrinsic(insn) != NULL; }

bool l_is_integer_operation(LLVMValueRef insn)
{
    switch (LLVMGetInstructionOpcode(insn)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return true;
    default: return false;
    }
}

bool l_is_integer_cast(LLVMValueRef insn)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(insn);
    return op == LLVMTrunc || op == LLVMSExt || op == LLVMZExt;
}

bool l_is_kernel(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv;
}

void l_set_convention(LLVMValueRef f, unsigned convention)
{
    LLVMSetFunctionCallConv(f, convention);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
            LLVMSetInstructionCallConv(call, convention);
    }
}

bool l_is_assumption(LLVMValueRef unreachable)
{
    LLVMContextRef c = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(unreachable))));
    const unsigned kind = LLVMGetMDKindIDInContext(c, L_ASSUMPTION, sizeof L_ASSUMPTION - 1);
    return LLVMGetMetadata(unreachable, kind);
}

bool l_is_intrinsic(LLVMValueRef f, const char *name)
{
    const char *s = l_name(f);
    size_t n = strlen(name);
    return !strncmp(s, "llvm.", 5) && !strncmp(s + 5, name, n) && (!s[5 + n] || s[5 + n] == '.');
}

LLVMValueRef l_case_value(LLVMValueRef sw, unsigned successor)
{
#if CLDBG_LLVM_MAJOR >= 22
    return LLVMGetSwitchCaseValue(sw, successor); // (case values are not operands)
#else
    return LLVMGetOperand(sw, 2 * successor);
#endif
}

static LLVMTargetDataRef layout(LLVMModuleRef m) { return LLVMGetModuleDataLayout(m); }

uint64_t l_size(LLVMModuleRef m, LLVMTypeRef t) { return LLVMABISizeOfType(layout(m), t); }

/** known: of the structs that were met, which may contain one another in exponentially many ways.
 */
static uint64_t object_size(LLVMTargetDataRef d, LLVMTypeRef t, struct map *known)
{
    const uint64_t LARGEST = 1ull << 58;
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    uint64_t size = 0;
    if (kind == LLVMArrayTypeKind) {
        const uint64_t each = object_size(d, LLVMGetElementType(t), known);
        return __builtin_mul_overflow(each, LLVMGetArrayLength2(t), &size) || size > LARGEST
                   ? UINT64_MAX
                   : size;
    }
    if (kind != LLVMStructTypeKind) return LLVMABISizeOfType(d, t);
    const uint64_t *of = map_get_ptr(known, t);
    if (of) return *of;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t) && size <= LARGEST; i++) {
        size = object_size(d, LLVMStructGetTypeAtIndex(t, i), known);
        if (size <= LARGEST) size += LLVMOffsetOfElement(d, t, i);
    }
    size = size > LARGEST ? UINT64_MAX : LLVMABISizeOfType(d, t);
    *map_put_ptr(known, t, NULL) = size;
    return size;
}

uint64_t l_object_size(LLVMModuleRef m, LLVMTypeRef t)
{
    struct map known = {0};
    const uint64_t size = object_size(layout(m), t, &known);
    map_deinit(&known);
    return size;
}

uint64_t l_store_size(LLVMModuleRef m, LLVMTypeRef t) { return LLVMStoreSizeOfType(layout(m), t); }

unsigned l_align(LLVMModuleRef m, LLVMTypeRef t) { return LLVMABIAlignmentOfType(layout(m), t); }

uint64_t l_field_offset(LLVMModuleRef m, LLVMTypeRef structure, unsigned field)
{
    return LLVMOffsetOfElement(layout(m), structure, field);
}

const char *l_scalarizer(void)
{
#if CLDBG_LLVM_MAJOR >= 20
    return "scalarizer<load-store>";
#else
    static bool said; // (an option of the library, not of the pass; given twice it is an error)
    const char *argv[] = {"cldbg-cc", "-scalarize-load-store"};
    if (!said) LLVMParseCommandLineOptions(2, argv, "");
    said = true;
    return "scalarizer";
#endif
}

bool l_loop_metadata_spreads(void) { return CLDBG_LLVM_MAJOR >= 22; }

void l_keep_floats_wide(LLVMValueRef f, LLVMValueRef below)
{
    if (CLDBG_LLVM_MAJOR >= 22) return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)));
    LLVMValueRef zero = NULL;
    l_each_block(f, bb)
        l_each_insn(bb, i) {
            if (LLVMGetInstructionOpcode(i) != LLVMUIToFP) continue;
            LLVMValueRef x = LLVMGetOperand(i, 0);
            LLVMTypeRef t = LLVMTypeOf(x);
            if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) > 64) continue;
            if (!zero) {
                LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
                zero = LLVMBuildLShr(b, below, LLVMConstInt(LLVMTypeOf(below), 63, false), "");
            }
            LLVMPositionBuilderBefore(b, i);
            LLVMValueRef wide = LLVMGetIntTypeWidth(t) < 64 ? LLVMBuildTrunc(b, zero, t, "") : zero;
            LLVMSetOperand(i, 0, LLVMBuildXor(b, x, wide, ""));
        }
    LLVMDisposeBuilder(b);
}

// SPDX-License-Identifier: MIT
// Machine code that computes the interpreter's results, bit for bit, and accesses no other bytes.
//
// The interpreter defines what LLVM leaves undefined: integers wrap, pointers may leave an object
// and come back, and a promise of the program to the compiler (restrict, __builtin_assume,
// -cl-fast-relaxed-math) has no effect. LLVM would exploit each of them; for example, it widens an
// int index that it assumes not to overflow. A kernel whose accesses the interpreter found to be in
// bounds would then access others as machine code. nat_make_strict removes all flags, attributes
// and metadata that state such a promise. no_wrap.c later proves some of them for certain launches.
//
// Addresses differ between interpreter and machine code, so a kernel that computes with them is not
// run as machine code; nor is one that uses a value which LLVM may choose. nat_why_not_strict finds
// both after promotion to registers. A pointer that is stored to memory may be read there as a
// number, so it counts as computed with.
#include "native/native.h"

#include "llvm/ir.h"

#include <string.h>

// ---- promises

static void drop_flags(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(i, false);
        LLVMSetNUW(i, false);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(i, false); break;
    case LLVMZExt: LLVMSetNNeg(i, false); break;
    case LLVMOr: LLVMSetIsDisjoint(i, false); break;
    case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(i, 0); break;
    default: break;
    }
    if (LLVMCanValueUseFastMathFlags(i)) LLVMSetFastMathFlags(i, LLVMFastMathNone);
}

static void drop_metadata(LLVMValueRef i)
{
    static const char *const kinds[] = {
        "range",   "nonnull",        "align",  "dereferenceable",   "dereferenceable_or_null",
        "noundef", "invariant.load", "tbaa",   "tbaa.struct",       "alias.scope",
        "noalias", "nontemporal",    "fpmath", "llvm.access.group", "invariant.group"};
    LLVMContextRef c = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
    if (!LLVMHasMetadata(i)) return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        LLVMSetMetadata(i, LLVMGetMDKindIDInContext(c, kinds[k], (unsigned)strlen(kinds[k])), NULL);
}

static const char *const value_attributes[] = {
    "noalias",   "nonnull", "align", "dereferenceable", "noundef", "dereferenceable_or_null",
    "nofpclass", "range"};
enum { VALUE_ATTRIBUTES = sizeof value_attributes / sizeof *value_attributes };

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void drop_function_attributes(LLVMValueRef f)
{
    static const char *const texts[] = {
        "unsafe-fp-math",      "no-nans-fp-math",  "no-infs-fp-math",     "no-signed-zeros-fp-math",
        "approx-func-fp-math", "denormal-fp-math", "denormal-fp-math-f32"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, texts[k],
                                         (unsigned)strlen(texts[k]));
    for (unsigned k = 0; k < VALUE_ATTRIBUTES; k++)
        for (unsigned p = 0; kind_of(value_attributes[k]) && p <= LLVMCountParams(f); p++)
            LLVMRemoveEnumAttributeAtIndex(f, p, kind_of(value_attributes[k]));
}

static void drop_call_attributes(LLVMValueRef call)
{
    for (unsigned k = 0; k < VALUE_ATTRIBUTES; k++)
        for (unsigned p = 0; kind_of(value_attributes[k]) && p <= LLVMGetNumArgOperands(call); p++)
            LLVMRemoveCallSiteEnumAttribute(call, p, kind_of(value_attributes[k]));
}

static void erase_calls(LLVMValueRef f)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f), next; u; u = next) {
        next = LLVMGetNextUse(u);
        if (LLVMIsACallInst(LLVMGetUser(u))) LLVMInstructionEraseFromParent(LLVMGetUser(u));
    }
}

/** The interpreter's fmuladd is fused; LLVM may choose. */
static void fuse(LLVMModuleRef m, LLVMValueRef f)
{
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(f));
    LLVMValueRef fma = LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID("llvm.fma", 8), &t, 1);
    LLVMReplaceAllUsesWith(f, fma);
}

void nat_make_strict(LLVMModuleRef m)
{
    l_each_function(m, f) {
        if (l_is_intrinsic(f, "assume")) erase_calls(f);
        if (l_is_intrinsic(f, "fmuladd")) fuse(m, f);
        drop_function_attributes(f);
        l_each_block(f, b)
            l_each_insn(b, i) {
                drop_flags(i);
                drop_metadata(i);
                if (LLVMIsACallInst(i)) drop_call_attributes(i);
            }
    }
}

// ---- what no flag says

static bool is_pointer(LLVMTypeRef t)
{
    const LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (is_pointer(LLVMStructGetTypeAtIndex(t, i))) return true;
    if (k == LLVMVectorTypeKind || k == LLVMArrayTypeKind) return is_pointer(LLVMGetElementType(t));
    return k == LLVMPointerTypeKind;
}

/** A constant expression that converts an address to a number, or a number to an address. */
static bool is_cast_constant(LLVMValueRef v)
{
    if (!LLVMIsAConstant(v) || LLVMIsAGlobalValue(v)) return false;
    if (LLVMIsAConstantExpr(v)) {
        const LLVMOpcode op = LLVMGetConstOpcode(v);
        if (op == LLVMPtrToInt || op == LLVMIntToPtr) return true;
    }
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (is_cast_constant(LLVMGetOperand(v, (unsigned)k))) return true;
    return false;
}

/** An integer operation that commutes with itself; its result is not used, as the caller knows. */
static bool commutes(LLVMValueRef i)
{
    switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin: return true;
    default: return false;
    }
}

static const char *why_not(LLVMValueRef i)
{
    static const char address[] = "it computes with addresses";
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMPtrToInt:
    case LLVMIntToPtr: return address;
    case LLVMICmp:
        if (is_pointer(LLVMTypeOf(LLVMGetOperand(i, 0))) && !LLVMIsNull(LLVMGetOperand(i, 0)) &&
            !LLVMIsNull(LLVMGetOperand(i, 1)))
            return address;
        break;
    case LLVMLoad:
        if (is_pointer(LLVMTypeOf(i))) return address;
        break;
    case LLVMStore:
        if (is_pointer(LLVMTypeOf(LLVMGetOperand(i, 0)))) return address;
        break;
    case LLVMCall:
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(i))) return "it has inline assembly";
        break;
    case LLVMAtomicRMW:
        if (!commutes(i)) return "it has atomic functions whose order can be observed";
        break;
    case LLVMAtomicCmpXchg: return "it has atomic functions whose order can be observed";
    default: break;
    }
    const bool builds = op == LLVMInsertElement || op == LLVMShuffleVector || op == LLVMInsertValue;
    for (int k = LLVMGetNumOperands(i); k-- > 0;) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (l_is_undef(o) && !builds) return "it uses an undefined value";
        if (is_cast_constant(o)) return address;
    }
    return NULL;
}

const char *nat_why_not_strict(LLVMValueRef kernel)
{
    l_each_block(kernel, b)
        l_each_insn(b, i) {
            const char *why = why_not(i);
            if (why) return why;
        }
    return NULL;
}

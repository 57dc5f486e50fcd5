// SPDX-License-Identifier: MIT
// Prepares a module for work-group functions: inlining, promotion to registers, scalarization.
// Native code need not match the program as it was written: LLVM may promote, fold and simplify.
// Invariant: barriers stay where they are (they are `convergent`).
#include "native/native.h"

#include "llvm/ir.h"

#include <llvm-c/Transforms/PassBuilder.h>

static unsigned kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void set_attributes(LLVMModuleRef m)
{
    LLVMAttributeRef always =
        LLVMCreateEnumAttribute(LLVMGetModuleContext(m), kind("alwaysinline"), 0);
    l_each_function(m, f) {
        if (str_starts(l_name(f), "cldbg")) continue; // those stay calls, for the vectorizer
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("noinline"));
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind("optnone"));
        if (LLVMIsDeclaration(f) || l_is_kernel(f)) continue;
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
        LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

// A struct that is passed by value is a private object, which the callee may change.
static void copy_by_value(LLVMModuleRef m, LLVMValueRef fn)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    for (unsigned i = 0; i < LLVMCountParams(fn); i++) {
        LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(fn, i + 1, kind("byval"));
        LLVMValueRef p = LLVMGetParam(fn, i);
        if (!by || !LLVMGetFirstUse(p)) continue;
        LLVMTypeRef t = LLVMGetTypeAttributeValue(by);
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
        LLVMValueRef own = LLVMBuildAlloca(b, t, "");
        LLVMSetAlignment(own, 16);
        LLVMReplaceAllUsesWith(p, own);
        LLVMBuildMemCpy(b, own, 16, p, 1,
                        LLVMConstInt(LLVMInt64TypeInContext(c), l_size(m, t), false));
    }
    LLVMDisposeBuilder(b);
}

// ---- Automatic local variables become arguments of the work-group function. Constant expressions
// of their addresses are therefore expanded into instructions.

struct expansion {
    LLVMBuilderRef b;
    struct err *e;
};

static bool is_local(LLVMValueRef v)
{
    return LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 3;
}

static bool mentions_local(LLVMValueRef v)
{
    if (is_local(v)) return true;
    if (!LLVMIsAConstantExpr(v) && !LLVMIsAConstantVector(v) && !LLVMIsAConstantStruct(v) &&
        !LLVMIsAConstantArray(v))
        return false;
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (mentions_local(LLVMGetOperand(v, (unsigned)k))) return true;
    return false;
}

static LLVMValueRef expand(struct expansion *x, LLVMValueRef v, LLVMValueRef before)
{
    LLVMPositionBuilderBefore(x->b, before);
    if (is_local(v))
        return LLVMBuildFreeze(x->b, v, ""); // (the builder would fold it to a constant)
    if (!mentions_local(v)) return v;
    const unsigned n = (unsigned)LLVMGetNumOperands(v);
    LLVMValueRef ops[16];
    if (!LLVMIsAConstantExpr(v) || n > 16) {
        if (!x->e) x->e = err_new("a constant that holds addresses of local variables");
        return v;
    }
    for (unsigned k = 0; k < n; k++) ops[k] = expand(x, LLVMGetOperand(v, k), before);
    LLVMPositionBuilderBefore(x->b, before);
    LLVMTypeRef t = LLVMTypeOf(v);
    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(x->b, LLVMGetGEPSourceElementType(v), ops[0], ops + 1, n - 1, "");
    case LLVMAddrSpaceCast: return LLVMBuildAddrSpaceCast(x->b, ops[0], t, "");
    case LLVMBitCast: return LLVMBuildBitCast(x->b, ops[0], t, "");
    case LLVMPtrToInt: return LLVMBuildPtrToInt(x->b, ops[0], t, "");
    case LLVMIntToPtr: return LLVMBuildIntToPtr(x->b, ops[0], t, "");
    case LLVMTrunc: return LLVMBuildTrunc(x->b, ops[0], t, "");
    case LLVMAdd: return LLVMBuildAdd(x->b, ops[0], ops[1], "");
    case LLVMSub: return LLVMBuildSub(x->b, ops[0], ops[1], "");
    case LLVMXor: return LLVMBuildXor(x->b, ops[0], ops[1], "");
    default:
        if (!x->e) x->e = err_new("a constant expression of addresses of local variables");
        return v;
    }
}

static void expand_operands(struct expansion *x, LLVMValueRef insn)
{
    for (int k = LLVMGetNumOperands(insn); k-- > 0;) {
        LLVMValueRef o = LLVMGetOperand(insn, (unsigned)k), before = insn;
        if (!LLVMIsAConstant(o) || is_local(o) || !mentions_local(o)) continue;
        if (LLVMGetInstructionOpcode(insn) == LLVMPHI)
            before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(insn, (unsigned)k));
        LLVMSetOperand(insn, (unsigned)k, expand(x, o, before));
    }
}

static struct err *expand_locals(LLVMModuleRef m)
{
    struct expansion x = {.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m))};
    l_each_function(m, f)
        l_each_block(f, b)
            l_each_insn(b, i) expand_operands(&x, i);
    LLVMDisposeBuilder(x.b);
    return x.e;
}

static void guard_divisions(LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    l_each_function(m, f)
        l_each_block(f, bb)
            l_each_insn(bb, i) {
                LLVMValueRef bad = nat_guard_division(b, i);
                if (!bad) continue;
                LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
                LLVMValueRef r = LLVMBuildSelect(b, bad, LLVMConstNull(LLVMTypeOf(i)), i, "");
                LLVMReplaceAllUsesWith(i, r);
                if (!LLVMIsAInstruction(r)) continue; // a constant
                LLVMSetOperand(r, 2, i);
                i = r; // the walk continues after it
            }
    LLVMDisposeBuilder(b);
}

/**
 * An atomic load or store whose alignment is less than its size (a struct of two ints) would be a
 * call of __atomic_load in libatomic.
 */
static void align_atomics(LLVMModuleRef m)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
    l_each_function(m, f)
        l_each_block(f, bb)
            l_each_insn(bb, i) {
                const LLVMOpcode op = LLVMGetInstructionOpcode(i);
                if ((op != LLVMLoad && op != LLVMStore) ||
                    LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
                    continue;
                LLVMTypeRef t = LLVMTypeOf(op == LLVMLoad ? i : LLVMGetOperand(i, 0));
                const unsigned size = (unsigned)LLVMABISizeOfType(layout, t);
                if (LLVMGetAlignment(i) < size) LLVMSetAlignment(i, size);
            }
}

// ---- vectors
//
// LLVM does not vectorize loops that contain vector operations. A kernel's vectors are therefore
// scalarized if vectors over work-items are more profitable: in calls of lane functions, and for
// consecutive vectors in memory whose addresses grow linearly with the ids. A vector at an
// arbitrary address, or in an array of structs, is better read in one piece than by a gather for
// each component.

static bool is_even(LLVMValueRef v, unsigned depth)
{
    char name[64];
    if (!LLVMIsAInstruction(v) || depth == 0) return true;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSelect:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMURem:
    case LLVMSRem:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLoad: return false;
    case LLVMCall: rg_callee_base_name(v, name, sizeof name); return !str_starts(name, "llvm.");
    case LLVMPHI: return true; // usually of a loop that all work-items run in step
    case LLVMGetElementPtr:    // in structs: other members are between the elements
        if (LLVMGetTypeKind(LLVMGetGEPSourceElementType(v)) == LLVMStructTypeKind &&
            !LLVMIsAConstant(LLVMGetOperand(v, 1)))
            return false;
        break;
    default: break;
    }
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (!is_even(LLVMGetOperand(v, (unsigned)k), depth - 1)) return false;
    return true;
}

static bool is_vector(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMVectorTypeKind; }

static bool wants_scalars(LLVMValueRef kernel)
{
    bool even = true;
    l_each_block(kernel, b)
        l_each_insn(b, i) switch (LLVMGetInstructionOpcode(i)) {
            case LLVMCall:
                if (l_callee(i) && str_starts(l_name(l_callee(i)), "cldbg.v")) return true;
                break;
            case LLVMLoad:
                even &= !is_vector(LLVMTypeOf(i)) || is_even(LLVMGetOperand(i, 0), 12);
                break;
            case LLVMStore:
                even &= !is_vector(LLVMTypeOf(LLVMGetOperand(i, 0))) ||
                        is_even(LLVMGetOperand(i, 1), 12);
                break;
            default: break;
            }
    return even;
}

// Sets or removes optnone: the scalarizer skips functions that have it.
static void leave_alone(LLVMValueRef f, bool leave)
{
    static const char *const names[] = {"optnone", "noinline"};
    for (unsigned k = 0; k < 2; k++) {
        if (leave)
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeFunctionIndex,
                LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)),
                                        kind(names[k]), 0));
        else LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind(names[k]));
    }
}

static struct err *run(LLVMModuleRef m, const char *passes)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMErrorRef bad = LLVMRunPasses(m, passes, NULL, o);
    LLVMDisposePassBuilderOptions(o);
    if (!bad) return NULL;
    char *text = LLVMGetErrorMessage(bad);
    struct err *e = err_new("LLVM: %s", text);
    LLVMDisposeErrorMessage(text);
    return e;
}

static struct err *make_scalars(LLVMModuleRef m)
{
    struct str passes = {0};
    str_printf(&passes, "function(%s,early-cse)", l_scalarizer());
    l_each_function(m, f)
        if (l_is_kernel(f) && !wants_scalars(f)) leave_alone(f, true);
    struct err *e = run(m, passes.data);
    l_each_function(m, f)
        if (l_is_kernel(f)) leave_alone(f, false);
    str_deinit(&passes);
    return e;
}

struct err *nat_inline(LLVMModuleRef m)
{
    LLVMStripModuleDebugInfo(m);
    set_attributes(m);
    return run(m, "always-inline,globaldce,function(mem2reg)");
}

struct err *nat_prepare(LLVMModuleRef m)
{
    LLVMStripModuleDebugInfo(m);
    guard_divisions(m);
    align_atomics(m);
    set_attributes(m);
    l_each_function(m, f)
        if (l_is_kernel(f)) copy_by_value(m, f);
    struct err *e = run(m, "always-inline,globaldce,function(sroa,early-cse,simplifycfg,"
                           "instcombine<no-verify-fixpoint>,simplifycfg)");
    if (!e) e = make_scalars(m);
    return e ? e : expand_locals(m);
}

// SPDX-License-Identifier: MIT
// Stores that mark what they write: beside each store through certain pointer arguments, a store of
// ones to the same bytes of a shadow, which lies at a fixed distance from the buffer
// (nat_launch.marks). So the shadow of initialized bytes is what it would be after interpretation.
// The distance is a work-item function, uniform and without a dimension.
#include "native/native.h"

#include "llvm/ir.h"
#include "native/term.h"

#include <llvm-c/BitWriter.h>

static LLVMValueRef distance_function(LLVMModuleRef m)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c),
                type = LLVMFunctionType(LLVMInt64TypeInContext(c), &i32, 1, false);
    LLVMValueRef f = LLVMAddFunction(m, NAT_MARK_DISTANCE, type);
    static const char *const attributes[] = {"nounwind", "willreturn"};
    for (unsigned k = 0; k < 2; k++)
        LLVMAddAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(
                c, LLVMGetEnumAttributeKindForName(attributes[k], strlen(attributes[k])), 0));
    return f;
}

/** The number of the kernel's argument that the address is based on, or -1. */
static int argument_of(LLVMValueRef kernel, LLVMValueRef pointer)
{
    LLVMValueRef base = nat_address(NULL, pointer, NULL);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
        if (LLVMGetParam(kernel, i) == base) return (int)i;
    return -1;
}

static bool is_private_or_local(LLVMValueRef pointer)
{
    LLVMValueRef base = nat_address(NULL, pointer, NULL);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(base));
    return LLVMIsAAllocaInst(base) || space == 3;
}

static LLVMValueRef ones(LLVMModuleRef m, LLVMTypeRef stored)
{
    const unsigned lanes = LLVMGetTypeKind(stored) == LLVMVectorTypeKind ? LLVMGetVectorSize(stored)
                                                                         : 1;
    const unsigned bits = (unsigned)(8 * l_store_size(m, stored)) / lanes;
    LLVMValueRef one = LLVMConstAllOnes(LLVMIntTypeInContext(LLVMGetModuleContext(m), bits)),
                 all[16];
    for (unsigned k = 0; k < lanes; k++) all[k] = one;
    return lanes > 1 ? LLVMConstVector(all, lanes) : one;
}

/** Whether each of the bytes that the store has room for is written. */
static bool is_dense(LLVMTypeRef t)
{
    const LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k != LLVMVectorTypeKind)
        return k == LLVMIntegerTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind ||
               k == LLVMHalfTypeKind;
    const unsigned n = LLVMGetVectorSize(t);
    return n <= 16 && !(n & (n - 1)) && is_dense(LLVMGetElementType(t));
}

struct marking {
    LLVMModuleRef m;
    LLVMValueRef kernel, distance;
    LLVMBuilderRef b;
    uint32_t marks;
};

static void mark(const struct marking *x, LLVMValueRef store, unsigned argument)
{
    LLVMContextRef c = LLVMGetModuleContext(x->m);
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(c), argument, false);
    LLVMPositionBuilderBefore(x->b, store);
    LLVMValueRef d =
        LLVMBuildCall2(x->b, LLVMGlobalGetValueType(x->distance), x->distance, &at, 1, "");
    LLVMValueRef p =
        LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(c), LLVMGetOperand(store, 1), &d, 1, "");
    LLVMSetAlignment(LLVMBuildStore(x->b, ones(x->m, LLVMTypeOf(LLVMGetOperand(store, 0))), p), 1);
}

static struct err *mark_if_global(const struct marking *x, LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMCall) {
        LLVMValueRef f = l_callee(i);
        const bool writes = f && (l_is_intrinsic(f, "memcpy") || l_is_intrinsic(f, "memmove") ||
                                  l_is_intrinsic(f, "memset"));
        return writes && !is_private_or_local(LLVMGetOperand(i, 0))
                   ? err_new("it copies to buffers")
                   : NULL;
    }
    if (LLVMGetInstructionOpcode(i) != LLVMStore) return NULL;
    LLVMValueRef p = LLVMGetOperand(i, 1);
    if (is_private_or_local(p)) return NULL;
    const int argument = argument_of(x->kernel, p);
    if (argument < 0) return err_new("it stores through pointers that are not those of arguments");
    if (argument >= NAT_MARKS || !(x->marks >> argument & 1)) return NULL;
    if (!is_dense(LLVMTypeOf(LLVMGetOperand(i, 0)))) return err_new("it stores parts of vectors");
    mark(x, i, (unsigned)argument);
    return NULL;
}

struct err *nat_mark_stores(LLVMModuleRef m, LLVMValueRef kernel, uint32_t marks, struct str *out)
{
    struct err *e = NULL;
    struct marking x = {m, kernel, distance_function(m),
                        LLVMCreateBuilderInContext(LLVMGetModuleContext(m)), marks};
    l_each_block(kernel, b)
        l_each_insn(b, i)
            if (!e) e = mark_if_global(&x, i);
    LLVMDisposeBuilder(x.b);
    if (e) return e;
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(m);
    str_clear(out);
    str_put_n(out, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
    LLVMDisposeMemoryBuffer(bitcode);
    return NULL;
}

// SPDX-License-Identifier: MIT
// What the passes that add checks share: calls that a check consists of, and sizes of objects.
#include "native/checks.h"

#include <string.h>

LLVMValueRef nat_check_call(struct nat_checking *x, const char *name, LLVMTypeRef result,
                            LLVMValueRef argument)
{
    LLVMTypeRef of = argument ? LLVMTypeOf(argument) : NULL,
                type = LLVMFunctionType(result, &of, argument != NULL, false);
    LLVMValueRef f = LLVMGetNamedFunction(x->m, name);
    if (!f) {
        static const char *const attributes[] = {"nounwind", "willreturn"};
        f = LLVMAddFunction(x->m, name, type);
        for (unsigned k = 0; k < 2; k++)
            LLVMAddAttributeAtIndex(
                f, LLVMAttributeFunctionIndex,
                LLVMCreateEnumAttribute(
                    x->c, LLVMGetEnumAttributeKindForName(attributes[k], strlen(attributes[k])),
                    0));
    }
    return LLVMBuildCall2(x->b, type, f, &argument, argument != NULL, "");
}

void nat_check_that(struct nat_checking *x, LLVMValueRef ok)
{
    if (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok)) return;
    nat_check_call(x, x->stops ? NAT_CHECK_NOW : NAT_CHECK, LLVMVoidTypeInContext(x->c), ok);
}

int nat_argument_number(const struct nat_checking *x, LLVMValueRef base)
{
    for (unsigned i = 0; LLVMIsAArgument(base) && i < LLVMCountParams(x->kernel); i++)
        if (LLVMGetParam(x->kernel, i) == base) return (int)i;
    return -1;
}

uint64_t nat_size_of(struct nat_checking *x, LLVMValueRef base)
{
    if (LLVMIsAAllocaInst(base))
        return LLVMConstIntGetZExtValue(LLVMGetOperand(base, 0)) *
               l_size(x->m, LLVMGetAllocatedType(base));
    if (LLVMIsAGlobalVariable(base)) return l_size(x->m, LLVMGlobalGetValueType(base));
    if (!LLVMIsAArgument(base)) return 0;
    const unsigned by = LLVMGetEnumAttributeKindForName("byval", 5),
                   number = (unsigned)nat_argument_number(x, base);
    LLVMAttributeRef t = LLVMGetEnumAttributeAtIndex(x->kernel, number + 1, by);
    return t ? l_size(x->m, LLVMGetTypeAttributeValue(t)) : 0;
}

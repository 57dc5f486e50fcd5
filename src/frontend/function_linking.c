// SPDX-License-Identifier: MIT
#include "frontend/function_linking.h"

#include "base/vec.h"
#include "llvm/ir.h"

#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

/** Deletes the functions that neither the program names nor a remaining function calls. */
static void drop_unneeded(LLVMModuleRef functions, LLVMModuleRef program)
{
    for (bool any = true; any;) {
        any = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(functions), next; f; f = next) {
            next = LLVMGetNextFunction(f);
            if (LLVMGetFirstUse(f) || LLVMGetNamedFunction(program, l_name(f))) continue;
            LLVMDeleteFunction(f);
            any = true;
        }
    }
}

bool fe_link_functions(LLVMModuleRef program, LLVMModuleRef functions)
{
    VEC(char *) names = {0};
    drop_unneeded(functions, program);
    l_each_function(functions, f)
        if (!LLVMIsDeclaration(f)) vec_push(&names, strdup(l_name(f)));
    LLVMSetDataLayout(
        functions,
        LLVMGetDataLayoutStr(program)); // (of older versions of LLVM, but for the same machine)
    LLVMSetTarget(functions, LLVMGetTarget(program));
    const bool ok = !LLVMLinkModules2(program, functions);
    for (size_t i = 0; i < names.len; i++) {
        LLVMValueRef f = ok ? LLVMGetNamedFunction(program, names.data[i]) : NULL;
        if (f)
            LLVMSetLinkage(
                f,
                LLVMInternalLinkage); // its own: another program's may have pipes of another type
        free(names.data[i]);
    }
    vec_free(&names);
    return ok;
}

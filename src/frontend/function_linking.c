// SPDX-License-Identifier: MIT
#include "frontend/function_linking.h"

#include "base/str.h"
#include "base/vec.h"
#include "llvm/ir.h"

#include <llvm-c/IRReader.h>
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

/** Does the program declare a function with pointers in place of images, as LLVM before 16? */
static bool has_pointers(LLVMModuleRef program, LLVMModuleRef functions)
{
    l_each_function(functions, f) {
        LLVMValueRef g = LLVMGetNamedFunction(program, l_name(f));
        for (unsigned i = 0; g && i < LLVMCountParams(g) && i < LLVMCountParams(f); i++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(g, i))) == LLVMPointerTypeKind &&
                LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMTargetExtTypeKind)
                return true;
    }
    return false;
}

/** The same functions with pointers in place of images, rewritten as text. NULL: that failed. */
static LLVMModuleRef with_pointers(LLVMModuleRef functions)
{
    static const char image[] = "target(\"spirv.Image\"";
    LLVMContextRef ctx = LLVMGetModuleContext(functions);
    char *text = LLVMPrintModuleToString(functions), *why = NULL;
    struct str s = {0};
    for (const char *at = text, *next;; at = next) {
        next = strstr(at, image);
        str_put_n(&s, at, next ? (size_t)(next - at) : strlen(at));
        if (!next) break;
        str_put(&s, "ptr addrspace(1)");
        next = strchr(next, ')') + 1;
    }
    LLVMDisposeMessage(text);
    LLVMDisposeModule(functions);
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(str_text(&s), s.len, "");
    if (LLVMParseIRInContext(ctx, b, &functions, &why)) functions = NULL;
    LLVMDisposeMessage(why);
    str_deinit(&s);
    return functions;
}

bool fe_link_functions(LLVMModuleRef program, LLVMModuleRef functions)
{
    VEC(char *) names = {0};
    drop_unneeded(functions, program);
    if (has_pointers(program, functions) && !(functions = with_pointers(functions))) return false;
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

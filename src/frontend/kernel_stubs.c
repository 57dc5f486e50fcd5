// SPDX-License-Identifier: MIT
#include "frontend/kernel_stubs.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <string.h>

static const char prefix[] = "__clang_ocl_kern_imp_";

static void drop_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

// All that the stub says of the kernel (its arguments, its sizes), but its own place in the source.
static void take_metadata(LLVMValueRef body, LLVMValueRef stub)
{
    size_t n;
    const unsigned place =
        LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(stub)), "dbg", 3);
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(stub, &n);
    for (unsigned i = 0; i < n; i++) {
        const unsigned kind = LLVMValueMetadataEntriesGetKind(all, i);
        if (kind != place)
            LLVMGlobalSetMetadata(body, kind, LLVMValueMetadataEntriesGetMetadata(all, i));
    }
    LLVMDisposeValueMetadataEntries(all);
}

static void join(LLVMValueRef stub, LLVMValueRef body)
{
    take_metadata(body, stub);
    drop_attribute(body, "alwaysinline"); // (of the pair, not of the source)
    LLVMSetLinkage(body, LLVMGetLinkage(stub));
    LLVMReplaceAllUsesWith(stub, body);
    l_set_convention(body, LLVMGetFunctionCallConv(stub));
    struct str name = {0};
    str_put(&name, l_name(stub));
    LLVMDeleteFunction(stub);
    LLVMSetValueName2(body, str_text(&name), name.len);
    str_deinit(&name);
}

void fe_join_kernel_stubs(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!l_is_kernel(f)) continue;
        struct str name = {0};
        str_printf(&name, "%s%s", prefix, l_name(f));
        LLVMValueRef body = LLVMGetNamedFunction(m, str_text(&name));
        str_deinit(&name);
        if (!body || LLVMIsDeclaration(body) ||
            LLVMGlobalGetValueType(body) != LLVMGlobalGetValueType(f))
            continue;
        if (next == body) next = LLVMGetNextFunction(next);
        join(f, body);
    }
}

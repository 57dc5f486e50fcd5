// SPDX-License-Identifier: MIT
// The pipeline of nat_module: expands builtins, prepares the kernels, and writes the module as
// bitcode. Invariant: a kernel that calls an unsupported function has a constant NAT_REFUSED.
#include "native/native.h"

#include "native/abi.h"

#include "llvm/ir.h"

#include <llvm-c/BitWriter.h>
#include <string.h>

static void refuse(LLVMModuleRef m, LLVMValueRef fn, const char *callee)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    struct str name = {0}, why = {0};
    str_printf(&name, NAT_REFUSED "%s", l_name(fn));
    if (!strcmp(callee, "__cldbg_enqueue")) callee = "enqueue_kernel"; // see device_enqueue.cl
    str_printf(&why, "'%s' is not run natively yet", callee);
    LLVMValueRef text = LLVMConstStringInContext(c, why.data, (unsigned)why.len, false);
    LLVMValueRef g = LLVMAddGlobalInAddressSpace(m, LLVMTypeOf(text), name.data, 2);
    LLVMSetInitializer(g, text);
    LLVMSetGlobalConstant(g, true);
    str_deinit(&name);
    str_deinit(&why);
}

// All kernels share the program-scope variables: the plug-in identifies them by their names.
static void name_variables(LLVMModuleRef m)
{
    l_each_global(m, g) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 1 || str_starts(l_name(g), "llvm."))
            continue;
        struct str name = {0};
        str_printf(&name, NAT_VARIABLES "%s", l_name(g));
        LLVMSetValueName2(g, name.data, name.len);
        str_deinit(&name);
    }
}

struct err *nat_module(LLVMModuleRef m, struct str *out)
{
    struct err *e = nat_builtins(m);
    if (!e) e = nat_prepare(m);
    if (e) return e;
    l_each_function(m, f) {
        char callee[64] = "";
        if (l_is_kernel(f)) nat_not_known(f, callee, sizeof callee);
        if (*callee) refuse(m, f, callee);
    }
    name_variables(m);
    LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(m);
    str_put_n(out, LLVMGetBufferStart(b), LLVMGetBufferSize(b));
    LLVMDisposeMemoryBuffer(b);
    return NULL;
}

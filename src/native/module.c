// SPDX-License-Identifier: MIT
#include "native/native.h"

#include "native/abi.h"

#include "llvm/ir.h"
#include "regions/form.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>

static void build(struct rg_fn *f, LLVMValueRef fn, struct arena *a)
{
    rg_cfg_build(f, fn, a);
    rg_variables(f);
    rg_uniformity(f, 1);
}

static void refuse(LLVMModuleRef m, LLVMValueRef fn, const char *callee)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    struct str name = {0}, why = {0};
    str_printf(&name, NAT_REFUSED "%s", l_name(fn));
    str_printf(&why, "'%s' is not run natively yet", callee);
    LLVMValueRef text = LLVMConstStringInContext(c, why.data, (unsigned)why.len, false);
    LLVMValueRef g = LLVMAddGlobalInAddressSpace(m, LLVMTypeOf(text), name.data, 2);
    LLVMSetInitializer(g, text);
    LLVMSetGlobalConstant(g, true);
    str_deinit(&name);
    str_deinit(&why);
}

static void kernel(LLVMModuleRef m, LLVMValueRef fn)
{
    char callee[64];
    nat_not_known(fn, callee, sizeof callee);
    if (*callee) {
        refuse(m, fn, callee);
        return;
    }
    struct arena a = {0};
    struct rg_fn f, after;
    struct nat_form w;
    struct nat_slots slots = {0};
    build(&f, fn, &a);
    nat_cuts(&f, RG_HORIZONTAL, &a, &w);
    nat_demote(&w, &slots);
    rg_cfg_build(&after, fn, &a);
    assert(after.nblocks == f.nblocks);
    nat_workgroup(m, l_name(fn), &w, &after, &slots);
    rg_fn_deinit(&f);
    rg_fn_deinit(&after);
    vec_free(&slots);
    arena_deinit(&a);
}

// Program-scope variables are one for all kernels: the plug-in tells them by their names.
static void name_variables(LLVMModuleRef m)
{
    l_each_global(m, g) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 1 || str_starts(l_name(g), "llvm.")) continue;
        struct str name = {0};
        str_printf(&name, NAT_VARIABLES "%s", l_name(g));
        LLVMSetValueName2(g, name.data, name.len);
        str_deinit(&name);
    }
}

// Kernels are no more; neither is what only they used.
static void drop_kernels(LLVMModuleRef m, const LLVMValueRef *kernels, size_t n)
{
    for (size_t i = 0; i < n; i++) LLVMDeleteFunction(kernels[i]);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!LLVMGetFirstUse(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3) LLVMDeleteGlobal(g);
    }
}

static struct err *for_host(LLVMModuleRef m, struct str *out)
{
    struct str text = {0};
    char *ir = LLVMPrintModuleToString(m), *why = NULL;
    nat_flatten(ir, &text);
    LLVMDisposeMessage(ir);
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef host = NULL;
    LLVMMemoryBufferRef buf = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data, text.len, "native");
    struct err *e = NULL;
    if (LLVMParseIRInContext(c, buf, &host, &why)) e = err_new("work-group functions: %s", why);
    else if (LLVMVerifyModule(host, LLVMReturnStatusAction, &why)) e = err_new("work-group functions: %s", why);
    LLVMDisposeMessage(why);
    if (!e) {
        LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(host);
        str_put_n(out, LLVMGetBufferStart(b), LLVMGetBufferSize(b));
        LLVMDisposeMemoryBuffer(b);
    }
    if (host) LLVMDisposeModule(host);
    LLVMContextDispose(c);
    str_deinit(&text);
    return e;
}

struct err *nat_module(LLVMModuleRef m, struct str *out)
{
    VEC(LLVMValueRef) kernels = {0};
    struct err *e = nat_builtins(m);
    if (!e) e = nat_prepare(m);
    l_each_function(m, f)
        if (l_is_kernel(f)) vec_push(&kernels, f);
    for (size_t i = 0; i < kernels.len && !e; i++) kernel(m, kernels.data[i]);
    drop_kernels(m, kernels.data, kernels.len);
    name_variables(m);
    if (!e) e = for_host(m, out);
    vec_free(&kernels);
    return e;
}

// SPDX-License-Identifier: MIT
// Small IR for the tests of regions/: declarations of builtins in front, every function analyzed.
#ifndef TESTS_REGIONS_UNIT_H
#define TESTS_REGIONS_UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "regions/form.h"

#include <llvm-c/IRReader.h>

struct unit {
    LLVMContextRef ctx;
    LLVMModuleRef m;
    struct arena a;
    struct rg_fn fns[8];
    unsigned n;
};

static const char head[] =
    "target triple = \"spir64-unknown-unknown\"\n"
    "declare spir_func i64 @_Z13get_global_idj(i32)\n"
    "declare spir_func i64 @_Z12get_local_idj(i32)\n"
    "declare spir_func i64 @_Z14get_local_sizej(i32)\n"
    "declare spir_func void @_Z7barrierj(i32)\n"
    "declare spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1), i32)\n";

static inline void load(struct unit *u, const char *ir)
{
    *u = (struct unit){.ctx = LLVMContextCreate()};
    char text[8192], *message = NULL;
    snprintf(text, sizeof text, "%s%s", head, ir);
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(u->ctx, b, &u->m, &message)) fail_msg("%s", message);
    struct err *e = rg_normalize(u->m);
    if (e) fail_msg("%s", err_message(e));
    for (LLVMValueRef f = LLVMGetFirstFunction(u->m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            rg_cfg_build(&u->fns[u->n], f, &u->a);
            rg_variables(&u->fns[u->n++]);
        }
    rg_uniformity(u->fns, u->n);
}

static inline void unload(struct unit *u)
{
    for (unsigned i = 0; i < u->n; i++) rg_fn_deinit(&u->fns[i]);
    arena_deinit(&u->a);
    LLVMDisposeModule(u->m);
    LLVMContextDispose(u->ctx);
}

#define KERNEL(args) "define spir_kernel void @k(" args ") {\n"
#endif

// SPDX-License-Identifier: MIT
// The plug-in: makes machine code (native/object_code.c), and links it with LLVM's LLJIT where the
// process has no loader of its own (native_object.c).
#include "devices/native_plugin.h"
#include "native/native.h"

#include "base/mem.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct err *llvm_err(LLVMErrorRef bad, const char *what)
{
    if (!bad) return NULL;
    char *text = LLVMGetErrorMessage(bad);
    struct err *e = err_new("%s: %s", what, text);
    LLVMDisposeErrorMessage(text);
    return e;
}

static void find_machine(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
}

static void jit_dispose(void *jit)
{
    if (jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit));
}

static void *jit_create(const struct native_symbol *symbols, size_t n, struct err **e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_machine);
    LLVMOrcLLJITRef jit = NULL;
    *e = llvm_err(LLVMOrcCreateLLJIT(&jit, LLVMOrcCreateLLJITBuilder()), "LLJIT");
    if (*e) return NULL;
    LLVMOrcCSymbolMapPair *pairs = mem_alloc((n + 1) * sizeof *pairs);
    for (size_t i = 0; i < n; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name);
        pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbols[i].at;
        pairs[i].Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported |
                                          LLVMJITSymbolGenericFlagsCallable;
    }
    *e = llvm_err(
        LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, n)),
        "symbols");
    free(pairs);
    if (!*e) return jit;
    jit_dispose(jit);
    return NULL;
}

static struct err *jit_add(void *jit, const void *object, size_t size)
{
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "object");
    return llvm_err(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), b), "linking");
}

static struct err *jit_find(void *jit, const char *symbol, void **at)
{
    LLVMOrcExecutorAddress a = 0;
    struct err *e = llvm_err(LLVMOrcLLJITLookup(jit, &a, symbol), "linking");
    *at = (void *)(uintptr_t)a;
    return e;
}

__attribute__((visibility("default"))) extern const struct native_plugin cldbg_native_plugin;
const struct native_plugin cldbg_native_plugin = {.compile = nat_object,
                                                  .jit_create = jit_create,
                                                  .jit_add = jit_add,
                                                  .jit_find = jit_find,
                                                  .jit_dispose = jit_dispose};

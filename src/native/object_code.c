// SPDX-License-Identifier: MIT
// From bitcode to an object file: work-group functions become machine code. The module of cldbg-cc
// is finished for the size of work-groups (constants, so that loops over work-items unroll and
// vectorize), optimized for this processor, and made an object.
#include "native/native.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static struct {
    pthread_once_t once;
    LLVMTargetRef target;
    char *triple, *cpu, *features, *why;
} machine = {.once = PTHREAD_ONCE_INIT};

static void find_machine(void)
{
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    machine.triple = LLVMGetDefaultTargetTriple();
    machine.cpu = LLVMGetHostCPUName();
    machine.features = LLVMGetHostCPUFeatures();
    if (LLVMGetTargetFromTriple(machine.triple, &machine.target, &machine.why))
        machine.target = NULL;
}

static LLVMTargetMachineRef new_machine(void)
{
    return LLVMCreateTargetMachine(machine.target, machine.triple, machine.cpu, machine.features,
                                   LLVMCodeGenLevelAggressive, LLVMRelocPIC, LLVMCodeModelDefault);
}

static struct err *llvm_err(LLVMErrorRef bad, const char *what)
{
    if (!bad) return NULL;
    char *text = LLVMGetErrorMessage(bad);
    struct err *e = err_new("%s: %s", what, text);
    LLVMDisposeErrorMessage(text);
    return e;
}

// ---- from bitcode to an object

static struct err *check_refused(LLVMModuleRef m, const char *name)
{
    struct str full = {0};
    str_printf(&full, NAT_REFUSED "%s", name);
    LLVMValueRef refused = LLVMGetNamedGlobal(m, full.data);
    str_deinit(&full);
    size_t len;
    return refused ? err_new("%s", LLVMGetAsString(LLVMGetInitializer(refused), &len)) : NULL;
}

// The module with the work-group function, for the host. The caller disposes of *m.
static struct err *read_module(LLVMContextRef c, const struct nat_request *r, struct str *remarks,
                               LLVMModuleRef *m)
{
    LLVMMemoryBufferRef b =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(r->bitcode, r->size, "native");
    LLVMModuleRef read;
    const bool bad = LLVMParseBitcodeInContext2(c, b, &read);
    LLVMDisposeMemoryBuffer(b);
    if (bad) return err_new("what cldbg-cc wrote cannot be read");
    struct err *e = r->name ? check_refused(read, r->name) : NULL;
    if (!e) e = nat_finish(read, r->name, r->shape, remarks, m);
    LLVMDisposeModule(read);
    if (*m) LLVMSetTarget(*m, machine.triple);
    return e;
}

// Only the kernel is seen from outside; variables are those of the program.
static void choose(LLVMModuleRef m, const char *name, const char *symbol)
{
    struct str full = {0};
    str_printf(&full, NAT_PREFIX "%s", name);
    LLVMValueRef kernel = LLVMGetNamedFunction(m, full.data);
    str_deinit(&full);
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (f == kernel || LLVMIsDeclaration(f)) continue;
        if (!strncmp(LLVMGetValueName(f), "cldbg.v", 7) || LLVMGetFirstUse(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
        else LLVMDeleteFunction(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        const char *gname = LLVMGetValueName(g);
        if (!strncmp(gname, NAT_VARIABLES, strlen(NAT_VARIABLES)))
            LLVMSetInitializer(g, NULL), LLVMSetLinkage(g, LLVMExternalLinkage);
        else if (strncmp(gname, "llvm.", 5) && LLVMGetInitializer(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    }
    LLVMSetValueName2(kernel, symbol, strlen(symbol));
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
}

static void set_processor(LLVMModuleRef m)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMAttributeRef cpu =
        LLVMCreateStringAttribute(c, "target-cpu", 10, machine.cpu, (unsigned)strlen(machine.cpu));
    LLVMAttributeRef features = LLVMCreateStringAttribute(
        c, "target-features", 15, machine.features, (unsigned)strlen(machine.features));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, cpu);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, features);
    }
}

static uint64_t frame_of(LLVMModuleRef m, LLVMValueRef f)
{
    LLVMTargetDataRef d = LLVMGetModuleDataLayout(m);
    uint64_t bytes = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) != LLVMAlloca) continue;
            LLVMValueRef n = LLVMGetOperand(i, 0);
            bytes += LLVMABISizeOfType(d, LLVMGetAllocatedType(i)) *
                     (LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 1);
        }
    return bytes;
}

/** That a loop could not be vectorized after all is nothing to tell the user. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *unused)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    fprintf(stderr, "cldbg: LLVM: %s\n", text);
    LLVMDisposeMessage(text);
}

static struct err *emit(LLVMModuleRef m, const char *symbol, struct nat_code_info *info,
                        LLVMMemoryBufferRef *object)
{
    LLVMTargetMachineRef tm = new_machine();
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(m), on_diagnostic, NULL);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeTargetData(layout);
    set_processor(m);
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, true);
    LLVMPassBuilderOptionsSetSLPVectorization(o, true);
    LLVMPassBuilderOptionsSetLoopInterleaving(o, true);
    LLVMPassBuilderOptionsSetLoopUnrolling(o, true);
    // First, what does not change leaves the loops (native/divisions.c has the reason).
    struct err *e =
        llvm_err(LLVMRunPasses(m, "function(sroa,early-cse,loop-mssa(licm)),default<O3>", tm, o),
                 "optimizing");
    LLVMDisposePassBuilderOptions(o);
    if (!e && getenv("CLDBG_NATIVE_PRINT")) LLVMDumpModule(m);
    char *why = NULL;
    LLVMValueRef f = symbol ? LLVMGetNamedFunction(m, symbol) : NULL;
    if (f) {
        info->frame = frame_of(m, f);
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                                           NAT_LOCALS, strlen(NAT_LOCALS));
        unsigned len;
        info->locals = a ? strtoull(LLVMGetStringAttributeValue(a, &len), NULL, 10) : 0;
    }
    if (!e && LLVMTargetMachineEmitToMemoryBuffer(tm, m, LLVMObjectFile, &why, object))
        e = err_new("code generation: %s", why);
    LLVMDisposeMessage(why);
    LLVMDisposeTargetMachine(tm);
    return e;
}

// Program-scope variables: one object for all kernels, which has them alone.
static void choose_variables(LLVMModuleRef m)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        if (!strncmp(LLVMGetValueName(g), NAT_VARIABLES, strlen(NAT_VARIABLES)))
            LLVMSetLinkage(g, LLVMExternalLinkage);
    LLVMValueRef used = LLVMGetNamedGlobal(m, "llvm.compiler.used");
    if (used) LLVMDeleteGlobal(used);
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
    }
}

struct err *nat_object(const struct nat_request *r, struct nat_code_info *info, struct str *remarks,
                       struct str *object)
{
    pthread_once(&machine.once, find_machine);
    if (!machine.target)
        return err_new("LLVM has no code generator for this machine: %s", machine.why);
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = NULL;
    LLVMMemoryBufferRef o = NULL;
    struct err *e = read_module(c, r, remarks, &m);
    if (!e && r->name) choose(m, r->name, r->symbol);
    else if (!e) choose_variables(m);
    if (!e) e = emit(m, r->symbol, info, &o);
    if (!e) str_put_n(object, LLVMGetBufferStart(o), LLVMGetBufferSize(o));
    if (o) LLVMDisposeMemoryBuffer(o);
    if (m) LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return e;
}

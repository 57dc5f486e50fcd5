// SPDX-License-Identifier: MIT
// The plug-in: work-group functions become machine code. What cldbg-cc wrote is finished for the size of work-groups
// (constants, so that loops over work-items unroll and vectorise), optimised for this processor, and linked by LLJIT.
//
// Finished objects are kept on disk by the hash of bitcode, kernel, size and processor; with one of them LLVM need not even
// read the bitcode.
#include "devices/native_plugin.h"
#include "native/native.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <ffi.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 3 }; // of what is kept on disk

struct native_code {
    char *symbol;
    void (*entry)(void);
    struct native_code_info info;
    unsigned nargs;
    ffi_cif cif;
    ffi_type **types;
};

struct program {
    const struct native_host *host;
    const void *bitcode;
    size_t size;
    uint64_t hash[2];
    LLVMOrcLLJITRef jit;
    pthread_mutex_t lock; // guards codes, jit
    VEC(struct native_code *) codes;
};

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
    if (LLVMGetTargetFromTriple(machine.triple, &machine.target, &machine.why)) machine.target = NULL;
}

static LLVMTargetMachineRef new_machine(void)
{
    return LLVMCreateTargetMachine(machine.target, machine.triple, machine.cpu, machine.features, LLVMCodeGenLevelAggressive, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
}

static struct err *llvm_err(LLVMErrorRef bad, const char *what)
{
    if (!bad) return NULL;
    char *text = LLVMGetErrorMessage(bad);
    struct err *e = err_new("%s: %s", what, text);
    LLVMDisposeErrorMessage(text);
    return e;
}

// ---- the program

static struct err *define_symbols(struct program *p)
{
    const struct native_host *h = p->host;
    LLVMOrcCSymbolMapPair *pairs = mem_alloc((h->nsymbols + 1) * sizeof *pairs);
    for (size_t i = 0; i < h->nsymbols; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(p->jit, h->symbols[i].name);
        pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)h->symbols[i].at;
        pairs[i].Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    }
    LLVMErrorRef bad = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(p->jit), LLVMOrcAbsoluteSymbols(pairs, h->nsymbols));
    free(pairs);
    return llvm_err(bad, "symbols");
}

static void unload(void *program);
static struct err *load_variables(struct program *p);

static void *load(const struct native_host *h, const void *bitcode, size_t size, struct err **e)
{
    pthread_once(&machine.once, find_machine);
    if (!machine.target) {
        *e = err_new("LLVM has no code generator for this machine: %s", machine.why);
        return NULL;
    }
    struct program *p = mem_alloc(sizeof *p);
    *p = (struct program){.host = h, .bitcode = bitcode, .size = size};
    pthread_mutex_init(&p->lock, NULL);
    struct str s = {0};
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    str_printf(&s, "%d %u.%u.%u %s %s", FORMAT, major, minor, patch, machine.cpu, machine.features);
    for (unsigned k = 0; k < 2; k++) p->hash[k] = hash_bytes(bitcode, size, hash_bytes(s.data, s.len, 21 + k));
    str_deinit(&s);
    *e = llvm_err(LLVMOrcCreateLLJIT(&p->jit, LLVMOrcCreateLLJITBuilder()), "LLJIT");
    if (!*e) *e = define_symbols(p);
    if (!*e) *e = load_variables(p);
    if (!*e) return p;
    unload(p);
    return NULL;
}

static void free_code(struct native_code *c)
{
    free(c->symbol);
    free(c->types);
    free(c);
}

static void unload(void *program)
{
    struct program *p = program;
    if (p->jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(p->jit));
    for (size_t i = 0; i < p->codes.len; i++) free_code(p->codes.data[i]);
    vec_free(&p->codes);
    pthread_mutex_destroy(&p->lock);
    free(p);
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

// The work-group function of kernel `name` (NULL: of none), for the host; *m is for the caller to dispose of.
static struct err *read_module(struct program *p, LLVMContextRef c, const char *name, const struct nat_shape *s, struct str *remarks,
                               LLVMModuleRef *m)
{
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(p->bitcode, p->size, "native");
    LLVMModuleRef read;
    const bool bad = LLVMParseBitcodeInContext2(c, b, &read);
    LLVMDisposeMemoryBuffer(b);
    if (bad) return err_new("what cldbg-cc wrote cannot be read");
    struct err *e = name ? check_refused(read, name) : NULL;
    if (!e) e = nat_finish(read, name, s, remarks, m);
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
        if (!strncmp(LLVMGetValueName(f), "cldbg.v", 7) || LLVMGetFirstUse(f)) LLVMSetLinkage(f, LLVMInternalLinkage);
        else LLVMDeleteFunction(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        const char *gname = LLVMGetValueName(g);
        if (!strncmp(gname, NAT_VARIABLES, strlen(NAT_VARIABLES))) LLVMSetInitializer(g, NULL), LLVMSetLinkage(g, LLVMExternalLinkage);
        else if (strncmp(gname, "llvm.", 5) && LLVMGetInitializer(g)) LLVMSetLinkage(g, LLVMInternalLinkage);
    }
    LLVMSetValueName2(kernel, symbol, strlen(symbol));
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
}

static void set_processor(LLVMModuleRef m)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMAttributeRef cpu = LLVMCreateStringAttribute(c, "target-cpu", 10, machine.cpu, (unsigned)strlen(machine.cpu));
    LLVMAttributeRef features = LLVMCreateStringAttribute(c, "target-features", 15, machine.features, (unsigned)strlen(machine.features));
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
            bytes += LLVMABISizeOfType(d, LLVMGetAllocatedType(i)) * (LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 1);
        }
    return bytes;
}

static struct err *emit(LLVMModuleRef m, const char *symbol, struct native_code_info *info, LLVMMemoryBufferRef *object)
{
    LLVMTargetMachineRef tm = new_machine();
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeTargetData(layout);
    set_processor(m);
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(o, true);
    LLVMPassBuilderOptionsSetSLPVectorization(o, true);
    LLVMPassBuilderOptionsSetLoopInterleaving(o, true);
    LLVMPassBuilderOptionsSetLoopUnrolling(o, true);
    struct err *e = llvm_err(LLVMRunPasses(m, "default<O3>", tm, o), "optimising");
    LLVMDisposePassBuilderOptions(o);
    if (!e && getenv("CLDBG_NATIVE_PRINT")) LLVMDumpModule(m);
    char *why = NULL;
    LLVMValueRef f = symbol ? LLVMGetNamedFunction(m, symbol) : NULL;
    if (f) {
        info->frame = frame_of(m, f);
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, NAT_LOCALS, strlen(NAT_LOCALS));
        unsigned len;
        info->locals = a ? strtoull(LLVMGetStringAttributeValue(a, &len), NULL, 10) : 0;
    }
    if (!e && LLVMTargetMachineEmitToMemoryBuffer(tm, m, LLVMObjectFile, &why, object)) e = err_new("code generation: %s", why);
    LLVMDisposeMessage(why);
    LLVMDisposeTargetMachine(tm);
    return e;
}

static struct err *add_object(struct program *p, const void *data, size_t size)
{
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, "object");
    return llvm_err(LLVMOrcLLJITAddObjectFile(p->jit, LLVMOrcLLJITGetMainJITDylib(p->jit), b), "linking");
}

// Program-scope variables: one object for all kernels.
static struct err *load_variables(struct program *p)
{
    if (!memmem(p->bitcode, p->size, NAT_VARIABLES, strlen(NAT_VARIABLES))) return NULL; // names stand in bitcode as they are
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = NULL;
    struct err *e = read_module(p, c, NULL, NULL, NULL, &m);
    bool any = false;
    for (LLVMValueRef g = e ? NULL : LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
        if (!strncmp(LLVMGetValueName(g), NAT_VARIABLES, strlen(NAT_VARIABLES))) any = true, LLVMSetLinkage(g, LLVMExternalLinkage);
    if (!e && any) {
        LLVMValueRef used = LLVMGetNamedGlobal(m, "llvm.compiler.used");
        if (used) LLVMDeleteGlobal(used);
        for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
            next = LLVMGetNextFunction(f);
            if (!LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
        }
        LLVMMemoryBufferRef o = NULL;
        e = emit(m, NULL, NULL, &o);
        if (!e) e = add_object(p, LLVMGetBufferStart(o), LLVMGetBufferSize(o));
        if (o) LLVMDisposeMemoryBuffer(o);
    }
    if (m) LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return e;
}

// ---- a kernel's code

static struct err *make(struct program *p, const char *name, const struct nat_shape *s, struct native_code *c)
{
    struct str kept = {0}, remarks = {0}; // kept: info, remarks with their closing 0, object
    uint64_t key[2];
    for (unsigned k = 0; k < 2; k++) key[k] = hash_bytes(c->symbol, strlen(c->symbol), p->hash[k]);
    struct err *e = NULL;
    if (!p->host->get(key[0], key[1], &kept) || kept.len <= sizeof c->info) {
        LLVMContextRef ctx = LLVMContextCreate();
        LLVMModuleRef m = NULL;
        LLVMMemoryBufferRef o = NULL;
        e = read_module(p, ctx, name, s, &remarks, &m);
        if (!e) {
            choose(m, name, c->symbol);
            e = emit(m, c->symbol, &c->info, &o);
        }
        str_clear(&kept);
        if (!e) {
            str_put_n(&kept, (const char *)&c->info, sizeof c->info);
            str_put_n(&kept, str_text(&remarks), remarks.len + 1);
            str_put_n(&kept, LLVMGetBufferStart(o), LLVMGetBufferSize(o));
            p->host->put(key[0], key[1], &kept);
        }
        if (o) LLVMDisposeMemoryBuffer(o);
        if (m) LLVMDisposeModule(m);
        LLVMContextDispose(ctx);
    }
    if (!e) {
        memcpy(&c->info, kept.data, sizeof c->info);
        const char *text = kept.data + sizeof c->info, *object = text + strlen(text) + 1;
        p->host->remark(name, s, text);
        e = add_object(p, object, (size_t)(kept.data + kept.len - object));
    }
    str_deinit(&kept);
    str_deinit(&remarks);
    LLVMOrcExecutorAddress at = 0;
    if (!e) e = llvm_err(LLVMOrcLLJITLookup(p->jit, &at, c->symbol), "linking");
    c->entry = (void (*)(void))(uintptr_t)at;
    return e;
}

static void prepare_call(struct native_code *c, unsigned nargs)
{
    c->nargs = nargs;
    c->types = mem_alloc((nargs + 4) * sizeof *c->types);
    for (unsigned i = 0; i < nargs + 2; i++) c->types[i] = &ffi_type_pointer;
    c->types[nargs + 2] = c->types[nargs + 3] = &ffi_type_uint64;
    ffi_status ok = ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, nargs + 4, &ffi_type_void, c->types);
    assert(ok == FFI_OK);
    (void)ok;
}

static const struct native_code *code(void *program, const char *name, unsigned nargs, const struct nat_shape *s, struct native_code_info *info,
                                      struct err **e)
{
    struct program *p = program;
    struct str symbol = {0};
    str_printf(&symbol, "%s.%llu.%llu.%llu.%u%s%s%s%x", name, (unsigned long long)s->local[0], (unsigned long long)s->local[1],
               (unsigned long long)s->local[2], s->sub_group, s->uneven ? "u" : "", s->apart ? "a" : "", s->small ? "s" : "", s->passes);
    struct native_code *c = NULL;
    *e = NULL;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->codes.len && !c; i++)
        if (!strcmp(p->codes.data[i]->symbol, symbol.data)) c = p->codes.data[i];
    if (!c) {
        c = mem_alloc(sizeof *c);
        c->symbol = str_take(&symbol);
        *e = make(p, name, s, c);
        if (*e) {
            free_code(c);
            c = NULL;
        } else {
            prepare_call(c, nargs);
            vec_push(&p->codes, c);
        }
    }
    pthread_mutex_unlock(&p->lock);
    str_deinit(&symbol);
    if (c) *info = c->info;
    return c;
}

static void call(const struct native_code *c, void *const *args, void *locals, const struct nat_launch *l, uint64_t first, uint64_t last)
{
    void **values = alloca((c->nargs + 4) * sizeof *values);
    for (unsigned i = 0; i < c->nargs; i++) values[i] = (void *)&args[i];
    values[c->nargs] = &locals;
    values[c->nargs + 1] = &l;
    values[c->nargs + 2] = &first;
    values[c->nargs + 3] = &last;
    ffi_call((ffi_cif *)&c->cif, c->entry, NULL, values);
}

__attribute__((visibility("default"))) extern const struct native_plugin cldbg_native_plugin;
const struct native_plugin cldbg_native_plugin = {.load = load, .unload = unload, .code = code, .call = call};

// SPDX-License-Identifier: MIT
// Where the text of the program came from travels in the module as named metadata `cldbg.files =
// {{name, path, text}…}`: so it is still known when compiled objects are linked later.
#include "frontend/front_end.h"

#include "base/spirv.h"
#include "base/vec.h"
#include "frontend/assumptions.h"
#include "frontend/clang.h"
#include "frontend/function_linking.h"
#include "frontend/kernel_stubs.h"
#include "frontend/libraries.h"
#include "frontend/odd_integers.h"
#include "frontend/options.h"
#include "frontend/reach.h"
#include "frontend/spir_metadata.h"
#include "frontend/spir_variables.h"
#include "frontend/spirv_child.h"
#include "llvm/ir.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <string.h>

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    static const char *const words[] = {"error", "warning", "remark", "note"};
    LLVMDiagnosticSeverity s = LLVMGetDiagInfoSeverity(info);
    char *text = LLVMGetDiagInfoDescription(info);
    if (s == LLVMDSError || s == LLVMDSWarning) str_printf(context, "%s: %s\n", words[s], text);
    LLVMDisposeMessage(text);
}

static LLVMMetadataRef md_string(LLVMContextRef c, const char *s, size_t n)
{
    return LLVMMDStringInContext2(c, s, n);
}

static void note_file(struct fe_module *m, const char *name, const char *path, const char *text,
                      size_t len)
{
    LLVMMetadataRef part[] = {
        md_string(m->ctx, name, strlen(name)),
        md_string(m->ctx, path ? path : "", path ? strlen(path) : 0),
        md_string(m->ctx, text ? text : "", len),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->ctx, part, 3);
    LLVMAddNamedMetadataOperand(m->llvm, FE_FILES_METADATA, LLVMMetadataAsValue(m->ctx, node));
}

static void note_files(struct fe_module *m, const struct fe_request *r)
{
    if (!r->nsegments) note_file(m, FE_DEFAULT_NAME, NULL, r->source, r->source_len);
    for (unsigned i = 0; i < r->nsegments; i++) {
        const struct fe_segment *g = &r->segments[i];
        if (!g->line) continue;
        if (g->path) note_file(m, g->name, g->path, NULL, 0);
        else note_file(m, g->name, NULL, r->source, r->source_len);
    }
    for (unsigned i = 0; i < r->nheaders; i++)
        note_file(m, r->headers[i].name, NULL, r->headers[i].text, strlen(r->headers[i].text));
}

static bool parse(struct fe_module *m, const void *data, size_t size, LLVMModuleRef *out)
{
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, "program");
    bool ok = !LLVMParseBitcodeInContext2(m->ctx, b, out);
    LLVMDisposeMemoryBuffer(b);
    if (ok) fe_join_kernel_stubs(*out);
    if (ok) fe_take_spir_metadata(*out);
    return ok;
}

/** `extern inline`: a body that serves where no program that is linked has another. */
static void keep_inline_bodies(LLVMModuleRef m)
{
    l_each_function(m, f)
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
}

static enum fe_status from_source(const struct fe_request *r, const struct fe_options *o,
                                  struct fe_module *m, struct str *log)
{
    struct str bitcode = {0};
    enum fe_status st = fe_clang(r, o, &m->reach, &bitcode, &m->depends, log);
    if (st == FE_OK && !parse(m, bitcode.data, bitcode.len, &m->llvm)) {
        str_put(log, "error: the compiler's output is not LLVM bitcode that can be read: clang "
                     "failed at something in the program, "
                     "or what was run is not clang\n");
        st = FE_FAILED;
    }
    str_deinit(&bitcode);
    if (st == FE_OK) {
        fe_mark_assumptions(m->llvm);
        keep_inline_bodies(m->llvm);
        note_files(m, r);
    }
    return st;
}

/** Compiles functions that a program lacks (options: NULL if it lacks none), and links them. */
static enum fe_status add_functions(struct fe_module *m, LLVMModuleRef program, const char *source,
                                    const char *options, struct str *log)
{
    if (!options) return FE_OK;
    const struct fe_request r = {
        .kind = FE_COMPILE, .source = source, .source_len = strlen(source)};
    struct fe_options o;
    struct str bitcode = {0}, depends = {0};
    LLVMModuleRef functions;
    fe_options_parse(FE_COMPILE, options, &o, log);
    enum fe_status st = fe_clang(&r, &o, &(struct fe_reach){0}, &bitcode, &depends, log);
    if (st == FE_OK && (!parse(m, bitcode.data, bitcode.len, &functions) ||
                        !fe_link_functions(program, functions)))
        st = FE_FAILED;
    fe_options_deinit(&o);
    str_deinit(&bitcode);
    str_deinit(&depends);
    return st;
}

static enum fe_status add_missing(struct fe_module *m, LLVMModuleRef program, struct str *log)
{
    enum fe_status st = FE_OK;
    for (unsigned k = 0; k < FE_LIBRARIES && st == FE_OK; k++) {
        const char *source, *options = fe_library_missing(program, k, &source);
        st = add_functions(m, program, source, options, log);
    }
    return st;
}

static bool target_is_ours(LLVMModuleRef m, struct str *log)
{
    if (str_starts(LLVMGetTarget(m), "spir64")) return true;
    str_printf(log, "error: the program is for '%s'; cldbg runs spir64 programs\n",
               LLVMGetTarget(m));
    return false;
}

/**
 * A function's text without the numbers of metadata and attributes, which are each module's own.
 */
static void body_text(LLVMValueRef fn, struct str *out)
{
    char *text = LLVMPrintValueToString(fn);
    for (const char *p = text; *p;) {
        if (*p == '!' || *p == '#') {
            p += 1 + strspn(p + 1, "0123456789");
        } else {
            size_t n = strcspn(p, "!#");
            str_put_n(out, p, n);
            p += n;
        }
    }
    LLVMDisposeMessage(text);
}

/**
 * An inline function of a header is in every program that includes it: where the bodies are the
 * same, the first one serves all. Different ones stay as they are, and linking them is an error.
 */
static void share_equal_functions(LLVMModuleRef into, LLVMModuleRef from)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(from); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef first = LLVMGetNamedFunction(into, LLVMGetValueName(f));
        if (!first || LLVMIsDeclaration(f) || LLVMIsDeclaration(first) ||
            LLVMGetLinkage(f) != LLVMExternalLinkage)
            continue;
        if (LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv) continue;
        struct str a = {0}, b = {0};
        body_text(first, &a);
        body_text(f, &b);
        if (!strcmp(str_text(&a), str_text(&b))) LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        str_deinit(&a);
        str_deinit(&b);
    }
}

static enum fe_status from_objects(const struct fe_request *r, struct fe_module *m, struct str *log)
{
    if (!r->nobjects) {
        str_put(log, "error: no programs to link\n");
        return FE_FAILED;
    }
    for (unsigned i = 0; i < r->nobjects; i++) {
        LLVMModuleRef one;
        struct fe_blob object = r->objects[i];
        struct str translated = {0};
        if (spirv_is_module(object.data, object.size)) {
            enum fe_status st = fe_spirv(object.data, object.size, &translated, log);
            if (st != FE_OK) return st;
            object = (struct fe_blob){translated.data, translated.len};
        }
        const bool ok = parse(m, object.data, object.size, &one);
        str_deinit(&translated);
        if (!ok) {
            str_printf(log, "error: object %u is not LLVM bitcode that cldbg can read\n", i + 1);
            return FE_BAD_BINARY;
        }
        if (!target_is_ours(one, log)) {
            LLVMDisposeModule(one);
            return FE_BAD_BINARY;
        }
        const enum fe_status st = add_missing(m, one, log);
        if (st != FE_OK) {
            LLVMDisposeModule(one);
            return st;
        }
        if (m->llvm) share_equal_functions(m->llvm, one);
        if (!m->llvm) m->llvm = one;
        else if (LLVMLinkModules2(m->llvm, one)) return FE_FAILED; // the log has LLVM's words
    }
    return FE_OK;
}

/**
 * A function that is called with other types than those of its definition, or NULL: LLVM allows it
 * and says that it never happens; the behavior is undefined.
 */
static LLVMValueRef called_otherwise(LLVMModuleRef m)
{
    l_each_function(m, f)
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef call = LLVMGetUser(u);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f &&
                LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(f))
                return f;
        }
    return NULL;
}

static enum fe_status take_spir_variables(struct fe_module *m, struct str *log)
{
    LLVMValueRef v = fe_take_spir_variables(m->llvm);
    if (v)
        str_printf(log,
                   "error: program-scope variable '%s' is in private memory, which OpenCL C does "
                   "not have for those, and is written, or its address is kept\n",
                   l_name(v));
    return v ? FE_BAD_BINARY : FE_OK;
}

/**
 * LLVM's own check. OpenCL C lets kernels call kernels; LLVM 22 forbids it by the convention that
 * makes them kernels.
 */
static bool is_malformed(LLVMModuleRef m, char **why)
{
    VEC(LLVMValueRef) kernels = {0};
    l_each_function(m, f)
        if (LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv && LLVMGetFirstUse(f))
            vec_push(&kernels, f);
    for (size_t i = 0; i < kernels.len; i++)
        l_set_convention(kernels.data[i], LLVMSPIRFUNCCallConv);
    const bool bad = LLVMVerifyModule(m, LLVMReturnStatusAction, why);
    for (size_t i = 0; i < kernels.len; i++)
        l_set_convention(kernels.data[i], LLVMSPIRKERNELCallConv);
    vec_free(&kernels);
    return bad;
}

static enum fe_status verify(struct fe_module *m, enum fe_status if_bad, struct str *log)
{
    char *why = NULL;
    enum fe_status st = FE_OK;
    size_t n;
    if (*LLVMGetModuleInlineAsm(m->llvm, &n)) { // what makes machine code would assemble it
        str_put(log, "error: the program has assembly at file scope, which OpenCL C does not "
                     "have\n");
        return if_bad;
    }
    if (is_malformed(m->llvm, &why)) {
        str_printf(log, "error: the program's LLVM code is malformed: %s\n", why);
        st = if_bad;
    }
    LLVMDisposeMessage(why);
    LLVMValueRef f = st == FE_OK ? called_otherwise(m->llvm) : NULL;
    if (f) {
        str_printf(log,
                   "error: the program's LLVM code is malformed: function '%s' is called with the "
                   "wrong types\n",
                   l_name(f));
        st = if_bad;
    }
    return st;
}

enum fe_status fe_compile(const struct fe_request *r, struct fe_module *out, struct str *log)
{
    struct fe_options o;
    *out = (struct fe_module){.request = r};
    enum fe_status st = FE_BAD_OPTIONS;
    if (fe_options_parse(r->kind, r->options, &o, log)) {
        fe_reach_init(&out->reach, r, &o, log);
        out->ctx = LLVMContextCreate();
        out->is_library = o.create_library;
        LLVMContextSetDiagnosticHandler(out->ctx, on_diagnostic, log);
        bool source = r->kind != FE_LINK && r->source;
        st = source ? from_source(r, &o, out, log) : from_objects(r, out, log);
        if (st == FE_OK) st = verify(out, source ? FE_FAILED : FE_BAD_BINARY, log);
        if (st == FE_OK && !source) st = take_spir_variables(out, log);
        if (st == FE_OK && !source) fe_take_odd_integers(out->llvm);
        LLVMContextSetDiagnosticHandler(out->ctx, NULL, NULL);
    }
    fe_options_deinit(&o);
    if (st != FE_OK) fe_module_deinit(out);
    return st;
}

void fe_module_deinit(struct fe_module *m)
{
    if (m->llvm) LLVMDisposeModule(m->llvm);
    if (m->ctx) LLVMContextDispose(m->ctx);
    str_deinit(&m->depends);
    fe_reach_deinit(&m->reach);
    *m = (struct fe_module){0};
}

void fe_module_bitcode(const struct fe_module *m, struct str *out)
{
    LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(m->llvm);
    str_put_n(out, LLVMGetBufferStart(b), LLVMGetBufferSize(b));
    LLVMDisposeMemoryBuffer(b);
}

// SPDX-License-Identifier: MIT
#include "cc/pipeline.h"

#include "builtins/builtins.h"
#include "frontend/debug_metadata.h"
#include "frontend/front_end.h"
#include "library/library.h"
#include "llvm/ir.h"
#include "lower/lower.h"
#include "native/native.h"
#include "proof/proof.h"
#include "regions/form.h"

#include <string.h>

static struct fe_request to_frontend(const struct wire_request *r, struct arena *a)
{
    static const enum fe_kind kinds[] = {
        [WIRE_BUILD] = FE_BUILD, [WIRE_COMPILE] = FE_COMPILE, [WIRE_LINK] = FE_LINK};
    static const enum fe_reach_kind reach[] = {[WIRE_REACH_ALL] = FE_REACH_ALL,
                                               [WIRE_REACH_FOLDERS] = FE_REACH_FOLDERS,
                                               [WIRE_REACH_NONE] = FE_REACH_NONE};
    struct fe_request q = {.kind = kinds[r->kind],
                           .reach = reach[r->reach],
                           .source = r->source.data,
                           .source_len = r->source.size,
                           .options = r->options,
                           .nheaders = r->nheaders,
                           .nobjects = r->nobjects,
                           .nsegments = r->nsegments,
                           .ignores_assumptions = r->native}; // (else LLVM would rely on them)
    struct fe_header *h = arena_array(a, struct fe_header, r->nheaders);
    for (uint32_t i = 0; i < r->nheaders; i++)
        h[i] = (struct fe_header){r->headers[i].name, r->headers[i].text};
    struct fe_blob *o = arena_array(a, struct fe_blob, r->nobjects);
    for (uint32_t i = 0; i < r->nobjects; i++)
        o[i] = (struct fe_blob){r->objects[i].data, r->objects[i].size};
    struct fe_segment *s = arena_array(a, struct fe_segment, r->nsegments);
    for (uint32_t i = 0; i < r->nsegments; i++)
        s[i] = (struct fe_segment){r->segments[i].offset, r->segments[i].name,
                                   *r->segments[i].path ? r->segments[i].path : NULL,
                                   r->segments[i].line, r->segments[i].indent};
    q.headers = h;
    q.objects = o;
    q.segments = s;
    return q;
}

/** Answers the question of a request; m is changed. */
static struct err *prove(const struct wire_request *r, struct fe_module *m, struct arena *arena,
                         struct str *out)
{
    struct proof_question q;
    struct proof_answer answer;
    struct err *e = proof_get_question(r->question.data, r->question.size, arena, &q);
    if (!e) e = proof_drop_barriers(m->llvm, &q);
    if (!e) e = lib_expand(m->llvm);
    if (!e) e = rg_normalize(m->llvm);
    struct fe_debug *d = fe_debug_create(m);
    if (!e) e = proof_prepare(m->llvm);
    if (!e) e = proof_run(m->llvm, d, &q, arena, &answer);
    if (!e) proof_put_answer(out, &answer);
    fe_debug_destroy(d);
    return e;
}

static void fail(struct wire_answer *a, struct err *e, struct str *log)
{
    if (!e) return;
    a->status = WIRE_FAILED;
    str_printf(log, "%s\n", err_message(e));
    err_free(e);
}

void cc_pipeline(const struct wire_request *r, struct arena *arena, struct cc_output *out,
                 struct wire_answer *a)
{
    struct fe_request q = to_frontend(r, arena);
    struct fe_module m = {0};
    *a = (struct wire_answer){.status = (enum wire_status)fe_compile(&q, &m, &out->log)};
    if (a->status == WIRE_OK) {
        a->depends =
            (struct wire_blob){arena_dup(arena, m.depends.data, m.depends.len), m.depends.len};
        a->is_library = m.is_library;
        fe_module_bitcode(&m, &out->object); // as it came: an executable may have to be made again,
                                             // for another device
        if (r->question.size) {
            fail(a, prove(r, &m, arena, &out->proof), &out->log);
        } else if (r->kind != WIRE_COMPILE && !m.is_library) {
            struct bc_module *bc = NULL;
            struct err *e = lib_expand(m.llvm);
            if (!e) e = rg_normalize(m.llvm);
            struct fe_debug *d = fe_debug_create(&m);
            if (r->for_debugger) fe_debug_follow_scopes(d);
            if (!e)
                e = r->for_debugger ? lw_module_for_debugging(m.llvm, d, &bc)
                                    : lw_module(m.llvm, d, &bc);
            if (!e && bc) e = err_wrap(bc_verify(bc, bi_lane_types), "internal error of cldbg-cc");
            if (!e && bc) bc_encode(bc, &out->module);
            fe_debug_destroy(d);
            if (!e && r->native) e = err_wrap(nat_module(m.llvm, &out->native), "--native");
            fail(a, e, &out->log);
            bc_module_destroy(bc);
        }
        fe_module_deinit(&m);
    }
    a->log = str_text(&out->log);
    a->module = (struct wire_blob){out->module.data, out->module.len};
    a->native = (struct wire_blob){out->native.data, out->native.len};
    a->proof = (struct wire_blob){out->proof.data, out->proof.len};
    a->object = (struct wire_blob){out->object.data, out->object.len};
}

static const char *variable_name(void *debug, LLVMValueRef variable)
{
    struct fe_variable v;
    return fe_debug_variable(debug, variable, &v) ? v.name : NULL;
}

enum fe_status cc_compile(const struct wire_request *r, struct arena *a, struct fe_module *m,
                          struct str *log)
{
    struct fe_request q = to_frontend(r, a);
    return fe_compile(&q, m, log);
}

struct err *cc_regions(const struct wire_request *r, enum cc_regions form, const char *glob,
                       struct str *log, struct str *out)
{
    struct arena a = {0};
    struct fe_module m = {0};
    if (cc_compile(r, &a, &m, log) != FE_OK) {
        arena_deinit(&a);
        return err_new("it does not compile");
    }
    struct err *e = rg_normalize(m.llvm);
    struct fe_debug *d = fe_debug_create(&m);
    VEC(struct rg_fn) fns = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m.llvm); f && !e; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        struct rg_fn *fn = vec_add(&fns);
        rg_cfg_build(fn, f, &a);
        rg_variables(fn);
    }
    rg_uniformity(fns.data, (unsigned)fns.len);
    bool any = false;
    for (size_t i = 0; i < fns.len && !e; i++) {
        const char *name = fe_debug_function_name(d, fns.data[i].fn);
        if (!l_is_kernel(fns.data[i].fn) || (glob && !str_glob(glob, name))) continue;
        struct rg_workgroup w;
        e = rg_run_passes(&fns.data[i], name, &a, &w);
        if (any && form == CC_TEXT) str_put(out, "\n");
        if (!e && form == CC_DOT) rg_dot(&w, name, out);
        else if (!e) rg_dump(&w, name, variable_name, d, out);
        any = true;
    }
    if (!e && !any)
        e = glob ? err_new("no kernel is called %s", glob) : err_new("there is no kernel in it");
    for (size_t i = 0; i < fns.len; i++) rg_fn_deinit(&fns.data[i]);
    vec_free(&fns);
    fe_debug_destroy(d);
    fe_module_deinit(&m);
    arena_deinit(&a);
    return e;
}

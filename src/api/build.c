// SPDX-License-Identifier: MIT
// clBuildProgram, clCompileProgram, clLinkProgram. A build is done when the call returns, also if
// the app passes a callback (which is called before).
#include "api/access_set.h"
#include "api/checked_form.h"
#include "api/program.h"

#include "api/interrupt.h"
#include "api/platform.h"
#include "api/trace.h"
#include "base/mem.h"
#include "base/stack.h"
#include "debug/debug.h"
#include "report/sink.h"

#include <ctype.h>

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

static cl_int check_build(cl_program p, cl_uint num_devices, const cl_device_id *device_list,
                          notify_fn notify, void *user_data)
{
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    cl_int bad = api_check_devices(p->ctx, &p->devices, num_devices, device_list);
    if (bad) return bad;
    if (!notify && user_data)
        return api_fail(p->ctx, CL_INVALID_VALUE, "user_data is given without pfn_notify");
    if (p->status == CL_BUILD_IN_PROGRESS)
        return api_fail(p->ctx, CL_INVALID_OPERATION,
                        "another build of the program is in progress");
    return CL_SUCCESS;
}

// The error code for a status of dev_compile.
static cl_int code_of(int status, enum dev_build_kind kind)
{
    static const cl_int codes[][3] = {
        // BUILD, COMPILE, LINK
        [DEV_BUILD_OK] = {CL_SUCCESS, CL_SUCCESS, CL_SUCCESS},
        [DEV_BUILD_FAILED] = {CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE,
                              CL_LINK_PROGRAM_FAILURE},
        [DEV_BUILD_BAD_OPTIONS] = {CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS,
                                   CL_INVALID_LINKER_OPTIONS},
        [DEV_BUILD_NO_COMPILER] = {CL_COMPILER_NOT_AVAILABLE, CL_COMPILER_NOT_AVAILABLE,
                                   CL_LINKER_NOT_AVAILABLE},
        [DEV_BUILD_BAD_BINARY] = {CL_INVALID_BINARY, CL_INVALID_BINARY, CL_INVALID_BINARY},
    };
    return codes[status][kind];
}

static void set_text(cl_program p, char **to, const char *text)
{
    char *was = *to;
    pthread_mutex_lock(&p->lock);
    *to = mem_strdup(text);
    pthread_mutex_unlock(&p->lock);
    free(was);
}

/**
 * Replaces the old module by the new one. The old one is unused: the program has no kernels, and
 * none are created during a build.
 */
static void replace(cl_program p, struct dev_built *with)
{
    struct bc_module *module = p->module;
    void *loaded = p->loaded;
    const struct dev_blob native = p->native, object = p->object;
    struct api_access_log *log = p->access_log; // new variables
    api_captured_program_deinit(&p->captured);
    pthread_mutex_lock(&p->lock);
    p->module = with->module;
    p->native = with->native;
    p->object = with->object;
    p->object_fits = true;
    p->loaded = NULL;
    p->access_log = NULL;
    p->type = p->module          ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
              : with->is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                 : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    pthread_mutex_unlock(&p->lock);
    with->module = NULL;
    with->object = with->native = (struct dev_blob){0};
    api_access_log_close(log);
    api_release_module(module, loaded);
    free((void *)native.data);
    free((void *)object.data);
}

static cl_int load(cl_program p)
{
    struct err *e = NULL;
    const bool wants_native = dev_settings()->native || dev_settings()->both;
    const struct dev_blob code = wants_native     ? p->native
                                 : p->object_fits ? p->object
                                                  : (struct dev_blob){0};
    p->loaded = dev_chosen()->program_load(p->module, code, &e);
    if (p->loaded) {
        dbg_module_added(p->module, p->options);
        return CL_SUCCESS;
    }
    set_text(p, &p->log, e ? err_message(e) : "the device could not load the program");
    err_free(e);
    return CL_OUT_OF_RESOURCES;
}

// A binary may contain the text of files that do not exist on this machine: copies them to a module
// rebuilt from its bitcode.
static void keep_texts(struct bc_module *to, const struct bc_module *from)
{
    const char **strings = arena_array(&to->arena, const char *, to->nstrings + to->nfiles);
    struct bc_file *files = arena_dup(&to->arena, to->files, to->nfiles * sizeof *files);
    memcpy(strings, to->strings, to->nstrings * sizeof *strings);
    to->strings = strings;
    to->files = files;
    for (uint32_t i = 0; i < to->nfiles; i++)
        for (uint32_t k = 0; k < from->nfiles && !files[i].text; k++) {
            const struct bc_file *f = &from->files[k];
            if (!f->text || f->first_line != files[i].first_line ||
                strcmp(bc_str(from, f->name), bc_str(to, files[i].name)))
                continue;
            strings[to->nstrings] = arena_strdup(&to->arena, bc_str(from, f->text));
            files[i].text = to->nstrings++;
        }
}

/** The options of the app with those of --default-cl-std and --add-build-options. */
char *api_whole_options(const char *options)
{
    const struct dev_settings *s = dev_settings();
    struct str all = {0};
    if (s->default_cl_std && !strstr(options, "-cl-std="))
        str_printf(&all, "-cl-std=%s ", s->default_cl_std);
    str_put(&all, options);
    if (s->more_build_options) str_printf(&all, " %s", s->more_build_options);
    return str_take(&all);
}

/**
 * A source without -cl-std that uses something undeclared: whether it is a program of a later
 * OpenCL C. The log says so.
 */
static void try_later_version(const struct dev_build *b, struct dev_built *out)
{
    if (!b->source || strstr(b->options, "-cl-std=") || !out->log) return;
    if (!strstr(out->log, "undeclared") && !strstr(out->log, "unknown type name")) return;
    struct dev_build with = *b;
    struct dev_built later = {0};
    struct str options = {0};
    str_printf(&options, "%s -cl-std=CL3.0", b->options);
    with.options = str_text(&options);
    dev_compile(&with, &later);
    if (later.status == DEV_BUILD_OK) {
        struct str log = {0};
        str_printf(
            &log,
            "note: this is a program of OpenCL C 2.0 or 3.0: build it with -cl-std=CL3.0, or "
            "use cldbg --default-cl-std=CL3.0\n%s",
            out->log);
        free(out->log);
        out->log = str_take(&log);
    }
    dev_built_free(&later);
    str_deinit(&options);
}

struct building {
    cl_program p;
    const struct dev_build *b;
    cl_int code;
};

static void build_here(void *context)
{
    struct building *g = context;
    cl_program p = g->p;
    struct dev_built out = {0};
    struct dev_build with = *g->b;
    with.created_at = api_call_site_created;
    with.has_source = api_call_site_has_source;
    with.site = p->obj.site;
    dbg_start(api_leave);
    with.for_debugger = dbg_wanted();
    char *options = p->source ? api_whole_options(with.options ? with.options : "") : NULL;
    if (options) with.options = options;
    const uint64_t begin = api_clock();
    dev_compile(&with, &out);
    if (out.status == DEV_BUILD_FAILED) try_later_version(&with, &out);
    api_timeline_span("build", with.kind == DEV_COMPILE ? "compile program" : "build program", NULL,
                      begin, api_clock());
    set_text(p, &p->log, out.log ? out.log : "");
    g->code = code_of(out.status, with.kind);
    if (with.for_debugger && out.module && g->code == CL_SUCCESS) {
        api_checked_form_free(p->checked_form);
        p->checked_form = api_checked_form_new(&with);
    }
    if (g->code == CL_SUCCESS) {
        if (p->module && out.module && !p->source) keep_texts(out.module, p->module);
        replace(p, &out);
        if (p->module) g->code = load(p);
    }
    dev_built_free(&out);
    free(options);
}

// Runs the compiler and takes its answer; p->building is held.
static cl_int build(cl_program p, const struct dev_build *b)
{
    enum { BUILD_STACK = 256 << 10 };
    struct building g = {.p = p, .b = b};
    stack_call(BUILD_STACK, build_here, &g);
    return g.code;
}

static bool has_option(const char *options, const char *option)
{
    size_t n = strlen(option);
    for (const char *at = options; (at = strstr(at, option)); at += n)
        if ((at == options || isspace((unsigned char)at[-1])) &&
            (!at[n] || isspace((unsigned char)at[n])))
            return true;
    return false;
}

// The values of specialization constants at the beginning of the build are used.
static cl_int build_il(cl_program p, enum dev_build_kind kind)
{
    struct str module = {0};
    pthread_mutex_lock(&p->lock);
    api_il_of_build(p, &module);
    pthread_mutex_unlock(&p->lock);
    const struct dev_blob object = {module.data, module.len};
    const cl_int code =
        build(p, &(struct dev_build){
                     .kind = kind, .options = p->options, .objects = &object, .nobjects = 1});
    str_deinit(&module);
    return code;
}

static cl_int build_object(cl_program p, enum dev_build_kind kind)
{
    struct dev_blob object = {mem_dup(p->object.data, p->object.size), p->object.size};
    const cl_int code =
        build(p, &(struct dev_build){
                     .kind = kind, .options = p->options, .objects = &object, .nobjects = 1});
    free((void *)object.data);
    return code;
}

/** On success p->building is held, and no thread can create a kernel of the program. */
static cl_int begin(cl_program p, const char *options)
{
    pthread_mutex_lock(&p->building);
    pthread_mutex_lock(&p->lock);
    const unsigned kernels = p->kernels;
    if (!kernels) {
        p->status = CL_BUILD_IN_PROGRESS;
        p->arg_info = !p->source || (options && has_option(options, "-cl-kernel-arg-info"));
    }
    pthread_mutex_unlock(&p->lock);
    if (!kernels) {
        set_text(p, &p->options, options ? options : "");
        return CL_SUCCESS;
    }
    pthread_mutex_unlock(&p->building);
    return api_fail(p->ctx, CL_INVALID_OPERATION,
                    "%u kernel objects of the program exist; release them first", kernels);
}

static void say_log(const char *log)
{
    struct str s = {0};
    str_printf(&s, "cldbg: a program does not build:\n%s%s", log, str_ends(log, "\n") ? "" : "\n");
    rep_write_safe(stderr, str_text(&s));
    str_deinit(&s);
}

/** Of the log: a note of try_later_version at its start, and all from its first error on. */
static void report_failure(cl_program p, cl_int code, const char *log)
{
    const size_t note = strncmp(log, "note: ", 6) ? 0 : strcspn(log, "\n") + 1;
    const char *error = strstr(log, " error: ");
    while (error && error > log && error[-1] != '\n') error--;
    if (!error || error < log + note) error = log + strnlen(log, note);
    api_fail(p->ctx, code, "the build failed; its log says:\n%.*s%s", (int)note, log, error);
}

static cl_int end(cl_program p, cl_int code, notify_fn notify, void *user_data)
{
    char *log = code ? mem_strdup(p->log) : NULL;
    p->status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    pthread_mutex_unlock(&p->building);
    struct rep_totals *t = rep_totals(dev_report());
    rep_count(code ? &t->failed_builds : &t->builds, 1);
    if (code && dev_settings()->verbose) say_log(log);
    if (code) report_failure(p, code, log);
    free(log);
    if (notify) notify(p, user_data);
    return code;
}

// Must the module be rebuilt from the bitcode? A binary's module is for checked execution without a
// debugger.
static bool must_make_again(cl_program p)
{
    dbg_start(api_leave);
    return p->object.size && !p->loaded &&
           (dbg_wanted() || dev_settings()->native || dev_settings()->both);
}

cl_int api_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                          const char *options,
                          void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                          void *user_data)
{
    API_ENTER();
    cl_program p = program;
    cl_int bad = check_build(p, num_devices, device_list, pfn_notify, user_data);
    if (bad) return bad;
    if (p->is_linked)
        return api_fail(p->ctx, CL_INVALID_OPERATION,
                        "the program was made by clLinkProgram and has nothing to build");
    bad = begin(p, options);
    if (bad) return bad;
    cl_int code;
    if (p->source) {
        code = build(p, &(struct dev_build){.kind = DEV_BUILD,
                                            .source = p->source,
                                            .source_len = p->source_len,
                                            .options = p->options});
    } else if (p->il.size) {
        code = build_il(p, DEV_BUILD);
    } else if (p->module && !must_make_again(p)) { // an executable as it was given
        set_text(p, &p->log, "");
        code = p->loaded ? CL_SUCCESS : load(p);
    } else {
        code = build_object(p, DEV_BUILD);
    }
    return end(p, code, pfn_notify, user_data);
}

cl_int api_clCompileProgram(cl_program program, cl_uint num_devices,
                            const cl_device_id *device_list, const char *options,
                            cl_uint num_input_headers, const cl_program *input_headers,
                            const char **header_include_names,
                            void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                            void *user_data)
{
    API_ENTER();
    cl_program p = program;
    cl_int bad = check_build(p, num_devices, device_list, pfn_notify, user_data);
    if (bad) return bad;
    if ((num_input_headers == 0) != (input_headers == NULL) ||
        (num_input_headers == 0) != (header_include_names == NULL))
        return api_fail(p->ctx, CL_INVALID_VALUE,
                        "num_input_headers is %u, the lists are %p and %p", num_input_headers,
                        (const void *)input_headers, (const void *)header_include_names);
    for (cl_uint i = 0; i < num_input_headers; i++) {
        if (!api_is(input_headers[i], API_PROGRAM))
            return api_bad_handle(p->ctx, input_headers[i], API_PROGRAM);
        if (input_headers[i]->ctx != p->ctx)
            return api_fail(p->ctx, CL_INVALID_CONTEXT, "header %u belongs to another context", i);
        if (!input_headers[i]->source || !header_include_names[i])
            return api_fail(p->ctx, CL_INVALID_VALUE, "header %u has no source or no name", i);
    }
    pthread_mutex_lock(&p->lock);
    const bool spir = p->object.size && p->type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
    pthread_mutex_unlock(&p->lock);
    if (!p->source && !p->il.size && !spir)
        return api_fail(p->ctx, CL_INVALID_OPERATION,
                        "the program has neither source nor intermediate language");
    bad = begin(p, options);
    if (bad) return bad;
    struct dev_header *headers = mem_array(NULL, num_input_headers + 1, sizeof *headers);
    for (cl_uint i = 0; i < num_input_headers; i++)
        headers[i] = (struct dev_header){header_include_names[i], input_headers[i]->source};
    cl_int code = p->il.size ? build_il(p, DEV_COMPILE)
                  : spir     ? build_object(p, DEV_COMPILE)
                             : build(p, &(struct dev_build){.kind = DEV_COMPILE,
                                                            .source = p->source,
                                                            .source_len = p->source_len,
                                                            .options = p->options,
                                                            .headers = headers,
                                                            .nheaders = num_input_headers});
    free(headers);
    return end(p, code, pfn_notify, user_data);
}

/** A snapshot of the programs to link: other threads may rebuild them meanwhile. */
struct inputs {
    struct dev_blob *objects;
    cl_uint n;
    bool arg_info;
};

static void free_inputs(struct inputs *in)
{
    for (cl_uint i = 0; i < in->n; i++) free((void *)in->objects[i].data);
    free(in->objects);
}

static cl_int take_inputs(struct inputs *in, cl_context context, cl_uint n,
                          const cl_program *programs)
{
    *in = (struct inputs){.objects = mem_array(NULL, n, sizeof *in->objects), .arg_info = true};
    for (cl_uint i = 0; i < n; i++) {
        cl_program p = programs[i];
        pthread_mutex_lock(&p->lock);
        // (bitcode of another compiler may be linked as it is)
        const bool fits = p->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                          p->type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
                          p->type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
        if (fits)
            in->objects[in->n++] =
                (struct dev_blob){mem_dup(p->object.data, p->object.size), p->object.size};
        in->arg_info &= p->arg_info;
        pthread_mutex_unlock(&p->lock);
        if (!fits)
            return api_fail(context, CL_INVALID_OPERATION,
                            "program %u is neither a compiled object nor a library", i);
    }
    return CL_SUCCESS;
}

cl_program api_clLinkProgram(cl_context context, cl_uint num_devices,
                             const cl_device_id *device_list, const char *options,
                             cl_uint num_input_programs, const cl_program *input_programs,
                             void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                             void *user_data, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    cl_int bad = api_check_devices(context, &context->devices, num_devices, device_list);
    if (bad) API_RETURN(bad, NULL);
    if (num_input_programs == 0 || !input_programs)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "there are no programs to link"), NULL);
    if (!pfn_notify && user_data)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "user_data is given without pfn_notify"),
                   NULL);
    for (cl_uint i = 0; i < num_input_programs; i++) {
        cl_program in = input_programs[i];
        if (!api_is(in, API_PROGRAM)) API_RETURN(api_bad_handle(context, in, API_PROGRAM), NULL);
        if (in->ctx != context)
            API_RETURN(
                api_fail(context, CL_INVALID_CONTEXT, "program %u belongs to another context", i),
                NULL);
    }
    struct inputs in;
    bad = take_inputs(&in, context, num_input_programs, input_programs);
    cl_program p = bad ? NULL : api_program_new(context, num_devices, device_list);
    if (!p) {
        free_inputs(&in);
        API_RETURN(bad ? bad : CL_OUT_OF_HOST_MEMORY, NULL);
    }
    p->is_linked = true;
    begin(p, options); // it is new, so this cannot fail
    p->arg_info = p->arg_info && in.arg_info;
    cl_int code = build(
        p, &(struct dev_build){
               .kind = DEV_LINK, .options = p->options, .objects = in.objects, .nobjects = in.n});
    free_inputs(&in);
    end(p, code, pfn_notify, user_data);
    // A failed link still creates a program, for its log; rejected options do not.
    if (code == CL_INVALID_LINKER_OPTIONS || code == CL_LINKER_NOT_AVAILABLE) {
        api_program_put(p);
        p = NULL;
    }
    API_RETURN(code, p);
}

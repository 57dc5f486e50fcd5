// SPDX-License-Identifier: MIT
// clBuildProgram, clCompileProgram, clLinkProgram. A build is done when the call returns, also where the app
// gives a callback (which is then called first).
#include "api/deeds.h"
#include "api/program.h"

#include "api/platform.h"
#include "base/mem.h"
#include "debug/debug.h"

#include <ctype.h>

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

static cl_int check_build(cl_program p, cl_uint num_devices, const cl_device_id *device_list, notify_fn notify,
                          void *user_data)
{
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    cl_int bad = api_check_devices(p->ctx, &p->devices, num_devices, device_list);
    if (bad) return bad;
    if (!notify && user_data)
        return api_fail(p->ctx, CL_INVALID_VALUE, "user_data is given without pfn_notify");
    if (p->status == CL_BUILD_IN_PROGRESS)
        return api_fail(p->ctx, CL_INVALID_OPERATION, "another build of the program is in progress");
    if (p->kernels)
        return api_fail(p->ctx, CL_INVALID_OPERATION, "%u kernel objects of the program exist; release them first",
                        (unsigned)p->kernels);
    return CL_SUCCESS;
}

// What the app is told for a status of dev_compile.
static cl_int code_of(int status, enum dev_build_kind kind)
{
    static const cl_int codes[][3] = {
        // BUILD, COMPILE, LINK
        [DEV_BUILD_OK] = {CL_SUCCESS, CL_SUCCESS, CL_SUCCESS},
        [DEV_BUILD_FAILED] = {CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_LINK_PROGRAM_FAILURE},
        [DEV_BUILD_BAD_OPTIONS] = {CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS, CL_INVALID_LINKER_OPTIONS},
        [DEV_BUILD_NO_COMPILER] = {CL_COMPILER_NOT_AVAILABLE, CL_COMPILER_NOT_AVAILABLE, CL_LINKER_NOT_AVAILABLE},
        [DEV_BUILD_BAD_BINARY] = {CL_INVALID_BINARY, CL_INVALID_BINARY, CL_INVALID_BINARY},
    };
    return codes[status][kind];
}

static void forget(cl_program p)
{
    dbg_module_removed(p->module);
    api_history_destroy(p->history); // new variables
    p->history = NULL;
    if (p->loaded) dev_chosen()->program_unload(p->loaded);
    if (p->module) bc_module_destroy(p->module);
    free((void *)p->native.data);
    p->native = (struct dev_blob){0};
    p->loaded = NULL;
    p->module = NULL;
}

static void set_log(cl_program p, const char *log)
{
    free(p->log);
    p->log = mem_strdup(log);
}

static cl_int load(cl_program p)
{
    struct err *e = NULL;
    p->loaded = dev_chosen()->program_load(p->module, p->native, &e);
    if (p->loaded) {
        dbg_module_added(p->module, p->options);
        return CL_SUCCESS;
    }
    set_log(p, e ? err_message(e) : "the device could not load the program");
    err_free(e);
    return CL_OUT_OF_RESOURCES;
}

// A binary may have the texts of files that are not on this machine: a module made anew of its bitcode gets them, too.
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
            if (!f->text || f->first_line != files[i].first_line || strcmp(bc_str(from, f->name), bc_str(to, files[i].name))) continue;
            strings[to->nstrings] = arena_strdup(&to->arena, bc_str(from, f->text));
            files[i].text = to->nstrings++;
        }
}

// Runs the compiler and takes its answer; p->lock is held.
static cl_int build(cl_program p, const struct dev_build *b)
{
    struct dev_built out = {0};
    struct dev_build with = *b;
    dbg_start();
    with.for_debugger = dbg_wanted();
    dev_compile(&with, &out);
    set_log(p, out.log ? out.log : "");
    cl_int code = code_of(out.status, b->kind);
    if (code == CL_SUCCESS) {
        if (p->module && out.module && !p->source) keep_texts(out.module, p->module);
        forget(p);
        free((void *)p->object.data);
        p->object = (struct dev_blob){0};
        p->module = out.module;
        p->native = out.native;
        p->object = out.object;
        out.module = NULL;
        out.object = (struct dev_blob){0};
        out.native = (struct dev_blob){0};
        if (p->module) {
            p->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
            code = load(p);
        } else {
            p->type = out.is_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        }
    }
    dev_built_free(&out);
    return code;
}

static bool has_option(const char *options, const char *option)
{
    size_t n = strlen(option);
    for (const char *at = options; (at = strstr(at, option)); at += n)
        if ((at == options || isspace((unsigned char)at[-1])) && (!at[n] || isspace((unsigned char)at[n]))) return true;
    return false;
}

// Specialization constants count as they are when the build begins.
static cl_int build_il(cl_program p, enum dev_build_kind kind)
{
    struct str constants = {0};
    api_constants_text(p, &constants);
    const cl_int code = build(p, &(struct dev_build){.kind = kind, .options = p->options, .constants = str_text(&constants),
                                                     .objects = &p->il, .nobjects = 1});
    str_deinit(&constants);
    return code;
}

static cl_int build_object(cl_program p, enum dev_build_kind kind)
{
    struct dev_blob object = {mem_dup(p->object.data, p->object.size), p->object.size};
    const cl_int code = build(p, &(struct dev_build){.kind = kind, .options = p->options, .objects = &object, .nobjects = 1});
    free((void *)object.data);
    return code;
}

static void begin(cl_program p, const char *options)
{
    pthread_mutex_lock(&p->lock);
    p->status = CL_BUILD_IN_PROGRESS;
    p->arg_info = !p->source || (options && has_option(options, "-cl-kernel-arg-info"));
    free(p->options);
    p->options = mem_strdup(options ? options : "");
}

static cl_int end(cl_program p, cl_int code, notify_fn notify, void *user_data)
{
    p->status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    pthread_mutex_unlock(&p->lock);
    if (code) api_fail(p->ctx, code, "the build failed; its log says:\n%s", p->log);
    if (notify) notify(p, user_data);
    return code;
}

// A binary's module is the checked device's, without what a debugger needs; the bitcode that it holds has all.
static bool must_make_again(cl_program p)
{
    dbg_start();
    return p->object.size && !p->loaded && (dbg_wanted() || dev_settings()->native || dev_settings()->both);
}

cl_int api_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                          const char *options, void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                          void *user_data)
{
    API_ENTER();
    cl_program p = program;
    cl_int bad = check_build(p, num_devices, device_list, pfn_notify, user_data);
    if (bad) return bad;
    if (p->is_linked)
        return api_fail(p->ctx, CL_INVALID_OPERATION, "the program was made by clLinkProgram and has nothing to build");
    begin(p, options);
    cl_int code;
    if (p->source) {
        code = build(p, &(struct dev_build){.kind = DEV_BUILD, .source = p->source, .source_len = p->source_len,
                                            .options = p->options});
    } else if (p->il.size) {
        code = build_il(p, DEV_BUILD);
    } else if (p->module && !must_make_again(p)) { // an executable as it was given
        set_log(p, "");
        code = p->loaded ? CL_SUCCESS : load(p);
    } else {
        code = build_object(p, DEV_BUILD);
    }
    return end(p, code, pfn_notify, user_data);
}

cl_int api_clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                            const char *options, cl_uint num_input_headers, const cl_program *input_headers,
                            const char **header_include_names,
                            void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
    API_ENTER();
    cl_program p = program;
    cl_int bad = check_build(p, num_devices, device_list, pfn_notify, user_data);
    if (bad) return bad;
    if ((num_input_headers == 0) != (input_headers == NULL) ||
        (num_input_headers == 0) != (header_include_names == NULL))
        return api_fail(p->ctx, CL_INVALID_VALUE, "num_input_headers is %u, the lists are %p and %p", num_input_headers,
                        (const void *)input_headers, (const void *)header_include_names);
    for (cl_uint i = 0; i < num_input_headers; i++) {
        if (!api_is(input_headers[i], API_PROGRAM)) return api_bad_handle(p->ctx, input_headers[i], API_PROGRAM);
        if (input_headers[i]->ctx != p->ctx) return api_fail(p->ctx, CL_INVALID_CONTEXT, "header %u belongs to another context", i);
        if (!input_headers[i]->source || !header_include_names[i])
            return api_fail(p->ctx, CL_INVALID_VALUE, "header %u has no source or no name", i);
    }
    const bool spir = p->object.size && p->type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
    if (!p->source && !p->il.size && !spir)
        return api_fail(p->ctx, CL_INVALID_OPERATION, "the program has neither source nor intermediate language");
    struct dev_header *headers = mem_array(NULL, num_input_headers + 1, sizeof *headers);
    for (cl_uint i = 0; i < num_input_headers; i++)
        headers[i] = (struct dev_header){header_include_names[i], input_headers[i]->source};
    begin(p, options);
    cl_int code = p->il.size ? build_il(p, DEV_COMPILE)
                  : spir     ? build_object(p, DEV_COMPILE)
                             : build(p, &(struct dev_build){.kind = DEV_COMPILE, .source = p->source, .source_len = p->source_len,
                                                            .options = p->options, .headers = headers, .nheaders = num_input_headers});
    free(headers);
    return end(p, code, pfn_notify, user_data);
}

cl_program api_clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                             const char *options, cl_uint num_input_programs, const cl_program *input_programs,
                             void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
                             cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    cl_int bad = api_check_devices(context, &context->devices, num_devices, device_list);
    if (bad) API_RETURN(bad, NULL);
    if (num_input_programs == 0 || !input_programs)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "there are no programs to link"), NULL);
    if (!pfn_notify && user_data)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "user_data is given without pfn_notify"), NULL);
    for (cl_uint i = 0; i < num_input_programs; i++) {
        cl_program in = input_programs[i];
        if (!api_is(in, API_PROGRAM)) API_RETURN(api_bad_handle(context, in, API_PROGRAM), NULL);
        if (in->ctx != context)
            API_RETURN(api_fail(context, CL_INVALID_CONTEXT, "program %u belongs to another context", i), NULL);
        // (bitcode of another compiler may be linked as it is)
        if (in->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && in->type != CL_PROGRAM_BINARY_TYPE_LIBRARY && in->type != CL_PROGRAM_BINARY_TYPE_INTERMEDIATE)
            API_RETURN(api_fail(context, CL_INVALID_OPERATION, "program %u is neither a compiled object nor a library", i),
                       NULL);
    }
    cl_program p = api_program_new(context, num_devices, device_list);
    if (!p) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    p->is_linked = true;
    struct dev_blob *objects = mem_array(NULL, num_input_programs, sizeof *objects);
    for (cl_uint i = 0; i < num_input_programs; i++) objects[i] = input_programs[i]->object;
    begin(p, options);
    for (cl_uint i = 0; i < num_input_programs; i++) p->arg_info = p->arg_info && input_programs[i]->arg_info;
    cl_int code = build(p, &(struct dev_build){.kind = DEV_LINK, .options = p->options, .objects = objects,
                                               .nobjects = num_input_programs});
    free(objects);
    end(p, code, pfn_notify, user_data);
    // A failed link still gives a program, for its log; refused options do not.
    if (code == CL_INVALID_LINKER_OPTIONS || code == CL_LINKER_NOT_AVAILABLE) {
        api_program_put(p);
        p = NULL;
    }
    API_RETURN(code, p);
}

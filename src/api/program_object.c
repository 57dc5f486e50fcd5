// SPDX-License-Identifier: MIT
// Program objects: creation, queries, destruction. Building is in build.c.
#include "api/checked_form.h"
#include "api/access_set.h"
#include "api/program.h"

#include "api/platform.h"
#include "base/mem.h"
#include "debug/debug.h"

cl_program api_program_new(cl_context ctx, cl_uint ndevices, const cl_device_id *devices)
{
    cl_program p = api_new(API_PROGRAM, sizeof *p);
    if (!p) return NULL;
    pthread_mutex_init(&p->building, NULL);
    pthread_mutex_init(&p->lock, NULL);
    api_ref(ctx);
    p->ctx = ctx;
    api_devices_take(&p->devices, devices ? ndevices : ctx->devices.n,
                     devices ? devices : ctx->devices.list);
    p->status = CL_BUILD_NONE;
    rep_count(&rep_totals(dev_report())->programs, 1);
    return p;
}

cl_program api_clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                         const size_t *lengths, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (count == 0 || !strings)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "there are no strings"), NULL);
    for (cl_uint i = 0; i < count; i++)
        if (!strings[i])
            API_RETURN(api_fail(context, CL_INVALID_VALUE, "string %u is NULL", i), NULL);
    cl_program p = api_program_new(context, 0, NULL);
    if (!p) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    struct str all = {0};
    str_put(&all, "");
    for (cl_uint i = 0; i < count; i++)
        str_put_n(&all, strings[i], lengths && lengths[i] ? lengths[i] : strlen(strings[i]));
    // Some apps count the ending NUL, or read a file into too large a buffer.
    p->source_len = all.len;
    while (p->source_len && !all.data[p->source_len - 1]) p->source_len--;
    p->source = str_take(&all);
    API_RETURN(CL_SUCCESS, p);
}

static cl_int take_binary(cl_program p, bool keep, cl_uint number, size_t length,
                          const unsigned char *binary)
{
    if (!length || !binary)
        return api_fail(p->ctx, CL_INVALID_VALUE, "binary %u is NULL or empty", number);
    cl_program into = keep ? p : api_program_new(p->ctx, 0, NULL);
    if (!into) return CL_OUT_OF_HOST_MEMORY;
    char *why = NULL;
    const bool ok = api_binary_read(into, binary, length, &why);
    if (!ok)
        api_fail(p->ctx, CL_INVALID_BINARY, "binary %u of %zu bytes is refused: %s", number, length,
                 why);
    free(why);
    if (!keep) api_program_put(into);
    return ok ? CL_SUCCESS : CL_INVALID_BINARY;
}

cl_program api_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                         const cl_device_id *device_list, const size_t *lengths,
                                         const unsigned char **binaries, cl_int *binary_status,
                                         cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (num_devices == 0 || !device_list)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "no devices are given"), NULL);
    cl_int bad = api_check_devices(context, &context->devices, num_devices, device_list);
    if (bad) API_RETURN(bad, NULL);
    cl_program p = api_program_new(context, num_devices, device_list);
    if (!p) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    if (!lengths || !binaries)
        bad = api_fail(context, CL_INVALID_VALUE, "lengths or binaries is NULL");
    else if (p->devices.n < num_devices)
        bad = api_fail(context, CL_INVALID_VALUE, "a device is listed twice");
    // Code is the same for all devices: the first binary is used, and the others must be valid.
    for (cl_uint i = 0; i < num_devices && lengths && binaries; i++) {
        const cl_int one = take_binary(p, i == 0, i, lengths[i], binaries[i]);
        if (binary_status) binary_status[i] = one;
        if (!bad) bad = one;
    }
    if (bad) {
        api_program_put(p);
        p = NULL;
    }
    API_RETURN(bad, p);
}

cl_program api_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                 const cl_device_id *device_list,
                                                 const char *kernel_names, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (num_devices == 0 || !device_list)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "no devices are given"), NULL);
    cl_int bad = api_check_devices(context, &context->devices, num_devices, device_list);
    if (bad) API_RETURN(bad, NULL);
    API_RETURN(api_fail(context, CL_INVALID_VALUE, "the device has no built-in kernels"), NULL);
}

void api_program_put(cl_program p)
{
    if (!api_unref(p)) return;
    api_access_log_close(p->access_log);
    api_release_module(p->module, p->loaded);
    api_checked_form_free(p->checked_form);
    free((void *)p->native.data);
    free((void *)p->object.data);
    free((void *)p->il.data);
    vec_free(&p->constants);
    free(p->source);
    free(p->options);
    free(p->log);
    api_captured_program_deinit(&p->captured);
    pthread_mutex_destroy(&p->building);
    pthread_mutex_destroy(&p->lock);
    api_devices_drop(&p->devices);
    cl_context ctx = p->ctx;
    api_delete(p);
    api_context_put(ctx);
}

cl_int api_clRetainProgram(cl_program program)
{
    API_ENTER();
    if (!api_is(program, API_PROGRAM)) return api_bad_handle(NULL, program, API_PROGRAM);
    api_user_retain(program);
    return CL_SUCCESS;
}

cl_int api_clReleaseProgram(cl_program program)
{
    API_ENTER();
    if (!api_is(program, API_PROGRAM)) return api_bad_handle(NULL, program, API_PROGRAM);
    if (!api_user_release(program))
        return api_fail(program->ctx, CL_INVALID_PROGRAM,
                        "the program is released more often than retained");
    api_program_put(program);
    return CL_SUCCESS;
}

cl_int api_clSetProgramReleaseCallback(cl_program program,
                                       void(CL_CALLBACK *pfn_notify)(cl_program program,
                                                                     void *user_data),
                                       void *user_data)
{
    API_ENTER();
    if (!api_is(program, API_PROGRAM)) return api_bad_handle(NULL, program, API_PROGRAM);
    return api_fail(program->ctx, CL_INVALID_OPERATION,
                    "the device has no program-scope destructors");
}

static cl_int reply_of_executable(cl_program p, cl_program_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    struct str names = {0};
    size_t n = 0;
    pthread_mutex_lock(&p->lock);
    const bool is_built = p->status == CL_BUILD_SUCCESS && p->module;
    for (uint32_t i = 0; is_built && i < p->module->nkernels; i++)
        if (!p->module->kernels[i].is_block)
            str_printf(&names, "%s%s", n++ ? ";" : "",
                       bc_str(p->module, p->module->kernels[i].name));
    pthread_mutex_unlock(&p->lock);
    const cl_int r =
        !is_built ? api_fail(p->ctx, CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built")
        : param_name == CL_PROGRAM_NUM_KERNELS  ? REPLY(size_t, n)
        : param_name == CL_PROGRAM_KERNEL_NAMES ? REPLY_STR(str_text(&names))
                                                : REPLY(cl_bool, CL_FALSE);
    str_deinit(&names);
    return r;
}

/** Answers with the options or the log, which a build may replace. */
static cl_int reply_text(cl_program p, char *const *text, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret)
{
    pthread_mutex_lock(&p->lock);
    char *copy = mem_strdup(*text ? *text : "");
    pthread_mutex_unlock(&p->lock);
    const cl_int r = REPLY_STR(copy);
    free(copy);
    return r;
}

// The answer is a list of pointers into which the binaries are written.
static cl_int reply_binaries(cl_program p, size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
    if (param_value && param_value_size < p->devices.n * sizeof(void *))
        return api_fail(p->ctx, CL_INVALID_VALUE, "param_value_size is %zu", param_value_size);
    if (param_value_size_ret) *param_value_size_ret = p->devices.n * sizeof(void *);
    unsigned char **to = param_value;
    struct str b = {0};
    if (to && api_binary_write(p, &b)) api_binary_remember(&b);
    for (unsigned i = 0; to && i < p->devices.n; i++)
        if (to[i] && b.len) memcpy(to[i], b.data, b.len);
    str_deinit(&b);
    return CL_SUCCESS;
}

cl_int api_clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    cl_program p = program;
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(p));
    case CL_PROGRAM_CONTEXT: return REPLY(cl_context, p->ctx);
    case CL_PROGRAM_NUM_DEVICES: return REPLY(cl_uint, p->devices.n);
    case CL_PROGRAM_DEVICES:
        return REPLY_BYTES(p->devices.list, p->devices.n * sizeof *p->devices.list);
    case CL_PROGRAM_SOURCE: return REPLY_STR(p->source ? p->source : "");
    case CL_PROGRAM_IL: return REPLY_BYTES(p->il.data, p->il.size);
    case CL_PROGRAM_BINARY_SIZES: {
        struct str b = {0};
        api_binary_write(p, &b);
        size_t *sizes = mem_array(NULL, p->devices.n, sizeof *sizes);
        for (unsigned i = 0; i < p->devices.n; i++) sizes[i] = b.len;
        const cl_int r = REPLY_BYTES(sizes, p->devices.n * sizeof *sizes);
        free(sizes);
        str_deinit(&b);
        return r;
    }
    case CL_PROGRAM_BINARIES:
        return reply_binaries(p, param_value_size, param_value, param_value_size_ret);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return reply_of_executable(p, param_name, param_value_size, param_value,
                                   param_value_size_ret);
    }
    return api_fail(p->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of programs",
                    param_name);
}

cl_int api_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                 cl_program_build_info param_name, size_t param_value_size,
                                 void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    cl_program p = program;
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    cl_int bad = api_check_devices(p->ctx, &p->devices, 1, &device);
    if (bad) return bad;
    switch (param_name) {
    case CL_PROGRAM_BUILD_STATUS: return REPLY(cl_build_status, p->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return reply_text(p, &p->options, param_value_size, param_value, param_value_size_ret);
    case CL_PROGRAM_BUILD_LOG:
        return reply_text(p, &p->log, param_value_size, param_value, param_value_size_ret);
    case CL_PROGRAM_BINARY_TYPE: {
        pthread_mutex_lock(&p->lock);
        const cl_program_binary_type type = p->type;
        pthread_mutex_unlock(&p->lock);
        return REPLY(cl_program_binary_type, type);
    }
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: {
        size_t n = 0;
        pthread_mutex_lock(&p->lock);
        for (uint32_t i = 0; p->module && i < p->module->nobjects; i++)
            if (p->module->objects[i].kind == BC_OBJ_PROGRAM) n += p->module->objects[i].size;
        pthread_mutex_unlock(&p->lock);
        return REPLY(size_t, n);
    }
    }
    return api_fail(p->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of builds",
                    param_name);
}

// SPDX-License-Identifier: MIT
// Kernel objects: creation, arguments, queries.
#include "api/program.h"

#include "api/device_queue.h"
#include "api/limits.h"
#include "api/platform.h"
#include "api/svm.h"
#include "base/mem.h"

static cl_kernel kernel_new(cl_program p, const struct bc_kernel *k)
{
    cl_kernel kernel = api_new(API_KERNEL, sizeof *kernel);
    if (!kernel) return NULL;
    api_ref(p);
    p->kernels++;
    kernel->program = p;
    kernel->k = k;
    kernel->decl = p->module->args + k->first_arg;
    kernel->args = mem_alloc((k->nargs + 1) * sizeof *kernel->args);
    return kernel;
}

static void arg_clear(struct api_arg *a)
{
    if (a->mem) api_mem_put_argument(a->mem);
    if (a->sampler) api_sampler_put(a->sampler);
    free(a->value);
    *a = (struct api_arg){0};
}

void api_kernel_put(cl_kernel kernel)
{
    if (!api_unref(kernel)) return;
    cl_program p = kernel->program;
    for (uint32_t i = 0; i < kernel->k->nargs; i++) arg_clear(&kernel->args[i]);
    free(kernel->args);
    api_delete(kernel);
    p->kernels--;
    api_program_put(p);
}

/** On success p->lock is held, so that the program cannot be rebuilt before its kernels exist. */
static cl_int take_executable(cl_program p)
{
    if (!api_is(p, API_PROGRAM)) return api_bad_handle(NULL, p, API_PROGRAM);
    pthread_mutex_lock(&p->lock);
    const cl_int status = p->status;
    if (status == CL_BUILD_SUCCESS && p->loaded) return CL_SUCCESS;
    pthread_mutex_unlock(&p->lock);
    return api_fail(p->ctx, CL_INVALID_PROGRAM_EXECUTABLE, "the program has no executable: %s",
                    status == CL_BUILD_ERROR         ? "its build failed"
                    : status == CL_BUILD_SUCCESS     ? "it was compiled, but not linked"
                    : status == CL_BUILD_IN_PROGRESS ? "it is being built"
                                                     : "it was not built");
}

cl_kernel api_clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
    API_ENTER();
    cl_int bad = take_executable(program);
    if (bad) API_RETURN(bad, NULL);
    const struct bc_module *m = program->module;
    uint32_t i = 0;
    while (kernel_name && i < m->nkernels &&
           (m->kernels[i].is_block || strcmp(bc_str(m, m->kernels[i].name), kernel_name)))
        i++;
    const bool found = kernel_name && i < m->nkernels;
    cl_kernel k = found ? kernel_new(program, &m->kernels[i]) : NULL;
    pthread_mutex_unlock(&program->lock);
    if (!kernel_name)
        API_RETURN(api_fail(program->ctx, CL_INVALID_VALUE, "kernel_name is NULL"), NULL);
    if (!found)
        API_RETURN(api_fail(program->ctx, CL_INVALID_KERNEL_NAME, "the program has no kernel '%s'",
                            kernel_name),
                   NULL);
    API_RETURN(k ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, k);
}

cl_int api_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                    cl_uint *num_kernels_ret)
{
    API_ENTER();
    cl_int bad = take_executable(program);
    if (bad) return bad;
    const struct bc_module *m = program->module;
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->nkernels; i++) n += !m->kernels[i].is_block;
    const bool fits = !kernels || num_kernels >= n;
    uint32_t made = 0;
    for (uint32_t i = 0; kernels && fits && i < m->nkernels; i++) {
        if (m->kernels[i].is_block) continue;
        if (!(kernels[made] = kernel_new(program, &m->kernels[i]))) break;
        made++;
    }
    pthread_mutex_unlock(&program->lock);
    if (!fits)
        return api_fail(program->ctx, CL_INVALID_VALUE, "num_kernels is %u, but the program has %u",
                        num_kernels, n);
    if (kernels && made < n) {
        while (made--) api_kernel_put(kernels[made]);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (num_kernels_ret) *num_kernels_ret = n;
    return CL_SUCCESS;
}

cl_kernel api_kernel_clone(cl_kernel from)
{
    cl_kernel k = kernel_new(from->program, from->k);
    for (uint32_t i = 0; k && i < k->k->nargs; i++) {
        k->args[i] = from->args[i];
        if (k->args[i].mem) api_mem_ref_argument(k->args[i].mem);
        if (k->args[i].sampler) api_ref(k->args[i].sampler);
        if (k->args[i].value) k->args[i].value = mem_dup(k->args[i].value, k->decl[i].size);
    }
    return k;
}

cl_kernel api_clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(source_kernel, API_KERNEL))
        API_RETURN(api_bad_handle(NULL, source_kernel, API_KERNEL), NULL);
    cl_kernel k = api_kernel_clone(source_kernel);
    API_RETURN(k ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, k);
}

cl_int api_clRetainKernel(cl_kernel kernel)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    api_user_retain(kernel);
    return CL_SUCCESS;
}

cl_int api_clReleaseKernel(cl_kernel kernel)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    if (!api_user_release(kernel))
        return api_fail(kernel->program->ctx, CL_INVALID_KERNEL,
                        "the kernel is released more often than retained");
    api_kernel_put(kernel);
    return CL_SUCCESS;
}

// ---- arguments

/**
 * Describes an argument: "argument 2 ('float *out') of kernel 'sum'". Valid until the next call in
 * the thread.
 */
static const char *arg_words(const struct _cl_kernel *k, cl_uint i)
{
    static __thread char text[256];
    const struct bc_module *m = k->program->module;
    snprintf(text, sizeof text, "argument %u ('%s %s') of kernel '%s'", i,
             bc_str(m, k->decl[i].type), bc_str(m, k->decl[i].name), bc_str(m, k->k->name));
    return text;
}

static cl_int set_buffer(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_context ctx = k->program->ctx;
    if (size != sizeof(cl_mem))
        return api_fail(ctx, CL_INVALID_ARG_SIZE, "%s takes a cl_mem; arg_size is %zu, not %zu",
                        arg_words(k, i), size, sizeof(cl_mem));
    cl_mem m = value ? *(const cl_mem *)value : NULL;
    if (m && !api_is(m, API_MEM)) {
        api_bad_handle(NULL, m, API_MEM);
        return api_fail(ctx, CL_INVALID_MEM_OBJECT, "%s is given %p, which is not a memory object",
                        arg_words(k, i), (void *)m);
    }
    const bool pipe = k->decl[i].is_pipe;
    if (m ? api_is_image(m) || api_is_pipe(m) != pipe : pipe)
        return api_fail(ctx, CL_INVALID_MEM_OBJECT, "%s is given %s, not a %s", arg_words(k, i),
                        !m                ? "NULL"
                        : api_is_image(m) ? "an image"
                        : api_is_pipe(m)  ? "a pipe"
                                          : "a buffer",
                        pipe ? "pipe" : "buffer");
    if (m && m->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT, "%s is given a memory object of another context",
                        arg_words(k, i));
    if (m) api_mem_ref_argument(m);
    arg_clear(&k->args[i]);
    k->args[i].mem = m;
    return CL_SUCCESS;
}

/** The type of image that the kernel declares; 0: the program uses its own type name. */
static cl_mem_object_type declared_image(const struct _cl_kernel *k, cl_uint i)
{
    static const struct {
        const char *name;
        cl_mem_object_type type;
    } types[] = {
        {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
        {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
        {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
        {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
        {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
        {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
        {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D},
        {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    };
    const char *name = bc_str(k->program->module, k->decl[i].type);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (!strcmp(name, types[t].name)) return types[t].type;
    return 0;
}

static cl_int set_image(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_context ctx = k->program->ctx;
    if (size != sizeof(cl_mem))
        return api_fail(ctx, CL_INVALID_ARG_SIZE, "%s takes a cl_mem; arg_size is %zu, not %zu",
                        arg_words(k, i), size, sizeof(cl_mem));
    cl_mem m = value ? *(const cl_mem *)value : NULL;
    if (!api_is(m, API_MEM) || !api_is_image(m))
        return api_fail(ctx, CL_INVALID_MEM_OBJECT, "%s is given %s", arg_words(k, i),
                        !m                   ? "NULL"
                        : api_is(m, API_MEM) ? "a buffer, not an image"
                                             : "something that is not a memory object");
    if (m->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT, "%s is given an image of another context",
                        arg_words(k, i));
    const cl_mem_object_type type = declared_image(k, i);
    if (type && type != m->type)
        return api_fail(ctx, CL_INVALID_MEM_OBJECT, "%s is given an image of another type",
                        arg_words(k, i));
    if (k->decl[i].may_read && m->flags & CL_MEM_WRITE_ONLY)
        return api_fail(ctx, CL_INVALID_ARG_VALUE,
                        "%s is read, but the image was created with CL_MEM_WRITE_ONLY",
                        arg_words(k, i));
    if (k->decl[i].may_write && m->flags & CL_MEM_READ_ONLY)
        return api_fail(ctx, CL_INVALID_ARG_VALUE,
                        "%s is written, but the image was created with CL_MEM_READ_ONLY",
                        arg_words(k, i));
    api_mem_ref_argument(m);
    arg_clear(&k->args[i]);
    k->args[i].mem = m;
    return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_context ctx = k->program->ctx;
    if (size != sizeof(cl_sampler))
        return api_fail(ctx, CL_INVALID_ARG_SIZE, "%s takes a cl_sampler; arg_size is %zu, not %zu",
                        arg_words(k, i), size, sizeof(cl_sampler));
    cl_sampler s = value ? *(const cl_sampler *)value : NULL;
    if (!api_is(s, API_SAMPLER))
        return api_fail(ctx, CL_INVALID_SAMPLER, "%s is given %p, which is not a sampler",
                        arg_words(k, i), (void *)s);
    if (s->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT, "%s is given a sampler of another context",
                        arg_words(k, i));
    const uint64_t bits = api_sampler_bits(s);
    api_ref(s);
    arg_clear(&k->args[i]);
    k->args[i].sampler = s;
    k->args[i].value = mem_dup(&bits, sizeof bits);
    return CL_SUCCESS;
}

static cl_int set_local(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_context ctx = k->program->ctx;
    if (value)
        return api_fail(ctx, CL_INVALID_ARG_VALUE, "%s is local memory: arg_value must be NULL",
                        arg_words(k, i));
    if (size == 0)
        return api_fail(ctx, CL_INVALID_ARG_SIZE, "%s is local memory: arg_size is 0",
                        arg_words(k, i));
    arg_clear(&k->args[i]);
    k->args[i].local_size = size;
    return CL_SUCCESS;
}

static cl_int set_value(cl_kernel k, cl_uint i, size_t size, const void *value)
{
    cl_context ctx = k->program->ctx;
    if (!value)
        return api_fail(ctx, CL_INVALID_ARG_VALUE, "%s needs a value; arg_value is NULL",
                        arg_words(k, i));
    if (size != k->decl[i].size)
        return api_fail(ctx, CL_INVALID_ARG_SIZE, "%s has %u bytes; arg_size is %zu",
                        arg_words(k, i), k->decl[i].size, size);
    if (!strcmp(bc_str(k->program->module, k->decl[i].type), "queue_t") &&
        !api_is_device_queue(*(void *const *)value))
        return api_fail(ctx, CL_INVALID_DEVICE_QUEUE,
                        "%s is given %p, which is not an on-device "
                        "queue",
                        arg_words(k, i), *(void *const *)value);
    struct api_arg *a = &k->args[i];
    if (!a->value) a->value = mem_alloc(size);
    memcpy(a->value, value, size);
    return CL_SUCCESS;
}

cl_int api_clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                          const void *arg_value)
{
    API_ENTER();
    return api_kernel_set_arg(kernel, arg_index, arg_size, arg_value);
}

cl_int api_kernel_set_arg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                          const void *arg_value)
{
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    if (arg_index >= kernel->k->nargs)
        return api_fail(kernel->program->ctx, CL_INVALID_ARG_INDEX,
                        "arg_index is %u; kernel '%s' has %u arguments", arg_index,
                        bc_str(kernel->program->module, kernel->k->name), kernel->k->nargs);
    cl_int bad = CL_SUCCESS;
    switch (kernel->decl[arg_index].kind) {
    case BC_ARG_BUFFER: bad = set_buffer(kernel, arg_index, arg_size, arg_value); break;
    case BC_ARG_LOCAL: bad = set_local(kernel, arg_index, arg_size, arg_value); break;
    case BC_ARG_VALUE:
    case BC_ARG_STRUCT: bad = set_value(kernel, arg_index, arg_size, arg_value); break;
    case BC_ARG_IMAGE: bad = set_image(kernel, arg_index, arg_size, arg_value); break;
    case BC_ARG_SAMPLER: bad = set_sampler(kernel, arg_index, arg_size, arg_value); break;
    }
    if (bad) return bad;
    kernel->args[arg_index].is_set = true;
    kernel->args[arg_index].site = api_call_site();
    return CL_SUCCESS;
}

cl_int api_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    API_ENTER();
    return api_kernel_set_pointer(kernel, arg_index, arg_value);
}

cl_int api_kernel_set_pointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    cl_context ctx = kernel->program->ctx;
    if (arg_index >= kernel->k->nargs)
        return api_fail(ctx, CL_INVALID_ARG_INDEX, "arg_index is %u; kernel '%s' has %u arguments",
                        arg_index, bc_str(kernel->program->module, kernel->k->name),
                        kernel->k->nargs);
    if (kernel->decl[arg_index].kind != BC_ARG_BUFFER || kernel->decl[arg_index].is_pipe)
        return api_fail(ctx, CL_INVALID_ARG_VALUE,
                        "%s is not a pointer to global or constant memory",
                        arg_words(kernel, arg_index));
    cl_mem m = arg_value ? api_svm_get(ctx, arg_value) : NULL;
    if (arg_value && !m)
        return api_fail(
            ctx, CL_INVALID_ARG_VALUE,
            "%s is given %p, which is in no allocation of shared virtual memory or USM in "
            "this context",
            arg_words(kernel, arg_index), arg_value);
    struct api_arg *a = &kernel->args[arg_index];
    arg_clear(a);
    if (m) {
        api_mem_ref_argument(m);
        api_mem_put(m);
    }
    a->mem = m;
    a->svm = arg_value;
    a->is_set = true;
    a->site = api_call_site();
    return CL_SUCCESS;
}

// ---- queries

cl_int api_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    const struct bc_module *m = kernel->program->module;
    switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME: return REPLY_STR(bc_str(m, kernel->k->name));
    case CL_KERNEL_NUM_ARGS: return REPLY(cl_uint, kernel->k->nargs);
    case CL_KERNEL_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(kernel));
    case CL_KERNEL_CONTEXT: return REPLY(cl_context, kernel->program->ctx);
    case CL_KERNEL_PROGRAM: return REPLY(cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: return REPLY_STR(bc_str(m, kernel->k->attributes));
    }
    return api_fail(kernel->program->ctx, CL_INVALID_VALUE,
                    "param_name 0x%x is not a query of kernels", param_name);
}

static cl_kernel_arg_address_qualifier address_qualifier(const struct bc_arg *a)
{
    switch (a->space) {
    case BC_GLOBAL: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case BC_CONSTANT: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case BC_LOCAL: return CL_KERNEL_ARG_ADDRESS_LOCAL;
    }
    return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_int api_clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    cl_context ctx = kernel->program->ctx;
    if (arg_indx >= kernel->k->nargs)
        return api_fail(ctx, CL_INVALID_ARG_INDEX, "arg_indx is %u; the kernel has %u arguments",
                        arg_indx, kernel->k->nargs);
    if (!kernel->program->arg_info)
        return api_fail(ctx, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                        "the program was built without the option -cl-kernel-arg-info");
    static const cl_kernel_arg_access_qualifier access[] = {
        CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_KERNEL_ARG_ACCESS_READ_WRITE};
    const struct bc_arg *a = &kernel->decl[arg_indx];
    const struct bc_module *m = kernel->program->module;
    switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return REPLY(cl_kernel_arg_address_qualifier, address_qualifier(a));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return REPLY(cl_kernel_arg_access_qualifier, access[a->access & 3]);
    case CL_KERNEL_ARG_TYPE_NAME: return REPLY_STR(bc_str(m, a->type));
    case CL_KERNEL_ARG_NAME: return REPLY_STR(bc_str(m, a->name));
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return REPLY(cl_kernel_arg_type_qualifier,
                     (a->is_const ? CL_KERNEL_ARG_TYPE_CONST : 0) |
                         (a->is_restrict ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
                         (a->is_volatile ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
                         (a->is_pipe ? CL_KERNEL_ARG_TYPE_PIPE : 0));
    }
    return api_fail(ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of arguments",
                    param_name);
}

uint64_t api_kernel_local_size(const struct _cl_kernel *k)
{
    uint64_t n = k->k->local_size;
    for (uint32_t i = 0; i < k->k->nargs; i++)
        if (__builtin_add_overflow(n, k->args[i].local_size, &n)) return UINT64_MAX;
    return n;
}

cl_int api_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                    cl_kernel_work_group_info param_name, size_t param_value_size,
                                    void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    cl_context ctx = kernel->program->ctx;
    cl_int bad = api_check_device(ctx, &kernel->program->devices, device);
    if (bad) return bad;
    const uint32_t *reqd = kernel->k->reqd_wg_size;
    switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE: return REPLY(size_t, dev_settings()->max_wg_size);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        size_t n[3] = {reqd[0], reqd[1], reqd[2]};
        return REPLY_BYTES(n, sizeof n);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE: return REPLY(cl_ulong, api_kernel_local_size(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return REPLY(size_t, API_GROUP_MULTIPLE);
    case CL_KERNEL_PRIVATE_MEM_SIZE: return REPLY(cl_ulong, kernel->k->private_size);
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL: return REPLY(cl_ulong, 0);
    case CL_KERNEL_GLOBAL_WORK_SIZE:
        return api_fail(ctx, CL_INVALID_VALUE,
                        "CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels");
    }
    return api_fail(ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of work-groups",
                    param_name);
}

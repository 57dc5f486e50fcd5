// SPDX-License-Identifier: MIT
// Entry points of unsupported optional features, generated from the STUB_ rows of entry.def.
#include "api/object.h"

static cl_context context_of(enum api_type type, const void *handle);

// CL_SUCCESS if the handle is live; the caller then returns the feature's error code.
static cl_int check(enum api_type type, const void *handle)
{
    if (type == API_TYPE_COUNT || type == API_SAMPLER) return CL_SUCCESS;
    return api_is(handle, type) ? CL_SUCCESS : api_bad_handle(NULL, handle, type);
}

static cl_int refuse(enum api_type type, const void *handle, cl_int code, const char *why)
{
    cl_int bad = check(type, handle);
    return bad ? bad : api_fail(context_of(type, handle), code, "%s", why);
}

static cl_context context_of(enum api_type type, const void *handle)
{
    return type == API_CONTEXT ? (cl_context)handle : NULL;
}

#define TYPE_OF(h)                                                                                 \
    _Generic((h),                                                                                  \
        cl_context: API_CONTEXT,                                                                   \
        cl_command_queue: API_QUEUE,                                                               \
        cl_device_id: API_DEVICE,                                                                  \
        cl_mem: API_MEM,                                                                           \
        cl_kernel: API_KERNEL,                                                                     \
        cl_program: API_PROGRAM,                                                                   \
        cl_event: API_EVENT,                                                                       \
        cl_sampler: API_SAMPLER,                                                                   \
        default: API_TYPE_COUNT)

#define ENTRY(ret, name, params, args)
#define STUB_INT(ret, name, params, args, handle, code, why)                                       \
    ret api_##name params                                                                          \
    {                                                                                              \
        API_ENTER();                                                                               \
        return refuse(TYPE_OF(handle), handle, code, why);                                         \
    }
#define STUB_OBJ(ret, name, params, args, handle, code, why)                                       \
    ret api_##name params                                                                          \
    {                                                                                              \
        API_ENTER();                                                                               \
        API_RETURN(refuse(TYPE_OF(handle), handle, code, why), NULL);                              \
    }
#include "api/entry.def"

// SPDX-License-Identifier: MIT
// Unified shared memory (extension cl_intel_unified_shared_memory 1.0). All memory is host memory,
// so host, device and shared allocations are fine-grained shared virtual memory (svm.c): kernels
// may follow pointers into all of them, and what is found in them is found as there.
#include "api/usm.h"

#include "api/cmdgraph.h"
#include "api/program.h"
#include "api/svm.h"
#include "devices/dev.h"

#include <string.h>

/** The flags in a list of properties. */
static cl_int read_properties(cl_context ctx, const cl_mem_properties_intel *list,
                              cl_mem_alloc_flags_intel *flags)
{
    const cl_mem_alloc_flags_intel known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    const cl_mem_alloc_flags_intel both = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                          CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    *flags = 0;
    for (; list && *list; list += 2) {
        if (*list != CL_MEM_ALLOC_FLAGS_INTEL)
            return api_fail(ctx, CL_INVALID_PROPERTY, "property 0x%llx is not known",
                            (unsigned long long)*list);
        *flags = list[1];
        if (*flags & ~known)
            return api_fail(ctx, CL_INVALID_VALUE, "flags 0x%llx hold unknown bits",
                            (unsigned long long)*flags);
        if ((*flags & both) == both)
            return api_fail(ctx, CL_INVALID_PROPERTY,
                            "the initial placement cannot be both host and device");
    }
    return CL_SUCCESS;
}

struct wanted {
    cl_unified_shared_memory_type_intel type;
    cl_device_id device;
    const cl_mem_properties_intel *properties;
    size_t size;
    cl_uint alignment;
};

static cl_int allocate(cl_context ctx, const struct wanted *w, void **out)
{
    const cl_unified_shared_memory_type_intel type = w->type;
    const cl_device_id device = w->device;
    const size_t size = w->size;
    const cl_uint alignment = w->alignment;
    if (!api_is(ctx, API_CONTEXT)) return api_bad_handle(NULL, ctx, API_CONTEXT);
    const bool needs_device = type == CL_MEM_TYPE_DEVICE_INTEL;
    if (type != CL_MEM_TYPE_HOST_INTEL && (device || needs_device) && !api_is(device, API_DEVICE))
        return api_bad_handle(ctx, device, API_DEVICE);
    cl_mem_alloc_flags_intel flags;
    const cl_int bad = read_properties(ctx, w->properties, &flags);
    if (bad) return bad;
    if (!size || size > dev_settings()->max_alloc_size)
        return api_fail(
            ctx, CL_INVALID_BUFFER_SIZE,
            "the size is %zu; from 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu, are allowed", size,
            (unsigned long long)dev_settings()->max_alloc_size);
    if (alignment & (alignment - 1) || alignment > 128)
        return api_fail(
            ctx, CL_INVALID_VALUE,
            "the alignment %u is not a power of two, or is more than 128, the alignment "
            "of long16",
            alignment);
    cl_mem m = api_svm_new(ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size);
    if (!m) return api_fail(ctx, CL_OUT_OF_RESOURCES, "no memory for %zu bytes", size);
    m->usm = type;
    if (type == CL_MEM_TYPE_DEVICE_INTEL) api_mem_follow(m); // the host cannot write it
    m->usm_flags = flags;
    m->usm_device = type == CL_MEM_TYPE_HOST_INTEL ? NULL : device;
    *out = m->data;
    return CL_SUCCESS;
}

static void *result(cl_int code, void *p, cl_int *errcode_ret)
{
    if (errcode_ret) *errcode_ret = code;
    return code ? NULL : p;
}

void *api_clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                              size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    API_ENTER();
    void *p = NULL;
    const struct wanted w = {CL_MEM_TYPE_HOST_INTEL, NULL, properties, size, alignment};
    const cl_int code = allocate(context, &w, &p);
    return result(code, p, errcode_ret);
}

void *api_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                const cl_mem_properties_intel *properties, size_t size,
                                cl_uint alignment, cl_int *errcode_ret)
{
    API_ENTER();
    void *p = NULL;
    const struct wanted w = {CL_MEM_TYPE_DEVICE_INTEL, device, properties, size, alignment};
    const cl_int code = allocate(context, &w, &p);
    return result(code, p, errcode_ret);
}

void *api_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                const cl_mem_properties_intel *properties, size_t size,
                                cl_uint alignment, cl_int *errcode_ret)
{
    API_ENTER();
    void *p = NULL;
    const struct wanted w = {CL_MEM_TYPE_SHARED_INTEL, device, properties, size, alignment};
    const cl_int code = allocate(context, &w, &p);
    return result(code, p, errcode_ret);
}

static cl_int release(cl_context ctx, void *p, const void *site, const char *call)
{
    if (!api_is(ctx, API_CONTEXT)) return api_bad_handle(NULL, ctx, API_CONTEXT);
    cl_mem m = p ? api_svm_get(NULL, p) : NULL;
    const char *why = !m              ? NULL
                      : !m->usm       ? "%p is memory of clSVMAlloc"
                      : m->ctx != ctx ? "%p is memory of another context"
                                      : NULL;
    if (m) api_mem_put(m);
    if (why) return api_fail(ctx, CL_INVALID_VALUE, why, p);
    return api_svm_free(ctx, p, site, call, 0);
}

cl_int api_clMemFreeINTEL(cl_context context, void *ptr)
{
    API_ENTER();
    return release(context, ptr, api_call_site(), "clMemFreeINTEL");
}

cl_int api_clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    API_ENTER();
    api_settle(); // (commands that use the memory may be in any queue)
    return release(context, ptr, api_call_site(), "clMemBlockingFreeINTEL");
}

cl_int api_clGetMemAllocInfoINTEL(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    cl_mem m = ptr ? api_svm_get(context, ptr) : NULL;
    const bool is_usm = m && m->usm;
    const struct _cl_mem none = {.usm = CL_MEM_TYPE_UNKNOWN_INTEL};
    const struct _cl_mem *x = is_usm ? m : &none;
    cl_int code;
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL: code = REPLY_BYTES(&x->usm, sizeof x->usm); break;
    case CL_MEM_ALLOC_BASE_PTR_INTEL: code = REPLY_BYTES(&x->data, sizeof x->data); break;
    case CL_MEM_ALLOC_SIZE_INTEL: code = REPLY_BYTES(&x->size, sizeof x->size); break;
    case CL_MEM_ALLOC_DEVICE_INTEL: code = REPLY_BYTES(&x->usm_device, sizeof x->usm_device); break;
    case CL_MEM_ALLOC_FLAGS_INTEL: code = REPLY_BYTES(&x->usm_flags, sizeof x->usm_flags); break;
    default:
        code = api_fail(context, CL_INVALID_VALUE, "param_name 0x%x is not a query of allocations",
                        param_name);
    }
    if (m) api_mem_put(m);
    return code;
}

cl_int api_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    API_ENTER();
    return api_kernel_set_pointer(kernel, arg_index, arg_value);
}

cl_int api_clEnqueueMemsetINTEL(cl_command_queue command_queue, void *dst_ptr, cl_int value,
                                size_t size, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    const uint8_t byte = (uint8_t)value;
    return api_svm_fill(&(struct api_request){command_queue, CL_COMMAND_MEMFILL_INTEL,
                                              API_ORDER_COMMAND, num_events_in_wait_list,
                                              event_wait_list, false, event},
                        dst_ptr, &byte, 1, size);
}

cl_int api_clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr, const void *pattern,
                                 size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return api_svm_fill(&(struct api_request){command_queue, CL_COMMAND_MEMFILL_INTEL,
                                              API_ORDER_COMMAND, num_events_in_wait_list,
                                              event_wait_list, false, event},
                        dst_ptr, pattern, pattern_size, size);
}

cl_int api_clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void *dst_ptr,
                                const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return api_svm_copy(&(struct api_request){command_queue, CL_COMMAND_MEMCPY_INTEL,
                                              API_ORDER_COMMAND, num_events_in_wait_list,
                                              event_wait_list, blocking, event},
                        dst_ptr, src_ptr, size);
}

cl_int api_clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    const bool loses = flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    return api_svm_touch(&(struct api_request){command_queue, CL_COMMAND_MIGRATEMEM_INTEL,
                                               API_ORDER_COMMAND, num_events_in_wait_list,
                                               event_wait_list, false, event},
                         ptr, size, loses);
}

cl_int api_clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                   cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                                   const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return api_svm_touch(&(struct api_request){command_queue, CL_COMMAND_MEMADVISE_INTEL,
                                               API_ORDER_COMMAND, num_events_in_wait_list,
                                               event_wait_list, false, event},
                         ptr, size, false);
}

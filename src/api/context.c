// SPDX-License-Identifier: MIT
#include "api/platform.h"

#include "base/mem.h"
#include "devices/dev.h"

// print: receives the callback for the text of printf.
static cl_int check_properties(const cl_context_properties *p, unsigned *n, void **print)
{
    *n = 0;
    *print = NULL;
    if (!p) return CL_SUCCESS;
    unsigned i = 0;
    for (; p[i]; i += 2) {
        for (unsigned k = 0; k < i; k += 2)
            if (p[k] == p[i])
                return api_fail(NULL, CL_INVALID_PROPERTY, "property 0x%llx is given twice",
                                (long long)p[i]);
        if (p[i] == CL_CONTEXT_PLATFORM) {
            if (!api_is((void *)p[i + 1], API_PLATFORM))
                return api_bad_handle(NULL, (void *)p[i + 1], API_PLATFORM);
        } else if (p[i] == CL_CONTEXT_INTEROP_USER_SYNC && p[i + 1] != CL_TRUE &&
                   p[i + 1] != CL_FALSE) {
            return api_fail(NULL, CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is %lld",
                            (long long)p[i + 1]);
        } else if (p[i] == CL_CONTEXT_MEMORY_INITIALIZE_KHR) {
            return api_fail(NULL, CL_INVALID_PROPERTY,
                            "CL_CONTEXT_MEMORY_INITIALIZE_KHR: cl_khr_initialize_memory is not "
                            "supported, since it would hide reads of memory that nothing wrote");
        } else if (p[i] == CL_PRINTF_CALLBACK_ARM) {
            *print = (void *)p[i + 1];
        } else if (p[i] != CL_CONTEXT_INTEROP_USER_SYNC &&
                   p[i] != CL_PRINTF_BUFFERSIZE_ARM) { // (any length is supported)
            return api_fail(NULL, CL_INVALID_PROPERTY, "context property 0x%llx is not known",
                            (long long)p[i]);
        }
    }
    *n = i + 1;
    return CL_SUCCESS;
}

static cl_context create(const cl_context_properties *properties, cl_uint ndevices,
                         const cl_device_id *devices,
                         void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
                         void *user_data, cl_int *errcode_ret)
{
    unsigned n;
    void *print;
    cl_int bad = check_properties(properties, &n, &print);
    if (bad) API_RETURN(bad, NULL);
    if (!pfn_notify && user_data && !print)
        API_RETURN(api_fail(NULL, CL_INVALID_VALUE, "user_data is given without pfn_notify"), NULL);
    api_watch_leaks();
    cl_context c = api_new(API_CONTEXT, sizeof *c);
    if (!c) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    pthread_mutex_init(&c->lock, NULL);
    api_devices_take(&c->devices, ndevices, devices);
    c->properties = n ? mem_dup(properties, n * sizeof *properties) : NULL;
    c->nproperties = n;
    c->notify = pfn_notify;
    c->notify_data = user_data;
    *(void **)&c->print = print;
    __atomic_fetch_add(&rep_totals(dev_report())->contexts, 1, __ATOMIC_RELAXED);
    API_RETURN(CL_SUCCESS, c);
}

cl_context api_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                               const cl_device_id *devices,
                               void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t,
                                                             void *),
                               void *user_data, cl_int *errcode_ret)
{
    API_ENTER();
    if (!devices || num_devices == 0)
        API_RETURN(api_fail(NULL, CL_INVALID_VALUE, "no devices are given"), NULL);
    cl_int bad = api_check_devices(NULL, NULL, num_devices, devices);
    if (bad) API_RETURN(bad, NULL);
    return create(properties, num_devices, devices, pfn_notify, user_data, errcode_ret);
}

cl_context api_clCreateContextFromType(const cl_context_properties *properties,
                                       cl_device_type device_type,
                                       void(CL_CALLBACK *pfn_notify)(const char *, const void *,
                                                                     size_t, void *),
                                       void *user_data, cl_int *errcode_ret)
{
    API_ENTER();
    cl_int bad = api_check_device_type(device_type);
    if (bad) API_RETURN(bad, NULL);
    return create(properties, 1, (cl_device_id[]){&api_device}, pfn_notify, user_data, errcode_ret);
}

void api_context_put(cl_context c)
{
    if (!api_unref(c)) return;
    while (c->callbacks.len) { // last registered first
        struct api_callback cb = vec_pop(&c->callbacks);
        cb.of.context(c, cb.data);
    }
    vec_free(&c->callbacks);
    vec_free(&c->device_queues);
    vm_device_events_destroy(c->device_events);
    pthread_mutex_destroy(&c->lock);
    free(c->properties);
    api_devices_drop(&c->devices);
    api_delete(c);
}

cl_int api_clRetainContext(cl_context context)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    api_user_retain(context);
    return CL_SUCCESS;
}

cl_int api_clReleaseContext(cl_context context)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    if (!api_user_release(context))
        return api_fail(context, CL_INVALID_CONTEXT,
                        "the context is released more often than retained");
    api_context_put(context);
    return CL_SUCCESS;
}

cl_int api_clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(context));
    case CL_CONTEXT_NUM_DEVICES: return REPLY(cl_uint, context->devices.n);
    case CL_CONTEXT_DEVICES:
        return REPLY_BYTES(context->devices.list,
                           context->devices.n * sizeof *context->devices.list);
    case CL_CONTEXT_PROPERTIES:
        return REPLY_BYTES(context->properties, context->nproperties * sizeof *context->properties);
    }
    return api_fail(context, CL_INVALID_VALUE, "param_name 0x%x is not a query of contexts",
                    param_name);
}

cl_int api_clSetContextDestructorCallback(cl_context context,
                                          void(CL_CALLBACK *pfn_notify)(cl_context context,
                                                                        void *user_data),
                                          void *user_data)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    if (!pfn_notify) return api_fail(context, CL_INVALID_VALUE, "pfn_notify is NULL");
    pthread_mutex_lock(&context->lock);
    vec_push(&context->callbacks, (struct api_callback){.of.context = pfn_notify, user_data});
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

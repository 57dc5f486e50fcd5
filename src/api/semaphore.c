// SPDX-License-Identifier: MIT
// Binary semaphores. A signal and a wait are commands without work; a wait has the event of the
// signal that it consumes in its wait list, so the graph and host-race know the order. A wait that
// is enqueued before its signal has a user event there instead, which the end of the signal sets.
#include "api/semaphore.h"

#include "api/cmdgraph.h"
#include "api/new_names.h"
#include "api/platform.h"

#include "base/mem.h"

struct _cl_semaphore_khr {
    struct api_object obj;
    cl_context ctx;      // referenced
    cl_device_id device; // the only one that may use it; NULL: all of the context
    cl_ulong *properties;
    unsigned nproperties;
    pthread_mutex_t lock; // guards the rest; taken before the graph's
    cl_event signal;      // the last signal that no wait has consumed, referenced; or NULL
    cl_event awaited;     // the user event of a wait without a signal, referenced; or NULL
};

// ---- creation and destruction

static cl_int read_devices(cl_context ctx, const cl_ulong *list, unsigned *n, cl_device_id *device)
{
    *n = 0;
    while (list[*n]) ++*n;
    *device = (cl_device_id)(uintptr_t)list[0];
    if (*n != 1 || !api_is(*device, API_DEVICE) || !api_devices_have(&ctx->devices, *device))
        return api_fail(ctx, CL_INVALID_DEVICE,
                        "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is not one device of the context");
    return CL_SUCCESS;
}

struct wanted {
    bool has_type;
    cl_device_id device;
    unsigned n; // of the properties, with the 0
};

static cl_int read_properties(cl_context ctx, const cl_ulong *p, struct wanted *w)
{
    if (!p || !*p) return api_fail(ctx, CL_INVALID_VALUE, "sema_props has no properties");
    unsigned i = 0;
    while (p[i]) {
        unsigned n = 0;
        const cl_ulong name = p[i++];
        if (name == NEW_SEMAPHORE_TYPE && !w->has_type) {
            w->has_type = true;
            if (p[i] != NEW_SEMAPHORE_TYPE_BINARY)
                return api_fail(ctx, CL_INVALID_PROPERTY, "semaphore type %llu is not supported",
                                (unsigned long long)p[i]);
            i++;
        } else if (name == NEW_SEMAPHORE_DEVICE_HANDLE_LIST && !w->device) {
            const cl_int bad = read_devices(ctx, &p[i], &n, &w->device);
            if (bad) return bad;
            i += n + 1;
        } else {
            const bool known = name == NEW_SEMAPHORE_TYPE ||
                               name == NEW_SEMAPHORE_DEVICE_HANDLE_LIST;
            return api_fail(ctx, CL_INVALID_PROPERTY,
                            known ? "semaphore property 0x%llx is given twice"
                                  : "semaphore property 0x%llx is not known; there are no external "
                                    "semaphores (cl_khr_external_semaphore)",
                            (unsigned long long)name);
        }
    }
    w->n = i + 1;
    if (!w->has_type) return api_fail(ctx, CL_INVALID_VALUE, "CL_SEMAPHORE_TYPE_KHR is not given");
    if (ctx->devices.n > 1 && !w->device)
        return api_fail(ctx, CL_INVALID_PROPERTY,
                        "the context has several devices, and CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR "
                        "is not given");
    return CL_SUCCESS;
}

api_semaphore api_clCreateSemaphoreWithPropertiesKHR(cl_context context, const cl_ulong *sema_props,
                                                     cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    struct wanted w = {0};
    const cl_int bad = read_properties(context, sema_props, &w);
    if (bad) API_RETURN(bad, NULL);
    api_semaphore s = api_new(API_SEMAPHORE, sizeof *s);
    if (!s) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    api_ref(context);
    s->ctx = context;
    s->device = w.device;
    s->nproperties = w.n;
    s->properties = mem_dup(sema_props, w.n * sizeof *sema_props);
    pthread_mutex_init(&s->lock, NULL);
    API_RETURN(CL_SUCCESS, s);
}

static void semaphore_put(api_semaphore s)
{
    if (!api_unref(s)) return;
    if (s->signal) api_event_put(s->signal);
    if (s->awaited) api_event_put(s->awaited);
    pthread_mutex_destroy(&s->lock);
    free(s->properties);
    cl_context ctx = s->ctx;
    api_delete(s);
    api_context_put(ctx);
}

cl_int api_clRetainSemaphoreKHR(api_semaphore sema_object)
{
    API_ENTER();
    if (!api_is(sema_object, API_SEMAPHORE))
        return api_bad_handle(NULL, sema_object, API_SEMAPHORE);
    api_user_retain(sema_object);
    return CL_SUCCESS;
}

cl_int api_clReleaseSemaphoreKHR(api_semaphore sema_object)
{
    API_ENTER();
    if (!api_is(sema_object, API_SEMAPHORE))
        return api_bad_handle(NULL, sema_object, API_SEMAPHORE);
    if (!api_user_release(sema_object))
        return api_fail(sema_object->ctx, CL_INVALID_SEMAPHORE_KHR,
                        "the semaphore is released more often than retained");
    semaphore_put(sema_object);
    return CL_SUCCESS;
}

// ---- commands

static cl_int check(const struct api_request *r, cl_uint n, const api_semaphore *list)
{
    if (!api_is(r->queue, API_QUEUE)) return api_bad_handle(NULL, r->queue, API_QUEUE);
    const cl_context ctx = r->queue->ctx;
    if (!n || !list)
        return api_fail(ctx, CL_INVALID_VALUE, "num_sema_objects is %u, sema_objects %p", n,
                        (const void *)list);
    for (cl_uint i = 0; i < n; i++) {
        if (!api_is(list[i], API_SEMAPHORE)) return api_bad_handle(ctx, list[i], API_SEMAPHORE);
        const cl_device_id only = list[i]->device, of_queue = r->queue->device;
        if (only ? only != of_queue : !api_devices_have(&list[i]->ctx->devices, of_queue))
            return api_fail(ctx, CL_INVALID_COMMAND_QUEUE,
                            "semaphore %u is for other devices than that of the queue", i);
        if (list[i]->ctx != ctx)
            return api_fail(ctx, CL_INVALID_CONTEXT,
                            "semaphore %u belongs to another context than the queue", i);
    }
    const cl_int bad = api_check_enqueue(r->queue, r->n, r->list);
    for (cl_uint i = 0; !bad && i < r->n; i++)
        if (r->list[i]->status < 0)
            return api_fail(ctx, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                            "the command of element %u of the wait list failed with %s", i,
                            api_error_name(r->list[i]->status));
    return bad;
}

/** Takes what a wait must wait for: the event of a signal, or of one to come; referenced. */
static cl_event take_signal(api_semaphore s)
{
    pthread_mutex_lock(&s->lock);
    cl_event e = s->signal;
    s->signal = NULL;
    if (!e && !s->awaited && (s->awaited = api_user_event_create(s->ctx)))
        api_user_release(s->awaited); // the app does not own it
    if (!e && (e = s->awaited)) api_ref(e);
    pthread_mutex_unlock(&s->lock);
    return e;
}

cl_int api_clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                      const api_semaphore *sema_objects,
                                      const cl_ulong *sema_payload_list,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    const cl_uint n = num_events_in_wait_list;
    struct api_request r = {
        command_queue, NEW_COMMAND_SEMAPHORE_WAIT, API_ORDER_COMMAND, n, event_wait_list, false,
        event};
    cl_int bad = check(&r, num_sema_objects, sema_objects);
    if (bad) return bad;
    cl_event *const all = mem_array(NULL, n + num_sema_objects, sizeof *all);
    if (n) memcpy(all, event_wait_list, n * sizeof *all);
    cl_uint taken = 0;
    while (taken < num_sema_objects && (all[n + taken] = take_signal(sema_objects[taken]))) taken++;
    r.n = n + taken;
    r.list = all;
    bad = taken == num_sema_objects
              ? api_enqueue(&r, NULL)
              : api_fail(command_queue->ctx, CL_OUT_OF_HOST_MEMORY, "no memory for another event");
    for (cl_uint i = 0; i < taken; i++) api_event_put(all[n + i]);
    free(all);
    return bad;
}

/** A signal has ended, for which a wait had been enqueued before. */
static void CL_CALLBACK signaled(cl_event e, cl_int status, void *awaited)
{
    api_event_set_status(awaited, status);
    api_event_put(awaited);
}

/** Gives the event of a signal to the wait that is there, or keeps it for the next. */
static void give_signal(api_semaphore s, cl_event e)
{
    pthread_mutex_lock(&s->lock);
    cl_event awaited = s->awaited, old = NULL;
    s->awaited = NULL;
    if (!awaited) {
        old = s->signal;
        api_ref(e);
        s->signal = e;
    }
    pthread_mutex_unlock(&s->lock);
    if (old) api_event_put(old);
    if (!awaited) return;
    struct api_event_callback *cb = mem_alloc(sizeof *cb);
    *cb = (struct api_event_callback){.fn = signaled, .data = awaited, .type = CL_COMPLETE};
    api_event_callback(e, cb);
}

cl_int api_clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                        const api_semaphore *sema_objects,
                                        const cl_ulong *sema_payload_list,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    cl_event done = NULL;
    const struct api_request r = {command_queue,
                                  NEW_COMMAND_SEMAPHORE_SIGNAL,
                                  API_ORDER_COMMAND,
                                  num_events_in_wait_list,
                                  event_wait_list,
                                  false,
                                  &done};
    cl_int bad = check(&r, num_sema_objects, sema_objects);
    if (bad || (bad = api_enqueue(&r, NULL))) return bad;
    for (cl_uint i = 0; i < num_sema_objects; i++) give_signal(sema_objects[i], done);
    if (event) {
        *event = done;
    } else {
        api_user_release(done);
        api_event_put(done);
    }
    return CL_SUCCESS;
}

cl_int api_clGetSemaphoreInfoKHR(api_semaphore sema_object, cl_uint param_name,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret)
{
    API_ENTER();
    const api_semaphore s = sema_object;
    if (!api_is(s, API_SEMAPHORE)) return api_bad_handle(NULL, s, API_SEMAPHORE);
    switch (param_name) {
    case NEW_SEMAPHORE_CONTEXT: return REPLY(cl_context, s->ctx);
    case NEW_SEMAPHORE_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(s));
    case NEW_SEMAPHORE_PROPERTIES:
        return REPLY_BYTES(s->properties, s->nproperties * sizeof *s->properties);
    case NEW_SEMAPHORE_TYPE: return REPLY(cl_uint, NEW_SEMAPHORE_TYPE_BINARY);
    case NEW_SEMAPHORE_DEVICE_HANDLE_LIST:
        return s->device ? REPLY(cl_device_id, s->device)
                         : REPLY_BYTES(s->ctx->devices.list,
                                       s->ctx->devices.n * sizeof *s->ctx->devices.list);
    case NEW_SEMAPHORE_PAYLOAD: {
        pthread_mutex_lock(&s->lock);
        const cl_ulong payload = s->signal && s->signal->status == CL_COMPLETE;
        pthread_mutex_unlock(&s->lock);
        return REPLY(cl_ulong, payload);
    }
    }
    return api_fail(s->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of semaphores",
                    param_name);
}

cl_int api_clGetSemaphoreHandleForTypeKHR(api_semaphore sema_object, cl_device_id device,
                                          cl_uint handle_type, size_t handle_size, void *handle_ptr,
                                          size_t *handle_size_ret)
{
    API_ENTER();
    if (!api_is(sema_object, API_SEMAPHORE))
        return api_bad_handle(NULL, sema_object, API_SEMAPHORE);
    if (!api_is(device, API_DEVICE)) return api_bad_handle(sema_object->ctx, device, API_DEVICE);
    return api_fail(sema_object->ctx, CL_INVALID_VALUE,
                    "handle_type 0x%x: semaphores cannot be exported (cl_khr_external_semaphore)",
                    handle_type);
}

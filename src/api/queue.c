// SPDX-License-Identifier: MIT
#include "api/cmdgraph.h"

#include "api/device_queue.h"
#include "api/platform.h"
#include "base/mem.h"

#include <CL/cl_ext.h>

static const cl_command_queue_properties known_flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                       CL_QUEUE_PROFILING_ENABLE;

static const cl_command_queue_properties on_device = CL_QUEUE_ON_DEVICE |
                                                     CL_QUEUE_ON_DEVICE_DEFAULT;

/** size: CL_QUEUE_SIZE, or 0 */
static cl_int check_flags(cl_context ctx, cl_command_queue_properties flags, bool has_size,
                          cl_queue_properties size)
{
    if (flags & ~(known_flags | on_device))
        return api_fail(ctx, CL_INVALID_VALUE, "queue properties 0x%llx",
                        (unsigned long long)flags);
    if (flags & CL_QUEUE_ON_DEVICE_DEFAULT && !(flags & CL_QUEUE_ON_DEVICE))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "CL_QUEUE_ON_DEVICE_DEFAULT without CL_QUEUE_ON_DEVICE");
    if (flags & CL_QUEUE_ON_DEVICE && !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "CL_QUEUE_ON_DEVICE without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
    if (has_size && !(flags & CL_QUEUE_ON_DEVICE))
        return api_fail(ctx, CL_INVALID_VALUE, "CL_QUEUE_SIZE is for on-device queues");
    if (has_size && (size == 0 || size > API_DEVICE_QUEUE_MAX))
        return api_fail(ctx, CL_INVALID_QUEUE_PROPERTIES,
                        "CL_QUEUE_SIZE is %llu; the device allows 1 to %d",
                        (unsigned long long)size, API_DEVICE_QUEUE_MAX);
    return CL_SUCCESS;
}

/** The existing default queue on the device, which a second request for one returns. */
static cl_command_queue existing_default(cl_context ctx, cl_device_id device,
                                         cl_command_queue_properties flags)
{
    cl_command_queue q = flags & CL_QUEUE_ON_DEVICE_DEFAULT ? api_default_device_queue(ctx, device)
                                                            : NULL;
    if (q) api_user_retain(q);
    return q;
}

static cl_command_queue create(cl_context context, cl_device_id device,
                               cl_command_queue_properties flags,
                               const cl_queue_properties *properties, unsigned nproperties,
                               cl_int *errcode_ret)
{
    cl_int bad = api_check_devices(context, &context->devices, 1, &device);
    cl_queue_properties size = 0;
    bool has_size = false;
    for (unsigned i = 0; i + 1 < nproperties; i += 2)
        if (properties[i] == CL_QUEUE_SIZE) size = properties[i + 1], has_size = true;
    if (!bad) bad = check_flags(context, flags, has_size, size);
    if (bad) API_RETURN(bad, NULL);
    cl_command_queue old = existing_default(context, device, flags);
    if (old) API_RETURN(CL_SUCCESS, old);
    cl_command_queue q = api_new(API_QUEUE, sizeof *q);
    if (!q) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    api_ref(context);
    q->ctx = context;
    q->device = device;
    q->flags = flags;
    context->nqueues += !(flags & CL_QUEUE_ON_DEVICE);
    api_order_queue_init(&q->order, api_queue_in_order(q));
    q->nproperties = nproperties;
    q->properties = nproperties ? mem_dup(properties, nproperties * sizeof *properties) : NULL;
    if (!(flags & CL_QUEUE_ON_DEVICE)) API_RETURN(CL_SUCCESS, q);
    bad = api_device_queue_created(q, (cl_uint)size, flags & CL_QUEUE_ON_DEVICE_DEFAULT);
    if (bad) api_queue_put(q);
    API_RETURN(bad, bad ? NULL : q);
}

cl_command_queue api_clCreateCommandQueue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties,
                                          cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (properties & ~known_flags)
        API_RETURN(api_fail(context, CL_INVALID_VALUE, "queue properties 0x%llx",
                            (unsigned long long)properties),
                   NULL);
    return create(context, device, properties, NULL, 0, errcode_ret);
}

/** cl_khr_priority_hints, cl_khr_throttle_hints: one of three values, which order nothing here. */
static cl_int hint(cl_context ctx, cl_queue_properties name, cl_queue_properties value)
{
    if (name != CL_QUEUE_PRIORITY_KHR && name != CL_QUEUE_THROTTLE_KHR)
        return api_fail(ctx, CL_INVALID_VALUE, "queue property 0x%llx is not known",
                        (unsigned long long)name);
    if (value != CL_QUEUE_PRIORITY_HIGH_KHR && value != CL_QUEUE_PRIORITY_MED_KHR &&
        value != CL_QUEUE_PRIORITY_LOW_KHR)
        return api_fail(ctx, CL_INVALID_VALUE, "queue property 0x%llx is %llu, not 1, 2 or 4",
                        (unsigned long long)name, (unsigned long long)value);
    return CL_SUCCESS;
}
_Static_assert(CL_QUEUE_THROTTLE_HIGH_KHR == CL_QUEUE_PRIORITY_HIGH_KHR &&
                   CL_QUEUE_THROTTLE_MED_KHR == CL_QUEUE_PRIORITY_MED_KHR &&
                   CL_QUEUE_THROTTLE_LOW_KHR == CL_QUEUE_PRIORITY_LOW_KHR,
               "hint checks both");

cl_command_queue api_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                        const cl_queue_properties *properties,
                                                        cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    cl_command_queue_properties flags = 0;
    unsigned n = 0;
    if (properties) {
        for (; properties[n]; n += 2) {
            if (properties[n] == CL_QUEUE_PROPERTIES) flags = properties[n + 1];
            else if (properties[n] != CL_QUEUE_SIZE) {
                const cl_int bad = hint(context, properties[n], properties[n + 1]);
                if (bad) API_RETURN(bad, NULL);
            }
        }
        n++;
    }
    return create(context, device, flags, properties, n, errcode_ret);
}

void api_queue_put(cl_command_queue q)
{
    if (!api_unref(q)) return;
    cl_context ctx = q->ctx;
    ctx->nqueues -= !(q->flags & CL_QUEUE_ON_DEVICE);
    if (q->flags & CL_QUEUE_ON_DEVICE) api_device_queue_gone(q);
    api_order_queue_deinit(&q->order);
    free(q->properties);
    api_delete(q);
    api_context_put(ctx);
}

cl_int api_clRetainCommandQueue(cl_command_queue command_queue)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    api_user_retain(command_queue);
    return CL_SUCCESS;
}

cl_int api_clReleaseCommandQueue(cl_command_queue command_queue)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    if (!api_user_release(command_queue))
        return api_fail(command_queue->ctx, CL_INVALID_COMMAND_QUEUE,
                        "the command queue is released more often than retained");
    api_flush(command_queue); // records that commands of other queues may follow before the host
                              // has observed the end of its launches
    api_queue_put(command_queue);
    return CL_SUCCESS;
}

cl_int api_clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret)
{
    API_ENTER();
    cl_command_queue q = command_queue;
    if (!api_is(q, API_QUEUE)) return api_bad_handle(NULL, q, API_QUEUE);
    switch (param_name) {
    case CL_QUEUE_CONTEXT: return REPLY(cl_context, q->ctx);
    case CL_QUEUE_DEVICE: return REPLY(cl_device_id, q->device);
    case CL_QUEUE_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(q));
    case CL_QUEUE_PROPERTIES: return REPLY(cl_command_queue_properties, q->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return REPLY_BYTES(q->properties, q->nproperties * sizeof *q->properties);
    case CL_QUEUE_DEVICE_DEFAULT:
        return REPLY(cl_command_queue, api_default_device_queue(q->ctx, q->device));
    case CL_QUEUE_SIZE:
        if (q->flags & CL_QUEUE_ON_DEVICE) return REPLY(cl_uint, q->size);
        return api_fail(q->ctx, CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE is for on-device queues");
    }
    return api_fail(q->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of command queues",
                    param_name);
}

// Deprecated since 1.1; the properties of a queue cannot change.
cl_int api_clSetCommandQueueProperty(cl_command_queue command_queue,
                                     cl_command_queue_properties properties, cl_bool enable,
                                     cl_command_queue_properties *old_properties)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    if (old_properties) *old_properties = command_queue->flags;
    return api_fail(command_queue->ctx, CL_INVALID_OPERATION,
                    "the properties of a queue are set when it is created");
}

cl_int api_clFlush(cl_command_queue command_queue)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    api_flush(command_queue);
    return CL_SUCCESS;
}

cl_int api_clFinish(cl_command_queue command_queue)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    api_finish(command_queue);
    return CL_SUCCESS;
}

// Markers and barriers: commands without work, which only establish an order.

static cl_int enqueue_sync(cl_command_queue q, cl_command_type type, enum api_order order,
                           cl_uint n, const cl_event *list, cl_event *event)
{
    cl_int bad = api_check_enqueue(q, n, list);
    return bad ? bad
               : api_enqueue(&(struct api_request){q, type, order, n, list, false, event}, NULL);
}

cl_int api_clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return enqueue_sync(command_queue, CL_COMMAND_MARKER, API_ORDER_MARKER, num_events_in_wait_list,
                        event_wait_list, event);
}

cl_int api_clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    return enqueue_sync(command_queue, CL_COMMAND_BARRIER, API_ORDER_BARRIER,
                        num_events_in_wait_list, event_wait_list, event);
}

cl_int api_clEnqueueMarker(cl_command_queue command_queue, cl_event *event)
{
    API_ENTER();
    if (api_is(command_queue, API_QUEUE) && !event)
        return api_fail(command_queue->ctx, CL_INVALID_VALUE, "event is NULL");
    return enqueue_sync(command_queue, CL_COMMAND_MARKER, API_ORDER_MARKER, 0, NULL, event);
}

cl_int api_clEnqueueBarrier(cl_command_queue command_queue)
{
    API_ENTER();
    return enqueue_sync(command_queue, CL_COMMAND_BARRIER, API_ORDER_BARRIER, 0, NULL, NULL);
}

cl_int api_clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                  const cl_event *event_list)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    if (num_events == 0 || !event_list)
        return api_fail(command_queue->ctx, CL_INVALID_VALUE, "the list of events is empty");
    for (cl_uint i = 0; i < num_events; i++)
        if (!api_is(event_list[i], API_EVENT))
            return api_bad_handle(command_queue->ctx, event_list[i], API_EVENT);
    return enqueue_sync(command_queue, CL_COMMAND_BARRIER, API_ORDER_BARRIER, num_events,
                        event_list, NULL);
}

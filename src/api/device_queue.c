// SPDX-License-Identifier: MIT
// On-device queues, and clSetDefaultDeviceCommandQueue.
#include "api/device_queue.h"

#include "api/cmdgraph.h"
#include "api/platform.h"
#include "devices/dev.h"

bool api_is_device_queue(const void *queue)
{
    return api_is(queue, API_QUEUE) &&
           ((const struct _cl_command_queue *)queue)->flags & CL_QUEUE_ON_DEVICE;
}

/** The default queue of the device; the context's lock is held. */
static cl_command_queue default_of(cl_context ctx, cl_device_id device)
{
    for (size_t i = 0; i < ctx->device_queues.len; i++) {
        cl_command_queue q = ctx->device_queues.data[i];
        if (q->is_default && q->device == device) return q;
    }
    return NULL;
}

cl_command_queue api_default_device_queue(cl_context ctx, cl_device_id device)
{
    pthread_mutex_lock(&ctx->lock);
    cl_command_queue q = default_of(ctx, device);
    pthread_mutex_unlock(&ctx->lock);
    return q;
}

cl_int api_device_queue_created(cl_command_queue q, cl_uint size, bool is_default)
{
    cl_context ctx = q->ctx;
    q->size = size ? size : API_DEVICE_QUEUE_SIZE;
    pthread_mutex_lock(&ctx->lock);
    const bool fits = ctx->device_queues.len < API_DEVICE_QUEUES_MADE;
    if (fits) {
        q->is_default = is_default;
        vec_push(&ctx->device_queues, q);
        if (!ctx->device_events) ctx->device_events = vm_device_events_create();
    }
    pthread_mutex_unlock(&ctx->lock);
    return fits ? CL_SUCCESS
                : api_fail(ctx, CL_OUT_OF_RESOURCES, "the context has %d on-device queues",
                           API_DEVICE_QUEUES_MADE);
}

void api_device_queue_gone(cl_command_queue q)
{
    cl_context ctx = q->ctx;
    pthread_mutex_lock(&ctx->lock);
    for (size_t i = 0; i < ctx->device_queues.len; i++) {
        if (ctx->device_queues.data[i] != q) continue;
        ctx->device_queues.data[i] = vec_last(&ctx->device_queues);
        ctx->device_queues.len--;
        break;
    }
    pthread_mutex_unlock(&ctx->lock);
}

void api_device_queues(cl_context ctx, cl_device_id device, struct vm_enqueuer *to)
{
    pthread_mutex_lock(&ctx->lock);
    to->queues = mem_alloc((ctx->device_queues.len + 1) * sizeof *to->queues);
    for (size_t i = 0; i < ctx->device_queues.len; i++) {
        const struct _cl_command_queue *q = ctx->device_queues.data[i];
        if (q->device != device) continue;
        to->queues[to->nqueues++] = (struct vm_device_queue){(uintptr_t)q, q->size, 0};
    }
    to->default_queue = (uintptr_t)default_of(ctx, device);
    if (!ctx->device_events) ctx->device_events = vm_device_events_create();
    to->events = ctx->device_events;
    pthread_mutex_unlock(&ctx->lock);
}

cl_int api_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                          cl_command_queue command_queue)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) return api_bad_handle(NULL, context, API_CONTEXT);
    const cl_int bad = api_check_devices(context, &context->devices, 1, &device);
    if (bad) return bad;
    if (!api_is_device_queue(command_queue) || command_queue->ctx != context ||
        command_queue->device != device)
        return api_fail(context, CL_INVALID_COMMAND_QUEUE,
                        "the command queue is not an on-device queue of this context and device");
    pthread_mutex_lock(&context->lock);
    cl_command_queue old = default_of(context, device);
    if (old) old->is_default = false;
    command_queue->is_default = true;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

// SPDX-License-Identifier: MIT
// Command buffers. A clCommand… function makes the same command as its clEnqueue… counterpart, with
// the same checks, but keeps it. Each enqueue repeats the kept commands, with accesses of their
// own, as a group of ordinary commands (api_enqueue_group), so everything that follows commands
// follows them: findings, host races, captures, the debugger, the timeline.
//
// A command depends on the sync points that it is given, on the last barrier, and, if the command
// buffer was created for an in-order queue, on the command before it. A repeated command does not
// need its command buffer any more, so that may be released while it runs, and enqueued again.
#include "api/command_buffer.h"

#include "api/caller.h"
#include "base/mem.h"

// ---- creation and destruction

static cl_int check_properties(cl_context ctx, const api_properties *list, cl_bitfield *flags,
                               cl_bitfield *asserts, unsigned *n)
{
    const cl_bitfield known = NEW_COMMAND_BUFFER_SIMULTANEOUS_USE | NEW_COMMAND_BUFFER_MUTABLE;
    unsigned i = 0;
    for (; list && list[i]; i += 2) {
        const bool is_flags = list[i] == NEW_COMMAND_BUFFER_FLAGS;
        const bool is_asserts = list[i] == NEW_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS;
        if (!is_flags && !is_asserts)
            return api_fail(ctx, CL_INVALID_VALUE, "command buffer property 0x%llx is not known",
                            (unsigned long long)list[i]);
        for (unsigned k = 0; k < i; k += 2)
            if (list[k] == list[i])
                return api_fail(ctx, CL_INVALID_VALUE, "property 0x%llx is given twice",
                                (unsigned long long)list[i]);
        const cl_bitfield bits =
            list[i + 1] & ~(is_flags ? known : (cl_bitfield)NEW_ASSERT_NO_ADDITIONAL_WORK_GROUPS);
        if (bits)
            return api_fail(ctx, CL_INVALID_VALUE, "property 0x%llx has unknown bits 0x%llx",
                            (unsigned long long)list[i], (unsigned long long)bits);
        *(is_flags ? flags : asserts) = list[i + 1];
    }
    *n = list ? i + 1 : 0;
    return CL_SUCCESS;
}

cl_command_buffer_khr api_clCreateCommandBufferKHR(cl_uint num_queues,
                                                   const cl_command_queue *queues,
                                                   const api_properties *properties,
                                                   cl_int *errcode_ret)
{
    API_ENTER();
    if (num_queues != 1 || !queues)
        API_RETURN(api_fail(NULL, CL_INVALID_VALUE,
                            "num_queues is %u, queues %p; without "
                            "cl_khr_command_buffer_multi_device there must be one queue",
                            num_queues, (const void *)queues),
                   NULL);
    if (!api_is(queues[0], API_QUEUE)) API_RETURN(api_bad_handle(NULL, queues[0], API_QUEUE), NULL);
    const cl_context ctx = queues[0]->ctx;
    cl_bitfield flags = 0, asserts = 0;
    unsigned n = 0;
    const cl_int bad = check_properties(ctx, properties, &flags, &asserts, &n);
    if (bad) API_RETURN(bad, NULL);
    cl_command_buffer_khr b = api_new(API_COMMAND_BUFFER, sizeof *b);
    if (!b) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    b->ctx = ctx;
    b->queue = queues[0];
    api_ref(b->queue); // (it keeps the context)
    b->flags = flags;
    b->asserts = asserts;
    b->nproperties = n;
    b->properties = n ? mem_dup(properties, n * sizeof *properties) : NULL;
    pthread_mutex_init(&b->lock, NULL);
    API_RETURN(CL_SUCCESS, b);
}

static void command_drop(cl_mutable_command_khr c)
{
    if (c->cmd) c->cmd->destroy(c->cmd);
    free(c->properties);
    free(c->after);
    api_unref(c);
    api_delete(c);
}

static void buffer_put(cl_command_buffer_khr b)
{
    if (!api_unref(b)) return;
    for (size_t i = 0; i < b->commands.len; i++) command_drop(b->commands.data[i]);
    vec_free(&b->commands);
    pthread_mutex_destroy(&b->lock);
    free(b->properties);
    cl_command_queue q = b->queue;
    api_delete(b);
    api_queue_put(q);
}

cl_int api_clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_ENTER();
    if (!api_is(command_buffer, API_COMMAND_BUFFER))
        return api_bad_handle(NULL, command_buffer, API_COMMAND_BUFFER);
    api_user_retain(command_buffer);
    return CL_SUCCESS;
}

cl_int api_clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_ENTER();
    if (!api_is(command_buffer, API_COMMAND_BUFFER))
        return api_bad_handle(NULL, command_buffer, API_COMMAND_BUFFER);
    if (!api_user_release(command_buffer))
        return api_fail(command_buffer->ctx, CL_INVALID_COMMAND_BUFFER_KHR,
                        "the command buffer is released more often than retained");
    buffer_put(command_buffer);
    return CL_SUCCESS;
}

// ---- recording

static cl_int check_list(const struct api_record *r)
{
    const cl_context ctx = r->buffer->ctx;
    if ((r->n == 0) != (r->list == NULL))
        return api_fail(ctx, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                        "num_sync_points_in_wait_list is %u and sync_point_wait_list is %p", r->n,
                        (const void *)r->list);
    for (cl_uint i = 0; i < r->n; i++)
        if (r->list[i] == 0 || r->list[i] > r->buffer->commands.len)
            return api_fail(ctx, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                            "element %u of the wait list, %u, is not a sync point of the command "
                            "buffer, which has %zu commands",
                            i, r->list[i], r->buffer->commands.len);
    return CL_SUCCESS;
}

static cl_int check_record(const struct api_record *r, cl_command_type type)
{
    const cl_context ctx = r->buffer->ctx;
    const bool is_launch = type == CL_COMMAND_NDRANGE_KERNEL;
    if (r->queue)
        return api_fail(ctx, CL_INVALID_COMMAND_QUEUE,
                        "command_queue must be NULL: cl_khr_command_buffer_multi_device is not "
                        "supported");
    if (r->buffer->is_finalized)
        return api_fail(ctx, CL_INVALID_OPERATION, "the command buffer is finalized");
    if (!is_launch && r->properties && *r->properties)
        return api_fail(ctx, CL_INVALID_VALUE, "property 0x%llx is not known for this command",
                        (unsigned long long)*r->properties);
    if (!is_launch && r->handle)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "mutable_handle must be NULL: only kernels can be changed");
    const cl_int bad = is_launch ? api_dispatch_check_properties(ctx, r->properties) : CL_SUCCESS;
    return bad ? bad : check_list(r);
}

/** Determines what a command waits for; the buffer's lock is held. */
static void set_after(cl_mutable_command_khr c, const struct api_record *r)
{
    const cl_command_buffer_khr b = r->buffer;
    const unsigned len = (unsigned)b->commands.len;
    const bool all = c->type == CL_COMMAND_BARRIER && !r->n;
    const unsigned from = all && b->barrier ? b->barrier - 1 : 0;
    c->after = mem_array(NULL, (all ? len - from : r->n) + 1, sizeof *c->after);
    for (cl_uint i = 0; i < r->n; i++) c->after[c->nafter++] = r->list[i] - 1;
    for (unsigned i = from; all && i < len; i++) c->after[c->nafter++] = i;
    if (!all && b->barrier) c->after[c->nafter++] = b->barrier - 1;
    if (c->type == CL_COMMAND_BARRIER) b->barrier = len + 1;
}

static unsigned property_count(const api_properties *list)
{
    unsigned n = 0;
    while (list && list[n]) n += 2;
    return list ? n + 1 : 0;
}

static cl_int record_command(const struct api_recording *recording, struct api_command *cmd)
{
    const struct api_record *const r = (const struct api_record *)recording;
    const cl_command_buffer_khr b = r->buffer;
    if (cmd) {
        api_access_set_put(cmd->accesses);
        cmd->accesses = NULL;
    }
    cl_mutable_command_khr c = api_new(API_COMMAND, sizeof *c);
    if (!c) {
        if (cmd) cmd->destroy(cmd);
        return api_fail(b->ctx, CL_OUT_OF_HOST_MEMORY, "no memory for another command");
    }
    api_user_release(c); // the command buffer has the only reference
    c->buffer = b;
    c->type = recording->request.type;
    c->cmd = cmd;
    c->function = api_function();
    c->site = api_call_site();
    c->nproperties = property_count(r->properties);
    if (c->nproperties)
        c->properties = mem_dup(r->properties, c->nproperties * sizeof *c->properties);
    pthread_mutex_lock(&b->lock);
    set_after(c, r);
    vec_push(&b->commands, c);
    if (r->sync_point) *r->sync_point = (cl_sync_point_khr)b->commands.len;
    pthread_mutex_unlock(&b->lock);
    if (r->handle) *r->handle = c;
    return CL_SUCCESS;
}

cl_int api_record_begin(struct api_record *r, cl_command_type type)
{
    if (!api_is(r->buffer, API_COMMAND_BUFFER))
        return api_bad_handle(NULL, r->buffer, API_COMMAND_BUFFER);
    pthread_mutex_lock(&r->buffer->lock);
    const cl_int bad = check_record(r, type);
    pthread_mutex_unlock(&r->buffer->lock);
    r->recording = (struct api_recording){
        .request = {.queue = r->buffer->queue, .type = type, .order = API_ORDER_RECORD},
        .record = record_command};
    return bad;
}

cl_int api_clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer,
                                           cl_command_queue command_queue,
                                           const api_properties *properties,
                                           cl_uint num_sync_points_in_wait_list,
                                           const cl_sync_point_khr *sync_point_wait_list,
                                           cl_sync_point_khr *sync_point,
                                           cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_BARRIER);
    return api_enqueue(request, NULL);
}

// ---- use

static cl_uint state_of(const struct _cl_command_buffer_khr *b) // the lock is held
{
    if (!b->is_finalized) return NEW_STATE_RECORDING;
    for (size_t i = 0; i < b->commands.len; i++)
        if (!api_dispatch_is_complete(b->commands.data[i])) return NEW_STATE_FINALIZED;
    return NEW_STATE_EXECUTABLE;
}

cl_int api_clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    API_ENTER();
    const cl_command_buffer_khr b = command_buffer;
    if (!api_is(b, API_COMMAND_BUFFER)) return api_bad_handle(NULL, b, API_COMMAND_BUFFER);
    pthread_mutex_lock(&b->lock);
    const bool was = b->is_finalized;
    b->is_finalized = true;
    pthread_mutex_unlock(&b->lock);
    return was ? api_fail(b->ctx, CL_INVALID_OPERATION, "the command buffer was finalized before")
               : CL_SUCCESS;
}

/** Checks the queues of an enqueue; *q: the queue to use. */
static cl_int check_queues(cl_command_buffer_khr b, cl_uint n, const cl_command_queue *queues,
                           cl_command_queue *q)
{
    if ((n == 0) != (queues == NULL) || n > 1)
        return api_fail(b->ctx, CL_INVALID_VALUE,
                        "num_queues is %u, queues %p; the command buffer was created for one queue",
                        n, (const void *)queues);
    *q = n ? queues[0] : b->queue;
    if (!api_is(*q, API_QUEUE)) return api_bad_handle(b->ctx, *q, API_QUEUE);
    if ((*q)->ctx != b->ctx)
        return api_fail(b->ctx, CL_INVALID_CONTEXT,
                        "the queue belongs to another context than the command buffer");
    if ((*q)->device != b->queue->device)
        return api_fail(b->ctx, CL_INVALID_DEVICE,
                        "the queue has another device than the queue for which the command buffer "
                        "was created");
    return CL_SUCCESS;
}

/** Repeats the commands of a command buffer; the lock is held. */
static struct api_member *repeat(cl_command_buffer_khr b, cl_device_id device)
{
    const char *const function = api_function();
    const void *const site = api_call_site();
    const bool in_order = api_queue_in_order(b->queue);
    struct api_member *const m = mem_array(NULL, b->commands.len + 1, sizeof *m);
    for (size_t i = 0; i < b->commands.len; i++) {
        const struct _cl_mutable_command_khr *const c = b->commands.data[i];
        const void *const place = api_caller_replayed(c->site, site);
        api_enter_later(c->function, place);
        m[i] = (struct api_member){.cmd = c->cmd ? c->cmd->repeat(c->cmd, device) : NULL,
                                   .type = c->type,
                                   .function = c->function,
                                   .site = place,
                                   .nafter = c->nafter,
                                   .after = c->after,
                                   .in_order = in_order};
    }
    api_enter_later(function, site);
    return m;
}

cl_int api_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                     cl_command_buffer_khr command_buffer,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    const cl_command_buffer_khr b = command_buffer;
    if (!api_is(b, API_COMMAND_BUFFER)) return api_bad_handle(NULL, b, API_COMMAND_BUFFER);
    cl_command_queue q = NULL;
    cl_int bad = check_queues(b, num_queues, queues, &q);
    if (bad || (bad = api_check_enqueue(q, num_events_in_wait_list, event_wait_list))) return bad;
    pthread_mutex_lock(&b->lock);
    const cl_uint state = state_of(b);
    if (state == NEW_STATE_EXECUTABLE) {
        struct api_member *const m = repeat(b, q->device);
        bad = api_enqueue_group(&(struct api_request){q, NEW_COMMAND_COMMAND_BUFFER,
                                                      API_ORDER_COMMAND, num_events_in_wait_list,
                                                      event_wait_list, false, event},
                                m, (unsigned)b->commands.len);
        free(m);
    }
    pthread_mutex_unlock(&b->lock);
    if (state != NEW_STATE_EXECUTABLE)
        return api_fail(b->ctx, CL_INVALID_OPERATION,
                        state == NEW_STATE_RECORDING
                            ? "the command buffer is not finalized"
                            : "arguments of a recorded kernel are not set");
    return bad;
}

cl_int api_clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_uint param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret)
{
    API_ENTER();
    const cl_command_buffer_khr b = command_buffer;
    if (!api_is(b, API_COMMAND_BUFFER)) return api_bad_handle(NULL, b, API_COMMAND_BUFFER);
    switch (param_name) {
    case NEW_COMMAND_BUFFER_NUM_QUEUES: return REPLY(cl_uint, 1);
    case NEW_COMMAND_BUFFER_QUEUES: return REPLY(cl_command_queue, b->queue);
    case NEW_COMMAND_BUFFER_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(b));
    case NEW_COMMAND_BUFFER_CONTEXT: return REPLY(cl_context, b->ctx);
    case NEW_COMMAND_BUFFER_PROPERTIES_ARRAY:
        return REPLY_BYTES(b->properties, b->nproperties * sizeof *b->properties);
    case NEW_COMMAND_BUFFER_STATE: {
        pthread_mutex_lock(&b->lock);
        const cl_uint state = state_of(b);
        pthread_mutex_unlock(&b->lock);
        return REPLY(cl_uint, state);
    }
    }
    return api_fail(b->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of command buffers",
                    param_name);
}

// SPDX-License-Identifier: MIT
#include "api/cmdgraph.h"

#include "base/mem.h"

cl_int api_clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
    API_ENTER();
    if (num_events == 0 || !event_list)
        return api_fail(NULL, CL_INVALID_VALUE, "the list of events is empty");
    for (cl_uint i = 0; i < num_events; i++) {
        if (!api_is(event_list[i], API_EVENT))
            return api_bad_handle(NULL, event_list[i], API_EVENT);
        if (event_list[i]->ctx != event_list[0]->ctx)
            return api_fail(event_list[0]->ctx, CL_INVALID_CONTEXT,
                            "element %u is an event of another context", i);
    }
    api_wait(num_events, event_list);
    for (cl_uint i = 0; i < num_events; i++)
        if (event_list[i]->status < 0)
            return api_fail(event_list[i]->ctx, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                            "the command of element %u failed with %s", i,
                            api_error_name(event_list[i]->status));
    return CL_SUCCESS;
}

cl_int api_clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    switch (param_name) {
    case CL_EVENT_COMMAND_EXECUTION_STATUS: {
        const cl_int status = event->status;
        if (status <= CL_COMPLETE) api_order_observed(event->accesses);
        return REPLY(cl_int, status);
    }
    case CL_EVENT_COMMAND_QUEUE: return REPLY(cl_command_queue, event->queue);
    case CL_EVENT_CONTEXT: return REPLY(cl_context, event->ctx);
    case CL_EVENT_COMMAND_TYPE: return REPLY(cl_command_type, event->type);
    case CL_EVENT_REFERENCE_COUNT: return REPLY(cl_uint, api_user_refs(event));
    }
    return api_fail(event->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of events",
                    param_name);
}

cl_int api_clRetainEvent(cl_event event)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    api_user_retain(event);
    return CL_SUCCESS;
}

cl_int api_clReleaseEvent(cl_event event)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    if (!api_user_release(event))
        return api_fail(event->ctx, CL_INVALID_EVENT,
                        "the event is released more often than retained");
    api_event_put(event);
    return CL_SUCCESS;
}

cl_int api_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    if (!event->queue)
        return api_fail(event->ctx, CL_PROFILING_INFO_NOT_AVAILABLE, "a user event has no profile");
    if (!(event->queue->flags & CL_QUEUE_PROFILING_ENABLE))
        return api_fail(event->ctx, CL_PROFILING_INFO_NOT_AVAILABLE,
                        "the queue was created without CL_QUEUE_PROFILING_ENABLE");
    if (event->status != CL_COMPLETE)
        return api_fail(event->ctx, CL_PROFILING_INFO_NOT_AVAILABLE, "the command is not complete");
    api_order_observed(event->accesses);
    switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED: return REPLY(cl_ulong, event->queued);
    case CL_PROFILING_COMMAND_SUBMIT: return REPLY(cl_ulong, event->submitted);
    case CL_PROFILING_COMMAND_START: return REPLY(cl_ulong, event->started);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: return REPLY(cl_ulong, event->ended);
    }
    return api_fail(event->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of profiles",
                    param_name);
}

cl_int api_clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                              void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *),
                              void *user_data)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    cl_int type = command_exec_callback_type;
    if (!pfn_notify) return api_fail(event->ctx, CL_INVALID_VALUE, "pfn_notify is NULL");
    if (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE)
        return api_fail(event->ctx, CL_INVALID_VALUE, "command_exec_callback_type is %d", type);
    struct api_event_callback *cb = mem_alloc(sizeof *cb);
    *cb = (struct api_event_callback){.fn = pfn_notify, .data = user_data, .type = type};
    api_event_callback(event, cb);
    return CL_SUCCESS;
}

cl_event api_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    cl_event e = api_user_event_create(context);
    API_RETURN(e ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, e);
}

cl_int api_clSetUserEventStatus(cl_event event, cl_int execution_status)
{
    API_ENTER();
    if (!api_is(event, API_EVENT)) return api_bad_handle(NULL, event, API_EVENT);
    if (event->queue)
        return api_fail(event->ctx, CL_INVALID_EVENT, "the event is not a user event");
    if (execution_status > CL_COMPLETE)
        return api_fail(event->ctx, CL_INVALID_VALUE,
                        "execution_status is %d, neither CL_COMPLETE nor an error",
                        execution_status);
    if (!api_event_set_status(event, execution_status))
        return api_fail(event->ctx, CL_INVALID_OPERATION,
                        "the status of the user event was set before");
    return CL_SUCCESS;
}

// SPDX-License-Identifier: MIT
// Native kernels: functions of the application, whose arguments get pointers to buffers.
#include "api/cmdgraph.h"

#include "base/mem.h"

struct native {
    struct api_command cmd;
    void(CL_CALLBACK *fn)(void *);
    void *args; // NULL or a copy
    cl_uint nmems;
    cl_mem mems[];
};

static cl_int native_run(struct api_command *c, cl_event e)
{
    struct native *n = (struct native *)c;
    n->fn(n->args);
    return CL_SUCCESS;
}

static void native_destroy(struct api_command *c)
{
    struct native *n = (struct native *)c;
    for (cl_uint i = 0; i < n->nmems; i++)
        if (n->mems[i]) api_mem_put(n->mems[i]);
    free(n->args);
    free(n);
}

struct native_args { // as the app gives them
    const void *args;
    size_t size;
    cl_uint nmems;
    const cl_mem *mems;
    const void **locs; // locations in args for the pointers to the mems
};

static cl_int check_native(cl_context ctx, const struct native_args *a)
{
    const char *const args = a->args;
    const cl_uint nmems = a->nmems;
    const cl_mem *const mems = a->mems;
    const void **const locs = a->locs;
    if ((args == NULL) != (a->size == 0) || (!args && nmems))
        return api_fail(ctx, CL_INVALID_VALUE, "args is %p, cb_args %zu, num_mem_objects %u",
                        (const void *)args, a->size, nmems);
    if ((nmems == 0) != (mems == NULL) || (nmems == 0) != (locs == NULL))
        return api_fail(ctx, CL_INVALID_VALUE,
                        "num_mem_objects is %u, mem_list %p, args_mem_loc %p", nmems,
                        (const void *)mems, (const void *)locs);
    for (cl_uint i = 0; i < nmems; i++) {
        if (mems[i] && !api_is(mems[i], API_MEM)) return api_bad_handle(ctx, mems[i], API_MEM);
        const cl_int other = mems[i] ? api_need_buffer(ctx, mems[i]) : CL_SUCCESS;
        if (other) return other;
        size_t at = (size_t)((const char *)locs[i] - args);
        if ((const char *)locs[i] < args || at > a->size || a->size - at < sizeof(void *))
            return api_fail(ctx, CL_INVALID_VALUE, "args_mem_loc[%u] is not inside args", i);
    }
    return CL_SUCCESS;
}

cl_int api_clEnqueueNativeKernel(cl_command_queue command_queue,
                                 void(CL_CALLBACK *user_func)(void *), void *args, size_t cb_args,
                                 cl_uint num_mem_objects, const cl_mem *mem_list,
                                 const void **args_mem_loc, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event)
{
    API_ENTER();
    cl_int bad = api_check_enqueue(command_queue, num_events_in_wait_list, event_wait_list);
    if (bad) return bad;
    if (!user_func) return api_fail(command_queue->ctx, CL_INVALID_VALUE, "user_func is NULL");
    bad = check_native(command_queue->ctx, &(struct native_args){args, cb_args, num_mem_objects,
                                                                 mem_list, args_mem_loc});
    if (bad) return bad;
    struct native *n = mem_alloc(sizeof *n + num_mem_objects * sizeof *n->mems);
    n->cmd.run = native_run;
    n->cmd.destroy = native_destroy;
    n->fn = user_func;
    n->args = args ? mem_dup(args, cb_args) : NULL;
    n->nmems = num_mem_objects;
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        n->mems[i] = mem_list[i];
        if (mem_list[i]) api_ref(mem_list[i]);
        if (mem_list[i])
            api_mem_written(mem_list[i], mem_list[i]->data, mem_list[i]->size, NULL,
                            NULL); // it may
        void *p = mem_list[i] ? mem_list[i]->data : NULL;
        memcpy((char *)n->args + ((const char *)args_mem_loc[i] - (const char *)args), &p,
               sizeof p);
    }
    return api_enqueue(&(struct api_request){command_queue, CL_COMMAND_NATIVE_KERNEL,
                                             API_ORDER_COMMAND, num_events_in_wait_list,
                                             event_wait_list, false, event},
                       &n->cmd);
}

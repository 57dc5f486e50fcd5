// SPDX-License-Identifier: MIT
// clEnqueueNDRangeKernel and related functions: the checks, and the choice of a work-group size.
#include "api/kernel_command.h"

#include "api/platform.h"
#include "api/program.h"

#include "devices/dev.h"

cl_int api_check_args(cl_kernel k)
{
    cl_context ctx = k->program->ctx;
    const struct bc_module *m = k->program->module;
    const char *name = bc_str(m, k->k->name);
    for (uint32_t i = 0; i < k->k->nargs; i++)
        if (!k->args[i].is_set)
            return api_fail(ctx, CL_INVALID_KERNEL_ARGS,
                            "argument %u ('%s %s') of kernel '%s' was not set", i,
                            bc_str(m, k->decl[i].type), bc_str(m, k->decl[i].name), name);
    uint64_t local = api_kernel_local_size(k);
    if (local > dev_settings()->local_mem_size)
        return api_fail(ctx, CL_OUT_OF_RESOURCES,
                        "kernel '%s' needs %llu bytes of local memory, the device has %llu", name,
                        (unsigned long long)local,
                        (unsigned long long)dev_settings()->local_mem_size);
    if (k->k->refused)
        return api_fail(ctx, CL_OUT_OF_RESOURCES, "kernel '%s' cannot be run: %s", name,
                        k->k->refused);
    return CL_SUCCESS;
}

static cl_int check_local(cl_kernel k, unsigned dims, const size_t *global, const size_t *local)
{
    cl_context ctx = k->program->ctx;
    const uint32_t *reqd = k->k->reqd_wg_size;
    size_t max = dev_settings()->max_wg_size, items = 1;
    for (unsigned d = 0; d < dims; d++) {
        if (local[d] == 0)
            return api_fail(ctx, CL_INVALID_WORK_GROUP_SIZE, "local_work_size[%u] is 0", d);
        if (local[d] > max)
            return api_fail(ctx, CL_INVALID_WORK_ITEM_SIZE,
                            "local_work_size[%u] is %zu, the device allows %zu", d, local[d], max);
        items *= local[d]; // at most three times `max`: no overflow
        if (items > max)
            return api_fail(ctx, CL_INVALID_WORK_GROUP_SIZE,
                            "the work-group has more than %zu work-items", max);
    }
    for (unsigned d = 0; d < 3; d++)
        if (reqd[0] && reqd[d] != (d < dims ? local[d] : 1))
            return api_fail(
                ctx, CL_INVALID_WORK_GROUP_SIZE,
                "local_work_size[%u] is %zu, the kernel asks for reqd_work_group_size(%u, %u, %u)",
                d, d < dims ? local[d] : (size_t)1, reqd[0], reqd[1], reqd[2]);
    for (unsigned d = 0; d < dims; d++)
        if (global[d] % local[d] && !k->k->may_be_uneven)
            return api_fail(ctx, CL_INVALID_WORK_GROUP_SIZE,
                            "global_work_size[%u], %zu, is not a multiple of local_work_size[%u], "
                            "%zu; that is for "
                            "programs built with -cl-std=CL2.0 or later and not with "
                            "-cl-uniform-work-group-size",
                            d, global[d], d, local[d]);
    return CL_SUCCESS;
}

static cl_int check_range(cl_context ctx, unsigned dims, const size_t *offset, const size_t *global)
{
    size_t end;
    uint64_t items = 1;
    for (unsigned d = 0; d < dims; d++) {
        if (__builtin_add_overflow(offset[d], global[d], &end))
            return api_fail(ctx, CL_INVALID_GLOBAL_OFFSET,
                            "global_work_offset[%u] + global_work_size[%u] is too large", d, d);
        // (up to here sizes can be rounded up to whole groups, and groups to packs)
        if (__builtin_mul_overflow(items, (uint64_t)global[d], &items) || items > 1ull << 63)
            return api_fail(ctx, CL_INVALID_GLOBAL_WORK_SIZE,
                            "the range has more than 2^63 work-items");
    }
    return CL_SUCCESS;
}

// The largest divisor of n that is at most max; preferably a multiple of 16.
static size_t best_divisor(size_t n, size_t max)
{
    size_t best = 1;
    for (size_t d = max < n ? max : n; d > 1; d--) {
        if (n % d) continue;
        if (d % 16 == 0) return d;
        if (best == 1) best = d;
    }
    return best;
}

enum { CHOSEN_ITEMS = 256 };

void api_choose_local(unsigned dims, const size_t *global, size_t *local)
{
    size_t left = CHOSEN_ITEMS < dev_settings()->max_wg_size ? CHOSEN_ITEMS
                                                             : dev_settings()->max_wg_size;
    for (unsigned d = 0; d < dims; d++) {
        // In ranges of several dimensions, at most 64 in x, so that groups are not long stripes.
        size_t max = d == 0 && dims > 1 && left > 64 ? 64 : left;
        local[d] = best_divisor(global[d], max);
        left /= local[d];
    }
}

cl_int api_range_of(cl_context ctx, cl_uint dims, const size_t *const sizes[3],
                    struct api_range *out)
{
    const size_t *const offset = sizes[API_RANGE_OFFSET], *const global = sizes[API_RANGE_GLOBAL],
                        *const local = sizes[API_RANGE_LOCAL];
    if (dims < 1 || dims > 3)
        return api_fail(ctx, CL_INVALID_WORK_DIMENSION, "work_dim is %u", dims);
    *out = (struct api_range){.dims = dims, .has_local = local};
    for (unsigned d = 0; d < dims; d++) {
        out->offset[d] = offset ? offset[d] : 0;
        out->global[d] = global ? global[d] : 0; // OpenCL 2.1
        out->local[d] = local ? local[d] : 1;
    }
    return CL_SUCCESS;
}

cl_int api_check_launch(cl_command_queue q, cl_kernel k, struct api_range *r)
{
    cl_context ctx = q->ctx;
    cl_int bad;
    if (!api_is(k, API_KERNEL)) return api_bad_handle(ctx, k, API_KERNEL);
    if (k->program->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT,
                        "the kernel belongs to another context than the queue");
    if (!api_devices_have(&k->program->devices, q->device))
        return api_fail(ctx, CL_INVALID_PROGRAM_EXECUTABLE,
                        "the kernel's program is not for the device of the queue");
    if ((bad = check_range(ctx, r->dims, r->offset, r->global))) return bad;
    bool empty = false;
    for (unsigned d = 0; d < r->dims; d++) empty |= r->global[d] == 0;
    const bool asked = !r->has_local && k->k->reqd_wg_size[0];
    for (unsigned d = 0; d < r->dims && !r->has_local; d++)
        r->local[d] = asked ? k->k->reqd_wg_size[d] : 1;
    if (r->has_local || asked) return check_local(k, r->dims, r->global, r->local);
    if (!empty) api_choose_local(r->dims, r->global, r->local);
    return CL_SUCCESS;
}

static cl_int enqueue(const struct api_request *request, cl_kernel k, cl_uint dims,
                      const size_t *const sizes[3])
{
    cl_command_queue q = request->queue;
    struct api_range range;
    cl_int bad = api_check_enqueue(q, request->n, request->list);
    if (bad) return bad;
    if (!api_is(k, API_KERNEL)) return api_bad_handle(q->ctx, k, API_KERNEL);
    if ((bad = api_range_of(q->ctx, dims, sizes, &range)) ||
        (bad = api_check_launch(q, k, &range)) || (bad = api_check_args(k)))
        return bad;
    return api_enqueue(request, api_launch_new(k, q->device, &range));
}

cl_int api_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                  cl_uint work_dim, const size_t *global_work_offset,
                                  const size_t *global_work_size, const size_t *local_work_size,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                  cl_event *event)
{
    API_ENTER();
    return enqueue(&(struct api_request){command_queue, CL_COMMAND_NDRANGE_KERNEL,
                                         API_ORDER_COMMAND, num_events_in_wait_list,
                                         event_wait_list, false, event},
                   kernel, work_dim,
                   (const size_t *const[]){global_work_offset, global_work_size, local_work_size});
}

cl_int api_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel,
                                                cl_uint work_dim, const size_t *global_work_offset,
                                                const size_t *global_work_size,
                                                size_t *suggested_local_work_size)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    cl_context ctx = command_queue->ctx;
    struct api_range range;
    if (!suggested_local_work_size)
        return api_fail(ctx, CL_INVALID_VALUE, "suggested_local_work_size is NULL");
    if (work_dim < 1 || work_dim > 3)
        return api_fail(ctx, CL_INVALID_WORK_DIMENSION, "work_dim is %u", work_dim);
    for (unsigned d = 0; d < work_dim; d++)
        if (!global_work_size || !global_work_size[d])
            return api_fail(ctx, CL_INVALID_GLOBAL_WORK_SIZE,
                            "global_work_size or one of its sizes is 0");
    cl_int bad;
    if ((bad = api_range_of(ctx, work_dim,
                            (const size_t *const[]){global_work_offset, global_work_size, NULL},
                            &range)) ||
        (bad = api_check_launch(command_queue, kernel, &range)) || (bad = api_check_args(kernel)))
        return bad;
    memcpy(suggested_local_work_size, range.local, work_dim * sizeof *range.local);
    return CL_SUCCESS;
}

cl_int api_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                         cl_event *event)
{
    API_ENTER();
    const size_t one = 1;
    return enqueue(&(struct api_request){command_queue, CL_COMMAND_TASK, API_ORDER_COMMAND,
                                         num_events_in_wait_list, event_wait_list, false, event},
                   kernel, 1, (const size_t *const[]){NULL, &one, &one});
}

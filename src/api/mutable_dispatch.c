// SPDX-License-Identifier: MIT
// Recorded kernels (clCommandNDRangeKernelKHR), and their changes between enqueues
// (cl_khr_command_buffer_mutable_dispatch). A recorded kernel has a copy of the kernel's arguments;
// a change makes a new copy, so that either all changes of a call happen, or none.
#include "api/command_buffer.h"
#include "api/kernel_command.h"
#include "api/program.h"

#include "base/mem.h"

struct dispatch {
    struct api_command cmd;
    cl_kernel kernel; // of the app
    cl_kernel own;    // its copy, with the arguments
    struct api_range range;
    cl_bitfield fields; // that may change
    bool is_limited;    // it must not get more work-groups than
    uint64_t groups;    // when it was recorded
};

static struct dispatch *dispatch_of(const struct _cl_mutable_command_khr *c)
{
    return c->type == CL_COMMAND_NDRANGE_KERNEL ? (struct dispatch *)c->cmd : NULL;
}

static void own_put(cl_kernel own)
{
    if (!own) return;
    api_user_release(own);
    api_kernel_put(own);
}

static void dispatch_destroy(struct api_command *c)
{
    struct dispatch *d = (struct dispatch *)c;
    own_put(d->own);
    api_kernel_put(d->kernel);
    free(d);
}

static struct api_command *dispatch_repeat(const struct api_command *c, cl_device_id device)
{
    const struct dispatch *d = (const struct dispatch *)c;
    return api_launch_new(d->own, device, &d->range);
}

bool api_dispatch_is_complete(const struct _cl_mutable_command_khr *c)
{
    const struct dispatch *d = dispatch_of(c);
    for (uint32_t i = 0; d && i < d->own->k->nargs; i++)
        if (!d->own->args[i].is_set) return false;
    return true;
}

static const api_properties *property(const api_properties *list, api_properties name)
{
    for (; list && *list; list += 2)
        if (*list == name) return &list[1];
    return NULL;
}

cl_int api_dispatch_check_properties(cl_context ctx, const api_properties *list)
{
    for (const api_properties *p = list; p && *p; p += 2) {
        if (*p != NEW_MUTABLE_DISPATCH_UPDATABLE_FIELDS && *p != NEW_MUTABLE_DISPATCH_ASSERTS)
            return api_fail(ctx, CL_INVALID_VALUE, "property 0x%llx of the kernel is not known",
                            (unsigned long long)*p);
        for (const api_properties *q = list; q < p; q += 2)
            if (*q == *p)
                return api_fail(ctx, CL_INVALID_VALUE, "property 0x%llx is given twice",
                                (unsigned long long)*p);
    }
    const api_properties *asserts = property(list, NEW_MUTABLE_DISPATCH_ASSERTS),
                         *fields = property(list, NEW_MUTABLE_DISPATCH_UPDATABLE_FIELDS);
    if (asserts && *asserts & ~(api_properties)NEW_ASSERT_NO_ADDITIONAL_WORK_GROUPS)
        return api_fail(ctx, CL_INVALID_VALUE, "CL_MUTABLE_DISPATCH_ASSERTS_KHR is 0x%llx",
                        (unsigned long long)*asserts);
    if (fields && *fields & ~(api_properties)NEW_MUTABLE_ALL)
        return api_fail(ctx, CL_INVALID_OPERATION,
                        "CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is 0x%llx, and the device can "
                        "change 0x%x",
                        (unsigned long long)*fields, NEW_MUTABLE_ALL);
    return CL_SUCCESS;
}

/** Bytes of the last dimension may be less than a group: rounded up. */
static uint64_t group_count(const struct api_range *r)
{
    uint64_t n = 1;
    for (unsigned d = 0; d < r->dims; d++) n *= (r->global[d] + r->local[d] - 1) / r->local[d];
    return n;
}

static bool is_uniform(const struct api_range *r)
{
    for (unsigned d = 0; r->has_local && d < r->dims; d++)
        if (r->global[d] % r->local[d]) return false;
    return true;
}

/** Without the arguments that are not set, if they may be set later. */
static cl_int check_args(cl_kernel k, bool may_be_later)
{
    for (uint32_t i = 0; may_be_later && i < k->k->nargs; i++)
        if (!k->args[i].is_set) return CL_SUCCESS;
    return api_check_args(k);
}

static cl_int record_kernel(const struct api_record *r, cl_kernel kernel, struct api_range *range)
{
    const cl_command_buffer_khr b = r->buffer;
    const api_properties *fields = property(r->properties, NEW_MUTABLE_DISPATCH_UPDATABLE_FIELDS),
                         *asserts = property(r->properties, NEW_MUTABLE_DISPATCH_ASSERTS);
    const bool is_limited = b->asserts || (asserts && *asserts);
    const cl_int bad = check_args(kernel, fields && *fields & NEW_MUTABLE_ARGUMENTS);
    if (bad) return bad;
    if (is_limited && !range->has_local)
        return api_fail(b->ctx, CL_INVALID_VALUE,
                        "local_work_size is NULL, but "
                        "CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR needs it");
    struct dispatch *d = mem_alloc(sizeof *d);
    d->own = api_kernel_clone(kernel);
    if (!d->own) {
        free(d);
        return CL_OUT_OF_HOST_MEMORY;
    }
    d->cmd.destroy = dispatch_destroy;
    d->cmd.repeat = dispatch_repeat;
    api_ref(kernel);
    d->kernel = kernel;
    d->range = *range;
    d->fields = fields ? *fields : NEW_MUTABLE_ALL;
    d->is_limited = is_limited;
    d->groups = group_count(range);
    return api_enqueue(&r->recording.request, &d->cmd);
}

cl_int api_clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const api_properties *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    RECORD(CL_COMMAND_NDRANGE_KERNEL);
    struct api_range range;
    cl_int bad;
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(request->queue->ctx, kernel, API_KERNEL);
    if ((bad = api_range_of(
             request->queue->ctx, work_dim,
             (const size_t *const[]){global_work_offset, global_work_size, local_work_size},
             &range)) ||
        (bad = api_check_launch(request->queue, kernel, &range)))
        return bad;
    return record_kernel(&record, kernel, &range);
}

// ---- changes

struct change { // of a command
    cl_mutable_command_khr command;
    cl_kernel own;
    struct api_range range;
};

static cl_int check_counts(cl_context ctx, const struct api_new_dispatch *c)
{
    const struct {
        const char *name;
        const void *list;
        cl_uint n;
    } lists[] = {{"arg_list", c->args, c->nargs},
                 {"arg_svm_list", c->svm_args, c->nsvm_args},
                 {"exec_info_list", c->exec_infos, c->nexec_infos}};
    for (unsigned i = 0; i < 3; i++)
        if ((lists[i].n == 0) != (lists[i].list == NULL))
            return api_fail(ctx, CL_INVALID_VALUE, "%s is %p, and its number of elements is %u",
                            lists[i].name, lists[i].list, lists[i].n);
    return CL_SUCCESS;
}

static cl_int check_fields(cl_context ctx, const struct dispatch *d,
                           const struct api_new_dispatch *c)
{
    const struct {
        cl_bitfield field;
        bool changes;
        const char *name;
    } fields[] = {{NEW_MUTABLE_GLOBAL_OFFSET, c->offset, "GLOBAL_OFFSET"},
                  {NEW_MUTABLE_GLOBAL_SIZE, c->global, "GLOBAL_SIZE"},
                  {NEW_MUTABLE_LOCAL_SIZE, c->local, "LOCAL_SIZE"},
                  {NEW_MUTABLE_ARGUMENTS, c->nargs || c->nsvm_args, "ARGUMENTS"},
                  {NEW_MUTABLE_EXEC_INFO, c->nexec_infos, "EXEC_INFO"}};
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].changes && !(d->fields & fields[i].field))
            return api_fail(ctx, CL_INVALID_OPERATION,
                            "the kernel was recorded without CL_MUTABLE_DISPATCH_%s_KHR",
                            fields[i].name);
    if (c->work_dim && c->work_dim != d->range.dims)
        return api_fail(ctx, CL_INVALID_OPERATION, "work_dim is %u, and %u in the recorded command",
                        c->work_dim, d->range.dims);
    return CL_SUCCESS;
}

static cl_int change_kernel(cl_kernel own, const struct api_new_dispatch *c)
{
    cl_int bad = CL_SUCCESS;
    for (cl_uint i = 0; !bad && i < c->nargs; i++)
        bad = api_kernel_set_arg(own, c->args[i].index, c->args[i].size, c->args[i].value);
    for (cl_uint i = 0; !bad && i < c->nsvm_args; i++)
        bad = api_kernel_set_pointer(own, c->svm_args[i].index, c->svm_args[i].value);
    for (cl_uint i = 0; !bad && i < c->nexec_infos; i++)
        bad = api_kernel_exec_info(own, c->exec_infos[i].name, c->exec_infos[i].size,
                                   c->exec_infos[i].value);
    return bad;
}

static cl_int change_range(cl_command_buffer_khr b, const struct dispatch *d, struct change *x,
                           const struct api_new_dispatch *c)
{
    struct api_range *const r = &x->range;
    if (!c->offset && !c->global && !c->local) return CL_SUCCESS;
    for (unsigned i = 0; i < r->dims; i++) {
        if (c->offset) r->offset[i] = c->offset[i];
        if (c->global) r->global[i] = c->global[i];
        if (c->local) r->local[i] = c->local[i];
    }
    r->has_local |= c->local != NULL;
    const cl_int bad = api_check_launch(b->queue, x->own, r);
    if (bad) return bad;
    if (is_uniform(r) != is_uniform(&d->range))
        return api_fail(b->ctx, CL_INVALID_OPERATION,
                        "the recorded work-groups are %s, and the new ones are not",
                        is_uniform(r) ? "not uniform" : "uniform");
    if (d->is_limited && group_count(r) > d->groups)
        return api_fail(b->ctx, CL_INVALID_OPERATION,
                        "the launch gets %llu work-groups, more than the %llu that were recorded "
                        "with CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR",
                        (unsigned long long)group_count(r), (unsigned long long)d->groups);
    return CL_SUCCESS;
}

/** Adds a change to those before it; the lock is held. */
static cl_int prepare(cl_command_buffer_khr b, const struct api_new_dispatch *c,
                      struct change *changes, cl_uint *n)
{
    cl_int bad;
    if (!api_is(c->command, API_COMMAND) || c->command->buffer != b || !dispatch_of(c->command))
        return api_is(c->command, API_COMMAND)
                   ? api_fail(b->ctx, CL_INVALID_MUTABLE_COMMAND_KHR,
                              "%p is a command of another command buffer", (void *)c->command)
                   : api_bad_handle(b->ctx, c->command, API_COMMAND);
    const struct dispatch *d = dispatch_of(c->command);
    if ((bad = check_counts(b->ctx, c)) || (bad = check_fields(b->ctx, d, c))) return bad;
    cl_uint i = 0;
    while (i < *n && changes[i].command != c->command) i++;
    if (i == *n) {
        changes[i] = (struct change){c->command, api_kernel_clone(d->own), d->range};
        if (!changes[i].own) return CL_OUT_OF_HOST_MEMORY;
        ++*n;
    }
    if ((bad = change_kernel(changes[i].own, c)) || (bad = check_args(changes[i].own, true)))
        return bad;
    return change_range(b, d, &changes[i], c);
}

static cl_int check_update(cl_command_buffer_khr b, cl_uint n, const cl_uint *types,
                           const void **configs)
{
    const cl_context ctx = b->ctx;
    if (!b->is_finalized)
        return api_fail(ctx, CL_INVALID_OPERATION, "the command buffer is not finalized");
    if (!(b->flags & NEW_COMMAND_BUFFER_MUTABLE))
        return api_fail(ctx, CL_INVALID_OPERATION,
                        "the command buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
    if ((n == 0) != (types == NULL) || (n == 0) != (configs == NULL))
        return api_fail(ctx, CL_INVALID_VALUE, "num_configs is %u, config_types %p, configs %p", n,
                        (const void *)types, (const void *)configs);
    for (cl_uint i = 0; i < n; i++) {
        if (types[i] != NEW_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG)
            return api_fail(ctx, CL_INVALID_VALUE, "config_types[%u] is %u", i, types[i]);
        if (!configs[i]) return api_fail(ctx, CL_INVALID_VALUE, "configs[%u] is NULL", i);
    }
    return CL_SUCCESS;
}

cl_int api_clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                      const cl_uint *config_types, const void **configs)
{
    API_ENTER();
    const cl_command_buffer_khr b = command_buffer;
    if (!api_is(b, API_COMMAND_BUFFER)) return api_bad_handle(NULL, b, API_COMMAND_BUFFER);
    pthread_mutex_lock(&b->lock);
    cl_int bad = check_update(b, num_configs, config_types, configs);
    struct change *const changes = bad ? NULL : mem_array(NULL, num_configs + 1, sizeof *changes);
    cl_uint n = 0;
    for (cl_uint i = 0; !bad && i < num_configs; i++) bad = prepare(b, configs[i], changes, &n);
    for (cl_uint i = 0; i < n; i++) {
        struct dispatch *d = dispatch_of(changes[i].command);
        const cl_kernel unused = bad ? changes[i].own : d->own;
        if (!bad) {
            d->own = changes[i].own;
            d->range = changes[i].range;
        }
        own_put(unused);
    }
    free(changes);
    pthread_mutex_unlock(&b->lock);
    return bad;
}

cl_int api_clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_uint param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret)
{
    API_ENTER();
    const cl_mutable_command_khr c = command;
    if (!api_is(c, API_COMMAND)) return api_bad_handle(NULL, c, API_COMMAND);
    pthread_mutex_lock(&c->buffer->lock);
    const struct dispatch *const d = dispatch_of(c);
    struct api_range r = d ? d->range : (struct api_range){0};
    pthread_mutex_unlock(&c->buffer->lock);
    if (!r.has_local) memset(r.local, 0, sizeof r.local);
    switch (param_name) {
    case NEW_MUTABLE_COMMAND_COMMAND_QUEUE: return REPLY(cl_command_queue, c->buffer->queue);
    case NEW_MUTABLE_COMMAND_COMMAND_BUFFER: return REPLY(cl_command_buffer_khr, c->buffer);
    case NEW_MUTABLE_COMMAND_COMMAND_TYPE: return REPLY(cl_command_type, c->type);
    case NEW_MUTABLE_COMMAND_PROPERTIES_ARRAY:
        return REPLY_BYTES(c->properties, c->nproperties * sizeof *c->properties);
    case NEW_MUTABLE_DISPATCH_KERNEL:
        return REPLY_BYTES(d ? &d->kernel : NULL, d ? sizeof d->kernel : 0);
    case NEW_MUTABLE_DISPATCH_DIMENSIONS:
        return REPLY_BYTES((&(cl_uint){r.dims}), d ? sizeof(cl_uint) : 0);
    case NEW_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET:
        return REPLY_BYTES(r.offset, r.dims * sizeof *r.offset);
    case NEW_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE:
        return REPLY_BYTES(r.global, r.dims * sizeof *r.global);
    case NEW_MUTABLE_DISPATCH_LOCAL_WORK_SIZE:
        return REPLY_BYTES(r.local, r.dims * sizeof *r.local);
    }
    return api_fail(c->buffer->ctx, CL_INVALID_VALUE,
                    "param_name 0x%x is not a query of recorded commands", param_name);
}

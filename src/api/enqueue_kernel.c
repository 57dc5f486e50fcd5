// SPDX-License-Identifier: MIT
// clEnqueueNDRangeKernel and related functions. Everything is checked and the arguments are
// captured when the command is enqueued; later it only runs.
#include "api/capture_launch.h"
#include "api/cmdgraph.h"
#include "api/interrupt.h"
#include "api/platform.h"
#include "api/program.h"
#include "api/svm.h"
#include "api/trace.h"

#include "base/mem.h"
#include "debug/debug.h"

struct launch {
    struct api_command cmd;
    cl_kernel kernel;
    const void *site;
    uint64_t number;
    unsigned dims;
    uint64_t offset[3], global[3], local[3];
    cl_mem *mems;         // of buffer arguments, referenced
    struct vm_arg args[]; // then mems, then the values
};

static void launch_destroy(struct api_command *c)
{
    struct launch *l = (struct launch *)c;
    for (uint32_t i = 0; i < l->kernel->k->nargs; i++)
        if (l->mems[i]) api_mem_put(l->mems[i]);
    api_kernel_put(l->kernel);
    free(l);
}

// The memory of a pointer into shared virtual memory: the whole allocation around it.
static struct vm_buffer svm_part(cl_mem m, const void *p)
{
    const uint64_t offset = (uint64_t)((const uint8_t *)p - m->data);
    return (struct vm_buffer){.host = m->data,
                              .root_size = m->size,
                              .offset = offset,
                              .size = m->size - offset,
                              .root = m->data,
                              .is_svm = true,
                              .address = m->address,
                              .origin = api_call_site_created(m->obj.site)};
}

static int by_address(const void *a, const void *b)
{
    const uint64_t x = ((const struct vm_buffer *)a)->address,
                   y = ((const struct vm_buffer *)b)->address;
    return (x > y) - (x < y);
}

// ---- arguments that were freed

static bool is_shared(cl_mem m) { return m->address; }
static bool is_gone(cl_mem m) { return m && !api_user_refs(m) && m->released_by; }

/**
 * Reports arguments that were freed. A kernel does not retain its arguments (clSetKernelArg), so an
 * object released before the launch is enqueued counts as freed. Shared virtual memory may even be
 * freed until the launch runs, because clSVMFree does not wait. A command that frees it and was
 * enqueued after the launch is a race at most (access_set.c). `queued`: the time of the enqueue; 0:
 * now.
 */
static void report_released(const struct launch *l, bool shared, uint64_t queued)
{
    const struct bc_module *m = l->kernel->program->module;
    const char *kernel = bc_str(m, l->kernel->k->name);
    for (uint32_t i = 0; i < l->kernel->k->nargs; i++) {
        const cl_mem mem = l->mems[i];
        if (!is_gone(mem) || is_shared(mem) != shared || (queued && mem->released_later > queued))
            continue;
        struct str title = {0}, note = {0};
        const char *made = api_call_site_created(mem->obj.site),
                   *let_go = api_call_site_called(mem->released);
        const char *name = bc_str(m, l->kernel->decl[i].name);
        str_printf(&title, "argument '%s' of kernel '%s' is %s", name, kernel,
                   shared ? "shared virtual memory that was freed"
                          : "a memory object that was released");
        str_printf(&note, "it has %zu bytes%s%s%s; %s was %s", mem->size, made ? " (" : "",
                   made ? made : "", made ? ")" : "", mem->released_by,
                   let_go ? let_go : "called before the launch");
        const struct rep_finding f = {
            .kind = REP_USE_AFTER_RELEASE,
            .title = str_text(&title),
            .object = name,
            .kernel = kernel,
            .launch = l->number,
            .host_site = api_call_site_enqueued(l->site),
            .nnotes = 2,
            .notes = {
                str_text(&note),
                "the kernel does not keep its arguments alive; here the memory is still there"}};
        rep_add(dev_report(), &f);
        str_deinit(&title);
        str_deinit(&note);
    }
}

/**
 * The shared virtual memory that the kernel may access, by ascending address; each of *mems is
 * referenced. The caller owns both arrays.
 */
static struct vm_buffer *shared_memory(const struct launch *l, cl_mem **mems, uint32_t *n)
{
    const uint32_t nargs = l->kernel->k->nargs;
    *n = api_svm_all(l->kernel->program->ctx, mems);
    for (uint32_t i = 0; i < nargs;
         i++) { // freed, or being freed by another thread, but still allocated
        const cl_mem m = l->mems[i];
        if (!m || !is_shared(m)) continue;
        uint32_t k = 0;
        while (k < *n && (*mems)[k] != m) k++;
        if (k < *n) continue;
        *mems = mem_array(*mems, *n + 1, sizeof **mems);
        api_ref(m);
        (*mems)[(*n)++] = m;
    }
    struct vm_buffer *all = mem_array(NULL, *n + 1, sizeof *all);
    for (uint32_t i = 0; i < *n; i++) {
        all[i] = svm_part((*mems)[i], (*mems)[i]->data);
        all[i].touched = api_access_touched(l->cmd.accesses, (*mems)[i]);
    }
    if (*n) qsort(all, *n, sizeof *all, by_address);
    return all;
}

// ----

/**
 * Output of the launch for the context's printf callback, which is called before the command is
 * complete.
 */
struct printed {
    FILE *out; // NULL: it goes to stdout
    char *text;
    size_t n;
};

static void begin_printing(struct printed *t, cl_context ctx, const struct bc_kernel *k)
{
    *t = (struct printed){0};
    if (ctx->print && k->uses_printf) t->out = open_memstream(&t->text, &t->n);
}

static void end_printing(struct printed *t, cl_context ctx)
{
    if (!t->out) return;
    fclose(t->out);
    if (t->n) ctx->print(t->text, t->n, CL_TRUE, ctx->notify_data);
    free(t->text);
}

/** Makes the launch record the bytes of its arguments that it reads and writes. */
static void follow_arguments(struct launch *l)
{
    for (uint32_t i = 0; i < l->kernel->k->nargs; i++) {
        if (!l->mems[i]) continue;
        cl_mem root = api_mem_root(l->mems[i]);
        if (vm_lacks_bytes(root->written)) api_mem_settle(root);
        l->args[i].buffer.touched = api_access_touched(l->cmd.accesses, l->mems[i]);
        l->args[i].buffer.written = vm_lacks_bytes(root->written) ? root->written : NULL;
    }
}

/** Marks bytes that the launch may have written without recording them as written. */
static void written_unfollowed(const struct launch *l, bool is_followed)
{
    for (uint32_t i = 0; !is_followed && i < l->kernel->k->nargs; i++)
        if (l->mems[i] && l->kernel->decl[i].may_write)
            api_mem_written(l->mems[i], l->mems[i]->data, l->mems[i]->size, NULL, NULL);
}

static cl_int launch_failed(const struct launch *l, struct err *err)
{
    cl_program p = l->kernel->program;
    const char *name = bc_str(p->module, l->kernel->k->name);
    if (dev_settings()->native && err)
        fprintf(dev_report_out(), "cldbg: launch %llu of kernel '%s' did not run: %s\n",
                (unsigned long long)l->number, name, err_message(err));
    api_enter_later("clEnqueueNDRangeKernel", l->site);
    api_fail(p->ctx, CL_OUT_OF_RESOURCES, "kernel '%s' could not be run: %s", name,
             err                 ? err_message(err)
             : api_interrupted() ? "it was interrupted by Ctrl-C"
                                 : "the process ended");
    err_free(err);
    return CL_OUT_OF_RESOURCES;
}

static cl_int launch_run(struct api_command *c, cl_event e)
{
    struct launch *l = (struct launch *)c;
    const struct dev_settings *s = dev_settings();
    struct rep_session *rep = dev_report();
    cl_program p = l->kernel->program;
    const char *name = bc_str(p->module, l->kernel->k->name);
    const bool checked = dev_wants_launch(name, l->number);
    struct printed printed;
    begin_printing(&printed, p->ctx, l->kernel->k);
    struct vm_launch v = {
        .kernel = l->kernel->k,
        .dims = l->dims,
        .args = l->args,
        .checks = checked ? s->checks : 0,
        .threads = api_device_units(e->queue->device),
        .sub_group = api_kernel_sub_group(l->kernel),
        .gang = s->gang,
        .rep = checked ? rep : NULL,
        .number = l->number,
        .host_site = api_call_site_enqueued(l->site),
        .out = printed.out ? printed.out : stdout,
        .cancel = api_cancel_flag(),
        .instruction_limit = s->instruction_limit,
        .livelock_limit = s->livelock_limit,
        .debugger = dbg_debugger(),
        .variables = api_access_touched_variables(l->cmd.accesses),
    };
    follow_arguments(l);
    memcpy(v.offset, l->offset, sizeof v.offset);
    memcpy(v.global, l->global, sizeof v.global);
    memcpy(v.local, l->local, sizeof v.local);
    cl_mem *shared;
    struct vm_buffer *svm = shared_memory(l, &shared, &v.nsvm);
    v.svm = svm;
    struct vm_gone *gone = api_svm_gone(&v.ngone);
    v.gone = gone;
    report_released(l, true, e->queued);
    rep_launch_begins(rep);
    api_interrupt_begin();
    struct api_capture *capture = api_capture_begin(l->kernel, l->mems, &v);
    const uint64_t begin = api_clock();
    struct err *err = dev_chosen()->launch(p->loaded, &v);
    const uint64_t took = api_clock() - begin;
    api_timeline_span("launch", name, e->queue, begin, begin + took);
    for (uint32_t i = 0; i < v.nsvm; i++) api_mem_put(shared[i]);
    free(shared);
    free(svm);
    free(gone);
    written_unfollowed(l, !s->native && v.checks & VM_CHECK_UNINIT);
    const bool is_cut = *api_cancel_flag();
    if (!is_cut && !err)
        rep_launched(rep, name,
                     s->native ? REP_NATIVE
                     : checked ? REP_CHECKED
                               : REP_LEFT_OUT,
                     took);
    rep_launch_ends(rep, l->number);
    rep_flush(rep);
    api_interrupt_end();
    api_capture_end(capture);
    end_printing(&printed, p->ctx);
    return err || is_cut ? launch_failed(l, err) : CL_SUCCESS;
}

static struct vm_buffer buffer_of(cl_mem m)
{
    if (!m) return (struct vm_buffer){0};
    cl_mem root = api_mem_root(m),
           svm = root->flags & CL_MEM_USE_HOST_PTR ? api_svm_get(m->ctx, m->data) : NULL;
    if (svm) { // a buffer on shared virtual memory: kernels may store its address for the host
        struct vm_buffer b = svm_part(svm, m->data);
        if (m->size < b.size) b.size = m->size;
        api_mem_put(svm);
        return b;
    }
    return (struct vm_buffer){
        .host = root->data,
        .root_size = root->size,
        .offset = (uint64_t)(m->data - root->data),
        .size = m->size,
        .root = root->data,
        .read_only = m->flags & CL_MEM_READ_ONLY,
        .write_only = m->flags & CL_MEM_WRITE_ONLY,
        .is_foreign = root->flags & CL_MEM_USE_HOST_PTR,
        .origin = api_call_site_created(m->obj.site),
        .is_part = m->parent && !api_is_image(m),
        .root_origin = api_call_site_created(root->obj.site),
    };
}

/** Room for an argument's value: a multiple of 16. */
static size_t value_room(const struct bc_arg *a) { return ((size_t)a->size + 15) & ~(size_t)15; }

static struct launch *launch_new(cl_kernel k, cl_device_id device)
{
    uint32_t n = k->k->nargs;
    size_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        if (k->args[i].value) bytes += value_room(&k->decl[i]);
    size_t values_at = (sizeof(struct launch) + n * (sizeof(struct vm_arg) + sizeof(cl_mem)) + 15) &
                       ~(size_t)15;
    struct launch *l = mem_alloc(values_at + bytes);
    l->cmd.run = launch_run;
    l->cmd.destroy = launch_destroy;
    l->kernel = k;
    l->site = api_call_site();
    l->mems = (cl_mem *)(l->args + n);
    char *value = (char *)l + values_at;
    api_ref(k);
    for (uint32_t i = 0; i < n; i++) {
        const struct api_arg *a = &k->args[i];
        l->args[i].local_size = a->local_size;
        if (a->mem) api_ref(a->mem);
        l->mems[i] = a->mem;
        if (k->decl[i].kind == BC_ARG_BUFFER)
            l->args[i].buffer = a->svm ? svm_part(a->mem, a->svm) : buffer_of(a->mem);
        if (k->decl[i].kind == BC_ARG_IMAGE) {
            l->args[i].buffer = buffer_of(a->mem);
            l->args[i].image = a->mem->image;
        }
        if (!a->value) continue;
        memcpy(value, a->value, k->decl[i].size);
        l->args[i].value = value;
        value += value_room(&k->decl[i]);
    }
    static uint64_t launches;
    l->number = __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    struct api_access_set *d = l->cmd.accesses = api_access_set_new();
    api_access_launch(d, bc_str(k->program->module, k->k->name), l->number);
    for (uint32_t i = 0; i < n; i++)
        if (l->mems[i] && (k->decl[i].kind == BC_ARG_BUFFER || k->decl[i].kind == BC_ARG_IMAGE) &&
            !k->decl[i].is_pipe) // (kernels may share a pipe in any order)
            api_access_argument(d, l->mems[i],
                                (k->decl[i].may_read ? API_READS : 0) |
                                    (k->decl[i].may_write ? API_WRITES : 0));
    api_access_variables(d, k->program, device);
    return l;
}

// ---- checks

static cl_int check_args(cl_kernel k)
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
    if (dims < 1 || dims > 3)
        return api_fail(ctx, CL_INVALID_WORK_DIMENSION, "work_dim is %u", dims);
    size_t end;
    uint64_t items = 1;
    for (unsigned d = 0; d < dims; d++) {
        if (offset && __builtin_add_overflow(offset[d], global[d], &end))
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

static void choose_local(unsigned dims, const size_t *global, size_t *local)
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

struct range { // of a launch, as the app gives it
    unsigned dims;
    const size_t *offset, *global, *local;
};

/**
 * Checks that the queue may launch the kernel over the range, and determines the size of its
 * work-groups: range->local, or if that is NULL, a size that the kernel requires or cldbg chooses.
 */
static cl_int check_launch(cl_command_queue q, cl_kernel k, const struct range *range, size_t *size)
{
    cl_context ctx = q->ctx;
    const unsigned dims = range->dims;
    const size_t *const global = range->global, *const local = range->local;
    cl_int bad;
    if (!api_is(k, API_KERNEL)) return api_bad_handle(ctx, k, API_KERNEL);
    if (k->program->ctx != ctx)
        return api_fail(ctx, CL_INVALID_CONTEXT,
                        "the kernel belongs to another context than the queue");
    if (!api_devices_have(&k->program->devices, q->device))
        return api_fail(ctx, CL_INVALID_PROGRAM_EXECUTABLE,
                        "the kernel's program is not for the device of the queue");
    if ((bad = check_range(ctx, dims, range->offset, global))) return bad;
    bool empty = false;
    for (unsigned d = 0; d < dims; d++) empty |= global[d] == 0;
    const bool asked = !local && k->k->reqd_wg_size[0];
    for (unsigned d = 0; d < dims; d++)
        size[d] = local ? local[d] : asked ? k->k->reqd_wg_size[d] : 1;
    if (local || asked) {
        if ((bad = check_local(k, dims, global, size))) return bad;
    } else if (!empty) {
        choose_local(dims, global, size);
    }
    return check_args(k);
}

static cl_int enqueue(const struct api_request *request, cl_kernel k, struct range range)
{
    cl_command_queue q = request->queue;
    cl_int bad = api_check_enqueue(q, request->n, request->list);
    if (bad) return bad;
    static const size_t nothing[3] = {0};
    if (!range.global) range.global = nothing; // OpenCL 2.1
    size_t size[3];
    if ((bad = check_launch(q, k, &range, size))) return bad;
    for (unsigned d = 0; d < range.dims; d++)
        if (range.global[d] == 0) return api_enqueue(request, NULL); // OpenCL 2.1: nothing to run
    struct launch *l = launch_new(k, q->device);
    report_released(l, false, 0);
    l->dims = range.dims;
    for (unsigned d = 0; d < 3; d++) {
        l->offset[d] = range.offset && d < range.dims ? range.offset[d] : 0;
        l->global[d] = d < range.dims ? range.global[d] : 1;
        l->local[d] = d < range.dims ? size[d] : 1;
    }
    rep_launch_enqueued(dev_report());
    return api_enqueue(request, &l->cmd);
}

cl_int api_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                  cl_uint work_dim, const size_t *global_work_offset,
                                  const size_t *global_work_size, const size_t *local_work_size,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                  cl_event *event)
{
    API_ENTER();
    return enqueue(
        &(struct api_request){command_queue, CL_COMMAND_NDRANGE_KERNEL, API_ORDER_COMMAND,
                              num_events_in_wait_list, event_wait_list, false, event},
        kernel, (struct range){work_dim, global_work_offset, global_work_size, local_work_size});
}

cl_int api_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel,
                                                cl_uint work_dim, const size_t *global_work_offset,
                                                const size_t *global_work_size,
                                                size_t *suggested_local_work_size)
{
    API_ENTER();
    if (!api_is(command_queue, API_QUEUE)) return api_bad_handle(NULL, command_queue, API_QUEUE);
    cl_context ctx = command_queue->ctx;
    size_t size[3];
    if (!suggested_local_work_size)
        return api_fail(ctx, CL_INVALID_VALUE, "suggested_local_work_size is NULL");
    if (work_dim < 1 || work_dim > 3)
        return api_fail(ctx, CL_INVALID_WORK_DIMENSION, "work_dim is %u", work_dim);
    for (unsigned d = 0; d < work_dim; d++)
        if (!global_work_size || !global_work_size[d])
            return api_fail(ctx, CL_INVALID_GLOBAL_WORK_SIZE,
                            "global_work_size or one of its sizes is 0");
    cl_int bad = check_launch(command_queue, kernel,
                              &(struct range){work_dim, global_work_offset, global_work_size, NULL},
                              size);
    if (!bad) memcpy(suggested_local_work_size, size, work_dim * sizeof *size);
    return bad;
}

cl_int api_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                         cl_event *event)
{
    API_ENTER();
    const size_t one = 1;
    return enqueue(&(struct api_request){command_queue, CL_COMMAND_TASK, API_ORDER_COMMAND,
                                         num_events_in_wait_list, event_wait_list, false, event},
                   kernel, (struct range){1, NULL, &one, &one});
}

// ---- native kernels: a function of the app, whose arguments get pointers to buffers

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

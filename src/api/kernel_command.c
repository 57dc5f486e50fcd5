// SPDX-License-Identifier: MIT
// The command that runs a kernel. Its arguments are captured when it is created; later it only
// runs.
#include "api/kernel_command.h"

#include "api/checked_form.h"
#include "api/capture_launch.h"
#include "api/child_launch.h"
#include "api/cmdgraph.h"
#include "api/interrupt.h"
#include "api/platform.h"
#include "api/program.h"
#include "api/svm.h"
#include "api/trace.h"

#include "base/mem.h"
#include "debug/debug.h"
#include "debug/history/unrecorded_launch.h"

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
        const cl_mem m = (*mems)[i];
        all[i] = svm_part(m, m->data);
        all[i].touched = api_access_touched(l->cmd.accesses, m);
        if (vm_lacks_bytes(m->written)) api_mem_settle(m);
        all[i].written = vm_lacks_bytes(m->written) ? m->written : NULL;
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

/**
 * Marks bytes that the launch may have written without recording them as written. `shared`: the
 * shared virtual memory that it may have used.
 */
static void written_unfollowed(const struct launch *l, const cl_mem *shared, uint32_t nshared,
                               bool is_followed)
{
    for (uint32_t i = 0; !is_followed && i < nshared; i++)
        api_mem_written(shared[i], shared[i]->data, shared[i]->size, NULL, NULL);
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

struct err *api_run_launch(cl_program p, cl_event command, const struct vm_launch *v)
{
    struct rep_session *rep = dev_report();
    const char *name = bc_str(p->module, v->kernel->name);
    rep_launch_begins(rep);
    const uint64_t begin = api_clock();
    struct err *err = NULL;
    const bool is_debugged = dbg_debugger() != NULL;
    if (is_debugged) dbg_unrecorded_lock();
    if (!api_run_checked_form(p, v, &err)) err = dev_chosen()->launch(p->loaded, v);
    if (is_debugged) dbg_unrecorded_unlock();
    const uint64_t took = api_clock() - begin;
    api_timeline_span("launch", name, command, begin, begin + took);
    if (!*api_cancel_flag() && !err)
        rep_launched(rep, name,
                     dev_settings()->native ? REP_NATIVE
                     : v->rep               ? REP_CHECKED
                                            : REP_LEFT_OUT,
                     took);
    rep_launch_ends(rep, v->number);
    rep_flush(rep);
    return err;
}

uint64_t api_next_launch(void)
{
    static uint64_t launches;
    return __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
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
    api_interrupt_begin();
    struct api_capture *capture = api_capture_begin(l->kernel, l->mems, &v);
    struct api_children children;
    api_children_begin(&children, p, e, &v);
    struct err *err = api_run_launch(p, e, &v);
    if (!err) err = api_children_run(&children);
    api_children_end(&children);
    written_unfollowed(l, shared, v.nsvm, !s->native && v.checks & VM_CHECK_UNINIT);
    for (uint32_t i = 0; i < v.nsvm; i++) api_mem_put(shared[i]);
    free(shared);
    free(svm);
    free(gone);
    const bool is_cut = *api_cancel_flag();
    api_interrupt_end();
    api_capture_end(capture, children.has_finding);
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
    l->number = api_next_launch();
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

struct api_command *api_launch_new(cl_kernel k, cl_device_id device, const struct api_range *range)
{
    for (unsigned d = 0; d < range->dims; d++)
        if (range->global[d] == 0) return NULL;
    struct launch *l = launch_new(k, device);
    report_released(l, false, 0);
    l->dims = range->dims;
    for (unsigned d = 0; d < 3; d++) {
        l->offset[d] = d < range->dims ? range->offset[d] : 0;
        l->global[d] = d < range->dims ? range->global[d] : 1;
        l->local[d] = d < range->dims ? range->local[d] : 1;
    }
    rep_launch_enqueued(dev_report());
    return &l->cmd;
}

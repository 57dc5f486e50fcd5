// SPDX-License-Identifier: MIT
// Runs the launches that kernels enqueue on the device (interp/enqueued.h): one after the other, in
// the order in which they were enqueued, each as soon as the events that it waits for are complete.
// Like the command of the host, an enqueued launch and its event are complete when the launches
// that its own work-items enqueued are.
#include "api/child_launch.h"

#include "api/cmdgraph.h"
#include "api/device_queue.h"
#include "api/interrupt.h"
#include "api/kernel_command.h"
#include "api/platform.h"
#include "api/program.h"
#include "api/trace.h"
#include "base/mem.h"
#include "check/check.h"

struct child {
    struct vm_enqueued *e;
    struct child *parent; // NULL: the host's launch
    unsigned open;        // children that are not complete
    bool has_run;
    int status; // CL_COMPLETE or an error
    uint64_t began, ended;
};
struct children { // that have not begun
    struct api_children *of;
    VEC(struct child *) list;
    struct err *error;
};

void api_children_begin(struct api_children *c, cl_program p, cl_event command,
                        struct vm_launch *root)
{
    *c = (struct api_children){.program = p,
                               .command = command,
                               .root = root,
                               .checks = dev_settings()->checks,
                               .is_checked = root->rep};
    if (!root->kernel->enqueues) return;
    api_device_queues(p->ctx, command->queue->device, &c->enqueuer);
    c->enqueuer.max_items = dev_settings()->max_wg_size;
    c->enqueuer.max_local = dev_settings()->local_mem_size;
    c->enqueuer.left = VM_MAX_ENQUEUED;
    root->enqueuer = &c->enqueuer;
}

void api_children_end(struct api_children *c)
{
    free(c->enqueuer.queues);
    vec_free(&c->enqueuer.list);
    vec_free(&c->enqueuer.profiled);
}

/** Takes what the work-items of a launch enqueued. */
static void take_enqueued(struct children *all, struct child *parent)
{
    struct vm_enqueuer *const q = &all->of->enqueuer;
    for (size_t i = 0; i < q->list.len; i++) {
        struct child *const c = mem_alloc(sizeof *c);
        *c = (struct child){.e = q->list.data[i], .parent = parent};
        if (parent) parent->open++;
        vec_push(&all->list, c);
    }
    vec_clear(&q->list);
}

static void child_free(struct children *all, struct child *c)
{
    struct vm_device_events *const events = all->of->enqueuer.events;
    for (size_t i = 0; i < c->e->waits.len; i++)
        vm_device_event_let_go(events, c->e->waits.data[i]);
    if (c->e->event) vm_device_event_let_go(events, c->e->event);
    vm_enqueued_free(c->e);
    free(c);
}

/** Completes the event of a launch: also writes the times that work-items asked for. */
static void complete(const struct children *all, const struct child *c)
{
    const struct vm_enqueuer *const q = &all->of->enqueuer;
    const uint64_t end = api_clock(); // (on some machines the clock is coarse)
    const uint64_t times[2] = {c->ended > c->began ? c->ended - c->began : 1,
                               end > c->began ? end - c->began : 1};
    if (!c->e->event) return;
    vm_device_event_complete(q->events, c->e->event, c->status, times);
    for (size_t i = 0; i < q->profiled.len; i++)
        if (q->profiled.data[i].event == c->e->event)
            memcpy(q->profiled.data[i].to, times, sizeof times);
}

/** Completes a launch that has run, and those that waited for no other child. */
static void settle(struct children *all, struct child *c)
{
    while (c && c->has_run && !c->open) {
        struct child *const parent = c->parent;
        complete(all, c);
        child_free(all, c);
        if (parent) parent->open--;
        c = parent;
    }
}

/** 1: it must wait; 0: it can run; less: an event that it waits for failed. */
static int readiness(const struct children *all, const struct child *c)
{
    int worst = 0;
    for (size_t i = 0; i < c->e->waits.len; i++) {
        const int status = vm_device_event_status(all->of->enqueuer.events, c->e->waits.data[i]);
        if (status > 0) return 1;
        if (status < 0) worst = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return worst;
}

/** "kernel 'k' (launch 1), at reduce.cl:5" */
static void put_enqueued_by(const struct children *all, const struct child *c, struct str *s)
{
    const struct bc_module *const m = all->of->program->module;
    const struct child *const parent = c->parent;
    const struct bc_kernel *const k = parent ? parent->e->kernel : all->of->root->kernel;
    const struct bc_loc *const at = &m->locs[c->e->loc];
    str_printf(s, "kernel '%s' (launch %llu)", bc_str(m, k->name),
               (unsigned long long)c->e->launch);
    if (at->line) str_printf(s, ", at %s:%u", bc_str(m, m->files[at->file].name), at->line);
}

static struct vm_arg *arguments(const struct children *all, const struct vm_enqueued *e,
                                const char *origin)
{
    const struct vm_launch *const root = all->of->root;
    struct vm_arg *const args =
        mem_alloc((root->kernel->nargs + e->kernel->nargs + 1) * sizeof *args);
    memcpy(args, root->args, root->kernel->nargs * sizeof *args);
    struct vm_arg *const own = args + root->kernel->nargs;
    own[0].buffer = (struct vm_buffer){.host = e->block,
                                       .root_size = e->block_size,
                                       .size = e->block_size,
                                       .root = e->block,
                                       .read_only = true,
                                       .origin = origin};
    for (size_t i = 0; i < e->locals.len; i++) own[1 + i].local_size = e->locals.data[i];
    return args;
}

static void set_range(struct vm_launch *v, const struct vm_enqueued *e)
{
    size_t global[3], local[3];
    v->dims = e->dims;
    for (unsigned d = 0; d < 3; d++) {
        v->offset[d] = d < e->dims ? e->offset[d] : 0;
        v->global[d] = global[d] = d < e->dims ? e->global[d] : 1;
        v->local[d] = local[d] = d < e->dims && e->local[0] ? e->local[d] : 1;
    }
    if (e->local[0]) return;
    api_choose_local(e->dims, global, local);
    for (unsigned d = 0; d < 3; d++) v->local[d] = local[d];
}

static void run(struct children *all, struct child *c)
{
    const struct api_children *const of = all->of;
    const struct vm_enqueued *const e = c->e;
    struct vm_launch v = *of->root;
    struct str by = {0};
    str_put(&by, "enqueued by ");
    put_enqueued_by(all, c, &by);
    set_range(&v, e);
    if (v.global[0] * v.global[1] * v.global[2] == 0) {
        str_deinit(&by);
        return;
    }
    struct vm_arg *const args = arguments(all, e, str_text(&by));
    v.kernel = e->kernel;
    v.root = of->root->kernel;
    v.args = args;
    v.number = api_next_launch();
    v.host_site = str_text(&by);
    v.debugger = NULL; // it does not know inherited arguments
    v.sub_group = e->kernel->sub_group ? e->kernel->sub_group : dev_settings()->sub_group;
    if (!of->is_checked &&
        dev_wants_launch(bc_str(of->program->module, e->kernel->name), v.number)) {
        v.rep = dev_report();
        v.checks = of->checks;
    }
    all->of->enqueuer.depth = e->depth;
    v.enqueuer = e->kernel->enqueues ? &all->of->enqueuer : NULL;
    rep_launch_enqueued(dev_report());
    all->error = api_run_launch(of->program, of->command, &v);
    if (!of->has_finding) all->of->has_finding = rep_has_shown(dev_report(), v.number);
    take_enqueued(all, c);
    free(args);
    str_deinit(&by);
}

/** Runs a launch, or fails it because an event failed. */
static void start(struct children *all, struct child *c)
{
    struct vm_enqueuer *const q = &all->of->enqueuer;
    for (uint32_t i = 0; i < q->nqueues; i++)
        if (q->queues[i].queue == c->e->queue) q->queues[i].used -= VM_ENQUEUED_BYTES;
    c->status = readiness(all, c);
    c->began = api_clock();
    if (c->e->kernel && !c->status) run(all, c);
    c->ended = api_clock();
    if (all->error) c->status = CL_OUT_OF_RESOURCES;
    c->has_run = true;
    settle(all, c);
}

static void report_never_run(const struct children *all, const struct child *c)
{
    const struct bc_module *const m = all->of->program->module;
    struct arena a = {0};
    struct str title = {0}, by = {0};
    const struct chk_launch l = {.module = m, .kernel = all->of->root->kernel};
    const char *kernel = c->e->kernel ? bc_str(m, c->e->kernel->name) : NULL;
    if (kernel)
        str_printf(&title, "kernel '%s', which was enqueued on the device, never runs", kernel);
    else str_put(&title, "a marker, which was enqueued on the device, is never complete");
    put_enqueued_by(all, c, &by);
    const struct rep_finding f = {
        .kind = REP_NO_PROGRESS,
        .fix = REP_FIX_NEVER_RUN,
        .title = str_text(&title),
        .kernel = bc_str(m, all->of->root->kernel->name),
        .launch = c->e->launch,
        .host_site = all->of->root->host_site,
        .count = 1,
        .sides[0] = {.place = chk_place(&l, &a, (struct chk_where){.loc = c->e->loc}),
                     .what = "enqueued"},
        .nsides = 1,
        .nnotes = 1,
        .notes = {"it waits for an event that is not complete when all other launches have ended"}};
    rep_add(dev_report(), &f);
    all->of->has_finding = true;
    str_deinit(&title);
    str_deinit(&by);
    arena_deinit(&a);
}

/** The first launch that need not wait; or the number of launches. */
static size_t next_ready(const struct children *all, size_t from)
{
    while (from < all->list.len &&
           (!all->list.data[from] || readiness(all, all->list.data[from]) > 0))
        from++;
    return from;
}

/** Ends the launches that cannot run; none has children. */
static void drop_rest(struct children *all, bool is_reported)
{
    for (size_t i = 0; i < all->list.len; i++) {
        struct child *const c = all->list.data[i];
        if (!c) continue;
        if (is_reported) report_never_run(all, c);
        c->status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        c->has_run = true;
        settle(all, c);
    }
    if (is_reported) rep_flush(dev_report());
}

struct err *api_children_run(struct api_children *c)
{
    struct children all = {.of = c};
    if (!c->root->enqueuer) return NULL;
    take_enqueued(&all, NULL);
    for (size_t at = 0; !all.error && !*api_cancel_flag();) {
        at = next_ready(&all, at);
        if (at == all.list.len) at = next_ready(&all, 0); // has one that waited become ready?
        if (at == all.list.len) break;
        struct child *const next = all.list.data[at];
        all.list.data[at] = NULL;
        start(&all, next);
    }
    drop_rest(&all, c->is_checked && !all.error && !*api_cancel_flag());
    vec_free(&all.list);
    return all.error;
}

// SPDX-License-Identifier: MIT
// The native device: kernels as machine code, unchecked. The code comes from native_code.c; here
// are threads and arguments.
#include "devices/native_device.h"

#include "devices/dev.h"
#include "devices/native_code.h"
#include "devices/native_fault.h"
#include "devices/native_shadow.h"
#include "devices/native_local.h"
#include "devices/native_runtime.h"

#include "base/mem.h"
#include "interp/calls/collective.h"
#include "interp/launch/contention.h"
#include "interp/launch/pool.h"

#include <alloca.h>
#include <fenv.h>
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- programs

struct program {
    const struct bc_module *module;
    struct native_program *code;
};

static void *program_load(const struct bc_module *m, struct dev_blob code, struct err **e)
{
    if (!code.size) {
        *e =
            err_new("--native: this program was not built from source or LLVM bitcode in this run");
        return NULL;
    }
    struct native_program *c = native_program_load(code.data, code.size, e);
    if (!c) return NULL;
    struct program *p = mem_alloc(sizeof *p);
    *p = (struct program){m, c};
    return p;
}

static void program_unload(void *program)
{
    struct program *p = program;
    native_program_unload(p->code);
    free(p);
}

// ---- launches

struct native_job {
    const struct vm_launch *l;
    const struct bc_module *module;
    const struct bc_arg *decl;
    const char *name;
    bool is_proved;
    const struct native_code *code;
    struct nat_code_info info;
    struct nat_launch launch;
    struct native_space *spaces; // of each thread
    unsigned threads;
    uint64_t groups, chunk;
    _Atomic uint64_t next;
    struct governor governor; // of the threads; a part is a chunk, a unit a group
    _Atomic bool no_memory, is_reported;
    struct native_checks checks;
    struct native_shadow *shadows; // of each thread, with checks
    struct native_equal equal[NAT_MARKS];
    _Atomic bool is_anomalous, is_miscounted;
};

// Of several threads the first one reports.
static void look_at_zones(struct native_job *j, const struct native_local *m)
{
    struct str what = {0};
    if (!j->no_memory && native_local_spoilt(m, &what) && !atomic_exchange(&j->is_reported, true))
        fprintf(dev_report_out(),
                "cldbg: machine code of kernel '%s', launch %llu%s%s, %s.\n"
                "cldbg: run it without --native to have its accesses checked; --launches=%llu "
                "checks this launch alone.\n",
                j->name, (unsigned long long)j->l->number, j->l->host_site ? ", " : "",
                j->l->host_site ? j->l->host_site : "", str_text(&what),
                (unsigned long long)j->l->number);
    str_deinit(&what);
}

// Frames that are too large for an ordinary stack get a separate one.
enum { ORDINARY_FRAME = 1 << 20, MORE_STACK = 1 << 20 };

struct part {
    uint64_t first, end;
};

/** Runs groups. With checks, code may leave in the middle. */
static void call_code(struct native_job *j, const struct nat_launch *launch, void *const *args,
                      void *locals, struct part part)
{
    jmp_buf leave;
    native_here.anomaly = &leave;
    if (j->checks.which && setjmp(leave)) j->is_anomalous = true;
    else native_code_call(j->code, args, locals, launch, part.first, part.end);
}

static void call_all(struct native_job *j, unsigned thread, const struct nat_launch *launch,
                     void *const *args, void *locals)
{
    const struct vm_launch *l = j->l;
    governor_enter(&j->governor, thread);
    while (!j->no_memory && !j->is_anomalous) {
        governor_wait(&j->governor, thread);
        const uint64_t first = atomic_fetch_add(&j->next, j->chunk);
        if (first >= j->groups || (l->cancel && *l->cancel)) break;
        const uint64_t last = j->groups - first < j->chunk ? j->groups : first + j->chunk;
        call_code(j, launch, args, locals, (struct part){first, last});
        governor_did(&j->governor, thread, last - first);
    }
    governor_leave(&j->governor, thread);
}

// part: these groups; NULL: those that are left, with other threads.
static void work_on(struct native_job *j, unsigned thread, const struct part *part)
{
    const struct vm_launch *l = j->l;
    const uint32_t n = l->kernel->nargs;
    void **args = alloca((n + 1) * sizeof *args),
         **held = alloca((n + 1) * sizeof *held); // held: the values of opaque types, at args[i]
    struct native_image *images = alloca((n + 1) * sizeof *images);
    struct native_local_part *parts = alloca((n + 1) * sizeof *parts);
    struct native_local memory;
    unsigned nparts = 0;
    if (j->info.locals) parts[nparts++] = (struct native_local_part){NULL, j->info.locals, NULL};
    for (uint32_t i = 0; i < n; i++)
        if (j->decl[i].kind == BC_ARG_LOCAL)
            parts[nparts++] = (struct native_local_part){bc_str(j->module, j->decl[i].name),
                                                         l->args[i].local_size, NULL};
    if (!native_local_make(&memory, parts, nparts)) j->no_memory = true;
    const struct native_local_part *local = parts + (j->info.locals != 0);
    for (uint32_t i = 0; i < n && !j->no_memory; i++) {
        const struct vm_arg *a = &l->args[i];
        switch (j->decl[i].kind) {
        case BC_ARG_BUFFER:
            held[i] = a->buffer.host ? (char *)a->buffer.host + a->buffer.offset : NULL;
            args[i] = j->decl[i].is_pipe ? &held[i] : held[i];
            break;
        case BC_ARG_LOCAL: args[i] = local++->at; break;
        case BC_ARG_IMAGE:
            images[i] = (struct native_image){&a->image, (char *)a->buffer.host + a->buffer.offset};
            held[i] = &images[i];
            args[i] = &held[i];
            break;
        default: args[i] = (void *)a->value;
        }
    }
    char *const stack = __builtin_frame_address(0);
    struct native_space *here = &j->spaces[thread];
    here->stack_begin = stack - j->info.frame - ORDINARY_FRAME;
    here->stack_end = stack;
    here->local_begin = memory.begin;
    here->local_end = memory.end;
    native_here = (struct native_here){l->out, j->spaces, j->threads, NULL};
    struct nat_launch own = j->launch;
    if (j->checks.which && !j->no_memory &&
        !native_shadow_make(&j->shadows[thread], l, j->module, &j->info, j->checks, &own))
        j->no_memory = true;
    fenv_t app; // rounding, subnormals and traps that the app has set are not the kernel's
    fegetenv(&app);
    fesetenv(FE_DFL_ENV);
    if (!j->is_proved) native_fault_enter(l, j->name);
    void *const locals = j->info.locals ? parts[0].at : NULL;
    if (!part) call_all(j, thread, &own, args, locals);
    else if (!j->no_memory) call_code(j, &own, args, locals, *part);
    if (j->checks.which && !part) memcpy(j->shadows[thread].counts, own.counts, sizeof own.counts);
    if (!j->is_proved) native_fault_leave();
    fesetenv(&app);
    if (!j->is_proved) look_at_zones(j, &memory);
}

static void work(void *context, unsigned thread) { work_on(context, thread, NULL); }

struct deep {
    struct native_job *job;
    pthread_t thread;
    unsigned number;
};
static void *deep_thread(void *context)
{
    struct deep *d = context;
    work(d->job, d->number);
    return NULL;
}

static struct err *run_deep(struct native_job *j)
{
    struct deep *d = mem_alloc(j->threads * sizeof *d);
    pthread_attr_t a;
    pthread_attr_init(&a);
    int bad = pthread_attr_setstacksize(&a, (j->info.frame + MORE_STACK + 65535) & ~65535ull);
    unsigned started = 0;
    for (; started < j->threads && !bad; started++) {
        d[started].job = j;
        d[started].number = started;
        if ((bad = pthread_create(&d[started].thread, &a, deep_thread, &d[started]))) break;
    }
    for (unsigned k = 0; k < started; k++) pthread_join(d[k].thread, NULL);
    pthread_attr_destroy(&a);
    free(d);
    if (started) return NULL; // fewer threads suffice
    return err_new("no thread with a stack of %llu bytes", (unsigned long long)j->info.frame);
}

// Chunks of groups per thread.
static const uint64_t PARTS = 8, SHORT_PARTS = 128;

static bool is_memory(const struct bc_arg *decl)
{
    return decl->kind == BC_ARG_BUFFER || decl->kind == BC_ARG_IMAGE;
}

bool native_buffers_overlap(const struct vm_launch *l, const struct bc_arg *decl)
{
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct vm_buffer *a = &l->args[i].buffer, *b = &l->args[k].buffer;
            if (!is_memory(&decl[i]) || !is_memory(&decl[k]) || !a->host || !b->host) continue;
            const char *p = (const char *)a->host + a->offset,
                       *q = (const char *)b->host + b->offset;
            if ((decl[i].may_write || decl[k].may_write) && p < q + b->size && q < p + a->size)
                return true;
        }
    return false;
}

struct nat_shape native_shape(const struct vm_launch *l, const struct bc_arg *decl)
{
    struct nat_shape s = {.apart = !native_buffers_overlap(l, decl),
                          .small = true,
                          .passes = dev_settings()->native_passes,
                          .sub_group = l->sub_group ? l->sub_group : BC_MAX_SUB_GROUP};
    for (unsigned d = 0; d < 3; d++) {
        s.local[d] = l->local[d];
        s.uneven |= l->global[d] % l->local[d] != 0;
        s.small &= l->offset[d] + l->global[d] <= 1ull << 31;
    }
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        s.small &= decl[i].kind != BC_ARG_BUFFER || l->args[i].buffer.size < 1ull << 31;
    return s;
}

static void set_grid(struct native_job *j)
{
    const struct vm_launch *l = j->l;
    j->groups = 1;
    for (unsigned d = 0; d < 3; d++) {
        const uint64_t n = (l->global[d] + l->local[d] - 1) / l->local[d];
        j->launch.offset[d] = l->offset[d];
        j->launch.global[d] = l->global[d];
        j->launch.local[d] = l->local[d];
        j->launch.groups[d] = n;
        j->groups *= n;
    }
    j->launch.dims = l->dims;
}

// Below so many work-items, waking threads costs more than it gives. Groups that use atomics may
// wait for one another.
enum { SMALL_LAUNCH = 512 };

static void make_shadows(struct native_job *j, uint64_t items)
{
    const struct native_stamps stamps = native_stamps_take(items);
    j->launch.stamp = (uint32_t)stamps.begin;
    j->shadows = mem_alloc(j->threads * sizeof *j->shadows);
    for (unsigned k = 0; k < j->threads; k++)
        j->shadows[k] = (struct native_shadow){.begin = stamps.begin, .end = stamps.end};
}

/** What no thread can see alone; then frees the shadows. */
static void end_shadows(struct native_job *j, uint64_t items, bool has_run)
{
    struct native_shadow *const s = j->shadows;
    has_run &= !j->no_memory && !j->is_anomalous;
    if (has_run && native_shadows_miscount(s, j->threads, &j->info))
        j->is_anomalous = j->is_miscounted = true;
    else if (has_run && native_shadows_conflict(s, j->threads, &j->info)) j->is_anomalous = true;
    for (unsigned k = 0; k < NAT_MARKS && has_run && !j->is_anomalous; k++)
        if (j->info.shadow[k] == NAT_EQUAL)
            native_shadows_equal(s, j->threads, k, items, &j->equal[k]);
    for (unsigned k = 0; k < j->threads; k++) native_shadow_free(&s[k], &j->info, has_run);
    free(s);
}

static struct err *run_all(struct native_job *j)
{
    const struct vm_launch *l = j->l;
    const uint64_t items = l->local[0] * l->local[1] * l->local[2];
    set_grid(j);
    // printf comes out in group order
    const bool is_small = j->groups * items < SMALL_LAUNCH && !l->kernel->uses_atomics;
    j->threads = l->kernel->uses_printf || is_small ? 1 : l->threads;
    if (j->threads > j->groups) j->threads = (unsigned)j->groups;
    if (!j->threads) return NULL;
    if (j->checks.which && native_is_sparse(l, j->decl)) j->threads = 1;
    // some for each thread, and not so many work-items that Ctrl-C would wait long for the end of
    // one
    const uint64_t most = (1 << 22) / items;
    const bool measured = l->kernel->uses_atomics && j->groups >= j->threads * SHORT_PARTS;
    j->chunk = j->groups / (j->threads * (measured ? SHORT_PARTS : PARTS));
    governor_init(&j->governor, measured ? j->threads : 1, j->groups);
    if (j->chunk > most) j->chunk = most;
    if (!j->chunk) j->chunk = 1;
    j->spaces = mem_alloc(j->threads * sizeof *j->spaces);
    if (j->checks.which) make_shadows(j, j->groups * items);
    struct err *e = NULL;
    if (j->info.frame > ORDINARY_FRAME) e = run_deep(j);
    else pool_run(j->threads, work, j);
    free(j->spaces);
    governor_destroy(&j->governor);
    if (j->checks.which) end_shadows(j, items, !e);
    if (!e && j->no_memory) e = err_new("no local memory");
    return e;
}

struct native_job *native_job_create(const struct bc_module *m, const struct vm_launch *l,
                                     const struct native_code *code,
                                     const struct nat_code_info *info,
                                     const struct nat_shape *shape, uint32_t insns)
{
    struct native_job *j = mem_alloc(sizeof *j);
    *j = (struct native_job){.l = l,
                             .module = m,
                             .decl = m->args + l->kernel->first_arg,
                             .name = bc_str(m, l->kernel->name),
                             .is_proved = true,
                             .code = code,
                             .info = *info,
                             .checks = {shape->checks, insns}};
    set_grid(j);
    for (uint32_t i = 0; i < l->kernel->nargs && i < NAT_MARKS; i++)
        if (shape->marks >> i & 1)
            j->launch.marks[i] = (int64_t)((uintptr_t)l->args[i].buffer.written->bytes -
                                           (uintptr_t)l->args[i].buffer.host);
    return j;
}

void native_job_destroy(struct native_job *j)
{
    for (unsigned k = 0; j && k < NAT_MARKS; k++) bits_deinit(&j->equal[k].groups);
    free(j);
}

struct err *native_job_run(struct native_job *j) { return run_all(j); }

bool native_job_is_anomalous(const struct native_job *j) { return j->is_anomalous; }

bool native_job_is_miscounted(const struct native_job *j) { return j->is_miscounted; }

const struct native_equal *native_job_equal(const struct native_job *j, unsigned argument)
{
    return j->equal[argument].cells ? &j->equal[argument] : NULL;
}

bool native_job_has_parts(const struct native_job *j) { return j->info.frame <= ORDINARY_FRAME; }

bool native_job_run_part(const struct native_job *j, uint64_t first, uint64_t end)
{
    struct native_space spaces[1] = {0};
    struct native_job own = {.l = j->l,
                             .module = j->module,
                             .decl = j->decl,
                             .name = j->name,
                             .is_proved = true,
                             .code = j->code,
                             .info = j->info,
                             .launch = j->launch,
                             .spaces = spaces,
                             .threads = 1};
    work_on(&own, 0, &(struct part){first, end});
    return !own.no_memory;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct program *p = program;
    struct native_job j = {.l = l,
                           .module = p->module,
                           .decl = p->module->args + l->kernel->first_arg,
                           .name = bc_str(p->module, l->kernel->name)};
    const struct nat_shape shape = native_shape(l, j.decl);
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    pthread_once(&watching, native_fault_watch);
    struct err *e = NULL;
    native_fault_begin(l, j.name);
    j.code = native_code_get(p->code, j.name, l->kernel->nargs, &shape, &j.info, &e);
    if (!e) {
        native_fault_built(l);
        e = run_all(&j);
    } else {
        e = err_wrap(e, "--native");
    }
    native_fault_end(l);
    return e;
}

static char *variable(void *program, uint32_t object)
{
    struct program *p = program;
    return native_program_variable(p->code, bc_str(p->module, p->module->objects[object].name));
}

const struct dev_device_ops dev_native = {
    .name = "native",
    .program_load = program_load,
    .program_unload = program_unload,
    .launch = launch,
    .variable = variable,
};

// SPDX-License-Identifier: MIT
// The native device: kernels as machine code, unchecked. The code comes from native_code.c; here are threads, memory, faults.
#include "devices/dev.h"
#include "devices/native_code.h"
#include "devices/native_runtime.h"

#include "base/mem.h"
#include "interp/collect.h"
#include "interp/pool.h"

#include <stdatomic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- programs

struct program {
    const struct bc_module *module;
    struct native_program *code;
};

static void *program_load(const struct bc_module *m, struct dev_blob code, struct err **e)
{
    if (!code.size) {
        *e = err_new("--native: this program was not built from source or LLVM bitcode in this run");
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

// ---- faults

static _Thread_local const struct vm_launch *running;
static _Thread_local const char *running_name;
static struct sigaction before[NSIG];
static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

static void add(char *to, size_t room, const char *text)
{
    const size_t at = strlen(to);
    for (size_t i = 0; text[i] && at + i + 1 < room; i++) to[at + i] = text[i], to[at + i + 1] = 0;
}

// In a signal handler: nothing but write(2). What was there before goes on with the signal: the fault happens again.
// (Of several threads the first one tells, in one piece; the others give it the time.)
static void on_fault(int signal, siginfo_t *info, void *context)
{
    static atomic_bool is_told;
    if (running && atomic_exchange(&is_told, true)) {
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    } else if (running) {
        char text[1000] = "", number[24], *p = number + sizeof number - 1;
        *p = 0;
        uint64_t n = running->number;
        do *--p = (char)('0' + n % 10);
        while (n /= 10);
        add(text, sizeof text, "cldbg: machine code of kernel '");
        add(text, sizeof text, running_name);
        add(text, sizeof text, "', launch ");
        add(text, sizeof text, p);
        if (running->host_site) add(text, sizeof text, ", "), add(text, sizeof text, running->host_site);
        add(text, sizeof text, signal == SIGSEGV || signal == SIGBUS ? ", accessed memory that is not there" : ", did what the processor does not allow");
        add(text, sizeof text, ".\ncldbg: run it without --native to have its accesses checked; --launches=");
        add(text, sizeof text, p);
        add(text, sizeof text, " checks this launch alone.\n");
        if (write(STDERR_FILENO, text, strlen(text)) < 0) running = NULL;
    }
    running = NULL;
    sigaction(signal, &before[signal], NULL);
}

static void watch_faults(void)
{
    struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++) sigaction(fault_signals[i], &a, &before[fault_signals[i]]);
}

// Code that has used up its stack has none for the handler either: a thread gets one for it, unless the app gave it one.
enum { HANDLER_STACK = 64 << 10 }; // the registers of AVX-512 alone are 3 KB

static void *lend_stack(stack_t *had)
{
    stack_t ours = {.ss_size = HANDLER_STACK};
    if (sigaltstack(NULL, had) || !(had->ss_flags & SS_DISABLE)) return NULL;
    ours.ss_sp = mem_try_alloc(HANDLER_STACK, 64);
    if (ours.ss_sp && !sigaltstack(&ours, NULL)) return ours.ss_sp;
    free(ours.ss_sp);
    return NULL;
}

static void take_stack_back(void *ours, const stack_t *had)
{
    if (ours) sigaltstack(had, NULL);
    free(ours);
}

// ---- launches

struct job {
    const struct vm_launch *l;
    const struct bc_arg *decl;
    const char *name;
    const struct native_code *code;
    struct native_code_info info;
    struct nat_launch launch;
    uint64_t groups, chunk;
    _Atomic uint64_t next;
    _Atomic bool no_memory;
};

static uint64_t round_up(uint64_t n) { return (n + 127) & ~127ull; }

static uint64_t local_bytes(const struct job *j)
{
    uint64_t bytes = round_up(j->info.locals);
    for (uint32_t i = 0; i < j->l->kernel->nargs; i++)
        if (j->decl[i].kind == BC_ARG_LOCAL) bytes += round_up(j->l->args[i].local_size);
    return bytes;
}

static void work(void *context, unsigned thread)
{
    struct job *j = context;
    const struct vm_launch *l = j->l;
    const uint32_t n = l->kernel->nargs;
    const uint64_t bytes = local_bytes(j);
    char *memory = bytes ? mem_try_alloc(bytes, 128) : NULL, *local = memory + round_up(j->info.locals);
    void **args = mem_alloc((n + 1) * sizeof *args);
    struct native_image *images = mem_alloc((n + 1) * sizeof *images);
    void **held = mem_alloc((n + 1) * sizeof *held); // arguments of opaque types: what the value is, at args[i]
    if (bytes && !memory) j->no_memory = true;
    for (uint32_t i = 0; i < n && !j->no_memory; i++) {
        const struct vm_arg *a = &l->args[i];
        switch (j->decl[i].kind) {
        case BC_ARG_BUFFER:
            held[i] = a->buffer.host ? (char *)a->buffer.host + a->buffer.offset : NULL;
            args[i] = j->decl[i].is_pipe ? &held[i] : held[i];
            break;
        case BC_ARG_LOCAL:
            args[i] = local;
            local += round_up(a->local_size);
            break;
        case BC_ARG_IMAGE:
            images[i] = (struct native_image){&a->image, (char *)a->buffer.host + a->buffer.offset};
            held[i] = &images[i];
            args[i] = &held[i];
            break;
        default: args[i] = (void *)a->value;
        }
    }
    stack_t had;
    void *stack = lend_stack(&had);
    native_here = (struct native_here){l->out, memory, memory + bytes, __builtin_frame_address(0)};
    running_name = j->name;
    running = l;
    while (!j->no_memory) {
        const uint64_t first = atomic_fetch_add(&j->next, j->chunk);
        if (first >= j->groups || (l->cancel && *l->cancel)) break;
        const uint64_t last = j->groups - first < j->chunk ? j->groups : first + j->chunk;
        native_code_call(j->code, args, memory, &j->launch, first, last);
    }
    running = NULL;
    take_stack_back(stack, &had);
    free(memory);
    free(held);
    free(images);
    free(args);
}

// Frames that do not fit on an ordinary stack get one of their own.
enum { ORDINARY_FRAME = 1 << 20, MORE_STACK = 1 << 20 };

struct deep {
    struct job *job;
    pthread_t thread;
    unsigned number;
};
static void *deep_thread(void *context)
{
    struct deep *d = context;
    work(d->job, d->number);
    return NULL;
}

static struct err *run_deep(struct job *j, unsigned threads)
{
    struct deep *d = mem_alloc(threads * sizeof *d);
    pthread_attr_t a;
    pthread_attr_init(&a);
    int bad = pthread_attr_setstacksize(&a, (j->info.frame + MORE_STACK + 65535) & ~65535ull);
    unsigned started = 0;
    for (; started < threads && !bad; started++) {
        d[started].job = j;
        d[started].number = started;
        if ((bad = pthread_create(&d[started].thread, &a, deep_thread, &d[started]))) break;
    }
    for (unsigned k = 0; k < started; k++) pthread_join(d[k].thread, NULL);
    pthread_attr_destroy(&a);
    free(d);
    if (started) return NULL; // fewer do as well
    return err_new("no thread with a stack of %llu bytes", (unsigned long long)j->info.frame);
}

static bool is_memory(const struct bc_arg *decl) { return decl->kind == BC_ARG_BUFFER || decl->kind == BC_ARG_IMAGE; }

// Do buffers or images overlap, of which the kernel may write one?
static bool buffers_meet(const struct vm_launch *l, const struct bc_arg *decl)
{
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct vm_buffer *a = &l->args[i].buffer, *b = &l->args[k].buffer;
            if (!is_memory(&decl[i]) || !is_memory(&decl[k]) || !a->host || !b->host) continue;
            const char *p = (const char *)a->host + a->offset, *q = (const char *)b->host + b->offset;
            if ((decl[i].may_write || decl[k].may_write) && p < q + b->size && q < p + a->size) return true;
        }
    return false;
}

static struct nat_shape shape_of(const struct vm_launch *l, const struct bc_arg *decl)
{
    struct nat_shape s = {.apart = !buffers_meet(l, decl), .small = true, .passes = dev_settings()->native_passes,
                          .sub_group = l->sub_group ? l->sub_group : VM_MAX_SUB_GROUP};
    for (unsigned d = 0; d < 3; d++) {
        s.local[d] = l->local[d];
        s.uneven |= l->global[d] % l->local[d] != 0;
        s.small &= l->offset[d] + l->global[d] <= 1ull << 31;
    }
    for (uint32_t i = 0; i < l->kernel->nargs; i++) s.small &= decl[i].kind != BC_ARG_BUFFER || l->args[i].buffer.size < 1ull << 31;
    return s;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct program *p = program;
    struct job j = {.l = l, .decl = p->module->args + l->kernel->first_arg, .groups = 1};
    const struct nat_shape shape = shape_of(l, j.decl);
    for (unsigned d = 0; d < 3; d++) {
        const uint64_t n = (l->global[d] + l->local[d] - 1) / l->local[d];
        j.launch.offset[d] = l->offset[d];
        j.launch.global[d] = l->global[d];
        j.launch.local[d] = l->local[d];
        j.launch.groups[d] = n;
        j.groups *= n;
    }
    j.launch.dims = l->dims;
    const char *name = j.name = bc_str(p->module, l->kernel->name);
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    pthread_once(&watching, watch_faults);
    struct err *e = NULL;
    j.code = native_code_get(p->code, name, l->kernel->nargs, &shape, &j.info, &e);
    if (e) return err_wrap(e, "--native");
    // printf comes out in group order
    unsigned threads = l->kernel->uses_printf || j.groups == 1 ? 1 : l->threads;
    if (threads > j.groups) threads = (unsigned)j.groups;
    // eight for each thread, and not so many work-items that Ctrl-C would wait long for the end of one
    const uint64_t most = (1 << 22) / (l->local[0] * l->local[1] * l->local[2]);
    j.chunk = j.groups / (threads * 8ull);
    if (j.chunk > most) j.chunk = most;
    if (!j.chunk) j.chunk = 1;
    if (j.info.frame > ORDINARY_FRAME) e = run_deep(&j, threads);
    else pool_run(threads, work, &j);
    if (!e && j.no_memory) e = err_new("no local memory");
    return e;
}

const struct dev_device_ops dev_native = {
    .name = "native",
    .program_load = program_load,
    .program_unload = program_unload,
    .launch = launch,
};

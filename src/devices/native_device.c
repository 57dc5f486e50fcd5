// SPDX-License-Identifier: MIT
// The native device: kernels as machine code, unchecked. The code comes from cldbg-cc (native/) by way of a plug-in that has LLVM
// (native_jit.c); here are threads, memory, and what the code calls.
#include "devices/cache.h"
#include "devices/dev.h"
#include "devices/native_plugin.h"

#include "base/mem.h"
#include "builtins/builtins.h"
#include "interp/collect.h"
#include "interp/format.h"
#include "interp/pool.h"
#include "interp/texel.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- what the code calls

static _Thread_local FILE *out;

static void async_copy(char *to, const char *from, uint64_t elem, uint64_t count, uint64_t step_to, uint64_t step_from, uint64_t item, uint64_t items)
{
    for (uint64_t k = item; k < count; k += items) memcpy(to + k * step_to * elem, from + k * step_from * elem, elem);
}

static void put_text(void *context, uint64_t pointer, struct str *text)
{
    str_put(text, pointer ? (const char *)(uintptr_t)pointer : "(null)");
}

static int32_t print(const char *format, const struct nat_printf_arg *types, const uint64_t *values, uint32_t n)
{
    struct str s = {0};
    struct vm_format_value *v = mem_alloc((n + 1) * sizeof *v);
    char wrong[VM_FORMAT_WRONG];
    for (uint32_t i = 0; i < n; i++) {
        v[i] = (struct vm_format_value){types[i].type, types[i].ncomp, values};
        values += types[i].ncomp;
    }
    const bool ok = vm_format(&s, format, v, n, put_text, NULL, wrong);
    fwrite(str_text(&s), 1, s.len, out);
    free(v);
    str_deinit(&s);
    return ok ? 0 : -1;
}

struct image {
    const struct vm_image *image;
    char *base;
};

static void image(const struct image *m, uint32_t what, uint32_t has_sampler, void *sampler, const uint32_t *coord, uint32_t ncoord, uint32_t *value)
{
    vm_texel_access(m->image, m->base, what, has_sampler, (uint64_t)(uintptr_t)sampler, coord, ncoord, value);
}

static uint32_t image_query(const struct image *m, uint32_t what)
{
    const struct vm_image *i = m->image;
    switch (what) {
    case BC_IMAGE_WIDTH: return (uint32_t)i->size[0];
    case BC_IMAGE_HEIGHT: return (uint32_t)i->size[1];
    case BC_IMAGE_DEPTH: return (uint32_t)i->size[2];
    case BC_IMAGE_LAYERS: return (uint32_t)i->layers;
    case BC_IMAGE_TYPE: return i->format.type;
    default: return i->format.order;
    }
}

// Private objects lie on this thread's stack, above the code that asks and below the one that called the kernel.
static _Thread_local const char *local_begin, *local_end, *stack_end;

static const char *in_space(const char *p, uint32_t space)
{
    const bool is_local = p >= local_begin && p < local_end, is_private = p < stack_end && p > (const char *)__builtin_frame_address(0);
    return (is_local ? BC_LOCAL : is_private ? BC_PRIVATE : BC_GLOBAL) == space ? p : NULL;
}

// The region that is run next, by where each of n work-items is (native/abi.h). -1: all have returned.
static int32_t next_region(int32_t *at, int64_t n)
{
    int32_t waiting = -1;
    for (int64_t i = 0; i < n; i++) {
        if (at[i] >= 0 && at[i] != NAT_RETURNED) return at[i];
        if (at[i] < 0 && ~at[i] & NAT_SUB_WAIT && waiting < 0) waiting = ~at[i];
    }
    if (waiting >= 0) {
        for (int64_t i = 0; i < n; i++)
            if (at[i] == ~waiting) at[i] = waiting & ~NAT_SUB_WAIT;
        return waiting & ~NAT_SUB_WAIT;
    }
    int32_t first = -1;
    for (int64_t i = n; i-- > 0;)
        if (at[i] < 0) first = at[i] = ~at[i];
    return first;
}

// What a function of the work-group or of sub-groups gives to those of n work-items that are there (at NULL: all of them); put: a row of
// words each, as native/builtin_group.c says.
static void collect_group(const struct vm_collective *q, char *put, uint64_t bytes, uint32_t n, const int32_t *at, int32_t region, uint32_t k)
{
    uint64_t *v = mem_alloc(n * sizeof *v), all = 0, sum = vm_combine_identity(q);
    uint32_t here = 0;
#define WORD(i, w) ((uint64_t *)(put + (i) * bytes))[w]
    for (uint32_t i = 0; i < n; i++)
        if (!at || at[i] == region) v[here++] = WORD(i, k);
    if (q->what == BC_COL_REDUCE || q->what == BC_COL_ALL || q->what == BC_COL_ANY) all = vm_combined(q, v, here);
    for (uint32_t i = 0, had = 0; i < n; i++) {
        if (at && at[i] != region) continue;
        uint64_t r = all;
        if (q->what == BC_COL_BROADCAST) r = WORD(i, 0) < here ? v[WORD(i, 0)] : 0;
        if (q->what == BC_COL_INCLUSIVE || q->what == BC_COL_EXCLUSIVE) {
            const uint64_t next = had ? vm_combine(q, sum, v[had]) : v[0];
            r = q->what == BC_COL_INCLUSIVE ? next : sum;
            sum = next;
        }
        had++;
        WORD(i, k) = r;
    }
    free(v);
}

static void collect_sub_groups(const struct vm_collective *q, char *put, uint64_t bytes, uint32_t n, const int32_t *at, int32_t region, uint32_t k,
                               uint32_t size)
{
    for (uint32_t first = 0; first < n; first += size) {
        struct vm_sub_group s = {.size = n - first < size ? n - first : size, .whole = size};
        bool any = false;
        for (uint32_t i = 0; i < s.size; i++) {
            if (!(s.active[i] = !at || at[first + i] == region)) continue;
            s.v[i] = WORD(first + i, k);
            s.by[i] = WORD(first + i, 0) & UINT32_MAX;
            if (!any && q->has_cluster) s.cluster = WORD(first + i, 1) & UINT32_MAX;
            any = true;
        }
        if (!any) continue;
        vm_sub_group_collect(q, &s);
        for (uint32_t i = 0; i < s.size; i++)
            if (s.active[i]) WORD(first + i, k) = s.r[i];
    }
#undef WORD
}

static void collect(char *put, uint64_t bytes, uint64_t n, const int32_t *at, int32_t region, uint32_t ext, uint32_t components, uint32_t has_cluster,
                    uint32_t sub_group)
{
    const struct vm_collective q = {(uint8_t)ext, (uint8_t)(ext >> 8), (uint8_t)(ext >> 16 & 0x7f), has_cluster};
    for (uint32_t k = 2; k < 2 + components && q.what != BC_COL_BARRIER; k++) {
        if (ext >> 24 == BC_SCOPE_GROUP) collect_group(&q, put, bytes, (uint32_t)n, at, region, k);
        else collect_sub_groups(&q, put, bytes, (uint32_t)n, at, region, k, sub_group);
    }
}

// of the compiler's own library: half on processors that have it not
void __extendhfsf2(void);
void __truncsfhf2(void);
void __truncdfhf2(void);

static struct native_symbol symbols[BI_FN_COUNT + 32];
static size_t nsymbols;

static void add_symbol(const char *name, void *at) { symbols[nsymbols++] = (struct native_symbol){name, at}; }

static void add_symbols(void)
{
    for (unsigned k = 0; k < BI_FN_COUNT; k++) {
        struct str s = {0};
        str_printf(&s, "cldbg-lane-%s", bi_lane_fns[k].name);
        add_symbol(str_take(&s), (void *)bi_lane_fns[k].fn);
    }
    add_symbol("cldbg-async-copy", (void *)async_copy);
    add_symbol("cldbg-image", (void *)image);
    add_symbol("cldbg-image-query", (void *)image_query);
    add_symbol("cldbg-in-space", (void *)in_space);
    add_symbol("cldbg-printf", (void *)print);
    add_symbol(NAT_NEXT, (void *)next_region);
    add_symbol(NAT_COLLECT_ALL, (void *)collect);
    // what LLVM's code generator makes calls of
#define LIBC(f) add_symbol(#f, (void *)f);
    LIBC(memcpy) LIBC(memmove) LIBC(memset) LIBC(fmod) LIBC(fmodf) LIBC(fma) LIBC(fmaf) LIBC(floor) LIBC(floorf) LIBC(ceil) LIBC(ceilf)
    LIBC(trunc) LIBC(truncf) LIBC(rint) LIBC(rintf) LIBC(__extendhfsf2) LIBC(__truncsfhf2) LIBC(__truncdfhf2)
}

// ---- the plug-in

static struct {
    pthread_once_t once;
    const struct native_plugin *plugin;
    char *why;
} native = {.once = PTHREAD_ONCE_INIT};

static bool cache_get(uint64_t a, uint64_t b, struct str *to) { return dev_cache_get((struct dev_cache_key){a, b}, to); }
static void cache_put(uint64_t a, uint64_t b, const struct str *data) { dev_cache_put((struct dev_cache_key){a, b}, data, (struct wire_blob){0}); }
static void remark(const char *kernel, const struct nat_shape *s, const char *text)
{
    if (!dev_settings()->remarks) return;
    FILE *f = dev_report_out();
    for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1)
        fprintf(f, "cldbg: remark: kernel '%s', groups of %llux%llux%llu: %.*s\n", kernel, (unsigned long long)s->local[0],
                (unsigned long long)s->local[1], (unsigned long long)s->local[2], (int)(end - p), p);
}
static struct native_host host = {symbols, 0, cache_get, cache_put, remark};

static void open_plugin(void)
{
    // beside this library: installed, or in the build tree
    static const char *const near[] = {"libcldbg-native.so", "../../devices/.libs/libcldbg-native.so", "../devices/.libs/libcldbg-native.so"};
    Dl_info info;
    char path[PATH_MAX + 64];
    void *h = NULL;
    if (dladdr((void *)open_plugin, &info) && info.dli_fname) {
        const char *slash = strrchr(info.dli_fname, '/');
        for (size_t i = 0; slash && i < sizeof near / sizeof *near && !h; i++) {
            snprintf(path, sizeof path, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, near[i]);
            h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    native.plugin = h ? dlsym(h, NATIVE_PLUGIN) : NULL;
    if (!native.plugin) native.why = mem_strdup(dlerror());
    add_symbols();
    host.nsymbols = nsymbols;
}

// ---- programs

struct program {
    const struct bc_module *module;
    void *loaded;
    void *bitcode;
};

static void *program_load(const struct bc_module *m, struct dev_blob code, struct err **e)
{
    pthread_once(&native.once, open_plugin);
    if (!native.plugin) {
        *e = err_new("--native: the part of cldbg that runs machine code cannot be loaded: %s", native.why);
        return NULL;
    }
    if (!code.size) {
        *e = err_new("--native: this program was not built from source or LLVM bitcode in this run");
        return NULL;
    }
    struct program *p = mem_alloc(sizeof *p);
    *p = (struct program){.module = m, .bitcode = mem_dup(code.data, code.size)};
    p->loaded = native.plugin->load(&host, p->bitcode, code.size, e);
    if (p->loaded) return p;
    free(p->bitcode);
    free(p);
    return NULL;
}

static void program_unload(void *program)
{
    struct program *p = program;
    native.plugin->unload(p->loaded);
    free(p->bitcode);
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
    struct image *images = mem_alloc((n + 1) * sizeof *images), **image_at = mem_alloc((n + 1) * sizeof *image_at);
    if (bytes && !memory) j->no_memory = true;
    for (uint32_t i = 0; i < n && !j->no_memory; i++) {
        const struct vm_arg *a = &l->args[i];
        switch (j->decl[i].kind) {
        case BC_ARG_BUFFER: args[i] = a->buffer.host ? (char *)a->buffer.host + a->buffer.offset : NULL; break;
        case BC_ARG_LOCAL:
            args[i] = local;
            local += round_up(a->local_size);
            break;
        case BC_ARG_IMAGE:
            images[i] = (struct image){&a->image, (char *)a->buffer.host + a->buffer.offset};
            image_at[i] = &images[i];
            args[i] = &image_at[i];
            break;
        default: args[i] = (void *)a->value;
        }
    }
    stack_t had;
    void *stack = lend_stack(&had);
    out = l->out;
    local_begin = memory;
    local_end = memory + bytes;
    stack_end = (const char *)__builtin_frame_address(0);
    running_name = j->name;
    running = l;
    while (!j->no_memory) {
        const uint64_t first = atomic_fetch_add(&j->next, j->chunk);
        if (first >= j->groups || (l->cancel && *l->cancel)) break;
        const uint64_t last = j->groups - first < j->chunk ? j->groups : first + j->chunk;
        native.plugin->call(j->code, args, memory, &j->launch, first, last);
    }
    running = NULL;
    take_stack_back(stack, &had);
    free(memory);
    free(image_at);
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
    j.code = native.plugin->code(p->loaded, name, l->kernel->nargs, &shape, &j.info, &e);
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

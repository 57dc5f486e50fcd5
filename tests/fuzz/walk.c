// SPDX-License-Identifier: MIT
// A random walk over all entry points of the API, with arguments that are right, nearly right and
// nonsense, by one thread or by many that share their objects and release them in any order. Every
// call must come back with a code that exists, and an object exactly when it says success; when
// everything is released, every context must be freed.
//
//   walk [SEED [STEPS [THREADS]]]     default: 1 3000 1
//
// Handles are from a pool, and in part NULL, of another type or (one thread only: with more it
// would be the app's race) of an object that was released. Host memory is what no driver can
// check: pointers and pitches that go with it are right.
#include "api/dispatch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum type { CONTEXT, QUEUE, MEM, PROGRAM, KERNEL, EVENT, SAMPLER, DEVICE, TYPES };
enum { SLOTS = 12, HELD = 64, HOST = 4 << 20, MOST_THREADS = 64, PENDING = 256 };

static const struct _cl_icd_dispatch *cl;
static cl_platform_id platform;
static cl_device_id root;
static unsigned nthreads = 1;
static _Atomic unsigned contexts, gone;

// ---- chance
static __thread uint64_t state;
static __thread unsigned char *host; // what the calls of this thread may read and write

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull >> 8;
}

static unsigned below(unsigned n) { return (unsigned)(draw() % n); }
static int rarely(void) { return below(12) == 0; }
#define ONE_OF(...)                                                                                \
    (((const uint64_t[]){__VA_ARGS__})[below(sizeof((const uint64_t[]){__VA_ARGS__}) / 8)])
static size_t size(void)
{
    return rarely() ? ONE_OF(0, ~0ull, 1ull << 63, 1ull << 40, ~0ull - 7, ~0ull >> 1, 1ull << 32)
                    : ONE_OF(1, 4, 8, 16, 64, 100, 256, 1024, 4096);
}
static size_t small(void) { return rarely() ? 0 : 1 + below(17); }
static cl_uint number(void)
{
    return rarely() ? (cl_uint)ONE_OF(~0u, 1u << 31, 1000, 17) : below(4);
}
static void *memory(void) { return rarely() ? NULL : host + 64 * below(1024); }
// What a call reads before it comes back: no command under way writes here.
static const void *input(void)
{
    static const char bytes[256];
    return rarely() ? NULL : bytes;
}
static cl_uint query(unsigned first, unsigned n)
{
    return rarely() ? (cl_uint)draw() : first + below(n);
}

// ---- objects
static pthread_mutex_t arguments = PTHREAD_MUTEX_INITIALIZER; // of kernels: to set, copy and use
                                                              // them at a time is the app's mistake
static __thread const char *doing = "";                       // the entry point, for messages

static cl_int change(enum type t, void *h, int retain)
{
    switch (t) {
    case CONTEXT: return retain ? cl->clRetainContext(h) : cl->clReleaseContext(h);
    case QUEUE: return retain ? cl->clRetainCommandQueue(h) : cl->clReleaseCommandQueue(h);
    case MEM: return retain ? cl->clRetainMemObject(h) : cl->clReleaseMemObject(h);
    case PROGRAM: return retain ? cl->clRetainProgram(h) : cl->clReleaseProgram(h);
    case KERNEL: return retain ? cl->clRetainKernel(h) : cl->clReleaseKernel(h);
    case EVENT: return retain ? cl->clRetainEvent(h) : cl->clReleaseEvent(h);
    case SAMPLER: return retain ? cl->clRetainSampler(h) : cl->clReleaseSampler(h);
    case DEVICE:
        return h == root ? CL_SUCCESS : retain ? cl->clRetainDevice(h) : cl->clReleaseDevice(h);
    default: return CL_SUCCESS;
    }
}

static void fail(const char *what, long code)
{
    printf("%s: %s (%ld)\n", doing, what, code);
    fflush(stdout);
    abort();
}

static cl_int done(cl_int code)
{
    if (code > 0 || (code < -72 && code > -1000) || code < -1200) fail("no such code", code);
    return code;
}

static struct {
    pthread_mutex_t
        lock; // guards all of it; no call of the API that may take long is made under it
    void *slot[TYPES][SLOTS];
    void *stale[TYPES];
    cl_event pending[PENDING]; // user events that were never set: retained
    unsigned npending;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct {
    enum type t;
    void *h;
} held[HELD];
static __thread unsigned nheld;

static void let_go(void)
{
    while (nheld) nheld--, change(held[nheld].t, held[nheld].h, 0);
}

/** A handle to pass: mostly a live one, which lives until let_go(). */
static void *some(enum type t)
{
    if (below(30) == 0) {
        if (t == DEVICE) return root;
        const unsigned k = below(4);
        if (k == 0) return NULL;
        if (k == 1) return (void *)(uintptr_t)(draw() & ~(uint64_t)1023); // wild
        if (k == 2 && nthreads == 1) return pool.stale[t];
        t = (enum type)below(TYPES); // of another type
    }
    pthread_mutex_lock(&pool.lock);
    void *h = NULL;
    for (unsigned i = 0, at = below(SLOTS); i < SLOTS && !h; i++)
        h = pool.slot[t][(at + i) % SLOTS];
    if (h && (nheld == HELD || change(t, h, 1))) h = NULL;
    pthread_mutex_unlock(&pool.lock);
    if (h) held[nheld].t = t, held[nheld++].h = h;
    return h ? h : t == DEVICE ? root : NULL;
}

/** A new object; the previous one in its place is released. */
static void keep(enum type t, void *h)
{
    if (!h) return;
    pthread_mutex_lock(&pool.lock);
    void **at = &pool.slot[t][below(SLOTS)];
    void *old = *at;
    *at = h;
    if (old) pool.stale[t] = old;
    pthread_mutex_unlock(&pool.lock);
    if (old && change(t, old, 0)) fail("a live object cannot be released", t);
}

static void *made(enum type t, void *h, cl_int code)
{
    done(code);
    if ((code == CL_SUCCESS) != (h != NULL)) fail("object and code disagree", code);
    keep(t, h);
    return h;
}

#define MADE(t, ...)                                                                               \
    ({                                                                                             \
        void *h_ = (__VA_ARGS__);                                                                  \
        made(t, h_, e);                                                                            \
    }) // (in this order)

static void forget(enum type t)
{
    pthread_mutex_lock(&pool.lock);
    void **at = &pool.slot[t][below(SLOTS)], *old = *at;
    *at = NULL;
    if (old) pool.stale[t] = old;
    pthread_mutex_unlock(&pool.lock);
    if (old && change(t, old, 0)) fail("a live object cannot be released", t);
}

/** Commands may wait for them: a blocking call would wait forever. */
static void set_pending(void)
{
    cl_event list[PENDING];
    pthread_mutex_lock(&pool.lock);
    const unsigned n = pool.npending;
    memcpy(list, pool.pending, n * sizeof *list);
    pool.npending = 0;
    pthread_mutex_unlock(&pool.lock);
    for (unsigned i = 0; i < n; i++) {
        cl->clSetUserEventStatus(list[i],
                                 i % 5 ? CL_COMPLETE : -9); // fails where the walk has set it
        cl->clReleaseEvent(list[i]);
    }
}

static cl_bool blocking(void)
{
    const cl_bool b = below(4) == 0;
    if (b && nthreads == 1) set_pending();
    return b;
}

// ---- lists of events, and what comes out; of the command of this step
static __thread cl_event list[4], *wait_list, out, *wanted;
static __thread cl_uint nlist;
#define WAIT nlist, wait_list, wanted

static void prepare(void)
{
    nlist = below(3) ? 0 : 1 + below(3);
    for (cl_uint i = 0; i < 4; i++) list[i] = i < nlist ? some(EVENT) : NULL;
    wait_list = (nlist != 0) ^ (below(60) == 0) ? list : NULL;
    wanted = below(3) ? &out : NULL;
    out = NULL;
}

static cl_int sent(cl_int code)
{
    done(code);
    if (out && code) fail("an event of a command that was refused", code);
    keep(EVENT, out);
    out = NULL;
    return code;
}

// ---- callbacks
static void CL_CALLBACK on_error(const char *text, const void *info, size_t n, void *data)
{
    if (!text) abort();
}
static void CL_CALLBACK on_gone(cl_context c, void *data) { gone++; }
static void CL_CALLBACK on_mem(cl_mem m, void *data) {}
static void CL_CALLBACK on_program(cl_program p, void *data) {}
static void CL_CALLBACK on_event(cl_event e, cl_int status, void *data)
{
    cl_int s;
    if (cl->clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL)) abort();
}
static void CL_CALLBACK native(void *args)
{
    if (args) *(char *)args ^= 1;
}
static void CL_CALLBACK on_free(cl_command_queue q, cl_uint n, void **p, void *context)
{
    for (cl_uint i = 0; i < n; i++) cl->clSVMFree(context, p[i]);
}

// Blocks of shared virtual memory are each their thread's: no other thread may free one that is
// used here.
static __thread struct {
    cl_context c;
    void *p;
} blocks[4];

// ---- programs
static const char *const sources[] = {
    "kernel void add(global int *p, int n) { p[get_global_id(0) * n] += n; }\n"
    "kernel void turn(global uint *o, local uint *t, constant uint *c) { uint l = get_local_id(0); "
    "t[l] = c[l & 3]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    o[get_global_id(0)] = t[get_local_size(0) - 1 - l]; }\n",
    "kernel void blur(read_only image2d_t r, write_only image2d_t w, sampler_t s) { int2 at = "
    "(int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(w, at, read_imagef(r, s, convert_float2(at))); }\n",
    "struct s { int a; float4 b; }; kernel void parts(struct s v, global float4 *o) { "
    "printf(\"%d\\n\", v.a); o[get_global_id(0)] = v.b; }\n"
    "kernel void walk(global ulong *o) { global ulong *p = (global ulong *)o[0]; if (p) p[1] = 7; "
    "}\n"
    "__attribute__((reqd_work_group_size(4, 2, 1))) kernel void shaped(global int *o) { "
    "atomic_inc(o + get_local_id(1)); }\n",
    "int other(int); kernel void calls(global int *o) { o[0] = other(3); }\n",
    "int other(int x) { return x + 1; }\n",
    "kernel void broken(global int *o) { o[0] = }\n",
    "#include \"other.h\"\nkernel void included(global int *o) { o[0] = X; while (o[0]) ; }\n",
    "#define X 4\n",
    "",
};
static const char *const names[] = {"add",    "turn",  "blur",     "parts",  "walk",
                                    "shaped", "calls", "included", "nosuch", ""};
static const char *const options[] = {NULL,
                                      "",
                                      "-w",
                                      "-cl-std=CL1.2",
                                      "-cl-std=CL3.0 -cl-kernel-arg-info",
                                      "-DX=1 -I .",
                                      "-create-library",
                                      "-nonsense",
                                      "-D",
                                      "-cl-opt-disable -Werror",
                                      "-cl-std=CL9.9",
                                      "\"",
                                      "-enable-link-options -create-library"};
#define PICK(list) ((list)[below(sizeof(list) / sizeof *(list))])

static void program(void)
{
    static __thread unsigned char bytes[1 << 16];
    const char *text[2] = {PICK(sources), rarely() ? NULL : "\n"};
    size_t lengths[2] = {strlen(text[0]), 0};
    cl_int e, status;
    const unsigned k = below(10);
    const unsigned char *binary = bytes;
    if (k < 6) {
        doing = "clCreateProgramWithSource";
        MADE(PROGRAM,
             cl->clCreateProgramWithSource(some(CONTEXT), rarely() ? number() % 3 : 1,
                                           rarely() ? NULL : text, below(2) ? lengths : NULL, &e));
    } else if (k < 9) {
        cl_program p = some(PROGRAM);
        size_t n = 0;
        unsigned char *to = bytes;
        doing = "clGetProgramInfo";
        if (cl->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL) ||
            n > sizeof bytes)
            return;
        if (cl->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof to, &to, NULL)) return;
        for (unsigned i = below(3); n && i; i--) bytes[below((unsigned)n)] = (unsigned char)draw();
        doing = "clCreateProgramWithBinary";
        cl_device_id d = some(DEVICE);
        MADE(PROGRAM, cl->clCreateProgramWithBinary(
                          some(CONTEXT), rarely() ? number() % 2 : 1, rarely() ? NULL : &d, &n,
                          rarely() ? NULL : &binary, below(2) ? &status : NULL, &e));
    } else {
        doing = "clCreateProgramWithIL";
        MADE(PROGRAM, cl->clCreateProgramWithIL(some(CONTEXT), input(), below(200), &e));
    }
}

static void build(void)
{
    cl_int e;
    cl_program p = some(PROGRAM), in[2] = {some(PROGRAM), some(PROGRAM)};
    const char *header = "other.h";
    cl_device_id d = some(DEVICE);
    const cl_uint n = rarely() ? number() % 2 : below(2);
    void(CL_CALLBACK * then)(cl_program, void *) = below(3) ? NULL : on_program;
    const unsigned k = below(8);
    if (k < 5)
        doing = "clBuildProgram",
        done(cl->clBuildProgram(p, n, n || rarely() ? &d : NULL, PICK(options), then, NULL));
    else if (k == 5)
        doing = "clCompileProgram", done(cl->clCompileProgram(p, n, n ? &d : NULL, PICK(options),
                                                              below(2), in, &header, then, NULL));
    else {
        doing = "clLinkProgram";
        cl_program l = cl->clLinkProgram(some(CONTEXT), n, n ? &d : NULL, PICK(options), below(3),
                                         in, then, NULL, &e);
        done(e); // what cannot be linked is a program all the same
        keep(PROGRAM, l);
    }
}

static void kernel(void)
{
    cl_int e;
    doing = "clCreateKernel";
    if (below(4)) {
        MADE(KERNEL, cl->clCreateKernel(some(PROGRAM), rarely() ? NULL : PICK(names), &e));
    } else if (below(2)) {
        doing = "clCreateKernelsInProgram";
        cl_kernel k[8] = {0};
        cl_uint n = 0;
        if (!done(cl->clCreateKernelsInProgram(some(PROGRAM), 8, k, &n)))
            for (cl_uint i = 0; i < n; i++) keep(KERNEL, k[i]);
    } else {
        doing = "clCloneKernel";
        pthread_mutex_lock(&arguments);
        MADE(KERNEL, cl->clCloneKernel(some(KERNEL), &e));
        pthread_mutex_unlock(&arguments);
    }
}

static void argument(void)
{
    cl_kernel k = some(KERNEL);
    void *h = below(3) ? some(MEM) : some(SAMPLER);
    void *p = blocks[below(4)].p;
    doing = "clSetKernelArg";
    const cl_uint i = rarely() ? number() : below(3);
    pthread_mutex_lock(&arguments);
    switch (below(6)) {
    case 0: done(cl->clSetKernelArg(k, i, size(), NULL)); break;
    case 1: done(cl->clSetKernelArg(k, i, 4, &(int){(int)draw()})); break;
    case 2: done(cl->clSetKernelArg(k, i, (size_t)ONE_OF(1, 8, 16, 32, 48), host)); break;
    case 3: done(cl->clSetKernelArgSVMPointer(k, i, rarely() ? (void *)draw() : p)); break;
    case 4:
        doing = "clSetKernelExecInfo";
        done(cl->clSetKernelExecInfo(k, query(0x11B6, 3), below(2) ? sizeof p : size() % 64,
                                     rarely() ? NULL : (void *[8]){p, p}));
        break;
    default: done(cl->clSetKernelArg(k, i, sizeof h, &h));
    }
    pthread_mutex_unlock(&arguments);
}

static void launch(void)
{
    size_t at[3] = {rarely() ? size() : 0}, range[3], group[3];
    for (unsigned i = 0; i < 3; i++)
        range[i] = below(40) ? 1 + below(i ? 3 : 70) : size(), group[i] = rarely()   ? size()
                                                                          : below(2) ? 1
                                                                                     : range[i];
    if (range[0] > 4096 && range[0] <= 1ull << 40)
        range[0] = 4096; // else it is the walk that takes long
    cl_command_queue q = some(QUEUE);
    cl_kernel k = some(KERNEL);
    pthread_mutex_lock(&arguments);
    if (below(6)) {
        doing = "clEnqueueNDRangeKernel";
        sent(cl->clEnqueueNDRangeKernel(q, k, rarely() ? number() : 1 + below(3),
                                        rarely() ? at : NULL, rarely() ? NULL : range,
                                        below(2) ? group : NULL, WAIT));
    } else if (below(2)) {
        doing = "clEnqueueTask";
        sent(cl->clEnqueueTask(q, k, WAIT));
    } else {
        doing = "clEnqueueNativeKernel";
        cl_mem m = some(MEM);
        char given[64] = {0};
        const void *where = given + 8;
        const cl_uint n = below(2);
        sent(cl->clEnqueueNativeKernel(q, rarely() ? NULL : native, rarely() ? NULL : given,
                                       rarely() ? 0 : 64, n, n || rarely() ? &m : NULL,
                                       n || rarely() ? &where : NULL, WAIT));
    }
    pthread_mutex_unlock(&arguments);
}

// ---- memory
static cl_mem_flags mem_flags(void)
{
    return rarely() ? draw()
                    : ONE_OF(0, 1, 2, 4, 1 | 8, 1 | 16, 1 | 32, 1 | 16 | 32, 4 | 32, 1 | 1 << 7,
                             2 | 1 << 8, 1 | 1 << 9);
}

static cl_image_format format(void)
{
    return (cl_image_format){(cl_channel_order)(rarely() ? draw() : 0x10B0 + below(18)),
                             (cl_channel_type)(rarely() ? draw() : 0x10D0 + below(16))};
}

static void mem(void)
{
    cl_int e;
    cl_context c = some(CONTEXT);
    cl_mem m = some(MEM);
    const cl_mem_flags f = mem_flags();
    void *p = (f & (8 | 32)) || rarely() ? host + 4096 * below(16) : NULL;
    const cl_image_format fm = format();
    const cl_image_desc d = {.image_type = query(0x10F0, 9),
                             .image_width = small(),
                             .image_height = rarely() ? size() : small(),
                             .image_depth = small(),
                             .image_array_size = small(),
                             .image_row_pitch = below(3) ? 0 : 512 * below(3),
                             .image_slice_pitch = below(3) ? 0 : 16384 * below(3),
                             .num_mip_levels = rarely(),
                             .buffer = below(3) ? NULL : m};
    const cl_buffer_region r = {rarely() ? size() : 128 * below(4),
                                rarely() ? size() : 1 + below(300)};
    const cl_mem_properties none[] = {rarely() ? draw() : 0, 0, 0};
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
        doing = "clCreateBuffer",
        m = MADE(MEM, cl->clCreateBuffer(c, f, p ? 1 + below(5000) : size(), p, &e));
        break;
    case 3:
        doing = "clCreateSubBuffer",
        MADE(MEM, cl->clCreateSubBuffer(m, mem_flags() & (below(3) ? ~0ull : 7),
                                        rarely() ? 1 : CL_BUFFER_CREATE_TYPE_REGION,
                                        rarely() ? NULL : &r, &e));
        break;
    case 4:
        doing = "clCreateBufferWithProperties",
        MADE(MEM, cl->clCreateBufferWithProperties(c, below(2) ? NULL : none, f, p ? 4096 : size(),
                                                   p, &e));
        break;
    case 5:
        doing = "clCreateImage",
        MADE(MEM, cl->clCreateImage(c, f, rarely() ? NULL : &fm, rarely() ? NULL : &d, p, &e));
        break;
    case 6:
        doing = "clCreateImageWithProperties",
        MADE(MEM, cl->clCreateImageWithProperties(c, below(2) ? NULL : none, f, &fm, &d, p, &e));
        break;
    default:
        doing = "clCreateImage2D",
        MADE(MEM, cl->clCreateImage2D(c, f, &fm, small(), small(), below(2) ? 0 : 512, p, &e));
        doing = "clCreateImage3D",
        MADE(MEM, cl->clCreateImage3D(c, f, &fm, small(), small(), small(), 0, 0, p, &e));
    }
    doing = "clSetMemObjectDestructorCallback";
    if (rarely()) done(cl->clSetMemObjectDestructorCallback(m, on_mem, NULL));
}

static void transfer(void)
{
    cl_command_queue q = some(QUEUE);
    cl_mem a = some(MEM), b = some(MEM);
    const size_t x = rarely() ? size() : below(64), y = rarely() ? size() : below(64),
                 n = rarely() ? size() : 1 + below(300);
    const size_t o[3] = {rarely() ? size() : below(3), rarely() ? size() : below(3),
                         rarely() ? size() : 0},
                 h[3] = {below(8), below(4), below(2)};
    const size_t r[3] = {rarely() ? size() : small(),
                         below(3)   ? small()
                         : rarely() ? size()
                                    : 1,
                         below(3) ? 1 : small()};
    const size_t rp = below(3)   ? 0
                      : rarely() ? size()
                                 : 16 * small(),
                 sp = below(3)   ? 0
                      : rarely() ? size()
                                 : 512 * small();
    // pitches of the host's memory are the app's promise
    const size_t hrp = below(2) ? 0 : 16 * (1 + below(30)),
                 hsp = below(2) ? 0 : 512 * (1 + below(30));
    cl_bool wait;
    switch (below(12)) {
    case 0:
        wait = blocking(), doing = "clEnqueueReadBuffer",
        sent(cl->clEnqueueReadBuffer(q, a, wait, x, n, memory(), WAIT));
        break;
    case 1:
        wait = blocking(), doing = "clEnqueueWriteBuffer",
        sent(cl->clEnqueueWriteBuffer(q, a, wait, x, n, memory(), WAIT));
        break;
    case 2:
        doing = "clEnqueueCopyBuffer",
        sent(cl->clEnqueueCopyBuffer(q, a, below(3) ? b : a, x, y, n, WAIT));
        break;
    case 3:
        wait = blocking(), doing = "clEnqueueReadBufferRect",
        sent(cl->clEnqueueReadBufferRect(q, a, wait, rarely() ? NULL : o, h, r, rp, sp, hrp, hsp,
                                         memory(), WAIT));
        break;
    case 4:
        wait = blocking(), doing = "clEnqueueWriteBufferRect",
        sent(cl->clEnqueueWriteBufferRect(q, a, wait, o, rarely() ? NULL : h, r, rp, sp, hrp, hsp,
                                          memory(), WAIT));
        break;
    case 5:
        doing = "clEnqueueCopyBufferRect",
        sent(cl->clEnqueueCopyBufferRect(q, a, below(2) ? b : a, o, h, rarely() ? NULL : r, rp, sp,
                                         below(2) ? rp : 0, below(2) ? sp : 0, WAIT));
        break;
    case 6:
        wait = blocking(), doing = "clEnqueueReadImage",
        sent(cl->clEnqueueReadImage(q, a, wait, o, r, hrp, hsp, memory(), WAIT));
        break;
    case 7:
        wait = blocking(), doing = "clEnqueueWriteImage",
        sent(cl->clEnqueueWriteImage(q, a, wait, o, r, hrp, hsp, memory(), WAIT));
        break;
    case 8:
        doing = "clEnqueueCopyImage",
        sent(cl->clEnqueueCopyImage(q, a, below(2) ? b : a, o, h, r, WAIT));
        break;
    case 9:
        doing = "clEnqueueCopyImageToBuffer",
        sent(cl->clEnqueueCopyImageToBuffer(q, a, b, o, r, y, WAIT));
        break;
    case 10:
        doing = "clEnqueueCopyBufferToImage",
        sent(cl->clEnqueueCopyBufferToImage(q, a, b, x, o, r, WAIT));
        break;
    default:
        if (below(2))
            doing = "clEnqueueFillBuffer",
            sent(cl->clEnqueueFillBuffer(
                q, a, input(), rarely() ? size() : (size_t)ONE_OF(1, 2, 3, 4, 8, 16, 32, 64, 128),
                x, n, WAIT));
        else doing = "clEnqueueFillImage", sent(cl->clEnqueueFillImage(q, a, input(), o, r, WAIT));
    }
}

static void map(void)
{
    cl_command_queue q = some(QUEUE);
    cl_mem m = some(MEM);
    cl_int e;
    static __thread struct {
        cl_mem m;
        void *p;
    } last;
    const size_t o[3] = {below(3)}, r[3] = {small(), below(2) ? 1 : small(), 1};
    size_t rp, sp;
    const cl_bool wait = blocking();
    const cl_map_flags f = rarely() ? draw() : 1 + below(4);
    if (below(3) == 0) {
        doing = "clEnqueueUnmapMemObject";
        sent(cl->clEnqueueUnmapMemObject(q, last.p && nthreads == 1 ? last.m : m,
                                         rarely() ? host : last.p, WAIT));
        last.p = NULL;
        return;
    }
    doing = "clEnqueueMapBuffer";
    void *p = below(2) ? cl->clEnqueueMapBuffer(q, m, wait, f, rarely() ? size() : below(9), size(),
                                                WAIT, &e)
                       : (doing = "clEnqueueMapImage",
                          cl->clEnqueueMapImage(q, m, wait, f, o, r, rarely() ? NULL : &rp,
                                                rarely() ? NULL : &sp, WAIT, &e));
    if (!p != (e != CL_SUCCESS)) fail("pointer and code disagree", e);
    sent(e);
    last.m = m, last.p = p;
}

static void free_block(unsigned i)
{
    if (!blocks[i].p) return;
    doing = "clSVMFree";
    cl->clSVMFree(blocks[i].c, blocks[i].p);
    cl->clReleaseContext(blocks[i].c);
    blocks[i].p = NULL;
}

static void svm(void)
{
    cl_context c = some(CONTEXT);
    cl_command_queue q = some(QUEUE);
    const unsigned i = below(4);
    void *p = blocks[i].p, *r = blocks[below(4)].p;
    const size_t n = rarely() ? size() : 1 + below(256);
    const void *cp = p;
    switch (below(9)) {
    case 0:
    case 1:
        doing = "clSVMAlloc";
        if (p || !(p = cl->clSVMAlloc(
                       c, rarely() ? draw() : ONE_OF(1, 2, 4, 1 | 1 << 10, 1 | 1 << 10 | 1 << 11),
                       rarely() ? size() : 256,
                       rarely() ? (unsigned)draw() : (unsigned)ONE_OF(0, 4, 64, 128))))
            break;
        cl->clRetainContext(c);
        blocks[i].c = c, blocks[i].p = p;
        break;
    case 2: free_block(i); break;
    case 3:
        doing = "clEnqueueSVMMemcpy",
        sent(cl->clEnqueueSVMMemcpy(q, blocking(), below(2) ? r : host, rarely() ? host + 512 : p,
                                    n < HOST / 2 || p ? n : 1, WAIT));
        break;
    case 4:
        doing = "clEnqueueSVMMemFill",
        sent(cl->clEnqueueSVMMemFill(q, p, host, (size_t)ONE_OF(1, 3, 4, 128, 256, 0), n, WAIT));
        break;
    case 5:
        doing = "clEnqueueSVMMap",
        sent(cl->clEnqueueSVMMap(q, blocking(), 1 + below(4), p, n, WAIT));
        break;
    case 6: doing = "clEnqueueSVMUnmap", sent(cl->clEnqueueSVMUnmap(q, p, WAIT)); break;
    case 7: {
        void *both[2] = {p, rarely() ? host : NULL};
        doing = "clEnqueueSVMFree"; // (what waits in vain is never freed: it waits for nothing)
        if (p && !sent(cl->clEnqueueSVMFree(q, below(2) + 1, both, below(3) ? NULL : on_free,
                                            blocks[i].c, 0, NULL, wanted)))
            blocks[i].p = NULL, cl->clReleaseContext(blocks[i].c);
        break;
    }
    default:
        doing = "clEnqueueSVMMigrateMem",
        sent(cl->clEnqueueSVMMigrateMem(q, 1, rarely() ? NULL : &cp, rarely() ? &n : NULL, below(4),
                                        WAIT));
    }
}

// ---- the rest
static void context(void)
{
    cl_int e;
    const cl_context_properties with[] = {
        rarely() ? (cl_context_properties)draw() : CL_CONTEXT_PLATFORM,
        (cl_context_properties)(rarely() ? NULL : platform), 0, 0};
    cl_device_id d[2] = {some(DEVICE), some(DEVICE)};
    cl_context c;
    if (below(4))
        doing = "clCreateContext",
        c = cl->clCreateContext(below(2) ? with : NULL, rarely() ? number() % 3 : 1,
                                rarely() ? NULL : d, below(2) ? NULL : on_error, NULL, &e);
    else
        doing = "clCreateContextFromType",
        c = cl->clCreateContextFromType(below(2) ? with : NULL,
                                        rarely() ? draw() : CL_DEVICE_TYPE_ALL, NULL, NULL, &e);
    if (c && !cl->clSetContextDestructorCallback(c, on_gone, NULL)) contexts++;
    MADE(CONTEXT, c);
}

static void queue(void)
{
    cl_int e;
    const cl_queue_properties with[] = {rarely() ? draw() : CL_QUEUE_PROPERTIES,
                                        rarely() ? draw() : below(4), 0, 0};
    cl_context c = some(CONTEXT);
    cl_device_id d = root;
    doing = "clGetContextInfo"; // mostly one of its own
    if (!rarely()) cl->clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof d, &d, NULL);
    if (below(2))
        doing = "clCreateCommandQueue",
        MADE(QUEUE, cl->clCreateCommandQueue(c, d, rarely() ? draw() : below(4), &e));
    else
        doing = "clCreateCommandQueueWithProperties",
        MADE(QUEUE, cl->clCreateCommandQueueWithProperties(c, d, below(2) ? with : NULL, &e));
}

static void sampler(void)
{
    cl_int e;
    const cl_sampler_properties with[] = {rarely() ? draw() : 0x1152,
                                          1,
                                          rarely() ? draw() : 0x1153,
                                          rarely() ? draw() : 0x1130 + below(5),
                                          0x1154,
                                          0x1140 + below(2),
                                          0};
    if (below(2))
        doing = "clCreateSampler",
        MADE(SAMPLER, cl->clCreateSampler(some(CONTEXT), (cl_bool)number(), query(0x1130, 5),
                                          query(0x1140, 2), &e));
    else
        doing = "clCreateSamplerWithProperties",
        MADE(SAMPLER, cl->clCreateSamplerWithProperties(some(CONTEXT), rarely() ? NULL : with, &e));
}

static void devices(void)
{
    const cl_device_partition_property by[] = {
        (cl_device_partition_property)(rarely() ? draw() : ONE_OF(0x1086, 0x1087, 0x1088)),
        (cl_device_partition_property)(rarely() ? draw() : 1), 0, 0};
    cl_device_id d[8] = {0};
    cl_uint n = 0;
    doing = "clCreateSubDevices";
    if (!done(cl->clCreateSubDevices(some(DEVICE), rarely() ? NULL : by,
                                     rarely() ? number() % 8 : 8, d, &n)))
        for (cl_uint i = 0; i < n && i < 8; i++)
            if (d[i]) keep(DEVICE, d[i]);
}

static void event(void)
{
    cl_int e, status;
    cl_event ev = some(EVENT), two[2] = {ev, some(EVENT)};
    cl_command_queue q = some(QUEUE);
    switch (below(11)) {
    case 0:
        doing = "clCreateUserEvent";
        cl_event u = cl->clCreateUserEvent(some(CONTEXT), &e);
        if (u) {
            pthread_mutex_lock(&pool.lock);
            const int fits = pool.npending < PENDING && !cl->clRetainEvent(u);
            if (fits) pool.pending[pool.npending++] = u;
            pthread_mutex_unlock(&pool.lock);
            if (!fits) cl->clSetUserEventStatus(u, CL_COMPLETE);
        }
        MADE(EVENT, u);
        break;
    case 1:
        doing = "clSetUserEventStatus", done(cl->clSetUserEventStatus(ev, rarely() ? (cl_int)draw()
                                                                          : below(2) ? CL_COMPLETE
                                                                                     : -5));
        break;
    case 2:
        doing = "clSetEventCallback",
        done(cl->clSetEventCallback(ev, rarely() ? (cl_int)draw() : (cl_int)below(4),
                                    rarely() ? NULL : on_event, NULL));
        break;
    case 3:
        if (nthreads == 1) set_pending();
        doing = "clWaitForEvents",
        done(cl->clWaitForEvents(rarely() ? number() % 3 : 1 + below(2), rarely() ? NULL : two));
        break;
    case 4:
        if (nthreads == 1) set_pending();
        doing = "clFinish", done(cl->clFinish(q));
        break;
    case 5: doing = "clFlush", done(cl->clFlush(q)); break;
    case 6:
        doing = "clEnqueueMarkerWithWaitList", sent(cl->clEnqueueMarkerWithWaitList(q, WAIT));
        break;
    case 7:
        doing = "clEnqueueBarrierWithWaitList", sent(cl->clEnqueueBarrierWithWaitList(q, WAIT));
        break;
    case 8: doing = "clEnqueueMarker", sent(cl->clEnqueueMarker(q, wanted)); break;
    case 9:
        doing = "clEnqueueWaitForEvents", done(cl->clEnqueueWaitForEvents(q, nlist, wait_list));
        break;
    default: doing = "clEnqueueBarrier", done(cl->clEnqueueBarrier(q));
    }
    if (ev &&
        !cl->clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) &&
        status > CL_QUEUED)
        fail("no such status", status);
}

static void migrate(void)
{
    cl_mem m[2] = {some(MEM), some(MEM)};
    doing = "clEnqueueMigrateMemObjects";
    sent(cl->clEnqueueMigrateMemObjects(some(QUEUE), rarely() ? number() % 3 : 1 + below(2),
                                        rarely() ? NULL : m, rarely() ? draw() : below(4), WAIT));
}

static void ask(void)
{
    static __thread unsigned char to[4096], in[64];
    memset(to, 0, sizeof to); // (CL_PROGRAM_BINARIES follows pointers that stand there)
    const size_t n = ONE_OF(0, 1, 4, 8, 64, 4096, 4096, 4096), shape = ONE_OF(0, 8, 16, 24, 64);
    void *v = below(4) ? to : NULL;
    size_t got = 0, *r = below(4) ? &got : NULL;
    cl_device_id d = some(DEVICE), devices_[4];
    cl_kernel k = some(KERNEL);
    cl_uint many = 0;
    cl_ulong t1, t2;
    cl_image_format formats[8];
#define ASK(fn, ...) doing = #fn, done(cl->fn(__VA_ARGS__, n, v, r))
    switch (below(20)) {
    case 0: ASK(clGetPlatformInfo, rarely() ? NULL : platform, query(0x0900, 9)); break;
    case 1: ASK(clGetDeviceInfo, d, query(0x1000, 0x7e)); break;
    case 2: ASK(clGetContextInfo, some(CONTEXT), query(0x1080, 4)); break;
    case 3: ASK(clGetCommandQueueInfo, some(QUEUE), query(0x1090, 9)); break;
    case 4: ASK(clGetMemObjectInfo, some(MEM), query(0x1100, 12)); break;
    case 5: ASK(clGetImageInfo, some(MEM), query(0x1110, 12)); break;
    case 6: ASK(clGetSamplerInfo, some(SAMPLER), query(0x1150, 9)); break;
    case 7: ASK(clGetProgramInfo, some(PROGRAM), query(0x1160, 12)); break;
    case 8: ASK(clGetProgramBuildInfo, some(PROGRAM), d, query(0x1181, 6)); break;
    case 9: ASK(clGetKernelInfo, k, query(0x1190, 7)); break;
    case 10: ASK(clGetKernelWorkGroupInfo, k, d, query(0x11B0, 7)); break;
    case 11: ASK(clGetKernelArgInfo, k, number(), query(0x1196, 6)); break;
    case 12: ASK(clGetEventInfo, some(EVENT), query(0x11D0, 6)); break;
    case 13: ASK(clGetEventProfilingInfo, some(EVENT), query(0x1280, 6)); break;
    case 14:
        memset(in, (int)below(20), sizeof in),
            ASK(clGetKernelSubGroupInfo, k, d,
                rarely() ? (cl_uint)draw()
                         : (cl_uint)ONE_OF(0x2033, 0x2034, 0x11B8, 0x11B9, 0x11BA),
                shape, rarely() ? NULL : in);
        break;
    case 15:
        doing = "clGetSupportedImageFormats",
        done(cl->clGetSupportedImageFormats(some(CONTEXT), mem_flags(), query(0x10F0, 9), below(9),
                                            below(2) ? formats : NULL, &many));
        break;
    case 16:
        doing = "clGetDeviceIDs",
        done(cl->clGetDeviceIDs(rarely() ? NULL : platform,
                                rarely() ? draw() : ONE_OF(1, 2, 4, 8, ~0u), below(5),
                                below(2) ? devices_ : NULL, below(2) ? &many : NULL));
        break;
    case 17:
        doing = "clGetDeviceAndHostTimer",
        done(cl->clGetDeviceAndHostTimer(d, rarely() ? NULL : &t1, rarely() ? NULL : &t2)),
        done(cl->clGetHostTimer(d, rarely() ? NULL : &t1));
        break;
    case 18:
        doing = "clUnloadPlatformCompiler",
        done(cl->clUnloadPlatformCompiler(rarely() ? NULL : platform)),
        cl->clGetExtensionFunctionAddressForPlatform(platform, PICK(names));
        break;
    default:
        doing = "clSetProgramSpecializationConstant",
        done(cl->clSetProgramSpecializationConstant(some(PROGRAM), number(), size() % 16,
                                                    rarely() ? NULL : in));
        doing = "clSetProgramReleaseCallback",
        done(cl->clSetProgramReleaseCallback(some(PROGRAM), rarely() ? NULL : on_program, NULL));
        doing = "clCreateProgramWithBuiltInKernels";
        cl_int e;
        MADE(PROGRAM, cl->clCreateProgramWithBuiltInKernels(some(CONTEXT), 1, &d,
                                                            rarely() ? NULL : PICK(names), &e));
    }
}

/** Functions that are not supported reject any arguments. */
static void absent(void)
{
    cl_int e;
    doing = "an optional feature";
    MADE(MEM, cl->clCreatePipe(some(CONTEXT), mem_flags(), number(), number(), NULL, &e));
    done(cl->clGetPipeInfo(some(MEM), query(0x1120, 3), 0, NULL, NULL));
    done(cl->clSetDefaultDeviceCommandQueue(some(CONTEXT), some(DEVICE), some(QUEUE)));
    done(cl->clEnqueueAcquireGLObjects(some(QUEUE), 0, NULL, 0, NULL, NULL));
    MADE(MEM, cl->clCreateFromGLBuffer(some(CONTEXT), mem_flags(), 1, &e));
    cl_command_queue_properties old;
    doing = "clSetCommandQueueProperty",
    done(cl->clSetCommandQueueProperty(some(QUEUE), below(4), below(2), below(2) ? &old : NULL));
}

static void drop(void) { forget((enum type)below(TYPES)); }

static const struct {
    void (*f)(void);
    unsigned weight;
} steps[] = {
    {context, 2}, {queue, 4},     {sampler, 2}, {devices, 1}, {program, 5},   {build, 4},
    {kernel, 7},  {argument, 16}, {launch, 12}, {mem, 12},    {transfer, 18}, {map, 8},
    {svm, 8},     {event, 14},    {migrate, 1}, {ask, 14},    {absent, 1},    {drop, 6},
};

static void step(void)
{
    unsigned all = 0, at = 0;
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) all += steps[i].weight;
    for (unsigned n = below(all); n >= steps[at].weight; at++) n -= steps[at].weight;
    prepare();
    steps[at].f();
    let_go();
}

static unsigned nsteps = 3000;

static void *walker(void *seed)
{
    state = (uint64_t)(uintptr_t)seed * 0x9e3779b97f4a7c15ull + 1;
    host = calloc(1, HOST);
    for (unsigned i = 0; i < nsteps; i++) step();
    for (unsigned i = 0; i < 4; i++) free_block(i);
    // (its memory may be a buffer's: it is kept)
    return NULL;
}

static _Atomic int over;
static void *setter(void *arg)
{
    while (!over) set_pending(), usleep(500);
    return NULL;
}

int main(int argc, char **argv)
{
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    if (argc > 2) nsteps = (unsigned)strtoul(argv[2], NULL, 10);
    if (argc > 3) nthreads = (unsigned)strtoul(argv[3], NULL, 10);
    if (nthreads < 1 || nthreads > MOST_THREADS) return 2;
    cl = cldbg_dispatch();
    if (cl->clGetPlatformIDs(1, &platform, NULL) ||
        cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &root, NULL))
        return 2;
    pthread_t t[MOST_THREADS], set;
    if (nthreads == 1) {
        walker((void *)(uintptr_t)seed);
    } else {
        pthread_create(&set, NULL, setter, NULL);
        for (unsigned i = 0; i < nthreads; i++)
            pthread_create(&t[i], NULL, walker, (void *)(uintptr_t)(seed * MOST_THREADS + i));
        for (unsigned i = 0; i < nthreads; i++) pthread_join(t[i], NULL);
        over = 1;
        pthread_join(set, NULL);
    }
    set_pending();
    doing = "at the end";
    for (unsigned q = 0; q < SLOTS; q++)
        if (pool.slot[QUEUE][q]) cl->clFinish(pool.slot[QUEUE][q]);
    for (unsigned i = 0; i < TYPES * SLOTS; i++) {
        void *h = pool.slot[i % TYPES][i / TYPES];
        if (h && change((enum type)(i % TYPES), h, 0))
            fail("a live object cannot be released", i % TYPES);
    }
    for (unsigned i = 0; gone < contexts && i < 2000; i++)
        usleep(1000); // commands end in threads of the driver
    printf("%u steps by %u threads, %u contexts, %u left\n", nsteps, nthreads, contexts,
           contexts - gone);
    return contexts != gone;
}

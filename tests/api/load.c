// SPDX-License-Identifier: MIT
// An app under load: many threads, buffers, programs, events or findings at once. tests/api/load.py
// runs it at several sizes and compares what they cost. usage: load
// threads|buffers|programs|copies|released|events|findings N
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, ITEMS = 64 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void need(int is_so, const char *what)
{
    if (is_so) return;
    printf("%s\n", what);
    exit(1);
}

static cl_command_queue new_queue(cl_command_queue_properties properties)
{
    cl_int e;
    cl_command_queue q = clCreateCommandQueue(context, device, properties, &e);
    need(!e, "no queue");
    return q;
}

static cl_program build(const char *text)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    need(!e && !clBuildProgram(p, 1, &device, "", NULL, NULL), "no program");
    return p;
}

static cl_kernel kernel(cl_program p, const char *name)
{
    cl_int e;
    cl_kernel k = clCreateKernel(p, name, &e);
    need(!e, "no kernel");
    return k;
}

static cl_mem buffer(size_t bytes)
{
    cl_int e;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &e);
    need(!e, "no buffer");
    return m;
}

static void launch(cl_command_queue q, cl_kernel k, cl_uint nwait, const cl_event *wait,
                   cl_event *done)
{
    const size_t global = ITEMS;
    need(!clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, nwait, wait, done), "no launch");
}

// ---- sixteen threads with a queue each, n launches each, on one buffer, whose elements are added
// to atomically
static cl_program adding;
static cl_mem sums;
static unsigned long launches;

static void *add(void *unused)
{
    cl_command_queue q = new_queue(0);
    cl_kernel k = kernel(adding, "add");
    clSetKernelArg(k, 0, sizeof sums, &sums);
    for (unsigned long i = 1; i <= launches; i++) {
        launch(q, k, 0, NULL, NULL);
        if (i % 100 == 0) clFinish(q);
    }
    clFinish(q);
    clReleaseKernel(k);
    clReleaseCommandQueue(q);
    return unused;
}

static void threads(unsigned long n)
{
    pthread_t of[THREADS];
    int out[ITEMS];
    const int zero = 0;
    launches = n;
    adding = build("kernel void add(global int *a) { atomic_inc(&a[get_global_id(0)]); }\n");
    sums = buffer(sizeof out);
    need(!clEnqueueFillBuffer(queue, sums, &zero, sizeof zero, 0, sizeof out, 0, NULL, NULL) &&
             !clFinish(queue),
         "no fill");
    for (int i = 0; i < THREADS; i++) need(!pthread_create(&of[i], NULL, add, NULL), "no thread");
    for (int i = 0; i < THREADS; i++) pthread_join(of[i], NULL);
    need(!clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "no read");
    for (int i = 0; i < ITEMS; i++) need(out[i] == (int)(THREADS * n), "another result");
    clReleaseMemObject(sums);
    clReleaseProgram(adding);
}

// ---- n buffers that live at once, each used by one launch
static void buffers(unsigned long n)
{
    cl_program p = build("kernel void put(global int *a, int n) { a[get_global_id(0)] = n; }\n");
    cl_kernel k = kernel(p, "put");
    cl_mem *of = calloc(n, sizeof *of);
    for (unsigned long i = 0; i < n; i++) of[i] = buffer(ITEMS * 4);
    for (unsigned long i = 0; i < n; i++) {
        const cl_int value = (cl_int)i;
        clSetKernelArg(k, 0, sizeof of[i], &of[i]);
        clSetKernelArg(k, 1, sizeof value, &value);
        launch(queue, k, 0, NULL, NULL);
    }
    for (unsigned long i = 0; i < n; i++) {
        cl_int value;
        need(!clEnqueueReadBuffer(queue, of[i], CL_TRUE, 4, 4, &value, 0, NULL, NULL) &&
                 value == (cl_int)i,
             "another result");
        clReleaseMemObject(of[i]);
    }
    free(of);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

/** The nth of many different programs, after its launch on the buffer was enqueued. */
static cl_program launched_program(unsigned long n, cl_mem m)
{
    char text[100];
    snprintf(text, sizeof text, "kernel void k(global int *a) { a[get_global_id(0)] = %lu; }\n", n);
    cl_program p = build(text);
    cl_kernel k = kernel(p, "k");
    clSetKernelArg(k, 0, sizeof m, &m);
    launch(queue, k, 0, NULL, NULL);
    clReleaseKernel(k);
    return p;
}

static void live_programs(unsigned long n, unsigned long sources)
{
    cl_program *of = calloc(n, sizeof *of);
    cl_mem m = buffer(ITEMS * 4);
    for (unsigned long i = 0; i < n; i++) of[i] = launched_program(i % sources, m);
    clFinish(queue);
    for (unsigned long i = 0; i < n; i++) clReleaseProgram(of[i]);
    free(of);
    clReleaseMemObject(m);
}

// ---- n different programs that live at once
static void programs(unsigned long n) { live_programs(n, n); }

// ---- the same, of few sources: without the time of the compiler
static void copies(unsigned long n) { live_programs(n, 50); }

// ---- n different programs, one after the other
static void released(unsigned long n)
{
    cl_mem m = buffer(ITEMS * 4);
    for (unsigned long i = 0; i < n; i++) {
        cl_program p = launched_program(i, m);
        clFinish(queue);
        clReleaseProgram(p);
    }
    clReleaseMemObject(m);
}

// ---- a chain of n launches on an out-of-order queue, each of which waits for the one before
static void events(unsigned long n)
{
    cl_command_queue q = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program p = build("kernel void step(global int *a) { a[get_global_id(0)]++; }\n");
    cl_kernel k = kernel(p, "step");
    cl_mem m = buffer(ITEMS * 4);
    const int zero = 0;
    int out[ITEMS];
    cl_event *of = calloc(n + 1, sizeof *of);
    clSetKernelArg(k, 0, sizeof m, &m);
    need(!clEnqueueFillBuffer(q, m, &zero, sizeof zero, 0, sizeof out, 0, NULL, &of[0]), "no fill");
    for (unsigned long i = 1; i <= n; i++) launch(q, k, 1, &of[i - 1], &of[i]);
    need(!clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof out, out, 1, &of[n], NULL) &&
             out[ITEMS - 1] == (int)n,
         "another result");
    for (unsigned long i = 0; i <= n; i++) clReleaseEvent(of[i]);
    free(of);
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
    clReleaseCommandQueue(q);
}

// ---- a kernel with n different mistakes
static void findings(unsigned long n)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    fprintf(f, "kernel void wrong(global int *a) {\n    int i = get_global_id(0);\n");
    for (unsigned long i = 0; i < n; i++)
        fprintf(f, "    a[i + %lu] = %lu;\n", ITEMS + i * ITEMS, i);
    fprintf(f, "}\n");
    fclose(f);
    cl_program p = build(text);
    cl_kernel k = kernel(p, "wrong");
    cl_mem m = buffer(ITEMS * 4);
    clSetKernelArg(k, 0, sizeof m, &m);
    launch(queue, k, 0, NULL, NULL);
    clFinish(queue);
    free(text);
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(unsigned long n);
    } loads[] = {{"threads", threads},  {"buffers", buffers},   {"programs", programs},
                 {"copies", copies},    {"released", released}, {"events", events},
                 {"findings", findings}};
    cl_platform_id platform;
    cl_int e;
    need(argc == 3, "usage: load threads|buffers|programs|copies|released|events|findings N");
    need(!clGetPlatformIDs(1, &platform, NULL) &&
             !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
         "no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    queue = new_queue(0);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (!strcmp(argv[1], loads[i].name)) {
            loads[i].run(strtoul(argv[2], NULL, 10));
            clReleaseCommandQueue(queue);
            clReleaseContext(context);
            return 0;
        }
    need(0, "no such load");
}

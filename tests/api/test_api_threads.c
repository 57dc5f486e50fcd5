// SPDX-License-Identifier: MIT
// Many host threads at once: out-of-order queues, callbacks that enqueue, objects released while
// commands use them; and contexts of their own, whose results must be those of one thread alone,
// bit for bit. CLDBG_TEST_LAUNCHES=N makes the second test N launches a thread (10,000 for a long
// run). Meant to be run under ThreadSanitizer, too.
#include "tests/api/fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

// Every launch turns each group's numbers round by k, through local memory, and mixes them.
static const char *source =
    "kernel void mix(global uint *a, local uint *t, uint k) {\n"
    "    size_t l = get_local_id(0), g = get_global_id(0);\n"
    "    t[l] = a[g];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[g] = t[(l + k) % get_local_size(0)] * 1664525u + 1013904223u + (uint)l;\n"
    "}\n"
    "kernel void add(global uint *a, uint k) { a[get_global_id(0)] += k; }\n";
enum { N = 256, GROUP = 32 };

static void mix_by_hand(uint32_t *a, uint32_t k)
{
    for (int g = 0; g < N; g += GROUP) {
        uint32_t t[GROUP];
        memcpy(t, a + g, sizeof t);
        for (uint32_t l = 0; l < GROUP; l++)
            a[g + l] = t[(l + k) % GROUP] * 1664525u + 1013904223u + l;
    }
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != CL_SUCCESS) return (void *)#call;                                            \
    } while (0)

// ---- contexts of their own

static void *alone(void *seed)
{
    const char *text = getenv("CLDBG_TEST_LAUNCHES");
    const uint32_t launches = text ? (uint32_t)atoi(text) : 300;
    cl_int e;
    cl_context ctx = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    OK(e);
    cl_command_queue q = cl->clCreateCommandQueue(ctx, device, 0, &e);
    OK(e);
    cl_program p = cl->clCreateProgramWithSource(ctx, 1, &source, NULL, &e);
    OK(e);
    OK(cl->clBuildProgram(p, 1, &device, "", NULL, NULL));
    cl_kernel k = cl->clCreateKernel(p, "mix", &e);
    OK(e);
    uint32_t a[N], b[N];
    for (uint32_t i = 0; i < N; i++) a[i] = i * (uint32_t)(uintptr_t)seed;
    cl_mem m = cl->clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, sizeof a, a, &e);
    OK(e);
    OK(cl->clSetKernelArg(k, 0, sizeof m, &m));
    OK(cl->clSetKernelArg(k, 1, GROUP * sizeof(uint32_t), NULL));
    for (uint32_t i = 0; i < launches; i++) {
        OK(cl->clSetKernelArg(k, 2, sizeof i, &i));
        OK(cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){N}, &(size_t){GROUP}, 0, NULL,
                                      NULL));
        mix_by_hand(a, i);
        if (i % 50 && i + 1 < launches) continue;
        OK(cl->clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof b, b, 0, NULL, NULL));
        if (memcmp(a, b, sizeof a)) return "the numbers of one thread alone";
    }
    OK(cl->clReleaseMemObject(m));
    OK(cl->clReleaseKernel(k));
    OK(cl->clReleaseProgram(p));
    OK(cl->clReleaseCommandQueue(q));
    OK(cl->clReleaseContext(ctx));
    return NULL;
}

static void run_threads(unsigned n, void *(*fn)(void *))
{
    pthread_t t[16];
    for (uintptr_t i = 0; i < n; i++)
        assert_int_equal(pthread_create(&t[i], NULL, fn, (void *)(i * 7919 + 1)), 0);
    for (unsigned i = 0; i < n; i++) {
        void *bad;
        pthread_join(t[i], &bad);
        if (bad) fail_msg("%s", (const char *)bad);
    }
}

static void four_contexts(void **state) { run_threads(4, alone); }

// ---- one context, sixteen threads

static cl_program shared;

struct relay { // a callback that enqueues the next command; freed by the last
    cl_command_queue q;
    cl_kernel k;
    cl_event done; // a user event
    uint32_t left;
    _Atomic cl_int bad;
};

static void CL_CALLBACK pass_on(cl_event event, cl_int status, void *data)
{
    struct relay *r = data;
    cl_event next;
    cl_int bad = status < 0 ? status : CL_SUCCESS;
    if (!bad && r->left) {
        r->left--;
        bad = cl->clEnqueueNDRangeKernel(r->q, r->k, 1, NULL, &(size_t){N}, &(size_t){GROUP}, 0,
                                         NULL, &next);
        if (!bad) bad = cl->clSetEventCallback(next, CL_COMPLETE, pass_on, r);
        if (!bad) bad = cl->clFlush(r->q);
        if (!bad) {
            cl->clReleaseEvent(next);
            return;
        }
    }
    r->bad = bad;
    cl->clSetUserEventStatus(r->done, CL_COMPLETE);
}

static void *crowd_round(uint32_t seed)
{
    enum { RELAYED = 5 };
    cl_int e;
    cl_command_queue q =
        cl->clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    OK(e);
    cl_kernel mix = cl->clCreateKernel(shared, "mix", &e),
              add = cl->clCreateKernel(shared, "add", &e);
    OK(e);
    uint32_t a[N], b[N];
    for (uint32_t i = 0; i < N; i++) a[i] = i ^ seed;
    cl_mem from = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof a, NULL, &e);
    OK(e);
    cl_mem to = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof a, NULL, &e);
    OK(e);
    cl_event ev[4];
    OK(cl->clEnqueueWriteBuffer(q, from, CL_FALSE, 0, sizeof a, a, 0, NULL, &ev[0]));
    OK(cl->clSetKernelArg(mix, 0, sizeof from, &from));
    OK(cl->clSetKernelArg(mix, 1, GROUP * sizeof(uint32_t), NULL));
    OK(cl->clSetKernelArg(mix, 2, sizeof seed, &seed));
    OK(cl->clEnqueueNDRangeKernel(q, mix, 1, NULL, &(size_t){N}, &(size_t){GROUP}, 1, &ev[0],
                                  &ev[1]));
    OK(cl->clEnqueueCopyBuffer(q, from, to, 0, 0, sizeof a, 1, &ev[1], &ev[2]));
    OK(cl->clReleaseMemObject(from)); // the commands still need it
    OK(cl->clReleaseKernel(mix));
    const uint32_t three = 3;
    OK(cl->clSetKernelArg(add, 0, sizeof to, &to));
    OK(cl->clSetKernelArg(add, 1, sizeof three, &three));
    struct relay r = {
        .q = q, .k = add, .left = RELAYED, .done = cl->clCreateUserEvent(context, &e)};
    OK(e);
    OK(cl->clSetEventCallback(ev[2], CL_COMPLETE, pass_on, &r));
    OK(cl->clEnqueueReadBuffer(q, to, CL_FALSE, 0, sizeof b, b, 1, &r.done, &ev[3]));
    OK(cl->clReleaseMemObject(to));
    OK(cl->clWaitForEvents(1, &ev[3]));
    OK(r.bad);
    mix_by_hand(a, seed);
    for (uint32_t i = 0; i < N; i++)
        if (b[i] != a[i] + 3 * RELAYED) return "what the graph computes";
    for (int i = 0; i < 4; i++) OK(cl->clReleaseEvent(ev[i]));
    OK(cl->clReleaseEvent(r.done));
    OK(cl->clReleaseKernel(add));
    OK(cl->clReleaseCommandQueue(q));
    return NULL;
}

static void *crowd(void *seed)
{
    void *bad = NULL;
    for (uint32_t i = 0; i < 12 && !bad; i++) bad = crowd_round((uint32_t)(uintptr_t)seed * 31 + i);
    return bad;
}

static void sixteen_threads(void **state)
{
    shared = fixture_program(source);
    run_threads(16, crowd);
    cl->clReleaseProgram(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_contexts),
                                       cmocka_unit_test(sixteen_threads)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}

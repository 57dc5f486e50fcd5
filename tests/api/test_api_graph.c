// SPDX-License-Identifier: MIT
// Order of commands, events, errors that pass along wait lists, callbacks, several host threads.
#include "tests/api/fixture.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static cl_int status_of(cl_event e)
{
    cl_int s = 99;
    assert_int_equal(cl->clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL),
                     CL_SUCCESS);
    return s;
}

// Native kernels that write their number down.
static int seen[64];
static _Atomic int nseen;
static void CL_CALLBACK write_down(void *p) { seen[nseen++] = *(int *)p; }

static cl_event step(cl_command_queue q, int n, cl_uint nwait, const cl_event *wait)
{
    cl_event e;
    assert_int_equal(
        cl->clEnqueueNativeKernel(q, write_down, &n, sizeof n, 0, NULL, NULL, nwait, wait, &e),
        CL_SUCCESS);
    return e;
}

static void in_order_behind_a_user_event(void **state)
{
    cl_int err;
    nseen = 0;
    cl_event user = cl->clCreateUserEvent(context, &err), e[3];
    e[0] = step(queue, 1, 1, &user);
    e[1] = step(queue, 2, 0, NULL);
    e[2] = step(queue, 3, 0, NULL);
    cl->clFlush(queue);
    usleep(5000);
    assert_int_equal(nseen, 0);
    assert_true(status_of(e[1]) > CL_RUNNING);
    assert_int_equal(cl->clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(cl->clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    assert_int_equal(nseen, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(seen[i], i + 1);
        assert_int_equal(status_of(e[i]), CL_COMPLETE);
        cl->clReleaseEvent(e[i]);
    }
    cl->clReleaseEvent(user);
}

static void out_of_order_by_wait_lists_across_queues(void **state)
{
    cl_int err;
    nseen = 0;
    cl_event gate = cl->clCreateUserEvent(context, &err);
    cl_event a = step(loose, 1, 1, &gate), free_one = step(loose, 2, 0, NULL);
    assert_int_equal(cl->clWaitForEvents(1, &free_one), CL_SUCCESS);
    assert_int_equal(nseen, 1);         // ran past the one before it
    cl_event b = step(queue, 3, 1, &a); // waits for the other queue
    cl_event both[] = {a, b};
    cl_event c = step(loose, 4, 2, both);
    cl->clSetUserEventStatus(gate, CL_COMPLETE);
    assert_int_equal(cl->clWaitForEvents(1, &c), CL_SUCCESS);
    assert_int_equal(nseen, 4);
    assert_true(seen[1] == 1 && seen[2] == 3 && seen[3] == 4);
    cl_event all[] = {gate, a, free_one, b, c};
    for (int i = 0; i < 5; i++) cl->clReleaseEvent(all[i]);
}

static void barrier_and_marker_hold_back(void **state)
{
    cl_int err;
    nseen = 0;
    cl_event gate = cl->clCreateUserEvent(context, &err), marker, a, b;
    a = step(loose, 1, 1, &gate);
    assert_int_equal(cl->clEnqueueMarkerWithWaitList(loose, 0, NULL, &marker), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL), CL_SUCCESS);
    b = step(loose, 2, 0, NULL);
    cl->clFlush(loose);
    usleep(5000);
    assert_int_equal(nseen, 0);
    assert_true(status_of(marker) > 0);
    cl->clSetUserEventStatus(gate, CL_COMPLETE);
    cl->clFinish(loose);
    assert_int_equal(status_of(marker), CL_COMPLETE);
    assert_true(nseen == 2 && seen[0] == 1 && seen[1] == 2);
    cl_event all[] = {gate, marker, a, b};
    for (int i = 0; i < 4; i++) cl->clReleaseEvent(all[i]);
}

static void errors_pass_along_wait_lists(void **state)
{
    cl_int err;
    char byte;
    nseen = 0;
    cl_mem m = fixture_buffer(4);
    cl_event user = cl->clCreateUserEvent(context, &err);
    cl_event a = step(loose, 1, 1, &user), b = step(loose, 2, 1, &a), c = step(loose, 3, 0, NULL);
    assert_int_equal(cl->clSetUserEventStatus(user, -77), CL_SUCCESS);
    cl->clFinish(loose);
    assert_int_equal(status_of(user), -77);
    assert_int_equal(status_of(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(c), CL_COMPLETE);
    assert_true(nseen == 1 && seen[0] == 3);
    assert_int_equal(cl->clWaitForEvents(1, &b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 1, &byte, 1, &b, NULL),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_event all[] = {user, a, b, c};
    for (int i = 0; i < 4; i++) cl->clReleaseEvent(all[i]);
    cl->clReleaseMemObject(m);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int ncalls, calls[16];
static pthread_t caller;

static void CL_CALLBACK on_event(cl_event e, cl_int status, void *data)
{
    pthread_mutex_lock(&lock);
    calls[ncalls++] = status;
    caller = pthread_self();
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&lock);
}

static void wait_calls(int n)
{
    pthread_mutex_lock(&lock);
    while (ncalls < n) pthread_cond_wait(&called, &lock);
    pthread_mutex_unlock(&lock);
}

static void callbacks_come_on_their_own_thread(void **state)
{
    cl_int err;
    ncalls = 0;
    cl_event user = cl->clCreateUserEvent(context, &err), e = step(queue, 1, 1, &user);
    assert_int_equal(cl->clSetEventCallback(e, CL_QUEUED, on_event, NULL), CL_INVALID_VALUE);
    assert_int_equal(cl->clSetEventCallback(e, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
    for (int t = CL_COMPLETE; t <= CL_SUBMITTED; t++)
        assert_int_equal(cl->clSetEventCallback(e, t, on_event, NULL), CL_SUCCESS);
    cl->clSetUserEventStatus(user, CL_COMPLETE);
    wait_calls(3); // without a flush
    assert_true(calls[0] == CL_SUBMITTED && calls[1] == CL_RUNNING && calls[2] == CL_COMPLETE);
    assert_false(pthread_equal(caller, pthread_self()));
    assert_int_equal(cl->clSetEventCallback(e, CL_COMPLETE, on_event, NULL),
                     CL_SUCCESS); // late: at once
    wait_calls(4);
    cl->clReleaseEvent(e);
    cl->clReleaseEvent(user);
    user = cl->clCreateUserEvent(context, &err);
    cl->clSetEventCallback(user, CL_COMPLETE, on_event, NULL);
    cl->clSetUserEventStatus(user, -5);
    wait_calls(5);
    assert_int_equal(calls[4], -5);
    cl->clReleaseEvent(user);
}

static void progress_without_finish(void **state)
{
    nseen = 0;
    cl_event e = step(queue, 1, 0, NULL);
    assert_int_equal(cl->clFlush(queue), CL_SUCCESS);
    time_t until = time(NULL) + 20;
    while (status_of(e) > CL_COMPLETE) assert_true(time(NULL) < until);
    cl->clReleaseEvent(e);
    e = step(queue, 2, 0, NULL); // not even flushed
    while (status_of(e) > CL_COMPLETE) assert_true(time(NULL) < until);
    cl_ulong t[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(
            cl->clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof *t, &t[i], NULL),
            CL_SUCCESS);
    assert_true(t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]);
    cl->clReleaseEvent(e);
    cl_event l = step(loose, 3, 0, NULL);
    cl->clFinish(loose);
    assert_int_equal(cl->clGetEventProfilingInfo(l, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    cl->clReleaseEvent(l);
}

static _Atomic int destroyed;
static void CL_CALLBACK on_destroy(cl_mem m, void *data) { destroyed++; }

static void releases_in_flight(void **state)
{
    cl_int err;
    destroyed = 0;
    static char host[64] = "text";
    cl_context c = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    cl_command_queue q = cl->clCreateCommandQueue(c, device, 0, &err);
    cl_mem m = cl->clCreateBuffer(c, 0, 64, NULL, &err);
    cl->clSetMemObjectDestructorCallback(m, on_destroy, NULL);
    cl_event user = cl->clCreateUserEvent(c, &err), e;
    assert_int_equal(cl->clEnqueueWriteBuffer(q, m, CL_FALSE, 0, 64, host, 1, &user, &e),
                     CL_SUCCESS);
    cl->clReleaseMemObject(m);
    cl->clReleaseCommandQueue(q);
    cl->clReleaseContext(c);
    assert_int_equal(destroyed, 0);
    cl->clSetUserEventStatus(user, CL_COMPLETE);
    assert_int_equal(cl->clWaitForEvents(1, &e), CL_SUCCESS);
    cl->clReleaseEvent(user);
    cl->clReleaseEvent(e);
    for (int i = 0; i < 2000 && !destroyed; i++) usleep(1000);
    assert_int_equal(destroyed, 1);
    assert_int_equal(cl->clRetainContext(c), CL_INVALID_CONTEXT);
}

// Each thread: its own buffer, the shared queues, chains of commands.
static void *host_thread(void *arg)
{
    intptr_t id = (intptr_t)arg, bad = 0;
    cl_int err;
    cl_mem m = cl->clCreateBuffer(context, 0, 1024, NULL, &err);
    for (int i = 0; i < 200; i++) {
        cl_command_queue q = i & 1 ? loose : queue;
        uint32_t v = (uint32_t)(id << 16 | i), got = 0;
        cl_event e[2];
        bad |= cl->clEnqueueFillBuffer(q, m, &v, 4, 0, 1024, 0, NULL, &e[0]);
        bad |= cl->clEnqueueCopyBuffer(q, m, m, 0, 512, 256, 1, &e[0], &e[1]);
        bad |= cl->clEnqueueReadBuffer(i & 2 ? queue : loose, m, CL_TRUE, 700, 4, &got, 1, &e[1],
                                       NULL);
        bad |= got != v;
        cl->clReleaseEvent(e[0]);
        cl->clReleaseEvent(e[1]);
    }
    cl->clReleaseMemObject(m);
    return (void *)bad;
}

static void eight_host_threads(void **state)
{
    pthread_t t[8];
    for (intptr_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&t[i], NULL, host_thread, (void *)i), 0);
    for (int i = 0; i < 8; i++) {
        void *bad;
        pthread_join(t[i], &bad);
        assert_null(bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order_behind_a_user_event),
        cmocka_unit_test(out_of_order_by_wait_lists_across_queues),
        cmocka_unit_test(barrier_and_marker_hold_back),
        cmocka_unit_test(errors_pass_along_wait_lists),
        cmocka_unit_test(callbacks_come_on_their_own_thread),
        cmocka_unit_test(progress_without_finish),
        cmocka_unit_test(releases_in_flight),
        cmocka_unit_test(eight_host_threads),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}

// SPDX-License-Identifier: MIT
// cl_khr_semaphore: order between queues, reuse, waits before signals, queries, rejected calls.
#include "tests/api/fixture.h"

#include "api/new_names.h"
#include "api/semaphore.h"

#define FUNCTION(name) static __typeof__(api_cl##name) *my##name
FUNCTION(CreateSemaphoreWithPropertiesKHR);
FUNCTION(EnqueueWaitSemaphoresKHR);
FUNCTION(EnqueueSignalSemaphoresKHR);
FUNCTION(GetSemaphoreInfoKHR);
FUNCTION(RetainSemaphoreKHR);
FUNCTION(ReleaseSemaphoreKHR);

static const cl_ulong binary[] = {NEW_SEMAPHORE_TYPE, NEW_SEMAPHORE_TYPE_BINARY, 0};
static cl_command_queue other;

static void *function(const char *name)
{
    void *f = cl->clGetExtensionFunctionAddressForPlatform(platform, name);
    assert_non_null(f);
    return f;
}
#define FIND(name) *(void **)&my##name = function("cl" #name)

static int setup(void **state)
{
    cl_int e;
    const int bad = fixture_setup(state);
    FIND(CreateSemaphoreWithPropertiesKHR);
    FIND(EnqueueWaitSemaphoresKHR);
    FIND(EnqueueSignalSemaphoresKHR);
    FIND(GetSemaphoreInfoKHR);
    FIND(RetainSemaphoreKHR);
    FIND(ReleaseSemaphoreKHR);
    other = cl->clCreateCommandQueue(context, device, 0, &e);
    return bad;
}

static int teardown(void **state)
{
    cl->clReleaseCommandQueue(other);
    return fixture_teardown(state);
}

#define OK(call) assert_int_equal((call), CL_SUCCESS)

static api_semaphore create(void)
{
    cl_int e = 1;
    api_semaphore s = myCreateSemaphoreWithPropertiesKHR(context, binary, &e);
    OK(e);
    return s;
}

static cl_ulong payload_of(api_semaphore s)
{
    cl_ulong payload = 9;
    OK(myGetSemaphoreInfoKHR(s, NEW_SEMAPHORE_PAYLOAD, sizeof payload, &payload, NULL));
    return payload;
}

static cl_int status_of(cl_event e)
{
    cl_int status = 9;
    OK(cl->clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static void orders_queues(void **state)
{
    cl_int e;
    api_semaphore s = create(), t = create();
    cl_event gate = cl->clCreateUserEvent(context, &e), waited;
    for (int i = 0; i < 2; i++) { // a semaphore can be used again
        OK(myEnqueueSignalSemaphoresKHR(queue, 1, &s, NULL, i ? 0 : 1, i ? NULL : &gate, NULL));
        OK(myEnqueueSignalSemaphoresKHR(queue, 1, &t, NULL, 0, NULL, NULL));
        OK(myEnqueueWaitSemaphoresKHR(other, 2, (api_semaphore[]){s, t}, NULL, 0, NULL, &waited));
        OK(cl->clFlush(queue));
        OK(cl->clFlush(other));
        if (!i) assert_true(status_of(waited) > CL_COMPLETE);
        if (!i) OK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
        OK(cl->clFinish(other));
        assert_int_equal(status_of(waited), CL_COMPLETE);
        OK(cl->clReleaseEvent(waited));
    }
    OK(cl->clReleaseEvent(gate));
    OK(myReleaseSemaphoreKHR(s));
    OK(myReleaseSemaphoreKHR(t));
}

static void payload_is_known(void **state)
{
    api_semaphore s = create();
    assert_int_equal(payload_of(s), 0);
    OK(myEnqueueSignalSemaphoresKHR(queue, 1, &s, NULL, 0, NULL, NULL));
    OK(cl->clFinish(queue));
    assert_int_equal(payload_of(s), 1);
    OK(myEnqueueWaitSemaphoresKHR(queue, 1, &s, NULL, 0, NULL, NULL));
    OK(cl->clFinish(queue));
    assert_int_equal(payload_of(s), 0);
    OK(myReleaseSemaphoreKHR(s));
}

static void waits_may_come_first(void **state)
{
    api_semaphore s = create();
    cl_event waited;
    cl_command_type type;
    OK(myEnqueueWaitSemaphoresKHR(other, 1, &s, NULL, 0, NULL, &waited));
    OK(cl->clFlush(other));
    assert_true(status_of(waited) > CL_COMPLETE);
    OK(myEnqueueSignalSemaphoresKHR(queue, 1, &s, NULL, 0, NULL, NULL));
    OK(myReleaseSemaphoreKHR(s));
    OK(cl->clFlush(queue));
    OK(cl->clWaitForEvents(1, &waited));
    OK(cl->clGetEventInfo(waited, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, NEW_COMMAND_SEMAPHORE_WAIT);
    OK(cl->clReleaseEvent(waited));
}

static void queries(void **state)
{
    cl_int e;
    char names[8192];
    const cl_ulong list[] = {NEW_SEMAPHORE_TYPE,
                             NEW_SEMAPHORE_TYPE_BINARY,
                             NEW_SEMAPHORE_DEVICE_HANDLE_LIST,
                             (cl_ulong)(uintptr_t)device,
                             0,
                             0};
    cl_ulong got[6];
    size_t size;
    cl_uint n = 0;
    cl_context x;
    cl_device_id d;
    api_semaphore s = myCreateSemaphoreWithPropertiesKHR(context, list, &e);
    OK(e);
    OK(myGetSemaphoreInfoKHR(s, NEW_SEMAPHORE_PROPERTIES, sizeof got, got, &size));
    assert_int_equal(size, sizeof list);
    assert_memory_equal(got, list, sizeof list);
    OK(myRetainSemaphoreKHR(s));
    OK(myGetSemaphoreInfoKHR(s, NEW_SEMAPHORE_REFERENCE_COUNT, sizeof n, &n, NULL));
    assert_int_equal(n, 2);
    OK(myReleaseSemaphoreKHR(s));
    OK(myGetSemaphoreInfoKHR(s, NEW_SEMAPHORE_CONTEXT, sizeof x, &x, NULL));
    assert_ptr_equal(x, context);
    OK(myGetSemaphoreInfoKHR(s, NEW_SEMAPHORE_DEVICE_HANDLE_LIST, sizeof d, &d, &size));
    assert_ptr_equal(d, device);
    OK(cl->clGetDeviceInfo(device, NEW_DEVICE_SEMAPHORE_TYPES, sizeof n, &n, NULL));
    assert_int_equal(n, NEW_SEMAPHORE_TYPE_BINARY);
    OK(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    assert_non_null(strstr(names, "cl_khr_semaphore"));
    NO(CL_INVALID_VALUE, myGetSemaphoreInfoKHR(s, 1, sizeof n, &n, NULL));
    OK(myReleaseSemaphoreKHR(s));
    NO(CL_INVALID_SEMAPHORE_KHR, myReleaseSemaphoreKHR(s));
}

static void wrong_calls(void **state)
{
    cl_int e;
    api_semaphore s = create(), none = NULL;
    const cl_ulong unknown[] = {1, 1, 0}, type[] = {NEW_SEMAPHORE_TYPE, 5, 0},
                   twice[] = {NEW_SEMAPHORE_TYPE, 1, NEW_SEMAPHORE_TYPE, 1, 0},
                   devices[] = {NEW_SEMAPHORE_TYPE, 1, NEW_SEMAPHORE_DEVICE_HANDLE_LIST, 0, 0};
    NO_OBJECT(CL_INVALID_CONTEXT, myCreateSemaphoreWithPropertiesKHR(NULL, binary, &e));
    NO_OBJECT(CL_INVALID_VALUE, myCreateSemaphoreWithPropertiesKHR(context, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, myCreateSemaphoreWithPropertiesKHR(context, unknown, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, myCreateSemaphoreWithPropertiesKHR(context, type, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, myCreateSemaphoreWithPropertiesKHR(context, twice, &e));
    NO_OBJECT(CL_INVALID_DEVICE, myCreateSemaphoreWithPropertiesKHR(context, devices, &e));
    NO(CL_INVALID_VALUE, myEnqueueSignalSemaphoresKHR(queue, 0, NULL, NULL, 0, NULL, NULL));
    NO(CL_INVALID_SEMAPHORE_KHR,
       myEnqueueSignalSemaphoresKHR(queue, 1, &none, NULL, 0, NULL, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, myEnqueueWaitSemaphoresKHR(NULL, 1, &s, NULL, 0, NULL, NULL));
    NO(CL_INVALID_EVENT_WAIT_LIST, myEnqueueWaitSemaphoresKHR(queue, 1, &s, NULL, 1, NULL, NULL));
    OK(myReleaseSemaphoreKHR(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_queues),        cmocka_unit_test(payload_is_known),
        cmocka_unit_test(waits_may_come_first), cmocka_unit_test(queries),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

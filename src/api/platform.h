// SPDX-License-Identifier: MIT
#ifndef API_PLATFORM_H
#define API_PLATFORM_H
#include "api/object.h"

#include <time.h>

/** The supported extensions: as one string, and as a list of n. */
const char *api_extensions_text(void);
const cl_name_version *api_extensions(unsigned *n);

/** With --check-api, reports objects that are not released at the end. */
void api_watch_leaks(void);

// il.c
cl_int api_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel,
                                                cl_uint work_dim, const size_t *global_work_offset,
                                                const size_t *global_work_size,
                                                size_t *suggested_local_work_size);
cl_program api_clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                        cl_int *errcode_ret);

/** Nanoseconds of the clock that profiling uses. */
static inline uint64_t api_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- sub_device.c
cl_uint api_device_units(cl_device_id d); // compute units
bool api_devices_have(const struct api_devices *l, cl_device_id d);
void api_devices_take(struct api_devices *to, cl_uint n, const cl_device_id *list);
void api_devices_drop(struct api_devices *l);
/**
 * Checks a list of devices, an argument of many calls: NULL and 0 mean all. Each must be one of
 * `among` (NULL: any will do).
 */
cl_int api_check_devices(cl_context ctx, const struct api_devices *among, cl_uint n,
                         const cl_device_id *list);
/** The same for one device; NULL means the only one. */
cl_int api_check_device(cl_context ctx, const struct api_devices *among, cl_device_id d);
cl_int api_check_device_type(cl_device_type t);
#endif

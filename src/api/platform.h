// SPDX-License-Identifier: MIT
#ifndef API_PLATFORM_H
#define API_PLATFORM_H
#include "api/object.h"

/** The extensions that are there: as one string, and as a list of n. */
const char *api_extensions_text(void);
const cl_name_version *api_extensions(unsigned *n);

/** Sees to it that objects left over at the end are told of, when that is asked for. */
void api_watch_leaks(void);

/** Nanoseconds of the clock that profiling uses. */
uint64_t api_clock(void);

/** Checks a list of devices as many calls take it: NULL and 0 mean the one device of the context. */
cl_int api_check_devices(cl_context ctx, cl_uint n, const cl_device_id *list);
cl_int api_check_device_type(cl_device_type t);
#endif

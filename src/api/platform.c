// SPDX-License-Identifier: MIT
#include "config.h"

#include "api/interrupt.h"
#include "api/platform.h"

#include "api/new_names.h"

#include "debug/debug.h"
#include "devices/dev.h"

#include <time.h>

cl_int api_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    API_ENTER();
    if ((!platforms && !num_platforms) || (platforms && num_entries == 0))
        return api_fail(NULL, CL_INVALID_VALUE, "num_entries is %u, platforms %p, num_platforms %p",
                        num_entries, (void *)platforms, (void *)num_platforms);
    dbg_start(api_leave);
    __atomic_fetch_add(&rep_totals(dev_report())->platforms_queried, 1, __ATOMIC_RELAXED);
    if (platforms) platforms[0] = &api_platform;
    if (num_platforms) *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int api_clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
    API_ENTER();
    // NULL means the only platform.
    if (platform && !api_is(platform, API_PLATFORM))
        return api_bad_handle(NULL, platform, API_PLATFORM);
    switch (param_name) {
    case CL_PLATFORM_PROFILE: return REPLY_STR("FULL_PROFILE");
    case CL_PLATFORM_VERSION: return REPLY_STR("OpenCL 3.0 cldbg");
    case CL_PLATFORM_NUMERIC_VERSION: return REPLY(cl_version, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME: return REPLY_STR("cldbg");
    case CL_PLATFORM_VENDOR: return REPLY_STR("cldbg");
    case CL_PLATFORM_EXTENSIONS: return REPLY_STR(api_extensions_text());
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION: {
        unsigned n;
        const cl_name_version *list = api_extensions(&n);
        return REPLY_BYTES(list, n * sizeof *list);
    }
    case CL_PLATFORM_HOST_TIMER_RESOLUTION: return REPLY(cl_ulong, 1);
    case NEW_PLATFORM_SEMAPHORE_TYPES: return REPLY(cl_uint, NEW_SEMAPHORE_TYPE_BINARY);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return REPLY_STR("CLDBG");
    }
    return api_fail(NULL, CL_INVALID_VALUE, "param_name 0x%x is not a query of platforms",
                    param_name);
}

cl_int api_clUnloadPlatformCompiler(cl_platform_id platform)
{
    API_ENTER();
    return api_is(platform, API_PLATFORM) ? CL_SUCCESS
                                          : api_bad_handle(NULL, platform, API_PLATFORM);
}

cl_int api_clUnloadCompiler(void) { return CL_SUCCESS; }

cl_int api_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                   cl_ulong *host_timestamp)
{
    API_ENTER();
    if (!api_is(device, API_DEVICE)) return api_bad_handle(NULL, device, API_DEVICE);
    if (!device_timestamp || !host_timestamp)
        return api_fail(NULL, CL_INVALID_VALUE, "device_timestamp or host_timestamp is NULL");
    *device_timestamp = *host_timestamp = api_clock();
    return CL_SUCCESS;
}

cl_int api_clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    API_ENTER();
    if (!api_is(device, API_DEVICE)) return api_bad_handle(NULL, device, API_DEVICE);
    if (!host_timestamp) return api_fail(NULL, CL_INVALID_VALUE, "host_timestamp is NULL");
    *host_timestamp = api_clock();
    return CL_SUCCESS;
}

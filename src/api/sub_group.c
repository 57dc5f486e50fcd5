// SPDX-License-Identifier: MIT
// clGetKernelSubGroupInfo: the sub-groups of a kernel. They are runs of linear local ids; all
// except the last one of a work-group have the size that the kernel requires
// (cl_intel_required_subgroup_size) or that of the device.
#include "api/dispatch.h"
#include "api/object.h"
#include "api/platform.h"
#include "api/program.h"
#include "devices/dev.h"

// The work-items of a work-group of the given local size; 0: no size is given.
static size_t items_of(const void *input, size_t bytes)
{
    const size_t *local = input;
    const size_t dims = bytes / sizeof *local;
    if (!input || bytes % sizeof *local || dims < 1 || dims > 3) return 0;
    size_t n = 1;
    for (size_t k = 0; k < dims; k++) n *= local[k];
    return n;
}

unsigned api_kernel_sub_group(cl_kernel k)
{
    return k->k->sub_group ? k->k->sub_group : dev_settings()->sub_group;
}

static cl_int local_size_for(cl_context ctx, size_t size, size_t count, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret)
{
    const bool fits = count && count <= dev_settings()->max_wg_size / size;
    const size_t dims = param_value ? param_value_size / sizeof(size_t) : 3;
    const size_t local[3] = {fits ? count * size : 0, fits, fits};
    if (dims < 1 || dims > 3)
        return api_fail(ctx, CL_INVALID_VALUE,
                        "param_value_size is %zu; it is the size of 1, 2 or 3 size_t",
                        param_value_size);
    return REPLY_BYTES(local, dims * sizeof *local);
}

cl_int api_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                   cl_kernel_sub_group_info param_name, size_t input_value_size,
                                   const void *input_value, size_t param_value_size,
                                   void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(kernel, API_KERNEL)) return api_bad_handle(NULL, kernel, API_KERNEL);
    cl_context ctx = kernel->program->ctx;
    cl_int bad = api_check_device(ctx, &kernel->program->devices, device);
    if (bad) return bad;
    const size_t items = items_of(input_value, input_value_size),
                 size = api_kernel_sub_group(kernel);
    switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        if (!items)
            return api_fail(ctx, CL_INVALID_VALUE,
                            "input_value is not a local size of 1, 2 or 3 size_t");
        if (param_name == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE)
            return REPLY(size_t, (items + size - 1) / size);
        return REPLY(size_t, items < size && !kernel->k->sub_group ? items : size);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        if (!input_value || input_value_size != sizeof(size_t))
            return api_fail(ctx, CL_INVALID_VALUE,
                            "input_value is not a number of sub-groups in a size_t");
        return local_size_for(ctx, size, *(const size_t *)input_value, param_value_size,
                              param_value, param_value_size_ret);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return REPLY(size_t, (dev_settings()->max_wg_size + size - 1) / size);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return REPLY(size_t, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: return REPLY(size_t, kernel->k->sub_group);
    }
    return api_fail(ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of sub-groups",
                    param_name);
}

cl_int api_clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                      cl_kernel_sub_group_info param_name, size_t input_value_size,
                                      const void *input_value, size_t param_value_size,
                                      void *param_value, size_t *param_value_size_ret)
{
    return api_clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value,
                                       param_value_size, param_value, param_value_size_ret);
}

// SPDX-License-Identifier: MIT
// The dispatch table and the few symbols that the library exports.
#include "api/dispatch.h"

#include "api/capture_launch.h"
#include "api/command_buffer.h"
#include "api/interrupt.h"
#include "api/pipe.h"
#include "api/platform.h"
#include "api/semaphore.h"
#include "api/test_scope.h"
#include "api/svm.h"
#include "api/usm.h"
#include "base/own_thread.h"
#include "devices/dev.h"
#include "devices/shared_launch.h"

#define EXPORT __attribute__((visibility("default")))

static cl_int refuse_untyped(void) { return CL_INVALID_OPERATION; }

static const struct _cl_icd_dispatch api_dispatch = {
#define ENTRY(ret, name, params, args) .name = api_##name,
#define UNTYPED(name)                  .name = (void *)refuse_untyped,
#include "api/entry.def"
};

static __attribute__((constructor)) void give_dispatch(void)
{
    api_objects_init(&api_dispatch);
    own_thread_watch();
}

EXPORT const struct _cl_icd_dispatch *cldbg_dispatch(void) { return &api_dispatch; }

/** The supported extension functions. */
static const struct {
    const char *name;
    void *address;
} extensions[] = {
    {"clIcdGetPlatformIDsKHR", clIcdGetPlatformIDsKHR},
    {"clGetKernelSubGroupInfoKHR", api_clGetKernelSubGroupInfoKHR},
    {"clCreateProgramWithILKHR", api_clCreateProgramWithILKHR},
    {"clCreateCommandQueueWithPropertiesKHR", api_clCreateCommandQueueWithProperties},
    {"clGetKernelSuggestedLocalWorkSizeKHR", api_clGetKernelSuggestedLocalWorkSizeKHR},
    {"clHostMemAllocINTEL", api_clHostMemAllocINTEL},
    {"clDeviceMemAllocINTEL", api_clDeviceMemAllocINTEL},
    {"clSharedMemAllocINTEL", api_clSharedMemAllocINTEL},
    {"clMemFreeINTEL", api_clMemFreeINTEL},
    {"clMemBlockingFreeINTEL", api_clMemBlockingFreeINTEL},
    {"clGetMemAllocInfoINTEL", api_clGetMemAllocInfoINTEL},
    {"clSetKernelArgMemPointerINTEL", api_clSetKernelArgMemPointerINTEL},
    {"clEnqueueMemsetINTEL", api_clEnqueueMemsetINTEL},
    {"clEnqueueMemFillINTEL", api_clEnqueueMemFillINTEL},
    {"clEnqueueMemcpyINTEL", api_clEnqueueMemcpyINTEL},
    {"clEnqueueMigrateMemINTEL", api_clEnqueueMigrateMemINTEL},
    {"clEnqueueMemAdviseINTEL", api_clEnqueueMemAdviseINTEL},
    {"clCreateCommandBufferKHR", api_clCreateCommandBufferKHR},
    {"clRetainCommandBufferKHR", api_clRetainCommandBufferKHR},
    {"clReleaseCommandBufferKHR", api_clReleaseCommandBufferKHR},
    {"clFinalizeCommandBufferKHR", api_clFinalizeCommandBufferKHR},
    {"clEnqueueCommandBufferKHR", api_clEnqueueCommandBufferKHR},
    {"clGetCommandBufferInfoKHR", api_clGetCommandBufferInfoKHR},
    {"clCommandBarrierWithWaitListKHR", api_clCommandBarrierWithWaitListKHR},
    {"clCommandCopyBufferKHR", api_clCommandCopyBufferKHR},
    {"clCommandCopyBufferRectKHR", api_clCommandCopyBufferRectKHR},
    {"clCommandCopyBufferToImageKHR", api_clCommandCopyBufferToImageKHR},
    {"clCommandCopyImageKHR", api_clCommandCopyImageKHR},
    {"clCommandCopyImageToBufferKHR", api_clCommandCopyImageToBufferKHR},
    {"clCommandFillBufferKHR", api_clCommandFillBufferKHR},
    {"clCommandFillImageKHR", api_clCommandFillImageKHR},
    {"clCommandSVMMemcpyKHR", api_clCommandSVMMemcpyKHR},
    {"clCommandSVMMemFillKHR", api_clCommandSVMMemFillKHR},
    {"clCommandNDRangeKernelKHR", api_clCommandNDRangeKernelKHR},
    {"clUpdateMutableCommandsKHR", api_clUpdateMutableCommandsKHR},
    {"clGetMutableCommandInfoKHR", api_clGetMutableCommandInfoKHR},
    {"clCreateSemaphoreWithPropertiesKHR", api_clCreateSemaphoreWithPropertiesKHR},
    {"clEnqueueWaitSemaphoresKHR", api_clEnqueueWaitSemaphoresKHR},
    {"clEnqueueSignalSemaphoresKHR", api_clEnqueueSignalSemaphoresKHR},
    {"clGetSemaphoreInfoKHR", api_clGetSemaphoreInfoKHR},
    {"clGetSemaphoreHandleForTypeKHR", api_clGetSemaphoreHandleForTypeKHR},
    {"clRetainSemaphoreKHR", api_clRetainSemaphoreKHR},
    {"clReleaseSemaphoreKHR", api_clReleaseSemaphoreKHR},
    {"cldbgSetLastWords", api_set_last_words},
    {"cldbgSetReach", dev_set_reach},
    {"cldbgProve", dev_prove},
    {"cldbgSetRanks", dev_set_ranks},
    {"cldbgSvmAddress", api_svm_address},
    {"cldbgSvmGone", api_svm_was},
    {"cldbgBeginScope", api_scope_begin},
    {"cldbgEndScope", api_scope_end},
    {"cldbgCapture", api_capture_next},
    {"cldbgCoverage", dev_coverage},
    {"cldbgFreshCoverage", dev_fresh_coverage},
    {"cldbgPipePackets", api_pipe_packets},
    {"cldbgPipeBytes", api_pipe_bytes},
};

void *api_clGetExtensionFunctionAddress(const char *function_name)
{
    API_ENTER();
    if (!function_name) return NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(function_name, extensions[i].name) == 0) return extensions[i].address;
    api_note_missing_function(function_name);
    return NULL;
}

void *api_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                   const char *function_name)
{
    API_ENTER();
    if (!api_is(platform, API_PLATFORM)) {
        api_bad_handle(NULL, platform, API_PLATFORM);
        return NULL;
    }
    return api_clGetExtensionFunctionAddress(function_name);
}

// The functions that the ICD loader looks up by name.

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                 cl_uint *num_platforms)
{
    return api_clGetPlatformIDs(num_entries, platforms, num_platforms);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *function_name)
{
    return api_clGetExtensionFunctionAddress(function_name);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret)
{
    return api_clGetPlatformInfo(platform, param_name, param_value_size, param_value,
                                 param_value_size_ret);
}

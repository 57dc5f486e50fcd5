// SPDX-License-Identifier: MIT
// A layer of OpenCL (OPENCL_LAYERS) or a library to be preloaded, as tracers are: it shows
// launches. LAYER_NAME distinguishes two layers.
#include <CL/cl_layer.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define PUBLIC __attribute__((visibility("default")))
#define PARAMS                                                                                     \
    cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,     \
        const size_t *local, cl_uint n, const cl_event *events, cl_event *event
#define ARGS q, k, dims, offset, global, local, n, events, event

#ifdef PRELOADED
PUBLIC cl_int clEnqueueNDRangeKernel(PARAMS)
{
    cl_int (*next)(PARAMS) = (cl_int(*)(PARAMS))dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    fputs("preloaded: a launch\n", stdout);
    return next(ARGS);
}
#else
static const cl_icd_dispatch *target;
static cl_icd_dispatch own;

static cl_int CL_API_CALL enqueue(PARAMS)
{
    fputs("layer " LAYER_NAME ": a launch\n", stdout);
    return target->clEnqueueNDRangeKernel(ARGS);
}

PUBLIC cl_int clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    if (name != CL_LAYER_API_VERSION || size < sizeof(cl_layer_api_version)) return -30;
    *(cl_layer_api_version *)value = getenv("LAYER_IS_NEW") ? 200 : CL_LAYER_API_VERSION_100;
    if (size_ret) *size_ret = sizeof(cl_layer_api_version);
    return 0;
}

PUBLIC cl_int clInitLayer(cl_uint n, const cl_icd_dispatch *to, cl_uint *n_ret,
                          const cl_icd_dispatch **layer)
{
    if (n < sizeof own / sizeof(void *)) return -30;
    target = to;
    own.clEnqueueNDRangeKernel = enqueue; // the other entries, NULL, are the target's
    *n_ret = sizeof own / sizeof(void *);
    *layer = &own;
    return 0;
}
#endif

// SPDX-License-Identifier: MIT
#ifndef API_LAYERS_H
#define API_LAYERS_H

struct _cl_icd_dispatch;

/**
 * The driver's dispatch table with the layers that the environment variable OPENCL_LAYERS names in
 * front of it (the Khronos loader's interface, <CL/cl_layer.h>): libraries between colons, the last
 * one is called first. They are loaded at the first call; one that cannot be used is left out with
 * a note on stderr. No slot is NULL. May be called from any thread.
 */
const struct _cl_icd_dispatch *layers_dispatch(void);

#endif

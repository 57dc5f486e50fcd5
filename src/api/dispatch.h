// SPDX-License-Identifier: MIT
#ifndef API_DISPATCH_H
#define API_DISPATCH_H
#include <CL/cl_icd.h>

/**
 * The one private symbol of libcldbg.so: its dispatch table. The thin libOpenCL.so.1 forwards every
 * entry point through it (typed forwarders come from entry.def). No slot is NULL.
 */
__attribute__((visibility("default"))) const struct _cl_icd_dispatch *cldbg_dispatch(void);

/** The implementations, api_clGetPlatformIDs and so on: one for each row of entry.def. */
#define ENTRY(ret, name, params, args) ret api_##name params;
#include "api/entry.def"

#endif

// SPDX-License-Identifier: MIT
#ifndef FRONTEND_DEVICE_ENQUEUE_H
#define FRONTEND_DEVICE_ENQUEUE_H
#include "frontend/front_end.h"
#include "frontend/options.h"

#include <llvm-c/Core.h>

/**
 * The functions of device-side enqueue (device_enqueue.cl) with a line marker in front, for a
 * program that names one of them; otherwise "".
 */
const char *fe_device_enqueue(const struct fe_request *r, const struct fe_options *o);

/**
 * For a program that was not compiled here and calls some that it lacks: the options with which
 * FE_DEVICE_ENQUEUE_SOURCE becomes those functions. NULL if it lacks none.
 */
#define FE_DEVICE_ENQUEUE_SOURCE "// enqueue_kernel\n"
const char *fe_device_enqueue_missing(LLVMModuleRef program);
#endif

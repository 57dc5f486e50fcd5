// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIRV_CHILD_H
#define FRONTEND_SPIRV_CHILD_H
#include "frontend/front_end.h"

/**
 * A SPIR-V module as LLVM bitcode. FE_BAD_BINARY: the translator cannot read the module; the log
 * says why.
 */
enum fe_status fe_spirv(const void *data, size_t size, struct str *bitcode, struct str *log);
#endif

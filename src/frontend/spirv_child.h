// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIRV_CHILD_H
#define FRONTEND_SPIRV_CHILD_H
#include "frontend/front_end.h"

/**
 * A SPIR-V module as LLVM bitcode. constants: specialization constants as llvm-spirv takes them
 * ("7:i32:5 9:f32:1.5"), or "". FE_BAD_BINARY: the translator cannot read the module; the
 * log says why.
 */
enum fe_status fe_spirv(const void *data, size_t size, const char *constants, struct str *bitcode,
                        struct str *log);
#endif

// SPDX-License-Identifier: MIT
#ifndef FRONTEND_TYPE_TEXT_H
#define FRONTEND_TYPE_TEXT_H
#include "base/str.h"

#include <llvm-c/Core.h>

/**
 * Appends a debug-info type as the source writes it: `float[16][17]`, `global float4*`, `struct P`.
 */
void fe_type_text(LLVMModuleRef m, LLVMValueRef di_type, struct str *out);
#endif

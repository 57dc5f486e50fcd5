// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIR_VARIABLES_H
#define FRONTEND_SPIR_VARIABLES_H
#include <llvm-c/Core.h>

/**
 * OpenCL C has no program-scope variables in private memory; SPIR 1.2 from sources with `char *s =
 * "…";` outside all functions does. A variable that is only read is the same for all work-items: it
 * becomes a constant. The first variable that is written, or whose address is kept: NULL if there
 * is none.
 */
LLVMValueRef fe_take_spir_variables(LLVMModuleRef m);

#endif

// SPDX-License-Identifier: MIT
#ifndef FRONTEND_FUNCTION_LINKING_H
#define FRONTEND_FUNCTION_LINKING_H
#include <llvm-c/Core.h>
#include <stdbool.h>

/**
 * Links the functions that the program calls and lacks from a module of them (destroyed), as
 * functions of its own; false with LLVM's words in the diagnostics.
 */
bool fe_link_functions(LLVMModuleRef program, LLVMModuleRef functions);
#endif

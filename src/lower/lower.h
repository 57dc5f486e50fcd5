// SPDX-License-Identifier: MIT
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H
#include "bytecode/bytecode.h"
#include "frontend/debug_metadata.h"

/**
 * LLVM IR of a whole program (after rg_normalize, debug info as `d` reads it) → bytecode. *out is a
 * new module that bc_verify accepts. Failure: something the bytecode cannot say, named with
 * file:line:col; *out is NULL.
 */
struct err *lw_module(LLVMModuleRef m, struct fe_debug *d, struct bc_module **out);
/**
 * The same for a debugger: every variable of the source lives in memory, and the module has the
 * tables of types, scopes and variables. Scopes of `d` are followed (fe_debug_follow_scopes).
 * Results and findings are the same.
 */
struct err *lw_module_for_debugging(LLVMModuleRef m, struct fe_debug *d, struct bc_module **out);
#endif

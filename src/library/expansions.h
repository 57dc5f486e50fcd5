// SPDX-License-Identifier: MIT
#ifndef LIBRARY_EXPANSIONS_H
#define LIBRARY_EXPANSIONS_H
#include "builtins/builtins.h"

#include <llvm-c/Core.h>

/**
 * Expansions of calls that OpenCL C cannot state for all types at once. Each gives the value that
 * replaces the call (for a store: the store), computed where the builder is, or NULL if the call
 * stays.
 */
LLVMValueRef lib_call_of_float(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c);
LLVMValueRef lib_convert(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c);
LLVMValueRef lib_vload(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c);
LLVMValueRef lib_vstore(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c);

/** The builtin takes numbers of half, with which it computes. */
bool lib_is_of_half(const struct bi_call *c);
/** convert_<to><width of v>[_sat][_<round>](v). */
LLVMValueRef lib_converted(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef v,
                           const struct bi_call *how);
/** The function of that name, declared if the module has none. */
LLVMValueRef lib_declared(LLVMModuleRef m, const char *name, LLVMTypeRef t);
/** Type t with components of type `elem`. */
LLVMTypeRef lib_with(LLVMTypeRef t, LLVMTypeRef elem);
unsigned lib_width(LLVMTypeRef t);
#endif

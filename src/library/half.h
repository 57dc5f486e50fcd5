// SPDX-License-Identifier: MIT
#ifndef LIBRARY_HALF_H
#define LIBRARY_HALF_H
#include "builtins/builtins.h"

#include <llvm-c/Core.h>

/** The builtin takes numbers of half, with which it computes. */
bool lib_is_of_half(const struct bi_call *c);
/**
 * The result of the same builtin of float, its operands widened and its result rounded; computed
 * where the builder is.
 */
LLVMValueRef lib_call_of_float(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c);
#endif

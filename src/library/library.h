// SPDX-License-Identifier: MIT
#ifndef LIBRARY_LIBRARY_H
#define LIBRARY_LIBRARY_H
#include "base/err.h"

#include <llvm-c/Core.h>

/**
 * Replaces each call of a builtin that builtins.cl defines by the instructions of that definition,
 * and each call of a builtin of half by that of float, between conversions. lower/ and native/ turn
 * the other builtins into opcodes, lane functions or calls of the runtime. The definitions are read
 * only if the program calls one.
 */
struct err *lib_expand(LLVMModuleRef program);
#endif

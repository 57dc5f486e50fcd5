// SPDX-License-Identifier: MIT
#ifndef BASE_SPIRV_H
#define BASE_SPIRV_H
#include <stdbool.h>
#include <stddef.h>

/**
 * SPIR-V is read by Khronos' translator, `llvm-spirv`, as a child process, where it is installed.
 */

/**
 * The program: CLDBG_LLVM_SPIRV, else the newest llvm-spirv in PATH. NULL: there is none. Never
 * freed.
 */
const char *spirv_translator(void);
/** Does it begin as a module does, in the byte order of this machine or the other one? */
bool spirv_is_module(const void *data, size_t size);
/** What any llvm-spirv since 14 translates: 1.0 to this minor version. */
enum { SPIRV_MINOR = 3 };
#endif

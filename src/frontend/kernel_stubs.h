// SPDX-License-Identifier: MIT
#ifndef FRONTEND_KERNEL_STUBS_H
#define FRONTEND_KERNEL_STUBS_H
#include <llvm-c/Core.h>

/**
 * From version 21 on clang makes two functions of `kernel void k()`: `__clang_ocl_kern_imp_k` with
 * the body, which other kernels call, and a kernel k that calls it, with the body inlined again.
 * This makes one of each such pair, as the source has it: the body becomes the kernel. Does nothing
 * to a module without such pairs.
 */
void fe_join_kernel_stubs(LLVMModuleRef m);

#endif

// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIR_METADATA_H
#define FRONTEND_SPIR_METADATA_H
#include <llvm-c/Core.h>

/**
 * In SPIR 1.2, the metadata of kernels and their arguments belong to the module: `!opencl.kernels =
 * !{!0}`, `!0 = !{@k, !1, …}`, `!1 = !{!"kernel_arg_type", !"image2d_t", …}` (The SPIR
 * Specification 1.2, 2.3). This gives each kernel its part as metadata of its own,
 * `!kernel_arg_type !{…}`, as SPIR 2.0 and clang have it. Existing metadata is kept.
 */
void fe_take_spir_metadata(LLVMModuleRef m);

#endif

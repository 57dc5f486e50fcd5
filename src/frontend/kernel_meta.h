// SPDX-License-Identifier: MIT
#ifndef FRONTEND_KERNEL_META_H
#define FRONTEND_KERNEL_META_H
#include "base/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/** What the source says about a kernel, read from clang's metadata on the function. */

enum fe_access { FE_ACCESS_NONE, FE_READ_ONLY, FE_WRITE_ONLY, FE_READ_WRITE };
struct fe_arg {
    const char *name;      // "" when it has none
    const char *type;      // as written: "float*", "vec", "image2d_t"
    const char *base_type; // typedefs resolved, vectors by their OpenCL names: "float4*"
    unsigned space; // address space of what it points to: 0 private, 1 global, 2 constant, 3 local,
                    // 4 generic
    enum fe_access access;
    bool is_const, is_restrict, is_volatile, is_pipe;
};

struct fe_kernel {
    const char *name;
    const struct fe_arg *args;
    unsigned nargs;
    uint32_t reqd_wg_size[3], wg_size_hint[3]; // 0: not given
    uint32_t sub_group;        // work-items of a sub-group that it asks for; 0: none
    bool may_be_uneven;        // OpenCL C 2.0 or later without -cl-uniform-work-group-size
    const char *vec_type_hint; // "float4", or ""
    const char *
        attributes; // for CL_KERNEL_ATTRIBUTES: "reqd_work_group_size(8,1,1) vec_type_hint(float4)"
};

/**
 * Everything is allocated in `a`. `kernel` is a function with a body for which l_is_kernel holds.
 */
void fe_kernel_read(LLVMModuleRef m, LLVMValueRef kernel, struct arena *a, struct fe_kernel *out);

#endif

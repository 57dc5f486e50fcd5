// SPDX-License-Identifier: MIT
#ifndef FRONTEND_DEBUG_TYPES_H
#define FRONTEND_DEBUG_TYPES_H
#include "base/vec.h"
#include "base/map.h"
#include "bytecode/bytecode.h"

#include <llvm-c/DebugInfo.h>

/**
 * Types of debug info as the tables that a debugger reads. `intern` numbers names as the module
 * does. Type 0 is void.
 */
struct fe_types {
    LLVMModuleRef llvm;
    uint32_t (*intern)(void *context, const char *text);
    void *context;
    VEC(struct bc_dtype) types;
    VEC(struct bc_member) members;
    struct map type_of; // debug-info node → type
};
void fe_types_init(struct fe_types *t, LLVMModuleRef llvm, uint32_t (*intern)(void *, const char *),
                   void *context);
void fe_types_deinit(struct fe_types *t);
/** The number of a type; `node` NULL is void. */
uint32_t fe_type_number(struct fe_types *t, LLVMValueRef node);
/** Of a pipe: opaque, `pipe`, its base the type of its packets, which is the node. */
uint32_t fe_type_pipe(struct fe_types *t, LLVMValueRef packet);
#endif

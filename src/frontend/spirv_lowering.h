// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIRV_LOWERING_H
#define FRONTEND_SPIRV_LOWERING_H
#include "base/str.h"

/**
 * SPIR-V of versions after 1.3, in terms of what llvm-spirv reads since Debian's version 15: a
 * module in this machine's byte order, or one of the other order, becomes one of version 1.4 at
 * most. Instructions that have no equivalent stay; the translator rejects them.
 */
void fe_spirv_lower(const void *data, size_t size, struct str *out);

/** Names of the instructions in the module that came after version 1.3, for a message; or "". */
void fe_spirv_new_instructions(const void *data, size_t size, struct str *names);
#endif

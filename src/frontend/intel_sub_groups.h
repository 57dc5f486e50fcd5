// SPDX-License-Identifier: MIT
#ifndef FRONTEND_INTEL_SUB_GROUPS_H
#define FRONTEND_INTEL_SUB_GROUPS_H
#include "frontend/front_end.h"
#include "frontend/options.h"

#include <llvm-c/Core.h>

/**
 * The functions intel_sub_group_… (intel_sub_groups.cl) with a line marker in front, for a program
 * that names one; otherwise "".
 */
const char *fe_intel_sub_groups(const struct fe_request *r, const struct fe_options *o);

/**
 * For a program that was not compiled here and calls some that it lacks: the options with which
 * FE_INTEL_SUB_GROUPS_SOURCE becomes those functions. NULL if it lacks none.
 */
#define FE_INTEL_SUB_GROUPS_SOURCE "// intel_sub_group_\n"
const char *fe_intel_sub_groups_missing(LLVMModuleRef program);
#endif

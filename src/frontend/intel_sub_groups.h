// SPDX-License-Identifier: MIT
#ifndef FRONTEND_INTEL_SUB_GROUPS_H
#define FRONTEND_INTEL_SUB_GROUPS_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/** Whether a text names one of the functions intel_sub_group_…: a source, or messages about it. */
bool fe_names_intel_sub_groups(const char *source, size_t len);

/** The functions (intel_sub_groups.cl) with a line marker in front. */
const char *fe_intel_sub_groups(void);

/**
 * For a program that was not compiled here and calls some that it lacks: the options with which
 * FE_INTEL_SUB_GROUPS_SOURCE becomes those functions. NULL if it lacks none.
 */
#define FE_INTEL_SUB_GROUPS_SOURCE "// intel_sub_group_\n"
const char *fe_intel_sub_groups_missing(LLVMModuleRef program);
#endif

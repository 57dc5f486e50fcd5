// SPDX-License-Identifier: MIT
#ifndef FRONTEND_ASSUMPTIONS_H
#define FRONTEND_ASSUMPTIONS_H
#include "base/str.h"

#include <llvm-c/Core.h>

/**
 * Comments `// cldbg-assume: CONDITION`: what the author of a kernel knows and the kernel does not
 * say. They become a test whose failure is a finding in runs, and which proofs rely on.
 */

/** Replaces the comments of a source by code on the same line. */
void fe_write_assumptions(struct str *source);
/**
 * Replaces the calls that this code makes by marks on the unreachable instructions after them:
 * l_is_assumption.
 */
void fe_mark_assumptions(LLVMModuleRef m);
#endif

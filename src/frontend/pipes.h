// SPDX-License-Identifier: MIT
#ifndef FRONTEND_PIPES_H
#define FRONTEND_PIPES_H
#include "frontend/front_end.h"
#include "frontend/options.h"

#include <llvm-c/Core.h>

/**
 * The functions of pipes (pipes.cl) with a line marker in front, for a program that has the word in
 * it; else "".
 */
const char *fe_pipes(const struct fe_request *r, const struct fe_options *o);

/**
 * For a program that was not compiled here, and calls some that it lacks: the options with which
 * FE_PIPES_SOURCE becomes those functions, to be linked by fe_link_functions. NULL when it lacks
 * none.
 */
#define FE_PIPES_SOURCE "// pipe\n"
const char *fe_pipes_missing(LLVMModuleRef program);
#endif

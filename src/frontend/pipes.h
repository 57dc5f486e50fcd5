// SPDX-License-Identifier: MIT
#ifndef FRONTEND_PIPES_H
#define FRONTEND_PIPES_H
#include "frontend/module.h"
#include "frontend/options.h"

/** The functions of pipes (pipes.cl) with a line marker in front, for a program that has the word in it; else "". */
const char *fe_pipes(const struct fe_request *r, const struct fe_options *o);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_FUNCTION_H
#define DEBUG_EXPR_FUNCTION_H
#include "debug/expressions/expr_node.h"

/** Is it a function of the program that was built with this name? */
bool dbg_function_is(const struct dbg_eval *x, const char *name);
/** Calls it; `args`: n->n values, loaded unless they are arrays. */
struct err *dbg_function_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                              struct dbg_value *v);
#endif

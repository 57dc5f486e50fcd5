// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_BUILTIN_H
#define DEBUG_EXPR_BUILTIN_H
#include "debug/expressions/expr_node.h"

/** Is it an OpenCL C function without side effects: sqrt, max, dot, convert_int4_sat, as_float…? */
bool dbg_builtin_is(const char *name);
/** Calls it with n->n loaded values, which it overwrites. */
struct err *dbg_builtin_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                             struct dbg_value *v);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_CALL_H
#define DEBUG_EXPR_CALL_H
#include "debug/expressions/expr_node.h"

enum { DBG_MAX_ARGS = 3 };
/** Functions of OpenCL C that only compute: of work-items, images, mathematics and vectors. */
bool dbg_can_call(const char *name);
/** n->n values in `args`, loaded; images as they are. */
struct err *dbg_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                     struct dbg_value *v);
#endif

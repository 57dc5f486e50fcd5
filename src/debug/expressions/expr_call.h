// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_CALL_H
#define DEBUG_EXPR_CALL_H
#include "debug/expressions/expr_node.h"

enum { DBG_MAX_ARGS = 3 };
/**
 * Can the function be called? OpenCL C functions of work-items, images, mathematics and vectors
 * can.
 */
bool dbg_can_call(const char *name);
/** get_global_id and related functions. */
bool dbg_is_work_item_function(const char *name);
/** `args`: n->n loaded values; images are not loaded. */
struct err *dbg_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                     struct dbg_value *v);
/** The name of the function of OpenCL C, and whether it has the dimension as an argument. */
const char *dbg_work_item_function(enum bc_wi wi, bool *has_dimension);
#endif

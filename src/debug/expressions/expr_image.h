// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_IMAGE_H
#define DEBUG_EXPR_IMAGE_H
#include "debug/expressions/expr_node.h"

/** `get_image_width`, `read_imagef` and related functions. */
bool dbg_is_image_function(const char *name);
/**
 * Calls one with the values of its arguments. Without a sampler, coordinates must be inside the
 * image.
 */
struct err *dbg_image_call(struct dbg_eval *x, const struct dbg_node *n,
                           const struct dbg_value *args, struct dbg_value *v);
#endif

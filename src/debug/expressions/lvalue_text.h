// SPDX-License-Identifier: MIT
#ifndef DEBUG_LVALUE_TEXT_H
#define DEBUG_LVALUE_TEXT_H
#include "debug/expressions/expr.h"

/**
 * Names the bytes at an address as an expression, `out[17]`, `p.last[1]`, `v.y`, and returns their
 * type. If no type of the program has these bytes: "8 bytes of 'out' at offset 4", and NULL.
 */
const struct dbg_type *dbg_put_lvalue(struct str *out, struct vm_gang *g, uint64_t address,
                                      uint64_t size);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_FINISH_VALUE_H
#define DEBUG_FINISH_VALUE_H
#include "debug/expressions/expr.h"

/** To be called when `finish` begins to run out of that frame. */
void dbg_finish_value_await(struct vm_gang *g, unsigned level);
/** After the return: prints "Value returned is $1 = 6", if there is a value. */
void dbg_finish_value_put(struct str *out, struct vm_gang *g);
#endif

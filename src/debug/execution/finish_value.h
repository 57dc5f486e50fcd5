// SPDX-License-Identifier: MIT
#ifndef DEBUG_FINISH_VALUE_H
#define DEBUG_FINISH_VALUE_H
#include "debug/expressions/expr.h"

/** `finish` leaves that frame. */
void dbg_finish_value_await(struct vm_gang *g, unsigned level);
/** It has returned: "Value returned is $1 = 6", if there is one. */
void dbg_finish_value_put(struct str *out, struct vm_gang *g);
#endif

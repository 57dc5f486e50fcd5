// SPDX-License-Identifier: MIT
#ifndef CHECK_PROGRAM_ORDER_H
#define CHECK_PROGRAM_ORDER_H
#include "check/check.h"
#include "race/race.h"

/**
 * May a work-item run `a` before `b`, by the control flow of the kernel? Conservative: true if it
 * is not known, and for accesses by one call.
 */
bool chk_may_precede(const struct chk_launch *l, const struct race_access *a,
                     const struct race_access *b);
#endif

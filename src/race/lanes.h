// SPDX-License-Identifier: MIT
#ifndef RACE_LANES_H
#define RACE_LANES_H
#include "race/shadow.h"

/**
 * The rules for a whole gang at once: does what exact_access does, in loops that the compiler
 * vectorizes. Where a group of lanes finds anything, nothing of theirs has been changed and
 * exact_access is called for them. Compiled for three levels of x86-64; the launch takes the
 * processor's.
 */
typedef void lanes_fn(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                      const struct race_op *op, uint64_t to_object);
lanes_fn lanes_access_1, lanes_access_3, lanes_access_4;
/** What was kept of a local object's accesses since the last fence goes into its shadow. */
typedef void spill_fn(struct race_worker *w, struct race_shadow *s);
spill_fn lanes_spill_1, lanes_spill_3, lanes_spill_4;
#endif

// SPDX-License-Identifier: MIT
#ifndef RACE_LANES_H
#define RACE_LANES_H
#include "race/shadow.h"

/**
 * Does what exact_access does for a whole gang, in loops that the compiler vectorizes. If a loop
 * finds something, it has changed nothing, and exact_access is called for its lanes. Compiled for
 * three levels of x86-64; the launch uses that of the processor.
 */
typedef void lanes_fn(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                      const struct race_op *op, uint64_t to_object);
lanes_fn lanes_access_1, lanes_access_3, lanes_access_4;
/** Moves the logged accesses of a local object since the last fence into its shadow. */
typedef void spill_fn(struct race_worker *w, struct race_shadow *s);
spill_fn lanes_spill_1, lanes_spill_3, lanes_spill_4;
#endif

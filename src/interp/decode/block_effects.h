// SPDX-License-Identifier: MIT
#ifndef INTERP_BLOCK_EFFECTS_H
#define INTERP_BLOCK_EFFECTS_H
#include "interp/decode/decoder.h"

/**
 * Does the block write something that others can see? Writes by atomics are recorded at run time
 * (vm_gang.worker_changed), for other groups.
 */
uint64_t dec_effect(const struct decoder *d, const struct bc_block *b);
/**
 * Does the block's masked code only use the lanes for which it runs? See vm_gang.n.
 */
bool dec_may_narrow(const struct decoder *d, const struct bc_block *b);
#endif

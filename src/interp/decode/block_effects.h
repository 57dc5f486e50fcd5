// SPDX-License-Identifier: MIT
#ifndef INTERP_BLOCK_EFFECTS_H
#define INTERP_BLOCK_EFFECTS_H
#include "interp/decode/decoder.h"

/**
 * Is something written that others can see? What atomics write is seen when they do
 * (vm_gang.worker_changed), if other groups ask.
 */
uint64_t dec_effect(const struct decoder *d, const struct bc_block *b);
/**
 * Does all of the block's code for some lanes look at no more lanes than those that it is run for?
 * See vm_gang.n.
 */
bool dec_may_narrow(const struct decoder *d, const struct bc_block *b);
#endif

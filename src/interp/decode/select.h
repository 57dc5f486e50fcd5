// SPDX-License-Identifier: MIT
#ifndef INTERP_SELECT_H
#define INTERP_SELECT_H
#include "interp/decode/decoder.h"

/** Decodes an instruction, and appends it to the current stream. */
void dec_insn(struct decoder *d, const struct bc_insn *b);
/**
 * Fuses a product with the sum that is its only use (bytecode: BC_ONCE). Not for stepping, and not
 * in streams that track undefined values.
 */
bool dec_product_sum(struct decoder *d, const struct bc_insn *b);
#endif

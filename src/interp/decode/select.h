// SPDX-License-Identifier: MIT
#ifndef INTERP_SELECT_H
#define INTERP_SELECT_H
#include "interp/decode/decoder.h"

/** Decodes an instruction at the end of the stream being made. */
void dec_insn(struct decoder *d, const struct bc_insn *b);
/**
 * A product that only the sum after it uses: one instruction for both (bytecode: BC_ONCE). Not
 * where single instructions are looked at, nor where what is undefined is followed.
 */
bool dec_product_sum(struct decoder *d, const struct bc_insn *b);
#endif

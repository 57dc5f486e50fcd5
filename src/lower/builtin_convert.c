// SPDX-License-Identifier: MIT
// Conversions that library/expand_conversions.c does not expand: from floating point to integers
// (an opcode), and with rounding modes (lane functions). The opcode saturates; without _sat, values
// out of range are undefined, and a finding.
#include "lower/builtin.h"

static unsigned lg(unsigned bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

static lw_reg float_to_int(struct lw_bi *b, lw_reg x)
{
    const enum bi_scalar to = b->c->to.scalar;
    // ops.def has the family in the order of the integer's size, for F32 and then for F64
    const enum bc_op op = (bi_is_signed(to) ? BC_F2S_I8_F32 : BC_F2U_I8_F32) +
                          lg(bi_scalar_size(to)) + (b->c->arg[0].scalar == BI_DOUBLE ? 4 : 0);
    const lw_reg d = lw_temp(b->f, bi_scalar_size(to), lw_is_varying(x));
    lw_emit(b->f, (struct bc_insn){.op = (uint16_t)op,
                                   .flags = b->c->sat ? BC_SATURATES : 0,
                                   .dst = d,
                                   .a = x,
                                   .b = BC_NONE,
                                   .c = BC_NONE});
    return d;
}

void lw_bi_convert(struct lw_bi *b)
{
    const struct bi_type *from = &b->c->arg[0], *to = &b->c->to;
    if (from->width != to->width || b->n != to->width || b->size != bi_scalar_size(to->scalar)) {
        lw_error(b->f, b->inst, "a conversion to another type than its name says");
        return;
    }
    for (unsigned i = 0; i < b->n; i++) {
        const lw_reg x = lw_bi_arg(b, 0, i);
        b->out[i] = bi_is_float(to->scalar) ? lw_bi_lane(b, bi_convert_lane(b->c), &x)
                                            : float_to_int(b, x);
    }
}

// SPDX-License-Identifier: MIT
// Pointers that leave registers are signed with their owner, and authenticated when they come back.
#include "lower/lw.h"

static lw_reg convert(struct lw_fn *f, enum bc_op op, LLVMTypeRef t, lw_reg r)
{
    const lw_reg d = lw_temp(f, 8, lw_is_varying(r) || rg_owner_varies(f->rg, t));
    lw_emit(f, (struct bc_insn){.op = op, .dst = d, .a = r, .b = BC_NONE, .c = BC_NONE});
    return d;
}

lw_reg lw_sign(struct lw_fn *f, LLVMTypeRef t, lw_reg pointer)
{
    uint64_t bits;
    if (lw_is_const(f, pointer, &bits) && !bits) return pointer; // null
    return convert(f, BC_SIGN, t, pointer);
}

lw_reg lw_authenticate(struct lw_fn *f, LLVMTypeRef t, lw_reg bits)
{
    return convert(f, BC_AUTHENTICATE, t, bits);
}

// SPDX-License-Identifier: MIT
// The effects of running a block: writes that others can see, and reads of inactive lanes.
#include "interp/decode/block_effects.h"

#include "bytecode/operands.h"
#include "interp/decode/code.h"
#include "interp/decode/decoder.h"
#include "interp/definedness/undef.h"

uint64_t dec_effect(const struct decoder *d, const struct bc_block *b)
{
    const struct bc_mem *sites = d->m->sites;
    uint64_t near = 0;
    for (uint32_t k = b->first; k < b->first + b->count; k++) {
        const struct bc_insn *i = &d->fn->bc->insns[k];
        if (!(bc_ops[i->op].effects & BC_ACTS)) continue;
        const unsigned effects = bc_effects(sites, d->fn->bc->ext, i);
        if (effects & BC_SHOWS || i->op == BC_ASYNC_COPY) return VM_FAR_EFFECT;
        if (effects & BC_CROSSES || i->op == BC_BARRIER) near = VM_EFFECT;
        if (!(effects & BC_WRITES)) continue;
        if (i->op == BC_ATOMIC || sites[i->site].space == BC_LOCAL) near = VM_EFFECT;
        else if (sites[i->site].space != BC_PRIVATE) return VM_FAR_EFFECT;
    }
    return near;
}

bool dec_may_narrow(const struct decoder *d, const struct bc_block *b)
{
    if (d->code->stepped || d->code->mode & VM_FAST_FORWARDING) return false;
    for (uint32_t k = b->first; k < b->first + b->count; k++)
        if (!(bc_ops[d->fn->bc->insns[k].op].effects & BC_NARROWS)) return false;
    return true;
}

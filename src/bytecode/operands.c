// SPDX-License-Identifier: MIT
// The part of an instruction's operands that its list holds, and effects that depend on more than
// the opcode.
#include "bytecode/operands.h"

static bool run(struct bc_operand *o, uint32_t *first, uint32_t n, unsigned use)
{
    o->next = first;
    o->left = use & o->wanted ? n : 0;
    o->use = use;
    return true;
}

/** Step 0 is the run of results, if there is one; sources follow the fields. */
bool bc_operand_run(struct bc_operand *o)
{
    enum { OUT = BC_USE_OUT, IN = BC_USE_IN, WHERE = BC_USE_IN | BC_USE_WHERE };
    const unsigned step = o->step++;
    uint32_t *const e = o->list;
    if (step && !(o->wanted & IN)) return false;
    switch ((enum bc_ext)o->info->ext) {
    case BC_EXT_RESULTS: return !step && run(o, e, o->site->ncomp, OUT | BC_USE_ELEM);
    case BC_EXT_VALUES: return step == 1 && run(o, e, o->site->ncomp, IN | BC_USE_ELEM);
    case BC_EXT_COMPARE: return step == 1 && run(o, e, bc_compares(o->site), IN | BC_USE_ELEM);
    case BC_EXT_LANEFN:
        if (!step) return run(o, e + 2, e[1], OUT);
        return step == 1 && run(o, e + 3 + e[1], e[2 + e[1]], IN);
    case BC_EXT_CALL:
        if (!step) return run(o, e + 3 + e[1], e[2 + e[1]], OUT);
        return step == 1 && run(o, e + 2, e[1], IN);
    case BC_EXT_RET: return step == 1 && run(o, e + 1, e[0], IN);
    case BC_EXT_PRINTF: // runs of (type, n, operands…)
        if (!step) return run(o, e + 2, 0, IN);
        return step <= e[1] && run(o, o->next + 2, o->next[1], IN);
    case BC_EXT_ASYNC:
        if (step == 1) return run(o, e + 2, 1, WHERE | 8);
        return step == 2 && run(o, e + 4, 1, IN | 8);
    case BC_EXT_IMAGE:
        if (step == 1) return run(o, e + 3, e[1], WHERE | 4);
        if (!step && !(e[0] & BC_IMAGE_WRITE)) return run(o, e + 3 + e[1], e[2], OUT | 4);
        return step == 2 && e[0] & BC_IMAGE_WRITE && run(o, e + 3 + e[1], e[2], IN | 4);
    default: return false;
    }
}

unsigned bc_effects(const struct bc_mem *sites, const uint32_t *ext, const struct bc_insn *i)
{
    const unsigned effects = bc_ops[i->op].effects;
    if (bc_ops[i->op].ext == BC_EXT_IMAGE)
        return effects & ~(unsigned)(ext[i->ext] & BC_IMAGE_WRITE ? BC_READS : BC_WRITES);
    if (bc_ops[i->op].ext != BC_EXT_COMPARE) return effects;
    const unsigned kind = sites[i->site].kind;
    return effects & ~(unsigned)(kind == BC_ATOMIC_LOAD    ? BC_WRITES
                                 : kind == BC_ATOMIC_STORE ? BC_READS
                                                           : 0);
}

unsigned bc_successors(const struct bc_insn *end, uint32_t to[2])
{
    unsigned n = 0;
    for (unsigned k = 1; k < 4; k++)
        if (bc_ops[end->op].use[k] & BC_USE_BLOCK) to[n++] = (&end->dst)[k];
    if (bc_ops[end->op].ext == BC_EXT_BLOCK) to[n++] = end->ext;
    return n;
}

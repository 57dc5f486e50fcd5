// SPDX-License-Identifier: MIT
// Conditions that are the same in all work-items of a group although they are varying registers:
// where work-groups may be packed (regions/packed_groups.c), group ids vary among the lanes.
//
// A forward data-flow analysis, optimistic about registers that outlive their block. Such a
// register is the same in a group if it has one definition, which is not in a loop (lanes that
// leave a loop in different iterations would keep different values), by an instruction without
// memory or effects whose operands are. By the masking rule (bytecode.h) other definitions are used
// in their block only, so the last one counts.
#include "look/group_uniform.h"

#include "base/mem.h"
#include "bytecode/operands.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, SAME, DIFFERS };

struct registers {
    const struct bc_module *m;
    const struct bc_fn *fn;
    uint8_t *outside, // [register]: of values that outlive their block
        *inside;      // likewise: of those that the block at hand defined
    bool changed;
};

static bool differs(const struct registers *r, uint32_t operand)
{
    if (!(operand & BC_V)) return false;
    const uint32_t k = operand & ~BC_V;
    return (r->inside[k] ? r->inside[k] : r->outside[k]) == DIFFERS;
}

static bool is_id_of_item(const struct bc_insn *i)
{
    const unsigned wi = i->ext & 255;
    return wi == BC_GLOBAL_ID || wi == BC_LOCAL_ID || wi == BC_GLOBAL_LINEAR_ID ||
           wi == BC_LOCAL_LINEAR_ID || wi >= BC_SUB_GROUP_SIZE;
}

/** Whether its results may differ among the work-items of a group. */
static bool may_differ(const struct registers *r, const struct bc_insn *i)
{
    if (bc_ops[i->op].effects & (BC_READS | BC_ACTS) || i->op == BC_UNDEF) return true;
    if (bc_ops[i->op].ext == BC_EXT_WI && is_id_of_item(i)) return true;
    BC_EACH_OPERAND(o, r->m->sites, r->fn->ext, i, BC_USE_IN)
        if (differs(r, *o.at)) return true;
    return false;
}

static void define(struct registers *r, const struct bc_insn *i)
{
    const uint8_t is = may_differ(r, i) ? DIFFERS : SAME;
    BC_EACH_OPERAND(o, r->m->sites, r->fn->ext, i, BC_USE_OUT) {
        if (!(*o.at & BC_V)) continue;
        const uint32_t k = *o.at & ~BC_V;
        r->inside[k] = is;
        if (!(i->flags & BC_MASKED) || is == SAME || r->outside[k] == DIFFERS) continue;
        r->outside[k] = DIFFERS;
        r->changed = true;
    }
}

/** Registers that are not defined just once outside of loops differ. */
static void count_definitions(struct registers *r)
{
    for (uint32_t k = 0; k < r->fn->nblocks; k++) {
        const struct bc_block *const b = &r->fn->blocks[k];
        for (const struct bc_insn *i = r->fn->insns + b->first, *end = i + b->count; i < end; i++) {
            if (!(i->flags & BC_MASKED)) continue;
            BC_EACH_OPERAND(o, r->m->sites, r->fn->ext, i, BC_USE_OUT) {
                if (!(*o.at & BC_V)) continue;
                uint8_t *const is = &r->outside[*o.at & ~BC_V];
                *is = *is == UNKNOWN && b->loop < 0 ? SAME : DIFFERS;
            }
        }
    }
    for (uint32_t k = 0; k < r->fn->nvarying; k++)
        if (r->outside[k] == UNKNOWN) r->outside[k] = DIFFERS;
}

void look_group_uniform(const struct bc_module *m, const struct bc_fn *fn, bool *same)
{
    struct registers r = {.m = m, .fn = fn};
    r.outside = mem_alloc(2 * (size_t)fn->nvarying + 1);
    r.inside = r.outside + fn->nvarying;
    count_definitions(&r);
    do {
        r.changed = false;
        for (uint32_t k = 0; k < fn->nblocks; k++) {
            const struct bc_block *const b = &fn->blocks[k];
            memset(r.inside, UNKNOWN, fn->nvarying);
            for (uint32_t i = 0; i < b->count; i++) define(&r, &fn->insns[b->first + i]);
            const struct bc_insn *const last = &fn->insns[b->first + b->count - 1];
            same[k] = last->op == BC_CBR && !differs(&r, last->a);
        }
    } while (r.changed);
    free(r.outside);
}

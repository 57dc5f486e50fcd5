// SPDX-License-Identifier: MIT
// The order of two accesses in the program.
#include "check/program_order.h"

#include "base/mem.h"
#include "bytecode/operands.h"

#include <stdlib.h>

/** The instruction of the kernel's function for an access: itself, or the call that makes it. */
struct stand_in {
    uint32_t site, call; // the call's loc; 0: none
};

static bool stand_in_of(const struct chk_launch *l, const struct race_access *x,
                        struct stand_in *out)
{
    const uint32_t site = l->race_site ? l->race_site[x->site] : x->site;
    *out = (struct stand_in){.site = site};
    if (x->item >= l->items) return false; // an async copy
    if (l->module->sites[site].fn == l->kernel->fn) return true;
    for (uint32_t at = l->race_path ? l->race_path[x->site] : 0; at; at = l->paths[at].caller)
        *out = (struct stand_in){.call = l->paths[at].loc};
    return out->call;
}

static bool is_instruction(const struct bc_insn *i, struct stand_in x)
{
    if (x.call) return i->op == BC_CALL && i->loc == x.call;
    return i->site == x.site || (i->op == BC_COPY && i->ext == x.site);
}

static bool has(const struct bc_fn *fn, uint32_t block, uint32_t from, struct stand_in x)
{
    const struct bc_block *const b = &fn->blocks[block];
    for (uint32_t i = from; i < b->count; i++)
        if (is_instruction(&fn->insns[b->first + i], x)) return true;
    return false;
}

/** Does control get from the end of the block to x? */
static bool reaches(const struct bc_fn *fn, uint32_t block, struct stand_in x)
{
    uint32_t *todo = mem_array(NULL, fn->nblocks + 1, sizeof *todo), n = 1;
    bool *is_seen = mem_alloc(fn->nblocks + 1), found = false;
    todo[0] = block;
    while (n && !found) {
        const struct bc_block *const b = &fn->blocks[todo[--n]];
        uint32_t to[2];
        for (unsigned k = bc_successors(&fn->insns[b->first + b->count - 1], to); k-- > 0;) {
            if (is_seen[to[k]]) continue;
            is_seen[to[k]] = true;
            found |= has(fn, to[k], 0, x);
            todo[n++] = to[k];
        }
    }
    free(todo);
    free(is_seen);
    return found;
}

bool chk_may_precede(const struct chk_launch *l, const struct race_access *a,
                     const struct race_access *b)
{
    const struct bc_fn *const fn = &l->module->fns[l->kernel->fn];
    struct stand_in x, y;
    if (!stand_in_of(l, a, &x) || !stand_in_of(l, b, &y) || (x.call && x.call == y.call))
        return true;
    for (uint32_t k = 0; k < fn->nblocks; k++)
        for (uint32_t i = 0; i < fn->blocks[k].count; i++)
            if (is_instruction(&fn->insns[fn->blocks[k].first + i], x) &&
                (has(fn, k, i + 1, y) || reaches(fn, k, y)))
                return true;
    return false;
}

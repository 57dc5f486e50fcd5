// SPDX-License-Identifier: MIT
// Control dependence from the post-dominators of a function's blocks, which are computed once for
// each function. A block depends on a branch if it post-dominates one of its targets, but not the
// block of the branch.
#include "debug/history/control_dependence.h"

#include "base/mem.h"
#include "bytecode/operands.h"

#include <stdlib.h>
#include <string.h>

/** The post-dominators of the last function that was asked for: [block * words], with itself. */
static struct {
    const struct bc_fn *fn;
    uint64_t *of;
    uint32_t words;
} P;

static bool has(const uint64_t *set, uint32_t b) { return set[b / 64] >> b % 64 & 1; }

static const struct bc_insn *end_of(const struct bc_fn *fn, uint32_t b)
{
    return &fn->insns[fn->blocks[b].first + fn->blocks[b].count - 1];
}

uint32_t dbg_block_of(const struct bc_fn *fn, const struct bc_insn *insn)
{
    const uint32_t i = (uint32_t)(insn - fn->insns);
    uint32_t b = 0;
    while (i < fn->blocks[b].first || i - fn->blocks[b].first >= fn->blocks[b].count) b++;
    return b;
}

/** One step for block b; did its set change? */
static bool meet(const struct bc_fn *fn, uint32_t b)
{
    uint32_t to[2];
    const unsigned n = bc_successors(end_of(fn, b), to);
    uint64_t *mine = P.of + (size_t)b * P.words;
    bool changed = false;
    for (uint32_t w = 0; w < P.words; w++) {
        uint64_t v = n ? ~0ull : 0;
        for (unsigned k = 0; k < n; k++) v &= P.of[(size_t)to[k] * P.words + w];
        if (b / 64 == w) v |= 1ull << b % 64;
        changed |= v != mine[w];
        mine[w] = v;
    }
    return changed;
}

static void compute(const struct bc_fn *fn)
{
    P.fn = fn;
    P.words = fn->nblocks / 64 + 1;
    free(P.of);
    P.of = mem_alloc((size_t)fn->nblocks * P.words * sizeof *P.of);
    memset(P.of, 0xff, (size_t)fn->nblocks * P.words * sizeof *P.of);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = fn->nblocks; b-- > 0;) changed |= meet(fn, b);
    }
}

struct dbg_controls dbg_controls_of(const struct bc_fn *fn, const struct bc_insn *insn)
{
    if (P.fn != fn) compute(fn);
    const uint32_t b = dbg_block_of(fn, insn);
    struct dbg_controls c = {fn, mem_alloc(P.words * sizeof *c.branches)};
    for (uint32_t x = 0; x < fn->nblocks; x++) {
        uint32_t to[2];
        const unsigned n = bc_successors(end_of(fn, x), to);
        if (n < 2 || (x != b && has(P.of + (size_t)x * P.words, b))) continue;
        if (has(P.of + (size_t)to[0] * P.words, b) || has(P.of + (size_t)to[1] * P.words, b))
            c.branches[x / 64] |= 1ull << x % 64;
    }
    return c;
}

void dbg_controls_forget(void)
{
    free(P.of);
    P.of = NULL;
    P.fn = NULL;
}

void dbg_controls_free(struct dbg_controls *c) { free(c->branches); }

bool dbg_controls_any(const struct dbg_controls *c)
{
    for (uint32_t w = 0; w <= c->fn->nblocks / 64; w++)
        if (c->branches[w]) return true;
    return false;
}

bool dbg_controls_has(const struct dbg_controls *c, const struct bc_insn *insn)
{
    if (insn->op != BC_CBR) return false;
    const uint32_t b = dbg_block_of(c->fn, insn);
    return has(c->branches, b);
}

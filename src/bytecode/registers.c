// SPDX-License-Identifier: MIT
// Register pressure: backward liveness of varying registers over the blocks, then one pass over
// each block that adds up the sizes of the live ones.
#include "bytecode/registers.h"

#include "base/mem.h"
#include "bytecode/operands.h"

#include <stdlib.h>
#include <string.h>

struct pressure {
    const struct bc_module *m;
    uint32_t *of_fn; // [function]: plus 1; 0: not known yet
};
struct lives {
    const struct bc_module *m;
    const struct bc_fn *f;
    uint32_t words; // of a set
    uint64_t *in;   // [block][word]: live-in registers
    uint64_t *now;
    uint32_t size; // 32-bit registers of `now`
};

static bool is_live(const struct lives *v, uint32_t r) { return v->now[r >> 6] >> (r & 63) & 1; }

static void set_live(struct lives *v, uint32_t operand, bool live)
{
    const uint32_t r = operand & ~BC_V;
    if (!(operand & BC_V) || is_live(v, r) == live) return;
    v->now[r >> 6] ^= 1ull << (r & 63);
    const uint32_t size = (v->f->vsize[r] + 3u) / 4;
    v->size += live ? size : -size;
}

/** The registers after a block; `size` is not kept up. */
static void begin_at_end(struct lives *v, const struct bc_block *b)
{
    uint32_t to[2];
    memset(v->now, 0, v->words * sizeof *v->now);
    for (unsigned k = bc_successors(&v->f->insns[b->first + b->count - 1], to); k-- > 0;)
        for (uint32_t w = 0; w < v->words; w++) v->now[w] |= v->in[(size_t)to[k] * v->words + w];
}

static void set_operands(struct lives *v, const struct bc_insn *i, unsigned use, bool live)
{
    BC_EACH_OPERAND(o, v->m->sites, v->f->ext, i, use) set_live(v, *o.at, live);
}

static void find_lives(struct lives *v)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = v->f->nblocks; b-- > 0;) {
            const struct bc_block *const block = &v->f->blocks[b];
            uint64_t *const in = v->in + (size_t)b * v->words;
            begin_at_end(v, block);
            for (uint32_t i = block->count; i-- > 0;) {
                set_operands(v, &v->f->insns[block->first + i], BC_USE_OUT, false);
                set_operands(v, &v->f->insns[block->first + i], BC_USE_IN, true);
            }
            changed |= memcmp(in, v->now, v->words * sizeof *in) != 0;
            memcpy(in, v->now, v->words * sizeof *in);
        }
    }
}

static uint32_t pressure_of(struct pressure *p, uint32_t fn);

/** The largest size in the block, from its end to its beginning. */
static uint32_t pressure_in(struct pressure *p, struct lives *v, const struct bc_block *b)
{
    uint32_t most = 0;
    begin_at_end(v, b);
    v->size = 0;
    for (uint32_t r = 0; r < v->f->nvarying; r++)
        if (is_live(v, r)) v->size += (v->f->vsize[r] + 3u) / 4;
    for (uint32_t i = b->count; i-- > 0;) {
        const struct bc_insn *const insn = &v->f->insns[b->first + i];
        set_operands(v, insn, BC_USE_OUT, true); // also results that nothing reads
        if (v->size > most) most = v->size;
        set_operands(v, insn, BC_USE_OUT, false);
        const bool calls = bc_ops[insn->op].ext == BC_EXT_CALL;
        const uint32_t during = v->size + (calls ? pressure_of(p, v->f->ext[insn->ext]) : 0);
        if (during > most) most = during;
        set_operands(v, insn, BC_USE_IN, true);
        if (v->size > most) most = v->size;
    }
    return most;
}

/** A call of a function that is being looked at adds nothing: OpenCL C forbids recursion. */
static uint32_t pressure_of(struct pressure *p, uint32_t fn)
{
    if (p->of_fn[fn]) return p->of_fn[fn] - 1;
    p->of_fn[fn] = 1;
    const struct bc_fn *const f = &p->m->fns[fn];
    struct lives v = {.m = p->m, .f = f, .words = f->nvarying / 64 + 1};
    v.in = mem_alloc((size_t)f->nblocks * v.words * sizeof *v.in);
    v.now = mem_alloc(v.words * sizeof *v.now);
    find_lives(&v);
    uint32_t most = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const uint32_t here = pressure_in(p, &v, &f->blocks[b]);
        if (here > most) most = here;
    }
    free(v.in);
    free(v.now);
    p->of_fn[fn] = most + 1;
    return most;
}

uint32_t bc_registers(const struct bc_module *m, uint32_t fn)
{
    struct pressure p = {.m = m, .of_fn = mem_alloc((m->nfns + 1) * sizeof *p.of_fn)};
    const uint32_t most = pressure_of(&p, fn);
    free(p.of_fn);
    return most;
}

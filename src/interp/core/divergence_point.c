// SPDX-License-Identifier: MIT
// The branch at which work-items diverged before a barrier.
//
// An instance of a branch is its block, the iterations of the enclosing loops that contain
// barriers, and a sequence number in other loops. The divergence point of a work-item from those
// that wait is the last instance that it shares with any of them and that the two left by different
// edges. Had they met again, either it would wait at the same barrier, or they would have diverged
// later. (Comparing with one waiting work-item would give an earlier branch, which others that wait
// passed as it did.)
//
// Invariant: the answer does not depend on which lanes ran together, so it is the same for gangs of
// any size.
#include "interp/core/divergence_point.h"

#include "interp/core/barrier_instance.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"

#include <string.h>

void vm_choices_forget(struct vm_gang *g)
{
    if (g->code->decides) memset(g->nchoices, 0, g->n * sizeof *g->nchoices);
}

const struct bc_insn *vm_comparison(const struct bc_fn *fn, const struct bc_insn *branch)
{
    const struct bc_insn *i = branch;
    do {
        if (i == fn->insns || bc_ends_block(i[-1].op)) return NULL;
        i--;
    } while (i->dst != branch->a);
    if (bc_ops[i->op].shape != BC_CMP || i->dst == i->a || i->dst == i->b) return NULL;
    for (const struct bc_insn *k = i + 1; k < branch; k++)
        if (bc_ops[k->op].shape == BC_SPECIAL || k->dst == i->a || k->dst == i->b) return NULL;
    return i;
}

const struct vm_insn *vm_op_cbr_decides(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_fn *fn = &g->code->fns[0];
    const uint32_t block = g->frame->block, w = g->code->width;
    const uint8_t *cond = vm_reg(g, ip->a);
    const struct vm_compared *q = ip->p;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        uint32_t key = 0;
        for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent)
            key = key * 0x9e3779b1u + vm_iteration(g, l, i);
        const uint32_t slot = g->nchoices[i]++ % VM_CHOICES;
        struct vm_choice *c = &g->choices[(size_t)slot * w + i];
        *c = (struct vm_choice){.block = 2 * block + !!cond[i], .key = key};
        for (unsigned k = 0; k < 2 && q->insn; k++)
            c->value[k] = vm_operand_bits(g, q->off[k], q->varying >> k & 1, q->elog, i);
    }
    return g->isa->cbr(g, ip);
}

struct notes { // of one work-item, oldest first
    const struct vm_gang *g;
    uint32_t lane, n, dropped;
};

static struct notes notes_of(const struct vm_group *grp, uint32_t item)
{
    struct notes s = {grp->gangs[item / grp->gangs[0]->code->lanes],
                      item % grp->gangs[0]->code->lanes, 0, 0};
    const uint32_t all = s.g->nchoices[s.lane];
    s.n = all < VM_CHOICES ? all : VM_CHOICES;
    s.dropped = all - s.n;
    return s;
}

static struct vm_choice note(const struct notes *s, uint32_t i)
{
    return s->g->choices[(size_t)((s->dropped + i) % VM_CHOICES) * s->g->code->width + s->lane];
}

static bool same_branch(struct vm_choice x, uint32_t block, uint32_t key)
{
    return x.block >> 1 == block && x.key == key;
}

/** The nth note of that branch (with its key); s->n if it does not exist. */
static uint32_t find_note(const struct notes *s, const struct vm_divergence_point *p)
{
    uint32_t nth = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (same_branch(note(s, i), p->block, p->key) && nth++ == p->nth) return i;
    return s->n;
}

static uint32_t count_notes(const struct notes *s, uint32_t upto, uint32_t block, uint32_t key)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < upto; i++) n += same_branch(note(s, i), block, key);
    return n;
}

/** Did one of the members take the other edge at the instance of note i of `item`? */
static bool parts_here(const struct vm_group *grp, const uint8_t *members, const struct notes *x,
                       uint32_t i, uint32_t *tries)
{
    const struct vm_choice c = note(x, i);
    const struct vm_divergence_point p = {c.block >> 1, c.key,
                                          count_notes(x, i, c.block >> 1, c.key), false};
    for (uint32_t m = 0; m < grp->items && *tries; m++) {
        if (!members[m]) continue;
        const struct notes y = notes_of(grp, m);
        const uint32_t k = find_note(&y, &p);
        --*tries;
        if (k == y.n || note(&y, k).block == c.block) continue;
        // if older notes were dropped, counts do not identify instances
        if ((x->dropped || y.dropped) &&
            count_notes(x, x->n, p.block, p.key) + count_notes(&y, y.n, p.block, p.key) != 2)
            continue;
        return true;
    }
    return false;
}

bool vm_divergence_point_find(const struct vm_group *grp, const uint8_t *members, uint32_t item,
                              uint32_t *tries, struct vm_divergence_point *out)
{
    if (!grp->gangs[0]->code->decides) return false;
    const struct notes x = notes_of(grp, item);
    for (uint32_t i = x.n; i-- > 0;) {
        if (!parts_here(grp, members, &x, i, tries)) continue;
        const struct vm_choice c = note(&x, i);
        *out = (struct vm_divergence_point){c.block >> 1, c.key,
                                            count_notes(&x, i, c.block >> 1, c.key), c.block & 1};
        return true;
    }
    return false;
}

void vm_divergence_point_members(const struct vm_group *grp, const struct vm_divergence_point *p,
                                 uint8_t *yes, uint8_t *no, uint64_t *const values[2])
{
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct notes s = notes_of(grp, i);
        const uint32_t k = find_note(&s, p);
        if (k == s.n) continue;
        const struct vm_choice c = note(&s, k);
        *(c.block & 1 ? &yes[i] : &no[i]) = 1;
        values[0][i] = c.value[0];
        values[1][i] = c.value[1];
    }
}

// SPDX-License-Identifier: MIT
// Which barriers order conflicting accesses of different work-items (--advise).
//
// Two conflicting accesses of different work-items of a group, in the barrier intervals i < j, are
// ordered by the barriers passed between them that fence their memory. Let S be the set of these
// barriers by source location: at least one of S must stay. If S has one element, that barrier is
// needed. The result are these sets.
//
// For each cell, the two work-items that wrote it last and the two that read it last suffice. Let c
// be an access by work-item t, and a an earlier one that conflicts with it, by another work-item.
// If an access of a's kind by a third work-item came after a, its pair with c has a subset of S; if
// one by t itself did, the pair of a and that one, or the next conflict of a, was looked at before.
// Two suffice because at most one of them is of t.
//
// Atomic accesses count like others, as conflicts with one another, too: barriers order what they
// compute. Others of the same interval may follow without a race, which conflict with what came
// before, so an atomic access also counts as a conflict with earlier accesses of its work-item. A
// cell is as large as the smallest access, so that accesses of different bytes of a cell count as a
// conflict: a barrier may be called needed that is not, never the other way around.
//
// Time is the number of barriers that the worker has passed, and a group begins at a new time, so
// nothing is cleared. The cells of global memory are in pages that the next group takes over.
#include "race/barrier_intervals.h"

#include "bytecode/bytecode.h"

#include <stdlib.h>

enum { PAGE_SHIFT = 9, MAX_PAGES = 1 << 14, MAX_SETS = 64, DONE = 4 };
enum { IN_LOCAL, IN_GLOBAL, IN_IMAGE, ANYWHERE, SPACES };
static const uint64_t UNNUMBERED = 1ull << RACE_BARRIERS;

/** [0, 1]: the work-items that wrote it last, [2, 3]: read it last. */
struct cell {
    uint32_t when[4], item[4]; // when: 0: never
};
struct page {
    struct cell cells[1 << PAGE_SHIFT];
};
struct cells {
    unsigned shift; // log2 of the bytes of a cell
    struct page **pages;
    uint64_t npages;
};
struct used_page {
    struct cells *of;
    uint64_t index;
};
struct race_barrier_intervals {
    const struct race_launch *l;
    struct cells *locals, *globals;
    VEC(struct page *) spare;
    VEC(struct used_page) used; // pages of global memory
    uint32_t npages;
    uint32_t now, begun;                      // begun: when the group began
    uint32_t last[SPACES][RACE_BARRIERS + 1]; // by barrier: when it was last passed
    uint32_t done[SPACES][DONE];              // in this interval, for accesses of these times
    unsigned fences;                          // of the last barrier
    struct race_barrier_uses r;
};

static struct cells *cells_create(const struct race_root *roots, size_t n)
{
    struct cells *const all = mem_alloc((n + 1) * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        all[i].shift = roots[i].granularity_shift;
        all[i].npages = (roots[i].size >> (all[i].shift + PAGE_SHIFT)) + 1;
    }
    return all;
}

struct race_barrier_intervals *intervals_create(const struct race_launch *l)
{
    struct race_barrier_intervals *const x = mem_alloc(sizeof *x);
    x->l = l;
    x->now = x->begun = 1;
    x->locals = cells_create(l->locals.data, l->locals.len);
    x->globals = cells_create(l->roots.data, l->roots.len);
    x->r.needed = UNNUMBERED;
    return x;
}

static void cells_destroy(struct cells *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (uint64_t k = 0; all[i].pages && k < all[i].npages; k++) free(all[i].pages[k]);
        free(all[i].pages);
    }
    free(all);
}

void intervals_destroy(struct race_barrier_intervals *x)
{
    if (!x) return;
    cells_destroy(x->locals, x->l->locals.len);
    cells_destroy(x->globals, x->l->roots.len);
    for (size_t i = 0; i < x->spare.len; i++) free(x->spare.data[i]);
    vec_free(&x->spare);
    vec_free(&x->used);
    free(x);
}

void intervals_group_begin(struct race_barrier_intervals *x)
{
    x->begun = ++x->now;
    for (size_t i = 0; i < x->used.len; i++) {
        const struct used_page *const u = &x->used.data[i];
        vec_push(&x->spare, u->of->pages[u->index]);
        u->of->pages[u->index] = NULL;
    }
    vec_clear(&x->used);
}

void intervals_barrier(struct race_barrier_intervals *x, unsigned fences)
{
    x->r.is_cut |= ++x->now == UINT32_MAX;
    x->fences = fences;
    memset(x->done, 0, sizeof x->done);
}

void intervals_barrier_at(struct race_barrier_intervals *x, unsigned number)
{
    const unsigned b = number ? number - 1 : RACE_BARRIERS;
    x->r.passed |= 1ull << b;
    if (x->fences & BC_FENCE_LOCAL) x->last[IN_LOCAL][b] = x->now;
    if (x->fences & BC_FENCE_GLOBAL) x->last[IN_GLOBAL][b] = x->now;
    if (x->fences & BC_FENCE_IMAGE) x->last[IN_IMAGE][b] = x->now;
    x->last[ANYWHERE][b] = x->now;
}

static uint64_t passed_since(const struct race_barrier_intervals *x, unsigned space, uint32_t when)
{
    uint64_t set = 0;
    for (unsigned b = 0; b <= RACE_BARRIERS; b++) set |= (uint64_t)(x->last[space][b] > when) << b;
    return set;
}

void race_barriers_add(struct race_barrier_uses *r, uint64_t set)
{
    if (!set || set & r->needed) return;
    for (unsigned i = 0; i < r->nsets; i++)
        if ((r->sets[i] & set) == r->sets[i]) return;
    if (!(set & (set - 1)) || r->nsets == MAX_SETS) r->needed |= set;
    else r->sets[r->nsets++] = set;
}

/** One work-item made an access at that time, another one makes a conflicting one now. */
static void conflict(struct race_barrier_intervals *x, unsigned space, uint32_t when)
{
    uint32_t *const done = &x->done[space][when % DONE];
    if (*done == when) return;
    *done = when;
    const uint64_t set = passed_since(x, space, when);
    race_barriers_add(&x->r, set ? set : passed_since(x, ANYWHERE, when)); // atomics
}

static void note(struct race_barrier_intervals *x, struct cell *c, unsigned space, uint32_t item,
                 const struct race_op *op)
{
    const bool writes = op->is_write;
    for (unsigned k = 0; k < (writes ? 4 : 2); k++)
        if (c->when[k] >= x->begun && c->when[k] != x->now && (c->item[k] != item || op->is_atomic))
            conflict(x, space, c->when[k]);
    const unsigned k = writes ? 0 : 2, at = c->item[k] == item ? k
                                            : c->item[k + 1] == item
                                                ? k + 1
                                                : k + (c->when[k] > c->when[k + 1]);
    c->when[at] = x->now;
    c->item[at] = item;
}

/** NULL: there is no memory for it. */
static struct cell *cell_of(struct race_barrier_intervals *x, struct cells *s, bool is_local,
                            uint64_t n)
{
    const uint64_t index = n >> PAGE_SHIFT;
    if (!s->pages) s->pages = mem_alloc(s->npages * sizeof *s->pages);
    if (!s->pages[index]) {
        if (!x->spare.len && x->npages == MAX_PAGES) return NULL;
        if (!is_local) vec_push(&x->used, (struct used_page){s, index});
        if (x->spare.len) s->pages[index] = vec_pop(&x->spare);
        else x->npages++, s->pages[index] = mem_alloc(sizeof(struct page));
    }
    return &s->pages[index]->cells[n & ((1 << PAGE_SHIFT) - 1)];
}

void intervals_access(struct race_barrier_intervals *x, const struct race_op *op, uint64_t offset)
{
    const struct race_watch *const o = &x->l->watch[op->object];
    if (!o->index1 || !op->size || x->r.is_cut) return;
    if ((x->r.needed & x->l->c.barriers) == x->l->c.barriers) return; // nothing is left to find out
    struct cells *const s = &(o->is_local ? x->locals : x->globals)[o->index1 - 1];
    const unsigned space = o->is_local ? IN_LOCAL : o->is_image ? IN_IMAGE : IN_GLOBAL;
    // If many access the same bytes, two of them suffice.
    uint32_t left = op->shape == RACE_UNIFORM ? 2 : UINT32_MAX;
    for (uint32_t i = 0; i < op->n && left; i++) {
        if (op->mask && !op->mask[i]) continue;
        const uint64_t at = race_offset_of(op, i) + offset, end = (at + op->size - 1) >> s->shift;
        for (uint64_t n = at >> s->shift; n <= end; n++) {
            struct cell *const c = cell_of(x, s, o->is_local, n);
            if (c) note(x, c, space, op->first_item + i, op);
            x->r.is_cut |= !c;
        }
        left--;
    }
}

void race_barriers_used(const struct race_launch *l, struct race_barrier_uses *to)
{
    for (unsigned i = 0; i < l->c.workers; i++) {
        if (!l->workers[i] || !l->workers[i]->intervals) continue;
        const struct race_barrier_uses *const r = &l->workers[i]->intervals->r;
        to->is_cut |= r->is_cut;
        to->passed |= r->passed;
        to->needed |= r->needed;
        for (unsigned k = 0; k < r->nsets; k++) race_barriers_add(to, r->sets[k]);
    }
}

// SPDX-License-Identifier: MIT
// Dominators and post-dominators of a function's blocks.
//
// Post-dominators are dominators of the reversed graph from a virtual exit that every returning
// block leads to. A block from which no exit can be reached (an endless loop) is given an edge to
// the virtual exit, so that every block is in the tree; its post-dominators are then those that it
// would have if the loop ended there.
#include "regions/graph.h"

bool rg_dominates(const struct rg_fn *f, unsigned a, unsigned b)
{
    for (;;) {
        if (a == b) return true;
        if (f->blocks[b].idom < 0) return false;
        b = (unsigned)f->blocks[b].idom;
    }
}

static void mark_back(const struct rg_fn *f, unsigned b, bool *reaches)
{
    VEC(unsigned) work = {0};
    vec_push(&work, b);
    reaches[b] = true;
    while (work.len) {
        unsigned x = vec_pop(&work);
        for (unsigned k = 0; k < f->blocks[x].npred; k++) {
            unsigned p = f->blocks[x].pred[k];
            if (reaches[p]) continue;
            reaches[p] = true;
            vec_push(&work, p);
        }
    }
    vec_free(&work);
}

void rg_dominators(struct rg_fn *f)
{
    struct arena scratch = {0};
    unsigned n = f->nblocks;
    struct graph g, r; // r: node 0 is the virtual exit, block b is node b + 1
    graph_init(&g, n, &scratch);
    graph_init(&r, n + 1, &scratch);
    bool *reaches = arena_array(&scratch, bool, n);
    for (unsigned b = 0; b < n; b++) {
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
            graph_edge(&g, b, f->blocks[b].succ[k]);
            graph_edge(&r, f->blocks[b].succ[k] + 1, b + 1);
        }
        if (f->blocks[b].nsucc) continue;
        graph_edge(&r, 0, b + 1);
        if (!reaches[b]) mark_back(f, b, reaches);
    }
    for (unsigned b = n; b-- > 0;)
        if (!reaches[b]) {
            graph_edge(&r, 0, b + 1);
            mark_back(f, b, reaches);
        }
    int *d = arena_array(&scratch, int, n + 1);
    graph_idom(&g, d);
    for (unsigned b = 1; b < n; b++) f->blocks[b].idom = d[b];
    graph_idom(&r, d);
    for (unsigned b = 0; b < n; b++) f->blocks[b].ipdom = d[b + 1] - 1;
    arena_deinit(&scratch);
}

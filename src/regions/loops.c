// SPDX-License-Identifier: MIT
// Natural loops, from the scheduling order: a loop is contiguous from its header, and every block
// of it reaches a latch, so its last block is its last latch. Back edges of cycles with several
// entries do not belong to a loop.
#include "regions/graph.h"

void rg_loops(struct rg_fn *f)
{
    unsigned n = f->nblocks;
    VEC(struct rg_loop) loops = {0};
    for (unsigned h = 0; h < n; h++) {
        int last = -1;
        for (unsigned k = 0; k < f->blocks[h].npred; k++) {
            unsigned p = f->blocks[h].pred[k];
            if (p >= h && (int)p > last && rg_dominates(f, h, p)) last = (int)p;
        }
        if (last < 0) continue;
        struct rg_loop l = {.header = h, .last = (unsigned)last, .parent = -1};
        int o = (int)loops.len -
                1; // loops nest: the parent is the last loop that began, or a parent of that
        while (o >= 0 && h > loops.data[o].last) o = loops.data[o].parent;
        l.parent = o;
        for (unsigned b = h; b <= (unsigned)last; b++) {
            if (f->blocks[b].end == RG_BARRIER) l.has_barrier = true;
            else if (f->blocks[b].end == RG_RECONVERGE) l.has_reconvergence = true;
        }
        vec_push(&loops, l);
    }
    f->nloops = (unsigned)loops.len;
    f->loops = arena_dup(f->arena, loops.data, loops.len * sizeof *loops.data);
    vec_free(&loops);
    for (unsigned l = 0; l < f->nloops; l++)
        for (unsigned b = f->loops[l].header; b <= f->loops[l].last; b++)
            f->blocks[b].loop = (int)l;
}

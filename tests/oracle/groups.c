// SPDX-License-Identifier: MIT
// Work-groups: each work-item is walked until it waits or a slice is over, then the next one, then the next group.
// A barrier opens when all work-items of the group are at the same instance of it: the same place and calls, in the same
// turn of every loop around it.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 20000, PATIENCE = 8 };

static const struct insn *here(const struct item *w)
{
    const struct frame *f = &w->frames[w->nframes - 1];
    return &f->fn->code[f->pc];
}

static bool same_instance(const struct item *a, const struct item *b)
{
    if (a->nframes != b->nframes || here(a) != here(b)) return false;
    for (unsigned i = 0; i < a->nframes; i++) {
        const struct frame *f = &a->frames[i], *g = &b->frames[i];
        if (f->fn != g->fn || f->call != g->call || f->block != g->block) return false;
        for (unsigned h = 0; h < f->fn->nblocks; h++)
            if (f->fn->in_loop[h] && f->fn->in_loop[h][f->block->number] && f->turns[h] != g->turns[h]) return false;
    }
    return true;
}

static void start(struct group *g)
{
    uint32_t n = g->number;
    for (int d = 0; d < 3; d++) {
        g->at[d] = n % L.grid[d];
        n /= L.grid[d];
        const uint64_t left = L.global[d] - g->at[d] * L.local[d];
        g->size[d] = (uint32_t)(left < L.local[d] ? left : L.local[d]);
    }
    g->nitems = g->size[0] * g->size[1] * g->size[2];
    g->items = calloc(g->nitems, sizeof *g->items);
    object_locals(g);
    for (uint32_t i = 0; i < g->nitems; i++) {
        struct item *w = &g->items[i];
        w->group = g;
        w->number = g->number * L.group_items + i;
        const uint32_t at[3] = {i % g->size[0], i / g->size[0] % g->size[1], i / g->size[0] / g->size[1]};
        for (int d = 0; d < 3; d++) {
            w->local[d] = at[d];
            w->global[d] = (uint32_t)(L.offset[d] + g->at[d] * L.local[d] + at[d]);
        }
        clocks_start(w);
        walk_start(w);
    }
    g->started = true;
}

static void end(struct group *g)
{
    for (uint32_t k = 0; k < g->ncopies; k++)
        for (uint32_t i = 0; i < g->nitems; i++)
            if (g->items[i].ncopies > k && !(g->items[i].waited >> k & 1)) {
                finding("async-not-waited", g->copies[k].in, NULL, "error");
                break;
            }
    for (unsigned i = 0; i < L.nlocals; i++) object_free(g->locals[i]);
    for (uint32_t i = 0; i < g->nitems; i++) {
        struct item *w = &g->items[i];
        for (unsigned m = 0; m < 2; m++)
            for (int s = 0; s < 2; s++) free(w->now.v[m][s]);
        for (unsigned k = 0; k < w->nframes; k++) free(w->frames[k].regs), free(w->frames[k].turns), free(w->frames[k].objects);
        free(w->frames);
    }
    free(g->items);
    g->items = NULL;
    g->ended = true;
}

/** All wait or are done, but not together. */
static void part(struct group *g)
{
    const struct insn **at = calloc(g->nitems, sizeof *at);
    unsigned n = 0;
    for (uint32_t i = 0; i < g->nitems; i++) {
        if (g->items[i].state == DONE) continue;
        const struct insn *in = here(&g->items[i]);
        bool known = false;
        for (unsigned k = 0; k < n; k++) known |= at[k] == in;
        if (!known) at[n++] = in;
    }
    divergence(at, n);
    free(at);
    // on they go, as if they had met
    for (uint32_t i = 0; i < g->nitems; i++) {
        struct item *w = &g->items[i];
        if (w->state == WAITS_FOR_COPY) give_up("a copy that part of a group waits for");
        w->excused = w->state == DONE;
        if (w->state != AT_BARRIER) continue;
        w->state = READY;
        w->frames[w->nframes - 1].pc++;
    }
    clocks_barrier(g, 3, false);
}

static void open_barrier(struct group *g, const struct item *w)
{
    const struct insn *in = here(w);
    const struct frame *f = &w->frames[w->nframes - 1];
    const struct sc *flags = in->ops[0].k ? in->ops[0].k : f->regs + in->ops[0].reg;
    bool device = false;
    if (in->nops > 1) {
        const struct sc *scope = in->ops[1].k ? in->ops[1].k : f->regs + in->ops[1].reg;
        device = scope->v >= 2 && scope->v != 4;
    }
    clocks_barrier(g, (unsigned)flags->v, device);
    for (uint32_t i = 0; i < g->nitems; i++) {
        if (g->items[i].state == DONE) continue;
        g->items[i].state = READY;
        g->items[i].frames[g->items[i].nframes - 1].pc++;
    }
}

/** Whether the group is still there, waiting for others. */
static bool turn(struct group *g)
{
    for (;;) {
        uint32_t ready = 0, done = 0, at_barrier = 0;
        for (uint32_t i = 0; i < g->nitems; i++) {
            struct item *w = &g->items[i];
            if (w->state == WAITS_FOR_COPY) w->state = READY;
            walk(w, SLICE);
        }
        for (uint32_t i = 0; i < g->nitems; i++) {
            struct item *w = &g->items[i];
            if (w->state == WAITS_FOR_COPY) { // may another one have brought it about meanwhile?
                w->state = READY;
                walk(w, SLICE);
            }
            ready += w->state == READY;
            done += w->state == DONE;
            at_barrier += w->state == AT_BARRIER;
        }
        if (ready) return true;
        if (done == g->nitems) break;
        uint32_t excused = 0;
        const struct item *first = NULL;
        bool same = true;
        for (uint32_t i = 0; i < g->nitems; i++) {
            const struct item *w = &g->items[i];
            excused += w->excused;
            if (w->state != AT_BARRIER) continue;
            if (!first) first = w;
            same &= same_instance(first, w);
        }
        if (same && at_barrier + excused == g->nitems) open_barrier(g, first);
        else part(g);
    }
    end(g);
    return false;
}

void run(void)
{
    unsigned still = 0;
    for (uint32_t left = L.ngroups; left;) {
        const uint64_t before = L.changes;
        const uint32_t had = left;
        for (uint32_t i = 0; i < L.ngroups; i++) {
            struct group *g = &L.groups[i];
            if (g->ended) continue;
            if (!g->started) start(g);
            left -= !turn(g);
        }
        still = L.changes == before && had == left ? still + 1 : 0;
        if (still < PATIENCE) continue;
        for (uint32_t i = 0; i < L.ngroups; i++)
            for (uint32_t k = 0; !L.groups[i].ended && k < L.groups[i].nitems; k++)
                if (L.groups[i].items[k].state == READY) {
                    finding("no-progress", here(&L.groups[i].items[k]), NULL, "error");
                    return;
                }
    }
}

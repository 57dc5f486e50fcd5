// SPDX-License-Identifier: MIT
// Work-groups: each work-item is walked until it waits or a slice is over, then the next one, then
// the next group. A barrier (async copy, wait) opens when all work-items of the group are at the
// same instance of it: the same place and calls, in the same turn of every loop around it.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 20000, PATIENCE = 8 };

bool same_instance(const struct item *a, const struct item *b)
{
    if (a->nframes != b->nframes || walk_here(a) != walk_here(b)) return false;
    for (unsigned i = 0; i < a->nframes; i++) {
        const struct frame *f = &a->frames[i], *g = &b->frames[i];
        if (f->fn != g->fn || f->call != g->call || f->block != g->block) return false;
        for (unsigned h = 0; h < f->fn->nblocks; h++)
            if (f->fn->in_loop[h] && f->fn->in_loop[h][f->block->number] &&
                f->turns[h] != g->turns[h])
                return false;
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
        const uint32_t at[3] = {i % g->size[0], i / g->size[0] % g->size[1],
                                i / g->size[0] / g->size[1]};
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
        if (!(g->waited >> k & 1)) finding("async-not-waited", g->copies[k].in, NULL, "error");
    for (unsigned i = 0; i < L.nlocals; i++) object_free(g->locals[i]);
    for (uint32_t i = 0; i < g->nitems; i++) {
        struct item *w = &g->items[i];
        for (unsigned m = 0; m < 2; m++)
            for (int s = 0; s < SPACES; s++) free(w->now.v[m][s]);
        for (unsigned k = 0; k < w->nframes; k++)
            free(w->frames[k].regs), free(w->frames[k].turns), free(w->frames[k].objects);
        free(w->frames);
    }
    free(g->items);
    g->items = NULL;
    g->ended = true;
}

void report_divergence(struct item *items, uint32_t nitems)
{
    const struct insn **at = calloc(nitems, sizeof *at);
    unsigned n = 0;
    for (uint32_t i = 0; i < nitems; i++) {
        items[i].excused = items[i].state == DONE;
        if (items[i].state == DONE) continue;
        const struct insn *in = walk_here(&items[i]);
        bool known = false;
        for (unsigned k = 0; k < n; k++) known |= at[k] == in;
        if (!known) at[n++] = in;
    }
    divergence(at, n);
    free(at);
}

/** All wait or are done, but not together. */
static void part(struct group *g)
{
    report_divergence(g->items, g->nitems);
    // on they go, as if they had met
    for (uint32_t i = 0; i < g->nitems; i++)
        if (g->items[i].state == WAITING) walk_met(&g->items[i]);
    clocks_barrier(g, 3, false);
}

static void meet(struct group *g, const struct item *first)
{
    const struct insn *in = walk_here(first);
    const bool barrier = strstr(in->builtin, "barrier");
    uint64_t args[64], others[64];
    const unsigned n = walk_collective_args(first, args);
    uint64_t flags = args[0];
    bool differ = false;
    for (uint32_t i = 0; i < g->nitems; i++) {
        if (g->items[i].state != WAITING) continue;
        differ |= walk_collective_args(&g->items[i], others) != n ||
                  memcmp(args, others, n * sizeof *args);
        flags &= others[0];
    }
    if (differ) finding("barrier-divergence", in, NULL, "warning");
    L.parted |= differ && !strncmp(in->builtin, "async_", 6); // what is written is anybody's guess
    g->events_differ |= differ && !strcmp(in->builtin, "wait_group_events");
    if (barrier) clocks_barrier(g, (unsigned)flags, in->nops > 1 && args[1] >= 2 && args[1] != 4);
    for (uint32_t i = 0; i < g->nitems;
         i++) { // whose copy it is, where arguments differ, is a matter of the order
        struct item *w = &g->items[L.schedule == 1 ? g->nitems - 1 - i : i];
        if (w->state == WAITING) walk_met(w);
    }
    // Different events are reported. The value that a work-item reads of a copy that others waited
    // for follows from it.
    for (uint32_t i = 0; g->events_differ && i < g->nitems; i++) {
        struct item *w = &g->items[i];
        for (uint32_t k = 0; k < g->ncopies; k++)
            if (g->waited >> k & 1 && !(w->waited >> k & 1)) copy_waited(w, &g->copies[k]);
        w->waited |= g->waited;
    }
}

static uint64_t some(uint64_t n)
{
    L.random ^= L.random << 13, L.random ^= L.random >> 7, L.random ^= L.random << 17;
    return L.random % n;
}

/**
 * One instruction of those that are least far, as lanes of a gang go; now and then of all, as one
 * may wait for another that is further.
 */
static void lanes_step(struct group *g, unsigned round)
{
    const struct item *least = NULL;
    for (uint32_t i = 0; i < g->nitems; i++) {
        g->items[i].steps_now = 0;
        if (g->items[i].state == READY && (!least || walk_farther(&g->items[i], least) < 0))
            least = &g->items[i];
    }
    for (uint32_t i = 0; least && i < g->nitems; i++)
        g->items[i].steps_now = round % 256 == 255 ? 64 : walk_farther(&g->items[i], least) == 0;
    for (uint32_t i = 0; i < g->nitems; i++) walk(&g->items[i], g->items[i].steps_now);
}

/**
 * Sub-group after sub-group, each as far as it comes: until it waits for others, or changes nothing
 * any more.
 */
static void sub_groups_step(struct group *g)
{
    enum { ROUNDS = 32 }; // or changes something forever
    for (uint32_t first = 0; first < g->nitems; first += L.sub_group) {
        bool moves = true;
        for (unsigned n = 0; moves && n < ROUNDS; n++) {
            const uint64_t before = L.changes;
            for (uint32_t i = first; i < sub_group_end(g, first); i++) walk(&g->items[i], SLICE);
            moves = sub_group_reconverges(g, first) || L.changes != before;
        }
    }
}

/** Whether the group is still there, waiting for others. */
static bool turn(struct group *g)
{
    for (unsigned rounds = 0;; rounds++) {
        uint32_t ready = 0, done = 0, waiting = 0, excused = 0;
        const struct item *first = NULL;
        bool same = true;
        if (L.schedule == 4) lanes_step(g, rounds);
        if (L.schedule == 5) sub_groups_step(g);
        for (uint32_t i = 0; i < g->nitems && L.schedule != 4 && L.schedule != 5; i++) {
            struct item *w = &g->items[L.schedule == 1 ? g->nitems - 1 - i : i];
            walk(w, L.schedule == 3 ? 1 : L.schedule == 2 ? 1 + some(60) : SLICE);
        }
        if (sub_groups_reconverge(g)) continue;
        for (uint32_t i = 0; i < g->nitems; i++) {
            const struct item *w = &g->items[i];
            ready += w->state == READY;
            done += w->state == DONE;
            excused += w->excused;
            if (w->state != WAITING) continue;
            waiting++;
            if (!first) first = w;
            same &= same_instance(first, w);
        }
        if (ready && (L.schedule < 2 || L.schedule >= 5 || rounds % 4096 == 4095)) return true;
        if (ready) continue;
        if (done == g->nitems) break;
        if (same && waiting + excused == g->nitems) meet(g, first);
        else part(g);
        if (L.schedule == 6) return L.changes++, true;
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
            struct group *g = &L.groups[L.schedule == 1 ? L.ngroups - 1 - i : i];
            if (g->ended) continue;
            if (!g->started) start(g);
            left -= !turn(g);
        }
        still = L.changes == before && had == left ? still + 1 : 0;
        if (still < PATIENCE) continue;
        bool goes_on = false;
        for (uint32_t i = 0; i < L.ngroups; i++)
            goes_on |= !L.groups[i].ended && sub_groups_part(&L.groups[i]);
        if (goes_on) {
            still = 0;
            continue;
        }
        for (uint32_t i = 0; i < L.ngroups; i++)
            for (uint32_t k = 0; !L.groups[i].ended && k < L.groups[i].nitems; k++)
                if (L.groups[i].items[k].state == READY) {
                    finding("no-progress", walk_here(&L.groups[i].items[k]), NULL, "error");
                    for (uint32_t g = 0; g < L.ngroups; g++)
                        for (unsigned l = 0;
                             L.groups[g].started && !L.groups[g].ended && l < L.nlocals; l++)
                            object_free(L.groups[g].locals[l]);
                    return;
                }
    }
}

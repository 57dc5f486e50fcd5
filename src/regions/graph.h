// SPDX-License-Identifier: MIT
#ifndef REGIONS_GRAPH_H
#define REGIONS_GRAPH_H
#include "regions/regions.h"

/** A directed graph of nodes 0..n-1; node 0 is the entry. Lives in the arena. */
struct graph {
    unsigned n;
    struct arena *arena;
    struct graph_adj {
        unsigned n, cap, *to;
    } *succ, *pred;
};

void graph_init(struct graph *g, unsigned n, struct arena *a);
void graph_edge(struct graph *g, unsigned from, unsigned to);

/** Reverse post-order of the nodes reachable from the entry; returns their number. */
unsigned graph_rpo(const struct graph *g, unsigned *order);

/** Immediate dominators (Lengauer, Tarjan 1979); idom[entry] = entry, -1 for unreachable nodes. */
void graph_idom(const struct graph *g, int *idom);

/** Scheduling order, new → old: see cfg.c. *irreducible: some cycle has more than one entry. */
unsigned graph_schedule(const struct graph *g, unsigned *order, bool *irreducible);

/** Fill idom and ipdom, and loops, of a function whose blocks are in scheduling order. */
void rg_dominators(struct rg_fn *f);
void rg_loops(struct rg_fn *f);
#endif

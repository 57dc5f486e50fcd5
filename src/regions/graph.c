// SPDX-License-Identifier: MIT
#include "regions/graph.h"

#include <string.h>

void graph_init(struct graph *g, unsigned n, struct arena *a)
{
    *g = (struct graph){.n = n, .arena = a};
    g->succ = arena_array(a, struct graph_adj, n);
    g->pred = arena_array(a, struct graph_adj, n);
}

static void add(struct arena *a, struct graph_adj *v, unsigned x)
{
    if (v->n == v->cap) {
        unsigned cap = v->cap ? v->cap * 2 : 2;
        unsigned *to = arena_array(a, unsigned, cap);
        if (v->n) memcpy(to, v->to, v->n * sizeof *to);
        v->to = to;
        v->cap = cap;
    }
    v->to[v->n++] = x;
}

void graph_edge(struct graph *g, unsigned from, unsigned to)
{
    add(g->arena, &g->succ[from], to);
    add(g->arena, &g->pred[to], from);
}

unsigned graph_rpo(const struct graph *g, unsigned *order)
{
    struct frame {
        unsigned node, next;
    };
    VEC(struct frame) stack = {0};
    bool *seen = mem_alloc(g->n);
    unsigned n = 0;
    seen[0] = true;
    vec_push(&stack, (struct frame){0, 0});
    while (stack.len) {
        struct frame *t = &vec_last(&stack);
        if (t->next < g->succ[t->node].n) {
            // the last successor first, so that the first one comes first in the reverse post-order
            unsigned s = g->succ[t->node].to[g->succ[t->node].n - 1 - t->next++];
            if (!seen[s]) {
                seen[s] = true;
                vec_push(&stack, (struct frame){s, 0});
            }
        } else {
            order[n++] = t->node;
            (void)vec_pop(&stack);
        }
    }
    for (unsigned i = 0; i < n / 2; i++) {
        unsigned x = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = x;
    }
    free(seen);
    vec_free(&stack);
    return n;
}

void graph_idom(const struct graph *g, int *idom)
{
    unsigned *order = mem_alloc(g->n * sizeof *order), *rank = mem_alloc(g->n * sizeof *rank);
    unsigned n = graph_rpo(g, order);
    for (unsigned i = 0; i < g->n; i++) idom[i] = -1;
    for (unsigned i = 0; i < n; i++) rank[order[i]] = i;
    idom[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 1; i < n; i++) {
            unsigned b = order[i];
            int d = -1;
            for (unsigned k = 0; k < g->pred[b].n; k++) {
                int p = (int)g->pred[b].to[k];
                if (idom[p] < 0) continue;
                if (d < 0) {
                    d = p;
                    continue;
                }
                int q = p;
                while (q != d) {
                    while (rank[q] > rank[d]) q = idom[q];
                    while (rank[d] > rank[q]) d = idom[d];
                }
            }
            if (idom[b] != d) {
                idom[b] = d;
                changed = true;
            }
        }
    }
    free(order);
    free(rank);
}

static bool dominates(const int *idom, unsigned a, unsigned b)
{
    for (;;) {
        if (a == b) return true;
        if (idom[b] < 0 || (unsigned)idom[b] == b) return false;
        b = (unsigned)idom[b];
    }
}

// Natural loops by header; inner[b] is the innermost header whose loop holds b, or -1; up[h] the header around h.
struct nest {
    unsigned n;
    int *inner, *up;
    bool *is_header;
};

static void find_loops(const struct graph *g, const int *idom, const unsigned *order, unsigned n, struct nest *t,
                       bool *irreducible)
{
    unsigned *rank = mem_alloc(g->n * sizeof *rank);
    for (unsigned i = 0; i < n; i++) rank[order[i]] = i;
    for (unsigned i = 0; i < g->n; i++) t->inner[i] = t->up[i] = -1;
    VEC(unsigned) work = {0};
    // headers innermost first: reverse of the reverse post-order
    for (unsigned k = n; k-- > 0;) {
        unsigned h = order[k];
        vec_clear(&work);
        for (unsigned p = 0; p < g->pred[h].n; p++) {
            unsigned u = g->pred[h].to[p];
            if (idom[u] < 0) continue;
            if (dominates(idom, h, u)) {
                t->is_header[h] = true;
                vec_push(&work, u);
            } else if (rank[u] >= rank[h]) {
                *irreducible = true;
            }
        }
        if (!t->is_header[h]) continue;
        while (work.len) {
            unsigned b = vec_pop(&work);
            // climb to the outermost loop already found around b
            int top = (int)b;
            if (t->is_header[b] && b != h) {
                while (t->up[top] >= 0) top = t->up[top];
            } else if (t->inner[b] >= 0) {
                top = t->inner[b];
                while (t->up[top] >= 0) top = t->up[top];
            }
            if ((unsigned)top == h) continue;
            if (t->is_header[top] && (unsigned)top != h && (t->inner[b] >= 0 || t->is_header[b])) {
                t->up[top] = (int)h; // a whole inner loop joins; go on from its header
            } else {
                t->inner[b] = (int)h;
                top = (int)b;
            }
            for (unsigned p = 0; p < g->pred[top].n; p++)
                if (idom[g->pred[top].to[p]] >= 0) vec_push(&work, g->pred[top].to[p]);
        }
        t->inner[h] = (int)h;
    }
    vec_free(&work);
    free(rank);
}

static int loop_of(const struct nest *t, unsigned b) { return t->inner[b]; }

// The node that stands for block b among the direct children of loop `within` (-1: the function).
static int child_of(const struct nest *t, unsigned b, int within)
{
    int l = loop_of(t, b);
    if (l == within) return (int)b;
    int below = -1;
    while (l >= 0 && l != within) {
        below = l;
        l = t->up[l];
    }
    return l == within ? below : -1;
}

// Topological order of the direct children of a loop, ties by reverse post-order; inner loops are expanded in place.
static void emit(const struct graph *g, const struct nest *t, const unsigned *rpo, unsigned n, int within, unsigned *out,
                 unsigned *len)
{
    unsigned *missing = mem_alloc(g->n * sizeof *missing);
    bool *done = mem_alloc(g->n);
    VEC(unsigned) nodes = {0};
    for (unsigned i = 0; i < n; i++)
        if (child_of(t, rpo[i], within) == (int)rpo[i]) vec_push(&nodes, rpo[i]);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < g->succ[rpo[i]].n; k++) {
            int a = child_of(t, rpo[i], within), b = child_of(t, g->succ[rpo[i]].to[k], within);
            if (a >= 0 && b >= 0 && a != b && b != within) missing[b]++;
        }
    for (unsigned left = (unsigned)nodes.len; left;) {
        int pick = -1;
        for (unsigned i = 0; i < nodes.len && pick < 0; i++)
            if (!done[nodes.data[i]] && (!missing[nodes.data[i]] || (int)nodes.data[i] == within)) pick = (int)nodes.data[i];
        for (unsigned i = 0; i < nodes.len && pick < 0; i++) // a cycle with several entries: any order runs
            if (!done[nodes.data[i]]) pick = (int)nodes.data[i];
        done[pick] = true;
        left--;
        if (t->is_header[pick] && pick != within) emit(g, t, rpo, n, pick, out, len);
        else out[(*len)++] = (unsigned)pick;
        for (unsigned i = 0; i < n; i++) {
            if (child_of(t, rpo[i], within) != pick) continue;
            for (unsigned k = 0; k < g->succ[rpo[i]].n; k++) {
                int b = child_of(t, g->succ[rpo[i]].to[k], within);
                if (b >= 0 && b != pick && b != within) missing[b]--;
            }
        }
    }
    free(missing);
    free(done);
    vec_free(&nodes);
}

unsigned graph_schedule(const struct graph *g, unsigned *order, bool *irreducible)
{
    *irreducible = false;
    int *idom = mem_alloc(g->n * sizeof *idom);
    unsigned *rpo = mem_alloc(g->n * sizeof *rpo);
    unsigned n = graph_rpo(g, rpo), len = 0;
    graph_idom(g, idom);
    struct nest t = {g->n, mem_alloc(g->n * sizeof(int)), mem_alloc(g->n * sizeof(int)), mem_alloc(g->n)};
    find_loops(g, idom, rpo, n, &t, irreducible);
    emit(g, &t, rpo, n, -1, order, &len);
    free(idom);
    free(rpo);
    free(t.inner);
    free(t.up);
    free(t.is_header);
    return len;
}

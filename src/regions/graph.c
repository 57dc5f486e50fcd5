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

// Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (TOPLAS 1979), the
// simple version: O(edges · log nodes). Nodes are numbered in depth-first order. The iterative
// algorithm of Cooper, Harvey and Kennedy is quadratic for a function with many returns.
struct dominators {
    unsigned *parent, *semi, *ancestor, *label; // ancestor: NONE for a root of the forest
    VEC(unsigned) path;
};
enum { NONE = ~0u };

/**
 * The node with the smallest semidominator on the path from v to its root in the forest, excluding
 * the root. Compresses the path.
 */
static unsigned evaluate(struct dominators *d, unsigned v)
{
    if (d->ancestor[v] == NONE) return v;
    vec_clear(&d->path);
    for (unsigned x = v; d->ancestor[d->ancestor[x]] != NONE; x = d->ancestor[x])
        vec_push(&d->path, x);
    while (d->path.len) { // from the root down
        const unsigned x = vec_pop(&d->path), up = d->ancestor[x];
        if (d->semi[d->label[up]] < d->semi[d->label[x]]) d->label[x] = d->label[up];
        d->ancestor[x] = d->ancestor[up];
    }
    return d->label[v];
}

/** Numbers the nodes in depth-first order from node 0. */
static unsigned number(const struct graph *g, unsigned *order, unsigned *at, unsigned *parent)
{
    struct step {
        unsigned node, from;
    };
    VEC(struct step) work = {0};
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) at[i] = NONE;
    vec_push(&work, (struct step){0, 0});
    while (work.len) {
        const unsigned node = vec_last(&work).node, from = vec_pop(&work).from;
        if (at[node] != NONE) continue;
        order[n] = node;
        parent[n] = from;
        at[node] = n;
        for (unsigned k = g->succ[node].n; k-- > 0;)
            if (at[g->succ[node].to[k]] == NONE)
                vec_push(&work, (struct step){g->succ[node].to[k], n});
        n++;
    }
    vec_free(&work);
    return n;
}

void graph_idom(const struct graph *g, int *idom)
{
    unsigned *const space = mem_alloc((size_t)g->n * 9 * sizeof *space);
    unsigned *const order = space, *const at = space + g->n, *const dom = space + 2 * (size_t)g->n;
    unsigned *const bucket = space + 3 * (size_t)g->n,
                    *const next = space + 4 * (size_t)g->n; // nodes by semidominator, + 1
    struct dominators d = {space + 5 * (size_t)g->n,
                           space + 6 * (size_t)g->n,
                           space + 7 * (size_t)g->n,
                           space + 8 * (size_t)g->n,
                           {0}};
    const unsigned n = number(g, order, at, d.parent);
    for (unsigned v = 0; v < n; v++) {
        d.semi[v] = d.label[v] = v;
        d.ancestor[v] = NONE;
    }
    for (unsigned v = n; v-- > 1;) {
        const struct graph_adj *const pred = &g->pred[order[v]];
        for (unsigned k = 0; k < pred->n; k++) {
            if (at[pred->to[k]] == NONE) continue; // cannot be reached
            const unsigned s = d.semi[evaluate(&d, at[pred->to[k]])];
            if (s < d.semi[v]) d.semi[v] = s;
        }
        next[v] = bucket[d.semi[v]];
        bucket[d.semi[v]] = v + 1;
        const unsigned up = d.ancestor[v] = d.parent[v];
        for (unsigned w; (w = bucket[up]); bucket[up] = next[w - 1]) {
            const unsigned u = evaluate(&d, w - 1);
            dom[w - 1] = d.semi[u] < d.semi[w - 1] ? u : up;
        }
    }
    for (unsigned i = 0; i < g->n; i++) idom[i] = -1;
    idom[0] = 0;
    for (unsigned v = 1; v < n; v++) {
        if (dom[v] != d.semi[v]) dom[v] = dom[dom[v]];
        idom[order[v]] = (int)order[dom[v]];
    }
    vec_free(&d.path);
    free(space);
}

/** A block's dominators come before it in the reverse post-order. */
static bool dominates(const int *idom, const unsigned *rank, unsigned a, unsigned b)
{
    while (rank[b] > rank[a]) b = (unsigned)idom[b];
    return a == b;
}

// Natural loops by header; inner[b] is the header of the innermost loop that contains b, or -1;
// up[h] is the header of the loop around h.
struct nest {
    unsigned n;
    int *inner, *up;
    bool *is_header;
};

static void find_loops(const struct graph *g, const int *idom, const unsigned *order, unsigned n,
                       struct nest *t, bool *irreducible)
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
            if (dominates(idom, rank, h, u)) {
                t->is_header[h] = true;
                vec_push(&work, u);
            } else if (rank[u] >= rank[h]) {
                *irreducible = true;
            }
        }
        if (!t->is_header[h]) continue;
        while (work.len) {
            unsigned b = vec_pop(&work);
            // go to the outermost known loop around b
            int top = (int)b;
            if (t->is_header[b] && b != h) {
                while (t->up[top] >= 0) top = t->up[top];
            } else if (t->inner[b] >= 0) {
                top = t->inner[b];
                while (t->up[top] >= 0) top = t->up[top];
            }
            if ((unsigned)top == h) continue;
            if (t->is_header[top] && (unsigned)top != h && (t->inner[b] >= 0 || t->is_header[b])) {
                t->up[top] = (int)h; // a whole inner loop is added; continue at its header
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

// The node that represents block b among the direct children of loop `within` (-1: the function).
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

struct schedule {
    const struct graph *g;
    const struct nest *t;
    VEC(unsigned) * members; // of a header: blocks of its loop in reverse post-order
    unsigned *missing, *at;  // of a direct child: edges from children that were not emitted; its
                             // number among the children
    bool *done;
    unsigned *out, len;
};

/**
 * Edges from b to other direct children of the loop: counts each as missing (by = 1), or removes it
 * (-1). Sets in `ready` the children without missing edges.
 */
static void count_edges(struct schedule *s, unsigned b, int within, int by, uint64_t *ready)
{
    const int from = child_of(s->t, b, within);
    for (unsigned k = 0; k < s->g->succ[b].n; k++) {
        const int to = child_of(s->t, s->g->succ[b].to[k], within);
        if (to < 0 || to == from || to == within) continue;
        s->missing[to] += (unsigned)by;
        if (by < 0 && !s->missing[to]) ready[s->at[to] / 64] |= 1ull << s->at[to] % 64;
    }
}

// Topological order of the direct children of a loop, ties by reverse post-order; inner loops are
// expanded in place.
static void emit(struct schedule *s, const unsigned *blocks, unsigned n, int within)
{
    VEC(unsigned) nodes = {0};
    for (unsigned i = 0; i < n; i++)
        if (child_of(s->t, blocks[i], within) == (int)blocks[i]) {
            s->done[blocks[i]] =
                false; // a loop's header is a child of its loop and of the loop around it
            s->at[blocks[i]] = (unsigned)nodes.len;
            vec_push(&nodes, blocks[i]);
        }
    const unsigned words = (unsigned)nodes.len / 64 + 1;
    uint64_t *const ready = mem_alloc(words * sizeof *ready);
    for (unsigned i = 0; i < n; i++) count_edges(s, blocks[i], within, 1, ready);
    for (unsigned i = 0; i < nodes.len; i++)
        if (!s->missing[nodes.data[i]] || (int)nodes.data[i] == within)
            ready[i / 64] |= 1ull << i % 64;
    for (unsigned left = (unsigned)nodes.len, first = 0; left; left--) {
        unsigned w = 0;
        while (w < words && !ready[w]) w++;
        while (s->done[nodes.data[first]]) first++;
        const unsigned i = w < words ? w * 64 + (unsigned)__builtin_ctzll(ready[w]) : first,
                       pick = nodes.data[i]; // none: a cycle with several entries
        if (w < words) ready[w] &= ready[w] - 1;
        if (s->done[pick]) {
            left++;
            continue;
        }
        s->done[pick] = true;
        if (s->t->is_header[pick] && (int)pick != within) {
            emit(s, s->members[pick].data, (unsigned)s->members[pick].len, (int)pick);
            s->done[pick] = true;
            s->at[pick] = i;
            for (size_t m = 0; m < s->members[pick].len; m++)
                count_edges(s, s->members[pick].data[m], within, -1, ready);
        } else {
            s->out[s->len++] = pick;
            count_edges(s, pick, within, -1, ready);
        }
    }
    free(ready);
    vec_free(&nodes);
}

unsigned graph_schedule(const struct graph *g, unsigned *order, bool *irreducible)
{
    *irreducible = false;
    int *idom = mem_alloc(g->n * sizeof *idom);
    unsigned *rpo = mem_alloc(g->n * sizeof *rpo);
    unsigned n = graph_rpo(g, rpo);
    graph_idom(g, idom);
    struct nest t = {g->n, mem_alloc(g->n * sizeof(int)), mem_alloc(g->n * sizeof(int)),
                     mem_alloc(g->n)};
    find_loops(g, idom, rpo, n, &t, irreducible);
    struct schedule s = {.g = g, .t = &t, .out = order};
    s.members = mem_alloc(g->n * sizeof *s.members);
    s.missing = mem_alloc(g->n * sizeof *s.missing);
    s.at = mem_alloc(g->n * sizeof *s.at);
    s.done = mem_alloc(g->n);
    for (unsigned i = 0; i < n; i++)
        for (int h = t.inner[rpo[i]]; h >= 0; h = t.up[h]) vec_push(&s.members[h], rpo[i]);
    emit(&s, rpo, n, -1);
    for (unsigned i = 0; i < g->n; i++) vec_free(&s.members[i]);
    free(s.members);
    free(s.missing);
    free(s.at);
    free(s.done);
    free(idom);
    free(rpo);
    free(t.inner);
    free(t.up);
    free(t.is_header);
    return s.len;
}

// SPDX-License-Identifier: MIT
// Dominators and scheduling order on random graphs, against their definitions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "regions/graph.h"

static uint64_t seed;
static unsigned rnd(unsigned n)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(seed >> 33) % n;
}

static void random_graph(struct graph *g, unsigned n, struct arena *a)
{
    graph_init(g, n, a);
    for (unsigned i = 0; i + 1 < n; i++)
        if (rnd(4)) graph_edge(g, i, i + 1);
    for (unsigned k = rnd(2 * n + 1); k; k--) graph_edge(g, rnd(n), 1 + rnd(n - 1));
}

// What the entry reaches when `without` is taken away.
static void reach(const struct graph *g, int without, bool *seen)
{
    memset(seen, 0, g->n);
    VEC(unsigned) work = {0};
    if (without != 0) {
        vec_push(&work, 0);
        seen[0] = true;
    }
    while (work.len) {
        unsigned x = vec_pop(&work);
        for (unsigned k = 0; k < g->succ[x].n; k++) {
            unsigned y = g->succ[x].to[k];
            if ((int)y == without || seen[y]) continue;
            seen[y] = true;
            vec_push(&work, y);
        }
    }
    vec_free(&work);
}

static bool tree_dominates(const int *idom, unsigned a, unsigned b)
{
    while (b != a && idom[b] >= 0 && (unsigned)idom[b] != b) b = (unsigned)idom[b];
    return a == b;
}

static void dominators_are_what_every_path_passes(void **state)
{
    for (unsigned t = 0; t < 400; t++) {
        seed = t * 977 + 1;
        struct arena a = {0};
        struct graph g;
        unsigned n = 2 + rnd(14);
        random_graph(&g, n, &a);
        int *idom = arena_array(&a, int, n);
        graph_idom(&g, idom);
        bool all[16], without[16];
        reach(&g, -1, all);
        for (unsigned d = 0; d < n; d++) {
            reach(&g, (int)d, without);
            for (unsigned b = 0; b < n; b++) {
                if (!all[b]) {
                    assert_int_equal(idom[b], -1);
                    continue;
                }
                assert_int_equal(tree_dominates(idom, d, b) && all[d],
                                 all[d] && (d == b || !without[b]));
            }
        }
        arena_deinit(&a);
    }
}

static void order_is_topological_with_loops_contiguous(void **state)
{
    unsigned reducible = 0;
    for (unsigned t = 0; t < 1000; t++) {
        seed = t * 7919 + 5;
        struct arena a = {0};
        struct graph g;
        unsigned n = 2 + rnd(14);
        random_graph(&g, n, &a);
        unsigned order[16], at[16];
        bool irreducible, all[16], seen[16] = {0};
        unsigned len = graph_schedule(&g, order, &irreducible);
        reach(&g, -1, all);
        unsigned reached = 0;
        for (unsigned b = 0; b < n; b++) reached += all[b];
        assert_int_equal(len, reached);
        for (unsigned i = 0; i < len; i++) {
            assert_true(all[order[i]] && !seen[order[i]]);
            seen[order[i]] = true;
            at[order[i]] = i;
        }
        assert_int_equal(order[0], 0);
        if (!irreducible) {
            reducible++;
            int idom[16];
            graph_idom(&g, idom);
            for (unsigned b = 0; b < n; b++)
                for (unsigned k = 0; all[b] && k < g.succ[b].n; k++) {
                    unsigned to = g.succ[b].to[k];
                    if (at[to] > at[b]) continue;
                    assert_true(tree_dominates(idom, to, b)); // only back edges go backwards
                    // contiguous: every block between header and latch is dominated by the header
                    for (unsigned i = at[to]; i <= at[b]; i++)
                        assert_true(tree_dominates(idom, to, order[i]));
                }
        }
        arena_deinit(&a);
    }
    assert_true(reducible > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dominators_are_what_every_path_passes),
        cmocka_unit_test(order_is_topological_with_loops_contiguous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

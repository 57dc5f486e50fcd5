// SPDX-License-Identifier: MIT
// A node has four kids; at the lowest level a kid is a number, kept as an odd pointer.
#include "race/tree.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

struct tree {
    uint32_t refs;
    struct tree *kid[4];
};

static bool is_number(const struct tree *t) { return (uintptr_t)t & 1; }
static uint64_t number(const struct tree *t) { return (uintptr_t)t >> 1; }
static struct tree *as_kid(uint64_t v) { return (struct tree *)(uintptr_t)(v << 1 | 1); }

struct tree *tree_ref(struct tree *t)
{
    if (t && !is_number(t)) t->refs++;
    return t;
}

void tree_unref(struct tree *t)
{
    if (!t || is_number(t) || --t->refs) return;
    for (int i = 0; i < 4; i++) tree_unref(t->kid[i]);
    free(t);
}

uint64_t tree_get(const struct tree *t, unsigned levels, uint64_t key)
{
    while (t && levels) t = t->kid[key >> 2 * --levels & 3];
    return t ? number(t) : 0;
}

struct tree *tree_raise(struct tree *t, unsigned levels, uint64_t key, uint64_t v)
{
    if (tree_get(t, levels, key) >= v) return tree_ref(t);
    if (!levels) return as_kid(v);
    struct tree *n = mem_alloc(sizeof *n);
    unsigned at = key >> 2 * (levels - 1) & 3;
    n->refs = 1;
    for (unsigned i = 0; i < 4; i++) {
        struct tree *k = t ? t->kid[i] : NULL;
        n->kid[i] = i == at ? tree_raise(k, levels - 1, key, v) : tree_ref(k);
    }
    return n;
}

struct tree *tree_join(struct tree *a, struct tree *b, unsigned levels)
{
    if (a == b || !b) return tree_ref(a);
    if (!a) return tree_ref(b);
    if (!levels) return number(a) < number(b) ? b : a;
    struct tree *kid[4];
    bool is_a = true, is_b = true;
    for (int i = 0; i < 4; i++) {
        kid[i] = tree_join(a->kid[i], b->kid[i], levels - 1);
        is_a &= kid[i] == a->kid[i];
        is_b &= kid[i] == b->kid[i];
    }
    if (is_a || is_b) {
        for (int i = 0; i < 4; i++) tree_unref(kid[i]);
        return tree_ref(is_a ? a : b);
    }
    struct tree *n = mem_alloc(sizeof *n);
    n->refs = 1;
    for (int i = 0; i < 4; i++) n->kid[i] = kid[i];
    return n;
}

// SPDX-License-Identifier: MIT
// A node has four kids; at the lowest level, TREE_LEAF numbers, which are joined as a vector.
#include "race/tree.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    uint32_t refs;
    bool is_leaf;
    union {
        struct tree *kid[4];
        uint32_t number[TREE_LEAF];
    };
};

static struct tree *make(bool is_leaf)
{
    struct tree *t = mem_alloc(is_leaf ? sizeof *t : offsetof(struct tree, kid) + sizeof t->kid);
    t->refs = 1;
    t->is_leaf = is_leaf;
    return t;
}

struct tree *tree_ref(struct tree *t)
{
    if (t) t->refs++;
    return t;
}

void tree_unref(struct tree *t)
{
    if (!t || --t->refs) return;
    for (int i = 0; i < 4 && !t->is_leaf; i++) tree_unref(t->kid[i]);
    free(t);
}

uint32_t tree_get(const struct tree *t, unsigned levels, uint64_t key)
{
    while (t && levels) t = t->kid[key / TREE_LEAF >> 2 * --levels & 3];
    return t ? t->number[key % TREE_LEAF] : 0;
}

static struct tree *raised(struct tree *t, unsigned levels, uint64_t key, uint32_t v)
{
    struct tree *n = make(!levels);
    if (!levels) {
        if (t) memcpy(n->number, t->number, sizeof n->number);
        n->number[key % TREE_LEAF] = v;
        return n;
    }
    const unsigned at = key / TREE_LEAF >> 2 * (levels - 1) & 3;
    for (unsigned i = 0; i < 4; i++) {
        struct tree *k = t ? t->kid[i] : NULL;
        n->kid[i] = i == at ? raised(k, levels - 1, key, v) : tree_ref(k);
    }
    return n;
}

struct tree *tree_raise(struct tree *t, unsigned levels, uint64_t key, uint32_t v)
{
    return tree_get(t, levels, key) >= v ? tree_ref(t) : raised(t, levels, key, v);
}

static struct tree *join_leaves(struct tree *a, struct tree *b)
{
    uint32_t most[TREE_LEAF], above_a = 0, above_b = 0;
    for (unsigned i = 0; i < TREE_LEAF; i++) {
        most[i] = a->number[i] > b->number[i] ? a->number[i] : b->number[i];
        above_a |= most[i] ^ a->number[i];
        above_b |= most[i] ^ b->number[i];
    }
    if (!above_a || !above_b) return tree_ref(above_a ? b : a);
    struct tree *n = make(true);
    memcpy(n->number, most, sizeof most);
    return n;
}

struct tree *tree_join(struct tree *a, struct tree *b, unsigned levels)
{
    if (a == b || !b) return tree_ref(a);
    if (!a) return tree_ref(b);
    if (!levels) return join_leaves(a, b);
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
    struct tree *n = make(false);
    memcpy(n->kid, kid, sizeof kid);
    return n;
}

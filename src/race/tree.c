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

static struct tree *make(struct trees *ts, bool is_leaf)
{
    struct tree *t = ts->spare[is_leaf];
    if (t) ts->spare[is_leaf] = t->kid[0];
    else t = mem_alloc(is_leaf ? sizeof *t : offsetof(struct tree, kid) + sizeof t->kid);
    t->refs = 1;
    t->is_leaf = is_leaf;
    return t;
}

void trees_deinit(struct trees *ts)
{
    for (int i = 0; i < 2; i++)
        for (struct tree *t; (t = ts->spare[i]);) {
            ts->spare[i] = t->kid[0];
            free(t);
        }
}

struct tree *tree_ref(struct tree *t)
{
    if (t) t->refs++;
    return t;
}

void tree_unref(struct trees *ts, struct tree *t)
{
    if (!t || --t->refs) return;
    for (int i = 0; i < 4 && !t->is_leaf; i++) tree_unref(ts, t->kid[i]);
    t->kid[0] = ts->spare[t->is_leaf];
    ts->spare[t->is_leaf] = t;
}

uint32_t tree_get(const struct trees *ts, const struct tree *t, uint64_t key)
{
    for (unsigned levels = ts->levels; t && levels;)
        t = t->kid[key / TREE_LEAF >> 2 * --levels & 3];
    return t ? t->number[key % TREE_LEAF] : 0;
}

static struct tree *raised(struct trees *ts, struct tree *t, unsigned levels, uint64_t key,
                           uint32_t v)
{
    struct tree *n = make(ts, !levels);
    if (!levels) {
        if (t) memcpy(n->number, t->number, sizeof n->number);
        else memset(n->number, 0, sizeof n->number);
        n->number[key % TREE_LEAF] = v;
        return n;
    }
    const unsigned at = key / TREE_LEAF >> 2 * (levels - 1) & 3;
    for (unsigned i = 0; i < 4; i++) {
        struct tree *k = t ? t->kid[i] : NULL;
        n->kid[i] = i == at ? raised(ts, k, levels - 1, key, v) : tree_ref(k);
    }
    return n;
}

struct tree *tree_raise(struct trees *ts, struct tree *t, uint64_t key, uint32_t v)
{
    return tree_get(ts, t, key) >= v ? tree_ref(t) : raised(ts, t, ts->levels, key, v);
}

static struct tree *join_leaves(struct trees *ts, struct tree *a, struct tree *b)
{
    uint32_t most[TREE_LEAF], above_a = 0, above_b = 0;
    for (unsigned i = 0; i < TREE_LEAF; i++) {
        most[i] = a->number[i] > b->number[i] ? a->number[i] : b->number[i];
        above_a |= most[i] ^ a->number[i];
        above_b |= most[i] ^ b->number[i];
    }
    if (!above_a || !above_b) return tree_ref(above_b ? a : b);
    struct tree *n = make(ts, true);
    memcpy(n->number, most, sizeof most);
    return n;
}

static struct tree *joined(struct trees *ts, struct tree *a, struct tree *b, unsigned levels)
{
    if (a == b || !a) return tree_ref(b);
    if (!b) return tree_ref(a);
    ts->joined++;
    if (!levels) return join_leaves(ts, a, b);
    struct tree *kid[4];
    bool is_a = true, is_b = true;
    for (int i = 0; i < 4; i++) {
        kid[i] = joined(ts, a->kid[i], b->kid[i], levels - 1);
        is_a &= kid[i] == a->kid[i];
        is_b &= kid[i] == b->kid[i];
    }
    if (is_a || is_b) {
        for (int i = 0; i < 4; i++) tree_unref(ts, kid[i]);
        return tree_ref(is_b ? b : a);
    }
    struct tree *n = make(ts, false);
    memcpy(n->kid, kid, sizeof kid);
    return n;
}

struct tree *tree_join(struct trees *ts, struct tree *a, struct tree *b)
{
    return joined(ts, a, b, ts->levels);
}

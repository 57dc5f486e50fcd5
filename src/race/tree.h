// SPDX-License-Identifier: MIT
#ifndef RACE_TREE_H
#define RACE_TREE_H
#include <stdint.h>

/**
 * Vector clocks that are mostly zero and mostly shared: a map from keys below TREE_LEAF * 4^levels
 * to numbers below 2^32, 0 where absent, as a persistent tree: it is never modified. NULL is the
 * empty map. Equal parts are shared, so a join of a clock with an earlier version of it costs only
 * the differences.
 */
enum { TREE_LEAF = 32 };
struct tree;
/** The common state of the trees of a launch, for one thread; zero except `levels`. */
struct trees {
    unsigned levels;
    struct tree *spare[2]; // nodes to use again
    uint64_t joined;       // pairs of nodes that joins have compared
};
void trees_deinit(struct trees *ts); // when all trees have been released
struct tree *tree_ref(struct tree *t);
void tree_unref(struct trees *ts, struct tree *t);
uint32_t tree_get(const struct trees *ts, const struct tree *t, uint64_t key);
/** A new reference to t with key raised to at least v. */
struct tree *tree_raise(struct trees *ts, struct tree *t, uint64_t key, uint32_t v);
/** A new reference to the maximum of both, key by key; to b itself if that is the maximum. */
struct tree *tree_join(struct trees *ts, struct tree *a, struct tree *b);
#endif

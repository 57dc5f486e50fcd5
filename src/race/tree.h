// SPDX-License-Identifier: MIT
#ifndef RACE_TREE_H
#define RACE_TREE_H
#include <stdint.h>

/**
 * Vector clocks that are mostly zero and mostly shared: a map from keys below TREE_LEAF * 4^levels
 * to numbers below 2^32, 0 where absent, as a tree that is never changed after it was made. NULL is
 * the empty map. Equal parts are shared, so that joining a clock with one that it grew out of costs
 * only what differs.
 */
enum { TREE_LEAF = 32 };
struct tree;
/** What the trees of a launch have in common, for one thread; zeroed but for levels. */
struct trees {
    unsigned levels;
    struct tree *spare[2]; // nodes to use again
    uint64_t joined;       // pairs of nodes that joins compared, until now
};
void trees_deinit(struct trees *ts); // when no tree is left
struct tree *tree_ref(struct tree *t);
void tree_unref(struct trees *ts, struct tree *t);
uint32_t tree_get(const struct trees *ts, const struct tree *t, uint64_t key);
/** A new reference to t with key raised to at least v. */
struct tree *tree_raise(struct trees *ts, struct tree *t, uint64_t key, uint32_t v);
/** A new reference to the larger of both, key by key: to b, if that is it. */
struct tree *tree_join(struct trees *ts, struct tree *a, struct tree *b);
#endif

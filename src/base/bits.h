// SPDX-License-Identifier: MIT
#ifndef BASE_BITS_H
#define BASE_BITS_H
#include "base/map.h"
#include "base/vec.h"

/**
 * A sparse set of 64-bit numbers: a bitmap of which only the words that are not 0 exist. Zeroed
 * storage is an empty set. Adding the neighbor of the number added last costs no look-up.
 */
struct bits_word {
    uint64_t at, in; // numbers 64 * at …
};
struct bits {
    struct map index; // number / 64 → index of the word
    VEC(struct bits_word) words;
    size_t last; // the word that was used last
    uint64_t n;  // numbers in the set
};

void bits_deinit(struct bits *b);
void bits_clear(struct bits *b); // it is likely to be filled again
/** Whether the number is new. */
bool bits_add(struct bits *b, uint64_t number);
/** Whether all of `part` are in the set. */
bool bits_has_all(const struct bits *b, const struct bits *part);
void bits_unite(struct bits *b, const struct bits *with);
#endif

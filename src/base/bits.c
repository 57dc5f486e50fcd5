// SPDX-License-Identifier: MIT
#include "base/bits.h"

void bits_deinit(struct bits *b)
{
    map_deinit(&b->index);
    vec_free(&b->words);
    *b = (struct bits){0};
}

void bits_clear(struct bits *b)
{
    map_clear(&b->index);
    vec_clear(&b->words);
    b->n = 0;
}

/** Adds the bits of `in`; how many of them are new. */
static unsigned add(struct bits *b, uint64_t at, uint64_t in)
{
    if (b->last >= b->words.len || b->words.data[b->last].at != at) {
        bool is_new;
        uint64_t *place = map_put(&b->index, at, &is_new);
        if (is_new) {
            *place = b->words.len;
            vec_push(&b->words, (struct bits_word){.at = at});
        }
        b->last = *place;
    }
    uint64_t *word = &b->words.data[b->last].in;
    const unsigned n = (unsigned)__builtin_popcountll(in & ~*word);
    *word |= in;
    b->n += n;
    return n;
}

bool bits_add(struct bits *b, uint64_t number) { return add(b, number / 64, 1ull << number % 64); }

void bits_unite(struct bits *b, const struct bits *with)
{
    for (size_t i = 0; i < with->words.len; i++)
        add(b, with->words.data[i].at, with->words.data[i].in);
}

bool bits_has_all(const struct bits *b, const struct bits *part)
{
    for (size_t i = 0; i < part->words.len; i++) {
        const uint64_t *at = map_get(&b->index, part->words.data[i].at);
        if (part->words.data[i].in & ~(at ? b->words.data[*at].in : 0)) return false;
    }
    return true;
}

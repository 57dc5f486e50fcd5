// SPDX-License-Identifier: MIT
#ifndef BASE_SERIALIZE_H
#define BASE_SERIALIZE_H
#include "base/bits.h"
#include "base/str.h"

#include <stdbool.h>
#include <string.h>

/**
 * Structs without pointers, as bytes for another process of the same build. A reader never reads
 * outside its bytes; after a failure all further reads fail.
 */
struct ser_reader {
    const char *at, *end;
    bool is_bad;
};

static inline void ser_put(struct str *out, const void *data, size_t n)
{
    if (n) str_put_n(out, data, n);
}
/** False: there are too few bytes; `to` is zeroed. */
static inline bool ser_get(struct ser_reader *r, void *to, size_t n)
{
    r->is_bad |= (size_t)(r->end - r->at) < n;
    if (!n) return !r->is_bad;
    if (r->is_bad) {
        memset(to, 0, n);
        return false;
    }
    memcpy(to, r->at, n);
    r->at += n;
    return true;
}
static inline void ser_put_u64(struct str *out, uint64_t x) { ser_put(out, &x, sizeof x); }
static inline uint64_t ser_get_u64(struct ser_reader *r)
{
    uint64_t x;
    ser_get(r, &x, sizeof x);
    return x;
}
/** A number of things that follow, each of at least `size` bytes; 0: fewer bytes are left. */
static inline uint64_t ser_get_count(struct ser_reader *r, size_t size)
{
    const uint64_t n = ser_get_u64(r);
    r->is_bad |= n > (uint64_t)(r->end - r->at) / size;
    return r->is_bad ? 0 : n;
}

static inline void ser_put_bits(struct str *out, const struct bits *b)
{
    ser_put_u64(out, b->words.len);
    ser_put(out, b->words.data, b->words.len * sizeof *b->words.data);
}
/** Adds the numbers to the set. */
static inline void ser_get_bits(struct ser_reader *r, struct bits *b)
{
    for (uint64_t n = ser_get_count(r, sizeof(struct bits_word)); n; n--) {
        struct bits_word w;
        ser_get(r, &w, sizeof w);
        for (; w.in; w.in &= w.in - 1) bits_add(b, w.at * 64 + (unsigned)__builtin_ctzll(w.in));
    }
}
#endif

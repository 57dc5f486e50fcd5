// SPDX-License-Identifier: MIT
/*
 * Compressed readers. Cells that are read and written in place have two stamps of 4 bytes and a
 * value for each byte. Old accesses must not take so much memory. So the readers of chunks that
 * were not accessed for a while are compressed to 2 bytes a cell, and the pages of R1 return to the
 * system. The compression is lossless: the distance between the epoch and site of a reader and
 * those of the cell's writer (or, without a writer, those of the chunk's first reader) is nearly
 * always the same as in other cells. A table holds these distances; a cell has the number of its
 * distance and the work-item. The chunk's state marks it as compressed, which differs from the
 * state that all loops expect: an access restores the stamps first (groups_enter), and no other
 * code handles compressed chunks.
 */
#include "race/shadow.h"

#include <sys/mman.h>

enum {
    COMPRESSED_CHUNKS = 1 << 12, // compressed at once, about
    SPREAD = 64,                 // chunks examined for each one that can be compressed
    CODE_BITS = 16,
    DISTANCES = 256,
};

/** The readers of a chunk. A code is (number of the distance, from 1) | work-item; 0: no reader. */
struct race_compressed {
    uint32_t base; // epoch and site of the chunk's first reader
    uint16_t code[CHUNK];
};

static unsigned item_bits(const struct stamp_form *f) { return f->site_shift - 3; }

/**
 * The distance part of the code of a reader at this distance; 0: the table of distances is full.
 */
static uint32_t number_of(struct race_shadow *s, const struct stamp_form *f, uint32_t distance)
{
    uint32_t i = 0;
    while (i < s->distances.len && s->distances.data[i] != distance) i++;
    if (i == DISTANCES || i + 1 == 1u << (CODE_BITS - item_bits(f))) return 0;
    if (i == s->distances.len) vec_push(&s->distances, distance);
    return (i + 1) << item_bits(f);
}

/** False: the chunk cannot be compressed and is unchanged. */
static bool compress(struct race_shadow *s, const struct stamp_form *f, uint64_t chunk)
{
    const uint64_t first = chunk << CHUNK_SHIFT;
    const uint32_t *const w = (const uint32_t *)s->plane[P_W] + first,
                          *const r = (const uint32_t *)s->plane[P_R1] + first;
    const uint32_t items = (uint32_t)f->item_mask, flags = (uint32_t)(f->sv | f->ma | f->mg);
    const unsigned shift = f->site_shift;
    struct race_compressed *const to = &s->compressed_readers[chunk];
    uint32_t distance[CHUNK], base = 0, one = 0, differ = 0, second = 0;
    if (s->cells - first < CHUNK) return false;
    if (s->plane[P_R2] && s->seconds && first < s->seconds_to && first + CHUNK > s->seconds_from) {
        const uint32_t *const r2 = (const uint32_t *)s->plane[P_R2] + first;
        for (unsigned i = 0; i < CHUNK; i++) second |= r2[i];
    }
    for (unsigned i = 0; i < CHUNK; i++) second |= r[i] & flags;
    if (second) return false;
    for (unsigned i = CHUNK; i--;) base = r[i] ? r[i] >> shift : base;
    for (unsigned i = 0; i < CHUNK; i++) {
        distance[i] = (r[i] >> shift) - (w[i] ? w[i] >> shift : base);
        one = r[i] ? distance[i] : one;
    }
    for (unsigned i = 0; i < CHUNK; i++) differ |= r[i] ? distance[i] ^ one : 0;
    uint32_t number = number_of(s, f, one);
    if (!number) return false;
    to->base = base;
    for (unsigned i = 0; !differ && i < CHUNK; i++)
        to->code[i] = (uint16_t)(r[i] ? number | (r[i] & items) : 0);
    for (unsigned i = 0; differ && i < CHUNK; i++) {
        if (r[i] && distance[i] != one) number = number_of(s, f, one = distance[i]);
        if (!number) return false;
        to->code[i] = (uint16_t)(r[i] ? number | (r[i] & items) : 0);
    }
    s->state[chunk] |= COMPRESSED;
    return true;
}

void read_compressed(const struct race_shadow *s, const struct stamp_form *f, uint64_t chunk,
                     uint32_t readers[CHUNK])
{
    const uint32_t *const w = (const uint32_t *)s->plane[P_W] + (chunk << CHUNK_SHIFT),
                          *const distances = s->distances.data;
    const uint32_t items = (uint32_t)f->item_mask;
    const struct race_compressed *const from = &s->compressed_readers[chunk];
    const unsigned shift = f->site_shift, bits = item_bits(f);
    uint32_t differ = 0, first = 0;
    for (unsigned i = CHUNK; i--;) first = from->code[i] ? from->code[i] : first;
    for (unsigned i = 0; i < CHUNK; i++)
        differ |= from->code[i] ? (from->code[i] ^ first) >> bits : 0;
    const uint32_t distance = first ? distances[(first >> bits) - 1] : 0;
    for (unsigned i = 0; !differ && i < CHUNK; i++) {
        const uint32_t top = (w[i] ? w[i] >> shift : from->base) + distance;
        readers[i] = from->code[i] ? top << shift | (from->code[i] & items) : 0;
    }
    for (unsigned i = 0; differ && i < CHUNK; i++) {
        const uint32_t code = from->code[i];
        readers[i] = code ? ((w[i] ? w[i] >> shift : from->base) + distances[(code >> bits) - 1])
                                    << shift |
                                (code & items)
                          : 0;
    }
}

void decompress(struct race_shadow *s, const struct stamp_form *f, uint64_t chunk)
{
    read_compressed(s, f, chunk, (uint32_t *)s->plane[P_R1] + (chunk << CHUNK_SHIFT));
    s->state[chunk] &= ~(uint32_t)COMPRESSED;
    shadow_opened(s, chunk);
}

/** Does R1 hold no relevant stamp of the chunk? */
static bool is_closed(const struct race_shadow *s, uint64_t chunk)
{
    return !shadow_is_touched(s, chunk) || (s->state[chunk] & (1 | COMPRESSED)) != 1;
}

/**
 * Returns to the system the pages that chunks [from, to) fill in R1, together with adjacent unused
 * pages. Returns the number of bytes.
 */
static uint64_t give_pages(const struct race_shadow *s, uint64_t from, uint64_t to)
{
    enum { PAGE = 1 << 12, BYTES = 4 << CHUNK_SHIFT, BESIDE = PAGE / BYTES };
    const uint64_t low = from > BESIDE ? from - BESIDE : 0, whole = s->cells >> CHUNK_SHIFT,
                   high = to + BESIDE < whole ? to + BESIDE : whole;
    while (from > low && is_closed(s, from - 1)) from--;
    while (to < high && is_closed(s, to)) to++;
    const uintptr_t r1 = (uintptr_t)s->plane[P_R1],
                    begin = (r1 + from * BYTES + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
                    end = (r1 + to * BYTES) & ~(uintptr_t)(PAGE - 1);
    return begin < end && !madvise((void *)begin, end - begin, MADV_DONTNEED) ? end - begin : 0;
}

void compression_init(struct race_shadow *s, bool always)
{
    enum { LEAST = 1 << 20 }; // cells; for fewer the page faults cost more
    const bool compressible = s->state && !s->wide && !s->granularity_shift &&
                              (always || s->cells >= LEAST);
    s->compress_least = always ? 1 : COMPRESSED_CHUNKS;
    s->compress_at = compressible ? s->compress_least : UINT64_MAX;
}

void compression_deinit(struct race_shadow *s)
{
    vec_free(&s->distances);
    shadow_give(s->compressed_readers, s->compressed_size);
}

void compress_now(struct race_shadow *s, const struct stamp_form *f)
{
    const uint64_t from = s->opened_from, to = s->opened_to;
    uint64_t compressed = 0, given = 0, kept_from = to, kept_to = from, kept = 0;
    if (to - from > s->opened * SPREAD || !s->newest[P_W] ||
        !s->newest[P_R1]) { // no readers yet, or too few chunks
        s->compress_at = 2 * s->opened;
        return;
    }
    if (!s->compressed_readers) {
        s->compressed_size = (s->cells >> CHUNK_SHIFT) * sizeof *s->compressed_readers;
        s->compressed_readers = item_bits(f) < CODE_BITS ? shadow_take(&s->compressed_size) : NULL;
        if (!s->compressed_readers) {
            s->compress_at = UINT64_MAX;
            return;
        }
    }
    for (uint64_t c = from; c < to;) {
        const uint64_t first = c;
        for (; c < to && !is_closed(s, c) && compress(s, f, c); c++) compressed++;
        if (s->compress_least == 1)
            memset((uint32_t *)s->plane[P_R1] + (first << CHUNK_SHIFT), 0,
                   (c - first) * (4 << CHUNK_SHIFT)); // accessed in no particular order
        if (c > first) given += give_pages(s, first, c);
        if (c == to || is_closed(s, c++)) continue;
        if (!kept++) kept_from = c - 1;
        kept_to = c;
    }
    memset(s->met, 0, sizeof s->met); // facts about chunks that had cells
    s->opened = kept;
    s->opened_from = kept_from;
    s->opened_to = kept_to;
    s->compress_at = kept + kept / 2 > s->compress_least ? kept + kept / 2 : s->compress_least;
    // If hardly any page was returned, accesses are sparse, and later attempts would be in vain,
    // too.
    if (compressed >= COMPRESSED_CHUNKS / 4 && given < compressed << CHUNK_SHIFT)
        s->compress_at = UINT64_MAX;
}

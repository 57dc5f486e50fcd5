// SPDX-License-Identifier: MIT
#ifndef RACE_SHARED_H
#define RACE_SHARED_H
#include "race/shadow.h"

/**
 * At the end of a launch: which chunks, and which cells in them, may be written by one group and
 * used by another. Most are not.
 */

/** A worker whose groups used the chunk; the shadows of all have one granularity. */
struct race_party {
    struct race_worker *w;
    struct race_shadow *s;
};

/**
 * What a worker knows of a chunk: what was left, and the stamps that rows or cells have,
 * plane after plane.
 */
struct race_known {
    const struct race_worker *w;
    const struct race_shadow *s;
    const struct race_summaries *summaries; // or NULL
    uint64_t chunk;
    uint32_t n;      // its cells
    unsigned planes; // bits of those that may have any: of the others nothing stands here
    const void *stamp[P_COUNT]; // of 4 or 8 bytes, as the shadow's
    uint32_t room[2][CHUNK];    // of rows, or of compressed readers
};

/** Compiled for three levels of x86-64, as lanes.h. */
struct race_shared {
    /**
     * Several workers came to the chunk, n of them, and nothing was left: is some cell of
     * several, and written?
     */
    bool (*any_cell)(const struct race_party *here, unsigned n, uint64_t chunk);
    /**
     * One worker came to it, and groups left something: may a cell that is written be of several
     * groups? Most of what is left is of readers of what no work-item writes. True where that is
     * not plain to see.
     */
    bool (*any_left)(const struct race_party *p, uint64_t chunk);
    /**
     * Which cells need a closer look: those that are written, and used by more than one access that
     * stands there or was left, accesses of one group counting once where that is plain to
     * see; with nothing left, by more than one worker. Is there one?
     */
    bool (*which)(const struct race_known *all, unsigned n, uint8_t used[CHUNK]);
};
extern const struct race_shared shared_1, shared_3, shared_4;

static inline uint32_t shared_cells_in(const struct race_shadow *s, uint64_t chunk)
{
    const uint64_t left = s->cells - (chunk << CHUNK_SHIFT);
    return left < CHUNK ? (uint32_t)left : CHUNK;
}

/** Stamps of 4 bytes in a chunk with cells; decompressed into `room` if needed. */
static inline const uint32_t *shared_stamps(const struct race_party *p, int plane, uint64_t chunk,
                                            uint32_t room[CHUNK])
{
    const struct race_shadow *s = p->s;
    if (plane != P_R1 || !(s->state[chunk] & COMPRESSED))
        return (const uint32_t *)s->plane[plane] + (chunk << CHUNK_SHIFT);
    read_compressed(s, &p->w->launch->f, chunk, room);
    return room;
}
#endif

// SPDX-License-Identifier: MIT
#ifndef RACE_SHARED_H
#define RACE_SHARED_H
#include "race/shadow.h"

/**
 * At the end of a launch: finds the chunks and cells that may be written by one group and used by
 * another. Most are not.
 */

/** A worker whose groups used the chunk. The shadows of all workers have the same granularity. */
struct race_party {
    struct race_worker *w;
    struct race_shadow *s;
};

/**
 * A worker's stamps in a chunk, by plane, from rows or cells, and its summaries.
 */
struct race_known {
    const struct race_worker *w;
    const struct race_shadow *s;
    const struct race_summaries *summaries; // or NULL
    uint64_t chunk;
    uint32_t n;      // its cells
    unsigned planes; // bits of the planes that may have stamps; the others are not filled in
    const void *stamp[P_COUNT]; // of 4 or 8 bytes, as in the shadow
    uint32_t room[2][CHUNK];    // of rows, or of compressed readers
};

/** Collects them. */
void groups_know(struct race_known *k, const struct race_party *p, uint64_t chunk);

/** The group and the work-item of a stamp in a chunk with that state. */
struct race_who {
    uint64_t group;
    uint32_t item;
};
struct race_who groups_who(const struct race_worker *w, uint32_t state, uint64_t stamp);

/** Compiled for three levels of x86-64, like lanes.h. */
struct race_shared {
    /**
     * For a chunk that n workers used, without summaries: is some cell used by several of them and
     * written?
     */
    bool (*any_cell)(const struct race_party *here, unsigned n, uint64_t chunk);
    /**
     * For a chunk that one worker used, with summaries: may a written cell be used by several
     * groups? Conservative: true if unknown. Most summaries are of readers of cells that are never
     * written.
     */
    bool (*any_left)(const struct race_party *p, uint64_t chunk);
    /**
     * Selects the cells that need an exact comparison: those that are written and have more than
     * one access in stamps and summaries (accesses known to be of one group count once), or,
     * without summaries, more than one worker. Returns whether there are any.
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

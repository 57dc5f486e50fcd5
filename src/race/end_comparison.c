// SPDX-License-Identifier: MIT
#include "race/end_comparison.h"

static bool is_write(int plane) { return plane == P_W || plane == P_AW1 || plane == P_AW2; }
static uint32_t writes_in(int c) { return c == C_W || c == C_AW ? ~0u : 0; } // as a mask

/** The same for rows of neighboring cells. Also true if a worker has no rows there. */
static bool any_row(const struct race_party *here, unsigned n, uint64_t chunk)
{
    uint32_t used[CHUNK_ROWS] = {0}, wrote[CHUNK_ROWS] = {0}, shared[CHUNK_ROWS] = {0}, any = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct race_shadow *s = here[i].s;
        if (s->state[chunk] & 1 || !s->rows || s->rows_step > 1 || shadow_summaries_of(s, chunk))
            return true;
        const uint32_t *const w = s->rows + chunk * 2 * CHUNK_ROWS, *const r = w + CHUNK_ROWS;
        for (unsigned k = 0; k < CHUNK_ROWS; k++) {
            const uint32_t own = w[k] | r[k];
            shared[k] |= own ? used[k] : 0;
            used[k] |= own;
            wrote[k] |= w[k];
        }
    }
    for (unsigned k = 0; k < CHUNK_ROWS; k++) any |= wrote[k] ? shared[k] : 0;
    return any;
}

static bool any_cell(const struct race_party *here, unsigned n, uint64_t chunk)
{
    if (!any_row(here, n, chunk)) return false;
    uint32_t used[CHUNK] = {0}, wrote[CHUNK] = {0}, shared[CHUNK] = {0}, any = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct race_shadow *s = here[i].s;
        uint32_t own[CHUNK] = {0};
        if (s->wide || shadow_summaries_of(s, chunk) || shared_cells_in(s, chunk) < CHUNK)
            return true; // unknown
        if (!(s->state[chunk] & 1)) {
            uint32_t writers[CHUNK], readers[CHUNK];
            shadow_row_stamps(s, chunk, CHUNK, writers, readers);
            for (unsigned k = 0; k < CHUNK; k++) {
                own[k] = writers[k] | readers[k];
                wrote[k] |= writers[k];
            }
        } else {
            for (int p = 0; p < P_COUNT; p++) {
                if (!s->newest[p]) continue;
                uint32_t room[CHUNK];
                const uint32_t *const x = shared_stamps(&here[i], p, chunk, room);
                for (unsigned k = 0; k < CHUNK; k++) own[k] |= x[k];
                for (unsigned k = 0; is_write(p) && k < CHUNK; k++) wrote[k] |= x[k];
            }
        }
        for (unsigned k = 0; k < CHUNK; k++) shared[k] |= own[k] ? used[k] : 0;
        for (unsigned k = 0; k < CHUNK; k++) used[k] |= own[k];
    }
    for (unsigned k = 0; k < CHUNK; k++) any |= wrote[k] ? shared[k] : 0;
    return any;
}

/**
 * Compares the groups of stamps: if x and y belong to one group and interval, (x ^ y) >> shift is
 * 0, and who(x) ^ who(y) is 0.
 */
struct whose {
    unsigned shift;
    uint32_t items, magic;
    bool known; // false: groups cannot be distinguished
};

static struct whose whose_of(const struct race_launch *l)
{
    const uint32_t magic = l->c.at_once == 1 ? 0 : race_magic(l);
    return (struct whose){.shift = l->f.epoch_shift,
                          .items = (uint32_t)l->f.item_mask,
                          .magic = magic,
                          .known = l->c.at_once == 1 || magic};
}

static inline uint32_t who(const struct whose *w, uint32_t x)
{
    return (x & w->items) * w->magic >> MAGIC_SHIFT;
}

/** Not 0 if the stamps belong to different groups or intervals. */
static inline uint32_t two_groups(const struct whose *w, uint32_t x, uint32_t y)
{
    return (x ^ y) >> w->shift | (who(w, x) ^ who(w, y));
}

static bool any_left(const struct race_party *p, uint64_t chunk)
{
    const struct race_shadow *s = p->s;
    const struct race_summaries *summaries = shadow_summaries_of(s, chunk);
    const struct whose of = whose_of(p->w->launch);
    uint32_t wrote[CHUNK] = {0}, here[CHUNK] = {0}, left[CHUNK] = {0}, shared[CHUNK] = {0}, any = 0,
             writers = 0;
    if (s->wide || s->wide_keys || !of.known || !(s->state[chunk] & 1) ||
        shared_cells_in(s, chunk) < CHUNK)
        return true;
    for (int q = 0; q < P_COUNT; q++) {
        if (!s->newest[q] || !is_write(q)) continue;
        const uint32_t *const x = (const uint32_t *)s->plane[q] + (chunk << CHUNK_SHIFT);
        for (unsigned k = 0; k < CHUNK; k++) writers |= x[k];
    }
    for (int c = 0; c < CLASSES; c++) writers |= summaries->two[c] ? writes_in(c) : 0;
    if (!writers) return false; // no work-item writes anything here
    for (int q = 0; q < P_COUNT; q++) {
        const uint32_t writes = is_write(q) ? ~0u : 0;
        if (!s->newest[q]) continue;
        uint32_t room[CHUNK];
        const uint32_t *const x = shared_stamps(p, q, chunk, room);
        for (unsigned k = 0; k < CHUNK; k++) {
            const uint32_t y = x[k], none = y ? 0 : ~0u, first = here[k] ? 0 : ~0u;
            shared[k] |= ~none & ~first & two_groups(&of, y, here[k]);
            here[k] |= y & first;
            wrote[k] |= y & writes;
        }
    }
    for (int c = 0; c < CLASSES; c++) {
        const uint32_t *const two = summaries->two[c], writes = writes_in(c);
        if (!two) continue;
        for (unsigned k = 0; k < CHUNK; k++) {
            shared[k] |= two[2 * k + 1] | (left[k] ? two[2 * k] : 0);
            left[k] |= two[2 * k];
            wrote[k] |= two[2 * k] & writes;
        }
    }
    for (unsigned k = 0; k < CHUNK; k++) any |= wrote[k] ? shared[k] | (here[k] ? left[k] : 0) : 0;
    return any;
}

/**
 * For stamps and keys of 4 bytes: adds those of a worker to the users of each cell, and records
 * whether it is written.
 */
static void count_narrow(const struct race_known *k, uint32_t mine, uint32_t *restrict users,
                         uint32_t *restrict wrote, uint32_t *restrict used)
{
    const struct whose of = whose_of(k->w->launch);
    const uint32_t n = k->n;
    uint32_t last[CHUNK] = {0};
    for (int c = 0; k->summaries && c < CLASSES; c++) {
        const uint32_t *const two = k->summaries->two[c], writes = writes_in(c);
        if (!two) continue;
        for (unsigned at = 0; at < CHUNK; at++) {
            users[at] += (two[2 * at] != 0) + (two[2 * at + 1] != 0);
            wrote[at] |= writes & two[2 * at];
        }
    }
    for (int p = 0; p < P_COUNT; p++) {
        const uint32_t writes = is_write(p) ? ~0u : 0, *const x = k->stamp[p];
        if (!(k->planes >> p & 1)) continue;
        for (unsigned at = 0; at < n; at++) {
            const uint32_t here = x[at] ? ~0u : 0,
                           met = of.known && !two_groups(&of, last[at], x[at]) ? ~0u : 0;
            last[at] = (here & x[at]) | (~here & last[at]);
            users[at] += here & ~met & 1;
            used[at] |= here & mine;
            wrote[at] |= writes & x[at];
        }
    }
}

/** The same for stamps and keys of any size. */
static void count_wide(const struct race_known *k, uint32_t mine, uint32_t users[CHUNK],
                       uint32_t wrote[CHUNK], uint32_t used[CHUNK])
{
    const struct race_shadow *const s = k->s;
    for (int c = 0; k->summaries && c < CLASSES; c++) {
        for (unsigned at = 0; k->summaries->two[c] && at < CHUNK; at++) {
            uint64_t two[2];
            for (unsigned i = 0; i < 2; i++)
                two[i] = s->wide_keys ? ((const uint64_t *)k->summaries->two[c])[2 * at + i]
                                      : ((const uint32_t *)k->summaries->two[c])[2 * at + i];
            users[at] += (two[0] != 0) + (two[1] != 0);
            wrote[at] |= two[0] ? writes_in(c) : 0;
        }
    }
    for (int p = 0; p < P_COUNT; p++) {
        for (unsigned at = 0; k->planes >> p & 1 && at < k->n; at++) {
            const bool here = s->wide ? ((const uint64_t *)k->stamp[p])[at]
                                      : ((const uint32_t *)k->stamp[p])[at];
            users[at] += here;
            used[at] |= here ? mine : 0;
            wrote[at] |= here && is_write(p) ? ~0u : 0;
        }
    }
}

static bool which(const struct race_known *all, unsigned n, uint8_t shared[CHUNK])
{
    enum { WORKERS = 32 };
    uint32_t wrote[CHUNK] = {0}, users[CHUNK] = {0}, used[CHUNK] = {0};
    uint8_t any = 0;
    bool left = false;
    for (unsigned i = 0; i < n; i++) {
        left |= all[i].summaries != NULL;
        (all[i].s->wide || all[i].s->wide_keys ? count_wide : count_narrow)(
            &all[i], 1u << i % WORKERS, users, wrote, used);
    }
    for (unsigned at = 0; at < CHUNK; at++) {
        const bool by_several = n > WORKERS ||
                                (left ? users[at] > 1 : (used[at] & (used[at] - 1)) != 0);
        shared[at] = wrote[at] && by_several;
        any |= shared[at];
    }
    return any;
}

#define NAME2(name, level) name##_##level
#define NAME(name, level)  NAME2(name, level)
const struct race_shared NAME(shared, LANES_LEVEL) = {
    .any_cell = any_cell, .any_left = any_left, .which = which};

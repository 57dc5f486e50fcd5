// SPDX-License-Identifier: MIT
// Launches whose groups several processes share.
//
// Groups of different parts are never ordered. So they race if and only if one part plainly writes
// a byte that another part accesses. It suffices to know, for each part, the bytes that it writes
// and the bytes that it accesses, as sorted lists of intervals. If no two parts conflict, then no
// group has read what a group of another part wrote, and the races of each part are found by that
// part.
//
// Lists are bounded: with too many intervals, those with small gaps between them are united, which
// may only add conflicts.
#include "race/end_comparison.h"

#include <stdlib.h>

struct interval {
    uint64_t begin, end; // bytes of the root
};
struct intervals {
    VEC(struct interval) list; // sorted and apart, except while it is filled
    uint64_t gap;              // intervals at most this far apart are united
};
enum use { WRITTEN, ACCESSED, USES };
struct uses_of_root {
    struct intervals by[USES];
    unsigned object;
};
struct race_uses {
    struct uses_of_root *roots;
    size_t nroots;
    bool atomics;
};

static void unite_near(struct intervals *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->list.len; i++) {
        const struct interval x = s->list.data[i];
        struct interval *const last = n ? &s->list.data[n - 1] : NULL;
        if (!last || x.begin > last->end + s->gap) s->list.data[n++] = x;
        else if (x.end > last->end) last->end = x.end;
    }
    s->list.len = n;
}

static void bound(struct intervals *s)
{
    unite_near(s);
    while (s->list.len > RACE_MOST_INTERVALS) {
        s->gap = s->gap ? 2 * s->gap : 1;
        unite_near(s);
    }
}

static int by_begin(const void *a, const void *b)
{
    const uint64_t x = ((const struct interval *)a)->begin, y = ((const struct interval *)b)->begin;
    return (x > y) - (x < y);
}

static void sort(struct intervals *s)
{
    if (s->list.len) qsort(s->list.data, s->list.len, sizeof *s->list.data, by_begin);
    bound(s);
}

/** Intervals of one worker come in ascending order; `from`: where its own begin in the list. */
static void append(struct intervals *s, size_t *from, uint64_t begin, uint64_t end)
{
    if (s->list.len > *from && vec_last(&s->list).end == begin) {
        vec_last(&s->list).end = end;
        return;
    }
    vec_push(&s->list, (struct interval){begin, end});
    if (s->list.len - *from < 2 * RACE_MOST_INTERVALS) return;
    sort(s);
    *from = s->list.len;
}

/** The kinds of access to each cell of the chunk, as bits of enum use; whether some is atomic. */
static bool kinds_of(const struct race_known *k, uint8_t kinds[CHUNK])
{
    uint64_t atomics = 0;
    memset(kinds, 0, CHUNK);
    for (int c = 0; k->summaries && c < CLASSES; c++) {
        const uint8_t kind = (uint8_t)(1 << ACCESSED | (c == C_W) << WRITTEN);
        for (unsigned at = 0; k->summaries->two[c] && at < k->n; at++) {
            const uint64_t key = k->s->wide_keys ? ((const uint64_t *)k->summaries->two[c])[2 * at]
                                                 : ((const uint32_t *)k->summaries->two[c])[2 * at];
            kinds[at] |= key ? kind : 0;
            atomics |= c >= C_AW ? key : 0;
        }
    }
    for (int p = 0; p < P_COUNT; p++) {
        const uint8_t kind = (uint8_t)(1 << ACCESSED | (p == P_W) << WRITTEN);
        for (unsigned at = 0; k->planes >> p & 1 && at < k->n; at++) {
            const uint64_t x = k->s->wide ? ((const uint64_t *)k->stamp[p])[at]
                                          : ((const uint32_t *)k->stamp[p])[at];
            kinds[at] |= x ? kind : 0;
            atomics |= p >= P_AW1 ? x : 0;
        }
    }
    return atomics;
}

static void add_worker(struct race_uses *u, struct uses_of_root *to, const struct race_party *p)
{
    const unsigned shift = p->s->granularity_shift;
    const uint64_t chunks = (p->s->cells + CHUNK - 1) >> CHUNK_SHIFT;
    size_t from[USES] = {to->by[WRITTEN].list.len, to->by[ACCESSED].list.len};
    struct race_known known;
    uint8_t kinds[CHUNK];
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        if (!shadow_is_touched(p->s, chunk)) continue;
        groups_know(&known, p, chunk);
        u->atomics |= kinds_of(&known, kinds);
        for (unsigned at = 0; at < known.n; at++) {
            const uint64_t byte = ((chunk << CHUNK_SHIFT) + at) << shift;
            for (unsigned use = 0; use < USES; use++)
                if (kinds[at] >> use & 1)
                    append(&to->by[use], &from[use], byte, byte + (1u << shift));
        }
    }
}

struct race_uses *race_uses_of(struct race_launch *l)
{
    struct race_uses *const u = mem_alloc(sizeof *u);
    u->nroots = l->roots.len;
    u->roots = mem_alloc(l->roots.len * sizeof *u->roots);
    for (unsigned i = 0; i < l->c.workers; i++) {
        struct race_worker *const w = l->workers[i];
        if (!w) continue;
        copies_left(w);
        groups_settle(w);
        for (size_t r = 0; r < l->roots.len; r++) {
            u->roots[r].object = l->roots.data[r].object;
            if (w->globals[r].bytes)
                add_worker(u, &u->roots[r], &(struct race_party){w, &w->globals[r]});
        }
    }
    for (size_t r = 0; r < u->nroots; r++)
        for (unsigned use = 0; use < USES; use++) sort(&u->roots[r].by[use]);
    return u;
}

void race_uses_destroy(struct race_uses *u)
{
    if (!u) return;
    for (size_t r = 0; r < u->nroots; r++)
        for (unsigned use = 0; use < USES; use++) vec_free(&u->roots[r].by[use].list);
    free(u->roots);
    free(u);
}

uint64_t race_uses_bytes(const struct race_uses *u)
{
    uint64_t n = sizeof *u + u->nroots * sizeof *u->roots;
    for (size_t r = 0; r < u->nroots; r++)
        for (unsigned use = 0; use < USES; use++)
            n += u->roots[r].by[use].list.len * sizeof(struct interval);
    return n;
}

bool race_uses_atomics(const struct race_uses *u) { return u->atomics; }

void race_uses_put(const struct race_uses *u, struct str *out)
{
    ser_put_u64(out, u->nroots);
    for (size_t r = 0; r < u->nroots; r++)
        for (unsigned use = 0; use < USES; use++) {
            const struct intervals *const s = &u->roots[r].by[use];
            ser_put_u64(out, s->list.len);
            ser_put(out, s->list.data, s->list.len * sizeof *s->list.data);
        }
}

static bool overlap(const struct intervals *a, const struct intervals *b)
{
    size_t i = 0, k = 0;
    while (i < a->list.len && k < b->list.len) {
        const struct interval x = a->list.data[i], y = b->list.data[k];
        if (x.begin < y.end && y.begin < x.end) return true;
        if (x.end < y.end) i++;
        else k++;
    }
    return false;
}

static void get(struct intervals *s, struct ser_reader *in)
{
    const uint64_t n = ser_get_count(in, sizeof *s->list.data);
    vec_reserve(&s->list, n);
    ser_get(in, s->list.data, n * sizeof *s->list.data);
    s->list.len = n;
    for (uint64_t i = 1; i < n; i++) in->is_bad |= s->list.data[i].begin < s->list.data[i - 1].end;
}

/** Adds sorted intervals to sorted ones. */
static void add_sorted(struct intervals *to, const struct intervals *more)
{
    struct intervals all = {.gap = to->gap};
    vec_reserve(&all.list, to->list.len + more->list.len);
    size_t i = 0, k = 0;
    while (i < to->list.len || k < more->list.len) {
        const bool is_more =
            i == to->list.len ||
            (k < more->list.len && more->list.data[k].begin < to->list.data[i].begin);
        vec_push(&all.list, is_more ? more->list.data[k++] : to->list.data[i++]);
    }
    vec_free(&to->list);
    *to = all;
    bound(to);
}

bool race_uses_add(struct race_uses *u, struct ser_reader *in, unsigned *object)
{
    bool apart = true;
    in->is_bad |= ser_get_u64(in) != u->nroots;
    for (size_t r = 0; r < u->nroots && apart && !in->is_bad; r++) {
        struct intervals theirs[USES] = {0}, *const ours = u->roots[r].by;
        for (unsigned use = 0; use < USES; use++) get(&theirs[use], in);
        apart = !overlap(&theirs[WRITTEN], &ours[ACCESSED]) &&
                !overlap(&theirs[ACCESSED], &ours[WRITTEN]);
        *object = u->roots[r].object;
        for (unsigned use = 0; use < USES; use++) {
            if (!in->is_bad) add_sorted(&ours[use], &theirs[use]);
            vec_free(&theirs[use].list);
        }
    }
    return apart;
}

void race_launch_put(struct race_launch *l, struct str *out)
{
    struct race_pairs all = {.site_of = l->c.site_of, .group_items = l->c.group_items};
    groups_compare(l, &all);
    pairs_unite(l, &all);
    pairs_put(&all, out);
    pairs_deinit(&all);
}

void race_launch_take(struct race_launch *l, struct ser_reader *in)
{
    if (!l->theirs) {
        l->theirs = mem_alloc(sizeof *l->theirs);
        l->theirs->site_of = l->c.site_of;
        l->theirs->group_items = l->c.group_items;
    }
    pairs_get(l, l->theirs, in);
}

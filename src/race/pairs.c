// SPDX-License-Identifier: MIT
// The races found, one entry for each pair of source locations: the smallest example and the
// counts. The result does not depend on the order in which pairs come.
#include "race/shadow.h"

#include "base/mem.h"

#include <stdlib.h>

static bool by_order(const struct race_pair *p)
{
    return p->verdict == RACE_FENCE || p->verdict == RACE_RELAXED;
}

/**
 * Orders two examples of the same locations: the one of the smaller group, then of smaller
 * work-items, is shown.
 */
static int compare(const struct race_pair *a, const struct race_pair *b)
{
#define BY(x)                                                                                      \
    if (a->x != b->x) return a->x < b->x ? -1 : 1
    BY(first.group);
    BY(second.group);
    BY(first.item);
    BY(second.item);
    BY(offset);
    BY(size);
    BY(first.site);
    BY(second.site);
#undef BY
    return 0;
}

/** An access that a copy overtakes lacks a barrier; one that comes too early lacks the wait. */
static bool is_copy(const struct race_pairs *ps, const struct race_access *x)
{
    return x->item >= ps->group_items;
}

/**
 * The key of a pair. The order of the sides matters only if an order is reported or one side is a
 * copy.
 */
static void merge_key(const struct race_pairs *ps, const struct race_pair *p, uint64_t out[4])
{
    const uint32_t *of = ps->site_of;
    uint64_t a = (uint64_t)(of ? of[p->first.site] : p->first.site) << 2 | p->first.is_write << 1 |
                 p->first.is_atomic;
    uint64_t b = (uint64_t)(of ? of[p->second.site] : p->second.site) << 2 |
                 p->second.is_write << 1 | p->second.is_atomic;
    bool swap = !by_order(p) && !is_copy(ps, &p->first) && !is_copy(ps, &p->second) && b < a;
    out[0] = p->object;
    out[1] = swap ? b : a;
    out[2] = swap ? a : b;
    out[3] = p->verdict;
}

static void merge(struct race_found *f, const struct race_pair *p)
{
    const uint64_t count = f->pair.count + p->count;
    if (p->first.group != p->second.group && (!f->across.size || compare(p, &f->across) < 0))
        f->across = *p;
    if (!f->pair.size || compare(p, &f->pair) < 0) f->pair = *p;
    f->pair.count = count;
}

static void found_deinit(struct race_found *f)
{
    bits_deinit(&f->groups);
    bits_deinit(&f->places);
    bits_deinit(&f->bytes);
}

static void unite_sets(struct race_found *to, const struct race_found *from)
{
    bits_unite(&to->groups, &from->groups);
    bits_unite(&to->places, &from->places);
    bits_unite(&to->bytes, &from->bytes);
}

static bool same_kind(const struct race_pairs *ps, const struct race_access *a,
                      const struct race_access *b)
{
    return a->site == b->site && is_copy(ps, a) == is_copy(ps, b) && a->is_write == b->is_write &&
           a->is_atomic == b->is_atomic;
}

/** Adds p->count. */
static struct race_found *add(struct race_pairs *ps, const struct race_pair *p, bool *is_new)
{
    struct race_found *const last = ps->last < ps->list.len ? &ps->list.data[ps->last] : NULL;
    if (last && !last->given_up && last->pair.object == p->object &&
        last->pair.verdict == p->verdict && same_kind(ps, &last->pair.first, &p->first) &&
        same_kind(ps, &last->pair.second, &p->second)) {
        merge(last, p);
        *is_new = false;
        return last;
    }
    uint64_t key[4];
    merge_key(ps, p, key);
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15u ^ key[1] * 0xc2b2ae3d27d4eb4fu ^
                    (key[2] << 2 | key[3]) * 0xd6e8feb86659fd93u;
    for (;; hash++) { // linear probing
        uint64_t *at = map_put(&ps->index, hash, is_new);
        if (*is_new) {
            *at = ps->last = ps->list.len;
            struct race_found *f = vec_add(&ps->list);
            merge(f, p);
            return f;
        }
        struct race_found *f = &ps->list.data[*at];
        uint64_t other[4];
        merge_key(ps, &f->pair, other);
        if (memcmp(key, other, sizeof key)) continue;
        ps->last = *at;
        if (f->given_up) {
            found_deinit(f);
            *f = (struct race_found){0};
            *is_new = true;
        }
        merge(f, p);
        return f;
    }
}

enum { MANY_COUNTED = 1 << 16 };

/**
 * Counts the pair if it is the first at this location in this barrier interval of the group.
 */
static void count(const struct race_launch *l, struct race_pairs *ps, struct race_found *f,
                  const struct race_pair *p)
{
    const bool between = p->first.group != p->second.group;
    for (uint64_t k = 0; k < p->size; k++) bits_add(&f->bytes, p->offset + k);
    bits_add(&f->places, p->offset);
    if (between) return;
    const uint64_t group = p->second.group, interval = p->second.barriers;
    // Entries of ended groups are useless. Ordered launches alternate between groups, so there all
    // entries stay.
    if (group != ps->counted_group && ps->counted.len > MANY_COUNTED && !l->c.ordered)
        map_deinit(&ps->counted);
    ps->counted_group = group;
    const uint64_t key[] = {(uint64_t)(f - ps->list.data), group, p->offset};
    uint64_t *at = map_put(&ps->counted, hash_bytes(key, sizeof key, 0), NULL);
    if (*at == interval + 1) return;
    *at = interval + 1;
    f->pair.count++;
    bits_add(&f->groups, group);
}

void pairs_add(struct race_launch *l, struct race_pairs *ps, const struct race_pair *p)
{
    bool is_new;
    struct race_pair one = *p;
    one.count = 0;
    ps->added++;
    struct race_found *f = add(ps, &one, &is_new);
    count(l, ps, f, p);
    if ((is_new || l->c.unmerged) && l->c.seen) l->c.seen(l->c.ctx, p);
}

static int by_key(const void *pa, const void *pb, void *ps)
{
    const struct race_pair *a = &((const struct race_found *)pa)->pair,
                           *b = &((const struct race_found *)pb)->pair;
    uint64_t x[4], y[4];
    merge_key(ps, a, x);
    merge_key(ps, b, y);
    for (unsigned i = 0; i < 4; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static uint64_t store_key(const struct race_pairs *ps, const struct race_pair *p,
                          const struct race_access *x)
{
    return (uint64_t)p->object << 32 | (ps->site_of ? ps->site_of[x->site] : x->site);
}

/**
 * A key of the statement that both sides belong to, and the object; 0: they belong to different
 * statements.
 */
static uint64_t one_statement(const struct race_launch *l, const struct race_pair *p)
{
    const uint32_t *of = l->c.statement_of;
    return of && of[p->first.site] == of[p->second.site]
               ? (uint64_t)p->object << 32 | (of[p->first.site] + 1)
               : 0;
}

/** The number + 1 of the statement if it reads and writes, like n++; otherwise 0. */
static uint64_t statement_of(const struct race_launch *l, const struct race_pair *p)
{
    return p->verdict != RACE_DATA || p->first.is_atomic || p->second.is_atomic
               ? 0
               : one_statement(l, p);
}

static void remove_all(struct bits *from, const struct bits *what)
{
    for (size_t i = 0; i < what->words.len; i++) {
        const uint64_t *at = map_get(&from->index, what->words.data[i].at);
        uint64_t *word = at ? &from->words.data[*at].in : NULL;
        if (!word) continue;
        from->n -= (unsigned)__builtin_popcountll(*word & what->words.data[i].in);
        *word &= ~what->words.data[i].in;
    }
}

/**
 * Leaves out bytes that one statement updates, like n++. It reads them before it writes them in any
 * order, so the race is not the reason why they had no value.
 */
static void leave_out_updates(const struct race_launch *l, struct race_pairs *ps)
{
    struct map reads = {0}; // statement → index of the pair of its read and write
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        if (p->first.is_write != p->second.is_write && one_statement(l, p))
            *map_put(&reads, one_statement(l, p), NULL) = k;
    }
    for (size_t k = 0; reads.len && k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        const uint64_t *at = p->first.is_write && p->second.is_write && one_statement(l, p)
                                 ? map_get(&reads, one_statement(l, p))
                                 : NULL;
        if (at) remove_all(&ps->list.data[*at].bytes, &ps->list.data[k].bytes);
    }
    map_deinit(&reads);
}

/**
 * A pair that races between groups is reported as such. Its number is that of its locations, which
 * does not depend on how many groups share a gang (of the readers of a cell, a gang keeps two).
 */
static void count_across(struct race_found *f)
{
    if (!f->across.size) return;
    const bool within = f->groups.n;
    f->pair = f->across;
    f->pair.within = within;
    f->pair.count = f->pair.between = f->places.n;
    bits_clear(&f->groups);
}

/** If a statement's write races with its read and with its write, the first pair reports both. */
static void join_statements(const struct race_launch *l, struct race_pairs *ps)
{
    struct map reads = {0}; // statement → index of the pair of its read and write
    if (!l->c.statement_of) return;
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        bool is_new;
        if (!statement_of(l, p) || p->first.is_write == p->second.is_write) continue;
        uint64_t *at = map_put(&reads, statement_of(l, p), &is_new);
        if (is_new) *at = k;
    }
    size_t n = 0;
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        const uint64_t *at = statement_of(l, p) && p->first.is_write && p->second.is_write
                                 ? map_get(&reads, statement_of(l, p))
                                 : NULL;
        if (!at) continue;
        struct race_pair *to = &ps->list.data[*at].pair;
        to->is_statement = true;
        const uint64_t within = to->count - to->between, its_within = p->count - p->between;
        if (p->between > to->between) to->between = p->between;
        to->count = (its_within > within ? its_within : within) +
                    to->between; // of the same locations
        to->within |= p->within;
        bits_unite(&ps->list.data[*at].groups, &ps->list.data[k].groups);
        ps->list.data[k].pair.count = 0; // it is reported with that pair
    }
    for (size_t k = 0; k < ps->list.len; k++) {
        if (ps->list.data[k].pair.count) ps->list.data[n++] = ps->list.data[k];
        else found_deinit(&ps->list.data[k]);
    }
    ps->list.len = n;
    map_deinit(&reads);
}

static void unite(struct race_pairs *to, const struct race_pairs *from)
{
    for (size_t k = 0; k < from->list.len; k++) {
        bool is_new;
        const struct race_found *const own = &from->list.data[k];
        struct race_found *f = add(to, &own->pair, &is_new);
        if (own->across.size) merge(f, &own->across);
        unite_sets(f, own);
    }
}

void pairs_unite(struct race_launch *l, struct race_pairs *ps)
{
    for (unsigned i = 0; i < l->c.workers; i++)
        if (l->workers[i]) unite(ps, &l->workers[i]->pairs);
    if (l->theirs) unite(ps, l->theirs);
}

static void put_pair(const struct race_pair *p, struct str *out)
{
    struct race_pair plain = *p;
    plain.in = plain.bytes = NULL;
    ser_put(out, &plain, sizeof plain);
}

void pairs_put(const struct race_pairs *ps, struct str *out)
{
    ser_put_u64(out, ps->list.len);
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_found *const f = &ps->list.data[k];
        put_pair(&f->pair, out);
        put_pair(&f->across, out);
        ser_put_bits(out, &f->groups);
        ser_put_bits(out, &f->places);
        ser_put_bits(out, &f->bytes);
    }
}

/** Are the numbers in it those of the launch? */
static bool is_valid(const struct race_launch *l, const struct race_pair *p)
{
    return p->verdict <= RACE_RELAXED && p->object < l->c.nobjects && p->first.site < l->c.nsites &&
           p->second.site < l->c.nsites;
}

void pairs_get(const struct race_launch *l, struct race_pairs *ps, struct ser_reader *in)
{
    for (uint64_t n = ser_get_count(in, sizeof(struct race_pair)); n; n--) {
        struct race_pair p, across;
        bool is_new;
        ser_get(in, &p, sizeof p);
        ser_get(in, &across, sizeof across);
        in->is_bad |= !is_valid(l, &p) || !is_valid(l, &across);
        if (in->is_bad) return;
        struct race_found *f = add(ps, &p, &is_new);
        if (across.size) merge(f, &across);
        ser_get_bits(in, &f->groups);
        ser_get_bits(in, &f->places);
        ser_get_bits(in, &f->bytes);
    }
}

void pairs_report(struct race_launch *l, struct race_pairs *ps)
{
    pairs_unite(l, ps);
    for (size_t k = 0; k < ps->list.len; k++) count_across(&ps->list.data[k]);
    if (ps->list.len) qsort_r(ps->list.data, ps->list.len, sizeof *ps->list.data, by_key, ps);
    struct map racing = {0};
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        if (p->verdict >= RACE_SAME_VALUE) continue;
        if (p->first.is_write) map_put(&racing, store_key(ps, p, &p->first), NULL);
        if (p->second.is_write) map_put(&racing, store_key(ps, p, &p->second), NULL);
    }
    leave_out_updates(l, ps);
    join_statements(l, ps);
    bool relaxed = false;
    for (size_t k = 0; k < ps->list.len && l->c.found; k++) {
        struct race_pair *p = &ps->list.data[k].pair;
        p->in = &ps->list.data[k].groups;
        p->groups = p->in->n;
        p->bytes = p->first.is_write == p->second.is_write ? NULL : &ps->list.data[k].bytes;
        if (p->verdict == RACE_RELAXED && relaxed) continue;
        relaxed |= p->verdict == RACE_RELAXED;
        // Leave out stores of the same value that are also in a pair of another verdict.
        if (p->verdict == RACE_SAME_VALUE && map_get(&racing, store_key(ps, p, &p->first)) &&
            (!p->second.is_write || map_get(&racing, store_key(ps, p, &p->second))))
            continue;
        l->c.found(l->c.ctx, p);
    }
    map_deinit(&racing);
}

// ---- going back to an earlier state
struct race_mark {
    struct race_pairs pairs; // a copy, without an index
};

static void copy_list(struct race_pairs *to, const struct race_pairs *from)
{
    for (size_t i = 0; i < from->list.len; i++) {
        struct race_found *f = vec_add(&to->list);
        *f = from->list.data[i];
        f->groups = f->places = f->bytes = (struct bits){0};
        unite_sets(f, &from->list.data[i]);
    }
}

struct race_mark *race_mark(const struct race_worker *w)
{
    struct race_mark *m = mem_alloc(sizeof *m);
    copy_list(&m->pairs, &w->pairs);
    map_copy(&m->pairs.counted, &w->pairs.counted);
    m->pairs.added = w->pairs.added;
    return m;
}

void race_mark_destroy(struct race_mark *m)
{
    if (!m) return;
    pairs_deinit(&m->pairs);
    free(m);
}

bool race_found_since(const struct race_worker *w, const struct race_mark *m)
{
    return w->pairs.added != m->pairs.added;
}

void race_go_back(struct race_worker *w, struct race_mark *m)
{
    for (size_t i = 0; i < w->pairs.list.len; i++) {
        struct race_found *f = &w->pairs.list.data[i];
        const bool is_new = i >= m->pairs.list.len;
        found_deinit(f);
        if (!is_new) *f = m->pairs.list.data[i];
        else f->given_up = true;
    }
    m->pairs.list.len = 0; // moved to the worker
    map_deinit(&w->pairs.counted);
    w->pairs.counted = m->pairs.counted;
    m->pairs.counted = (struct map){0};
    w->pairs.added = m->pairs.added;
    race_mark_destroy(m);
    interval_given_up(w);
}

void pairs_deinit(struct race_pairs *ps)
{
    map_deinit(&ps->index);
    map_deinit(&ps->counted);
    for (size_t i = 0; i < ps->list.len; i++) found_deinit(&ps->list.data[i]);
    vec_free(&ps->list);
}

// SPDX-License-Identifier: MIT
// The races found, one entry for each pair of source locations: the smallest example and where it
// was seen. The result does not depend on the order in which pairs come.
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
void pairs_key(const struct race_pairs *ps, const struct race_pair *p, uint64_t out[4])
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
    if (p->first.group != p->second.group && (!f->across.size || compare(p, &f->across) < 0))
        f->across = *p;
    if (!f->pair.size || compare(p, &f->pair) < 0) f->pair = *p;
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
    pairs_key(ps, p, key);
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
        pairs_key(ps, &f->pair, other);
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

/** The set of which `rest` and this pair, with a larger number than those of `rest`, are members.
 */
static uint32_t set_of(struct race_pairs *ps, uint32_t rest, uint32_t pair)
{
    bool is_new;
    if (!ps->sets.len) vec_add(&ps->sets); // the empty set
    uint64_t *at = map_put(&ps->set_index, (uint64_t)rest << 32 | pair, &is_new);
    if (is_new) {
        *at = ps->sets.len;
        vec_push(&ps->sets, (struct race_set){
                                .rest = rest, .pair = pair, .size = ps->sets.data[rest].size + 1});
    }
    return (uint32_t)*at;
}

static uint32_t with_pair(struct race_pairs *ps, uint32_t set, uint32_t pair)
{
    if (set && ps->sets.data[set].size == RACE_MOST_TOGETHER) return set;
    const uint32_t greatest = set ? ps->sets.data[set].pair : 0;
    if (!set || greatest < pair) return set_of(ps, set, pair);
    if (greatest == pair) return set;
    const uint32_t rest = ps->sets.data[set].rest, more = with_pair(ps, rest, pair);
    return more == rest ? set : set_of(ps, more, greatest);
}

bool pairs_share_cause(const struct race_pairs *ps, const struct race_pair *p)
{
    return p->verdict != RACE_RELAXED && !is_copy(ps, &p->first) && !is_copy(ps, &p->second);
}

uint64_t pairs_cause_key(const struct race_pair *p)
{
    const bool is_error = p->verdict != RACE_FENCE || p->first.is_write;
    return (uint64_t)p->object << 3 | (uint64_t)p->verdict << 1 | is_error;
}

enum { MANY_COUNTED = 1 << 16 };

/**
 * Counts the pair at its location in this barrier interval of the group. A location where several
 * pairs race counts once for all of them, because which of them are seen depends on the order.
 */
static void count(const struct race_launch *l, struct race_pairs *ps, struct race_found *f,
                  const struct race_pair *p)
{
    const bool between = p->first.group != p->second.group;
    for (uint64_t k = 0; k < p->size; k++) bits_add(&f->bytes, p->offset + k);
    bits_add(&f->places, p->offset);
    if (between) return;
    const uint32_t number = (uint32_t)(f - ps->list.data);
    const uint64_t group = p->second.group, interval = (p->second.barriers + 1) & UINT32_MAX,
                   together = group / (l->c.at_once ? l->c.at_once : 1);
    // Entries of ended groups are useless. Ordered launches alternate between groups, so there all
    // entries stay.
    if (together != ps->counted_groups && ps->counted.len > MANY_COUNTED && !l->c.ordered)
        map_deinit(&ps->counted);
    ps->counted_groups = together;
    const uint64_t key[] = {pairs_share_cause(ps, p) ? pairs_cause_key(p)
                                                     : (uint64_t)number << 32 | UINT32_MAX,
                            group, p->offset};
    uint64_t *at = map_put(&ps->counted, hash_bytes(key, sizeof key, 0), NULL);
    const uint32_t before = *at >> 32 == interval ? (uint32_t)*at : 0,
                   set = with_pair(ps, before, number);
    if (set == before) return;
    *at = interval << 32 | set;
    if (before) ps->sets.data[before].count--;
    ps->sets.data[set].count++;
    bits_add(&f->groups, group);
}

/** Bytes of several objects are those of the first one. */
static void name_object(const struct race_launch *l, struct race_pair *p)
{
    const struct race_watch *w = &l->watch[p->object];
    if (w->is_local || !w->index1 || !l->roots.data[w->index1 - 1].is_shared) return;
    const uint64_t at = w->offset + p->offset;
    for (unsigned i = 0; i < l->c.nobjects; i++) {
        const struct race_watch *x = &l->watch[i];
        if (x->index1 != w->index1 || at - x->offset >= x->size) continue;
        p->object = i;
        p->offset = at - x->offset;
        return;
    }
}

void pairs_add(struct race_launch *l, struct race_pairs *ps, const struct race_pair *seen)
{
    bool is_new;
    struct race_pair p = *seen;
    name_object(l, &p);
    ps->added++;
    struct race_found *f = add(ps, &p, &is_new);
    count(l, ps, f, &p);
    if ((is_new || l->c.unmerged) && l->c.seen) l->c.seen(l->c.ctx, &p);
}

/** Adds counts of sets whose pairs have the numbers `of` in `to`. */
static void add_counts(struct race_pairs *to, const struct race_set *sets, size_t n,
                       const uint32_t *of)
{
    uint32_t *own = mem_alloc((n ? n : 1) * sizeof *own); // 0: the empty set
    for (size_t i = 1; i < n; i++) {
        own[i] = with_pair(to, own[sets[i].rest], of[sets[i].pair]);
        to->sets.data[own[i]].count += sets[i].count;
    }
    free(own);
}

static void unite(struct race_pairs *to, const struct race_pairs *from)
{
    uint32_t *of = mem_alloc((from->list.len + 1) * sizeof *of);
    for (size_t k = 0; k < from->list.len; k++) {
        bool is_new;
        const struct race_found *const own = &from->list.data[k];
        struct race_found *f = add(to, &own->pair, &is_new);
        if (own->across.size) merge(f, &own->across);
        unite_sets(f, own);
        of[k] = (uint32_t)(f - to->list.data);
    }
    add_counts(to, from->sets.data, from->sets.len, of);
    free(of);
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
    ser_put_u64(out, ps->sets.len);
    ser_put(out, ps->sets.data, ps->sets.len * sizeof *ps->sets.data);
}

/** Are the numbers in it those of the launch? */
static bool is_valid(const struct race_launch *l, const struct race_pair *p)
{
    return p->verdict <= RACE_RELAXED && p->object < l->c.nobjects && p->first.site < l->c.nsites &&
           p->second.site < l->c.nsites;
}

static void get_counts(struct race_pairs *ps, struct ser_reader *in, const uint32_t *of,
                       size_t npairs)
{
    const size_t n = ser_get_count(in, sizeof(struct race_set));
    struct race_set *sets = mem_alloc((n ? n : 1) * sizeof *sets);
    ser_get(in, sets, n * sizeof *sets);
    for (size_t i = 1; i < n; i++) in->is_bad |= sets[i].rest >= i || sets[i].pair >= npairs;
    if (!in->is_bad) add_counts(ps, sets, n, of);
    free(sets);
}

void pairs_get(const struct race_launch *l, struct race_pairs *ps, struct ser_reader *in)
{
    const size_t n = ser_get_count(in, sizeof(struct race_pair));
    uint32_t *of = mem_alloc((n ? n : 1) * sizeof *of);
    for (size_t k = 0; k < n && !in->is_bad; k++) {
        struct race_pair p, across;
        bool is_new;
        ser_get(in, &p, sizeof p);
        ser_get(in, &across, sizeof across);
        in->is_bad |= !is_valid(l, &p) || !is_valid(l, &across);
        if (in->is_bad) break;
        struct race_found *f = add(ps, &p, &is_new);
        if (across.size) merge(f, &across);
        ser_get_bits(in, &f->groups);
        ser_get_bits(in, &f->places);
        ser_get_bits(in, &f->bytes);
        of[k] = (uint32_t)(f - ps->list.data);
    }
    if (!in->is_bad) get_counts(ps, in, of, n);
    free(of);
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
    for (size_t i = 0; i < w->pairs.sets.len; i++) vec_push(&m->pairs.sets, w->pairs.sets.data[i]);
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
    for (size_t i = 0; i < w->pairs.sets.len; i++)
        w->pairs.sets.data[i].count = i < m->pairs.sets.len ? m->pairs.sets.data[i].count : 0;
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
    map_deinit(&ps->set_index);
    vec_free(&ps->sets);
    for (size_t i = 0; i < ps->list.len; i++) found_deinit(&ps->list.data[i]);
    vec_free(&ps->list);
}

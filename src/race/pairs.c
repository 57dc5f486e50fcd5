// SPDX-License-Identifier: MIT
// The races found, one entry for each pair of places: the smallest example and the counts. What is kept
// does not depend on the order in which pairs come.
#include "race/shadow.h"

static bool by_order(const struct race_pair *p) { return p->verdict == RACE_FENCE || p->verdict == RACE_RELAXED; }

/** Which of two examples of the same places is shown: the one of the smaller group, then work-items. */
static int compare(const struct race_pair *a, const struct race_pair *b)
{
    uint64_t x[] = {a->first.group, a->second.group, a->first.item, a->second.item, a->offset, a->size,
                    a->first.site};
    uint64_t y[] = {b->first.group, b->second.group, b->first.item, b->second.item, b->offset, b->size,
                    b->first.site};
    for (unsigned i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/** Only where an order is told does it matter which side came first. */
static void places(const struct race_pair *p, uint64_t out[4])
{
    uint64_t a = (uint64_t)p->first.site << 2 | p->first.is_write << 1 | p->first.is_atomic;
    uint64_t b = (uint64_t)p->second.site << 2 | p->second.is_write << 1 | p->second.is_atomic;
    bool swap = !by_order(p) && b < a;
    out[0] = p->object;
    out[1] = swap ? b : a;
    out[2] = swap ? a : b;
    out[3] = p->verdict;
}

/** Adds p->count pairs seen in p->groups groups. */
static struct race_found *add(struct race_pairs *ps, const struct race_pair *p, bool *is_new)
{
    uint64_t key[4];
    places(p, key);
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15u ^ key[1] * 0xc2b2ae3d27d4eb4fu ^
                    (key[2] << 2 | key[3]) * 0xd6e8feb86659fd93u;
    for (;; hash++) { // keys that share a hash stand behind one another
        uint64_t *at = map_put(&ps->index, hash, is_new);
        if (*is_new) {
            *at = ps->list.len;
            struct race_found *f = vec_add(&ps->list);
            f->pair = *p;
            return f;
        }
        struct race_found *f = &ps->list.data[*at];
        uint64_t other[4];
        places(&f->pair, other);
        if (memcmp(key, other, sizeof key)) continue;
        uint64_t count = f->pair.count + p->count, groups = f->pair.groups + p->groups;
        if (compare(p, &f->pair) < 0) f->pair = *p;
        f->pair.count = count;
        f->pair.groups = groups;
        return f;
    }
}

void pairs_add(struct race_launch *l, struct race_pairs *ps, const struct race_pair *p)
{
    bool is_new;
    struct race_found *f = add(ps, p, &is_new);
    const uint64_t part = p->second.group / RACE_MAX_AT_ONCE, k = p->second.group % RACE_MAX_AT_ONCE;
    __typeof__(*f->seen) *s = &f->seen[part % 2]; // groups that run at once lie in two parts at most
    if (s->part1 != part + 1) memset(s->in, 0, sizeof s->in);
    s->part1 = part + 1;
    if (s->in[k / 64] >> k % 64 & 1) f->pair.groups -= p->groups; // seen in this group before
    s->in[k / 64] |= 1ull << k % 64;
    if ((is_new || l->c.unmerged) && l->c.seen) l->c.seen(l->c.ctx, p);
}

static int by_place(const void *pa, const void *pb)
{
    const struct race_pair *a = &((const struct race_found *)pa)->pair, *b = &((const struct race_found *)pb)->pair;
    uint64_t x[4], y[4];
    places(a, x);
    places(b, y);
    for (unsigned i = 0; i < 4; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static uint64_t store_key(const struct race_pair *p, const struct race_access *x)
{
    return (uint64_t)p->object << 32 | x->site;
}

void pairs_tell(struct race_launch *l, struct race_pairs *ps)
{
    for (unsigned i = 0; i < l->c.workers; i++) {
        struct race_worker *w = l->workers[i];
        for (size_t k = 0; w && k < w->pairs.list.len; k++) {
            bool is_new;
            add(ps, &w->pairs.list.data[k].pair, &is_new);
        }
    }
    if (ps->list.len) qsort(ps->list.data, ps->list.len, sizeof *ps->list.data, by_place);
    struct map racing = {0};
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        if (p->verdict >= RACE_SAME_VALUE) continue;
        if (p->first.is_write) map_put(&racing, store_key(p, &p->first), NULL);
        if (p->second.is_write) map_put(&racing, store_key(p, &p->second), NULL);
    }
    bool relaxed = false;
    for (size_t k = 0; k < ps->list.len && l->c.found; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        if (p->verdict == RACE_RELAXED && relaxed) continue;
        relaxed |= p->verdict == RACE_RELAXED;
        // Stores that are told as racing for real: that some of them agreed is no news.
        if (p->verdict == RACE_SAME_VALUE && map_get(&racing, store_key(p, &p->first)) &&
            (!p->second.is_write || map_get(&racing, store_key(p, &p->second))))
            continue;
        l->c.found(l->c.ctx, p);
    }
    map_deinit(&racing);
}

void pairs_deinit(struct race_pairs *ps)
{
    map_deinit(&ps->index);
    vec_free(&ps->list);
}

// SPDX-License-Identifier: MIT
// The races of a launch at its end, with their numbers, which are those of their causes.
#include "race/shadow.h"

#include "base/mem.h"

#include <stdlib.h>

static int by_key(const void *pa, const void *pb, void *ps)
{
    const struct race_pair *a = &((const struct race_found *)pa)->pair,
                           *b = &((const struct race_found *)pb)->pair;
    uint64_t x[4], y[4];
    pairs_key(ps, a, x);
    pairs_key(ps, b, y);
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
 * A pair that races between groups is reported as such. It counts by location, which does not
 * depend on how many groups share a gang (of the readers of a cell, a gang keeps two).
 */
static void show_across(struct race_found *f)
{
    if (!f->across.size) return;
    f->pair = f->across;
    f->pair.within = f->groups.n;
}

/**
 * What lacks one barrier: pairs of one object, verdict and severity, after the same barrier or
 * between groups. Other pairs are alone.
 */
struct cause {
    uint64_t count;      // within groups
    struct bits groups;  // within which
    struct bits between; // first bytes of locations of races between groups
    uint32_t set;        // the last one counted
};
struct causes {
    VEC(struct cause) list;
    uint32_t *of; // by pair as found, if it is reported within groups; UINT32_MAX: not
};

static void find_causes(struct race_pairs *ps, struct causes *out)
{
    struct map known = {0};
    for (size_t k = 0; k < ps->list.len; k++) {
        struct race_found *const f = &ps->list.data[k];
        const uint64_t after = f->across.size ? UINT64_MAX : f->pair.barrier;
        bool is_new = true;
        if (pairs_share_cause(ps, &f->pair)) {
            const uint64_t key[] = {pairs_cause_key(&f->pair), after};
            uint64_t *at = map_put(&known, hash_bytes(key, sizeof key, 0), &is_new);
            if (is_new) *at = out->list.len;
            f->cause = (uint32_t)*at;
        } else f->cause = (uint32_t)out->list.len;
        if (is_new) vec_add(&out->list);
    }
    map_deinit(&known);
}

static void count_causes(struct race_pairs *ps, struct causes *out)
{
    out->of = mem_alloc((ps->list.len + 1) * sizeof *out->of);
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_found *const f = &ps->list.data[k];
        struct cause *const c = &out->list.data[f->cause];
        out->of[f->number] = f->across.size ? UINT32_MAX : f->cause;
        if (f->across.size) bits_unite(&c->between, &f->places);
        else bits_unite(&c->groups, &f->groups);
    }
    for (uint32_t i = 1; i < ps->sets.len; i++) {
        const uint64_t n = ps->sets.data[i].count;
        for (uint32_t s = n ? i : 0; s; s = ps->sets.data[s].rest) {
            const uint32_t of = out->of[ps->sets.data[s].pair];
            struct cause *const c = of == UINT32_MAX ? NULL : &out->list.data[of];
            if (!c || c->set == i) continue;
            c->set = i;
            c->count += n;
        }
    }
}

static void causes_deinit(struct causes *c)
{
    for (size_t i = 0; i < c->list.len; i++) {
        bits_deinit(&c->list.data[i].groups);
        bits_deinit(&c->list.data[i].between);
    }
    vec_free(&c->list);
    free(c->of);
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
    for (size_t k = 0; k < ps->list.len; k++) {
        struct race_found *const f = &ps->list.data[k];
        const uint64_t *at = statement_of(l, &f->pair) && f->pair.first.is_write &&
                                     f->pair.second.is_write
                                 ? map_get(&reads, statement_of(l, &f->pair))
                                 : NULL;
        if (!at) continue;
        struct race_found *const to = &ps->list.data[*at];
        to->pair.is_statement = true;
        to->pair.within |= f->pair.within;
        f->cause = to->cause;
        f->is_joined = true;
    }
    map_deinit(&reads);
}

static void report(struct race_launch *l, struct race_pairs *ps, const struct causes *causes)
{
    struct map racing = {0};
    for (size_t k = 0; k < ps->list.len; k++) {
        const struct race_pair *p = &ps->list.data[k].pair;
        if (p->verdict >= RACE_SAME_VALUE) continue;
        if (p->first.is_write) map_put(&racing, store_key(ps, p, &p->first), NULL);
        if (p->second.is_write) map_put(&racing, store_key(ps, p, &p->second), NULL);
    }
    bool relaxed = false;
    for (size_t k = 0; k < ps->list.len; k++) {
        struct race_found *const f = &ps->list.data[k];
        struct race_pair *p = &f->pair;
        const struct cause *const c = &causes->list.data[f->cause];
        if (f->is_joined || (p->verdict == RACE_RELAXED && relaxed)) continue;
        p->in = &c->groups;
        p->groups = c->groups.n;
        p->between = c->between.n;
        p->count = c->count + p->between;
        p->bytes = p->first.is_write == p->second.is_write ? NULL : &f->bytes;
        relaxed |= p->verdict == RACE_RELAXED;
        // Leave out stores of the same value that are also in a pair of another verdict.
        if (p->verdict == RACE_SAME_VALUE && map_get(&racing, store_key(ps, p, &p->first)) &&
            (!p->second.is_write || map_get(&racing, store_key(ps, p, &p->second))))
            continue;
        l->c.found(l->c.ctx, p);
    }
    map_deinit(&racing);
}

void pairs_report(struct race_launch *l, struct race_pairs *ps)
{
    struct causes causes = {0};
    pairs_unite(l, ps);
    if (!ps->list.len || !l->c.found) return;
    for (size_t k = 0; k < ps->list.len; k++) {
        ps->list.data[k].number = (uint32_t)k;
        show_across(&ps->list.data[k]);
    }
    qsort_r(ps->list.data, ps->list.len, sizeof *ps->list.data, by_key, ps);
    find_causes(ps, &causes);
    leave_out_updates(l, ps);
    join_statements(l, ps);
    count_causes(ps, &causes);
    report(l, ps, &causes);
    causes_deinit(&causes);
}

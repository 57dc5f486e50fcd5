// SPDX-License-Identifier: MIT
// What groups do to one another in global memory. Nothing but atomics orders two groups, so two accesses
// by different groups race whatever their times; it is enough to know for each cell and kind of access
// the two least accesses of different groups, and that is the same in whatever order groups ran and
// however they were spread over workers. When a group comes to a cell that another group used, the
// stamps there are retired into such a summary; the summaries are compared when the launch ends.
#include "race/shadow.h"

void groups_begin(struct race_worker *w, uint64_t group)
{
    w->group = group;
    uint64_t epoch = w->global.epoch;
    struct race_run *r = w->runs.len ? &vec_last(&w->runs) : NULL;
    if (r && r->n == 1 && group == r->group + 1) r->stride = epoch - r->epoch;
    if (r && group == r->group + r->n && epoch == r->epoch + r->n * r->stride)
        r->n++;
    else
        vec_push(&w->runs, (struct race_run){.epoch = epoch, .stride = 1, .group = group, .n = 1});
}

static uint64_t group_at(const struct race_worker *w, uint64_t epoch)
{
    size_t lo = 0, hi = w->runs.len; // the run is in [lo, hi)
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (w->runs.data[mid].epoch <= epoch)
            lo = mid;
        else
            hi = mid;
    }
    const struct race_run *r = &w->runs.data[lo];
    uint64_t k = (epoch - r->epoch) / r->stride;
    return r->group + (k < r->n ? k : r->n - 1);
}

static bool less(const struct race_who *a, const struct race_who *b)
{
    if (a->group1 != b->group1) return a->group1 < b->group1;
    return a->site != b->site ? a->site < b->site : a->item < b->item;
}

/** two[0] is the least of all that were put in, two[1] the least of those of another group than two[0]'s. */
static void put(struct race_who two[2], const struct race_who *x)
{
    if (!x->group1) return;
    if (!two[0].group1) {
        two[0] = *x;
    } else if (x->group1 == two[0].group1) {
        if (less(x, &two[0])) two[0] = *x;
    } else if (less(x, &two[0])) {
        two[1] = two[0];
        two[0] = *x;
    } else if (!two[1].group1 || less(x, &two[1])) {
        two[1] = *x;
    }
}

static void put_value(struct race_sum *s, uint64_t value, bool mixed)
{
    s->mixed |= mixed || (s->has_value && s->value != value);
    if (!s->has_value) s->value = value;
    s->has_value = true;
}

static uint64_t value_at(const struct race_shadow *s, uint64_t cell)
{
    uint64_t v = 0;
    memcpy(&v, s->values + (cell << s->granule_shift), 1u << s->granule_shift);
    return v;
}

static void put_stamp(struct race_sum *sum, const struct race_worker *w, const struct race_shadow *s, uint64_t cell, int p,
                      uint64_t x)
{
    const struct stamp_form *f = &w->launch->f;
    const uint64_t site_mask = (1ull << (f->epoch_shift - f->site_shift)) - 1, group = group_at(w, x >> f->epoch_shift);
    const uint32_t item = x & f->item_mask;
    struct race_who who = {race_group_of(w->launch, group, item) + 1, x >> f->site_shift & site_mask, race_item_of(w->launch, item)};
    put(p == P_W ? sum->w : p <= P_R2 ? sum->r : p <= P_AW2 ? sum->aw : sum->al, &who);
    if (p == P_W) put_value(sum, value_at(s, cell), x & f->ma);
}

/** Adds the stamps that stand in the cell and lie in [from, to). */
static void put_cell(struct race_sum *sum, const struct race_worker *w, const struct race_shadow *s, uint64_t cell,
                     uint64_t from, uint64_t to, bool clear)
{
    for (int p = 0; p < P_COUNT; p++) {
        uint64_t x = s->plane[p] ? shadow_get(s, p, cell) : 0;
        if (x < from || x >= to) continue;
        put_stamp(sum, w, s, cell, p, x);
        if (clear) shadow_set((struct race_shadow *)s, p, cell, 0);
    }
}

static struct race_sum *sum_of(struct race_shadow *s, uint64_t cell)
{
    struct race_sum **sums = &s->sums[cell >> CHUNK_SHIFT];
    if (!*sums) *sums = mem_alloc(CHUNK * sizeof **sums);
    s->has_sums = true;
    return &(*sums)[cell & (CHUNK - 1)];
}

void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n)
{
    for (uint64_t end = cell + n; cell < end; cell++) {
        bool foreign = false;
        for (int p = 0; p < P_COUNT; p++) {
            uint64_t x = s->plane[p] ? shadow_get(s, p, cell) : 0;
            foreign |= x >= w->global.past && x < w->global.live;
        }
        if (foreign) put_cell(sum_of(s, cell), w, s, cell, w->global.past, w->global.live, true);
    }
}

void groups_retire_others(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n, uint32_t item)
{
    const uint32_t items = w->launch->c.group_items, own = item / items;
    for (uint64_t end = cell + n; cell < end; cell++)
        for (int p = 0; p < P_COUNT; p++) {
            const uint64_t x = s->plane[p] ? shadow_get(s, p, cell) : 0;
            if (x < w->global.live || (x & w->launch->f.item_mask) / items == own) continue;
            put_stamp(sum_of(s, cell), w, s, cell, p, x);
            shadow_set(s, p, cell, 0);
        }
}

static void merge_sum(struct race_sum *to, const struct race_sum *x)
{
    for (int i = 0; i < 2; i++) {
        put(to->w, &x->w[i]);
        put(to->r, &x->r[i]);
        put(to->aw, &x->aw[i]);
        put(to->al, &x->al[i]);
    }
    if (x->has_value) put_value(to, x->value, x->mixed);
}

/** The pairs of a cell, collected so that neighbouring cells with the same become one. */
struct found_run {
    struct race_launch *launch;
    struct race_pairs *out;
    struct race_pair open[16], next[16];
    unsigned nopen, nnext;
};

static void flush(struct found_run *r)
{
    for (unsigned i = 0; i < r->nopen; i++) pairs_add(r->launch, r->out, &r->open[i]);
    r->nopen = 0;
}

static bool same_access(const struct race_access *a, const struct race_access *b)
{
    return a->site == b->site && a->group == b->group && a->item == b->item && a->is_write == b->is_write &&
           a->is_atomic == b->is_atomic;
}

static void next_cell(struct found_run *r)
{
    bool grows = r->nnext == r->nopen && r->nnext;
    for (unsigned i = 0; grows && i < r->nnext; i++)
        grows = r->open[i].verdict == r->next[i].verdict && same_access(&r->open[i].first, &r->next[i].first) &&
                same_access(&r->open[i].second, &r->next[i].second) &&
                r->open[i].offset + r->open[i].size == r->next[i].offset && r->open[i].size + r->next[i].size <= 16;
    if (grows) {
        for (unsigned i = 0; i < r->nnext; i++) r->open[i].size += r->next[i].size;
    } else {
        flush(r);
        memcpy(r->open, r->next, sizeof r->open);
        r->nopen = r->nnext;
    }
    r->nnext = 0;
}

static struct race_access access_of(const struct race_who *x, bool is_write, bool is_atomic)
{
    return (struct race_access){.site = x->site, .group = x->group1 - 1, .item = x->item, .is_write = is_write,
                                .is_atomic = is_atomic};
}

static void pair_up(struct found_run *r, const struct race_shadow *s, uint64_t offset, struct race_pair p)
{
    if (p.first.group == p.second.group) return;
    if (p.second.group < p.first.group) {
        struct race_access a = p.first;
        p.first = p.second;
        p.second = a;
    }
    p.object = s->object;
    p.offset = offset - s->origin;
    p.size = 1u << s->granule_shift;
    p.count = p.groups = 1;
    r->next[r->nnext++] = p;
}

/**
 * If a cell is written and used by different groups, then one of these pairs has different groups: the
 * two least writers; or, all writes being of one group, that one and one of two readers (loaders) of
 * different groups.
 */
static void compare_cell(struct found_run *r, const struct race_shadow *s, uint64_t offset, const struct race_sum *c)
{
    enum race_verdict ww = c->mixed ? RACE_DATA : RACE_SAME_VALUE;
    if (c->w[0].group1 && c->w[1].group1)
        pair_up(r, s, offset, (struct race_pair){.verdict = ww, .first = access_of(&c->w[0], true, false),
                                                 .second = access_of(&c->w[1], true, false)});
    const struct {
        const struct race_who *plain;
        bool plain_writes;
        const struct race_who *other;
        bool other_writes, other_atomic;
    } kinds[] = {{c->w, true, c->r, false, false},
                 {c->w, true, c->aw, true, true},
                 {c->w, true, c->al, false, true},
                 {c->r, false, c->aw, true, true}};
    for (unsigned k = 0; k < 4; k++) {
        // The first pair of different groups is enough for these kinds.
        for (unsigned i = 0, done = 0; i < 4 && !done; i++) {
            const struct race_who *a = &kinds[k].plain[i / 2], *b = &kinds[k].other[i % 2];
            if (!a->group1 || !b->group1 || a->group1 == b->group1) continue;
            pair_up(r, s, offset, (struct race_pair){.verdict = RACE_DATA,
                                                     .first = access_of(a, kinds[k].plain_writes, false),
                                                     .second = access_of(b, kinds[k].other_writes,
                                                                         kinds[k].other_atomic)});
            done = 1;
        }
    }
}

/** Workers whose groups used the chunk; their shadows have one granule. */
struct party {
    struct race_worker *w;
    struct race_shadow *s;
};

static bool any_write_shared(const struct party *p, unsigned n, uint64_t chunk, uint8_t used[CHUNK])
{
    // Several workers, no summaries: cells of one worker only, or never written, need no closer look.
    uint8_t wrote[CHUNK] = {0}, any = 0;
    memset(used, 0, CHUNK);
    for (unsigned i = 0; i < n; i++) {
        if (p[i].s->sums[chunk]) {
            memset(used, 2, CHUNK);
            return true;
        }
        uint64_t past = p[i].w->global.past, at = chunk << CHUNK_SHIFT;
        unsigned cells = p[i].s->cells - at < CHUNK ? p[i].s->cells - at : CHUNK;
        for (int k = 0; k < P_COUNT; k++) {
            const uint64_t *x = p[i].s->plane[k] ? (const uint64_t *)p[i].s->plane[k] + at : NULL;
            bool writes = k == P_W || k == P_AW1 || k == P_AW2;
            for (unsigned c = 0; x && c < cells; c++) {
                used[c] |= x[c] >= past ? 1 << (i & 7) : 0;
                wrote[c] |= writes && x[c] >= past;
            }
        }
    }
    for (unsigned c = 0; c < CHUNK; c++) {
        used[c] = n > 8 ? wrote[c] : wrote[c] && (used[c] & (used[c] - 1));
        any |= used[c];
    }
    return any;
}

static void compare_chunk(struct found_run *r, const struct party *p, unsigned n, uint64_t chunk)
{
    uint8_t used[CHUNK];
    if (!any_write_shared(p, n, chunk, used)) return;
    for (unsigned k = 0; k < CHUNK; k++) {
        uint64_t cell = (chunk << CHUNK_SHIFT) + k;
        if (!used[k] || cell >= p->s->cells) continue;
        struct race_sum all = {0};
        for (unsigned i = 0; i < n; i++) {
            if (p[i].s->sums[chunk]) merge_sum(&all, &p[i].s->sums[chunk][k]);
            put_cell(&all, p[i].w, p[i].s, cell, p[i].w->global.past, UINT64_MAX, false);
        }
        compare_cell(r, p->s, cell << p->s->granule_shift, &all);
        next_cell(r);
    }
}

void groups_compare(struct race_launch *l, struct race_pairs *out)
{
    struct party *all = mem_array(NULL, l->c.workers, sizeof *all), *here = mem_array(NULL, l->c.workers, sizeof *here);
    struct found_run run = {.launch = l, .out = out};
    for (size_t root = 0; root < l->roots.len; root++) {
        unsigned n = 0, granule = 3;
        bool sums = false;
        for (unsigned i = 0; i < l->c.workers; i++) {
            struct race_worker *w = l->workers[i];
            if (!w || !w->globals[root].bytes) continue;
            all[n++] = (struct party){w, &w->globals[root]};
            sums |= w->globals[root].has_sums;
            if (w->globals[root].granule_shift < granule) granule = w->globals[root].granule_shift;
        }
        if (n < 2 && !sums) continue;
        bool fits = true;
        for (unsigned i = 0; i < n; i++)
            fits &= all[i].s->granule_shift == granule || shadow_refine(all[i].s, granule);
        if (!fits) {
            l->cut = true;
            continue;
        }
        for (uint64_t chunk = 0; chunk << CHUNK_SHIFT < all->s->cells; chunk++) {
            unsigned k = 0;
            for (unsigned i = 0; i < n; i++)
                if (all[i].s->touched[chunk]) here[k++] = all[i];
            if (k > 1 || (k == 1 && here->s->sums[chunk])) compare_chunk(&run, here, k, chunk);
        }
        next_cell(&run);
        flush(&run);
    }
    free(all);
    free(here);
}

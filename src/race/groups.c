// SPDX-License-Identifier: MIT
// What groups do to one another in global memory. Nothing but atomics orders two groups, so two accesses
// by different groups race whatever their times; it is enough to know for each cell and kind of access
// the two least accesses of different groups, and that is the same in whatever order groups ran and
// however they were spread over workers. When a group comes to a cell that another group used, the
// stamps there are retired into such a summary; the summaries are compared when the launch ends.
#include "race/shadow.h"

/** A group comes behind a later one: no class is full, and none will be. */
static void nothing_is_full(struct race_worker *w)
{
    w->descends = true;
    for (size_t i = 0; i < w->launch->roots.len; i++) {
        struct race_shadow *s = &w->globals[i];
        for (uint64_t cell = 0; s->flags && cell < s->cells; cell++) s->flags[cell] &= SUM_HAS_VALUE | SUM_MIXED;
    }
}

void groups_begin(struct race_worker *w, uint64_t group, uint64_t epoch)
{
    if (group < w->group && !w->descends) nothing_is_full(w);
    w->group = group;
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

/** How far up the group stands in a key. */
static unsigned group_shift(const struct stamp_form *f) { return f->epoch_shift - 3; }

/** two[0] is the least of all that were put in, two[1] the least of those of another group than two[0]'s. */
static void put(uint64_t two[2], uint64_t x, unsigned shift)
{
    if (!x) return;
    if (!two[0]) {
        two[0] = x;
    } else if (x >> shift == two[0] >> shift) {
        if (x < two[0]) two[0] = x;
    } else if (x < two[0]) {
        two[1] = two[0];
        two[0] = x;
    } else if (!two[1] || x < two[1]) {
        two[1] = x;
    }
}

static void put_value(uint64_t *at, uint8_t *flags, uint64_t value, bool mixed)
{
    if (mixed || (*flags & SUM_HAS_VALUE && *at != value)) *flags |= SUM_MIXED;
    if (!(*flags & SUM_HAS_VALUE)) *at = value;
    *flags |= SUM_HAS_VALUE;
}

static uint64_t value_at(const struct race_shadow *s, uint64_t cell)
{
    uint64_t v = 0;
    memcpy(&v, s->values + (cell << s->granule_shift), 1u << s->granule_shift);
    return v;
}

/** A stamp of a chunk with that state. */
static uint64_t key_of(const struct race_worker *w, uint32_t state, uint64_t x)
{
    const struct stamp_form *f = &w->launch->f;
    const uint64_t site_mask = (1ull << (f->epoch_shift - f->site_shift)) - 1, group = group_at(w, race_epoch_at(w, state, x >> f->epoch_shift));
    const uint32_t item = x & f->item_mask;
    const uint64_t group1 = race_group_of(w->launch, group, item) + 1, most = UINT64_MAX >> group_shift(f);
    return (group1 < most ? group1 : most) << group_shift(f) | (x >> f->site_shift & site_mask) << (f->site_shift - 3) |
           race_item_of(w->launch, item);
}

/** What is left behind in the cell becomes part of its sum; of a writer with the value it stored. */
static void leave(struct race_worker *w, struct race_shadow *s, uint64_t cell, int p, uint64_t x, uint64_t value)
{
    struct race_sums *sums = shadow_sums(s, cell);
    if (!sums) {
        w->cut = true;
        return;
    }
    const enum race_class c = race_class_of(p);
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(&w->launch->f);
    uint8_t *const flags = &s->flags[cell];
    if (!sums->two[c]) sums->two[c] = arena_array(&s->sums_arena, uint64_t, 2 * CHUNK);
    s->left |= (uint8_t)(1 << c);
    uint64_t *const two = &sums->two[c][2 * at];
    put(two, key_of(w, s->state[cell >> CHUNK_SHIFT], x), shift);
    if (c == C_W) {
        if (!sums->value) sums->value = arena_array(&s->sums_arena, uint64_t, CHUNK);
        put_value(&sums->value[at], flags, value, x & w->launch->f.ma);
    }
}

/** Notes which classes are full, after all that stood in the cell was put into its sum. */
static void note_full(const struct race_worker *w, struct race_shadow *s, uint64_t cell)
{
    const struct race_sums *sums = s->sums[cell >> CHUNK_SHIFT];
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(&w->launch->f);
    for (int c = 0; c < CLASSES && !w->descends; c++) {
        const uint64_t second = sums->two[c] ? sums->two[c][2 * at + 1] : 0;
        if (!second || second >> shift > w->group * w->launch->c.at_once) continue; // none, or of a group that still runs
        s->flags[cell] |= (uint8_t)(c != C_W || s->flags[cell] & SUM_MIXED ? 1 << c : SUM_SAME);
    }
}

/** Stamps below `limit` move into the cells' summaries. */
static void retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n, uint64_t limit)
{
    const unsigned classes = groups_classes(s, w->global.past);
    for (uint64_t end = cell + n; cell < end; cell++) {
        const uint8_t full = s->flags ? s->flags[cell] : 0;
        bool more = false;
        for (int p = 0; p < P_COUNT && (full & classes) != classes; p++) {
            if (s->newest[p] < w->global.past || full >> race_class_of(p) & 1) continue;
            const uint64_t x = shadow_get(s, p, cell);
            if (!x || x >= limit) continue;
            leave(w, s, cell, p, x, value_at(s, cell));
            shadow_set(s, p, cell, 0);
            more = true;
        }
        if (more && s->flags) note_full(w, s, cell);
    }
}

void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n) { retire(w, s, cell, n, w->global.live); }

static uint64_t cells_in(const struct race_shadow *s, uint64_t chunk)
{
    const uint64_t left = s->cells - (chunk << CHUNK_SHIFT);
    return left < CHUNK ? left : CHUNK;
}

void groups_enter(struct race_worker *w, struct race_shadow *s, uint64_t chunk)
{
    if (!shadow_is_touched(s, chunk)) {
        shadow_touch(s, chunk, w->state | 1);
        return;
    }
    shadow_to_cells(s, chunk);
    if (s->state[chunk] == (w->state | 1)) return;
    retire(w, s, chunk << CHUNK_SHIFT, cells_in(s, chunk), UINT64_MAX);
    shadow_clear(s, chunk); // of full classes something may be left
    s->state[chunk] = w->state | 1;
}

void groups_renew(struct race_worker *w, struct race_shadow *s, uint32_t state)
{
    for (uint64_t chunk = 0; chunk << CHUNK_SHIFT < s->cells; chunk++) {
        const uint64_t first = chunk << CHUNK_SHIFT, n = cells_in(s, chunk);
        if ((s->state[chunk] | 1) != (w->state | 1)) continue; // none of this group
        shadow_to_cells(s, chunk);
        bool any = false;
        for (int p = 0; p < P_COUNT; p++)
            for (uint64_t c = first; s->newest[p] >= w->global.live && c < first + n; c++) any |= shadow_get(s, p, c) >= w->global.live;
        if (!any) continue;
        groups_retire(w, s, first, n);
        shadow_rebase(s, first, n, &w->global, &w->launch->f);
        s->state[chunk] = state | 1;
    }
}

void groups_retire_others(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n, uint32_t item)
{
    const uint32_t own = item / w->launch->c.group_items;
    for (uint64_t end = cell + n; cell < end; cell++) {
        for (int p = 0; p < P_COUNT; p++) {
            const uint64_t x = s->plane[p] ? shadow_get(s, p, cell) : 0;
            if (x < w->global.live || race_who(w->launch, x) == own) continue;
            if (!aside_put(w, s, cell, p)) leave(w, s, cell, p, x, value_at(s, cell));
            shadow_set(s, p, cell, 0);
        }
        aside_take(w, s, cell, own);
    }
}

void groups_settle(struct race_worker *w)
{
    for (size_t i = 0; i < w->aside.len; i++) {
        const struct race_aside *a = &w->aside.data[i];
        struct race_shadow *s = &w->globals[a->serial / 2];
        uint64_t value = 0;
        memcpy(&value, a->value, a->size);
        for (int p = 0; p < P_COUNT; p++)
            if (a->stamp[p]) leave(w, s, a->byte >> s->granule_shift, p, a->stamp[p], value);
    }
    aside_forget(w);
}

/** A stamp that rows or cells have; the planes stay untouched where rows know all. */
static uint64_t stamp_at(const struct race_shadow *s, int p, uint64_t cell)
{
    const uint64_t chunk = cell >> CHUNK_SHIFT;
    if (s->state[chunk] & 1) return shadow_get(s, p, cell);
    if (p != P_W && p != P_R1) return 0;
    return shadow_row_stamp(s, s->rows[chunk * 2 * CHUNK_ROWS + (p == P_R1 ? CHUNK_ROWS : 0) + (cell % CHUNK >> ROW_SHIFT)], cell);
}

/** Adds what the worker knows of the cell: what is left behind, and the stamps that stand there. */
static void add_cell(struct race_sum *sum, const struct race_worker *w, const struct race_shadow *s, uint64_t cell)
{
    const struct stamp_form *f = &w->launch->f;
    const struct race_sums *sums = shadow_sums_of(s, cell >> CHUNK_SHIFT);
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(f);
    for (int c = 0; sums && c < CLASSES; c++)
        for (int i = 0; sums->two[c] && i < 2; i++) put(sum->two[c], sums->two[c][2 * at + (unsigned)i], shift);
    if (sums && s->flags[cell] & SUM_HAS_VALUE) put_value(&sum->value, &sum->flags, sums->value[at], s->flags[cell] & SUM_MIXED);
    for (int p = 0; p < P_COUNT; p++) {
        const uint64_t x = s->newest[p] ? stamp_at(s, p, cell) : 0;
        if (!x) continue;
        put(sum->two[race_class_of(p)], key_of(w, s->state[cell >> CHUNK_SHIFT], x), shift);
        if (p == P_W) put_value(&sum->value, &sum->flags, value_at(s, cell), x & f->ma);
    }
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

static struct race_access access_of(const struct found_run *r, uint64_t x, bool is_write, bool is_atomic)
{
    const struct stamp_form *f = &r->launch->f;
    const unsigned item_bits = f->site_shift - 3, shift = group_shift(f);
    return (struct race_access){.site = (uint32_t)(x >> item_bits & ((1ull << (shift - item_bits)) - 1)), .group = (x >> shift) - 1,
                                .item = (uint32_t)(x & f->item_mask), .is_write = is_write, .is_atomic = is_atomic};
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
static void compare_cell(struct found_run *r, const struct race_shadow *s, uint64_t offset, const struct race_sum *sum)
{
    const unsigned shift = group_shift(&r->launch->f);
    const uint64_t *const w = sum->two[C_W];
    enum race_verdict ww = sum->flags & SUM_MIXED ? RACE_DATA : RACE_SAME_VALUE;
    if (w[0] && w[1])
        pair_up(r, s, offset, (struct race_pair){.verdict = ww, .first = access_of(r, w[0], true, false),
                                                 .second = access_of(r, w[1], true, false)});
    static const struct {
        uint8_t plain, other;
    } kinds[] = {{C_W, C_R}, {C_W, C_AW}, {C_W, C_AL}, {C_R, C_AW}};
    for (unsigned k = 0; k < 4; k++) {
        // The first pair of different groups is enough for these kinds.
        const int plain = kinds[k].plain, other = kinds[k].other;
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t a = sum->two[plain][i / 2], b = sum->two[other][i % 2];
            if (!a || !b || a >> shift == b >> shift) continue;
            pair_up(r, s, offset, (struct race_pair){.verdict = RACE_DATA, .first = access_of(r, a, plain == C_W, false),
                                                     .second = access_of(r, b, other == C_AW, other >= C_AW)});
            break;
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
        if (shadow_sums_of(p[i].s, chunk)) {
            memset(used, 2, CHUNK);
            return true;
        }
        const uint64_t at = chunk << CHUNK_SHIFT, cells = cells_in(p[i].s, chunk);
        for (int k = 0; k < P_COUNT; k++) {
            const bool writes = k == P_W || k == P_AW1 || k == P_AW2;
            for (unsigned c = 0; p[i].s->newest[k] && c < cells; c++) {
                const bool here = stamp_at(p[i].s, k, at + c) != 0;
                used[c] |= here ? 1 << (i & 7) : 0;
                wrote[c] |= writes && here;
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
        for (unsigned i = 0; i < n; i++) add_cell(&all, p[i].w, p[i].s, cell);
        compare_cell(r, p->s, cell << p->s->granule_shift, &all);
        next_cell(r);
    }
}

/** Can any two accesses of these classes? */
static bool may_race(unsigned classes)
{
    return classes >> C_W & 1 || (classes >> C_R & 1 && classes >> C_AW & 1);
}

enum { BLOCK = 256 }; // chunks

/** May there be anything to compare in this block of chunks? Most are of one worker, and of one group each. */
static bool may_be_shared(const struct party *all, unsigned n, uint64_t chunk, uint64_t end)
{
    unsigned here = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct race_shadow *s = all[i].s;
        uint32_t newest = 0;
        for (uint64_t c = chunk; c < end; c++) newest = s->state[c] > newest ? s->state[c] : newest;
        if (newest < s->first) continue;
        here++;
        if (s->sums) return true;
    }
    return here > 1;
}

static void compare_block(struct found_run *r, const struct party *all, unsigned n, struct party *here, uint64_t chunk, uint64_t end)
{
    if (!may_be_shared(all, n, chunk, end)) return;
    for (; chunk < end; chunk++) {
        unsigned k = 0;
        for (unsigned i = 0; i < n; i++)
            if (shadow_is_touched(all[i].s, chunk)) here[k++] = all[i];
        if (k > 1 || (k == 1 && shadow_sums_of(here->s, chunk))) compare_chunk(r, here, k, chunk);
    }
}

void groups_compare(struct race_launch *l, struct race_pairs *out)
{
    struct party *all = mem_array(NULL, l->c.workers, sizeof *all), *here = mem_array(NULL, l->c.workers, sizeof *here);
    struct found_run run = {.launch = l, .out = out};
    for (unsigned i = 0; i < l->c.workers; i++)
        if (l->workers[i]) groups_settle(l->workers[i]);
    for (size_t root = 0; root < l->roots.len; root++) {
        unsigned n = 0, granule = 3, classes = 0;
        bool sums = false;
        for (unsigned i = 0; i < l->c.workers; i++) {
            struct race_worker *w = l->workers[i];
            if (!w || !w->globals[root].bytes) continue;
            all[n++] = (struct party){w, &w->globals[root]};
            sums |= w->globals[root].sums != NULL;
            classes |= groups_classes(&w->globals[root], w->global.past) | w->globals[root].left;
            if (w->globals[root].granule_shift < granule) granule = w->globals[root].granule_shift;
        }
        if ((n < 2 && !sums) || !may_race(classes)) continue;
        bool fits = true;
        for (unsigned i = 0; i < n; i++)
            fits &= all[i].s->granule_shift == granule || shadow_refine(all[i].s, granule);
        if (!fits) {
            l->cut = true;
            continue;
        }
        const uint64_t chunks = (all->s->cells + CHUNK - 1) >> CHUNK_SHIFT;
        for (uint64_t chunk = 0; chunk < chunks; chunk += BLOCK)
            compare_block(&run, all, n, here, chunk, chunk + BLOCK < chunks ? chunk + BLOCK : chunks);
        next_cell(&run);
        flush(&run);
    }
    free(all);
    free(here);
}

// SPDX-License-Identifier: MIT
// Races between groups in global memory. Only atomics order two groups, so two accesses by
// different groups race whatever their times. It suffices to know for each cell and kind of access
// the two smallest accesses of different groups, which depend neither on the order of groups nor on
// their distribution over workers. If a group accesses a cell that another group used, the stamps
// there are retired into such a group summary; the summaries are compared when the launch ends.
#include "race/end_comparison.h"

/**
 * A group with a smaller number follows: no class is full until the two smallest accesses are again
 * of groups with smaller numbers. This is rare (a worker took over groups of another one). If it
 * happens often, classes are never full again, which costs less.
 */
static void nothing_is_full(struct race_worker *w)
{
    enum { MOST_DESCENTS = 16 };
    w->descends = ++w->descents == MOST_DESCENTS;
    for (size_t i = 0; i < w->launch->roots.len; i++) {
        struct race_shadow *s = &w->globals[i];
        for (uint64_t cell = 0; s->flags && cell < s->cells; cell++)
            s->flags[cell] &= SUMMARY_HAS_VALUE | SUMMARY_MIXED;
    }
}

void groups_begin(struct race_worker *w, uint64_t group, uint64_t epoch)
{
    if (group < w->group && !w->descends) nothing_is_full(w);
    w->group = group;
    struct race_run *r = w->runs.len ? &vec_last(&w->runs) : NULL;
    if (r && r->n == 1 && group == r->group + 1) r->stride = epoch - r->epoch;
    if (r && group == r->group + r->n && epoch == r->epoch + r->n * r->stride) r->n++;
    else vec_push(&w->runs, (struct race_run){.epoch = epoch, .stride = 1, .group = group, .n = 1});
}

/** How a worker's stamps become keys. */
struct keys {
    const struct race_worker *w;
    const struct race_run *run; // all its groups, if each has one epoch; otherwise NULL
    unsigned group_shift, epoch_shift, site_shift;
    uint32_t item_mask, items, at_once, magic; // items of a group; race_magic
    uint64_t site_mask, most;
};

static struct keys keys_of(const struct race_worker *w)
{
    const struct stamp_form *f = &w->launch->f;
    return (struct keys){.w = w,
                         .run = w->runs.len == 1 && w->runs.data->stride == 1 ? w->runs.data : NULL,
                         .group_shift = group_shift(f),
                         .epoch_shift = f->epoch_shift,
                         .site_shift = f->site_shift,
                         .item_mask = (uint32_t)f->item_mask,
                         .items = w->launch->c.group_items,
                         .at_once = w->launch->c.at_once,
                         .magic = race_magic(w->launch),
                         .site_mask = (1ull << (f->epoch_shift - f->site_shift)) - 1,
                         .most = UINT64_MAX >> group_shift(f)};
}

static uint64_t group_at(const struct keys *k, uint64_t epoch)
{
    const struct race_worker *const w = k->w;
    const struct race_run *r = k->run;
    if (r) return r->group + (epoch - r->epoch < r->n ? epoch - r->epoch : r->n - 1);
    size_t lo = 0, hi = w->runs.len; // the run is in [lo, hi)
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (w->runs.data[mid].epoch <= epoch) lo = mid;
        else hi = mid;
    }
    r = &w->runs.data[lo];
    const uint64_t past = epoch - r->epoch, n = r->stride == 1 ? past : past / r->stride;
    return r->group + (n < r->n ? n : r->n - 1);
}

/**
 * two[0] is the smallest key of all, two[1] the smallest of another group than that of two[0].
 */
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
    if (mixed || (*flags & SUMMARY_HAS_VALUE && *at != value)) *flags |= SUMMARY_MIXED;
    if (!(*flags & SUMMARY_HAS_VALUE)) *at = value;
    *flags |= SUMMARY_HAS_VALUE;
}

/** The cell's value in an array laid out like the shadow's values. */
static uint64_t value_at(const struct race_shadow *s, const uint8_t *values, uint64_t cell)
{
    switch (s->granularity_shift) {
    case 0: return values[cell];
    case 1: return ((const uint16_t *)values)[cell];
    case 2: return ((const uint32_t *)values)[cell];
    default: return ((const uint64_t *)values)[cell];
    }
}

static void get_two(const struct race_shadow *s, const void *pairs, unsigned at, uint64_t two[2])
{
    for (unsigned i = 0; i < 2; i++)
        two[i] = s->wide_keys ? ((const uint64_t *)pairs)[2 * at + i]
                              : ((const uint32_t *)pairs)[2 * at + i];
}

static void set_two(const struct race_shadow *s, void *pairs, unsigned at, const uint64_t two[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (s->wide_keys) ((uint64_t *)pairs)[2 * at + i] = two[i];
        else ((uint32_t *)pairs)[2 * at + i] = (uint32_t)two[i];
    }
}

/** The key of a stamp in a chunk with that state. */
static inline uint64_t key_of(const struct keys *k, uint32_t state, uint64_t x)
{
    uint64_t group = group_at(k, race_epoch_at(k->w, state, x >> k->epoch_shift));
    uint32_t item = (uint32_t)x & k->item_mask;
    if (k->at_once > 1) {
        const uint32_t nth = k->magic ? item * k->magic >> MAGIC_SHIFT : item / k->items;
        group = group * k->at_once + nth;
        item -= nth * k->items;
    }
    return (group + 1 < k->most ? group + 1 : k->most) << k->group_shift |
           (x >> k->site_shift & k->site_mask) << (k->site_shift - 3) | item;
}

/** Adds a stored value to that of the summaries' cell `at`, whose flags these are. */
static void leave_value(const struct race_shadow *s, const struct race_summaries *summaries,
                        unsigned at, uint8_t *flags, uint64_t value, bool mixed)
{
    uint64_t first = value_at(s, summaries->value, at);
    const bool is_first = !(*flags & SUMMARY_HAS_VALUE);
    put_value(&first, flags, value, mixed);
    if (is_first)
        memcpy(summaries->value + (at << s->granularity_shift), &first, 1u << s->granularity_shift);
}

/** A stamp that a plane has of a cell, and the last value that was stored there. */
struct left {
    uint64_t cell, stamp, value;
    int plane;
};

/** Adds the access to the summary of the cell; for a writer with its value. */
static void leave(struct race_worker *w, const struct keys *k, struct race_shadow *s,
                  const struct left *x)
{
    const enum race_class c = race_class_of(x->plane);
    struct race_summaries *summaries = shadow_summaries_of(s, x->cell >> CHUNK_SHIFT);
    if (!summaries || !summaries->two[c]) summaries = shadow_summaries_with(s, x->cell, c);
    if (!summaries) {
        w->cut = true;
        return;
    }
    const unsigned at = x->cell & (CHUNK - 1);
    uint64_t two[2];
    get_two(s, summaries->two[c], at, two);
    put(two, key_of(k, s->state[x->cell >> CHUNK_SHIFT], x->stamp), k->group_shift);
    set_two(s, summaries->two[c], at, two);
    if (c == C_W)
        leave_value(s, summaries, at, &s->flags[x->cell], x->value, x->stamp & w->launch->f.ma);
}

/** Records which classes are full, after all stamps of the cell were added to its summary. */
static void note_full(const struct race_worker *w, struct race_shadow *s, uint64_t cell,
                      unsigned classes)
{
    const struct race_summaries *summaries = s->summaries[cell >> CHUNK_SHIFT];
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(&w->launch->f);
    for (int c = 0; c < CLASSES && !w->descends; c++) {
        if (!(classes >> c & 1) || !summaries->two[c]) continue;
        uint64_t two[2];
        get_two(s, summaries->two[c], at, two);
        if (!two[1] || two[1] >> shift > w->group * w->launch->c.at_once)
            continue; // no stamp, or one of a running group
        s->flags[cell] |=
            (uint8_t)(c != C_W || s->flags[cell] & SUMMARY_MIXED ? 1 << c : SUMMARY_SAME_VALUE);
    }
}

/** The planes whose stamps may have to move, and their classes. */
struct moving {
    struct keys keys;
    uint64_t limit; // stamps below it move
    unsigned classes, nplanes;
    int planes[P_COUNT];
};

static struct moving moving_of(const struct race_worker *w, const struct race_shadow *s,
                               uint64_t limit)
{
    struct moving m = {
        .keys = keys_of(w), .limit = limit, .classes = groups_classes(s, w->global.past)};
    for (int p = 0; p < P_COUNT; p++)
        if (s->newest[p] >= w->global.past) m.planes[m.nplanes++] = p;
    return m;
}

/** Moves stamps of the cell into its summary. */
static void retire(struct race_worker *w, struct race_shadow *s, const struct moving *m,
                   uint64_t cell)
{
    const uint8_t full = s->flags ? s->flags[cell] : 0;
    unsigned more = 0;
    if ((full & m->classes) == m->classes) return;
    for (unsigned i = 0; i < m->nplanes; i++) {
        const int p = m->planes[i];
        if (full >> race_class_of(p) & 1) continue;
        const uint64_t x = shadow_get(s, p, cell);
        if (!x || x >= m->limit) continue;
        leave(w, &m->keys, s, &(struct left){cell, x, value_at(s, s->values, cell), p});
        shadow_set(s, p, cell, 0);
        more |= 1u << race_class_of(p);
    }
    if (more && s->flags) note_full(w, s, cell, more);
}

/** The same for scattered cells with stamps and keys of 4 bytes. */
static void retire_narrow(struct race_worker *w, struct race_shadow *s, const struct moving *m,
                          const uint64_t *cells, unsigned n)
{
    const unsigned shift = m->keys.group_shift;
    const uint32_t ma = (uint32_t)w->launch->f.ma;
    const uint64_t over =
        w->descends
            ? 0
            : w->group *
                  w->launch->c.at_once; // keys up to this one belong to groups that have ended
    for (unsigned i = 0; i < n; i++) {
        const uint64_t cell = cells[i];
        const unsigned at = cell % CHUNK;
        const struct race_summaries *const summaries = s->summaries[cell >> CHUNK_SHIFT];
        const uint8_t full = s->flags[cell]; // both planes of a class
        uint8_t flags = full;
        for (unsigned q = 0; q < m->nplanes; q++) {
            const int p = m->planes[q];
            const enum race_class c = race_class_of(p);
            uint32_t *const stamp = (uint32_t *)s->plane[p] + cell, x = *stamp;
            if (full >> c & 1 || !x || x >= m->limit) continue;
            if (!summaries || !summaries->two[c]) { // created on first use
                s->flags[cell] = flags;
                retire(w, s, m, cell);
                flags = s->flags[cell];
                break;
            }
            uint32_t *const two = (uint32_t *)summaries->two[c] + 2 * at;
            uint64_t keys[2] = {two[0], two[1]};
            put(keys, key_of(&m->keys, s->state[cell >> CHUNK_SHIFT], x), shift);
            two[0] = (uint32_t)keys[0];
            two[1] = (uint32_t)keys[1];
            *stamp = 0;
            if (c == C_W)
                leave_value(s, summaries, at, &flags, value_at(s, s->values, cell), x & ma);
            // (in one group, the second may be the smaller one)
            if (keys[1] && keys[1] >> shift <= over)
                flags |= (uint8_t)(c != C_W || flags & SUMMARY_MIXED ? 1 << c : SUMMARY_SAME_VALUE);
        }
        s->flags[cell] = flags;
    }
}

void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n)
{
    const struct moving m = moving_of(w, s, w->global.live);
    for (uint64_t end = cell + n; cell < end; cell++) retire(w, s, &m, cell);
}

void groups_retire_cells(struct race_worker *w, struct race_shadow *s, const uint64_t *cells,
                         unsigned n)
{
    const struct moving m = moving_of(w, s, w->global.live);
    for (unsigned i = 0; s->summaries && i < n; i++) {
        const struct race_summaries *summaries = s->summaries[cells[i] >> CHUNK_SHIFT];
        const uint64_t at = cells[i] % CHUNK;
        if (!summaries || !summaries->two[C_W]) continue;
        __builtin_prefetch((char *)summaries->two[C_W] + (at << (s->wide_keys ? 4 : 3)), 1);
        __builtin_prefetch(summaries->value + (at << s->granularity_shift), 1);
    }
    if (s->summaries && !s->wide && !s->wide_keys) {
        retire_narrow(w, s, &m, cells, n);
        return;
    }
    for (unsigned i = 0; i < n; i++) retire(w, s, &m, cells[i]);
}

void groups_enter(struct race_worker *w, struct race_shadow *s, uint64_t chunk)
{
    if (!shadow_is_touched(s, chunk)) {
        shadow_touch(s, chunk, w->state | 1);
        return;
    }
    shadow_to_cells(s, chunk);
    if (s->state[chunk] & COMPRESSED) decompress(s, &w->launch->f, chunk);
    if (s->state[chunk] == (w->state | 1)) return;
    const struct moving m = moving_of(w, s, UINT64_MAX);
    for (uint64_t cell = chunk << CHUNK_SHIFT, end = cell + shared_cells_in(s, chunk); cell < end;
         cell++)
        retire(w, s, &m, cell);
    shadow_clear(s, chunk); // stamps of full classes may remain
    s->state[chunk] = w->state | 1;
}

void groups_renew(struct race_worker *w, struct race_shadow *s, uint32_t state)
{
    for (uint64_t chunk = 0; chunk << CHUNK_SHIFT < s->cells; chunk++) {
        const uint64_t first = chunk << CHUNK_SHIFT, n = shared_cells_in(s, chunk);
        if (s->state[chunk] / GENERATION != w->state / GENERATION)
            continue; // no stamps of this
                      // group
        shadow_to_cells(s, chunk);
        if (s->state[chunk] & COMPRESSED) decompress(s, &w->launch->f, chunk);
        bool any = false;
        for (int p = 0; p < P_COUNT; p++)
            for (uint64_t c = first; s->newest[p] >= w->global.live && c < first + n; c++)
                any |= shadow_get(s, p, c) >= w->global.live;
        if (!any) continue;
        groups_retire(w, s, first, n);
        shadow_rebase(s, first, n, &w->global, &w->launch->f);
        s->state[chunk] = state | 1;
    }
}

void groups_retire_others(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n,
                          uint32_t item)
{
    const uint32_t own = item / w->launch->c.group_items;
    const struct keys keys = keys_of(w);
    for (uint64_t end = cell + n; cell < end; cell++) {
        for (int p = 0; p < P_COUNT; p++) {
            const uint64_t x = s->plane[p] ? shadow_get(s, p, cell) : 0;
            if (x < w->global.live || race_who(w->launch, x) == own) continue;
            if (!spill_put(w, s, cell, p))
                leave(w, &keys, s, &(struct left){cell, x, value_at(s, s->values, cell), p});
            shadow_set(s, p, cell, 0);
        }
        spill_take(w, s, cell, own);
    }
}

void groups_settle(struct race_worker *w)
{
    if (!w->spills.len) return;
    const struct keys keys = keys_of(w);
    for (size_t i = 0; i < w->spills.len; i++) {
        const struct race_spill *a = &w->spills.data[i];
        struct race_shadow *s = &w->globals[a->serial / 2];
        uint64_t value = 0;
        memcpy(&value, a->value, a->size);
        for (int p = 0; p < P_COUNT; p++)
            if (a->stamp[p])
                leave(w, &keys, s,
                      &(struct left){a->byte >> s->granularity_shift, a->stamp[p], value, p});
    }
    spill_forget(w);
}

void groups_know(struct race_known *k, const struct race_party *p, uint64_t chunk)
{
    const struct race_shadow *s = p->s;
    const bool has_cells = s->state[chunk] & 1;
    k->w = p->w;
    k->s = s;
    k->summaries = shadow_summaries_of(s, chunk);
    k->chunk = chunk;
    k->n = shared_cells_in(s, chunk);
    k->planes = 0;
    if (!has_cells) shadow_row_stamps(s, chunk, k->n, k->room[0], k->room[1]);
    for (unsigned q = 0; q < P_COUNT; q++) {
        if (!s->newest[q] || (!has_cells && q != P_W && q != P_R1))
            continue; // rows have all stamps; leave the planes untouched
        k->planes |= 1u << q;
        if (!has_cells) k->stamp[q] = k->room[q == P_R1];
        else if (s->wide) k->stamp[q] = (const uint64_t *)s->plane[q] + (chunk << CHUNK_SHIFT);
        else k->stamp[q] = shared_stamps(p, (int)q, chunk, k->room[0]);
    }
}

struct race_who groups_who(const struct race_worker *w, uint32_t state, uint64_t stamp)
{
    const struct keys k = keys_of(w);
    const uint64_t key = key_of(&k, state, stamp);
    return (struct race_who){(key >> k.group_shift) - 1, (uint32_t)key & k.item_mask};
}

/** Adds the worker's stamps and summary of the cell. */
static void add_cell(struct race_summary *sum, const struct race_known *k, const struct keys *keys,
                     unsigned at)
{
    const struct race_shadow *s = k->s;
    const struct stamp_form *f = &k->w->launch->f;
    const unsigned shift = keys->group_shift;
    const uint64_t cell = (k->chunk << CHUNK_SHIFT) + at;
    for (int c = 0; k->summaries && c < CLASSES; c++) {
        if (!k->summaries->two[c]) continue;
        uint64_t two[2];
        get_two(s, k->summaries->two[c], at, two);
        for (unsigned i = 0; i < 2; i++) put(sum->two[c], two[i], shift);
    }
    if (k->summaries && s->flags[cell] & SUMMARY_HAS_VALUE)
        put_value(&sum->value, &sum->flags, value_at(s, k->summaries->value, at),
                  s->flags[cell] & SUMMARY_MIXED);
    for (unsigned planes = k->planes; planes; planes &= planes - 1) {
        const int p = __builtin_ctz(planes);
        const uint64_t x = s->wide ? ((const uint64_t *)k->stamp[p])[at]
                                   : ((const uint32_t *)k->stamp[p])[at];
        if (!x) continue;
        // of groups with larger numbers than the two that are kept
        const bool is_full = k->summaries &&
                             s->flags[cell] &
                                 (p == P_W ? SUMMARY_SAME_VALUE | 1 << C_W : 1 << race_class_of(p));
        if (!is_full) put(sum->two[race_class_of(p)], key_of(keys, s->state[k->chunk], x), shift);
        if (p == P_W) put_value(&sum->value, &sum->flags, value_at(s, s->values, cell), x & f->ma);
    }
}

/** Two accesses by their keys, the first of the smaller group. */
struct key_pair {
    uint64_t a, b, offset;
    uint32_t size;
    uint8_t verdict, of_a, of_b; // enum race_class
};

/** The pairs of a cell; neighboring cells of the same two accesses are merged. */
struct found_run {
    struct race_launch *launch;
    struct race_pairs *out;
    const struct race_shadow *s; // of any worker
    struct keys *keys;           // by worker
    struct race_party *all;      // the n workers that have a shadow of the root
    struct race_party *here;     // those that used a chunk
    struct race_known *known;    // of each of these
    unsigned n;
    struct key_pair open[16], next[16];
    unsigned nopen, nnext;
};

static struct race_access access_of(const struct race_launch *l, uint64_t x, uint8_t c)
{
    const struct stamp_form *f = &l->f;
    const unsigned item_bits = f->site_shift - 3, shift = group_shift(f);
    return (struct race_access){
        .site = (uint32_t)(x >> item_bits & ((1ull << (shift - item_bits)) - 1)),
        .group = (x >> shift) - 1,
        .item = (uint32_t)(x & f->item_mask),
        .is_write = c == C_W || c == C_AW,
        .is_atomic = c >= C_AW};
}

static void flush(struct found_run *r)
{
    for (unsigned i = 0; i < r->nopen; i++) {
        const struct key_pair *const p = &r->open[i];
        pairs_add(r->launch, r->out,
                  &(struct race_pair){.verdict = p->verdict,
                                      .object = r->s->object,
                                      .offset = p->offset,
                                      .size = p->size,
                                      .first = access_of(r->launch, p->a, p->of_a),
                                      .second = access_of(r->launch, p->b, p->of_b),
                                      .count = 1});
    }
    r->nopen = 0;
}

/** The bytes that two accesses may have in common, at most. */
static uint32_t common_bytes(const struct race_launch *l, const struct key_pair *p)
{
    enum { MOST = 16 };
    const uint8_t *of = l->c.bytes_of;
    const unsigned a = of ? of[access_of(l, p->a, p->of_a).site] : MOST,
                   b = of ? of[access_of(l, p->b, p->of_b).site] : MOST;
    const unsigned least = a < b ? a : b;
    return least < MOST ? least : MOST;
}

static void next_cell(struct found_run *r)
{
    bool grows = r->nnext == r->nopen && r->nnext;
    for (unsigned i = 0; grows && i < r->nnext; i++) {
        const struct key_pair *const o = &r->open[i], *const x = &r->next[i];
        grows = o->verdict == x->verdict && o->a == x->a && o->b == x->b && o->of_a == x->of_a &&
                o->of_b == x->of_b && o->offset + o->size == x->offset &&
                o->size + x->size <= common_bytes(r->launch, o);
    }
    if (grows) {
        for (unsigned i = 0; i < r->nnext; i++) r->open[i].size += r->next[i].size;
    } else {
        flush(r);
        for (unsigned i = 0; i < r->nnext; i++) r->open[i] = r->next[i];
        r->nopen = r->nnext;
    }
    r->nnext = 0;
}

static void pair_up(struct found_run *r, uint64_t offset, struct key_pair p)
{
    const unsigned shift = group_shift(&r->launch->f);
    if (p.a >> shift == p.b >> shift) return;
    if (p.b >> shift < p.a >> shift)
        p = (struct key_pair){
            .a = p.b, .b = p.a, .of_a = p.of_b, .of_b = p.of_a, .verdict = p.verdict};
    p.offset = offset - r->s->origin;
    p.size = 1u << r->s->granularity_shift;
    r->next[r->nnext++] = p;
}

/**
 * If a cell is written and used by different groups, one of these pairs has different groups: the
 * two smallest writers or, if one group does all writes, a writer and one of the two readers
 * (loaders) of different groups.
 */
static void compare_cell(struct found_run *r, uint64_t offset, const struct race_summary *sum)
{
    const unsigned shift = group_shift(&r->launch->f);
    const uint64_t *const w = sum->two[C_W];
    const uint8_t ww = sum->flags & SUMMARY_MIXED ? RACE_DATA : RACE_SAME_VALUE;
    if (w[0] && w[1])
        pair_up(r, offset,
                (struct key_pair){.verdict = ww, .a = w[0], .b = w[1], .of_a = C_W, .of_b = C_W});
    if (!(sum->two[C_R][0] | sum->two[C_AW][0] | sum->two[C_AL][0])) return;
    static const struct {
        uint8_t plain, other;
    } kinds[] = {{C_W, C_R}, {C_W, C_AW}, {C_W, C_AL}, {C_R, C_AW}};
    for (unsigned k = 0; k < 4; k++) {
        // For these kinds the first pair of different groups suffices.
        const uint8_t plain = kinds[k].plain, other = kinds[k].other;
        if (!sum->two[plain][0] || !sum->two[other][0]) continue;
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t a = sum->two[plain][i / 2], b = sum->two[other][i % 2];
            if (!a || !b || a >> shift == b >> shift) continue;
            pair_up(r, offset,
                    (struct key_pair){
                        .verdict = RACE_DATA, .a = a, .b = b, .of_a = plain, .of_b = other});
            break;
        }
    }
}

/** Compares the accesses of the first n workers of r->here. */
static void compare_chunk(struct found_run *r, unsigned n, uint64_t chunk)
{
    struct race_known *const known = r->known;
    uint8_t used[CHUNK];
    for (unsigned i = 0; i < n; i++) groups_know(&known[i], &r->here[i], chunk);
    if (!r->launch->shared->which(known, n, used)) return;
    for (unsigned at = 0; at < CHUNK; at++) {
        if (!used[at]) continue;
        struct race_summary all = {0};
        for (unsigned i = 0; i < n; i++) add_cell(&all, &known[i], &r->keys[known[i].w->index], at);
        compare_cell(r, ((chunk << CHUNK_SHIFT) + at) << r->s->granularity_shift, &all);
        next_cell(r);
    }
}

/** Prefetches the data of later chunks, which are scattered in memory. */
static void expect_chunks(const struct race_shadow *s, uint64_t chunk, uint64_t end)
{
    if (!s->summaries) return;
    if (chunk + 8 < end && s->summaries[chunk + 8]) __builtin_prefetch(s->summaries[chunk + 8]);
    const struct race_summaries *const summaries = chunk + 4 < end ? s->summaries[chunk + 4] : NULL;
    for (unsigned i = 0; summaries && summaries->two[C_W] && i < CHUNK * (s->wide_keys ? 16u : 8u);
         i += 64)
        __builtin_prefetch((const char *)summaries->two[C_W] + i);
}

/** Can any two accesses of these classes race? */
static bool may_race(unsigned classes)
{
    return classes >> C_W & 1 || (classes >> C_R & 1 && classes >> C_AW & 1);
}

enum { BLOCK = 256 }; // chunks

/**
 * Can this block of chunks need a comparison? Most chunks are used by one worker and one group.
 */
static bool may_be_shared(const struct found_run *r, uint64_t chunk, uint64_t end)
{
    unsigned here = 0;
    for (unsigned i = 0; i < r->n; i++) {
        const struct race_shadow *s = r->all[i].s;
        uint32_t newest = 0;
        for (uint64_t c = chunk; c < end; c++) newest = s->state[c] > newest ? s->state[c] : newest;
        if (newest < s->first) continue;
        here++;
        if (s->summaries) return true;
    }
    return here > 1;
}

static void compare_block(struct found_run *r, uint64_t chunk, uint64_t end)
{
    const struct race_shared *const by = r->launch->shared;
    struct race_party *const here = r->here;
    if (!may_be_shared(r, chunk, end)) return;
    for (; chunk < end; chunk++) {
        unsigned k = 0;
        for (unsigned i = 0; i < r->n; i++) expect_chunks(r->all[i].s, chunk, end);
        for (unsigned i = 0; i < r->n; i++)
            if (shadow_is_touched(r->all[i].s, chunk)) here[k++] = r->all[i];
        if (k > 1 ? by->any_cell(here, k, chunk)
                  : k == 1 && shadow_summaries_of(here->s, chunk) && by->any_left(here, chunk))
            compare_chunk(r, k, chunk);
    }
}

/** Finds the workers with a shadow of the root. False: no two of their accesses can race. */
static bool find_parties(struct found_run *r, size_t root)
{
    struct race_launch *const l = r->launch;
    unsigned granularity = 3, classes = 0;
    bool summaries = false, fits = true;
    r->n = 0;
    for (unsigned i = 0; i < l->c.workers; i++) {
        struct race_worker *w = l->workers[i];
        if (!w || !w->globals[root].bytes) continue;
        struct race_shadow *const s = &w->globals[root];
        r->all[r->n++] = (struct race_party){w, s};
        summaries |= s->summaries != NULL;
        classes |= groups_classes(s, w->global.past) | s->left;
        if (s->granularity_shift < granularity) granularity = s->granularity_shift;
    }
    if ((r->n < 2 && !summaries) || !may_race(classes)) return false;
    for (unsigned i = 0; i < r->n; i++)
        fits &= r->all[i].s->granularity_shift == granularity ||
                shadow_refine(r->all[i].s, granularity);
    l->cut |= !fits;
    r->s = r->all->s;
    return fits;
}

void groups_compare(struct race_launch *l, struct race_pairs *out)
{
    const unsigned n = l->c.workers;
    struct found_run run = {.launch = l,
                            .out = out,
                            .keys = mem_array(NULL, n, sizeof *run.keys),
                            .all = mem_array(NULL, n, sizeof *run.all),
                            .here = mem_array(NULL, n, sizeof *run.here),
                            .known = mem_array(NULL, n, sizeof *run.known)};
    for (unsigned i = 0; i < n; i++) {
        if (!l->workers[i]) continue;
        groups_settle(l->workers[i]);
        run.keys[i] = keys_of(l->workers[i]);
    }
    for (size_t root = 0; root < l->roots.len; root++) {
        if (!find_parties(&run, root)) continue;
        const uint64_t chunks = (run.s->cells + CHUNK - 1) >> CHUNK_SHIFT;
        for (uint64_t chunk = 0; chunk < chunks; chunk += BLOCK)
            compare_block(&run, chunk, chunk + BLOCK < chunks ? chunk + BLOCK : chunks);
        next_cell(&run);
        flush(&run);
    }
    free(run.all);
    free(run.here);
    free(run.known);
    free(run.keys);
}

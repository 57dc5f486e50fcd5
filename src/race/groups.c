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

/** The cell's of values that lie as those of the shadow. */
static uint64_t value_at(const struct race_shadow *s, const uint8_t *values, uint64_t cell)
{
    switch (s->granule_shift) {
    case 0: return values[cell];
    case 1: return ((const uint16_t *)values)[cell];
    case 2: return ((const uint32_t *)values)[cell];
    default: return ((const uint64_t *)values)[cell];
    }
}

static void get_two(const struct race_shadow *s, const void *pairs, unsigned at, uint64_t two[2])
{
    for (unsigned i = 0; i < 2; i++) two[i] = s->wide_keys ? ((const uint64_t *)pairs)[2 * at + i] : ((const uint32_t *)pairs)[2 * at + i];
}

static void set_two(const struct race_shadow *s, void *pairs, unsigned at, const uint64_t two[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (s->wide_keys) ((uint64_t *)pairs)[2 * at + i] = two[i];
        else ((uint32_t *)pairs)[2 * at + i] = (uint32_t)two[i];
    }
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
    const enum race_class c = race_class_of(p);
    struct race_sums *sums = shadow_sums_with(s, cell, c);
    if (!sums) {
        w->cut = true;
        return;
    }
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(&w->launch->f);
    uint64_t two[2];
    get_two(s, sums->two[c], at, two);
    put(two, key_of(w, s->state[cell >> CHUNK_SHIFT], x), shift);
    set_two(s, sums->two[c], at, two);
    if (c == C_W) {
        uint64_t first = value_at(s, sums->value, at);
        const bool is_first = !(s->flags[cell] & SUM_HAS_VALUE);
        put_value(&first, &s->flags[cell], value, x & w->launch->f.ma);
        if (is_first) memcpy(sums->value + (at << s->granule_shift), &first, 1u << s->granule_shift);
    }
}

/** Notes which classes are full, after all that stood in the cell was put into its sum. */
static void note_full(const struct race_worker *w, struct race_shadow *s, uint64_t cell)
{
    const struct race_sums *sums = s->sums[cell >> CHUNK_SHIFT];
    const unsigned at = cell & (CHUNK - 1), shift = group_shift(&w->launch->f);
    for (int c = 0; c < CLASSES && !w->descends; c++) {
        if (!sums->two[c]) continue;
        uint64_t two[2];
        get_two(s, sums->two[c], at, two);
        if (!two[1] || two[1] >> shift > w->group * w->launch->c.at_once) continue; // none, or of a group that still runs
        s->flags[cell] |= (uint8_t)(c != C_W || s->flags[cell] & SUM_MIXED ? 1 << c : SUM_SAME);
    }
}

/** What of a shadow's planes may have to move: the planes, and their classes. */
struct moving {
    uint64_t limit; // stamps below it move
    unsigned classes, nplanes;
    int planes[P_COUNT];
};

static struct moving moving_of(const struct race_worker *w, const struct race_shadow *s, uint64_t limit)
{
    struct moving m = {.limit = limit, .classes = groups_classes(s, w->global.past)};
    for (int p = 0; p < P_COUNT; p++)
        if (s->newest[p] >= w->global.past) m.planes[m.nplanes++] = p;
    return m;
}

/** Stamps of the cell move into its summary. */
static void retire(struct race_worker *w, struct race_shadow *s, const struct moving *m, uint64_t cell)
{
    const uint8_t full = s->flags ? s->flags[cell] : 0;
    bool more = false;
    if ((full & m->classes) == m->classes) return;
    for (unsigned i = 0; i < m->nplanes; i++) {
        const int p = m->planes[i];
        if (full >> race_class_of(p) & 1) continue;
        const uint64_t x = shadow_get(s, p, cell);
        if (!x || x >= m->limit) continue;
        leave(w, s, cell, p, x, value_at(s, s->values, cell));
        shadow_set(s, p, cell, 0);
        more = true;
    }
    if (more && s->flags) note_full(w, s, cell);
}

void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n)
{
    const struct moving m = moving_of(w, s, w->global.live);
    for (uint64_t end = cell + n; cell < end; cell++) retire(w, s, &m, cell);
}

void groups_retire_cells(struct race_worker *w, struct race_shadow *s, const uint64_t *cells, unsigned n)
{
    const struct moving m = moving_of(w, s, w->global.live);
    for (unsigned i = 0; s->sums && i < n; i++) {
        const struct race_sums *sums = s->sums[cells[i] >> CHUNK_SHIFT];
        const uint64_t at = cells[i] % CHUNK;
        if (!sums || !sums->two[C_W]) continue;
        __builtin_prefetch((char *)sums->two[C_W] + (at << (s->wide_keys ? 4 : 3)), 1);
        __builtin_prefetch(sums->value + (at << s->granule_shift), 1);
    }
    for (unsigned i = 0; i < n; i++) retire(w, s, &m, cells[i]);
}

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
    if (s->state[chunk] & FOLDED) fold_undo(s, &w->launch->f, chunk);
    if (s->state[chunk] == (w->state | 1)) return;
    const struct moving m = moving_of(w, s, UINT64_MAX);
    for (uint64_t cell = chunk << CHUNK_SHIFT, end = cell + cells_in(s, chunk); cell < end; cell++) retire(w, s, &m, cell);
    shadow_clear(s, chunk); // of full classes something may be left
    s->state[chunk] = w->state | 1;
}

void groups_renew(struct race_worker *w, struct race_shadow *s, uint32_t state)
{
    for (uint64_t chunk = 0; chunk << CHUNK_SHIFT < s->cells; chunk++) {
        const uint64_t first = chunk << CHUNK_SHIFT, n = cells_in(s, chunk);
        if (s->state[chunk] / GENERATION != w->state / GENERATION) continue; // none of this group
        shadow_to_cells(s, chunk);
        if (s->state[chunk] & FOLDED) fold_undo(s, &w->launch->f, chunk);
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
            if (!aside_put(w, s, cell, p)) leave(w, s, cell, p, x, value_at(s, s->values, cell));
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

/** Workers whose groups used the chunk; their shadows have one granule. */
struct party {
    struct race_worker *w;
    struct race_shadow *s;
};

/** What a worker knows of a chunk: what was left behind, and the stamps that rows or cells have, plane after plane. */
struct known {
    const struct race_worker *w;
    const struct race_shadow *s;
    const struct race_sums *sums; // or NULL
    uint64_t chunk;
    unsigned planes; // bits of those that may have any: of the others nothing stands here
    uint64_t stamp[P_COUNT][CHUNK];
};

/** Stamps of 4 bytes in a chunk with cells; in `room` where they are folded. */
static const uint32_t *stamps_of(const struct party *p, int plane, uint64_t chunk, uint32_t room[CHUNK])
{
    const struct race_shadow *s = p->s;
    if (plane != P_R1 || !(s->state[chunk] & FOLDED)) return (const uint32_t *)s->plane[plane] + (chunk << CHUNK_SHIFT);
    fold_readers(s, &p->w->launch->f, chunk, room);
    return room;
}

static void know(struct known *k, const struct party *p, uint64_t chunk)
{
    const struct race_shadow *s = p->s;
    const uint64_t first = chunk << CHUNK_SHIFT, n = cells_in(s, chunk);
    const bool has_cells = s->state[chunk] & 1;
    uint32_t writers[CHUNK], readers[CHUNK], room[CHUNK];
    if (!has_cells) shadow_row_stamps(s, chunk, n, writers, readers);
    k->w = p->w;
    k->s = s;
    k->sums = shadow_sums_of(s, chunk);
    k->chunk = chunk;
    k->planes = 0;
    for (unsigned q = 0; q < P_COUNT; q++) {
        uint64_t *const to = k->stamp[q];
        if (!s->newest[q] || (!has_cells && q != P_W && q != P_R1)) continue; // the planes stay untouched where rows know all
        k->planes |= 1u << q;
        if (n < CHUNK) memset(to, 0, sizeof k->stamp[q]);
        if (!has_cells) {
            for (uint64_t i = 0; i < n; i++) to[i] = q == P_W ? writers[i] : readers[i];
        } else if (s->wide) {
            memcpy(to, (const uint64_t *)s->plane[q] + first, n * sizeof *to);
        } else {
            const uint32_t *const from = stamps_of(p, (int)q, chunk, room);
            for (uint64_t i = 0; i < n; i++) to[i] = from[i];
        }
    }
}

/** Adds what the worker knows of the chunk's cell. */
static void add_cell(struct race_sum *sum, const struct known *k, unsigned at)
{
    const struct race_shadow *s = k->s;
    const struct stamp_form *f = &k->w->launch->f;
    const unsigned shift = group_shift(f);
    const uint64_t cell = (k->chunk << CHUNK_SHIFT) + at;
    for (int c = 0; k->sums && c < CLASSES; c++) {
        if (!k->sums->two[c]) continue;
        uint64_t two[2];
        get_two(s, k->sums->two[c], at, two);
        for (unsigned i = 0; i < 2; i++) put(sum->two[c], two[i], shift);
    }
    if (k->sums && s->flags[cell] & SUM_HAS_VALUE) put_value(&sum->value, &sum->flags, value_at(s, k->sums->value, at), s->flags[cell] & SUM_MIXED);
    for (unsigned p = 0, planes = k->planes; planes; p++, planes >>= 1) {
        const uint64_t x = planes & 1 ? k->stamp[p][at] : 0;
        if (!x) continue;
        put(sum->two[race_class_of((int)p)], key_of(k->w, s->state[k->chunk], x), shift);
        if (p == P_W) put_value(&sum->value, &sum->flags, value_at(s, s->values, cell), x & f->ma);
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
        memcpy(r->open, r->next, r->nnext * sizeof *r->open);
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
        if (!sum->two[plain][0] || !sum->two[other][0]) continue;
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t a = sum->two[plain][i / 2], b = sum->two[other][i % 2];
            if (!a || !b || a >> shift == b >> shift) continue;
            pair_up(r, s, offset, (struct race_pair){.verdict = RACE_DATA, .first = access_of(r, a, plain == C_W, false),
                                                     .second = access_of(r, b, other == C_AW, other >= C_AW)});
            break;
        }
    }
}

/** What tells groups apart in stamps: (x ^ y) >> shift is 0, and so is who(x) ^ who(y), where x and y are of one group and interval. */
struct whose {
    unsigned shift;
    uint32_t items, magic;
    bool known; // else nothing of that can be told
};

static struct whose whose_of(const struct race_launch *l)
{
    const uint32_t magic = l->c.at_once == 1 ? 0 : race_magic(l);
    return (struct whose){.shift = l->f.epoch_shift, .items = (uint32_t)l->f.item_mask, .magic = magic, .known = l->c.at_once == 1 || magic};
}

static inline uint32_t who(const struct whose *w, uint32_t x) { return (x & w->items) * w->magic >> MAGIC_SHIFT; }

/**
 * Which cells need a closer look: those that are written, and used by more than one access that stands there or was left behind,
 * accesses of one group counting once where that is plain to see; with nothing left behind, by more than one worker.
 */
static bool any_write_shared(const struct known *all, unsigned n, uint8_t used[CHUNK])
{
    uint8_t wrote[CHUNK] = {0}, users[CHUNK] = {0}, any = 0;
    bool left = false;
    memset(used, 0, CHUNK);
    for (unsigned i = 0; i < n; i++) left |= all[i].sums != NULL;
    for (unsigned i = 0; i < n; i++) {
        const struct known *k = &all[i];
        for (int c = 0; k->sums && c < CLASSES; c++) {
            const uint8_t writes = c == C_W || c == C_AW;
            for (unsigned at = 0; k->sums->two[c] && at < CHUNK; at++) {
                uint64_t two[2];
                get_two(k->s, k->sums->two[c], at, two);
                users[at] += (two[0] != 0) + (two[1] != 0); // 15 a worker at the most
                wrote[at] |= writes & (two[0] != 0);
            }
        }
        const struct whose of = whose_of(k->w->launch);
        uint64_t last[CHUNK] = {0};
        for (int p = 0; p < P_COUNT; p++) {
            const uint8_t writes = p == P_W || p == P_AW1 || p == P_AW2;
            for (unsigned at = 0; k->planes >> p & 1 && at < CHUNK; at++) {
                const uint64_t x = k->stamp[p][at];
                const uint8_t here = x != 0, met = of.known & (last[at] >> of.shift == x >> of.shift) & (who(&of, (uint32_t)last[at]) == who(&of, (uint32_t)x));
                last[at] = here ? x : last[at];
                users[at] += here & !met;
                used[at] |= (uint8_t)(here << (i & 7));
                wrote[at] |= writes & here;
            }
        }
    }
    for (unsigned at = 0; at < CHUNK; at++) {
        const bool shared = n > 8 || (left ? users[at] > 1 : (used[at] & (used[at] - 1)) != 0);
        used[at] = wrote[at] && shared;
        any |= used[at];
    }
    return any;
}

static void compare_chunk(struct found_run *r, const struct party *p, unsigned n, struct known *known, uint64_t chunk)
{
    uint8_t used[CHUNK];
    for (unsigned i = 0; i < n; i++) know(&known[i], &p[i], chunk);
    if (!any_write_shared(known, n, used)) return;
    for (unsigned at = 0; at < CHUNK; at++) {
        if (!used[at]) continue;
        struct race_sum all = {0};
        for (unsigned i = 0; i < n; i++) add_cell(&all, &known[i], at);
        compare_cell(r, p->s, ((chunk << CHUNK_SHIFT) + at) << p->s->granule_shift, &all);
        next_cell(r);
    }
}

/** What is looked at a few chunks later lies anywhere: the processor fetches it. */
static void expect_chunks(const struct race_shadow *s, uint64_t chunk, uint64_t end)
{
    if (!s->sums) return;
    if (chunk + 8 < end && s->sums[chunk + 8]) __builtin_prefetch(s->sums[chunk + 8]);
    const struct race_sums *const sums = chunk + 4 < end ? s->sums[chunk + 4] : NULL;
    for (unsigned i = 0; sums && sums->two[C_W] && i < CHUNK * (s->wide_keys ? 16u : 8u); i += 64) __builtin_prefetch((const char *)sums->two[C_W] + i);
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

/** The same of rows, all of them next to one another. True, too, where some have none. */
static bool any_row_shared(const struct party *here, unsigned n, uint64_t chunk)
{
    uint32_t used[CHUNK_ROWS] = {0}, wrote[CHUNK_ROWS] = {0}, shared[CHUNK_ROWS] = {0}, any = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct race_shadow *s = here[i].s;
        if (s->state[chunk] & 1 || !s->rows || s->rows_step > 1 || shadow_sums_of(s, chunk)) return true;
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

/** Of a chunk in which nothing was left behind: is some cell of several, and written? */
static bool any_cell_shared(const struct party *here, unsigned n, uint64_t chunk)
{
    if (!any_row_shared(here, n, chunk)) return false;
    uint32_t used[CHUNK] = {0}, wrote[CHUNK] = {0}, shared[CHUNK] = {0}, any = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct race_shadow *s = here[i].s;
        uint32_t own[CHUNK] = {0};
        if (s->wide || shadow_sums_of(s, chunk) || cells_in(s, chunk) < CHUNK) return true; // who knows
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
                const uint32_t *const x = stamps_of(&here[i], p, chunk, room);
                for (unsigned k = 0; k < CHUNK; k++) own[k] |= x[k];
                for (unsigned k = 0; (p == P_W || p == P_AW1 || p == P_AW2) && k < CHUNK; k++) wrote[k] |= x[k];
            }
        }
        for (unsigned k = 0; k < CHUNK; k++) shared[k] |= own[k] ? used[k] : 0;
        for (unsigned k = 0; k < CHUNK; k++) used[k] |= own[k];
    }
    for (unsigned k = 0; k < CHUNK; k++) any |= wrote[k] ? shared[k] : 0;
    return any;
}

/**
 * Of a chunk that one worker came to and where groups left something: may a cell that is written be of several groups? Most of what is
 * left is of readers of what nobody writes. True where that is not plain to see.
 */
static bool any_left_and_written(const struct party *p, uint64_t chunk)
{
    const struct race_shadow *s = p->s;
    const struct race_sums *sums = shadow_sums_of(s, chunk);
    const struct whose of = whose_of(p->w->launch);
    uint32_t wrote[CHUNK] = {0}, here[CHUNK] = {0}, left[CHUNK] = {0}, shared[CHUNK] = {0}, any = 0;
    if (s->wide || s->wide_keys || !of.known || !(s->state[chunk] & 1) || cells_in(s, chunk) < CHUNK) return true;
    for (int q = 0; q < P_COUNT; q++) {
        const uint32_t writes = q == P_W || q == P_AW1 || q == P_AW2 ? ~0u : 0;
        if (!s->newest[q]) continue;
        uint32_t room[CHUNK];
        const uint32_t *const x = stamps_of(p, q, chunk, room);
        for (unsigned k = 0; k < CHUNK; k++) {
            const uint32_t y = x[k], none = y ? 0 : ~0u, first = here[k] ? 0 : ~0u;
            shared[k] |= ~none & ~first & ((y ^ here[k]) >> of.shift | (who(&of, y) ^ who(&of, here[k])));
            here[k] |= y & first;
            wrote[k] |= y & writes;
        }
    }
    for (int c = 0; c < CLASSES; c++) {
        const uint32_t *const two = sums->two[c], writes = c == C_W || c == C_AW ? ~0u : 0;
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

static void compare_block(struct found_run *r, const struct party *all, unsigned n, struct party *here, struct known *known, uint64_t chunk,
                          uint64_t end)
{
    if (!may_be_shared(all, n, chunk, end)) return;
    for (; chunk < end; chunk++) {
        unsigned k = 0;
        for (unsigned i = 0; i < n; i++) expect_chunks(all[i].s, chunk, end);
        for (unsigned i = 0; i < n; i++)
            if (shadow_is_touched(all[i].s, chunk)) here[k++] = all[i];
        if (k > 1 ? any_cell_shared(here, k, chunk) : k == 1 && shadow_sums_of(here->s, chunk) && any_left_and_written(here, chunk)) compare_chunk(r, here, k, known, chunk);
    }
}

void groups_compare(struct race_launch *l, struct race_pairs *out)
{
    struct party *all = mem_array(NULL, l->c.workers, sizeof *all), *here = mem_array(NULL, l->c.workers, sizeof *here);
    struct known *known = mem_array(NULL, l->c.workers, sizeof *known);
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
            compare_block(&run, all, n, here, known, chunk, chunk + BLOCK < chunks ? chunk + BLOCK : chunks);
        next_cell(&run);
        flush(&run);
    }
    free(all);
    free(here);
    free(known);
}

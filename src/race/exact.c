// SPDX-License-Identifier: MIT
// The rules of races inside a group, applied lane by lane. Used when a vectorized loop finds
// something, for shapes and sizes without a loop, and as the reference in tests of the loops.
#include "race/shadow.h"

#include <assert.h>

struct now { // one access of one lane
    struct race_worker *w;
    struct race_space *sp;
    struct race_shadow *s;
    const struct race_op *op;
    uint64_t to_object; // root offset - object offset
    uint32_t item;
    uint64_t stamp;
    struct race_pair open[16]; // pairs of the last cell, which may grow into the next
    unsigned nopen;
};

static uint32_t item_of(const struct now *n, uint64_t x) { return x & n->w->launch->f.item_mask; }

static struct race_access access_of(const struct now *n, uint64_t x, enum race_plane p)
{
    const struct stamp_form *f = &n->w->launch->f;
    uint64_t site_mask = (1ull << (f->epoch_shift - f->site_shift)) - 1;
    return (struct race_access){
        .site = x >> f->site_shift & site_mask,
        .group = race_group_of(n->w->launch, n->w->group, item_of(n, x)),
        .item = race_item_of(n->w->launch, item_of(n, x)),
        .is_write = p == P_W || p == P_AW1 || p == P_AW2,
        .is_atomic = p >= P_AW1,
        .barriers = (x >> f->epoch_shift) - n->sp->born,
    };
}

static void flush(struct now *n)
{
    for (unsigned i = 0; i < n->nopen; i++) pairs_add(n->w->launch, &n->w->pairs, &n->open[i]);
    n->nopen = 0;
}

static void report(struct now *n, uint64_t cell, enum race_plane p, uint64_t x, bool same_value)
{
    unsigned size = 1u << n->s->granularity_shift;
    uint64_t offset = (cell << n->s->granularity_shift) - n->to_object;
    const struct race_watch *watch = &n->w->launch->watch[n->op->object];
    const uint64_t step = watch->is_local ? n->w->launch->locals.data[watch->index1 - 1].step : 0;
    if (step) offset %= step;
    struct race_pair pair = {
        .verdict = same_value           ? RACE_SAME_VALUE
                   : x < n->sp->current ? RACE_FENCE
                                        : RACE_DATA,
        .object = n->op->object,
        .offset = offset,
        .size = size,
        .first = access_of(n, x, p),
        .second = {.site = n->op->site,
                   .group = race_group_of(n->w->launch, n->w->group, n->item),
                   .item = race_item_of(n->w->launch, n->item),
                   .is_write = n->op->is_write,
                   .is_atomic = n->op->is_atomic,
                   .barriers = n->sp->epoch - n->sp->born},
        .count = 1,
        .barrier = n->w->barrier,
    };
    for (unsigned i = 0; i < n->nopen; i++) {
        struct race_pair *o = &n->open[i];
        if (o->verdict == pair.verdict && o->offset + o->size == offset &&
            o->first.site == pair.first.site && o->first.item == pair.first.item &&
            o->first.is_write == pair.first.is_write &&
            o->first.is_atomic == pair.first.is_atomic) {
            o->size += size;
            return;
        }
    }
    if (n->nopen == sizeof n->open / sizeof *n->open) flush(n);
    n->open[n->nopen++] = pair;
}

static uint64_t same_key(const struct now *n, uint64_t cell)
{
    return race_cell_key(n->s, cell << n->s->granularity_shift, race_who(n->w->launch, n->stamp));
}

/** The record of the cell; it exists while the last writer has the flag SV. */
static struct race_same_value *same_of(const struct now *n, uint64_t cell)
{
    uint64_t *at = map_get(&n->w->same_index, same_key(n, cell));
    return at && *at ? &n->w->same.data[*at] : NULL;
}

static unsigned same_words(const struct race_launch *l)
{
    return l->c.group_items * l->c.at_once / 64 + 1;
}

static uint64_t *new_bits(struct race_worker *w)
{
    return arena_alloc(&w->same_arena, same_words(w->launch) * 8);
}

void same_refined(struct race_worker *w, const struct race_shadow *s)
{
    unsigned size = 1u << s->granularity_shift;
    for (size_t i = 1, n = w->same.len; i < n; i++) {
        struct race_same_value r = w->same.data[i];
        if (r.serial != s->serial || r.size <= size) continue;
        w->same.data[i].size = size;
        for (unsigned k = size; k < r.size; k += size) {
            struct race_same_value part = r;
            part.byte += k;
            part.size = size;
            part.bits = new_bits(w);
            memcpy(part.bits, r.bits, same_words(w->launch) * 8);
            *map_put(&w->same_index, race_cell_key(s, part.byte, race_who(w->launch, part.p)),
                     NULL) = w->same.len;
            vec_push(&w->same, part);
        }
    }
}

static void same_add(struct now *n, struct race_same_value *r)
{
    unsigned words = same_words(n->w->launch);
    if (r->current != n->sp->current) memset(r->bits, 0, words * 8);
    r->current = n->sp->current;
    r->bits[n->item / 64] |= 1ull << n->item % 64;
}

/**
 * Records that this store and that of the last writer `x` (another work-item, or one of several)
 * have the same value.
 */
static void same_put(struct now *n, uint64_t cell, uint64_t x)
{
    uint64_t byte = cell << n->s->granularity_shift;
    if (x & n->w->launch->f.sv) {
        struct race_same_value *r = same_of(n, cell);
        assert(r);
        if (item_of(n, r->p) == n->item) r->p = n->stamp;
        else r->q = n->stamp;
        same_add(n, r);
        return;
    }
    uint64_t *at = map_put(&n->w->same_index, same_key(n, cell), NULL);
    if (!*at) {
        if (!n->w->same.len)
            vec_push(&n->w->same, (struct race_same_value){0}); // index 0 means none
        *at = n->w->same.len;
        vec_push(&n->w->same, (struct race_same_value){.bits = new_bits(n->w)});
    }
    struct race_same_value *r = &n->w->same.data[*at];
    *r = (struct race_same_value){.byte = byte,
                                  .serial = n->s->serial,
                                  .size = 1u << n->s->granularity_shift,
                                  .p = x,
                                  .q = n->stamp,
                                  .bits = r->bits};
    same_add(n, r);
    if (x >= n->sp->current) r->bits[item_of(n, x) / 64] |= 1ull << item_of(n, x) % 64;
}

/** Did the reader store the value itself in this interval? */
static bool stored_it(const struct now *n, uint64_t cell, uint64_t x)
{
    const struct stamp_form *f = &n->w->launch->f;
    if (x < n->sp->current) return false;
    if ((x & f->same_item) == n->item) return true; // only it stores here
    if (x & f->mg || !(x & f->sv)) return false;
    const struct race_same_value *r = same_of(n, cell);
    return r && r->current == n->sp->current && r->bits[n->item / 64] >> n->item % 64 & 1;
}

/**
 * A stamp of another work-item that represents the last writer, or 0 if the access races with no
 * writer.
 */
static uint64_t racing_writer(const struct now *n, uint64_t cell)
{
    uint64_t x = shadow_get(n->s, P_W, cell);
    if (x < n->sp->passed) return 0;
    if (item_of(n, x) != n->item) return x;
    if (!(x & n->w->launch->f.sv)) return 0;
    const struct race_same_value *r = same_of(n, cell);
    assert(r);
    return item_of(n, r->p) != n->item ? r->p : r->q;
}

static void check(struct now *n, uint64_t cell, enum race_plane p)
{
    if (!n->s->plane[p]) return;
    uint64_t x = shadow_get(n->s, p, cell);
    if (x >= n->sp->passed && item_of(n, x) != n->item) report(n, cell, p, x, false);
}

/**
 * Keeps two stamps of different work-items in the latest intervals. Invariant: the first is not of
 * an earlier interval than the second.
 */
static void note(struct now *n, uint64_t cell, enum race_plane first)
{
    uint64_t x = shadow_get(n->s, first, cell);
    bool own = item_of(n, x) == n->item, older = x < n->sp->current;
    if (!own && x)
        shadow_set(n->s, first + 1, cell,
                   older ? x : n->stamp); // without a first there is no second: leave its pages
                                          // untouched
    if (!own && x && first == P_R1) shadow_seconds(n->s, cell, cell, 1);
    if (older) shadow_set(n->s, first, cell, n->stamp);
}

static void plain_read(struct now *n, uint64_t cell)
{
    uint64_t w = shadow_get(n->s, P_W, cell), other = racing_writer(n, cell);
    bool stored = stored_it(n, cell, w);
    if (other) report(n, cell, P_W, other, stored);
    check(n, cell, P_AW1);
    check(n, cell, P_AW2);
    if (!stored) note(n, cell, P_R1); // a race with this read is also one with its store
}

static void plain_write(struct now *n, uint64_t cell, const uint8_t *value)
{
    const struct stamp_form *f = &n->w->launch->f;
    unsigned size = 1u << n->s->granularity_shift;
    uint8_t *last = n->s->values + (cell << n->s->granularity_shift);
    uint64_t w = shadow_get(n->s, P_W, cell), other = racing_writer(n, cell), stamp = n->stamp;
    bool differs = !value || memcmp(last, value, size), same = !differs && !(w & f->mg);
    if (other) report(n, cell, P_W, other, same);
    for (int p = P_R1; p < P_COUNT; p++) check(n, cell, p);
    if (w >= n->sp->passed) stamp |= differs ? f->mg : w & f->mg;
    if (w >= n->sp->live) stamp |= differs ? f->ma : w & f->ma;
    if (!value) stamp |= f->mg | f->ma;
    if (other && same) {
        same_put(n, cell, w);
        stamp |= f->sv;
    }
    shadow_set(n->s, P_W, cell, stamp);
    if (value) memcpy(last, value, size);
}

static void atomic(struct now *n, uint64_t cell)
{
    uint64_t other = racing_writer(n, cell);
    if (other) report(n, cell, P_W, other, false);
    if (n->op->is_write) {
        check(n, cell, P_R1);
        check(n, cell, P_R2);
    }
    note(n, cell, n->op->is_write ? P_AW1 : P_AL1);
}

/**
 * The end of the longest run of lanes from `first` on, below `end`, whose active lanes all store
 * that value.
 */
static uint32_t same_values(const struct race_op *op, const void *value, uint32_t first,
                            uint32_t end)
{
    enum { AT_ONCE = 32 };
    uint32_t i = first;
#define CASE(V)                                                                                    \
    case sizeof(V): {                                                                              \
        const V *const values = op->values;                                                        \
        V was, differ = 0;                                                                         \
        memcpy(&was, value, sizeof was);                                                           \
        for (; i + AT_ONCE <= end && !differ; i += differ ? 0 : AT_ONCE)                           \
            for (uint32_t k = i; k < i + AT_ONCE; k++) differ |= values[k] ^ was;                  \
        while (i < end && (values[i] == was || (op->mask && !op->mask[i]))) i++;                   \
        break;                                                                                     \
    }
    switch (op->size) {
        CASE(uint8_t)
        CASE(uint16_u)
        CASE(uint32_u)
        CASE(uint64_u)
    }
#undef CASE
    return i;
}

/**
 * A lane that stores the same value as other work-items is often followed by many such lanes, for
 * example where every work-item that finds something sets a flag. If only such stores are unordered
 * there, each one is in the same race as the one before it. Returns the last of these lanes.
 */
static uint32_t same_run(struct now *n, uint64_t cell, uint32_t lane)
{
    const struct race_launch *l = n->w->launch;
    const struct race_op *op = n->op;
    const unsigned size = 1u << n->s->granularity_shift;
    if (op->shape != RACE_UNIFORM || !op->is_write || op->is_atomic || !op->values ||
        op->size != size || l->c.exact || l->c.unmerged)
        return lane;
    const uint64_t x = shadow_get(n->s, P_W, cell);
    struct race_same_value *r =
        x & l->f.sv && !(x & l->f.mg) && x >= n->sp->current ? same_of(n, cell) : NULL;
    if (!r || r->current != n->sp->current) return lane;
    for (int p = P_R1; p < P_COUNT; p++)
        if (n->s->plane[p] && shadow_get(n->s, p, cell) >= n->sp->passed) return lane;
    const uint32_t item = op->first_item + lane,
                   group_end = op->first_item + op->n; // not beyond the end of the lane's group
    uint32_t end = l->c.at_once == 1 ? group_end
                                     : item - item % l->c.group_items + l->c.group_items;
    const uint32_t p = item_of(n, r->p);
    end = end < group_end ? end : group_end;
    if (p > item && p < end) end = p;
    uint32_t first = 0, last = lane, count = 0;
    const uint32_t agree = same_values(op, n->s->values + (cell << n->s->granularity_shift),
                                       lane + 1, end - op->first_item);
    for (uint32_t i = lane + 1, m; i < agree; i += m) {
        const uint32_t who = op->first_item + i;
        m = 8 - who % 8 < agree - i ? 8 - who % 8 : agree - i; // within one byte of the bits
        uint64_t active = ~0ull;
        if (op->mask) memcpy(&active, op->mask + i, m);
        active &= 0x0101010101010101 & (~0ull >> (64 - 8 * m));
        if (!active) continue;
        if (!count) first = i + (uint32_t)__builtin_ctzll(active) / 8;
        last = i + 7 - (uint32_t)__builtin_clzll(active) / 8;
        count += (uint32_t)(active * 0x0101010101010101 >> 56);
        r->bits[who / 64] |= (active * 0x0102040810204080 >> 56) << who % 64;
    }
    if (!count) return lane;
    n->item = op->first_item + first; // the pair that is shown
    report(n, cell, P_W, x, true);
    flush(n);
    n->item = op->first_item + last;
    n->stamp = n->sp->current | (uint64_t)op->site << l->f.site_shift | n->item;
    r->q = n->stamp;
    shadow_set(n->s, P_W, cell, n->stamp | l->f.sv | (x & l->f.ma));
    return last;
}

void exact_look(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                const struct race_op *op, uint64_t to_object)
{
    struct now n = {
        .w = w, .sp = sp, .s = s, .op = op, .to_object = to_object, .item = op->first_item};
    const int first = op->is_write ? P_R1 : P_AW1, last = op->is_write ? P_AL2 : P_AW2;
    bool any = s->newest[P_W] >= sp->passed;
    for (int p = first; p <= last; p++) any |= s->newest[p] >= sp->passed;
    uint64_t cell = (op->offset0 + to_object) >> s->granularity_shift,
             end = cell + (op->size >> s->granularity_shift);
    if (!any) return; // no access of this group since the last fence
    if (s->state) groups_use_cells(w, s, cell, end - cell);
    for (; cell < end; cell++) {
        const uint64_t other = racing_writer(&n, cell);
        if (other) report(&n, cell, P_W, other, false);
        for (int p = first; p <= last; p++) check(&n, cell, p);
    }
    flush(&n);
}

void exact_leave(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                 const struct race_op *op, uint64_t to_object)
{
    const struct stamp_form *f = &w->launch->f;
    const enum race_plane p = op->is_write ? P_W : P_R1;
    const uint64_t stamp = sp->live | (uint64_t)op->site << f->site_shift | op->first_item |
                           (op->is_write ? f->mg | f->ma : 0);
    uint64_t cell = (op->offset0 + to_object) >> s->granularity_shift,
             end = cell + (op->size >> s->granularity_shift);
    groups_use_cells(w, s, cell, end - cell);
    groups_retire(w, s, cell, end - cell);
    if (s->newest[p] < sp->live) s->newest[p] = sp->live;
    for (; cell < end; cell++) { // other groups need one reader only; this group needs writers
                                 // since the last fence
        const uint64_t x = shadow_get(s, p, cell);
        if (!x || (op->is_write && x < sp->passed)) shadow_set(s, p, cell, stamp);
        else if (op->is_write) shadow_set(s, p, cell, x | f->ma);
    }
}

void exact_access(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                  const struct race_op *op, uint64_t to_object)
{
    struct now n = {.w = w, .sp = sp, .s = s, .op = op, .to_object = to_object};
    unsigned g = s->granularity_shift;
    for (int p = shadow_first_plane(op); p <= shadow_last_plane(op); p++)
        s->newest[p] = sp->current;
    for (uint32_t lane = 0; lane < op->n; lane++) {
        if (op->mask && !op->mask[lane]) continue;
        const uint64_t offset = race_offset_of(op, lane);
        uint64_t cell = (offset + to_object) >> g, end = cell + (op->size >> g);
        const uint8_t *value = op->values ? (const uint8_t *)op->values + (size_t)lane * op->size
                                          : NULL;
        n.item = op->first_item + lane;
        n.stamp = sp->current | (uint64_t)op->site << w->launch->f.site_shift | n.item;
        if (s->state) {
            groups_use_cells(w, s, cell, end - cell);
            groups_retire(w, s, cell, end - cell);
            if (w->launch->c.at_once > 1) groups_retire_others(w, s, cell, end - cell, n.item);
        }
        for (; cell < end; cell++) {
            if (op->is_atomic) atomic(&n, cell);
            else if (op->is_write) plain_write(&n, cell, value);
            else plain_read(&n, cell);
            if (value) value += 1u << g;
        }
        if (s->state) spill_stay(w, s, end - (op->size >> g), op->size >> g);
        flush(&n);
        lane = same_run(&n, end - 1, lane);
    }
}

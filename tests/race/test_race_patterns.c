// SPDX-License-Identifier: MIT
// Gangs of many lanes in recurring patterns: the vectorized loops of lanes.c must report what the
// lane-by-lane rules report (race_config.exact, which the oracle checks on small traces).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdalign.h>
#include <stdio.h>

enum { ITEMS = 600, BYTES = 1 << 15, LOCAL = 1, GLOBAL, NOBJECTS };

static uint64_t rng;
static unsigned pick(unsigned n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (unsigned)(rng * 0x2545f4914f6cdd1dull >> 33) % n;
}

/**
 * Places in units of an element that a kernel could come up with; some hit a cell twice, some reach
 * far.
 */
static uint32_t place(unsigned kind, uint32_t i, uint32_t a, uint32_t b)
{
    switch (kind) {
    case 0: return i % 16 * (16 + a) + i / 16;                  // a transposed tile with padding
    case 1: return i / 16 * (16 + a) + i % 16;                  // a tile with a halo
    case 2: return 2 * i - (i & ((1u << b) - 1));               // bitonic sort
    case 3: return i * (1 + a) + b;                             // a stride
    case 4: return (i & ~255u) | ((i * (2 * a + 1) + b) & 255); // a permutation
    case 5: return i / (a + 1);                                 // rows of one cell
    case 6: return i % (8 + b);                                 // a row again and again
    case 7: return i ^ a;                                       // neighbors change places
    case 8: return 599 - i;
    case 9: return i * 31 % 97 * (1 + b); // everywhere, and cells shared
    default: return i + (i >= 100 + a);   // a gap
    }
}

struct event {
    bool is_barrier, in_columns;
    unsigned fences, object;
    struct race_op op;
    uint32_t elements[ITEMS], less[ITEMS]; // less element0
    uint64_t offsets[ITEMS];
    uint8_t mask[ITEMS];
    alignas(8) uint8_t values[ITEMS * 8 * 20 + 16];
};

struct trace {
    unsigned ngroups, granularity;
    bool calm;     // a barrier after every access, each lane a place of its own, one group alone in
                   // global memory
    bool apart;    // accesses mostly have parts of their own, or are of the same places by the same
                   // work-items
    unsigned step; // not 0: mostly of members of structs of so many granules, or columns of a
                   // matrix; 1: tiles of one
    unsigned own;  // so many granules are of each group alone
    bool uneven;   // groups leave out some accesses of local memory, or make them with other masks
                   // and values
    bool again; // most groups do the same to local memory, work-items keep to places of their own,
                // and nearly all lies in a way that has a name
    unsigned rounds, from, to; // groups do events from … to so many times more, with other values
                               // and perhaps masks: a loop
    bool other_masks;
    unsigned kind;
    bool in_place; // mostly the same few places of global memory, each of a work-item of its own,
                   // read and written by several statements
    VEC(struct event *) events;
};

/**
 * The name of what so many lanes' elements are, less the first one's: the same at each time, but
 * for those not seen for long.
 */
static uint64_t layout_of(const uint32_t *elements, uint32_t n, uint32_t lane)
{
    enum { KNOWN = 32 };
    static struct {
        uint64_t name;
        uint32_t n, lane, apart[ITEMS];
    } known[KNOWN];
    static uint64_t made;
    uint32_t apart[ITEMS];
    for (uint32_t i = 0; i < n; i++) apart[i] = elements[i] - elements[0];
    for (unsigned k = 0; k < KNOWN; k++)
        if (known[k].n == n && known[k].lane == lane &&
            !memcmp(known[k].apart, apart, n * sizeof *apart))
            return known[k].name;
    const unsigned k = (unsigned)(made++ % KNOWN);
    known[k].name = made;
    known[k].n = n;
    known[k].lane = lane;
    memcpy(known[k].apart, apart, n * sizeof *apart);
    return made;
}

/**
 * The access says that it knows how its lanes lie, as the engine does where all of them are inside.
 */
static void name_layout(const struct trace *t, struct event *e)
{
    struct race_op *op = &e->op;
    if (op->shape != RACE_ELEMENTS || pick(t->again || t->in_place ? 30 : 3) == 0) return;
    for (uint32_t i = 0; i < op->n; i++)
        if ((uint64_t)e->elements[i] * t->granularity + op->size > BYTES) return;
    op->layout_lane = pick(3) ? 0 : 16;
    op->layout = layout_of(e->elements, op->n, op->layout_lane);
    op->element0 = pick(2) ? e->elements[0] : pick(1000);
    for (uint32_t i = 0; i < op->n; i++) e->less[i] = e->elements[i] - op->element0;
    op->elements = e->less;
}

/**
 * Some granules of a struct of t->step, by lanes in a row, in tiles, or that are out of step with
 * what they own.
 */
static void make_columns(const struct trace *t, struct event *e)
{
    struct race_op *op = &e->op;
    const uint32_t parts = 1 + (pick(3) ? 0 : pick(t->step < 20 ? t->step : 20)),
                   column = pick(t->step - parts + 1), wide = 8u << pick(3);
    const uint32_t odd = pick(4) ? 0 : 1 + pick(9), kind = t->step == 1 && pick(8) ? 3 : pick(6),
                   down = t->step == 1 ? 64 * (1 + pick(3))
                          : pick(2)    ? 1
                                       : t->step * wide * (1 + pick(2)),
                   lanes = 8 * (1 + pick(pick(3) ? 8 : 32));
    const uint32_t room = BYTES / t->granularity - (t->ngroups - 1) * t->own - parts + 1;
    e->in_columns = true;
    op->size = parts * t->granularity;
    op->n = lanes + (pick(8) == 0);
    op->first_item = pick(4) ? 0 : pick(ITEMS - op->n + 1);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t at = kind < 3 ? i : kind == 3 ? i % wide : kind == 4 ? i ^ (8 * odd) : i / 2;
        const uint32_t more = kind == 3 ? i / wide * down : 0;
        e->elements[i] = ((at + odd * (kind != 4)) * t->step + column + more) % room;
    }
    const uint32_t few = pick(64);
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (pick(4)) e->mask[i] = i / 8 % 8 == few % 8 || i < few * 8 ? 0xff : 0;
        e->offsets[i] = (uint64_t)e->elements[i] * t->granularity;
    }
    const unsigned same = pick(3);
    for (unsigned i = 0; i < sizeof e->values; i++)
        e->values[i] = same == 0 ? 7 : same == 1 ? (uint8_t)pick(2) : (uint8_t)i;
    op->mask = pick(3) ? NULL : e->mask;
    op->values = op->is_write ? e->values : NULL;
    op->shape = pick(3) ? RACE_ELEMENTS : RACE_INDEXED;
    op->elements = e->elements;
    op->offsets = op->shape == RACE_INDEXED ? e->offsets : NULL;
}

static void make_mask(struct event *e, unsigned kind)
{
    const unsigned a = pick(64), b = 1 + pick(20);
    for (unsigned i = 0; i < ITEMS; i++)
        e->mask[i] = (kind == 0   ? pick(2)
                      : kind == 1 ? i % 16 == a % 16
                      : kind == 2 ? i >= a
                      : kind == 3 ? i / b % 2
                                  : i < a * 8)
                         ? 0xff
                         : 0;
}

/**
 * An access of local memory whose work-items have places of their own, as most have, in an order
 * that comes up often, or one place for all.
 */
static void make_again(const struct trace *t, struct event *e)
{
    struct race_op *const op = &e->op;
    unsigned barriers = 0;
    for (size_t i = 0; i < t->events.len; i++) barriers += t->events.data[i]->is_barrier;
    const uint32_t kind = op->is_write && pick(8) ? t->ngroups : pick(8),
                   a = op->is_write ? 0 : pick(2);
    const uint32_t part = (pick(12) ? barriers + op->is_write : pick(2)) % 2 *
                          2000; // what is written is read after the barrier
    e->object = op->object = LOCAL;
    op->size = t->granularity;
    op->n = pick(4) ? 256 : 8 + pick(ITEMS - 8);
    op->first_item = pick(4) || op->n > 300 ? 0 : 256;
    const unsigned same = pick(3);
    for (unsigned i = 0; i < sizeof e->values; i++)
        e->values[i] = same == 0 ? 7 : same == 1 ? (uint8_t)pick(2) : (uint8_t)i;
    for (unsigned i = 0; i < ITEMS; i++) {
        const uint32_t item = op->first_item + i;
        e->elements[i] = part + (kind < 2 || kind > 8 ? item
                                 : kind == 2          ? item ^ 1
                                 : kind == 3          ? item / 16 * (16 + a) + item % 16
                                 : kind == 4          ? item % 16 * (16 + a) + item / 16 % 16
                                                      : 3 * item);
        e->offsets[i] = (uint64_t)e->elements[i] << op->element_shift;
    }
    make_mask(e, pick(5));
    op->mask = pick(3) ? NULL : e->mask;
    op->values = op->is_write ? e->values : NULL;
    op->elements = e->elements;
    op->shape = pick(30) == 0 ? RACE_INDEXED : RACE_ELEMENTS;
    op->offsets = op->shape == RACE_INDEXED ? e->offsets : NULL;
    if (kind > 1 && kind < 9) return;
    op->shape = pick(3) ? RACE_CONTIGUOUS : RACE_UNIFORM;
    op->offset0 = e->offsets[0];
    if (op->shape == RACE_CONTIGUOUS || pick(2)) op->mask = NULL;
    if (op->shape == RACE_UNIFORM && op->is_write) op->n = 1, op->mask = NULL;
}

/**
 * An access of global memory as in loops that add to what is there; a few are of other work-items.
 */
static void make_in_place(const struct trace *t, struct event *e)
{
    struct race_op *const op = &e->op;
    const uint32_t kind = pick(20) ? t->kind : pick(6), base = pick(8) ? 0 : pick(3) * 300;
    e->object = op->object = GLOBAL;
    e->in_columns = true;
    op->is_atomic = false;
    op->site = 1 + pick(3) + op->is_write * 4;
    op->size = t->granularity;
    op->n = pick(16) ? 512 : 8 * (1 + pick(64));
    op->first_item = pick(16) ? 0 : pick(ITEMS - op->n + 1);
    for (uint32_t i = 0; i < ITEMS; i++) {
        e->elements[i] = base + (kind == 0   ? i
                                 : kind == 1 ? 3 * i
                                 : kind == 2 ? i / 32 * 64 + i % 32
                                 : kind == 3 ? i + 1
                                 : kind == 4 ? i ^ 1
                                             : i / 2);
        e->offsets[i] = (uint64_t)e->elements[i] << op->element_shift;
    }
    make_mask(e, 2 + 2 * pick(2));
    const unsigned same = pick(3);
    for (unsigned i = 0; i < sizeof e->values; i++)
        e->values[i] = same == 0 ? 7 : same == 1 ? (uint8_t)pick(2) : (uint8_t)i;
    op->mask = pick(12) ? NULL : e->mask;
    op->values = op->is_write ? e->values : NULL;
    op->elements = e->elements;
    op->shape = pick(30) == 0 ? RACE_INDEXED : RACE_ELEMENTS;
    op->offsets = op->shape == RACE_INDEXED ? e->offsets : NULL;
    if ((kind && kind != 3) || pick(2)) return;
    op->shape = RACE_CONTIGUOUS;
    op->offset0 = e->offsets[0];
    op->mask = NULL;
}

/**
 * `like`: an earlier event whose places, mask or values are taken again, perhaps but for one lane.
 */
static void make_op(const struct trace *t, struct event *e, const struct event *like)
{
    struct race_op *op = &e->op;
    e->object = LOCAL + pick(2);
    *op = (struct race_op){.object = e->object, .is_write = pick(2), .is_atomic = pick(8) == 0};
    op->site = 1 + pick(3) + op->is_write * 4 + op->is_atomic * 8;
    const unsigned parts = pick(3) ? 1 : 1 + pick(4);
    op->size = t->granularity * parts;
    op->element_shift = (unsigned)__builtin_ctz(t->granularity);
    if (t->again) {
        make_again(t, e);
        return;
    }
    if (t->in_place) {
        make_in_place(t, e);
        return;
    }
    if (t->step && pick(8)) {
        e->object = op->object = GLOBAL;
        make_columns(t, e);
        return;
    }
    if (pick(40) == 0) op->size = 1; // cells must be cut
    op->n = pick(3) ? 256 : 1 + pick(ITEMS);
    op->first_item = pick(4) ? 0 : pick(ITEMS - op->n + 1);
    const unsigned kind = t->calm ? pick(2) ? 7 : pick(4) : pick(11);
    const uint32_t a = pick(pick(2) ? 2 : 20), b = pick(9);
    const uint32_t base = pick(3) ? 0 : pick(200), every = pick(6);
    const bool again = like && !like->is_barrier && pick(4);
    if (again && op->size != 1) op->size = like->op.size;
    const uint32_t room = BYTES / t->granularity -
                          (op->size + t->granularity - 1) / t->granularity + 1;
    if (again) {
        memcpy(e->elements, like->elements, sizeof e->elements);
        if (pick(3) == 0)
            for (unsigned i = 0; i < ITEMS; i++) e->elements[i] = (e->elements[i] + base) % room;
        op->n = like->op.n;
        op->first_item = like->op.first_item;
    } else {
        for (unsigned i = 0; i < ITEMS; i++)
            e->elements[i] = (base + place(kind, i, a, b) * (t->calm || every ? parts : 1)) % room;
    }
    for (unsigned i = 0; i < ITEMS; i++)
        if (e->elements[i] >= room) e->elements[i] = 0;
    if (!t->calm && pick(5) == 0)
        e->elements[pick(op->n)] = e->elements[pick(op->n)]; // one lane goes astray
    const bool masked = pick(3) == 0;
    make_mask(e, pick(5));
    if (like && pick(2)) memcpy(e->mask, like->mask, sizeof e->mask);
    for (unsigned i = 0; masked && i < ITEMS; i++) // inactive lanes may have any address
        if (!e->mask[i] && pick(3) == 0) e->elements[i] = pick(2) ? pick(1u << 30) : 0;
    for (unsigned i = 0; i < ITEMS; i++)
        e->offsets[i] = (uint64_t)e->elements[i] << op->element_shift;
    const bool far = t->apart && pick(12);
    const uint32_t begin = far ? pick(8) * 456 % room : 0;
    if (far && pick(3)) {
        op->n = pick(2) ? 8 + pick(57) : 16 * (1 + pick(4));
        op->first_item = pick(3) * 64;
        for (unsigned i = 0; i < ITEMS; i++) {
            const uint32_t at = a % 3 == 0   ? i ^ (b & 3)
                                : a % 3 == 1 ? i / 16 * (16 + b) + i % 16
                                             : i * (1 + b % 3);
            e->elements[i] = (begin + pick(40) / 39 + at * parts) % room;
            e->offsets[i] = (uint64_t)e->elements[i] << op->element_shift;
        }
    }
    const unsigned same = pick(3);
    for (unsigned i = 0; i < sizeof e->values; i++)
        e->values[i] = same == 0 ? 7 : same == 1 ? (uint8_t)pick(2) : (uint8_t)i;
    op->mask = masked ? e->mask : NULL;
    op->values = op->is_write && pick(20) ? e->values : NULL;
    op->shape = pick(3) ? RACE_ELEMENTS : RACE_INDEXED;
    op->elements = e->elements;
    op->offsets = op->shape == RACE_INDEXED ? e->offsets : NULL;
    if (!far || pick(2)) return;
    op->shape = pick(4) ? RACE_CONTIGUOUS : RACE_UNIFORM;
    if (op->shape == RACE_CONTIGUOUS) op->mask = NULL;
    else if (op->is_write && pick(8)) op->n = 1, op->mask = NULL;
    op->offset0 = (uint64_t)begin << op->element_shift;
    if (op->offset0 + (uint64_t)op->n * op->size > BYTES) op->offset0 = 0;
}

struct reports {
    VEC(struct race_pair) found;
};
static void found(void *ctx, const struct race_pair *p)
{
    vec_push(&((struct reports *)ctx)->found, *p);
}

/** What the event does in that round. */
static struct race_op in_round(const struct trace *t, const struct event *e, unsigned round)
{
    static uint8_t mask[ITEMS];
    struct race_op op = e->op;
    if (op.values)
        op.values = e->values + 8 * (round < 2 ? 0 : round % 3); // at first the same ones
    if (!t->other_masks || !op.mask) return op;
    for (unsigned i = 0; i < ITEMS; i++)
        mask[i] = i / 8 % 4 <= round / 2 ? e->mask[i] : 0; // more and more
    op.mask = mask;
    return op;
}

/** The event's access by a group that has a part of its own. */
static void global(struct race_worker *w, const struct trace *t, const struct event *e,
                   unsigned round, uint64_t granules)
{
    static uint32_t elements[ITEMS];
    static uint64_t offsets[ITEMS];
    const struct race_op all = in_round(t, e, round);
    struct race_op op = all;
    for (unsigned i = 0; i < ITEMS; i++) {
        elements[i] = (op.elements ? op.elements[i] : 0) + (uint32_t)granules;
        offsets[i] = e->offsets[i] + granules * t->granularity;
    }
    if (op.elements) op.elements = elements;
    if (op.offsets) op.offsets = offsets;
    race_global(w, e->in_columns ? &op : &all);
}

/**
 * The event's access of local memory by a group that is not quite like the others; now and then
 * there is none.
 */
static void uneven(struct race_worker *w, const struct trace *t, const struct event *e,
                   unsigned group, unsigned i)
{
    struct race_op op = e->op;
    const uint64_t h = (group * 977u + i) * 0x9e3779b97f4a7c15ull >> 32;
    if (h % (t->again ? 97 : 23) == 0) return;
    if (h % 89 == 1 && op.shape == RACE_ELEMENTS && op.layout) op.element0++;
    if (h % 89 == 2 && op.shape != RACE_ELEMENTS) op.offset0 += t->granularity;
    if (op.layout && h >> 8 & 1) op.mask = h >> 9 & 1 ? e->mask : NULL;
    if (op.values && h >> 10 & 1) op.values = e->values + 8 * ((h >> 11) % 3);
    race_local(w, &op);
}

static void run(const struct trace *t, struct reports *reports, bool exact, unsigned epoch_bits)
{
    const unsigned workers = t->step ? 2 : 1;
    const struct race_config c = {.workers = workers,
                                  .ngroups = t->ngroups,
                                  .group_items = ITEMS,
                                  .nsites = 20,
                                  .nobjects = NOBJECTS,
                                  .found = found,
                                  .ctx = reports,
                                  .epoch_bits = epoch_bits,
                                  .exact = exact};
    struct race_launch *l = race_launch_create(&c);
    race_watch_local(l, LOCAL, BYTES, t->granularity);
    race_watch_global(l, GLOBAL, t, 0, BYTES, t->granularity);
    for (unsigned g = 0; g < t->ngroups; g++) {
        struct race_worker *w = race_worker_get(l, g % workers);
        race_group_begin(w, g);
        for (size_t i = 0, round = 0; i < t->events.len; i++) {
            const struct event *e = t->events.data[i];
            const struct race_op op = in_round(t, e, (unsigned)round);
            if (e->is_barrier) race_barrier(w, e->fences, BC_SCOPE_GROUP);
            else if (e->object == LOCAL && t->uneven) uneven(w, t, e, g, (unsigned)i);
            else if (e->object == LOCAL) race_local(w, &e->op);
            else if (t->step) global(w, t, e, (unsigned)round, g * t->own);
            else if (t->calm ? g == 0 : i % 2 || g % 2) race_global(w, &op);
            if (i == t->to && round < t->rounds) i = t->from - (size_t)1, round++;
        }
    }
    race_launch_end(l);
    race_launch_destroy(l);
}

static bool same_side(const struct race_access *a, const struct race_access *b)
{
    return a->site == b->site && a->group == b->group && a->item == b->item &&
           a->is_write == b->is_write && a->is_atomic == b->is_atomic && a->barriers == b->barriers;
}

static bool try_seed(uint64_t seed, unsigned *races)
{
    rng = seed * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; i++) pick(2);
    struct trace t = {
        .ngroups = 1 + pick(6), .uneven = pick(2), .granularity = 1u << pick(4), .calm = pick(2)};
    t.apart = !t.calm && pick(2);
    if (pick(3) == 0)
        t.step = pick(4) == 0 ? 1 : pick(3) ? 2 + pick(10) : pick(2) ? 12 + pick(9) : 16 << pick(3);
    t.again = !t.step && pick(2);
    if (t.again) t.ngroups += 5, t.uneven = true, t.calm = t.apart = false;
    if (t.step == 1) t.ngroups += 6;
    if (t.step)
        t.granularity = 1u << pick(t.step < 12 ? 4 : 2), t.calm &= pick(2),
        t.own = pick(3) ? 8 * t.step * pick(4) : pick(99);
    t.in_place = !t.step && !t.again && pick(3) == 0;
    if (t.in_place)
        t.calm = t.apart = false, t.step = 1, t.own = pick(3) ? 512u >> pick(10) : 0,
        t.kind = pick(4), t.granularity = 1u << pick(3);
    for (unsigned n = (t.apart || t.again ? 6 : 2) + pick(14); n; n--) {
        struct event *e = mem_alloc(sizeof *e);
        *e = (struct event){.is_barrier = pick(t.in_place ? 10 : 4) == 0, .fences = 1 + pick(3)};
        if (!e->is_barrier)
            make_op(&t, e, t.events.len ? t.events.data[pick((unsigned)t.events.len)] : NULL),
                name_layout(&t, e);
        vec_push(&t.events, e);
        if (!t.calm) continue;
        struct event *const barrier = mem_alloc(sizeof *e);
        *barrier = (struct event){.is_barrier = true, .fences = 3};
        vec_push(&t.events, barrier);
    }
    if (t.in_place || pick(3) == 0) {
        t.from = pick((unsigned)t.events.len);
        t.to = t.from + pick(5);
        if (t.to >= t.events.len) t.to = (unsigned)t.events.len - 1;
        t.rounds = 1 + pick(t.in_place ? 12 : 5);
        t.other_masks = pick(2);
    }
    const unsigned epoch_bits = pick(3) ? 0 : 3 + pick(3);
    struct reports quick = {0}, rules = {0};
    run(&t, &quick, false, epoch_bits);
    run(&t, &rules, true, epoch_bits);
    bool good = quick.found.len == rules.found.len;
    for (size_t i = 0; good && i < rules.found.len; i++) {
        const struct race_pair *a = &quick.found.data[i], *b = &rules.found.data[i];
        good = a->verdict == b->verdict && a->object == b->object && a->offset == b->offset &&
               a->size == b->size && same_side(&a->first, &b->first) &&
               same_side(&a->second, &b->second) && a->count == b->count && a->groups == b->groups;
    }
    *races += rules.found.len != 0;
    if (!good)
        print_message("seed %llu: %zu pairs, by the rules %zu, or they differ\n",
                      (unsigned long long)seed, quick.found.len, rules.found.len);
    vec_free(&quick.found);
    vec_free(&rules.found);
    for (size_t i = 0; i < t.events.len; i++) free(t.events.data[i]);
    vec_free(&t.events);
    return good;
}

static void gangs_find_what_lanes_find(void **state)
{
    const char *env = getenv("CLDBG_TEST_TRACES");
    const uint64_t n = env ? strtoull(env, NULL, 10) / 4 : 4000;
    unsigned bad = 0, races = 0;
    for (uint64_t seed = 1; seed <= n && bad < 5; seed++) bad += !try_seed(seed, &races);
    assert_int_equal(bad, 0);
    if (getenv("CLDBG_TEST_TRACES"))
        print_message("%u of %u traces have races\n", races, (unsigned)n);
    assert_in_range(races, n / 10, n - n / 10); // both kinds of traces come up
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gangs_find_what_lanes_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

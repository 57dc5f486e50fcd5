// SPDX-License-Identifier: MIT
// Random small traces: the shadow must find each racy byte, with the right severity, and nothing
// else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "bytecode/bytecode.h"
#include "oracle.h"

#include <stdio.h>

enum {
    MAX_BYTES = 64 /* a chunk of cells of a byte */,
    LOCAL = 1,
    GLOBAL_A,
    GLOBAL_B,
    GLOBAL_ALIAS,
    NOBJECTS
};

static uint64_t rng;
static unsigned pick(unsigned n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (unsigned)(rng * 0x2545f4914f6cdd1dull >> 33) % n;
}

enum { MAX_GROUPS = 8 };

struct event {
    enum { ACCESS, BARRIER, COPY, WAIT } kind;
    bool is_local;
    unsigned fences;
    struct race_copy copy; // WAIT: its id
    struct race_op op;
    uint64_t offsets[40];
    uint32_t elements[40];
    uint8_t mask[40], values[40 * 16];
};

struct trace {
    unsigned ngroups, items, bytes, granularity, alias_at;
    bool mixed; // sizes and offsets that are not of the granularity
    bool copies;
    bool compress_always;
    unsigned rounds,
        last; // groups do the last few events, if nothing but accesses, so many times more
    VEC(struct event) events[MAX_GROUPS];
};

static void make_elements(const struct trace *t, struct event *e, unsigned step, unsigned room,
                          const struct event *before)
{
    struct race_op *op = &e->op;
    op->offsets = NULL;
    op->element_shift = (unsigned)__builtin_ctz(step);
    if (op->size % step) op->size = step;
    for (unsigned i = 0; i < op->n; i++)
        e->elements[i] = (uint32_t)(e->offsets[i] >> op->element_shift);
    if (before && before->op.shape == RACE_ELEMENTS &&
        before->op.element_shift == op->element_shift && pick(4)) {
        op->n = before->op.n;
        op->first_item = pick(2) ? before->op.first_item : pick(t->items - op->n + 1);
        uint32_t most = 0;
        for (unsigned i = 0; i < op->n; i++) {
            e->elements[i] = before->elements[i];
            e->mask[i] = pick(3) ? 0xff : 0;
            if (e->elements[i] > most) most = e->elements[i];
        }
        while ((uint64_t)most * step + op->size > room && op->size > step) op->size -= step;
        if ((uint64_t)most * step + op->size > room) // of an object that begins elsewhere
            for (unsigned i = 0; i < op->n; i++) e->elements[i] %= room / step;
    }
    op->elements = e->elements;
}

/**
 * `before`: the same group's event whose places are taken again (patterns are known from the second
 * time on), or NULL.
 */
static void make_op(struct trace *t, struct event *e, const struct event *before)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 16, 3, 12};
    struct race_op *op = &e->op;
    e->is_local = pick(2);
    op->object = e->is_local ? LOCAL : GLOBAL_A + pick(3);
    unsigned room = op->object == GLOBAL_ALIAS ? t->bytes - t->alias_at : t->bytes;
    op->site = 1 + pick(6);
    op->is_write = pick(2);
    op->is_atomic = pick(6) == 0;
    op->site += op->is_write * 6 + op->is_atomic * 12;
    op->size = t->mixed && pick(3) == 0 ? sizes[pick(7)]
               : pick(5)                ? t->granularity
                                        : t->granularity * 2;
    if (op->size > room) op->size = t->granularity;
    op->first_item = pick(3) ? 0 : pick(t->items);
    op->n = 1 + pick(t->items - op->first_item);
    op->shape = pick(3);
    if (op->shape == RACE_INDEXED && pick(3)) op->shape = RACE_ELEMENTS;
    unsigned step = t->mixed && pick(3) == 0 ? 1 : t->granularity,
             places = (room - op->size) / step + 1;
    if (op->shape == RACE_CONTIGUOUS) {
        if (op->n > room / op->size) op->n = room / op->size;
        places = (room - op->size * op->n) / step + 1;
    }
    op->offset0 = pick(places) * step;
    bool rows = pick(2); // runs of neighbors and of repeats, as tiles make
    unsigned width = 1 + pick(pick(2) ? 4 : 12), base = pick(places), along = pick(2);
    for (unsigned i = 0; i < op->n; i++)
        e->offsets[i] = (rows ? (base + (along ? i % width : i / width)) % places : pick(places)) *
                        step;
    op->offsets = op->shape == RACE_INDEXED ? e->offsets : NULL;
    bool masked = op->shape != RACE_CONTIGUOUS && pick(2);
    for (unsigned i = 0; i < op->n; i++) e->mask[i] = pick(3) ? 0xff : 0;
    if (op->shape == RACE_ELEMENTS) make_elements(t, e, step, room, before);
    op->mask = masked ? e->mask : NULL;
    unsigned kind = pick(4);
    for (unsigned i = 0; i < sizeof e->values; i++) e->values[i] = kind == 0 ? pick(2) : kind == 1;
    op->values = op->is_write && pick(8) ? e->values : NULL;
}

static void make_side(const struct trace *t, struct race_copy_side *s, unsigned size)
{
    s->object = pick(2) ? LOCAL : GLOBAL_A + pick(3);
    s->site = 25 + pick(6);
    s->size = size;
    const unsigned room = s->object == GLOBAL_ALIAS ? t->bytes - t->alias_at : t->bytes,
                   align = t->mixed ? 1 : t->granularity;
    s->offset = pick((room - size) / align + 1) * align;
    s->step = size * (1 + (pick(3) ? 0 : pick(3)));
    s->count = 1 + pick((room - size - (unsigned)s->offset) / (unsigned)s->step + 1);
}

/** Both sides have as many elements. */
static void make_copy(const struct trace *t, struct race_copy *c, unsigned id)
{
    const unsigned size = t->mixed ? 1u << pick(4) : t->granularity;
    c->id = id;
    c->items = t->items;
    make_side(t, &c->from, size);
    make_side(t, &c->to, size);
    if (c->from.count > c->to.count) c->from.count = c->to.count;
    c->to.count = c->from.count;
}

static void make_trace(struct trace *t)
{
    *t = (struct trace){.ngroups = 1 + pick(pick(3) ? 3 : MAX_GROUPS),
                        .items = 2 + pick(pick(4) ? 4 : 30),
                        .granularity = 1u << pick(4),
                        .mixed = pick(3) == 0,
                        .copies = pick(3) == 0};
    t->bytes = t->granularity * (2 + pick(3));
    if (t->mixed && t->bytes < 16) t->bytes = 16;
    if (pick(3) == 0 && t->bytes < 33) t->bytes += t->granularity * pick(4);
    if (pick(8) == 0)
        t->bytes = t->granularity * (t->granularity < 4   ? 24
                                     : t->granularity < 8 ? 16
                                                          : 8); // long rows
    t->alias_at = t->granularity * pick(2);
    if (pick(3) == 0) t->rounds = 1 + pick(4), t->last = 1 + pick(4);
    t->compress_always = (t->mixed || t->granularity == 1) && pick(2);
    for (unsigned g = 0; g < t->ngroups; g++) {
        unsigned ncopies = 0;
        for (unsigned n = 1 + pick(pick(3) ? 4 : 12); n; n--) {
            struct event e = {.kind = pick(4) == 0           ? BARRIER
                                      : t->copies && pick(2) ? COPY + pick(2)
                                                             : ACCESS,
                              .fences = pick(4)};
            const struct event *before = t->events[g].len ? &vec_last(&t->events[g]) : NULL;
            if (e.kind == ACCESS) make_op(t, &e, before && before->kind == ACCESS ? before : NULL);
            if (e.kind == COPY) make_copy(t, &e.copy, ncopies++);
            if (e.kind == WAIT) e.copy.id = pick(ncopies + 1); // maybe of none
            vec_push(&t->events[g], e);
        }
    }
}

struct reports {
    const struct trace *t;
    const struct oracle *o;
    uint8_t worst[3][MAX_BYTES]; // by root: local, A, B
    VEC(struct race_pair) found;
    const char *wrong;
    bool exact;
    struct race_pair bad;
};

static unsigned root_of(unsigned object)
{
    return object == LOCAL ? 0 : object == GLOBAL_B ? 2 : 1;
}
static uint64_t to_root(const struct trace *t, unsigned object)
{
    return object == GLOBAL_ALIAS ? t->alias_at : 0;
}

static void seen(void *ctx, const struct race_pair *p)
{
    struct reports *d = ctx;
    unsigned root = root_of(p->object);
    bool error = p->verdict == RACE_DATA || (p->verdict == RACE_FENCE && p->first.is_write);
    for (uint64_t b = p->offset; b < p->offset + p->size; b++) {
        uint64_t at = b + to_root(d->t, p->object);
        if (at >= d->t->bytes || !oracle_has_pair(d->o, root == 0, root, at, p)) {
            d->wrong = "a pair that is none";
            d->bad = *p;
            continue;
        }
        uint8_t c = error ? ORACLE_ERROR : ORACLE_WARNING;
        if (d->worst[root][at] < c) d->worst[root][at] = c;
    }
}

static void found(void *ctx, const struct race_pair *p)
{
    vec_push(&((struct reports *)ctx)->found, *p);
}

static void take_down(struct oracle *o, const struct trace *t, const struct event *e)
{
    const struct race_copy_side *from = &e->copy.from, *to = &e->copy.to;
    switch (e->kind) {
    case BARRIER: oracle_barrier(o, e->fences); break;
    case COPY:
        oracle_copy(o, e->copy.id, t->items, from->object == LOCAL, root_of(from->object),
                    to_root(t, from->object), from, false);
        oracle_copy(o, e->copy.id, t->items, to->object == LOCAL, root_of(to->object),
                    to_root(t, to->object), to, true);
        break;
    case WAIT: oracle_copy_end(o, e->copy.id); break;
    default: oracle_access(o, e->is_local, root_of(e->op.object), to_root(t, e->op.object), &e->op);
    }
}

/** The index of the first event that a group repeats; the number of events if it repeats none. */
static size_t loop_of(const struct trace *t, unsigned g)
{
    size_t first = t->events[g].len;
    while (first && t->events[g].len - first < t->last &&
           t->events[g].data[first - 1].kind == ACCESS)
        first--;
    return first;
}

/** Runs the groups in the order `order`, group i on worker where[i]. */
static void run(const struct trace *t, struct reports *d, unsigned workers, const unsigned *order,
                const unsigned *where, unsigned epoch_bits, unsigned nsites, struct oracle *fill)
{
    struct race_config c = {.workers = workers,
                            .ngroups = t->ngroups,
                            .group_items = t->items,
                            .nsites = nsites,
                            .nobjects = NOBJECTS,
                            .copies = t->copies,
                            .found = found,
                            .seen = d->o ? seen : NULL,
                            .ctx = d,
                            .epoch_bits = epoch_bits,
                            .exact = d->exact,
                            .compress_always = t->compress_always,
                            .unmerged = d->o != NULL};
    static char a, b;
    struct race_launch *l = race_launch_create(&c);
    const unsigned bytes = t->compress_always ? MAX_BYTES
                                              : t->bytes; // only whole chunks are compressed
    race_watch_local(l, LOCAL, t->bytes, t->granularity);
    race_watch_global(l, GLOBAL_A, &a, 0, bytes, t->granularity);
    race_watch_global(l, GLOBAL_B, &b, 0, bytes, t->granularity);
    race_watch_global(l, GLOBAL_ALIAS, &a, t->alias_at, bytes - t->alias_at, t->granularity);
    for (unsigned k = 0; k < t->ngroups; k++) {
        unsigned g = order[k];
        struct race_worker *w = race_worker_get(l, where[g]);
        race_group_begin(w, g);
        if (fill) oracle_group_begin(fill, g);
        for (size_t i = 0, round = 0;
             i < t->events[g].len ||
             (round++ < t->rounds && (i = loop_of(t, g)) < t->events[g].len);
             i++) {
            struct event *e = &t->events[g].data[i];
            if (e->op.mask) e->op.mask = e->mask; // they moved while the trace was made
            if (e->op.values) e->op.values = e->values;
            if (e->op.offsets) e->op.offsets = e->offsets;
            if (e->op.elements) e->op.elements = e->elements;
            if (fill) take_down(fill, t, e);
            switch (e->kind) {
            case BARRIER: race_barrier(w, e->fences, BC_SCOPE_GROUP); break;
            case COPY: race_copy_begin(w, &e->copy); break;
            case WAIT: race_copy_end(w, e->copy.id); break;
            default: (e->is_local ? race_local : race_global)(w, &e->op);
            }
        }
    }
    race_launch_end(l);
    race_launch_destroy(l);
}

static bool try_seed(uint64_t seed)
{
    rng = seed * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; i++) pick(2);
    struct trace t;
    make_trace(&t);
    unsigned order[MAX_GROUPS] = {0, 1, 2, 3, 4, 5, 6, 7}, where[MAX_GROUPS];
    unsigned workers = 1 + pick(3), epoch_bits = pick(3) ? 0 : 3 + pick(2);
    const unsigned nsites = pick(4) ? 32 : 1 << 20; // stamps of 8 bytes
    for (unsigned g = 0; g < t.ngroups; g++) where[g] = pick(workers);
    const bool ascends = pick(2);
    for (unsigned g = t.ngroups; g > 1 && !ascends; g--) {
        unsigned k = pick(g), x = order[g - 1];
        order[g - 1] = order[k], order[k] = x;
    }
    // All accesses must be known before pairs are judged: races between groups are not of an order.
    struct oracle *o = oracle_create();
    bool exact = pick(5) == 0;
    struct reports first = {.t = &t, .exact = exact}, d = {.t = &t, .o = o, .exact = exact};
    run(&t, &first, workers, order, where, epoch_bits, nsites, o);
    run(&t, &d, workers, order, where, epoch_bits, nsites, NULL);
    for (unsigned root = 0; root < 3 && !d.wrong; root++)
        for (uint64_t b = 0; b < t.bytes && !d.wrong; b++) {
            struct oracle_byte want = oracle_byte(o, root == 0, root, b);
            if (d.worst[root][b] < want.least)
                d.wrong = "a racy byte is not reported as what it is";
            if (d.worst[root][b] > want.most) d.wrong = "a byte is reported as worse than it is";
            if (d.wrong)
                d.bad = (struct race_pair){.object = root,
                                           .offset = b,
                                           .size = want.least,
                                           .count = want.most,
                                           .groups = d.worst[root][b]};
        }
    // Findings must not depend on order and workers.
    struct reports one = {.t = &t, .exact = exact};
    static const unsigned up[] = {0, 1, 2, 3, 4, 5, 6, 7}, zero[MAX_GROUPS];
    run(&t, &one, 1, up, zero, 0, 32, NULL);
    if (!d.wrong && !t.mixed) {
        bool same = one.found.len == first.found.len;
        for (size_t i = 0; same && i < one.found.len; i++) {
            struct race_pair x = one.found.data[i], y = first.found.data[i];
            if (epoch_bits)
                x.first.barriers = x.second.barriers = y.first.barriers = y.second.barriers = 0;
            same = x.verdict == y.verdict && x.object == y.object && x.offset == y.offset &&
                   x.size == y.size && x.count == y.count && x.groups == y.groups &&
                   x.first.site == y.first.site && x.first.item == y.first.item &&
                   x.first.group == y.first.group && x.first.barriers == y.first.barriers &&
                   x.second.site == y.second.site && x.second.item == y.second.item &&
                   x.second.group == y.second.group;
        }
        if (!same) d.wrong = "the outcome depends on the workers";
    }
    if (d.wrong) {
        print_message("seed %llu: %s: verdict %d object %u offset %llu size %u count %llu groups "
                      "%llu sites %u %u items %u %u\n",
                      (unsigned long long)seed, d.wrong, d.bad.verdict, d.bad.object,
                      (unsigned long long)d.bad.offset, d.bad.size, (unsigned long long)d.bad.count,
                      (unsigned long long)d.bad.groups, d.bad.first.site, d.bad.second.site,
                      d.bad.first.item, d.bad.second.item);
    }
    bool good = !d.wrong;
    oracle_destroy(o);
    for (unsigned g = 0; g < t.ngroups; g++) vec_free(&t.events[g]);
    vec_free(&d.found);
    vec_free(&first.found);
    vec_free(&one.found);
    return good;
}

static void the_shadow_finds_what_the_rules_say(void **state)
{
    const char *env = getenv("CLDBG_TEST_TRACES");
    uint64_t n = env ? strtoull(env, NULL, 10) : 24000;
    unsigned bad = 0;
    for (uint64_t seed = 1; seed <= n && bad < 5; seed++) bad += !try_seed(seed);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_shadow_finds_what_the_rules_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

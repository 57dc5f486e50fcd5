// SPDX-License-Identifier: MIT
// Random small traces of launches that synchronize through atomics. The oracle draws an edge for
// each single thing that orders (program order, barriers, each release with each acquire that reads
// from it), closes the relation, and looks at each two accesses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bytecode/bytecode.h"
#include "race/race.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_ITEMS = 16,
    MAX_EVENTS = 200,
    PLACES = 4,
    LOCAL = 1,
    GLOBAL = 2,
    STRICT = 0,
    DE_FACTO = 1
};

static uint64_t rng;
static unsigned pick(unsigned n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (unsigned)(rng * 0x2545f4914f6cdd1dull >> 33) % n;
}

enum what { READ, WRITE, ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_RMW, FENCE, BARRIER_IN, BARRIER_OUT };

/**
 * What one work-item does. A barrier is two events of each work-item of the group. Events that
 * several do together is an event of each, one after the other, and they have the number of the
 * first one as their site.
 */
struct event {
    enum what what;
    unsigned group, item, object, place, site;
    unsigned order, scope, fences, barrier, barriers;
    bool legacy, first_of_barrier;
};

struct trace {
    unsigned ngroups, items, n;
    bool wide_scopes; // none of less than the device, but of barriers
    bool apart;       // atomics order their own memory
    struct event e[MAX_EVENTS];
    bool edge[2][2][MAX_EVENTS][MAX_EVENTS]; // [kind][space is local]
};

static bool reads(const struct event *e) { return e->what == ATOMIC_LOAD || e->what == ATOMIC_RMW; }
static bool is_atomic(const struct event *e)
{
    return e->what >= ATOMIC_LOAD && e->what <= ATOMIC_RMW;
}
static bool writes(const struct event *e)
{
    return e->what == WRITE || e->what == ATOMIC_STORE || e->what == ATOMIC_RMW;
}
static bool is_access(const struct event *e) { return e->what <= ATOMIC_RMW; }
static bool same_item(const struct event *a, const struct event *b)
{
    return a->group == b->group && a->item == b->item;
}
static bool acquires(const struct event *e)
{
    return e->order == BC_ACQUIRE || e->order == BC_ACQ_REL || e->order == BC_SEQ_CST;
}
static bool releases(const struct event *e)
{
    return e->order == BC_RELEASE || e->order == BC_ACQ_REL || e->order == BC_SEQ_CST;
}

// ---- traces
/** Some or all work-items of the group, each at one place or each at its own. */
static void add_gang(struct trace *t, struct event *e, bool scattered)
{
    const unsigned first = t->n, from = pick(2) ? 0 : pick(t->items), most = pick(2) ? 1 : 3;
    if (pick(3)) e->what = READ;
    for (e->item = from; e->item < t->items; e->item++) {
        if (most > 1 && !pick(most)) continue;
        if (scattered) e->place = pick(PLACES);
        e->site = first;
        t->e[t->n++] = *e;
    }
}

static void make_trace(struct trace *t)
{
    static const unsigned orders[] = {BC_RELAXED, BC_RELAXED, BC_ACQUIRE, BC_RELEASE,
                                      BC_ACQ_REL, BC_SEQ_CST, BC_CL1,     BC_CL1_UNUSED};
    static const unsigned scopes[] = {BC_SCOPE_DEVICE, BC_SCOPE_DEVICE, BC_SCOPE_GROUP,
                                      BC_SCOPE_ITEM};
    memset(t, 0, sizeof *t);
    t->ngroups = 1 + pick(3);
    t->items = 1 + pick(3);
    t->wide_scopes = pick(2);
    t->apart = pick(2);
    unsigned passed[3] = {0}, nbarriers = 0;
    const bool wide = !pick(4); // many work-items, which mostly do things together: places that
                                // more have read than a short list holds
    if (wide) t->items = 6 + pick(MAX_ITEMS - 5);
    for (unsigned left = 4 + pick(40); left && t->n + 2 * t->items <= MAX_EVENTS; left--) {
        struct event e = {.group = pick(t->ngroups),
                          .item = pick(t->items),
                          .object = pick(3) ? GLOBAL : LOCAL,
                          .place = pick(PLACES),
                          .scope = scopes[pick(t->wide_scopes ? 2 : 4)],
                          .order = orders[pick(8)]};
        e.barriers = passed[e.group];
        unsigned k = pick(16);
        if (k < 6) {
            e.what = k < 3 ? READ : WRITE;
            if (wide && k < 5 && pick(4)) {
                add_gang(t, &e, pick(2));
                continue;
            }
        } else if (k < 12) {
            e.what = ATOMIC_LOAD + pick(3);
            if (bc_is_cl1(e.order) && e.what != ATOMIC_RMW) e.order = BC_RELAXED;
            if (e.what == ATOMIC_LOAD && releases(&e)) e.order = BC_ACQUIRE;
            if (e.what == ATOMIC_STORE && acquires(&e)) e.order = BC_RELEASE;
            if (pick(2)) e.place = 0;
        } else if (k < 15) {
            e.what = FENCE;
            e.fences = 1 + pick(3);
            e.legacy = pick(2);
            e.order = BC_ACQUIRE + pick(4);
        } else {
            e.fences = pick(4);
            e.scope = pick(2) ? BC_SCOPE_DEVICE : BC_SCOPE_GROUP;
            e.barrier = nbarriers++;
            for (unsigned i = 0; i < 2 * t->items; i++) {
                e.what = i < t->items ? BARRIER_IN : BARRIER_OUT;
                e.item = i % t->items;
                e.first_of_barrier = !i;
                e.site = t->n;
                t->e[t->n++] = e;
            }
            passed[e.group]++;
            continue;
        }
        const unsigned others = wide && pick(2)
                                    ? pick(t->items)
                                    : 0; // that do the same, as a counter of those that are done
        for (unsigned i = 0; i <= others && t->n < MAX_EVENTS; i++) {
            e.site = t->n; // each event has a site of its own
            t->e[t->n++] = e;
            e.item = (e.item + 1) % t->items;
        }
    }
}

// ---- the oracle
/** Whether a thing done with `scope` includes the other work-item. */
static bool includes(unsigned scope, const struct event *a, const struct event *b)
{
    return scope >= BC_SCOPE_DEVICE || (scope == BC_SCOPE_GROUP && a->group == b->group);
}

/** Events that stand for a release by write w to others like b: itself, or fences before it. */
static bool is_release(const struct event *f, const struct event *w, const struct event *b,
                       int kind, bool local)
{
    if (f == w) return releases(w);
    if (f >= w || !same_item(f, w) || (f->what != FENCE && f->what != BARRIER_OUT)) return false;
    if (!(f->fences & (local ? BC_FENCE_LOCAL : BC_FENCE_GLOBAL))) return false;
    if (f->what == FENCE && !releases(f)) return false;
    if (kind == DE_FACTO && bc_is_cl1(w->order) && (f->legacy || f->what == BARRIER_OUT))
        return true;
    return !(f->legacy && kind == STRICT) && includes(f->scope, w, b);
}

// A barrier's fences acquire on the way in and release on the way out: everyone after it knows,
// and says so.
static bool is_acquire(const struct event *f, const struct event *r, const struct event *w,
                       int kind, bool local)
{
    if (f == r) return acquires(r) || (kind == DE_FACTO && r->order == BC_CL1);
    if (f <= r || !same_item(f, r) || (f->what != FENCE && f->what != BARRIER_IN)) return false;
    if (!(f->fences & (local ? BC_FENCE_LOCAL : BC_FENCE_GLOBAL))) return false;
    if (f->what == FENCE && !acquires(f)) return false;
    if (kind == DE_FACTO && bc_is_cl1(r->order) && (f->legacy || f->what == BARRIER_IN))
        return true;
    return !(f->legacy && kind == STRICT) && includes(f->scope, w, r);
}

/** Does the read take a value of the release sequence that w is in? */
static bool reads_from(const struct trace *t, unsigned w, unsigned r)
{
    const struct event *a = &t->e[w], *b = &t->e[r], *head = NULL;
    if (!is_atomic(a) || !writes(a) || !reads(b) || a->object != b->object || a->place != b->place)
        return false;
    if (a->object == LOCAL && a->group != b->group) return false;
    for (unsigned i = 0; i < r; i++) {
        const struct event *x = &t->e[i];
        if (!is_atomic(x) || !writes(x) || x->object != a->object || x->place != a->place) continue;
        if (x->object == LOCAL && x->group != a->group) continue;
        bool begins = x->what == ATOMIC_STORE && (!head || !same_item(head, x));
        if (begins && i > w) return false;
        if (begins) head = x;
    }
    return includes(a->scope, a, b) && includes(b->scope, a, b);
}

/**
 * Of the memory that a and b are not in, f and h: two that are sequentially consistent, or fences,
 * of both memories where they acquire.
 */
static bool is_beyond(const struct event *f, const struct event *a, const struct event *h,
                      const struct event *b)
{
    return (f != a || f->order == BC_SEQ_CST) &&
           (h == b ? h->order == BC_SEQ_CST : h->fences == (BC_FENCE_LOCAL | BC_FENCE_GLOBAL));
}

static void draw(struct trace *t, int kind, bool local)
{
    bool(*edge)[MAX_EVENTS] = t->edge[kind][local];
    for (unsigned i = 0; i < t->n; i++)
        for (unsigned j = i + 1; j < t->n; j++) {
            const struct event *a = &t->e[i], *b = &t->e[j];
            edge[i][j] |= same_item(a, b);
            edge[i][j] |= a->what == BARRIER_IN && b->what == BARRIER_OUT &&
                          a->barrier == b->barrier &&
                          a->fences & (local ? BC_FENCE_LOCAL : BC_FENCE_GLOBAL);
            if (!reads_from(t, i, j)) continue;
            const bool apart = t->apart && kind == STRICT && local != (a->object == LOCAL);
            for (unsigned f = 0; f <= i; f++)
                for (unsigned h = j; h < t->n; h++)
                    edge[f][h] |= (!apart || is_beyond(&t->e[f], a, &t->e[h], b)) &&
                                  is_release(&t->e[f], a, b, kind, local) &&
                                  is_acquire(&t->e[h], b, a, kind, local);
        }
    for (unsigned k = 0; k < t->n; k++)
        for (unsigned i = 0; i < k; i++)
            for (unsigned j = k + 1; edge[i][k] && j < t->n; j++) edge[i][j] |= edge[k][j];
}

enum { NOTHING = -1 };

/** The verdict on two accesses, or NOTHING. */
static int judge(const struct trace *t, unsigned i, unsigned j)
{
    const struct event *a = &t->e[i], *b = &t->e[j];
    if (!is_access(a) || !is_access(b) || a->object != b->object || a->place != b->place ||
        same_item(a, b))
        return NOTHING;
    if ((!writes(a) && !writes(b)) || (is_atomic(a) && is_atomic(b))) return NOTHING;
    bool local = a->object == LOCAL;
    if (local && a->group != b->group) return NOTHING;
    if (t->edge[STRICT][local][i][j]) return NOTHING;
    if (t->edge[DE_FACTO][local][i][j]) return RACE_RELAXED;
    return a->group == b->group && a->barriers != b->barriers ? RACE_FENCE : RACE_DATA;
}

// ---- what the check says
struct reports {
    const struct trace *t;
    bool reported[2][PLACES][4]; // by verdict
    const char *wrong;
};

static unsigned event_of(const struct trace *t, const struct race_access *a)
{
    unsigned i = a->site;
    while (i < t->n && t->e[i].site == a->site &&
           (t->e[i].item != a->item || t->e[i].group != a->group))
        i++;
    return i;
}

static void seen(void *ctx, const struct race_pair *p)
{
    struct reports *d = ctx;
    unsigned i = event_of(d->t, &p->first), j = event_of(d->t, &p->second);
    if (i > j) {
        const unsigned k = i;
        i = j;
        j = k;
    }
    if (i >= d->t->n || j >= d->t->n || judge(d->t, i, j) != (int)p->verdict) {
        d->wrong = "a pair that is none";
        return;
    }
    d->reported[p->object == LOCAL][p->offset / 4][p->verdict] = true;
}

/** Event i, and those after it that come together with it. Gives the last one. */
static unsigned access(struct race_worker *w, const struct trace *t, unsigned i)
{
    const struct event *const e = &t->e[i];
    uint32_t elements[MAX_ITEMS] = {0}, values[MAX_ITEMS] = {0};
    uint8_t mask[MAX_ITEMS] = {0};
    bool is_uniform = true;
    unsigned n = 0, last = i;
    for (unsigned k = i; k < t->n && t->e[k].site == e->site; last = k++) {
        const unsigned lane = t->e[k].item - e->item;
        mask[lane] = 0xff;
        elements[lane] = t->e[k].place;
        values[lane] = k + 1; // no two are the same
        is_uniform &= t->e[k].place == e->place;
        n = lane + 1;
    }
    const struct race_op op = {.site = e->site,
                               .object = e->object,
                               .is_write = e->what == WRITE,
                               .shape = is_uniform ? RACE_UNIFORM : RACE_ELEMENTS,
                               .size = 4,
                               .offset0 = 4 * e->place,
                               .elements = elements,
                               .element_shift = 2,
                               .mask = mask,
                               .first_item = e->item,
                               .n = n,
                               .values = values};
    (e->object == LOCAL ? race_local : race_global)(w, &op);
    return last;
}

static void run(const struct trace *t, struct reports *d)
{
    static char root;
    struct race_config c = {.workers = t->ngroups,
                            .ngroups = t->ngroups,
                            .group_items = t->items,
                            .nsites = t->n + 1,
                            .nobjects = 3,
                            .seen = seen,
                            .ctx = d,
                            .unmerged = true,
                            .ordered = true,
                            .wide_scopes = t->wide_scopes,
                            .apart = t->apart};
    struct race_launch *l = race_launch_create(&c);
    race_watch_local(l, LOCAL, 4 * PLACES, 4);
    race_watch_global(l, GLOBAL, &root, 0, 4 * PLACES, 4);
    struct race_worker *w[3];
    for (unsigned g = 0; g < t->ngroups; g++) race_group_begin(w[g] = race_worker_get(l, g), g);
    for (unsigned i = 0; i < t->n; i++) {
        const struct event *e = &t->e[i];
        struct race_atomic_op at = {.site = e->site,
                                    .item = e->item,
                                    .object = e->object,
                                    .size = 4,
                                    .offset = 4 * e->place,
                                    .reads = reads(e),
                                    .writes = writes(e),
                                    .order = e->order,
                                    .scope = e->scope};
        struct race_fence_op f = {e->fences, e->order, e->scope, e->legacy};
        if (is_atomic(e)) race_atomic(w[e->group], &at);
        else if (is_access(e)) i = access(w[e->group], t, i);
        else if (e->what == FENCE) race_fence(w[e->group], e->item, &f);
        else if (e->first_of_barrier) race_barrier(w[e->group], e->fences, e->scope);
    }
    race_launch_end(l);
    race_launch_destroy(l);
}

static bool try_seed(uint64_t seed)
{
    static struct trace t;
    rng = seed * 0x9e3779b97f4a7c15ull + 1;
    for (int i = 0; i < 8; i++) pick(2);
    make_trace(&t);
    for (int k = 0; k < 4; k++) draw(&t, k & 1, k >> 1);
    struct reports d = {.t = &t};
    run(&t, &d);
    bool is[2][PLACES][4] = {0};
    for (unsigned j = 0; j < t.n; j++)
        for (unsigned i = 0; i < j; i++) {
            int v = judge(&t, i, j);
            if (v != NOTHING) is[t.e[i].object == LOCAL][t.e[i].place][v] = true;
        }
    for (unsigned k = 0; k < 2 * PLACES && !d.wrong; k++) {
        const bool *want = is[k & 1][k >> 1], *got = d.reported[k & 1][k >> 1];
        bool error = want[RACE_DATA] || want[RACE_FENCE];
        if (error && !got[RACE_DATA] && !got[RACE_FENCE]) d.wrong = "a race is not reported";
        if (!error && want[RACE_RELAXED] && !got[RACE_RELAXED])
            d.wrong = "a de-facto order is not reported";
    }
    if (!d.wrong) return true;
    print_message("seed %llu: %s\n", (unsigned long long)seed, d.wrong);
    return false;
}

static void the_clocks_find_what_the_model_says(void **state)
{
    const char *env = getenv("CLDBG_TEST_TRACES");
    uint64_t n = env ? strtoull(env, NULL, 10) : 20000;
    unsigned bad = 0;
    for (uint64_t seed = 1; seed <= n && bad < 5; seed++) bad += !try_seed(seed);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_clocks_find_what_the_model_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

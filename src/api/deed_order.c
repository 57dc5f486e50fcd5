// SPDX-License-Identifier: MIT
// What a command is ordered behind, and which of the last commands on its memory it is not: those are pairs to judge.
#include "api/deed.h"

enum { MAX_ANCESTORS = 4096, MAX_QUEUES = 16, MAX_HISTORY = 64 };

void api_deed_queue_init(struct api_deed_queue *q, bool in_order)
{
    static uint64_t queues;
    q->number = __atomic_add_fetch(&queues, 1, __ATOMIC_RELAXED);
    q->in_order = in_order;
}

void api_deed_queue_deinit(struct api_deed_queue *q)
{
    api_deeds_lock();
    for (size_t i = 0; i < q->deeds.len; i++) api_deed_drop(q->deeds.data[i]);
    api_deeds_unlock();
    vec_free(&q->deeds);
}

static void after(struct api_deed *d, struct api_deed *before)
{
    if (before->known || before == d) return;
    d->gated |= before->gated || before->is_user;
    vec_push(&d->before, api_deed_get(before));
}

struct api_deed *api_deed_of_queue(const struct api_deed_queue *q)
{
    struct api_deed *d = api_deed_new();
    api_deeds_lock();
    for (size_t i = 0; d && i < q->deeds.len; i++) after(d, q->deeds.data[i]);
    api_deeds_unlock();
    return d;
}

void api_deed_after(struct api_deed *d, struct api_deed *before)
{
    if (!d || !before) return;
    api_deeds_lock();
    after(d, before);
    api_deeds_unlock();
}

void api_deed_is_user_event(struct api_deed *d)
{
    if (d) d->is_user = true;
}

static void known(struct api_deed *d)
{
    VEC(struct api_deed *) todo = {0};
    vec_push(&todo, api_deed_get(d));
    while (todo.len) {
        d = vec_pop(&todo);
        if (!d->known) {
            d->known = true;
            for (size_t i = 0; i < d->before.len; i++) vec_push(&todo, d->before.data[i]); // with the reference
            vec_free(&d->before);
        }
        api_deed_drop(d);
    }
    vec_free(&todo);
}

void api_deed_known(struct api_deed *d)
{
    if (!d) return;
    api_deeds_lock();
    known(d);
    api_deeds_unlock();
}

/** The ancestors of a deed: marked, and for in-order queues how far they reach. */
struct ancestors {
    uint64_t mark;
    bool all; // there were too many
    unsigned n;
    struct { uint64_t queue, seq; } reached[MAX_QUEUES];
};

static void reach(struct ancestors *a, const struct api_deed *d)
{
    if (!d->in_order) return;
    unsigned i = 0;
    while (i < a->n && a->reached[i].queue != d->queue) i++;
    if (i == MAX_QUEUES) {
        a->all = true;
        return;
    }
    if (i == a->n) a->n++, a->reached[i].queue = d->queue, a->reached[i].seq = 0;
    if (a->reached[i].seq < d->seq) a->reached[i].seq = d->seq;
}

static void collect(struct api_deed *d, struct ancestors *a)
{
    static uint64_t marks;
    *a = (struct ancestors){.mark = ++marks};
    VEC(struct api_deed *) todo = {0};
    vec_push(&todo, d);
    for (unsigned n = 0; todo.len; n++) {
        struct api_deed *x = vec_pop(&todo);
        reach(a, x);
        a->all |= n == MAX_ANCESTORS;
        if (a->all) break;
        for (size_t i = 0; i < x->before.len; i++) {
            struct api_deed *b = x->before.data[i];
            if (b->mark == a->mark || b->known) continue;
            b->mark = a->mark;
            vec_push(&todo, b);
        }
    }
    vec_free(&todo);
}

static bool is_before(const struct api_deed *x, const struct ancestors *a)
{
    if (x->known || a->all || x->mark == a->mark) return true;
    for (unsigned i = 0; x->in_order && i < a->n; i++)
        if (a->reached[i].queue == x->queue && a->reached[i].seq >= x->seq) return true;
    return false;
}

static void into_queue(struct api_deed *d, struct api_deed_queue *q, enum api_deed_kind kind)
{
    static uint64_t seqs;
    d->queue = q->number;
    d->in_order = q->in_order;
    d->seq = ++seqs;
    if (q->in_order || kind != API_DEED_COMMAND) {
        for (size_t i = 0; i < q->deeds.len; i++) after(d, q->deeds.data[i]);
    } else if (q->nbarrier) {
        after(d, q->deeds.data[0]);
    }
    if (q->in_order || kind == API_DEED_BARRIER) {
        for (size_t i = 0; i < q->deeds.len; i++) api_deed_drop(q->deeds.data[i]);
        vec_clear(&q->deeds);
        q->nbarrier = kind == API_DEED_BARRIER;
    } else if (q->deeds.len >= 64 && q->deeds.len == q->deeds.cap) { // known ones are of no use
        size_t n = q->nbarrier;
        for (size_t i = n; i < q->deeds.len; i++) {
            if (q->deeds.data[i]->known) api_deed_drop(q->deeds.data[i]);
            else q->deeds.data[n++] = q->deeds.data[i];
        }
        q->deeds.len = n;
    }
    vec_push(&q->deeds, api_deed_get(d));
}

/** May they turn out to be in each other's way? */
static bool may_conflict(const struct use *x, const struct use *y)
{
    if (!((x->how | y->how) & API_WRITES) || x->device != y->device || x->base >= y->base + y->size || y->base >= x->base + x->size) return false;
    return !x->known || !y->known || api_deed_conflict(x, y);
}

static void pair_with(struct api_deed *d, size_t k, struct api_history *h, const struct ancestors *a)
{
    const struct use *u = &d->uses.data[k];
    size_t n = 0;
    for (size_t i = 0; i < h->list.len; i++) {
        const struct entry e = h->list.data[i];
        if (e.deed->known || (h->list.len >= MAX_HISTORY && !i)) {
            api_deed_drop(e.deed);
            continue;
        }
        h->list.data[n++] = e;
        if (e.deed == d || is_before(e.deed, a) || (e.deed->is_map && d->is_map) || !may_conflict(&e.deed->uses.data[e.use], u)) continue;
        api_deed_pair((struct pair){e, {d, k}});
    }
    h->list.len = n;
    for (size_t i = 0; i < h->regions.len && !d->is_map && u->root; i++) { // what is mapped is the app's: a transfer may be given it
        struct region *r = h->regions.data[i];
        if (!is_before(r->map, a) || !(r->writes || u->how & API_WRITES) || r->from >= u->base + u->size || u->base >= r->to) continue;
        r->refs++;
        vec_push(&d->mapped, r);
    }
}

/** Pairs with those of the last commands on its memory that it is not ordered behind. */
static void pair_up(struct api_deed *d, size_t k, const struct ancestors *a)
{
    const struct use *u = &d->uses.data[k];
    struct api_history *own = api_history_of(u);
    const struct api_histories *others = api_histories_shared();
    pair_with(d, k, own, a);
    for (size_t i = 0; u->is_shared && i < others->list.len; i++)
        if (others->list.data[i] != own) pair_with(d, k, others->list.data[i], a);
    vec_push(&own->list, (struct entry){api_deed_get(d), k});
}

void api_deed_enqueued(struct api_deed *d, struct api_deed_queue *q, enum api_deed_kind kind, bool many)
{
    if (!d) return;
    api_deeds_lock();
    into_queue(d, q, kind);
    struct ancestors a;
    if (d->uses.len) collect(d, &a);
    for (size_t k = 0; k < d->uses.len; k++) pair_up(d, k, &a);
    d->tracked = many || !q->in_order || d->mapped.len;
    api_deeds_unlock();
}

// SPDX-License-Identifier: MIT
/*
 * Which commands are ordered before which: happens-before by vector clocks (Mattern 1988; Fidge
 * 1988).
 *
 * Commands are decomposed into chains, within which each is ordered before the next. A command has
 * an epoch, its number in its chain, and a vector: the epochs of other chains that it is ordered
 * after. x is ordered before y if y's vector, or their common chain, says so. The commands of an
 * in-order queue are one chain. A command of an out-of-order queue extends the chain of a command
 * that it waits for, or a chain whose commands the host has all observed; otherwise it begins a new
 * one. So there are about as many chains as unordered commands. Vectors are immutable and shared,
 * so a command without new dependencies costs O(1).
 *
 * The host is another clock, which counts the ends of commands that it observes (by clFinish,
 * clWaitForEvents, a blocking call, a status query, a callback). All predecessors of an observed
 * command are then observed, too, and everything that is enqueued later is ordered after it. All
 * host threads share this clock: if one thread observes a command and another one enqueues, this
 * counts as order, since cldbg does not know how they synchronize. Each command is observed once,
 * so this is O(1) amortized. Components that the host has observed are left out of new vectors.
 *
 * User events let the host order commands after they were enqueued: a command that waits for one is
 * ordered after everything that the host has observed when it sets the event (host_time). Such a
 * command is `gated` until then.
 *
 * Invariant: a command that is ordered before another one was enqueued earlier, unless the later
 * one is gated.
 */
#include "api/access_log.h"

#include "api/cmdgraph.h"

#include "base/mem.h"

struct api_chain {
    uint64_t number;
    uint64_t tail, observed; // epochs: the last assigned one, the last one that the host has
                             // observed
    bool reserved;           // belongs to an in-order queue, which alone extends it
    bool is_free;            // in the list of chains that any command may extend
    struct api_access_set *first, *last; // sets that use memory and are not observed, by epoch
};
struct tick {
    struct api_chain *chain;
    uint64_t epoch;
};
struct api_clock { // a vector, by ascending number of the chain
    unsigned refs, n, cap;
    struct tick at[];
};

static uint64_t host_clock = 1; // what follows is guarded by the lock of the access sets
static unsigned open_chains;
static VEC(struct api_chain *) free_chains;

unsigned api_order_open_chains(void) { return open_chains; }

// ---- vectors

static void clock_put(struct api_clock *k)
{
    if (k && --k->refs == 0) free(k);
}

static struct api_clock *clock_get(struct api_clock *k)
{
    if (k) k->refs++;
    return k;
}

static bool is_past(struct tick t) { return t.epoch <= t.chain->observed; }

static struct api_clock *clock_new(unsigned cap)
{
    struct api_clock *k = mem_alloc(sizeof *k + cap * sizeof *k->at);
    k->refs = 1;
    k->cap = cap;
    return k;
}

/** The index of the chain's component, or its insertion point. */
static unsigned place_of(const struct api_clock *k, const struct api_chain *c)
{
    unsigned from = 0, to = k ? k->n : 0;
    while (from < to) {
        const unsigned mid = (from + to) / 2;
        if (k->at[mid].chain->number < c->number) from = mid + 1;
        else to = mid;
    }
    return from;
}

static uint64_t epoch_in(const struct api_clock *k, const struct api_chain *c)
{
    const unsigned i = place_of(k, c);
    return k && i < k->n && k->at[i].chain == c ? k->at[i].epoch : 0;
}

/**
 * A modifiable vector: k itself if it is unshared, otherwise a copy without observed components.
 * Consumes k.
 */
static struct api_clock *own(struct api_clock *k, unsigned room)
{
    if (k && k->refs == 1 && k->n + room <= k->cap) return k;
    struct api_clock *out = clock_new((k ? k->n + k->n / 2 : 0) + room);
    for (unsigned i = 0; k && i < k->n; i++)
        if (!is_past(k->at[i])) out->at[out->n++] = k->at[i];
    clock_put(k);
    return out;
}

/** k with another component. Consumes k. */
static struct api_clock *with(struct api_clock *k, struct tick t)
{
    if (is_past(t) || epoch_in(k, t.chain) >= t.epoch) return k;
    k = own(k, 1);
    const unsigned i = place_of(k, t.chain);
    if (i == k->n || k->at[i].chain != t.chain) {
        memmove(k->at + i + 1, k->at + i, (k->n++ - i) * sizeof *k->at);
        k->at[i].chain = t.chain;
    }
    k->at[i].epoch = t.epoch;
    return k;
}

/** The maximum of the two in each component. Consumes k. */
static struct api_clock *join(struct api_clock *k, struct api_clock *x)
{
    if (!x || k == x) return k;
    if (!k) return clock_get(x);
    unsigned news = 0;
    for (unsigned i = 0, j = 0; i < x->n; i++) {
        while (j < k->n && k->at[j].chain->number < x->at[i].chain->number) j++;
        news += !is_past(x->at[i]) &&
                (j == k->n || k->at[j].chain != x->at[i].chain || k->at[j].epoch < x->at[i].epoch);
    }
    if (!news) return k;
    struct api_clock *out = clock_new(k->n + news);
    for (unsigned i = 0, j = 0; i < k->n || j < x->n;) {
        struct tick t;
        if (j == x->n || (i < k->n && k->at[i].chain->number < x->at[j].chain->number)) {
            t = k->at[i++];
        } else if (i == k->n || x->at[j].chain->number < k->at[i].chain->number) {
            t = x->at[j++];
        } else {
            t = k->at[i].epoch > x->at[j].epoch ? k->at[i] : x->at[j];
            i++, j++;
        }
        if (!is_past(t)) out->at[out->n++] = t;
    }
    clock_put(k);
    return out;
}

// ---- chains

static void set_free(struct api_chain *c)
{
    if (c->reserved || c->is_free || c->observed < c->tail) return;
    c->is_free = true;
    vec_push(&free_chains, c);
}

static struct api_chain *chain_take(void)
{
    static uint64_t chains;
    while (free_chains.len) {
        struct api_chain *c = vec_pop(&free_chains);
        c->is_free = false;
        if (!c->reserved && c->observed == c->tail) return c;
    }
    struct api_chain *c = mem_alloc(sizeof *c);
    c->number = ++chains;
    return c;
}

static void chain_add(struct api_chain *c, struct api_access_set *a)
{
    a->chain_prev = c->last;
    if (c->last) c->last->chain_next = a;
    else c->first = a, open_chains++;
    c->last = a;
}

static void chain_remove(struct api_chain *c, struct api_access_set *a)
{
    if (!a->chain_prev && c->first != a) return;
    if (a->chain_prev) a->chain_prev->chain_next = a->chain_next;
    else c->first = a->chain_next;
    if (a->chain_next) a->chain_next->chain_prev = a->chain_prev;
    else c->last = a->chain_prev;
    a->chain_prev = a->chain_next = NULL;
    if (!c->first) open_chains--;
}

void api_order_forget(struct api_access_set *a)
{
    if (a->chain) chain_remove(a->chain, a);
    clock_put(a->others);
}

// ---- queues

void api_order_queue_init(struct api_order_queue *q, bool in_order)
{
    static uint64_t queues;
    q->number = __atomic_add_fetch(&queues, 1, __ATOMIC_RELAXED);
    q->in_order = in_order;
}

void api_order_queue_deinit(struct api_order_queue *q)
{
    api_access_lock();
    api_access_set_drop(q->last);
    clock_put(q->all);
    clock_put(q->joined);
    clock_put(q->barrier);
    if (q->chain) {
        q->chain->reserved = false;
        set_free(q->chain);
    }
    api_access_unlock();
}

static struct tick tick_of(const struct api_access_set *a)
{
    return (struct tick){a->chain, a->epoch};
}

bool api_order_is_observed(const struct api_access_set *a)
{
    return a->chain && a->epoch <= __atomic_load_n(&a->chain->observed, __ATOMIC_RELAXED);
}

/** Orders a after p. */
static void after(struct api_access_set *a, const struct api_access_set *p)
{
    if (!p || api_order_is_observed(p)) return;
    a->gated |= (p->is_user && !p->host_time) || (p->gated && !p->done);
    if (!p->chain) return;
    a->others = join(a->others, p->others);
    if (p->chain != a->chain) a->others = with(a->others, tick_of(p));
}

/** The chain that a command of an out-of-order queue extends. */
static struct api_chain *choose_chain(struct api_order_queue *q, cl_uint n, const cl_event *list)
{
    for (cl_uint i = 0; i < n; i++) {
        const struct api_access_set *p = list[i]->accesses;
        if (p && p->chain && !p->chain->reserved && p->chain->tail == p->epoch) return p->chain;
    }
    for (; q->barrier && q->next_free < q->barrier->n; q->next_free++) {
        const struct tick t = q->barrier->at[q->next_free];
        if (!t.chain->reserved && t.chain->tail == t.epoch) return t.chain;
    }
    return chain_take();
}

static void into_in_order(struct api_access_set *a, struct api_order_queue *q)
{
    after(a, q->last);
    api_access_set_drop(q->last);
    q->last = api_access_set_get(a);
}

static void into_out_of_order(struct api_access_set *a, struct api_order_queue *q,
                              enum api_order order, bool has_list)
{
    const bool all = order != API_ORDER_COMMAND && !has_list;
    a->others = join(a->others, all ? q->all : q->barrier);
    if (all && q->all == a->others && q->all) a->others = own(a->others, 0); // q->all will change
    if (a->others != q->joined) {
        q->all = join(q->all, a->others);
        clock_put(q->joined);
        q->joined = clock_get(a->others);
    }
    q->all = with(q->all, tick_of(a));
    if (order != API_ORDER_BARRIER) return;
    clock_put(q->barrier);
    q->barrier = with(clock_get(a->others), tick_of(a));
    q->next_free = 0;
}

void api_order_is_user_event(struct api_access_set *a)
{
    if (a) a->is_user = true;
}

void api_order_enqueued(struct api_access_set *a, struct api_order_queue *q, enum api_order order,
                        cl_uint n, const cl_event *list)
{
    if (!a) return;
    static uint64_t numbers;
    api_access_lock();
    a->queue = q->number;
    a->group = q->group;
    a->in_order = q->in_order;
    a->number = ++numbers;
    a->enqueued = a->host_time = host_clock;
    if (q->in_order && !q->chain) {
        q->chain = chain_take();
        q->chain->reserved = true;
    }
    a->chain = q->in_order ? q->chain : choose_chain(q, n, list);
    a->epoch = ++a->chain->tail;
    for (cl_uint i = 0; i < n; i++) after(a, list[i]->accesses);
    if (q->in_order) into_in_order(a, q);
    else into_out_of_order(a, q, order, n != 0);
    if (a->uses.len) {
        chain_add(a->chain, a);
        api_access_log_enqueue(a);
    }
    api_access_unlock();
}

void api_order_set(struct api_access_set *a)
{
    if (!a) return;
    api_access_lock();
    a->host_time = host_clock;
    a->gated = true; // (it propagates this)
    api_access_unlock();
}

void api_order_completed(const struct _cl_event *e)
{
    const struct api_access_set *from = e->accesses;
    if (!from || !from->gated) return;
    api_access_lock();
    for (size_t i = 0; i < e->out.len; i++) {
        struct api_access_set *to = e->out.data[i].to->accesses;
        if (!to) continue;
        to->gated = true;
        if (to->host_time < from->host_time) to->host_time = from->host_time;
    }
    api_access_unlock();
}

struct api_access_set *api_order_of_queue(const struct api_order_queue *q)
{
    struct api_access_set *a = NULL;
    api_access_lock();
    if (q->last) {
        a = api_access_set_get(q->last);
    } else if (q->all && (a = api_access_set_new())) {
        a->others = own(clock_get(q->all), 0);
    }
    api_access_unlock();
    return a;
}

static void observe(struct tick t)
{
    struct api_chain *c = t.chain;
    if (is_past(t)) return;
    __atomic_store_n(&c->observed, t.epoch, __ATOMIC_RELAXED);
    while (c->first && c->first->epoch <= t.epoch) {
        c->first->observed = host_clock;
        chain_remove(c, c->first);
    }
    set_free(c);
}

void api_order_observed(struct api_access_set *a)
{
    if (!a || api_order_is_observed(a)) return;
    api_access_lock();
    host_clock++;
    for (unsigned i = 0; a->others && i < a->others->n; i++) observe(a->others->at[i]);
    if (a->chain) observe(tick_of(a));
    api_access_unlock();
}

bool api_order_before(const struct api_access_set *x, const struct api_access_set *y)
{
    if (x->chain == y->chain ? x->epoch < y->epoch : x->epoch <= epoch_in(y->others, x->chain))
        return true;
    return x->observed && x->observed <= y->host_time;
}

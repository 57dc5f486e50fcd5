// SPDX-License-Identifier: MIT
/*
 * Commands that use the same memory and that nothing orders (host-race).
 *
 * Each command has a deed: which bytes it reads and writes, and the deeds that it is ordered directly behind:
 * its wait list, the one before it in its in-order queue, the last barrier of a queue out of order. A deed is `known`
 * when the host has learnt that it ended (clFinish, clWaitForEvents, a blocking call, a status that was asked for, a
 * callback); then all that it is ordered behind is known too, and everything that is enqueued later is ordered behind it.
 * That one host thread learnt it and another enqueues is taken for order: how host threads meet is not seen.
 *
 * When a command is enqueued, its ancestors that are not known are collected once (up to MAX_ANCESTORS; beyond that
 * everything counts as ordered), and for each buffer that it uses those of the last commands on that buffer
 * which are no ancestors become pairs to judge. Whether a pair uses the same bytes is decided when both have run: transfers say
 * their ranges beforehand, launches note what their work-items really touched (struct vm_touched), where they may
 * run beside something. So who wins a race does not matter, and a kernel is never told for what it only might have done.
 *
 * User events let the host order commands after they were enqueued. A command with such an event before it is `gated`:
 * what is known by the time that it starts is ordered before it.
 *
 * A map is a deed like another. Besides, a command that is enqueued while a map of its bytes is in force, and runs
 * before the unmap does, conflicts with what the host may do there meanwhile.
 */
#include "api/deeds.h"

#include "base/mem.h"
#include "base/str.h"
#include "devices/dev.h"
#include "devices/memory.h"

enum { MAX_ANCESTORS = 4096, MAX_QUEUES = 16, MAX_HISTORY = 64, MAX_PAIRS = 1024, MAX_RANGES = 1 << 16 };
enum touch { READ = VM_TOUCH_READ, WRITE = VM_TOUCH_WRITE, ATOMIC_READ = VM_TOUCH_ATOMIC_READ, ATOMIC_WRITE = VM_TOUCH_ATOMIC_WRITE,
             TOUCHES = VM_TOUCHES };

struct range {
    uint64_t from, to; // of the root
};
struct use { // of one root allocation
    cl_mem root; // an identity once the command was enqueued
    unsigned how;      // may
    bool known;        // the ranges are what it does, or did
    VEC(struct range) by[TOUCHES];
    struct vm_touched *touched;
    uint64_t size;
    const void *created;
};

struct region { // a map in force
    unsigned refs;
    uint64_t from, to;
    bool writes, gone;
    struct api_deed *map;
};

struct api_deed {
    const char *function;
    const void *site;
    char *kernel;
    uint64_t launch;
    // The rest is guarded by the lock below, but for the uses, which are the command's until it is done.
    unsigned refs;
    uint64_t queue, seq;
    bool in_order, known, gated, done, tracked, is_user, is_map;
    uint64_t mark; // of the collection it was met in
    VEC(struct api_deed *) before;
    VEC(struct use) uses;
    VEC(struct region *) mapped; // when it was enqueued
    struct region *unmaps;
};

struct entry {
    struct api_deed *deed;
    size_t use;
};
struct api_history {
    VEC(struct entry) list;
    VEC(struct region *) regions;
};

struct pair {
    struct entry a, b; // in the order in which they were enqueued
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // taken inside the graph's lock, and alone
static VEC(struct pair) pairs;
static uint64_t marks, queues;

// ---- making and dropping

struct api_deed *api_deed_new(void)
{
    if (!rep_wants(dev_report(), REP_HOST_RACE)) return NULL;
    struct api_deed *d = mem_alloc(sizeof *d);
    d->refs = 1;
    d->function = api_function();
    d->site = api_site();
    return d;
}

static void region_put(struct region *r, void (*put)(struct api_deed *d))
{
    if (!r || --r->refs) return;
    put(r->map);
    free(r);
}

// What a deed is the last to hold goes with it; without recursion, since chains of deeds are long.
static __thread VEC(struct api_deed *) dropped;
static void drop_later(struct api_deed *d) { vec_push(&dropped, d); }

static void destroy(struct api_deed *d)
{
    for (size_t i = 0; i < d->before.len; i++) drop_later(d->before.data[i]);
    vec_free(&d->before);
    for (size_t i = 0; i < d->uses.len; i++)
        for (unsigned k = 0; k < TOUCHES; k++) vec_free(&d->uses.data[i].by[k]);
    vec_free(&d->uses);
    for (size_t i = 0; i < d->mapped.len; i++) region_put(d->mapped.data[i], drop_later);
    vec_free(&d->mapped);
    region_put(d->unmaps, drop_later);
    free(d->kernel);
    free(d);
}

static void put(struct api_deed *d)
{
    const size_t mine = dropped.len;
    for (;;) {
        if (d && --d->refs == 0) destroy(d);
        if (dropped.len == mine) break;
        d = vec_pop(&dropped);
    }
    if (!mine) vec_free(&dropped);
}

void api_deed_put(struct api_deed *d)
{
    if (!d) return;
    pthread_mutex_lock(&lock);
    put(d);
    pthread_mutex_unlock(&lock);
}

static struct api_deed *get(struct api_deed *d)
{
    d->refs++;
    return d;
}

// ---- what it does

static struct use *use_of(struct api_deed *d, cl_mem m)
{
    cl_mem root = api_mem_root(m);
    for (size_t i = 0; i < d->uses.len; i++)
        if (d->uses.data[i].root == root) return &d->uses.data[i];
    struct use *u = vec_add(&d->uses);
    u->root = root;
    u->size = root->size;
    u->created = root->obj.site;
    return u;
}

void api_deed_range(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, enum api_deed_how how)
{
    if (!d || !size) return;
    struct use *u = use_of(d, m);
    const uint64_t from = (uint64_t)(first - u->root->data);
    const enum touch t = how == API_READS ? READ : WRITE;
    u->known = true;
    u->how |= how;
    if (u->by[t].len && vec_last(&u->by[t]).to == from) vec_last(&u->by[t]).to = from + size;
    else if (u->by[t].len < MAX_RANGES) vec_push(&u->by[t], (struct range){from, from + size});
}

void api_deed_argument(struct api_deed *d, cl_mem m, unsigned how)
{
    if (d && how) use_of(d, m)->how |= how;
}

void api_deed_is_launch(struct api_deed *d, const char *kernel, uint64_t number)
{
    if (!d) return;
    d->kernel = mem_dup(kernel, strlen(kernel) + 1);
    d->launch = number;
}

static struct api_history *history_of(cl_mem root)
{
    if (!root->history) root->history = mem_alloc(sizeof *root->history);
    return root->history;
}

void api_deed_maps(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, bool for_writing)
{
    if (!d) return;
    api_deed_range(d, m, first, size, for_writing ? API_WRITES : API_READS);
    cl_mem root = api_mem_root(m);
    const uint64_t from = (uint64_t)(first - root->data);
    struct region *r = mem_alloc(sizeof *r);
    pthread_mutex_lock(&lock);
    *r = (struct region){1, from, from + size, for_writing, false, get(d)};
    d->is_map = true;
    vec_push(&history_of(root)->regions, r);
    pthread_mutex_unlock(&lock);
}

void api_deed_unmaps(struct api_deed *d, cl_mem m, const uint8_t *first)
{
    if (!d) return;
    cl_mem root = api_mem_root(m);
    const uint64_t from = (uint64_t)(first - root->data);
    pthread_mutex_lock(&lock);
    struct api_history *h = history_of(root);
    for (size_t i = h->regions.len; i-- && !d->unmaps;) {
        if (h->regions.data[i]->from != from) continue;
        d->unmaps = h->regions.data[i]; // with the reference
        h->regions.data[i] = vec_last(&h->regions);
        h->regions.len--;
    }
    d->is_map = true;
    pthread_mutex_unlock(&lock);
    if (d->unmaps) api_deed_range(d, m, first, d->unmaps->to - from, d->unmaps->writes ? API_WRITES : API_READS);
}

void api_history_destroy(struct api_history *h)
{
    if (!h) return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < h->list.len; i++) put(h->list.data[i].deed);
    for (size_t i = 0; i < h->regions.len; i++) region_put(h->regions.data[i], put);
    pthread_mutex_unlock(&lock);
    vec_free(&h->list);
    vec_free(&h->regions);
    free(h);
}

// ---- order

void api_deed_queue_init(struct api_deed_queue *q, bool in_order)
{
    q->number = __atomic_add_fetch(&queues, 1, __ATOMIC_RELAXED);
    q->in_order = in_order;
}

void api_deed_queue_deinit(struct api_deed_queue *q)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < q->deeds.len; i++) put(q->deeds.data[i]);
    pthread_mutex_unlock(&lock);
    vec_free(&q->deeds);
}

static void after(struct api_deed *d, struct api_deed *before)
{
    if (before->known || before == d) return;
    d->gated |= before->gated || before->is_user;
    vec_push(&d->before, get(before));
}

struct api_deed *api_deed_of_queue(const struct api_deed_queue *q)
{
    struct api_deed *d = api_deed_new();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; d && i < q->deeds.len; i++) after(d, q->deeds.data[i]);
    pthread_mutex_unlock(&lock);
    return d;
}

void api_deed_after(struct api_deed *d, struct api_deed *before)
{
    if (!d || !before) return;
    pthread_mutex_lock(&lock);
    after(d, before);
    pthread_mutex_unlock(&lock);
}

void api_deed_is_user_event(struct api_deed *d)
{
    if (d) d->is_user = true;
}

static void known(struct api_deed *d)
{
    VEC(struct api_deed *) todo = {0};
    vec_push(&todo, get(d));
    while (todo.len) {
        d = vec_pop(&todo);
        if (!d->known) {
            d->known = true;
            for (size_t i = 0; i < d->before.len; i++) vec_push(&todo, d->before.data[i]); // with the reference
            vec_free(&d->before);
        }
        put(d);
    }
    vec_free(&todo);
}

void api_deed_known(struct api_deed *d)
{
    if (!d) return;
    pthread_mutex_lock(&lock);
    known(d);
    pthread_mutex_unlock(&lock);
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
        for (size_t i = 0; i < q->deeds.len; i++) put(q->deeds.data[i]);
        vec_clear(&q->deeds);
        q->nbarrier = kind == API_DEED_BARRIER;
    } else if (q->deeds.len >= 64 && q->deeds.len == q->deeds.cap) { // known ones are of no use
        size_t n = q->nbarrier;
        for (size_t i = n; i < q->deeds.len; i++) {
            if (q->deeds.data[i]->known) put(q->deeds.data[i]);
            else q->deeds.data[n++] = q->deeds.data[i];
        }
        q->deeds.len = n;
    }
    vec_push(&q->deeds, get(d));
}

/** Pairs with those of the last commands on the root that it is not ordered behind. */
static void pair_up(struct api_deed *d, size_t k, const struct ancestors *a)
{
    const struct use *u = &d->uses.data[k];
    struct api_history *h = history_of(u->root);
    size_t n = 0;
    for (size_t i = 0; i < h->list.len; i++) {
        const struct entry e = h->list.data[i];
        if (e.deed->known || (h->list.len >= MAX_HISTORY && !i)) {
            put(e.deed);
            continue;
        }
        h->list.data[n++] = e;
        const bool conflict = (e.deed->uses.data[e.use].how | u->how) & API_WRITES;
        if (!conflict || is_before(e.deed, a) || (e.deed->is_map && d->is_map) || pairs.len >= MAX_PAIRS) continue;
        vec_push(&pairs, (struct pair){{get(e.deed), e.use}, {get(d), k}});
    }
    h->list.len = n;
    vec_push(&h->list, (struct entry){get(d), k});
    for (size_t i = 0; i < h->regions.len && !d->is_map; i++) {
        struct region *r = h->regions.data[i];
        if (!is_before(r->map, a) || !(r->writes || u->how & API_WRITES)) continue;
        r->refs++;
        vec_push(&d->mapped, r);
    }
}

void api_deed_enqueued(struct api_deed *d, struct api_deed_queue *q, enum api_deed_kind kind, bool many)
{
    if (!d) return;
    pthread_mutex_lock(&lock);
    into_queue(d, q, kind);
    struct ancestors a;
    if (d->uses.len) collect(d, &a);
    for (size_t k = 0; k < d->uses.len; k++) pair_up(d, k, &a);
    d->tracked = many || !q->in_order || d->mapped.len;
    pthread_mutex_unlock(&lock);
}

// ---- running

void api_deed_started(struct api_deed *d)
{
    if (!d) return;
    pthread_mutex_lock(&lock);
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        struct pair p = pairs.data[i];
        const struct api_deed *other = p.a.deed == d ? p.b.deed : p.b.deed == d ? p.a.deed : NULL;
        if (other && d->gated && other->known) {
            put(p.a.deed);
            put(p.b.deed);
        } else {
            pairs.data[n++] = p;
        }
    }
    pairs.len = n;
    n = 0;
    for (size_t i = 0; i < d->mapped.len; i++) {
        if (d->mapped.data[i]->gone) region_put(d->mapped.data[i], put);
        else d->mapped.data[n++] = d->mapped.data[i];
    }
    d->mapped.len = n;
    if (d->unmaps) d->unmaps->gone = true;
    pthread_mutex_unlock(&lock);
}

static struct vm_touched *touched_new(uint64_t size)
{
    struct vm_touched *t = mem_alloc(sizeof *t);
    for (unsigned k = 0; k < TOUCHES; k++)
        if (!(t->by[k] = dev_memory_alloc(size))) t->refused = true;
    return t;
}

struct vm_touched *api_deed_touched(struct api_deed *d, cl_mem m)
{
    if (!d || !d->tracked) return NULL;
    struct use *u = NULL;
    for (size_t i = 0; i < d->uses.len; i++)
        if (d->uses.data[i].root == api_mem_root(m)) u = &d->uses.data[i];
    if (!u) return NULL; // nothing in the kernel uses it
    if (!u->touched) u->touched = touched_new(u->size);
    return u->touched->refused ? NULL : u->touched;
}

static void take_touched(struct use *u)
{
    struct vm_touched *t = u->touched;
    if (!t) return;
    u->touched = NULL;
    u->known = !t->refused;
    for (unsigned k = 0; k < TOUCHES; k++) {
        for (uint64_t at = 0; u->known && at < u->size;) {
            const uint8_t *from = memchr(t->by[k] + at, 1, u->size - at);
            if (!from) break;
            const uint8_t *to = memchr(from, 0, (size_t)(t->by[k] + u->size - from));
            at = to ? (uint64_t)(to - t->by[k]) : u->size;
            u->known = u->by[k].len < MAX_RANGES; // too many: it stays silent
            vec_push(&u->by[k], (struct range){(uint64_t)(from - t->by[k]), at});
        }
        if (t->by[k]) dev_memory_free(t->by[k], u->size);
    }
    free(t);
}

// ---- judging

static bool writes(enum touch t) { return t == WRITE || t == ATOMIC_WRITE; }
static bool is_atomic(enum touch t) { return t >= ATOMIC_READ; }

struct conflict {
    struct range at;
    enum touch a, b;
};

static bool meet(const struct range *a, size_t na, const struct range *b, size_t nb, struct range *out)
{
    for (size_t i = 0, k = 0; i < na && k < nb;) {
        const uint64_t from = a[i].from > b[k].from ? a[i].from : b[k].from, to = a[i].to < b[k].to ? a[i].to : b[k].to;
        if (from < to) {
            *out = (struct range){from, to};
            return true;
        }
        if (a[i].to < b[k].to) i++;
        else k++;
    }
    return false;
}

static bool conflict_of(const struct use *a, const struct use *b, struct conflict *out)
{
    static const enum touch order[] = {WRITE, ATOMIC_WRITE, READ, ATOMIC_READ};
    for (unsigned i = 0; i < TOUCHES; i++)
        for (unsigned k = 0; k < TOUCHES; k++) {
            const enum touch s = order[i], t = order[k];
            if (!(writes(s) || writes(t)) || (is_atomic(s) && is_atomic(t))) continue;
            if (!meet(a->by[s].data, a->by[s].len, b->by[t].data, b->by[t].len, &out->at)) continue;
            out->a = s;
            out->b = t;
            return true;
        }
    return false;
}

static void put_deed(struct str *s, const struct api_deed *d)
{
    if (d->kernel) str_printf(s, "kernel '%s' (launch %llu)", d->kernel, (unsigned long long)d->launch);
    else str_put(s, d->function);
}

static void put_what(struct str *s, const struct api_deed *d, enum touch t)
{
    const char *where = d->kernel ? api_site_enqueued(d->site) : api_site_called(d->site);
    put_deed(s, d);
    if (where) str_printf(s, ", %s,", where);
    str_put(s, writes(t) ? " writes them" : " reads them");
}

/** One finding for each pair of call sites and buffer. */
static void tell(const struct api_deed *a, const struct api_deed *b, const struct use *u, const struct conflict *c, const char *why, const char *mapped)
{
    struct str title = {0}, object = {0}, first = {0}, second = {0}, bytes = {0};
    put_deed(&title, a);
    if (mapped) {
        str_printf(&title, " %s a buffer while it is mapped", writes(c->a) ? "writes" : "reads");
        str_printf(&second, "%s%s%s mapped them for the host to %s", b->function, api_site_called(b->site) ? ", " : "",
                   api_site_called(b->site) ? api_site_called(b->site) : "", mapped);
    } else {
        str_put(&title, " and ");
        put_deed(&title, b);
        str_put(&title, " use the same bytes of a buffer, and nothing orders them");
        put_what(&second, b, c->b);
    }
    put_what(&first, a, c->a);
    const char *made = api_site_created(u->created);
    str_printf(&bytes, "the buffer has %llu bytes%s%s%s; they meet at bytes %llu..%llu", (unsigned long long)u->size, made ? " (" : "",
               made ? made : "", made ? ")" : "", (unsigned long long)c->at.from, (unsigned long long)c->at.to - 1);
    const char *sites[3] = {api_site_called(a->site), api_site_called(b->site), made};
    for (unsigned i = 0; i < 3; i++) str_printf(&object, "%s ", sites[i] ? sites[i] : "");
    str_printf(&object, "%s %s", a->kernel ? a->kernel : a->function, b->kernel ? b->kernel : b->function);
    const struct rep_finding f = {.kind = REP_HOST_RACE, .title = str_text(&title), .object = str_text(&object), .kernel = a->kernel ? a->kernel : b->kernel,
                                  .nnotes = 4, .notes = {str_text(&first), str_text(&second), str_text(&bytes), why}};
    rep_add(dev_report(), &f);
    rep_flush(dev_report());
    str_deinit(&title);
    str_deinit(&object);
    str_deinit(&first);
    str_deinit(&second);
    str_deinit(&bytes);
}

void api_deed_source_changed(const struct api_deed *d)
{
    struct str title = {0};
    const char *where = api_site_called(d->site);
    str_printf(&title, "%s copies memory that the host changed meanwhile", d->function);
    const struct rep_finding f = {.kind = REP_HOST_RACE, .title = str_text(&title), .object = where, .host_site = where, .nnotes = 1,
                                  .notes = {"the call does not wait: its memory is the command's until its event has ended, or the queue"}};
    rep_add(dev_report(), &f);
    rep_flush(dev_report());
    str_deinit(&title);
}

static void judge_pair(const struct pair *p)
{
    const struct use *a = &p->a.deed->uses.data[p->a.use], *b = &p->b.deed->uses.data[p->b.use];
    struct conflict c;
    if (!a->known || !b->known || !conflict_of(a, b, &c)) return;
    const bool one_queue = p->a.deed->queue == p->b.deed->queue;
    tell(p->a.deed, p->b.deed, b, &c,
         one_queue ? "their queue runs commands out of order, and no event or barrier orders the two"
                   : "they are in two queues, and no event orders the two",
         NULL);
}

static void judge_mapped(const struct api_deed *d, const struct region *r)
{
    const struct range at = {r->from, r->to};
    for (size_t k = 0; k < d->uses.len; k++) {
        const struct use *u = &d->uses.data[k];
        if (!u->known || u->root != r->map->uses.data[0].root) continue;
        struct conflict c = {0};
        for (unsigned i = 0; i < TOUCHES; i++) {
            static const enum touch order[] = {WRITE, ATOMIC_WRITE, READ, ATOMIC_READ};
            c.a = order[i];
            if ((!writes(c.a) && !r->writes) || !meet(u->by[c.a].data, u->by[c.a].len, &at, 1, &c.at)) continue;
            tell(d, r->map, u, &c, "until clEnqueueUnmapMemObject has run, the bytes are the host's", r->writes ? "write" : "read");
            return;
        }
    }
}

void api_deed_ended(struct api_deed *d)
{
    if (!d) return;
    pthread_mutex_lock(&lock);
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        const struct pair p = pairs.data[i];
        if (d->done || (p.a.deed != d && p.b.deed != d)) {
            pairs.data[n++] = p;
        } else {
            put(p.a.deed);
            put(p.b.deed);
        }
    }
    pairs.len = n;
    put(d);
    pthread_mutex_unlock(&lock);
}

void api_deed_done(struct api_deed *d)
{
    if (!d) return;
    VEC(struct pair) ripe = {0};
    for (size_t k = 0; k < d->uses.len; k++) take_touched(&d->uses.data[k]);
    pthread_mutex_lock(&lock);
    d->done = true;
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        const struct pair p = pairs.data[i];
        if (p.a.deed->done && p.b.deed->done) vec_push(&ripe, p);
        else pairs.data[n++] = p;
    }
    pairs.len = n;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < ripe.len; i++) judge_pair(&ripe.data[i]);
    for (size_t i = 0; i < d->mapped.len; i++) judge_mapped(d, d->mapped.data[i]);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < ripe.len; i++) {
        put(ripe.data[i].a.deed);
        put(ripe.data[i].b.deed);
    }
    pthread_mutex_unlock(&lock);
    vec_free(&ripe);
}

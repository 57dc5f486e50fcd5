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
 * Memory of the app's may be that of several buffers (CL_MEM_USE_HOST_PTR), and where a transfer reads or writes beside them. So ranges are
 * addresses, and what is done to such memory is held against all that is done to any.
 *
 * A launch may use all variables of its program (program scope), of which each device has its own. They have no address that the host could
 * give to others, so their ranges are places in a map of the program's own.
 *
 * A map is a deed like another. Besides, a command that is enqueued while a map of its bytes is in force, and runs
 * before the unmap does, conflicts with what the host may do there meanwhile.
 */
#include "api/deed.h"
#include "api/program.h"

#include "base/map.h"
#include "base/mem.h"
#include "devices/dev.h"
#include "devices/memory.h"

enum { MAX_PAIRS = 1024, MAX_RANGES = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards deeds, histories and the pairs
static VEC(struct pair) pairs;

void api_deeds_lock(void) { pthread_mutex_lock(&lock); }
void api_deeds_unlock(void) { pthread_mutex_unlock(&lock); }

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

static void region_put(struct region *r, void (*put_map)(struct api_deed *d))
{
    if (!r || --r->refs) return;
    put_map(r->map);
    free(r);
}

// What a deed is the last to hold goes with it; without recursion, since chains of deeds are long.
static __thread VEC(struct api_deed *) dropped;
static void drop_later(struct api_deed *d) { vec_push(&dropped, d); }

static void destroy(struct api_deed *d)
{
    for (size_t i = 0; i < d->before.len; i++) drop_later(d->before.data[i]);
    vec_free(&d->before);
    for (size_t i = 0; i < d->uses.len; i++) {
        for (unsigned k = 0; k < TOUCHES; k++) vec_free(&d->uses.data[i].by[k]);
        free(d->uses.data[i].before);
    }
    vec_free(&d->uses);
    for (size_t i = 0; i < d->mapped.len; i++) region_put(d->mapped.data[i], drop_later);
    vec_free(&d->mapped);
    region_put(d->unmaps, drop_later);
    free(d->kernel);
    free(d);
}

void api_deed_drop(struct api_deed *d)
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
    api_deeds_lock();
    api_deed_drop(d);
    api_deeds_unlock();
}

struct api_deed *api_deed_get(struct api_deed *d)
{
    d->refs++;
    return d;
}

// ---- what it does

// Other buffers, and transfers, may have the memory of a buffer that the app made of its own, and of what clSVMAlloc gave.
static bool is_shared(cl_mem root) { return !root || root->flags & CL_MEM_USE_HOST_PTR || root->address; }

static struct use *use_of(struct api_deed *d, cl_mem m)
{
    cl_mem root = api_mem_root(m);
    for (size_t i = 0; i < d->uses.len; i++) {
        if (d->uses.data[i].root != root) continue;
        d->uses.data[i].in_part |= m != root;
        return &d->uses.data[i];
    }
    struct use *u = vec_add(&d->uses);
    u->root = root;
    u->in_part = m != root;
    u->is_shared = is_shared(root);
    u->base = (uint64_t)(uintptr_t)root->data;
    u->size = root->size;
    u->created = root->obj.site;
    u->noun = api_is_image(root) ? "image" : root->address ? "shared allocation" : "buffer";
    return u;
}

static void add_range(struct use *u, const uint8_t *first, size_t size, enum api_deed_how how)
{
    const uint64_t from = (uint64_t)(uintptr_t)first;
    const enum touch t = how == API_READS ? READ : WRITE;
    u->known = true;
    u->how |= how;
    if (u->by[t].len && vec_last(&u->by[t]).to == from) vec_last(&u->by[t]).to = from + size;
    else if (u->by[t].len < MAX_RANGES) vec_push(&u->by[t], (struct range){from, from + size});
}

void api_deed_range(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, enum api_deed_how how)
{
    if (d && size) add_range(use_of(d, m), first, size, how);
}

void api_deed_host(struct api_deed *d, const uint8_t *first, size_t size, enum api_deed_how how)
{
    if (!d || !size) return;
    struct use *u = NULL;
    for (size_t i = 0; i < d->uses.len; i++) // a transfer has no other without a root
        if (!d->uses.data[i].root) u = &d->uses.data[i];
    if (!u) u = vec_add(&d->uses);
    const uint64_t from = (uint64_t)(uintptr_t)first;
    const uint64_t begin = u->noun && u->base < from ? u->base : from, end = u->noun && u->base + u->size > from + size ? u->base + u->size : from + size;
    u->is_shared = true;
    u->base = begin;
    u->size = end - begin;
    u->noun = "host's memory";
    add_range(u, first, size, how);
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

void api_deed_variables(struct api_deed *d, cl_program p, cl_device_id device)
{
    uint64_t size = 0;
    for (uint32_t i = 0; d && i < p->module->nobjects; i++) size += vm_variable_room(&p->module->objects[i]);
    if (!size) return;
    struct use *u = vec_add(&d->uses);
    u->program = p;
    u->device = device;
    u->how = API_READS | API_WRITES;
    u->size = size;
}

static struct api_histories shared; // guarded by the lock
const struct api_histories *api_histories_shared(void) { return &shared; }

struct api_history *api_history_of(const struct use *u)
{
    static struct api_history *host;
    struct api_history **h = u->root ? &u->root->history : u->program ? &u->program->history : &host;
    if (*h) return *h;
    *h = mem_alloc(sizeof **h);
    (*h)->is_shared = !u->program && is_shared(u->root);
    if ((*h)->is_shared) vec_push(&shared.list, *h);
    return *h;
}

void api_deed_maps(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, bool for_writing)
{
    if (!d) return;
    api_deed_range(d, m, first, size, for_writing ? API_WRITES : API_READS);
    cl_mem root = api_mem_root(m);
    root->was_mapped = true;
    const uint64_t from = (uint64_t)(uintptr_t)first;
    struct region *r = mem_alloc(sizeof *r);
    api_deeds_lock();
    *r = (struct region){1, from, from + size, for_writing, false, api_deed_get(d)};
    d->is_map = true;
    vec_push(&api_history_of(&(struct use){.root = root})->regions, r);
    api_deeds_unlock();
}

void api_deed_unmaps(struct api_deed *d, cl_mem m, const uint8_t *first)
{
    if (!d) return;
    cl_mem root = api_mem_root(m);
    const uint64_t from = (uint64_t)(uintptr_t)first;
    api_deeds_lock();
    struct api_history *h = api_history_of(&(struct use){.root = root});
    for (size_t i = h->regions.len; i-- && !d->unmaps;) {
        if (h->regions.data[i]->from != from) continue;
        d->unmaps = h->regions.data[i]; // with the reference
        h->regions.data[i] = vec_last(&h->regions);
        h->regions.len--;
    }
    d->is_map = true;
    api_deeds_unlock();
    if (d->unmaps) api_deed_range(d, m, first, d->unmaps->to - from, d->unmaps->writes ? API_WRITES : API_READS);
}

void api_history_destroy(struct api_history *h)
{
    if (!h) return;
    api_deeds_lock();
    for (size_t i = 0; i < h->list.len; i++) api_deed_drop(h->list.data[i].deed);
    for (size_t i = 0; i < h->regions.len; i++) region_put(h->regions.data[i], api_deed_drop);
    for (size_t i = shared.list.len; h->is_shared && i--;) {
        if (shared.list.data[i] != h) continue;
        shared.list.data[i] = vec_last(&shared.list);
        shared.list.len--;
    }
    api_deeds_unlock();
    vec_free(&h->list);
    vec_free(&h->regions);
    free(h);
}

// ---- running

void api_deed_pair(struct pair p)
{
    if (pairs.len >= MAX_PAIRS) return;
    api_deed_get(p.a.deed);
    api_deed_get(p.b.deed);
    vec_push(&pairs, p);
}

void api_deed_started(struct api_deed *d)
{
    if (!d) return;
    api_deed_watch(d);
    api_deeds_lock();
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        struct pair p = pairs.data[i];
        const struct api_deed *other = p.a.deed == d ? p.b.deed : p.b.deed == d ? p.a.deed : NULL;
        if (other && d->gated && other->known) {
            api_deed_drop(p.a.deed);
            api_deed_drop(p.b.deed);
        } else {
            pairs.data[n++] = p;
        }
    }
    pairs.len = n;
    n = 0;
    for (size_t i = 0; i < d->mapped.len; i++) {
        if (d->mapped.data[i]->gone) region_put(d->mapped.data[i], api_deed_drop);
        else d->mapped.data[n++] = d->mapped.data[i];
    }
    d->mapped.len = n;
    if (d->unmaps) d->unmaps->gone = true;
    api_deeds_unlock();
}

static struct vm_touched *touched_new(uint64_t size)
{
    struct vm_touched *t = mem_alloc(sizeof *t);
    for (unsigned k = 0; k < TOUCHES; k++)
        if (!(t->by[k] = dev_memory_alloc(size))) t->refused = true;
    return t;
}

static struct vm_touched *touched_of(struct use *u)
{
    if (!u->touched) u->touched = touched_new(u->size);
    return u->touched->refused ? NULL : u->touched;
}

struct vm_touched *api_deed_touched(struct api_deed *d, cl_mem m)
{
    struct use *u = NULL;
    for (size_t i = 0; d && i < d->uses.len; i++)
        if (d->uses.data[i].root == api_mem_root(m)) u = &d->uses.data[i];
    return u && (d->tracked || u->before) ? touched_of(u) : NULL; // no use: nothing in the kernel uses it
}

struct vm_touched *api_deed_touched_variables(struct api_deed *d)
{
    if (!d || !d->tracked) return NULL;
    for (size_t i = 0; i < d->uses.len; i++)
        if (d->uses.data[i].program) return touched_of(&d->uses.data[i]);
    return NULL;
}

/** What the command did to the memory, as ranges. Commands that are being enqueued look at these: they get all of them at once. */
static void take_touched(struct use *u)
{
    struct vm_touched *t = u->touched;
    VEC(struct range) seen[TOUCHES] = {0};
    free(u->before);
    u->before = NULL;
    if (!t) return;
    u->touched = NULL;
    bool known = !t->refused;
    for (unsigned k = 0; k < TOUCHES; k++) {
        for (uint64_t at = 0; t->any[k] && known && at < u->size;) {
            const uint8_t *from = memchr(t->by[k] + at, 1, u->size - at);
            if (!from) break;
            const uint8_t *to = memchr(from, 0, (size_t)(t->by[k] + u->size - from));
            at = to ? (uint64_t)(to - t->by[k]) : u->size;
            known = seen[k].len < MAX_RANGES; // too many: it stays silent
            vec_push(&seen[k], (struct range){u->base + (uint64_t)(from - t->by[k]), u->base + at});
        }
        if (t->by[k]) dev_memory_free(t->by[k], u->size);
    }
    free(t);
    api_deeds_lock();
    for (unsigned k = 0; k < TOUCHES; k++) {
        for (size_t i = 0; i < seen[k].len; i++) vec_push(&u->by[k], seen[k].data[i]);
        vec_free(&seen[k]);
    }
    u->known = known;
    api_deeds_unlock();
}

void api_deed_ended(struct api_deed *d)
{
    if (!d) return;
    api_deeds_lock();
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        const struct pair p = pairs.data[i];
        if (d->done || (p.a.deed != d && p.b.deed != d)) {
            pairs.data[n++] = p;
        } else {
            api_deed_drop(p.a.deed);
            api_deed_drop(p.b.deed);
        }
    }
    pairs.len = n;
    api_deed_drop(d);
    api_deeds_unlock();
}

void api_deed_done(struct api_deed *d)
{
    if (!d) return;
    VEC(struct pair) ripe = {0};
    api_deed_judge_host(d);
    for (size_t k = 0; k < d->uses.len; k++) take_touched(&d->uses.data[k]);
    api_deeds_lock();
    d->done = true;
    size_t n = 0;
    for (size_t i = 0; i < pairs.len; i++) {
        const struct pair p = pairs.data[i];
        if (p.a.deed->done && p.b.deed->done) vec_push(&ripe, p);
        else pairs.data[n++] = p;
    }
    pairs.len = n;
    api_deeds_unlock();
    for (size_t i = 0; i < ripe.len; i++) api_deed_judge_pair(&ripe.data[i]);
    for (size_t i = 0; i < d->mapped.len; i++) api_deed_judge_mapped(d, d->mapped.data[i]);
    api_deeds_lock();
    for (size_t i = 0; i < ripe.len; i++) {
        api_deed_drop(ripe.data[i].a.deed);
        api_deed_drop(ripe.data[i].b.deed);
    }
    api_deeds_unlock();
    vec_free(&ripe);
}

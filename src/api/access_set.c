// SPDX-License-Identifier: MIT
// The access set of a command, from its creation to its end: the bytes that it reads and writes.
#include "api/access_log.h"
#include "api/program.h"

#include "base/mem.h"
#include "devices/dev.h"
#include "devices/mapped_memory.h"

enum { MAX_RANGES = 1 << 20 }; // if there are more: the command may use all bytes

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards sets, order and logs

void api_access_lock(void) { pthread_mutex_lock(&lock); }
void api_access_unlock(void) { pthread_mutex_unlock(&lock); }

// ---- creation and destruction

struct api_access_set *api_access_set_new(void)
{
    if (!rep_wants(dev_report(), REP_HOST_RACE)) return NULL;
    struct api_access_set *a = mem_alloc(sizeof *a);
    a->refs = 1;
    a->function = api_function();
    a->site = api_call_site();
    return a;
}

void api_access_set_drop(struct api_access_set *a)
{
    if (!a || --a->refs) return;
    api_order_forget(a);
    for (size_t i = 0; i < a->uses.len; i++) {
        for (unsigned k = 0; k < TOUCHES; k++) vec_free(&a->uses.data[i].by[k]);
        free(a->uses.data[i].before);
    }
    vec_free(&a->uses);
    for (size_t i = 0; i < a->mapped.len; i++) api_region_put(a->mapped.data[i]);
    vec_free(&a->mapped);
    api_region_put(a->unmaps);
    free(a->kernel);
    free(a);
}

void api_access_set_put(struct api_access_set *a)
{
    if (!a) return;
    api_access_lock();
    api_access_set_drop(a);
    api_access_unlock();
}

struct api_access_set *api_access_set_get(struct api_access_set *a)
{
    a->refs++;
    return a;
}

// ---- accesses

static void extend(struct range *r, uint64_t from, uint64_t to)
{
    if (r->from == r->to) *r = (struct range){from, to};
    if (from < r->from) r->from = from;
    if (to > r->to) r->to = to;
}

static struct use *use_new(struct api_access_set *a)
{
    if (!a->uses.cap) { // most sets have one or two; many sets may be pending
        a->uses.cap = 2;
        a->uses.data = mem_array(NULL, a->uses.cap, sizeof *a->uses.data);
    }
    return vec_add(&a->uses);
}

static struct use *use_of(struct api_access_set *a, cl_mem m)
{
    cl_mem root = api_mem_root(m);
    for (size_t i = 0; i < a->uses.len; i++) {
        if (a->uses.data[i].root != root) continue;
        a->uses.data[i].in_part |= m != root;
        return &a->uses.data[i];
    }
    struct use *u = use_new(a);
    u->root = root;
    u->in_part = m != root;
    u->base = (uint64_t)(uintptr_t)root->data;
    u->size = root->size;
    u->created = root->obj.site;
    u->noun = api_is_image(root) ? "image" : root->address ? "shared allocation" : "buffer";
    return u;
}

static void add_range(struct use *u, const uint8_t *first, size_t size, enum api_access_how how)
{
    const uint64_t from = (uint64_t)(uintptr_t)first;
    const enum touch t = how == API_READS ? READ : WRITE;
    u->how |= how;
    extend(&u->may, from, from + size);
    if (u->by[t].len && vec_last(&u->by[t]).to == from) vec_last(&u->by[t]).to = from + size;
    else if (u->by[t].len < MAX_RANGES) vec_push(&u->by[t], (struct range){from, from + size});
    u->known = u->by[t].len < MAX_RANGES;
}

void api_access_range(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                      enum api_access_how how)
{
    if (a && size) add_range(use_of(a, m), first, size, how);
}

void api_access_host_range(struct api_access_set *a, const uint8_t *first, size_t size,
                           enum api_access_how how)
{
    if (!a || !size) return;
    struct use *u = NULL;
    for (size_t i = 0; i < a->uses.len; i++) // a transfer has one use without a root
        if (!a->uses.data[i].root) u = &a->uses.data[i];
    if (!u) u = use_new(a);
    const uint64_t from = (uint64_t)(uintptr_t)first;
    const uint64_t begin = u->noun && u->base < from ? u->base : from,
                   end = u->noun && u->base + u->size > from + size ? u->base + u->size
                                                                    : from + size;
    u->base = begin;
    u->size = end - begin;
    u->noun = "host's memory";
    add_range(u, first, size, how);
}

void api_access_argument(struct api_access_set *a, cl_mem m, unsigned how)
{
    if (!a || !how) return;
    struct use *u = use_of(a, m);
    const uint64_t from = (uint64_t)(uintptr_t)m->data;
    u->how |= how;
    extend(&u->may, from, from + m->size);
}

void api_access_launch(struct api_access_set *a, const char *kernel, uint64_t number)
{
    if (!a) return;
    a->kernel = mem_dup(kernel, strlen(kernel) + 1);
    a->launch = number;
}

void api_access_variables(struct api_access_set *a, cl_program p, cl_device_id device)
{
    uint64_t size = 0;
    for (uint32_t i = 0; a && i < p->module->nobjects; i++)
        size += vm_variable_room(&p->module->objects[i]);
    if (!size) return;
    struct use *u = use_new(a);
    u->program = p;
    u->device = device;
    u->how = API_READS | API_WRITES;
    u->may.to = u->size = size;
}

void api_access_map(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                    bool for_writing)
{
    if (!a) return;
    api_access_range(a, m, first, size, for_writing ? API_WRITES : API_READS);
    const uint64_t from = (uint64_t)(uintptr_t)first;
    struct use *u = use_of(a, m);
    u->root->was_mapped = true;
    struct region *r = mem_alloc(sizeof *r);
    api_access_lock();
    *r = (struct region){.refs = 1,
                         .from = from,
                         .to = from + size,
                         .writes = for_writing,
                         .map = api_access_set_get(a)};
    a->is_map = true;
    api_access_log_add_map(api_access_log_of(u), r);
    api_access_unlock();
}

void api_access_unmap(struct api_access_set *a, cl_mem m, const uint8_t *first)
{
    if (!a) return;
    const uint64_t from = (uint64_t)(uintptr_t)first;
    const struct use u = {.root = api_mem_root(m),
                          .base = (uint64_t)(uintptr_t)api_mem_root(m)->data,
                          .size = api_mem_root(m)->size};
    api_access_lock();
    a->unmaps = api_access_log_take_map(api_access_log_of(&u), from);
    a->is_map = true;
    api_access_unlock();
    if (a->unmaps)
        api_access_range(a, m, first, a->unmaps->to - from,
                         a->unmaps->writes ? API_WRITES : API_READS);
}

// ---- running

void api_access_started(struct api_access_set *a, bool many)
{
    if (!a || (!a->uses.len && !a->unmaps)) return;
    api_access_lock();
    a->tracked = many || !a->in_order || a->mapped.len || api_order_open_chains() > 1;
    size_t n = 0;
    for (size_t i = 0; i < a->mapped.len; i++) {
        if (a->mapped.data[i]->gone) api_region_put(a->mapped.data[i]);
        else a->mapped.data[n++] = a->mapped.data[i];
    }
    a->mapped.len = n;
    if (a->unmaps) a->unmaps->gone = true;
    api_access_unlock();
    api_host_watch(a);
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

struct vm_touched *api_access_touched(struct api_access_set *a, cl_mem m)
{
    struct use *u = NULL;
    for (size_t i = 0; a && i < a->uses.len; i++)
        if (a->uses.data[i].root == api_mem_root(m)) u = &a->uses.data[i];
    return u && (a->tracked || u->before) ? touched_of(u) : NULL; // the kernel does not use it
}

struct vm_touched *api_access_touched_variables(struct api_access_set *a)
{
    if (!a || !a->tracked) return NULL;
    for (size_t i = 0; i < a->uses.len; i++)
        if (a->uses.data[i].program) return touched_of(&a->uses.data[i]);
    return NULL;
}

/** Converts the touched bytes to ranges. */
static void take_touched(struct use *u)
{
    struct vm_touched *t = u->touched;
    free(u->before);
    u->before = NULL;
    if (!t) return;
    u->touched = NULL;
    u->known = !t->refused;
    for (unsigned k = 0; k < TOUCHES; k++) {
        for (uint64_t at = 0; t->any[k] && u->known && at < u->size;) {
            const uint8_t *from = memchr(t->by[k] + at, 1, u->size - at);
            if (!from) break;
            const uint8_t *to = memchr(from, 0, (size_t)(t->by[k] + u->size - from));
            at = to ? (uint64_t)(to - t->by[k]) : u->size;
            u->known = u->by[k].len < MAX_RANGES;
            vec_push(&u->by[k],
                     (struct range){u->base + (uint64_t)(from - t->by[k]), u->base + at});
        }
        if (t->by[k]) dev_memory_free(t->by[k], u->size);
    }
    free(t);
}

void api_access_done(struct api_access_set *a)
{
    if (!a || !a->uses.len) return;
    api_host_check(a);
    for (size_t k = 0; k < a->uses.len; k++) {
        take_touched(&a->uses.data[k]);
        a->uses.data[k].known |=
            dev_settings()->native; // machine code does not record touched bytes
    }
    api_access_log_settle(a, true);
    for (size_t i = 0; i < a->mapped.len; i++) api_conflict_mapped(a, a->mapped.data[i]);
}

void api_access_ended(struct api_access_set *a)
{
    if (a && a->pending && !a->done) api_access_log_settle(a, false);
}

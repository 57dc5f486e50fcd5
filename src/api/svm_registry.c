// SPDX-License-Identifier: MIT
// The live allocations of shared virtual memory, sorted by address, and the last ones that were
// freed, for the reports of accesses to them.
#include "api/svm.h"

#include "base/mem.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards live and gone; a leaf
static VEC(cl_mem) live;
enum { REMEMBERED = 64 }; // of those that were freed
static VEC(struct vm_gone) gone;

static size_t place_of(const uint8_t *p) // number of allocations that begin at or before p
{
    size_t n = 0;
    while (n < live.len && live.data[n]->data <= p) n++;
    return n;
}

/** The allocation that contains p. The lock must be held, also for the next two functions. */
static cl_mem holding(const void *p)
{
    const size_t n = place_of(p);
    cl_mem m = n ? live.data[n - 1] : NULL;
    return m && (const uint8_t *)p < m->data + m->size ? m : NULL;
}

cl_mem api_svm_get(cl_context ctx, const void *p)
{
    pthread_mutex_lock(&lock);
    cl_mem m = live.len ? holding(p) : NULL;
    if (m && ctx && m->ctx != ctx) m = NULL;
    if (m) api_ref(m);
    pthread_mutex_unlock(&lock);
    return m;
}

struct vm_gone *api_svm_gone(uint32_t *n)
{
    pthread_mutex_lock(&lock);
    *n = (uint32_t)gone.len;
    struct vm_gone *all = gone.len ? mem_array(NULL, gone.len, sizeof *all) : NULL;
    if (all) memcpy(all, gone.data, gone.len * sizeof *all);
    pthread_mutex_unlock(&lock);
    return all;
}

static void forget_gone(uint64_t address, uint64_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < gone.len; i++)
        if (gone.data[i].address >= address + size ||
            address >= gone.data[i].address + gone.data[i].size)
            gone.data[kept++] = gone.data[i];
    gone.len = kept;
}

static void remember_gone(struct vm_gone g)
{
    forget_gone(g.address, g.size);
    if (gone.len == REMEMBERED) memmove(gone.data, gone.data + 1, --gone.len * sizeof *gone.data);
    vec_push(&gone, g);
}

void api_svm_freed(const struct vm_gone *g)
{
    pthread_mutex_lock(&lock);
    remember_gone(*g);
    pthread_mutex_unlock(&lock);
}

bool api_svm_holds(const void *p)
{
    pthread_mutex_lock(&lock);
    const bool is_held = holding(p) != NULL;
    pthread_mutex_unlock(&lock);
    return is_held;
}

void api_svm_add(cl_mem m)
{
    pthread_mutex_lock(&lock);
    forget_gone(m->address, m->size);
    vec_push(&live, m);
    const size_t at = place_of(m->data - 1);
    memmove(&live.data[at + 1], &live.data[at], (live.len - 1 - at) * sizeof *live.data);
    live.data[at] = m;
    pthread_mutex_unlock(&lock);
}

cl_mem api_svm_take(const void *p)
{
    pthread_mutex_lock(&lock);
    const size_t n = place_of(p);
    cl_mem m = n && live.data[n - 1]->data == p ? live.data[n - 1] : NULL;
    if (m) memmove(&live.data[n - 1], &live.data[n], (live.len-- - n) * sizeof *live.data);
    pthread_mutex_unlock(&lock);
    return m;
}

void api_svm_was(const struct vm_gone *g)
{
    const struct vm_gone own = {g->address, g->size, g->origin ? mem_strdup(g->origin) : NULL,
                                mem_strdup(g->call), g->called ? mem_strdup(g->called) : NULL};
    api_svm_freed(&own);
}

unsigned api_svm_all(cl_context ctx, cl_mem **out)
{
    unsigned n = 0;
    *out = NULL;
    pthread_mutex_lock(&lock);
    if (live.len) *out = mem_array(NULL, live.len, sizeof **out);
    for (size_t i = 0; i < live.len; i++) {
        if (live.data[i]->ctx != ctx) continue;
        api_ref(live.data[i]);
        (*out)[n++] = live.data[i];
    }
    pthread_mutex_unlock(&lock);
    return n;
}

void api_svm_address(const void *p, uint64_t address)
{
    pthread_mutex_lock(&lock);
    cl_mem m = holding(p);
    if (m) m->address = address;
    pthread_mutex_unlock(&lock);
}

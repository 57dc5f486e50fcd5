// SPDX-License-Identifier: MIT
#include "devices/native_local.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 128, ZONE = 128, FILL = 0xc5, PAGE = 1 << 16 }; // (of a processor with large pages)

// A thread's mapping is reused by its next launch.
struct mapping {
    char *base;
    uint64_t size; // bytes between the guard pages
};
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void unmap(void *mapping)
{
    struct mapping *p = mapping;
    if (p->base) munmap(p->base, p->size + 2 * PAGE);
    free(p);
}

static void make_key(void) { pthread_key_create(&key, unmap); }

/** Maps at least `bytes` bytes; NULL: no memory. */
static struct mapping *map_at_least(uint64_t bytes)
{
    pthread_once(&once, make_key);
    struct mapping *p = pthread_getspecific(key);
    if (p && p->size >= bytes) return p;
    if (p) unmap(p);
    pthread_setspecific(key, NULL);
    p = mem_alloc(sizeof *p);
    p->size = (bytes + PAGE - 1) / PAGE * PAGE;
    void *base = mmap(NULL, p->size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base != MAP_FAILED) p->base = base;
    if (!p->base || mprotect(p->base + PAGE, p->size, PROT_READ | PROT_WRITE)) {
        unmap(p);
        return NULL;
    }
    pthread_setspecific(key, p);
    return p;
}

static uint64_t room_of(const struct native_local_part *p)
{
    return (p->size + ZONE + ALIGN - 1) / ALIGN * ALIGN;
}

bool native_local_make(struct native_local *m, struct native_local_part *parts, unsigned nparts)
{
    uint64_t bytes = ZONE;
    *m = (struct native_local){.parts = parts, .nparts = nparts};
    for (unsigned k = 0; k < nparts; k++) bytes += room_of(&parts[k]);
    if (bytes == ZONE) return true;
    struct mapping *p = map_at_least(bytes);
    if (!p) return false;
    // the last zone ends at the guard page
    char *at = p->base + PAGE + p->size - bytes;
    memset(at, FILL, ZONE);
    m->begin = at += ZONE;
    for (unsigned k = 0; k < nparts; k++) {
        parts[k].at = at;
        memset(at, 0, parts[k].size);
        memset(at + parts[k].size, FILL, room_of(&parts[k]) - parts[k].size);
        at += room_of(&parts[k]);
    }
    m->end = at;
    return true;
}

static const char *changed(const char *from, const char *to)
{
    while (from < to && (unsigned char)*from == FILL) from++;
    return from < to ? from : NULL;
}

bool native_local_spoilt(const struct native_local *m, struct str *what)
{
    if (!m->begin) return false;
    if (changed(m->begin - ZONE, m->begin)) {
        str_put(what, "wrote before the beginning of its local memory");
        return true;
    }
    for (unsigned k = 0; k < m->nparts; k++) {
        const struct native_local_part *p = &m->parts[k];
        const char *end = p->at + p->size, *at = changed(end, p->at + room_of(p));
        if (!at) continue;
        if (p->name)
            str_printf(what, "wrote past the end of local argument '%s' of %llu bytes", p->name,
                       (unsigned long long)p->size);
        else
            str_printf(what, "wrote past the end of its local arrays of %llu bytes",
                       (unsigned long long)p->size);
        return true;
    }
    return false;
}

// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *checked(void *p, size_t size)
{
    if (!p && size) {
        fprintf(stderr, "cldbg: out of memory (%zu bytes refused)\n", size);
        abort();
    }
    return p;
}

void *mem_alloc(size_t size) { return checked(calloc(1, size ? size : 1), size ? size : 1); }

void *mem_realloc(void *p, size_t size)
{
    return checked(realloc(p, size ? size : 1), size ? size : 1);
}

void *mem_array(void *p, size_t count, size_t elem_size)
{
    size_t size;
    if (__builtin_mul_overflow(count, elem_size, &size)) return checked(NULL, (size_t)-1);
    return mem_realloc(p, size);
}

void *mem_dup(const void *p, size_t size)
{
    void *q = mem_alloc(size);
    if (size) memcpy(q, p, size);
    return q;
}

char *mem_strdup(const char *s) { return mem_dup(s, strlen(s) + 1); }

void *mem_try_alloc(size_t size, size_t align)
{
    void *p = NULL;
    if (align < sizeof(void *)) align = sizeof(void *);
    if (size > (size_t)-1 / 2 || posix_memalign(&p, align, size ? size : 1)) return NULL;
    memset(p, 0, size);
    return p;
}

// With mlockall(MCL_FUTURE) new mappings are locked and filled at once, except for those that
// cannot be accessed.
void *mem_reserve(size_t size)
{
    void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    munlock(p, size);
    if (!mprotect(p, size, PROT_READ | PROT_WRITE)) return p;
    munmap(p, size);
    return NULL;
}

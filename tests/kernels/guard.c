// SPDX-License-Identifier: MIT
// Loaded before all others (LD_PRELOAD): aligned memory, which is what kernels' objects and the
// engine's rows lie in, ends at a page that faults. Lanes that are switched off, or that fill a
// gang up, must not be read or written after its end, not even to be put back.
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALIGN = 64
}; // no more than the engine's vectors need, so that few bytes are left before the page

/** In front of each block, in a mapping of its own. */
struct head {
    _Alignas(ALIGN) void *block; // to know it again
    char *start;
    size_t size;
};

int posix_memalign(void **p, size_t align, size_t size)
{
    (void)align;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t room = (size + ALIGN - 1) / ALIGN * ALIGN,
                 whole = (room + sizeof(struct head) + page - 1) / page * page;
    if (size > SIZE_MAX / 2) return ENOMEM;
    char *start = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE)) return ENOMEM;
    *p = start + whole - room;
    *((struct head *)*p - 1) = (struct head){*p, start, whole + page};
    return 0;
}

void free(void *p)
{
    static void (*other)(void *);
    const struct head *h = (struct head *)p - 1;
    // What malloc gives has something in front of it, too, so there is memory to look at.
    if (p && !((uintptr_t)p % ALIGN) && h->block == p) {
        munmap(h->start, h->size);
        return;
    }
    if (!other) other = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    other(p);
}

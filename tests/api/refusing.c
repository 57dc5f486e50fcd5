// SPDX-License-Identifier: MIT
// Preloaded (refused.py): refuses the driver the allocation number REFUSE of all that it asks for,
// 0 none; how many these were goes to the file REFUSE_COUNT when the process ends.
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static uintptr_t text_start, text_end;     // of libcldbg.so
static unsigned long long refuse_at, seen; // counted in calls from there

static int is_refused(const void *from)
{
    if ((uintptr_t)from < text_start || (uintptr_t)from >= text_end) return 0;
    return __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) == refuse_at;
}
#define FROM __builtin_return_address(0)
#pragma GCC visibility push(default)
void *malloc(size_t n) { return is_refused(FROM) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return is_refused(FROM) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return is_refused(FROM) ? NULL : __libc_realloc(p, n); }
int posix_memalign(void **p, size_t align, size_t n)
{
    if (is_refused(FROM) || !(*p = __libc_memalign(align, n))) return 12;
    return 0;
}

#pragma GCC visibility pop

static int find_text(struct dl_phdr_info *info, size_t size, void *unused)
{
    if (!strstr(info->dlpi_name, "libcldbg.so")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
        text_start = info->dlpi_addr + h->p_vaddr;
        text_end = text_start + h->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("REFUSE");
    refuse_at = at ? strtoull(at, NULL, 10) : 0;
    dl_iterate_phdr(find_text, NULL);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("REFUSE_COUNT");
    FILE *f = text_start && path ? fopen(path, "w") : NULL;
    if (!f) return;
    fprintf(f, "%llu\n", seen);
    fclose(f);
}

// SPDX-License-Identifier: MIT
#ifndef BASE_MEM_H
#define BASE_MEM_H
#include <stddef.h>

/**
 * Small allocations of cldbg itself. They never return NULL: if the system refuses a few bytes,
 * they print one line to stderr and abort. Sizes that a user or a kernel chooses do not come here:
 * use mem_try_alloc, which may fail.
 */
void *mem_alloc(size_t size); // zeroed
void *mem_realloc(void *p, size_t size);
void *mem_array(void *p, size_t count, size_t elem_size); // realloc, aborts on overflow too
char *mem_strdup(const char *s);
void *mem_dup(const void *p, size_t size);

/** Zeroed, aligned to `align` (a power of two, at least sizeof(void *)); NULL when refused. */
void *mem_try_alloc(size_t size, size_t align);
/**
 * Zeroed address space whose pages come as they are touched, also in a process that asked for all
 * of its memory to be resident (mlockall). NULL when refused; give it back with munmap.
 */
void *mem_reserve(size_t size);
#endif

// SPDX-License-Identifier: MIT
#ifndef BASE_ARENA_H
#define BASE_ARENA_H
#include <stdarg.h>
#include <stddef.h>

/**
 * Memory with one lifetime: many allocations, one release. Zero-initialized storage is an empty
 * arena.
 */
struct arena {
    struct arena_chunk *chunks;
    char *next, *end;
    size_t chunk_size; // of the next chunk; 0: there is none yet
};

void arena_init(struct arena *a);
void arena_deinit(struct arena *a); // frees everything; the arena is empty and usable again
void *arena_alloc(struct arena *a, size_t size); // zeroed, aligned to 16
void *arena_dup(struct arena *a, const void *p, size_t size);
char *arena_strdup(struct arena *a, const char *s); // NULL stays NULL
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define arena_new(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))
#endif

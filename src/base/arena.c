// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *next;
    _Alignas(16) char data[];
};

// Chunks double from the first: small arenas live by the thousand (two for each program of an app).
enum { FIRST_CHUNK = 1024, LAST_CHUNK = 32 * 1024 };

void arena_init(struct arena *a) { *a = (struct arena){0}; }

void arena_deinit(struct arena *a)
{
    for (struct arena_chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    arena_init(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(a->end - a->next) < size) {
        if (!a->chunk_size) a->chunk_size = FIRST_CHUNK;
        const bool is_large = size > a->chunk_size / 4;
        const size_t room = is_large ? size : a->chunk_size;
        struct arena_chunk *c = mem_alloc(sizeof *c + room);
        c->next = a->chunks;
        a->chunks = c;
        if (a->chunk_size < LAST_CHUNK) a->chunk_size *= 2;
        if (is_large && a->next) return c->data; // a chunk of its own; the open one stays open
        a->next = c->data;
        a->end = c->data + room;
    }
    void *p = a->next;
    if (size) a->next += size; // of nothing in an empty arena: NULL
    return p;
}

void *arena_dup(struct arena *a, const void *p, size_t size)
{
    void *q = arena_alloc(a, size);
    if (size) memcpy(q, p, size);
    return q;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s ? arena_dup(a, s, strlen(s) + 1) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, ap2;
    va_start(ap, fmt);
    va_copy(ap2, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = arena_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, ap2);
    va_end(ap2);
    return s;
}

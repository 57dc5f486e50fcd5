// SPDX-License-Identifier: MIT
// Open addressing with linear probing; at most 2/3 full. Nothing is ever removed.
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct map_slot {
    uint64_t key, value;
    bool used;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

static struct map_slot *find(const struct map *m, uint64_t key)
{
    size_t i = mix(key) & (m->cap - 1);
    while (m->slots[i].used && m->slots[i].key != key) i = (i + 1) & (m->cap - 1);
    return &m->slots[i];
}

static void grow(struct map *m)
{
    struct map old = *m;
    m->cap = old.cap ? old.cap * 2 : 16;
    m->slots = mem_alloc(m->cap * sizeof *m->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].used) *find(m, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

void map_deinit(struct map *m)
{
    free(m->slots);
    *m = (struct map){0};
}

void map_clear(struct map *m)
{
    enum { MOST_KEPT = 1024 };
    if (m->cap > MOST_KEPT) map_deinit(m);
    else if (m->len) memset(m->slots, 0, m->cap * sizeof *m->slots);
    m->len = 0;
}

void map_copy(struct map *to, const struct map *from)
{
    *to = *from;
    to->slots = from->cap ? mem_alloc(from->cap * sizeof *from->slots) : NULL;
    if (from->cap) memcpy(to->slots, from->slots, from->cap * sizeof *from->slots);
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
    if (!m->len) return NULL;
    struct map_slot *s = find(m, key);
    return s->used ? &s->value : NULL;
}

uint64_t *map_put(struct map *m, uint64_t key, bool *is_new)
{
    if ((m->len + 1) * 3 > m->cap * 2) grow(m);
    struct map_slot *s = find(m, key);
    if (is_new) *is_new = !s->used;
    if (!s->used) {
        *s = (struct map_slot){key, 0, true};
        m->len++;
    }
    return &s->value;
}

uint64_t *map_next(const struct map *m, size_t *at)
{
    while (*at < m->cap && !m->slots[*at].used) ++*at;
    return *at < m->cap ? &m->slots[(*at)++].value : NULL;
}

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    uint64_t h = 0xcbf29ce484222325ull ^ mix(seed);
    for (size_t i = 0; i < size; i++) h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3ull;
    return mix(h);
}

// Four chains of 8-byte words, since a multiplication takes several cycles. A step is a bijection
// of its chain, so words that differ in one place never give equal chains.
enum { CHAINS = 4, STEP = CHAINS * sizeof(uint64_t) };

/** The chains after all whole steps; gives the bytes that are left. */
static size_t run_chains(uint64_t h[CHAINS], const void *data, size_t size, uint64_t seed)
{
    size_t at = 0;
    for (unsigned k = 0; k < CHAINS; k++) h[k] = mix(seed + k);
    for (; at + STEP <= size; at += STEP) {
        uint64_t word[CHAINS];
        memcpy(word, (const char *)data + at, sizeof word);
        for (unsigned k = 0; k < CHAINS; k++) {
            h[k] = (h[k] ^ word[k]) * 0x9e3779b97f4a7c15ull;
            h[k] ^= h[k] >> 32;
        }
    }
    return size - at;
}

uint64_t hash_memory(const void *data, size_t size, uint64_t seed)
{
    uint64_t h[CHAINS];
    const size_t left = run_chains(h, data, size, seed);
    const uint64_t rest = hash_bytes((const char *)data + size - left, left, size);
    return hash_bytes(h, sizeof h, rest);
}

struct hash_wide hash_memory_wide(const void *data, size_t size)
{
    uint64_t h[CHAINS];
    const size_t left = run_chains(h, data, size, 0);
    const uint64_t rest = hash_bytes((const char *)data + size - left, left, size);
    struct hash_wide wide = {{rest, ~rest}};
    for (unsigned k = 0; k < CHAINS; k++) {
        wide.h[0] = mix(wide.h[0] ^ h[k]);
        wide.h[1] = mix(wide.h[1] + h[CHAINS - 1 - k]);
    }
    return wide;
}

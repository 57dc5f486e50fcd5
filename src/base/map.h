// SPDX-License-Identifier: MIT
#ifndef BASE_MAP_H
#define BASE_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Hash map from 64-bit keys (numbers or pointers) to 64-bit values. Zeroed storage is an empty map.
 */
struct map {
    struct map_slot *slots;
    size_t len, cap;
};

void map_deinit(struct map *m);
void map_clear(struct map *m); // it is likely to be filled again
/** `to` is empty. */
void map_copy(struct map *to, const struct map *from);
/** The value's place, or NULL when the key is absent. Good until the next map_put. */
uint64_t *map_get(const struct map *m, uint64_t key);
/** The value's place, made (as 0) when absent; *is_new may be NULL. */
uint64_t *map_put(struct map *m, uint64_t key, bool *is_new);
/** The values in turn: begin with *at 0. NULL: there are no more. */
uint64_t *map_next(const struct map *m, size_t *at);

static inline uint64_t *map_get_ptr(const struct map *m, const void *key)
{
    return map_get(m, (uint64_t)(uintptr_t)key);
}
static inline uint64_t *map_put_ptr(struct map *m, const void *key, bool *is_new)
{
    return map_put(m, (uint64_t)(uintptr_t)key, is_new);
}

/** 64-bit hash of bytes (FNV-1a, finished by a mixer); not for untrusted keys' collision safety. */
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);
/** The same for large memory: another function, ten times as fast. */
uint64_t hash_memory(const void *data, size_t size, uint64_t seed);
/** The same with 128 bits: equal hashes count as equal memory. */
struct hash_wide {
    uint64_t h[2];
};
struct hash_wide hash_memory_wide(const void *data, size_t size);
#endif

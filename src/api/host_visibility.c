// SPDX-License-Identifier: MIT
/*
 * Detects host writes to memory that a running kernel reads. The host has a pointer to its own
 * memory (CL_MEM_USE_HOST_PTR), and to memory that was ever mapped. Only launches without
 * concurrent commands are watched (those that are not tracked).
 *
 * For memory that the kernel does not write, the hash before and after is compared. For memory that
 * it also writes, or uses in part, a copy is kept and the launch records the bytes that its
 * work-items touch: a byte that the kernel read, did not write, and that differs at the end was
 * written by the host. Bytes that both write cannot be distinguished, and a value that was written
 * back is not detected.
 *
 * A watched launch may take several times as long. So launches with large memory are watched less
 * and less often, the same ones in each run: a host that writes to such memory usually does so
 * before every launch.
 */
#include "api/access_log.h"
#include "api/svm.h"

#include "base/map.h"
#include "base/mem.h"
#include "debug/debug.h"
#include "devices/dev.h"

enum { SMALL = 16 << 10, MAX_WATCHED = 16 << 20, MAX_COPIED = 4 << 20 }; // bytes

static bool overlap(const struct use *a, const struct use *b)
{
    return a->base < b->base + b->size && b->base < a->base + a->size;
}

static bool is_written(const struct api_access_set *a, const struct use *u)
{
    for (size_t i = 0; i < a->uses.len; i++)
        if (a->uses.data[i].how & API_WRITES && !a->uses.data[i].program &&
            overlap(&a->uses.data[i], u))
            return true;
    return false;
}

/** Does the host have a pointer to memory that it must not use while the kernel runs? */
static bool is_in_reach(const struct use *u)
{
    if (!u->root || !(u->root->flags & CL_MEM_USE_HOST_PTR || u->root->was_mapped)) return false;
    return !api_svm_holds(u->root->data); // not for fine-grained memory, which the host may use
}

/**
 * Is this launch watched? Every one with small memory; otherwise the first two, the fourth, the
 * eighth, the sixteenth…
 */
static bool is_turn(const struct use *u)
{
    const uint32_t n = atomic_fetch_add_explicit(&u->root->watchable, 1, memory_order_relaxed) + 1;
    return u->size <= SMALL || !(n & (n - 1));
}

static uint64_t hash_of(const struct use *u) { return hash_bytes(u->root->data, u->size, 1) | 1; }

void api_host_watch(struct api_access_set *a)
{
    const struct dev_settings *s = dev_settings();
    const bool notes = !s->native && !s->both &&
                       !dbg_debugger(); // only work-items write, and the writes are recorded
    for (size_t k = 0; a->kernel && !a->tracked && k < a->uses.len; k++) {
        struct use *u = &a->uses.data[k];
        if (!(u->how & API_READS) || u->size > MAX_WATCHED || !is_in_reach(u) || !is_turn(u))
            continue;
        if (!u->in_part && !is_written(a, u)) u->hash = hash_of(u);
        else if (notes && u->size <= MAX_COPIED && (u->before = malloc(u->size)))
            memcpy(u->before, u->root->data, u->size);
    }
}

/** The record of touched bytes from the one at `address` on; NULL: not known. */
static const uint8_t *map_at(const struct use *u, enum touch how, uint64_t address)
{
    return u->touched && !u->touched->refused ? u->touched->by[how] + (address - u->base) : NULL;
}

/** Did work-items read the byte and not write it? */
static bool was_only_read(const struct api_access_set *a, const struct use *u, uint64_t address)
{
    const uint8_t *const reads = map_at(u, READ, address), *const atomics =
                                                               map_at(u, ATOMIC_READ, address);
    if (!reads || !(*reads | *atomics)) return false;
    for (size_t i = 0; i < a->uses.len; i++) {
        const struct use *x = &a->uses.data[i];
        if (x->program || !(x->how & API_WRITES) || address - x->base >= x->size) continue;
        const uint8_t *const writes = map_at(x, WRITE, address);
        if (!writes || *writes | *map_at(x, ATOMIC_WRITE, address)) return false;
    }
    return true;
}

void api_host_check(const struct api_access_set *a)
{
    for (size_t k = 0; k < a->uses.len; k++) {
        const struct use *u = &a->uses.data[k];
        if (u->hash && hash_of(u) != u->hash) api_conflict_host_wrote(a, u, NULL);
        if (!u->before || !memcmp(u->before, u->root->data, u->size)) continue;
        struct range at = {0};
        for (uint64_t i = 0; i < u->size; i++) {
            if (u->before[i] == u->root->data[i] || !was_only_read(a, u, u->base + i)) {
                if (at.to) break;
                continue;
            }
            if (!at.to) at.from = i;
            at.to = i + 1;
        }
        if (at.to) api_conflict_host_wrote(a, u, &at);
    }
}

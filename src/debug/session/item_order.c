// SPDX-License-Identifier: MIT
#include "debug/session/item_order.h"

#include "base/map.h"

struct dbg_item_order dbg_item_order = {.prefer = UINT32_MAX};

/** The cached permutation, for one interval between barriers. */
static struct {
    uint64_t seed, group, launch, barriers;
    VEC(uint32_t) items;
} permutation;

uint32_t dbg_in_order(const struct vm_group *grp, uint32_t k)
{
    const uint64_t seed = dbg_item_order.seed;
    if (!dbg_item_order.seeded) return k;
    if (permutation.items.len != grp->items || permutation.seed != seed ||
        permutation.group != grp->linear || permutation.launch != dbg_launch.count ||
        permutation.barriers != grp->barriers) {
        permutation.seed = seed;
        permutation.group = grp->linear;
        permutation.launch = dbg_launch.count;
        permutation.barriers = grp->barriers;
        vec_clear(&permutation.items);
        uint64_t x = hash_bytes(
            &(uint64_t[]){seed, permutation.launch, permutation.group, permutation.barriers}, 32,
            seed);
        for (uint32_t i = 0; i < grp->items; i++) { // Fisher and Yates
            vec_push(&permutation.items, i);
            x = hash_bytes(&x, sizeof x, seed);
            const uint32_t j = (uint32_t)(x % (i + 1));
            permutation.items.data[i] = permutation.items.data[j];
            permutation.items.data[j] = i;
        }
    }
    return permutation.items.data[k];
}

// SPDX-License-Identifier: MIT
// Enumeration: the addresses of two accesses for each work-item of a group, if local ids alone
// decide them, as in an unrolled loop. Conditions that ids do not decide (data) may hold. This
// decides what is hard for a solver, for example the exchanges of a bitonic sort or a butterfly.
#include "proof/kernel.h"

enum { MOST_ITEMS = 1024, MOST_OBJECT = 1 << 17 };
static const uint64_t NOT_REACHED = UINT64_MAX;
enum { NOBODY = UINT16_MAX, SEVERAL = UINT16_MAX - 1 };

/** The offset by work-item (in the order of x, y, z), or NULL: local ids do not decide it. */
static uint64_t *evaluate(struct pk *k, const struct pk_access *a, const struct pk_address *at,
                          pf common)
{
    const uint64_t *n = k->q->local, items = n[0] * n[1] * n[2];
    uint64_t *where = arena_array(k->arena, uint64_t, items), yes, i = 0;
    const pf offset = pf_sub(&k->s, at->offset, common);
    struct pk_evaluation e = {.s = &k->s};
    bool known = true;
    for (uint64_t z = 0; z < n[2] && known; z++)
        for (uint64_t y = 0; y < n[1] && known; y++)
            for (uint64_t x = 0; x < n[0] && known; x++, i++) {
                pk_give(&e, pk_local_id(k, 0), x);
                pk_give(&e, pk_local_id(k, 1), y);
                pk_give(&e, pk_local_id(k, 2), z);
                where[i] = NOT_REACHED;
                if (pk_evaluate(&e, k->nodes.data[a->node].reached, &yes) && !yes) continue;
                if (pk_evaluate(&e, at->condition, &yes) && !yes) continue;
                known = pk_evaluate(&e, offset, &where[i]);
            }
    pk_evaluation_deinit(&e);
    return known ? where : NULL;
}

static const uint64_t *offsets_of(struct pk *k, const struct pk_access *a,
                                  const struct pk_address *at, pf common)
{
    const uint64_t parts[] = {(uintptr_t)at, a->node, common};
    bool is_new;
    uint64_t *known = map_put(&k->enumerated, hash_bytes(parts, sizeof parts, 29), &is_new);
    if (is_new) {
        uint64_t *const where = evaluate(k, a, at, common);
        known = map_get(&k->enumerated, hash_bytes(parts, sizeof parts, 29));
        *known = (uintptr_t)where;
    }
    return (const uint64_t *)(uintptr_t)*known;
}

bool pk_never_meet(struct pk *k, const struct pk_access *a, const struct pk_address *at,
                   const struct pk_access *b, const struct pk_address *bt)
{
    const uint64_t items = k->q->local[0] * k->q->local[1] * k->q->local[2],
                   size = k->bases.data[at->base].size;
    const pf common = pk_common(k, at->offset, true);
    if (items > MOST_ITEMS || size > MOST_OBJECT || at->base != bt->base ||
        common != pk_common(k, bt->offset, true))
        return false;
    const uint64_t *p = offsets_of(k, a, at, common);
    const uint64_t *q = p ? offsets_of(k, b, bt, common) : NULL;
    if (!q) return false;
    uint16_t *owner = mem_alloc(size * sizeof *owner);
    for (uint64_t i = 0; i < size; i++) owner[i] = NOBODY;
    bool meet = false;
    for (uint64_t i = 0; i < items && !meet; i++) {
        if (p[i] == NOT_REACHED) continue;
        meet = p[i] > size || size - p[i] < a->size; // not in the object
        for (uint64_t x = 0; x < a->size && !meet; x++) {
            uint16_t *o = &owner[p[i] + x];
            *o = *o == NOBODY || *o == i ? (uint16_t)i : SEVERAL;
        }
    }
    for (uint64_t i = 0; i < items && !meet; i++) {
        if (q[i] == NOT_REACHED) continue;
        meet = q[i] > size || size - q[i] < b->size;
        for (uint64_t x = 0; x < b->size && !meet; x++)
            meet = owner[q[i] + x] != NOBODY && owner[q[i] + x] != i;
    }
    free(owner);
    return !meet;
}

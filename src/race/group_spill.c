// SPDX-License-Identifier: MIT
// Per-group spill of global cells. Groups that run at the same time and access one cell take turns
// in it: a cell has room for the accesses of one group. Those of another group are spilled here,
// restored when that group accesses the cell again, and added to the summary of the cell when all
// of them have ended. So a group finds what it would find alone, and reports do not depend on how
// many groups a gang holds.
#include "race/shadow.h"

enum {
    LATEST = RACE_MAX_AT_ONCE, // as `who`: the group whose writer was spilled last
    MOST = 1 << 17,            // entries; later accesses are not spilled
};

static struct race_spill *find(const struct race_worker *w, const struct race_shadow *s,
                               uint64_t cell, uint32_t who)
{
    const uint64_t *at =
        w->spills.len
            ? map_get(&w->spill_index, race_cell_key(s, cell << s->granularity_shift, who))
            : NULL;
    return at ? &w->spills.data[*at] : NULL;
}

/** Finds or creates the entry (a new one is empty). NULL: no room. */
static struct race_spill *make(struct race_worker *w, const struct race_shadow *s, uint64_t byte,
                               uint32_t who)
{
    if (w->spills.len == MOST) return NULL;
    bool is_new;
    uint64_t *at = map_put(&w->spill_index, race_cell_key(s, byte, who), &is_new);
    if (is_new) {
        *at = w->spills.len;
        vec_push(&w->spills, (struct race_spill){.byte = byte,
                                                 .serial = s->serial,
                                                 .size = 1u << s->granularity_shift});
    }
    return &w->spills.data[*at];
}

bool spill_put(struct race_worker *w, const struct race_shadow *s, uint64_t cell, enum race_plane p)
{
    const uint64_t x = shadow_get(s, p, cell);
    struct race_spill *a = make(w, s, cell << s->granularity_shift, race_who(w->launch, x));
    if (!a) return false;
    a->stamp[p] = x;
    if (p != P_W) return true;
    memcpy(a->value, s->values + a->byte, a->size);
    *map_put(&w->spill_index, race_cell_key(s, a->byte, LATEST), NULL) =
        (uint64_t)(a - w->spills.data);
    return true;
}

static void put_back(struct race_shadow *s, uint64_t cell, enum race_plane p,
                     const struct race_spill *a)
{
    shadow_set(s, p, cell, a->stamp[p]);
    if (p == P_W) memcpy(s->values + a->byte, a->value, a->size);
}

void spill_take(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint32_t who)
{
    struct race_spill *a = find(w, s, cell, who);
    for (int p = 0; a && p < P_COUNT; p++) {
        if (!a->stamp[p]) continue;
        if (!shadow_get(s, p, cell)) put_back(s, cell, p, a);
        a->stamp[p] = 0;
    }
}

void spill_stay(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n)
{
    for (uint64_t end = cell + n; w->spills.len && cell < end; cell++) {
        const struct race_spill *a = shadow_get(s, P_W, cell) ? NULL : find(w, s, cell, LATEST);
        if (a && a->stamp[P_W]) put_back(s, cell, P_W, a);
    }
}

void spill_refined(struct race_worker *w, const struct race_shadow *s)
{
    const unsigned size = 1u << s->granularity_shift;
    for (size_t i = 0, n = w->spills.len; i < n; i++) {
        const struct race_spill whole = w->spills.data[i];
        if (whole.serial != s->serial || whole.size <= size) continue;
        w->spills.data[i].size = size;
        for (unsigned k = size; k < whole.size; k += size) {
            uint32_t who = 0;
            for (int p = 0; p < P_COUNT; p++)
                who = whole.stamp[p] ? race_who(w->launch, whole.stamp[p]) : who;
            struct race_spill *part = make(w, s, whole.byte + k, who);
            if (!part) return;
            memcpy(part->stamp, whole.stamp, sizeof part->stamp);
            memcpy(part->value, whole.value + k, size);
            if (whole.stamp[P_W])
                *map_put(&w->spill_index, race_cell_key(s, part->byte, LATEST), NULL) =
                    (uint64_t)(part - w->spills.data);
        }
    }
}

void spill_forget(struct race_worker *w)
{
    if (!w->spills.len) return;
    map_deinit(&w->spill_index);
    vec_clear(&w->spills);
}

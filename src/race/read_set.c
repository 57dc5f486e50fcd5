// SPDX-License-Identifier: MIT
#include "race/read_set.h"

enum { TIDY_LEAST = 1 << 16 };

void readers_init(struct readers *s, uint32_t group_items)
{
    *s = (struct readers){.group_items = group_items, .tidy_at = TIDY_LEAST};
    (void)vec_add(&s->times); // none
}

void readers_deinit(struct readers *s)
{
    vec_free(&s->sets);
    vec_free(&s->rows);
    vec_free(&s->free_rows);
    vec_free(&s->times);
    map_deinit(&s->index);
}

void readers_clear(struct readers *s)
{
    s->times.len = 1;
    s->tidy_at = TIDY_LEAST;
    s->sets.len = s->rows.len = s->free_rows.len = 0;
    s->free_set1 = 0;
    if (s->index.len) map_deinit(&s->index);
}

uint32_t readers_time_slow(struct readers *s, uint32_t barriers, uint32_t releases, uint32_t site)
{
    const size_t n = s->times.len;
    for (size_t i = n - 1; i > 0 && i + 16 > n; i--) { // the sites of a loop alternate
        const struct readers_time *const t = &s->times.data[i];
        if (t->barriers == barriers && t->releases == releases && t->site == site)
            return (uint32_t)i;
    }
    vec_push(&s->times, (struct readers_time){barriers, releases, site});
    return (uint32_t)n;
}

void readers_tidy(struct readers *s)
{
    if (s->times.len < s->tidy_at) return;
    uint32_t *const to = mem_alloc(s->times.len * sizeof *to);
    for (unsigned pass = 0; pass < 2; pass++) {
        const bool marks = !pass;
        for (size_t i = 0; i < s->sets.len; i++) {
            struct reader_set *const set = &s->sets.data[i];
            for (uint32_t k = 0; k < set->n && !set->row1; k++)
                if (marks) to[set->few[k].when] = 1;
                else set->few[k].when = to[set->few[k].when];
        }
        for (size_t i = 0; i < s->rows.len; i++)
            if (marks) to[s->rows.data[i]] = 1;
            else s->rows.data[i] = to[s->rows.data[i]];
        if (!marks) break;
        to[0] = 0;
        uint32_t n = 1;
        for (size_t i = 1; i < s->times.len; i++) {
            if (!to[i]) continue;
            s->times.data[n] = s->times.data[i];
            to[i] = n++;
        }
        s->times.len = n;
    }
    free(to);
    // amortized: a constant number of steps for each new time
    s->tidy_at = TIDY_LEAST + 2 * s->times.len + s->rows.len / 8 + s->sets.len;
}

// ---- sets of a list
static uint64_t hash_of(const struct reader_key *key, uint64_t group)
{
    return (key->cell * 8 + key->kind) * 0x9e3779b97f4a7c15u ^ group * 0xc2b2ae3d27d4eb4fu ^
           (uint64_t)key->shadow << 40 ^ (uint64_t)key->shift << 60;
}

static bool is_set(const struct reader_set *set, const struct reader_key *key, uint64_t group)
{
    return set->group == group && set->key.cell == key->cell && set->key.shadow == key->shadow &&
           set->key.kind == key->kind && set->key.shift == key->shift;
}

/**
 * The set's slot in the index. With `make`, a free slot if it has none. A slot of 0 is that of a
 * dropped set.
 */
static uint64_t *index_at(struct readers *s, const struct reader_key *key, uint64_t group,
                          bool make)
{
    for (uint64_t hash = hash_of(key, group);; hash++) {
        uint64_t *at = map_get(&s->index, hash);
        if (!at) return make ? map_put(&s->index, hash, NULL) : NULL;
        if (*at && is_set(&s->sets.data[*at - 1], key, group)) return at;
        if (!*at && make) return at; // (the set is new, so no later slot has it)
    }
}

/** The index + 1 of the group's set in the list. */
static uint32_t set_of(const struct readers *s, uint32_t list1, const struct reader_key *key,
                       uint64_t group)
{
    const struct reader_set *const first = list1 ? &s->sets.data[list1 - 1] : NULL;
    if (!first || first->group == group) return list1;
    if (!first->next1) return 0;
    const uint64_t *const at = index_at((struct readers *)s, key, group, false);
    return at ? (uint32_t)*at : 0;
}

static void index_put(struct readers *s, uint32_t set1)
{
    struct reader_set *const set = &s->sets.data[set1 - 1];
    if (set->is_indexed) return;
    *index_at(s, &set->key, set->group, true) = set1;
    set->is_indexed = true;
}

static uint32_t make_set(struct readers *s, uint32_t *list1, const struct reader_key *key,
                         uint64_t group)
{
    uint32_t set1 = s->free_set1;
    if (set1) {
        s->free_set1 = s->sets.data[set1 - 1].next1;
    } else {
        (void)vec_add(&s->sets);
        set1 = (uint32_t)s->sets.len;
    }
    s->sets.data[set1 - 1] = (struct reader_set){.key = *key, .group = group, .next1 = *list1};
    if (*list1) {
        index_put(s, *list1);
        index_put(s, set1);
    }
    return *list1 = set1;
}

static void make_row(struct readers *s, struct reader_set *set)
{
    uint32_t row1;
    if (s->free_rows.len) {
        row1 = vec_pop(&s->free_rows);
    } else {
        const size_t at = s->rows.len;
        vec_reserve(&s->rows, at + s->group_items);
        s->rows.len += s->group_items;
        memset(s->rows.data + at, 0, s->group_items * sizeof *s->rows.data);
        row1 = (uint32_t)(s->rows.len / s->group_items);
    }
    uint32_t *const row = readers_row(s, row1);
    for (uint32_t k = 0; k < set->n; k++) row[set->few[k].item] = set->few[k].when;
    set->row1 = row1;
}

void readers_put(struct readers *s, uint32_t *list1, const struct reader_key *key,
                 const struct order_stamp *x)
{
    const uint64_t group = x->item / s->group_items;
    const uint32_t item = (uint32_t)(x->item - group * s->group_items), when = readers_time(s, x);
    uint32_t set1 = set_of(s, *list1, key, group);
    if (!set1) set1 = make_set(s, list1, key, group);
    struct reader_set *const set = &s->sets.data[set1 - 1];
    if (x->barriers > set->latest) set->latest = x->barriers;
    uint32_t k = 0;
    while (!set->row1 && k < set->n && set->few[k].item != item) k++;
    if (!set->row1 && k == READERS_FEW) make_row(s, set);
    if (set->row1) {
        readers_row(s, set->row1)[item] = when;
        return;
    }
    set->n += k == set->n;
    set->few[k].item = item;
    set->few[k].when = when;
}

static struct order_stamp stamp_of(const struct readers *s, const struct reader_set *set,
                                   uint32_t item, uint32_t when)
{
    const struct readers_time *const t = &s->times.data[when];
    return (struct order_stamp){.item = set->group * s->group_items + item,
                                .barriers = t->barriers,
                                .releases = t->releases,
                                .site = t->site};
}

bool readers_at(const struct readers *s, const struct reader_set *set, uint32_t k,
                struct order_stamp *x)
{
    const uint32_t item = set->row1 ? k : set->few[k].item;
    const uint32_t when = set->row1 ? readers_row(s, set->row1)[k] : set->few[k].when;
    if (when) *x = stamp_of(s, set, item, when);
    return when;
}

bool readers_find(const struct readers *s, uint32_t list1, const struct reader_key *key,
                  uint64_t item, struct order_stamp *x)
{
    const uint64_t group = item / s->group_items;
    const uint32_t in_group = (uint32_t)(item - group * s->group_items),
                   set1 = set_of(s, list1, key, group);
    const struct reader_set *const set = set1 ? &s->sets.data[set1 - 1] : NULL;
    if (!set) return false;
    if (set->row1) return readers_at(s, set, in_group, x);
    for (uint32_t k = 0; k < set->n; k++)
        if (set->few[k].item == in_group) return readers_at(s, set, k, x);
    return false;
}

void readers_drop(struct readers *s, struct reader_set *set, uint32_t k)
{
    if (set->row1) {
        readers_row(s, set->row1)[k] = 0;
        return;
    }
    for (set->n--; k < set->n; k++) set->few[k] = set->few[k + 1];
}

void readers_drop_set(struct readers *s, uint32_t *at1)
{
    const uint32_t set1 = *at1;
    struct reader_set *const set = &s->sets.data[set1 - 1];
    if (set->is_indexed) *index_at(s, &set->key, set->group, false) = 0;
    if (set->row1) {
        memset(readers_row(s, set->row1), 0, s->group_items * sizeof *s->rows.data);
        vec_push(&s->free_rows, set->row1);
    }
    *at1 = set->next1;
    *set = (struct reader_set){.next1 = s->free_set1};
    s->free_set1 = set1;
}

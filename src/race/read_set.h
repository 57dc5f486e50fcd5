// SPDX-License-Identifier: MIT
#ifndef RACE_READ_SET_H
#define RACE_READ_SET_H
#include "base/map.h"
#include "base/vec.h"
#include "race/order.h"

/**
 * Private to src/race: the work-items that accessed a cell, with the time of each one's last
 * access. A cell has a list of sets, one for each work-group of these work-items. A set stores a
 * few members itself; with more it has a row with an entry for each work-item of the group. Many
 * cells share one store of sets. A list is the index + 1 of its first set; 0: it is empty.
 */
enum { READERS_FEW = 6 };

/** The unique key of a list. */
struct reader_key {
    uint64_t cell;
    uint32_t shadow;
    uint16_t kind, shift;
};

struct reader_set {
    struct reader_key key;
    uint64_t group;
    uint32_t next1, row1; // row1: 0 for few members
    uint32_t n, latest;   // members (if few); no member's access follows more barriers than
                          // `latest`
    bool is_indexed;
    struct {
        uint32_t item, when;
    } few[READERS_FEW];
};

/**
 * Times have numbers, from 1, which are valid until readers_tidy: work-items that access the cell
 * at the same time share a number.
 */
struct readers_time {
    uint32_t barriers, releases, site;
};

struct readers {
    uint32_t group_items;
    VEC(struct reader_set) sets;
    VEC(uint32_t) rows; // each of group_items times; 0: not a member
    VEC(struct readers_time) times;
    size_t tidy_at;
    uint32_t free_set1;      // a list, by next1
    VEC(uint32_t) free_rows; // which are zeroed
    struct map index;        // of sets in lists with several sets
};

void readers_init(struct readers *s, uint32_t group_items);
void readers_deinit(struct readers *s);
/** Empties the lists of all cells. */
void readers_clear(struct readers *s);

/** Between accesses: forgets times that nothing refers to. */
void readers_tidy(struct readers *s);
uint32_t readers_time_slow(struct readers *s, uint32_t barriers, uint32_t releases, uint32_t site);
static inline uint32_t readers_time(struct readers *s, const struct order_stamp *x)
{
    const struct readers_time *const t = &vec_last(&s->times);
    if (t->barriers == x->barriers && t->releases == x->releases && t->site == x->site &&
        s->times.len > 1)
        return (uint32_t)s->times.len - 1;
    return readers_time_slow(s, x->barriers, x->releases, x->site);
}

/** Adds the access x; it replaces an earlier one of the same work-item. */
void readers_put(struct readers *s, uint32_t *list1, const struct reader_key *key,
                 const struct order_stamp *x);
/** Stores the time of the work-item's access to *x; false: the set has none. */
bool readers_find(const struct readers *s, uint32_t list1, const struct reader_key *key,
                  uint64_t item, struct order_stamp *x);

/** The row of a set: the times of its group's work-items, from the first on. */
static inline uint32_t *readers_row(const struct readers *s, uint32_t row1)
{
    return s->rows.data + (size_t)(row1 - 1) * s->group_items;
}

/** The number of entries of a set; readers_at: the k-th one, or false if it has no work-item. */
static inline uint32_t readers_count(const struct readers *s, const struct reader_set *set)
{
    return set->row1 ? s->group_items : set->n;
}
bool readers_at(const struct readers *s, const struct reader_set *set, uint32_t k,
                struct order_stamp *x);
/** Removes the k-th entry; a later entry may move there. */
void readers_drop(struct readers *s, struct reader_set *set, uint32_t k);
/** Removes the set that *at1 refers to from its list. */
void readers_drop_set(struct readers *s, uint32_t *at1);
#endif

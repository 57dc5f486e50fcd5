// SPDX-License-Identifier: MIT
#ifndef RACE_READ_SET_H
#define RACE_READ_SET_H
#include "base/map.h"
#include "base/vec.h"
#include "race/order.h"

/**
 * Private to src/race: the work-items that accessed a cell, and when each of them did so last. A
 * cell has a list of sets, one for each work-group of these work-items. A set stores a few members
 * itself; with more it has a row with a place for each work-item of the group. All the sets of some
 * cells are in one store. A list is the index + 1 of its first set; 0: it is empty.
 */
enum { READERS_FEW = 6 };

/** Whose list it is: what only one list has. */
struct reader_key {
    uint64_t cell;
    uint32_t shadow;
    uint16_t kind, shift;
};

struct reader_set {
    struct reader_key key;
    uint64_t group;
    uint32_t next1, row1; // row1: 0 while they are few
    uint32_t n, latest;   // members while they are few; none came after more barriers than `latest`
    bool is_indexed;
    struct {
        uint32_t item, when;
    } few[READERS_FEW];
};

/**
 * Times have numbers, from 1, which are valid until readers_tidy: work-items that do something
 * together share one.
 */
struct readers_time {
    uint32_t barriers, releases, site;
};

struct readers {
    uint32_t group_items;
    VEC(struct reader_set) sets;
    VEC(uint32_t) rows; // of group_items times each; 0: not a member
    VEC(struct readers_time) times;
    size_t tidy_at;
    uint32_t free_set1;      // a list, by next1
    VEC(uint32_t) free_rows; // which are zeroed
    struct map index;        // of sets in lists of more than one
};

void readers_init(struct readers *s, uint32_t group_items);
void readers_deinit(struct readers *s);
/** No cell has any. */
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

/** Adds the access of the work-item at x; it replaces an earlier one. */
void readers_put(struct readers *s, uint32_t *list1, const struct reader_key *key,
                 const struct order_stamp *x);
/** Stores the time of the work-item's access to *x; false: the set has none. */
bool readers_find(const struct readers *s, uint32_t list1, const struct reader_key *key,
                  uint64_t item, struct order_stamp *x);

/** Of a set with a row: where it has the time of its group's first work-item. The others' are
 * after it. */
static inline uint32_t *readers_row(const struct readers *s, uint32_t row1)
{
    return s->rows.data + (size_t)(row1 - 1) * s->group_items;
}

/** The k-th place of a set, of readers_count; false: no work-item is there. */
static inline uint32_t readers_count(const struct readers *s, const struct reader_set *set)
{
    return set->row1 ? s->group_items : set->n;
}
bool readers_at(const struct readers *s, const struct reader_set *set, uint32_t k,
                struct order_stamp *x);
/** Removes the work-item at the k-th place; a later one may move there. */
void readers_drop(struct readers *s, struct reader_set *set, uint32_t k);
/** Removes the set, to which *at1 leads, from its list. */
void readers_drop_set(struct readers *s, uint32_t *at1);
#endif

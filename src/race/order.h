// SPDX-License-Identifier: MIT
#ifndef RACE_ORDER_H
#define RACE_ORDER_H
#include "base/map.h"
#include "base/vec.h"
#include "race/race.h"
#include "race/tree.h"

/** Private to src/race: happens-before in a launch that synchronizes. Theory in order.c. */

enum order_kind {
    O_STRICT,
    O_DE_FACTO,
    O_KINDS
}; // O_STRICT: the memory model; O_DE_FACTO: the assumptions of OpenCL 1.2 code
enum order_reach { O_GROUP, O_DEVICE, O_REACHES };          // of a scope
enum order_space { O_GLOBAL, O_LOCAL, O_IMAGES, O_SPACES }; // O_GLOBAL: global memory except images
enum { ORDER_ITEM_BITS = 40 }; // a launch that needs more is not checked
typedef struct tree *order_clock[O_KINDS][O_SPACES];

/** When an access took place. `item` counts through all work-items of the launch. */
struct order_stamp {
    uint64_t item : ORDER_ITEM_BITS, site : 64 - ORDER_ITEM_BITS;
    uint32_t barriers, releases; // barriers that its group had passed; its own releases that follow
                                 // accesses
};

/** An atomic that the work-item read, with the clock that this acquires in the de-facto order. */
struct order_taken {
    uint64_t var, offset;
    uint32_t site, object;
    struct tree *clock[O_SPACES];
};
enum { ORDER_TAKEN = 4 };
/** What a work-item last acquired from a channel: the channel as of this number of changes. */
struct order_met {
    uint32_t channel1;
    bool is_part; // the work-item's clock is part of the channel's clock, until the channel begins
                  // anew
    uint64_t begun, changes;
};
struct order_actor { // a work-item that has acquired or released on its own
    uint32_t item;
    order_clock now, rel[O_REACHES], pend[O_REACHES];
    struct tree *cl1_rel[O_SPACES],
        *cl1_pend[O_SPACES]; // de-facto order: releases for, and acquires from, atomics of OpenCL
                             // 1.x, which have no scope
    struct tree *beyond[O_REACHES][O_SPACES]; // order.apart: pending acquires, from atomics that
                                              // were read, for other memory than theirs
    struct order_met now_met[O_REACHES], pend_met[O_REACHES], legacy_met[O_REACHES][2];
    struct order_taken taken[ORDER_TAKEN]; // a ring
    unsigned ntaken;
};

struct order_group {
    uint64_t group;
    uint32_t barriers,
        fenced[O_SPACES];  // barriers passed; the same at the last one that fenced the space
    uint32_t publications; // number of calls of order_publish
    order_clock base, rel[O_REACHES]; // clocks of all work-items without an actor
    struct tree *cl1_rel[O_SPACES];   // as order_actor.cl1_rel
    struct order_actor **actors;      // by item
    uint32_t *releases;               // by item: number of releases that follow accesses
    uint8_t *touched;                 // by item: there were accesses since the last one
    VEC(uint32_t) active;
};

/** A point in time of a group: its numbers of barriers and calls of order_publish. */
struct order_reached {
    uint64_t group1;
    uint32_t steps;
};
struct order_channel { // what an atomic location publishes
    order_clock clock;
    uint64_t version;
    uint64_t begun,
        changes;     // `begun` and `changes` are numbered across all channels; the clock only grows
                     // between beginnings
    uint64_t within; // for a channel of a group: it is part of the channel for all that began then
    struct order_reached passed_on[2],
        has_base; // it includes all that this group's barriers published ([1]: also for OpenCL 1.x)
};
struct order_var {
    uint64_t version, head;     // of the release sequence; its work-item + 1
    uint64_t near_group1;       // the last group at this location
    uint32_t everyones1, near1; // indices + 1 of channels: of that for all, and of that of
                                // `near_group1`
    struct map groups;          // group + 1 → index of the channel + 1
};
struct order {
    struct trees trees;
    uint32_t group_items;
    int spaces; // spaces of the launch: O_SPACES, or fewer without images
    bool wide;  // as race_config.wide_scopes
    bool apart; // as race_config.apart
    struct map vars;
    VEC(struct order_var) list;
    VEC(struct order_channel) channels;
    uint64_t begun, changes;
    // Of order_drop, to be used again: indices of `list` and `channels`.
    VEC(uint32_t) spare_vars;
    VEC(uint32_t) spare_channels;
    uint64_t last_var; // the variable that was used last, and its index + 1; 0: none
    size_t last1;
};

void order_init(struct order *o, uint64_t ngroups, uint32_t group_items);
void order_deinit(struct order *o);
void order_group_begin(struct order *o, struct order_group *g, uint64_t group);
void order_group_deinit(struct order *o, struct order_group *g);
void order_barrier(struct order *o, struct order_group *g, unsigned fences, unsigned scope);
void order_sub_group_barrier(struct order *o, struct order_group *g,
                             const struct race_sub_group *items, unsigned fences, unsigned scope);
void order_fence(struct order *o, struct order_group *g, uint32_t item,
                 const struct race_fence_op *f);
/**
 * The two halves of an atomic access, before and after it is checked. `var` is the key of the
 * location; it is odd for local memory.
 */
void order_acquire(struct order *o, struct order_group *g, uint64_t var,
                   const struct race_atomic_op *op);
void order_release(struct order *o, struct order_group *g, uint64_t var,
                   const struct race_atomic_op *op);

/**
 * Stores that are visible late: a location may have several records of what it publishes. One is
 * current: atomics use it. order_fork makes a copy of the current record current and returns the
 * original; order_switch makes `to` current and returns the former one; order_drop frees one that
 * is not current.
 */
uint32_t order_fork(struct order *o, uint64_t var);
uint32_t order_switch(struct order *o, uint64_t var, uint32_t to);
void order_drop(struct order *o, uint32_t record);

/**
 * All accesses of `item` until now become ordered before later accesses of the group's work-items.
 */
void order_publish(struct order *o, struct order_group *g, uint32_t item);

/** The stamp of an access of `item` now. */
static inline struct order_stamp order_touch(const struct order *o, struct order_group *g,
                                             uint32_t item, uint32_t site)
{
    g->touched[item] = 1;
    return (struct order_stamp){g->group * o->group_items + item, site, g->barriers,
                                g->releases[item]};
}
/**
 * The atomic that, in the de-facto order, orders x before the current access of `item`; NULL: it is
 * no longer known.
 */
const struct order_taken *order_through(const struct order *o, const struct order_group *g,
                                        uint32_t item, const struct order_stamp *x,
                                        enum order_space space);
/** Is x, of another work-item, ordered before what `item` does now? */
bool order_before(const struct order *o, const struct order_group *g, uint32_t item,
                  const struct order_stamp *x, enum order_kind kind, enum order_space space);
/**
 * The fast form of order_before for many stamps: the strict clock of a work-item, and the number of
 * barriers that it knows of one group. The item may change, and `tree` with it (order_sees); the
 * clocks of the group's work-items must not change.
 */
struct order_view {
    const struct order *o;
    const struct order_group *g;
    uint64_t first, near, near_key; // the first work-item of the group; that of the group that
                                    // `barriers` counts, and its key
    const struct tree *tree, *near_tree;
    uint32_t fenced, barriers;
};
void order_look(struct order_view *v, const struct order *o, const struct order_group *g,
                enum order_space space);
static inline void order_sees(struct order_view *v, uint32_t item, enum order_space space)
{
    const struct order_actor *const a = v->g->actors[item];
    v->tree = a ? a->now[O_STRICT][space] : v->g->base[O_STRICT][space];
}
/** Moves the view's barrier count to the group of x. */
void order_come_near(struct order_view *v, const struct order_stamp *x);
static inline bool order_is_seen(struct order_view *v, const struct order_stamp *x)
{
    const uint32_t items = v->o->group_items;
    if (x->item - v->first < items && x->barriers < v->fenced) return true;
    if (!v->tree) return false;
    if (x->item - v->near >= items || v->tree != v->near_tree) order_come_near(v, x);
    return x->barriers < v->barriers ||
           tree_get(&v->o->trees, v->tree, v->near_key + 1 + (x->item - v->near)) > x->releases;
}
/** The same for all `items` work-items of the group. */
bool order_before_all(const struct order *o, const struct order_group *g, uint32_t items,
                      const struct order_stamp *x, enum order_kind kind, enum order_space space);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_ITEM_ORDER_H
#define DEBUG_ITEM_ORDER_H
#include "base/vec.h"
#include "debug/session/focus.h"

/** The order in which the work-items of a group run between barriers. */
struct dbg_item_order {
    uint32_t prefer; // the item that runs first, or UINT32_MAX
    bool seeded;     // a permutation computed from `seed`; otherwise the order of ids
    uint64_t seed;
};
extern struct dbg_item_order dbg_item_order;

/** The k-th work-item. */
uint32_t dbg_in_order(const struct vm_group *grp, uint32_t k);
#endif

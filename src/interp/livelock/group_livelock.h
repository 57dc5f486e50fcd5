// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_LIVELOCK_H
#define INTERP_GROUP_LIVELOCK_H
#include "interp/core/group.h"

/**
 * Of all that the group will do in the loops that it is in, given the memory of others: equal
 * states, equal future.
 */
uint64_t vm_group_state(struct vm_group *grp);
struct slice;
void vm_slice_free(struct slice *s);

/** The group starts, or has written something that others can see. */
void vm_round_start(struct vm_group *grp);
enum vm_round_end { VM_ROUND_GOES_ON, VM_ROUND_WAITS, VM_ROUND_ENDLESS };
/**
 * All passed the barrier that ends `block`. ENDLESS: it goes round for ever. WAITS: it does unless
 * another group writes something; it should let others run.
 */
enum vm_round_end vm_round_look(struct vm_group *grp, uint32_t block);
static inline bool vm_round_is_due(const struct vm_group *grp)
{
    return grp->meetings >= grp->round_trip.look_at;
}
/** Tells of a group that goes round for ever, and ends the launch. */
void vm_round_tell(struct vm_group *grp);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_LIVELOCK_H
#define INTERP_GROUP_LIVELOCK_H
#include "interp/livelock/fingerprint.h"

#include <stdbool.h>
#include <stdint.h>

struct vm_group;

/**
 * Since when a group has gone round loops with barriers and wrote nothing that other groups can
 * see: see group_livelock.c.
 */
struct vm_round {
    uint64_t look_at, pause; // barriers
    uint64_t effects, since;
    struct vm_snapshot anchor;
    uint32_t looks, most, renew;
    uint32_t depth, loc;
    bool is_known; // it does
};

/**
 * States of lanes that wait for one another, at their yields, and after how many changes of memory
 * (vm_worker.changes) they were seen.
 */
struct vm_cycle {
    uint64_t yields, last, anchor;
    uint64_t last_changes, anchor_changes, known1; // known1: it repeats itself since so many, + 1
};

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

/** Tells of a group that goes round for ever, and ends the launch. */
void vm_round_tell(struct vm_group *grp);

/** Whether the group is to stop, or to let others run, since it only goes round. */
bool vm_group_goes_round(struct vm_group *grp, uint32_t block);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_LIVELOCK_H
#define INTERP_GROUP_LIVELOCK_H
#include "interp/livelock/fingerprint.h"

#include <stdbool.h>
#include <stdint.h>

struct vm_group;

/**
 * The time since when a group has run loops with barriers without an effect visible to other
 * groups: see group_livelock.c.
 */
struct vm_group_livelock {
    uint64_t look_at, pause; // barriers
    uint64_t effects, since;
    struct vm_fingerprint reference;
    uint32_t looks, most, renew;
    uint32_t depth, loc;
    bool is_known; // it does
};

/**
 * States of lanes that wait for each other, at their yields, with the number of changes of memory
 * (vm_worker.changes) at that time.
 */
struct vm_cycle {
    uint64_t yields, last, reference;
    uint64_t last_changes, reference_changes,
        known1; // known1: number of changes since when it repeats itself, + 1
};

/**
 * A hash of the state that the group's future depends on, given the memory of others: equal states,
 * equal future.
 */
uint64_t vm_group_fingerprint(struct vm_group *grp);

struct slice;

void vm_slice_free(struct slice *s);

/** Restarts the check: the group starts, or had a visible effect. */
void vm_group_livelock_start(struct vm_group *grp);

enum vm_livelock { VM_LIVELOCK_NOT, VM_LIVELOCK_UNLESS_WRITTEN, VM_LIVELOCK };

/**
 * To be called when the group has passed the barrier that ends `block`. LIVELOCK: the group repeats
 * itself forever. UNLESS_WRITTEN: it does unless another group writes something, so it should
 * yield.
 */
enum vm_livelock vm_group_livelock_check(struct vm_group *grp, uint32_t block);

/** Reports the livelock and ends the launch. */
void vm_group_livelock_report(struct vm_group *grp);

/** Must the group stop, or yield to others, because it repeats itself? */
bool vm_group_livelock_stops(struct vm_group *grp, uint32_t block);
#endif

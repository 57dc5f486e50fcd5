// SPDX-License-Identifier: MIT
#ifndef INTERP_ASYNC_COPIES_H
#define INTERP_ASYNC_COPIES_H
#include "interp/core/gang.h"

/** One side of an async copy: element k lies at offset + k * step. */
struct vm_copy_side {
    uint32_t object, site;
    uint32_t number; // of the site, for the race check
    uint64_t offset, step;
};

/** An async copy in flight: no work-item has waited for it yet. */
struct vm_copy {
    const struct bc_insn *src;
    uint64_t event;
    uint32_t serial; // of the group's, from 1 on
    bool ends;       // the next barrier waits for it
    struct vm_copy_side from, to;
    uint64_t count, elem;
    uint64_t more; // further copies of the same instruction, beyond RACE_MAX_COPIES in flight
};

/**
 * Events given to wait_group_events that no copy in flight has: their number, and the first
 * work-item's event.
 */
struct vm_wrong_event {
    struct vm_gang *gang;
    const struct bc_insn *src;
    uint64_t count;
    uint32_t lane;
    bool waited; // a work-item waited for it before
};

void vm_copies_end(struct vm_group *grp);      // ends the copies that the barrier just reached
                                               // waits for
void vm_copies_restored(struct vm_group *grp); // a checkpoint replaced the copies in flight
void vm_copies_left(struct vm_group *grp);     // the group is done: reports copies in flight
#endif

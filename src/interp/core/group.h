// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_H
#define INTERP_GROUP_H
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "interp/calls/async_copies.h"
#include "interp/core/collective_args.h"
#include "interp/core/gang.h"
#include "interp/definedness/undef.h"
#include "interp/images/image_fences.h"
#include "interp/livelock/group_livelock.h"
#include "race/race.h"

struct vm_worker;
struct err;

/**
 * A work-group that runs: its gangs, its local memory. Contexts are used again for group after
 * group.
 */
struct vm_group {
    struct vm_worker *worker;
    struct race_worker *race; // or NULL
    uint64_t linear, id[3];
    uint32_t shape[3]; // of this group
    uint32_t ngroups;  // in a pack: from `linear` on, all of this shape
    uint32_t items;    // of all of them
    uint64_t pack;     // the first group of the pack that these are of; else linear
    struct vm_gang **gangs;
    uint32_t ngangs, max_gangs;
    char *local_mem;
    uint8_t *local_shadow;     // of local_mem, or NULL
    bool is_used;              // it is not the first one here
    struct vm_shadow *shadows; // by id: of local objects
    struct vm_image_fences image_fences;
    struct str out; // what printf wrote
    uint64_t *put;  // of work-group functions: two halves with a value for each work-item; or NULL
    uint8_t *put_undef;    // beside it, or NULL: which bytes are undefined, and
    uint64_t *put_origins; // where that came from
    unsigned put_half;     // the half that is being filled
    uint64_t barriers;     // passed
    uint64_t rendezvous;   // the same, with those that order nothing
    struct vm_first_args first_args;
    VEC(struct vm_copy) copies; // under way
    uint32_t ncopied;           // begun
    bool drops_copies;          // more than RACE_MAX_COPIES were under way at once
    struct vm_wrong_event wrong_event;
    bool events_differ; // work-items waited for different ones: reported
    bool diverged;      // its divergence was reported, and it has not been together since
    bool changed;       // memory, as vm_worker.changed, before somebody else cleared that
    struct vm_cycle cycle;
    struct vm_group_livelock livelock;
    struct slice *slice; // see group_livelock.c; or NULL
};

struct err *vm_group_create(struct vm_worker *w, struct vm_group **out);
void vm_group_release(struct vm_group *grp); // gangs go back to the code's store
/** Groups [linear, linear + n), more than one only as vm_packed_run allows. */
void vm_group_start(struct vm_group *grp, uint64_t linear, uint64_t n);

/** Runs until the group is done (VM_DONE) or only waits for others (VM_YIELDED). */
enum vm_state vm_group_run(struct vm_group *grp);

/** Whether a group that yielded is as it was before, registers and private memory included. */
bool vm_group_is_stuck(struct vm_group *grp);
void vm_group_report_stuck(struct vm_group *grp);

static inline bool vm_group_livelock_is_due(const struct vm_group *grp)
{
    return grp->rendezvous >= grp->livelock.look_at;
}
#endif

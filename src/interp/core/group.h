// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_H
#define INTERP_GROUP_H
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "interp/calls/async_copies.h"
#include "interp/core/collective_args.h"
#include "interp/core/gang.h"
#include "interp/core/last_writers.h"
#include "interp/definedness/undef.h"
#include "interp/images/image_fences.h"
#include "interp/livelock/group_livelock.h"
#include "race/race.h"

struct vm_worker;
struct err;

/**
 * A work-group that runs: its gangs, its local memory. The context is reused for later groups.
 */
struct vm_group {
    struct vm_worker *worker;
    struct race_worker *race; // or NULL
    uint64_t linear, id[3];
    uint32_t shape[3]; // of this group
    uint32_t ngroups;  // groups of the pack, from `linear` on, all of this shape
    uint32_t items;    // work-items of all these groups
    uint64_t pack;     // the first group of the pack that contains these; otherwise linear
    struct vm_gang **gangs;
    uint32_t ngangs, max_gangs;
    char *local_mem;
    uint8_t *local_shadow;     // of local_mem, or NULL
    bool is_used;              // the context ran another group before
    bool is_begun;             // its gangs have been started (vm_group_begin)
    struct vm_shadow *shadows; // by id: of local objects
    struct vm_last_writers writers;
    struct vm_image_fences image_fences;
    struct str out; // output of printf
    uint64_t *put;  // of work-group functions: two halves with a value for each work-item; or NULL
    uint8_t *put_undef;    // V bits of `put`, or NULL, and
    uint64_t *put_origins; // the origins of undefined bytes
    unsigned put_half;     // the half that is being filled
    uint64_t barriers;     // passed
    uint64_t rendezvous;   // the same, including barriers that order no memory
    struct vm_first_args first_args;
    VEC(struct vm_copy) copies; // under way
    uint32_t ncopied;           // begun
    bool drops_copies;          // more than RACE_MAX_COPIES were in flight at once
    struct vm_wrong_event wrong_event;
    bool events_differ; // work-items waited for different events; reported
    bool diverged;      // divergence was reported, and has not ended since
    bool changed;       // memory changed: vm_worker.changed before it was cleared
    struct vm_cycle cycle;
    struct vm_group_livelock livelock;
    struct slice *slice; // see group_livelock.c; or NULL
};

struct err *vm_group_create(struct vm_worker *w, struct vm_group **out);
void vm_group_release(struct vm_group *grp); // gangs go back to the code's store
/** Starts groups [linear, linear + n); more than one only if vm_packed_run allows it. */
void vm_group_start(struct vm_group *grp, uint64_t linear, uint64_t n);
/** The two parts of vm_group_start; a debugger decides when the second is necessary. */
void vm_group_prepare(struct vm_group *grp, uint64_t linear, uint64_t n);
void vm_group_begin(struct vm_group *grp);

/**
 * Runs until the group is done (VM_DONE) or all its work-items wait for other groups (VM_YIELDED).
 */
enum vm_state vm_group_run(struct vm_group *grp);

/** Is the state of a group that yielded unchanged, including registers and private memory? */
bool vm_group_is_stuck(struct vm_group *grp);
void vm_group_report_stuck(struct vm_group *grp);

static inline bool vm_group_livelock_is_due(const struct vm_group *grp)
{
    return grp->rendezvous >= grp->livelock.look_at;
}
#endif

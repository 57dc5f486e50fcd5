// SPDX-License-Identifier: MIT
#ifndef INTERP_RUN_H
#define INTERP_RUN_H
#include "base/vec.h"
#include "check/check.h"
#include "interp/core/memory_object.h"
#include "interp/core/signing.h"
#include "interp/definedness/undef.h"
#include "interp/launch/contention.h"
#include "race/race.h"

#include <pthread.h>
#include <stdatomic.h>

struct vm_worker;
struct vm_code;

/**
 * A buffer whose first n elements each worker privatizes, from byte `at` of vm_worker.privatized
 * on: see privatized_reduction.c.
 */
struct vm_privatized {
    uint32_t object, n;
    uint64_t at;
};

/** A launch. */
struct vm_run {
    const struct vm_launch *l;
    struct vm_code *code;
    struct chk_launch chk;
    uint64_t grid[3], ngroups;
    uint32_t max_shape[3], group_items;
    uint32_t packed_groups; // groups that run at once, usually 1
    uint64_t npacks;
    uint32_t gangs_per_group;
    struct vm_object *objects; // template, by id; the last entry is for ids that do not exist
    uint32_t nobjects;
    struct vm_signing signing;    // of pointers to them
    struct chk_object *names;     // of objects, by id
    bool shares_arguments;        // several arguments are the same bytes
    uint64_t local_bytes;         // automatic and argument
    uint64_t *local_off;          // id → offset in the group's local memory
    uint64_t origins[VM_ORIGINS]; // of undefined values that were stored to memory, from [1] on; 0:
                                  // unused. Shared by threads
    struct vm_shadow *shadows;    // by id: of buffers that are not fully initialized, or NULL
    VEC(struct vm_privatized) privatized;
    uint64_t private_bytes_of_worker;
    struct race_launch *race;
    uint8_t *barrier_of; // for race_config; or NULL
    bool notes_writers;  // vm_launch.writer or names_writers
    bool was_taken_over; // groups ran elsewhere (vm_launch.takeover); atomic
    bool races_reported; // race_launch_end was called before
    bool counts;         // statistics are wanted
    struct {
        bool wanted;
        double begin, next; // seconds; `next` is used by the first worker
    } progress;
    struct vm_worker *workers;
    unsigned nworkers;
    struct vm_division *division; // NULL: this process runs all groups
    bool found;                   // divided: something was to be reported while groups ran; atomic
    struct governor governor;     // throttles the workers; its unit of work is a pack
    bool in_order;                // no work stealing
    atomic_ullong spent;          // lane instructions
    atomic_int stopped;           // enum vm_stop
    pthread_mutex_t out_lock;     // guards streaming
    unsigned streaming;           // the worker whose printf output is written directly
};
enum vm_stop { VM_STOP_NOT, VM_STOP_CANCEL, VM_STOP_LIMIT, VM_STOP_LIVELOCK };

static inline uint32_t vm_sub_group_size(const struct vm_launch *l)
{
    return l->sub_group ? l->sub_group : 32;
}
#endif

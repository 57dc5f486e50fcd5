// SPDX-License-Identifier: MIT
#ifndef INTERP_ENQUEUED_H
#define INTERP_ENQUEUED_H
#include "base/vec.h"
#include "bytecode/bytecode.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Device-side enqueue. While a launch runs, its work-items only describe other launches (children);
 * src/api runs these when it has ended (api/child_launch.c). That order is allowed for each flag:
 * CLK_ENQUEUE_FLAGS_NO_WAIT permits an earlier start, but does not promise it. Such a launch has
 * one worker, so the children are in the same order in each run.
 */

/** A launch, or a marker, that a work-item enqueued. */
struct vm_enqueued {
    const struct bc_kernel *kernel; // NULL: a marker
    uint64_t queue;
    unsigned flags, dims;
    uint64_t offset[3], global[3], local[3]; // local[0] 0: to be chosen
    uint8_t *block; // the block with its captured values: the kernel's first argument
    uint64_t block_size;
    VEC(uint64_t) locals; // bytes of the local memory of its other arguments
    VEC(uint64_t) waits;  // events, referenced
    uint64_t event;       // its own, or 0
    uint64_t launch;      // of the work-item
    unsigned depth;       // 1: enqueued by a launch of the host
    uint32_t loc;
    uint64_t group; // of the work-item, linear
    uint32_t item;
    int error; // the first one, which END returns; 0: none
};
void vm_enqueued_free(struct vm_enqueued *e);
/** What a work-item is describing. */
struct vm_description {
    struct vm_enqueued *launch; // or NULL
    uint64_t event;             // of the last launch that it enqueued
};

/** clk_event_t. A status is as on the host: 0 is complete, less is an error, more is not yet. */
struct vm_device_events;
struct vm_device_events *vm_device_events_create(void);
void vm_device_events_destroy(struct vm_device_events *t);
uint64_t vm_device_event_new(struct vm_device_events *t, bool is_user); // 0: no room
// The kernels' references: a new event has one. False: the event does not exist for kernels.
bool vm_device_event_exists(struct vm_device_events *t, uint64_t event);
bool vm_device_event_retain(struct vm_device_events *t, uint64_t event);
bool vm_device_event_release(struct vm_device_events *t, uint64_t event);
// The references of launches, for which it exists as long as they have one.
void vm_device_event_hold(struct vm_device_events *t, uint64_t event);
void vm_device_event_let_go(struct vm_device_events *t, uint64_t event);
int vm_device_event_status(struct vm_device_events *t, uint64_t event);
/** Completes the event of a launch or marker. times: END - START and COMPLETE - START, nanoseconds.
 */
void vm_device_event_complete(struct vm_device_events *t, uint64_t event, int status,
                              const uint64_t times[2]);
/** Those of an event that is complete; otherwise false. */
bool vm_device_event_times(struct vm_device_events *t, uint64_t event, uint64_t times[2]);
/** False: it is not a user event, or is set already. */
bool vm_device_event_set(struct vm_device_events *t, uint64_t event, int status);

enum {
    VM_MAX_DEVICE_EVENTS = 1 << 16,
    VM_ENQUEUED_BYTES = 1024,   // of a queue, for each launch in it
    VM_MAX_ENQUEUED = 1 << 18,  // by a launch of the host and its children
    VM_MAX_ENQUEUE_DEPTH = 512, // children of children
    VM_MAX_BLOCK_BYTES = 1 << 16,
};

struct vm_device_queue {
    uint64_t queue;      // as kernels have it
    uint64_t size, used; // bytes
};
/** Two times that are written when the event completes. */
struct vm_profiled {
    uint64_t event;
    uint8_t *to; // 16 bytes
};
/** What the work-items of a launch may enqueue, and what they have enqueued. */
struct vm_enqueuer {
    struct vm_device_events *events;
    struct vm_device_queue *queues;
    uint32_t nqueues;
    uint64_t default_queue;        // 0: none
    uint64_t max_items, max_local; // of a work-group; bytes of local memory
    unsigned depth;                // of the launch: 0 for one of the host
    uint64_t left;                 // how many more
    VEC(struct vm_enqueued *) list;
    VEC(struct vm_profiled) profiled;
};
#endif

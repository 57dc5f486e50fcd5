// SPDX-License-Identifier: MIT
#ifndef API_ACCESS_SET_H
#define API_ACCESS_SET_H
#include "api/object.h"

/**
 * The access set of a command: the bytes that it reads and writes, and its predecessors in
 * happens-before, for host-race. Theory: ordering.c (happens-before), access_log.c (conflicts).
 *
 * All functions accept NULL: the check is off then.
 */
struct api_access_set;
enum api_access_how { API_READS = 1, API_WRITES = 2 };

/** A new set for the entry point that this thread is in; NULL when the check is off. */
struct api_access_set *api_access_set_new(void);
void api_access_set_put(struct api_access_set *a);

// ---- while the command is created
/** The command reads, or writes, exactly these bytes of m. */
void api_access_range(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                      enum api_access_how how);
/** A transfer reads, or writes, these bytes of host memory. */
void api_access_host_range(struct api_access_set *a, const uint8_t *first, size_t size,
                           enum api_access_how how);
/** A launch that may use m as `how` says (bits); the bytes are known after it has run. */
void api_access_argument(struct api_access_set *a, cl_mem m, unsigned how);
void api_access_launch(struct api_access_set *a, const char *kernel, uint64_t number);
/** The launch may use the program's variables. Each device has its own. */
void api_access_variables(struct api_access_set *a, cl_program p, cl_device_id device);
/** The command maps this range of m for the host, or ends the map that begins there. */
void api_access_map(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                    bool for_writing);
void api_access_unmap(struct api_access_set *a, cl_mem m, const uint8_t *first);

// ---- order (ordering.c)
enum api_order {
    API_ORDER_COMMAND, // ordered by its queue
    API_ORDER_MARKER,  // after everything before it, if its wait list is empty
    API_ORDER_BARRIER, // the same, and everything after it waits
    API_ORDER_LIST,    // ordered by its wait list only
    API_ORDER_RECORD,  // not enqueued: the request is a struct api_recording (cmdgraph.h)
};
struct api_chain;
struct api_clock;
struct api_order_queue { // of a command queue; guarded by the lock of the access sets
    uint64_t number;
    uint64_t group; // of the commands of one enqueue of a command buffer; 0: of no group
    bool in_order;
    struct api_chain *chain;        // in-order queue: the chain of all its commands
    struct api_access_set *last;    // in-order queue: the last command
    struct api_clock *all, *joined; // out-of-order queue: the clock of everything enqueued; the
                                    // last vector that was joined to it
    struct api_clock *barrier;      // the clock of the last barrier, or NULL
    unsigned next_free;             // index of the next component of `barrier` to be considered
};
void api_order_queue_init(struct api_order_queue *q, bool in_order);
void api_order_queue_deinit(struct api_order_queue *q);
/**
 * A user event: commands that wait for it are ordered after everything that the host has observed
 * when it sets the event.
 */
void api_order_is_user_event(struct api_access_set *a);
/**
 * The command was put into the queue with this wait list. Called once per command, under the
 * graph's lock.
 */
void api_order_enqueued(struct api_access_set *a, struct api_order_queue *q, enum api_order order,
                        cl_uint n, const cl_event *list);
/** The user event `a` is set. */
void api_order_set(struct api_access_set *a);
/** `e` is complete: passes the order from user events on to the commands that wait for it. */
void api_order_completed(const struct _cl_event *e);
/**
 * A set that is ordered after everything enqueued; to be observed, and released with
 * api_access_set_put.
 */
struct api_access_set *api_order_of_queue(const struct api_order_queue *q);
/** The host has observed the end of the command, and so of all its predecessors. */
void api_order_observed(struct api_access_set *a);

// ---- while the command runs
/**
 * Called before the application can see that the command runs: later writes by the host are
 * reported. `many`: commands of other queues may run at the same time.
 */
void api_access_started(struct api_access_set *a, bool many);
/** The record of the bytes of m's root that a launch touches; NULL: not needed. */
struct vm_touched *api_access_touched(struct api_access_set *a, cl_mem m);
/** The same for its program's variables. */
struct vm_touched *api_access_touched_variables(struct api_access_set *a);
/** The command has run: reports conflicts. No lock is held. */
void api_access_done(struct api_access_set *a);
/** Reports that host memory changed between the enqueue of the command and its execution. */
void api_conflict_source_changed(const struct api_access_set *a);
/** The event of the command is complete, whether it ran or not. No lock is held. */
void api_access_ended(struct api_access_set *a);
/** At the end of the process: judges the commands that have run. */
void api_access_close(void);

/** The accesses to a root allocation, or to a program's variables (one log for each device). */
struct api_access_log;
/**
 * The memory or the variables are about to be freed; all their commands have run. No lock is held.
 */
void api_access_log_close(struct api_access_log *l);
#endif

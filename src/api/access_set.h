// SPDX-License-Identifier: MIT
#ifndef API_ACCESS_SET_H
#define API_ACCESS_SET_H
#include "api/object.h"

/**
 * The access set of a command: which bytes it reads and writes, and what it is ordered after, for
 * host-race. Theory: ordering.c (happens-before), access_log.c (conflicts).
 *
 * NULL is allowed everywhere: the check is switched off then.
 */
struct api_access_set;
enum api_access_how { API_READS = 1, API_WRITES = 2 };

/** A new set for the entry point that this thread is in; NULL when the check is off. */
struct api_access_set *api_access_set_new(void);
void api_access_set_put(struct api_access_set *a);

// ---- while the command is made
/** It reads, or writes, exactly these bytes of m. */
void api_access_range(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                      enum api_access_how how);
/** A transfer reads, or writes, these bytes of the application's memory. */
void api_access_host_range(struct api_access_set *a, const uint8_t *first, size_t size,
                           enum api_access_how how);
/** It is a launch that may use m so (bits); which bytes it uses is known when it has run. */
void api_access_argument(struct api_access_set *a, cl_mem m, unsigned how);
void api_access_launch(struct api_access_set *a, const char *kernel, uint64_t number);
/** It may use the program's variables. Each device has its own. */
void api_access_variables(struct api_access_set *a, cl_program p, cl_device_id device);
/** It maps this range of m for the host, or ends the map that begins there. */
void api_access_map(struct api_access_set *a, cl_mem m, const uint8_t *first, size_t size,
                    bool for_writing);
void api_access_unmap(struct api_access_set *a, cl_mem m, const uint8_t *first);

// ---- order (ordering.c)
enum api_order {
    API_ORDER_COMMAND, // as its queue says
    API_ORDER_MARKER,  // after everything before it, if its wait list is empty
    API_ORDER_BARRIER, // the same, and everything after it waits
};
struct api_chain;
struct api_clock;
struct api_order_queue { // of a command queue; guarded by the lock of the access sets
    uint64_t number;
    bool in_order;
    struct api_chain *chain;        // in order: the chain of all its commands
    struct api_access_set *last;    // in order: the last command
    struct api_clock *all, *joined; // out of order: the clock of everything enqueued; the last
                                    // vector that was joined to it
    struct api_clock *barrier;      // the clock of the last barrier, or NULL
    unsigned
        next_free; // of the components of `barrier`: those before it were extended, or looked at
};
void api_order_queue_init(struct api_order_queue *q, bool in_order);
void api_order_queue_deinit(struct api_order_queue *q);
/**
 * A user event: what waits for it is ordered after what the host has observed when it sets the
 * event.
 */
void api_order_is_user_event(struct api_access_set *a);
/** It was put into the queue with this wait list. Called once a command, under the graph's lock. */
void api_order_enqueued(struct api_access_set *a, struct api_order_queue *q, enum api_order order,
                        cl_uint n, const cl_event *list);
/** The user event `a` is set. */
void api_order_set(struct api_access_set *a);
/** `e` is complete: hands what user events ordered on to the commands that wait for it. */
void api_order_completed(const struct _cl_event *e);
/**
 * A set that is ordered after all that was enqueued; to be observed, and dropped with
 * api_access_set_put.
 */
struct api_access_set *api_order_of_queue(const struct api_order_queue *q);
/** The host knows that it has ended, and so everything that it is ordered after. */
void api_order_observed(struct api_access_set *a);

// ---- while it runs
/**
 * Before the application can see that it runs: what the host writes from then on is reported.
 * `many`: commands of other queues may run at the same time.
 */
void api_access_started(struct api_access_set *a, bool many);
/** Where a launch is to note the bytes of m's root that it touches; NULL: nowhere. */
struct vm_touched *api_access_touched(struct api_access_set *a, cl_mem m);
/** The same for its program's variables. */
struct vm_touched *api_access_touched_variables(struct api_access_set *a);
/** It has run: reports conflicts. No lock is held. */
void api_access_done(struct api_access_set *a);
/** The command found other bytes in the application's memory than when it was enqueued. */
void api_conflict_source_changed(const struct api_access_set *a);
/** Its event is complete, whether the command ran or not. No lock is held. */
void api_access_ended(struct api_access_set *a);
/** The process ends: judges what has run. */
void api_access_close(void);

/** The accesses to a root allocation, or to a program's variables (one log for each device). */
struct api_access_log;
/**
 * The memory, or the variables, are about to be freed; all commands that use them have run. No lock
 * is held.
 */
void api_access_log_close(struct api_access_log *l);
#endif

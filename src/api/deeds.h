// SPDX-License-Identifier: MIT
#ifndef API_DEEDS_H
#define API_DEEDS_H
#include "api/object.h"

/**
 * What commands do to memory, and what they are ordered behind: for host-race. Theory: deeds.c.
 *
 * A deed belongs to one command. NULL is allowed everywhere: the check is switched off then.
 */
struct api_deed;
enum api_deed_how { API_READS = 1, API_WRITES = 2 };

/** A new deed of the entry point that this thread is in; NULL when nobody wants to know. */
struct api_deed *api_deed_new(void);
void api_deed_put(struct api_deed *d);

// ---- while the command is made
/** It reads, or writes, exactly these bytes of m. */
void api_deed_range(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, enum api_deed_how how);
/** A transfer reads, or writes, these bytes of the app's memory. */
void api_deed_host(struct api_deed *d, const uint8_t *first, size_t size, enum api_deed_how how);
/** It is a launch that may use m so (bits); which bytes it does is known when it has run. */
void api_deed_argument(struct api_deed *d, cl_mem m, unsigned how);
void api_deed_is_launch(struct api_deed *d, const char *kernel, uint64_t number);
/** It may use the program's variables. Each device has its own. */
void api_deed_variables(struct api_deed *d, cl_program p, cl_device_id device);
/** It maps this range of m for the host, or ends the map that begins there. */
void api_deed_maps(struct api_deed *d, cl_mem m, const uint8_t *first, size_t size, bool for_writing);
void api_deed_unmaps(struct api_deed *d, cl_mem m, const uint8_t *first);

// ---- order
struct api_deed_queue { // of a command queue; guarded by the graph's lock
    uint64_t number;
    bool in_order;
    VEC(struct api_deed *) deeds; // in order: the last; else those since the last barrier, and that
    size_t nbarrier;              // the first of deeds is such a barrier
};
void api_deed_queue_init(struct api_deed_queue *q, bool in_order);
void api_deed_queue_deinit(struct api_deed_queue *q);
/** A deed that is ordered behind all that was enqueued: once it is known, they are. Dropped with api_deed_put. */
struct api_deed *api_deed_of_queue(const struct api_deed_queue *q);
void api_deed_after(struct api_deed *d, struct api_deed *before);
/** A user event: what waits for it is ordered behind what the host does before it sets it. */
void api_deed_is_user_event(struct api_deed *d);
enum api_deed_kind { API_DEED_COMMAND, API_DEED_MARKER, API_DEED_BARRIER }; // of queues out of order, without a wait list
/** It was put into the queue, behind all its wait list (api_deed_after). `many`: other queues of the context may run beside it. */
void api_deed_enqueued(struct api_deed *d, struct api_deed_queue *q, enum api_deed_kind kind, bool many);
/** The host knows that it has ended, and so all that it was ordered behind. */
void api_deed_known(struct api_deed *d);

// ---- while it runs
/** Before the app can see that it runs: what the host writes from then on is told. */
void api_deed_started(struct api_deed *d);
/** Where a launch is to note the bytes of m's root that it touches; NULL: nowhere. */
struct vm_touched *api_deed_touched(struct api_deed *d, cl_mem m);
/** The same of its program's variables. */
struct vm_touched *api_deed_touched_variables(struct api_deed *d);
/** Judges, and tells of conflicts. No lock is held. */
void api_deed_done(struct api_deed *d);
/** The command found other bytes in the app's memory than when it was enqueued. */
void api_deed_source_changed(const struct api_deed *d);
/** The command is gone, whether it ran or not; drops the reference. */
void api_deed_ended(struct api_deed *d);

/** What was done to a root allocation, or to a program's variables, lately. */
struct api_history;
void api_history_destroy(struct api_history *h);
#endif

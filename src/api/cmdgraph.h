// SPDX-License-Identifier: MIT
#ifndef API_CMDGRAPH_H
#define API_CMDGRAPH_H
#include "api/access_set.h"

/**
 * The command engine: commands of all queues and contexts are nodes (events) of one graph; an edge
 * means that a command must end before another one starts. Theory: cmdgraph.c.
 */

/**
 * The base of a command, embedded in its struct. The engine owns it after it is enqueued.
 */
struct api_command {
    /**
     * Runs it. Returns CL_SUCCESS or a negative code, which becomes the event's status. No lock is
     * held.
     */
    cl_int (*run)(struct api_command *c, cl_event e);
    /** Frees it, whether it ran or not. */
    void (*destroy)(struct api_command *c);
    /**
     * A new command that does the same, for a queue of that device, with accesses of its own: for a
     * command buffer, which keeps c. NULL: there is nothing to run.
     */
    struct api_command *(*repeat)(const struct api_command *c, cl_device_id device);
    struct api_access_set *accesses; // its accesses to memory; owned by the engine like the command
    const char *function;            // for the debugger: the call that enqueued it,
    const void *site;                // and its place; or NULL
};

/** Informs the debugger: the command has written these bytes. from: what it copied, or NULL. */
void api_command_wrote(const struct api_command *c, const void *first, size_t size,
                       const void *from);

struct api_event_callback {
    struct api_event_callback *next;
    void(CL_CALLBACK *fn)(cl_event, cl_int, void *);
    void *data;
    cl_int type; // CL_SUBMITTED, CL_RUNNING, CL_COMPLETE
};

struct api_edge {
    cl_event to;
    bool propagates; // an error of the first also fails the second (wait lists; not the order of a
                     // queue)
};

struct _cl_event {
    struct api_object obj;
    cl_context ctx;
    cl_command_queue queue; // NULL: a user event
    cl_command_type type;
    _Atomic cl_int status; // CL_QUEUED … CL_COMPLETE or negative; written under the graph's lock
    uint64_t queued, submitted, started, ended; // nanoseconds
    struct api_command *cmd;                    // NULL: no work (markers, user events)
    struct api_access_set *accesses;
    size_t timeline1; // trace.c: its record, plus 1; 0: none
    // The rest is guarded by the graph's lock.
    uint64_t seq;   // number in its queue
    unsigned waits; // number of open edges into it
    bool doomed;    // an event in its wait list failed
    bool is_ready;  // in the ready list
    VEC(struct api_edge) out;
    struct api_event_callback *callbacks;
    cl_event ready_prev, ready_next; // ready list
    cl_event queue_prev, queue_next; // list of incomplete commands of the queue, oldest first
    cl_event work_next;              // a list within one call
    cl_event group; // the event of the group that it is in (it ends later), or NULL
};

struct _cl_command_queue {
    struct api_object obj;
    cl_context ctx;
    cl_device_id device; // one of the context's devices, referenced by the context
    cl_command_queue_properties flags;
    cl_queue_properties *properties; // 0-ended as given, or NULL
    unsigned nproperties;
    cl_uint size;    // of a queue on the device (device_queue.h)
    bool is_default; // on the device; guarded by the lock of the context
    // Guarded by the graph's lock.
    uint64_t seq, flushed; // last assigned number, last flushed number
    cl_event first, last;  // incomplete commands
    cl_event barrier;      // last barrier of an out-of-order queue, while it is incomplete
    struct api_order_queue order;
};
void api_queue_put(cl_command_queue q);
void api_event_put(cl_event e);
static inline bool api_queue_in_order(const struct _cl_command_queue *q)
{
    return !(q->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/** Checks the common arguments of clEnqueue…: the queue and the wait list. */
cl_int api_check_enqueue(cl_command_queue q, cl_uint n, const cl_event *list);

struct api_request { // the arguments that all clEnqueue… and clCommand… functions share
    cl_command_queue queue;
    cl_command_type type;
    enum api_order order;
    cl_uint n; // events in the wait list
    const cl_event *list;
    bool blocking;
    cl_event *event; // for the app, or NULL
};
struct api_recording {
    struct api_request request; // order: API_ORDER_RECORD
    // keeps the command (NULL: no work); takes it over, also on failure
    cl_int (*record)(const struct api_recording *r, struct api_command *cmd);
};
/** Checks the queue and the wait list, or the arguments of the recording. */
cl_int api_check_request(const struct api_request *r);

/**
 * Puts a command (NULL: no work) into a queue. All arguments are checked. Takes over cmd, also on
 * failure. Blocking: returns when the command is complete, with
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the code of the command if it failed.
 */
cl_int api_enqueue(const struct api_request *r, struct api_command *cmd);

struct api_member {          // a command of a group
    struct api_command *cmd; // NULL: no work
    cl_command_type type;
    const char *function; // that recorded it,
    const void *site;     // and its place
    unsigned nafter;
    const unsigned *after; // members that must end before it, by their numbers, which are lower;
                           // none: it waits only for what the group waits for
    bool in_order;         // it also waits for the member before it
};
/**
 * Puts a group of commands into a queue, which orders it as one command; within the group, only
 * `after` and in_order order. r->event is the event of the group. Takes over the commands, also on
 * failure.
 */
cl_int api_enqueue_group(const struct api_request *r, struct api_member *members, unsigned n);

/** A user event; it waits for clSetUserEventStatus. */
cl_event api_user_event_create(cl_context ctx);
bool api_event_set_status(cl_event e, cl_int status); // false: it was set before

void api_flush(cl_command_queue q);
void api_finish(cl_command_queue q);
void api_wait(cl_uint n, const cl_event *list);
/**
 * Runs or waits for all commands that can run, of all queues, without ordering anything for the
 * host. Not from a native kernel.
 */
void api_settle(void);
void api_event_callback(cl_event e, struct api_event_callback *cb); // takes over cb
#endif

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
};

struct _cl_command_queue {
    struct api_object obj;
    cl_context ctx;
    cl_device_id device; // one of the context's devices, referenced by the context
    cl_command_queue_properties flags;
    cl_queue_properties *properties; // 0-ended as given, or NULL
    unsigned nproperties;
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

struct api_request { // the arguments that all clEnqueue… functions share
    cl_command_queue queue;
    cl_command_type type;
    enum api_order order;
    cl_uint n; // events in the wait list
    const cl_event *list;
    bool blocking;
    cl_event *event; // for the app, or NULL
};

/**
 * Puts a command (NULL: no work) into a queue. All arguments are checked. Takes over cmd, also on
 * failure. Blocking: returns when the command is complete, with
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the code of the command if it failed.
 */
cl_int api_enqueue(const struct api_request *r, struct api_command *cmd);

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

// SPDX-License-Identifier: MIT
#ifndef API_DEVICE_QUEUE_H
#define API_DEVICE_QUEUE_H
#include "api/object.h"
#include "interp/enqueued.h"

enum { // of CL_QUEUE_SIZE, and of the events and queues of a context
    API_DEVICE_QUEUE_SIZE = 16 << 20,
    API_DEVICE_QUEUE_MAX = 64 << 20,
    API_DEVICE_QUEUES = 64,
    API_DEVICE_QUEUES_MADE = 1024, // more than promised: apps create a default queue in addition
};

/** On-device queues: they only hold what kernels enqueue; no command of the host may use them. */
bool api_is_device_queue(const void *queue);
/** Checks the properties (0: the default size), and adds the new queue to its context. */
cl_int api_device_queue_created(cl_command_queue q, cl_uint size, bool is_default);
/** The queue is about to be freed. */
void api_device_queue_gone(cl_command_queue q);
/** The default queue of the device in the context, or NULL. */
cl_command_queue api_default_device_queue(cl_context ctx, cl_device_id device);

/** Fills in the queues and events that kernels on the device may use; the caller frees to->queues.
 */
void api_device_queues(cl_context ctx, cl_device_id device, struct vm_enqueuer *to);
#endif

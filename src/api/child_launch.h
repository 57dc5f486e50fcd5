// SPDX-License-Identifier: MIT
#ifndef API_CHILD_LAUNCH_H
#define API_CHILD_LAUNCH_H
#include "api/object.h"
#include "devices/dev.h"

/**
 * Launches that kernels enqueue on the device. They belong to the command of the host's launch: its
 * event is complete when they are.
 */
struct api_children {
    struct vm_enqueuer enqueuer;
    cl_program program;
    cl_event command;
    unsigned checks; // of launches that are checked
    struct vm_launch *root;
    bool is_checked;  // the launch of the host is checked: its children are, too
    bool has_finding; // one of the children has a finding that was shown
};
/**
 * Lets the work-items of `root`, which is about to run, enqueue launches. Does nothing if its
 * kernel enqueues nothing.
 */
void api_children_begin(struct api_children *c, cl_program p, cl_event command,
                        struct vm_launch *root);
/** Runs the children, after `root`. Returns an error if cldbg could not run one. */
struct err *api_children_run(struct api_children *c);
void api_children_end(struct api_children *c);

/** Runs one launch on the device, with all that the report needs; also for the host's launch. */
struct err *api_run_launch(cl_program p, cl_event command, const struct vm_launch *v);
uint64_t api_next_launch(void); // its number
#endif

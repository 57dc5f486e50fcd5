// SPDX-License-Identifier: MIT
#ifndef DEVICES_SHARED_LAUNCH_H
#define DEVICES_SHARED_LAUNCH_H
#include "interp/vm.h"

#include <stddef.h>

/**
 * The processes ("ranks") that share the work-groups of the launches of `cldbg run`. All of them
 * make the same launches; rank 0 has the results. The command provides the messages
 * (cli/run_ranks.c).
 */
struct dev_ranks {
    int rank, size;
    /** Begins to send; the data is copied. */
    void (*send)(int to, const void *data, size_t n);
    /**
     * Waits for the next message from rank 0 or from a child (vm_division_parent); the caller frees
     * it. NULL: the rank is lost, or needs nothing more.
     */
    char *(*receive)(int from, size_t *n);
};
/** To be set before the first launch; stays borrowed. */
void dev_set_ranks(const struct dev_ranks *r);
/**
 * Runs the launch, together with the other ranks if there are any. Other ranks than 0 report
 * nothing, and the contents of their memory are undefined afterwards.
 */
struct err *dev_run_shared(const struct vm_launch *l, struct vm_stats *st);
#endif

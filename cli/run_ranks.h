// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_RANKS_H
#define CLI_RUN_RANKS_H
#include "devices/option_table.h"
#include "devices/shared_launch.h"

/**
 * `mpirun -n N cldbg run`: the ranks share the work-groups of the launch. Rank 0 makes the reports
 * and the exit status; the others print nothing.
 */
/**
 * If a launcher started several processes: begins MPI, and prepares the options. All ranks call it.
 * *leaves: this process has nothing to run (*s is as it was).
 */
struct err *run_ranks_begin(struct dev_option_set *s, bool *leaves);
/** Is this a rank that prints nothing? */
bool run_ranks_is_silent(void);
/** For the driver; NULL: this process runs all work-groups. */
const struct dev_ranks *run_ranks(void);
/** The end of the run. e: why another rank than 0 failed, which rank 0 prints; or NULL. */
void run_ranks_end(int status, struct err *e);
#endif

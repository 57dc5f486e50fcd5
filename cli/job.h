// SPDX-License-Identifier: MIT
#ifndef CLI_JOB_H
#define CLI_JOB_H
#include "base/err.h"
#include "base/launcher.h"
#include "base/temp_folder.h"
#include "devices/option_table.h"
#include "report/finding.h"

/**
 * `mpirun -n N cldbg ./app`: one report of the ranks of a machine. They meet in a folder, named
 * by user and job. The first one makes it and forks the collector, in a session of its own, which
 * waits for the ranks, merges their documents and prints the report. In the folder:
 *
 *   gate          locked while a rank joins; removed when no more may join
 *   rank-R        locked (flock) by the command of rank R as long as it lives
 *   documents-R   the documents of its processes
 *   result-R      its app has ended: wait status and counters
 *   verdict       locked by the collector; then it has the exit status of the whole
 *
 * Invariant: a file rank-R has its lock when its name appears.
 */
struct job {
    struct launcher launcher;
    char *path; // of the folder
    int slot, verdict;
};

/**
 * Joins the ranks of this machine; NULL: this process is not one of several ranks, or reports for
 * itself (and says why). The options of the app are then those of a rank.
 */
struct job *job_join(struct dev_option_set *s, const char *app);
/**
 * The app has ended. Gives the exit status of the whole, which it waits for unless the app failed
 * while others run: a launcher may have to end those. -1: the status of this rank counts.
 */
int job_end(struct job *j, const struct rep_totals *t, int wait_status);

/** Of the ranks of this machine. */
struct job_standing {
    int joined, running;
};
struct job_standing job_look(const struct job *j);
/** "PATH/NAME-R"; the caller frees it. */
char *job_file(const struct job *j, const char *name, int rank);
/** The numbers of the ranks that have joined, ascending; the caller frees them. */
int *job_ranks(const struct job *j, int *n);

// job_collector.c
/** Waits, reports, and ends this process. It owns the folder; `verdict` has the lock. */
_Noreturn void job_collect(struct job *j, struct temp_folder *folder, struct dev_option_set *s,
                           const char *app);
#endif

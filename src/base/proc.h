// SPDX-License-Identifier: MIT
#ifndef BASE_PROC_H
#define BASE_PROC_H
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Child processes: bytes in, bytes out, with limits. Thread-safe; uses no signal handler. */
struct proc_limits {
    unsigned seconds;    // wall clock, then it is killed; of processor time a little more, when no
                         // caller is left to do it; 0 none
    uint64_t max_output; // bytes of each stream; more kills it; 0: 1 GiB
    uint64_t memory;     // address space (RLIMIT_AS) in bytes; 0 none
    bool own_group;  // a process group of its own: Ctrl-C is not for it, its children are killed
                     // with it
    int fork_server; // control line of the program as a fork server (fork_server.h), where there is
                     // one; else 0 or -1
};
struct proc_result {
    struct str out, err; // its stdout and stderr
    struct str extra;    // what it wrote to descriptor PROC_EXTRA_FD
    int exit_status;     // -1 when killed by a signal
    int signal;          // 0, or which
    bool timed_out, too_much;
};
enum { PROC_EXTRA_FD = 3 };

/**
 * In a new child of `parent`: it ends when the thread that created it ends, leaves no core file,
 * and has the limits (RLIMIT_AS, RLIMIT_CPU).
 */
void proc_limit(const struct proc_limits *limits, pid_t parent);

/**
 * Runs argv[0] (a path, or a name looked up in PATH) with `input` on its stdin, until it ended and
 * its streams are closed, or stay open for a moment more in a process that it started. The
 * environment is ours without what cldbg puts in front of apps (LD_PRELOAD, LD_LIBRARY_PATH,
 * OCL_ICD_*, CLDBG_* but those about compiling). An error is only that it could not be started:
 * *not_found (may be NULL) says whether the program does not exist. Free r with proc_result_deinit.
 */
struct err *proc_run(const char *const *argv, const void *input, size_t size,
                     const struct proc_limits *limits, struct proc_result *r, bool *not_found);
void proc_result_deinit(struct proc_result *r);
/**
 * The time limit of a compilation as a whole, and of each program that it runs:
 * CLDBG_COMPILE_SECONDS, else `usual`.
 */
unsigned proc_seconds(unsigned usual);
/** The environment that proc_run gives; free the list, the strings are not its own. */
char **proc_environment(void);
/**
 * "was killed by signal 9 (Killed)", "ended with status 3", "did not end within 60 seconds"; ""
 * when it ended with 0.
 */
void proc_describe(const struct proc_result *r, const struct proc_limits *limits, struct str *out);
#endif

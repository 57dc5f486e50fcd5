// SPDX-License-Identifier: MIT
#ifndef BASE_WAITER_H
#define BASE_WAITER_H
#include <stdint.h>
#include <sys/types.h>

struct proc_limits;

/**
 * A waiter is a program that was started and stopped before its work: its libraries are loaded, and
 * for each request it forks a child that goes on from there. To load clang or LLVM takes several
 * times as long as to compile a small kernel. Theory at the top of waiter.c.
 */
enum waiter_stream { WAITER_IN, WAITER_OUT, WAITER_ERR, WAITER_EXTRA, WAITER_STREAMS };
/** The descriptor of the control line in the waiter. */
enum { WAITER_CONTROL = WAITER_STREAMS };

/**
 * Starts argv[0], a path, as a waiter and gives our end of its control line, which is
 * close-on-exec; the waiter ends when the last copy of it is closed. -1: it could not be started.
 */
int waiter_start(const char *const *argv, char *const *envp, pid_t *pid);
/**
 * Asks for a run with these streams, in the caller's working directory. Of the limits it gets those
 * of proc_limit. Gives the run's line: its wait status (an int) comes there when it has ended, and
 * closing it earlier kills the run with its process group; a line that ends without a status is of
 * a run that could not be. -1: the waiter is gone. For any thread and process.
 */
int waiter_ask(int control, const char *const *argv, char *const *envp,
               const int streams[WAITER_STREAMS], const struct proc_limits *limits);

/** In the waiter, first: lets go of all that it inherited but the control line. */
void waiter_settle(void);
/** In the waiter: does `run` in a child for each request, until nobody can ask any more. */
void waiter_serve(int (*run)(int argc, char **argv, char **envp));
#endif

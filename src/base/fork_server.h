// SPDX-License-Identifier: MIT
#ifndef BASE_FORK_SERVER_H
#define BASE_FORK_SERVER_H
#include <stdint.h>
#include <sys/types.h>

struct proc_limits;

/**
 * A fork server is a program that was started and stopped before its work: its libraries are
 * loaded, and for each request it forks a child that goes on from there. To load clang or LLVM
 * takes several times as long as to compile a small kernel. Theory at the top of fork_server.c.
 */
enum fork_server_stream {
    FORK_SERVER_IN,
    FORK_SERVER_OUT,
    FORK_SERVER_ERR,
    FORK_SERVER_EXTRA,
    FORK_SERVER_STREAMS
};
/** The descriptor of the control line in the fork server. */
enum { FORK_SERVER_CONTROL = FORK_SERVER_STREAMS };

/**
 * Starts argv[0], a path, as a fork server and gives our end of its control line, which is
 * close-on-exec; the fork server ends when the last copy of it is closed. -1: it could not be
 * started.
 */
int fork_server_start(const char *const *argv, char *const *envp, pid_t *pid);
/**
 * Asks for a run with these streams, in the caller's working directory. Of the limits it gets those
 * of proc_limit. Gives the run's line: its wait status (an int) comes there when it has ended, and
 * closing it earlier kills the run with its process group; a line that ends without a status is of
 * a run that could not be. -1: the fork server has ended. For any thread and process.
 */
int fork_server_ask(int control, const char *const *argv, char *const *envp,
                    const int streams[FORK_SERVER_STREAMS], const struct proc_limits *limits);

/** In the fork server, first: lets go of all that it inherited but the control line. */
void fork_server_settle(void);
/** In the fork server: does `run` in a child for each request, until no process can ask any more.
 */
void fork_server_serve(int (*run)(int argc, char **argv, char **envp));
#endif

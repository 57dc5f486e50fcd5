// SPDX-License-Identifier: MIT
// Child processes by clone and exec, as posix_spawn does it (sharing memory until exec, on a stack
// of the child's own), all pipes served by one poll loop: nothing can block on a full pipe.
// posix_spawn itself has no attribute for what a child needs between the two: its limits (memory,
// processor time, no core file), and PR_SET_PDEATHSIG, by which the kernel kills it when its parent
// ends in whatever way.
//
// PR_SET_PDEATHSIG is about the thread that created the child. That thread stays in proc_run until
// the child has ended, so it can end earlier only with its process.
#include "base/proc.h"

#include "base/env.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/vec.h"
#include "base/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static bool var_is(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(entry, name, n) && entry[n] == '=';
}

static bool keeps(const char *entry)
{
    if (str_starts(entry, "CLDBG_CLANG") || str_starts(entry, "CLDBG_LLVM_SPIRV") ||
        str_starts(entry, "CLDBG_COMPILE_"))
        return true;
    return !str_starts(entry, "CLDBG_") && !str_starts(entry, "OCL_ICD_") &&
           !var_is(entry, "LD_PRELOAD") && !var_is(entry, "LD_LIBRARY_PATH");
}

/**
 * A program with rights of its own (set-user-ID) does not pass on the environment, because the
 * user who started it could choose the programs that run with these rights.
 */
char **proc_environment(void)
{
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    VEC(char *) env = {0};
    if (getauxval(AT_SECURE)) {
        vec_push(&env, path);
        vec_push(&env, NULL);
        return env.data;
    }
    for (char **p = environ; p && *p; p++)
        if (keeps(*p)) vec_push(&env, *p);
    for (char **p = env_original(); p && *p; p++) {
        const size_t n = strcspn(*p, "=");
        bool is_there = !keeps(*p);
        for (size_t i = 0; i < env.len && !is_there; i++)
            is_there = !strncmp(env.data[i], *p, n + 1);
        if (!is_there) vec_push(&env, *p);
    }
    vec_push(&env, NULL);
    return env.data;
}

unsigned proc_seconds(unsigned usual)
{
    const char *s = env_get("CLDBG_COMPILE_SECONDS");
    const long n = s ? strtol(s, NULL, 10) : 0;
    return n > 0 && n < INT_MAX / 1000 ? (unsigned)n : usual;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

enum {
    IN = FORK_SERVER_IN,
    OUT = FORK_SERVER_OUT,
    ERR = FORK_SERVER_ERR,
    EXTRA = FORK_SERVER_EXTRA,
    NPIPES = FORK_SERVER_STREAMS
};

struct child {
    pid_t pid, kill; // kill: the process, or minus its group
    int line;        // where a fork server runs it, else -1
    int fd[NPIPES];  // our ends
};

/**
 * stdin is a socket, so that writing to a child that closed it gives an error and no SIGPIPE. A
 * sandbox may have pipes only.
 */
static bool make_stdin(int p[2])
{
    if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p)) {
        shutdown(p[0], SHUT_RD);
        return true;
    }
    int q[2];
    if (pipe2(q, O_CLOEXEC)) return false;
    p[0] = q[1];
    p[1] = q[0];
    return true;
}

static bool make_pipes(int ours[NPIPES], int theirs[NPIPES])
{
    for (int i = 0; i < NPIPES; i++) ours[i] = theirs[i] = -1;
    for (int i = 0; i < NPIPES; i++) {
        int p[2];
        if (i == IN ? !make_stdin(p) : pipe2(p, O_CLOEXEC)) return false;
        ours[i] = p[0];
        theirs[i] = p[1];
        // Out of the way of 0..PROC_EXTRA_FD, which the child's end is copied to.
        if (theirs[i] <= PROC_EXTRA_FD) {
            int up = fcntl(theirs[i], F_DUPFD_CLOEXEC, PROC_EXTRA_FD + 1);
            close(theirs[i]);
            theirs[i] = up;
            if (up < 0) return false;
        }
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static void close_all(int fd[NPIPES])
{
    for (int i = 0; i < NPIPES; i++)
        if (fd[i] >= 0) close(fd[i]);
}

void proc_limit(const struct proc_limits *l, pid_t parent)
{
    enum {
        SLACK = 2
    }; // seconds; the clock on the wall comes first, unless no caller waits any more
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); // it ended before it could be a reason to end
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (l->memory) setrlimit(RLIMIT_AS, &(struct rlimit){l->memory, l->memory});
    if (l->seconds) setrlimit(RLIMIT_CPU, &(struct rlimit){l->seconds + SLACK, l->seconds + SLACK});
}

/** What a child begins with. */
struct start {
    const char *const *argv;
    char **env;
    const int *theirs;
    struct proc_limits limits;
    pid_t parent;
    int why; // errno, where there was no exec
};

/**
 * In the child, which runs in the parent's memory: until exec it makes system calls only, and maps
 * nothing, so the limit of its memory takes effect with exec.
 */
static int become(void *arg)
{
    struct start *s = arg;
    for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_DFL);
    if (s->limits.own_group) setpgid(0, 0);
    proc_limit(&s->limits, s->parent);
    for (int i = 0; i < NPIPES; i++) dup2(s->theirs[i], i);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(s->argv[0], (char *const *)s->argv, s->env);
    s->why = errno;
    _exit(127);
}

/** 0, or errno. */
static int spawn(const char *const *argv, const int theirs[NPIPES],
                 const struct proc_limits *limits, pid_t *pid)
{
    enum { STACK = 64 << 10 };
    char *stack = mem_alloc(STACK);
    struct start s = {argv, proc_environment(), theirs, *limits, getpid(), 0};
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); // no handler of the app's may run in the child
    *pid = clone(become, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &s);
    if (*pid < 0) s.why = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (*pid > 0 && s.why)
        while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) {}
    free(s.env);
    free(stack);
    return s.why;
}

static void stop(struct child *c)
{
    if (c->line < 0) {
        kill(c->kill, SIGKILL);
        return;
    }
    close(c->line);
    c->line = -1;
}

static void drop(int *fd)
{
    close(*fd);
    *fd = -1;
}

// Reads the available data; false if the stream is too long.
static bool drain(int *fd, struct str *into, uint64_t max)
{
    char buf[8192]; // (some apps' threads have little stack)
    for (;;) {
        ssize_t n = read(*fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return true;
        if (n <= 0) {
            drop(fd);
            return true;
        }
        if (into->len + (size_t)n > max) return false;
        str_put_n(into, buf, (size_t)n);
    }
}

static ssize_t put(int fd, const char *input, size_t n)
{
    struct io_held h;
    ssize_t done = send(fd, input, n, MSG_NOSIGNAL);
    if (done >= 0 || errno != ENOTSOCK) return done;
    io_hold(&h);
    done = write(fd, input, n);
    io_let_go(&h);
    return done;
}

static void feed(int *fd, const char **input, size_t *left)
{
    while (*left) {
        ssize_t n = put(*fd, *input, *left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0) break; // it does not want more: its exit status says why
        *input += n;
        *left -= (size_t)n;
    }
    drop(fd);
}

enum {
    CHECK = 100,
    GRACE = 200
}; // milliseconds: how often to look whether it has ended, and what its streams get then

/** Has it ended? It stays to be waited for. One that a fork server runs is not ours to ask. */
static bool has_ended(const struct child *c)
{
    siginfo_t info = {0};
    return c->line < 0 && !waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
           info.si_pid == c->pid;
}

static void serve(struct child *c, const char *input, size_t left, const struct proc_limits *lim,
                  struct proc_result *r)
{
    struct str *into[NPIPES] = {NULL, &r->out, &r->err, &r->extra};
    uint64_t max = lim->max_output ? lim->max_output : 1ull << 30;
    int64_t end = lim->seconds ? now_ms() + lim->seconds * 1000ll : 0, ended = 0;
    while (c->fd[OUT] >= 0 || c->fd[ERR] >= 0 || c->fd[EXTRA] >= 0) {
        struct pollfd p[NPIPES];
        for (int i = 0; i < NPIPES; i++)
            p[i] = (struct pollfd){c->fd[i], i == IN ? POLLOUT : POLLIN, 0};
        int64_t wait = end ? end - now_ms() : -1;
        if (end && wait <= 0) {
            r->timed_out = true;
            stop(c);
            return;
        }
        int n = poll(p, NPIPES, end && wait < CHECK ? (int)wait : CHECK);
        if (n < 0 && errno != EINTR) break;
        if (n <= 0) { // a process that it started may keep the streams open forever
            if (ended && now_ms() - ended >= GRACE) return;
            if (!ended && has_ended(c)) ended = now_ms();
            continue;
        }
        if (c->fd[IN] >= 0 && p[IN].revents) feed(&c->fd[IN], &input, &left);
        for (int i = OUT; i < NPIPES; i++) {
            if (c->fd[i] < 0 || !p[i].revents || drain(&c->fd[i], into[i], max)) continue;
            r->too_much = true;
            stop(c);
            return;
        }
    }
}

// Waits for the child itself; one that closed its streams but goes on is killed after the time
// limit.
static void reap(struct child *c, const struct proc_limits *lim, struct proc_result *r)
{
    int64_t end = now_ms() + (lim->seconds ? lim->seconds : 60) * 1000ll;
    int status = 0, pause_us = 100;
    for (;;) {
        pid_t got = waitpid(c->pid, &status, WNOHANG);
        if (got == c->pid) break;
        if (got < 0 && errno != EINTR) { // somebody else (the app's SIGCHLD handler) reaped it
            r->exit_status = 0;
            return;
        }
        if (now_ms() >= end) {
            r->timed_out = true;
            stop(c);
        }
        usleep(pause_us);
        if (pause_us < 5000) pause_us *= 2;
    }
    if (c->kill < 0) kill(c->kill, SIGKILL); // processes that it started and did not end
    r->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// The same for a run of a fork server; false if the fork server was not able to.
static bool reap_line(struct child *c, const struct proc_limits *lim, struct proc_result *r)
{
    r->exit_status = -1;
    if (r->timed_out || r->too_much) {
        r->signal = SIGKILL;
        return true;
    }
    struct pollfd p = {c->line, POLLIN, 0};
    const int64_t end = now_ms() + (lim->seconds ? lim->seconds : 60) * 1000ll;
    int n, status;
    do n = poll(&p, 1, (int)(end - now_ms() > 0 ? end - now_ms() : 0));
    while (n < 0 && errno == EINTR);
    const bool reported = n > 0 && recv(c->line, &status, sizeof status, 0) == sizeof status;
    close(c->line);
    if (reported) {
        r->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    } else if (!n) {
        r->timed_out = true;
        r->signal = SIGKILL;
    }
    return reported || !n;
}

struct err *proc_run(const char *const *argv, const void *input, size_t size,
                     const struct proc_limits *limits, struct proc_result *r, bool *not_found)
{
    *r = (struct proc_result){0};
    if (not_found) *not_found = false;
    struct child c;
    int theirs[NPIPES];
    if (!make_pipes(c.fd, theirs)) {
        int why = errno;
        close_all(c.fd);
        close_all(theirs);
        return err_new("cannot make a pipe: %s", strerror(why));
    }
    c.line = -1;
    if (limits->fork_server > 0) {
        char **env = proc_environment();
        c.line = fork_server_ask(limits->fork_server, argv, env, theirs, limits);
        free(env);
    }
    int rc = c.line < 0 ? spawn(argv, theirs, limits, &c.pid) : 0;
    close_all(theirs);
    if (rc) {
        close_all(c.fd);
        if (not_found) *not_found = rc == ENOENT || rc == EACCES || rc == ENOTDIR;
        return err_new("cannot run %s: %s", argv[0], strerror(rc));
    }
    const bool waited = c.line >= 0;
    c.kill = limits->own_group ? -c.pid : c.pid;
    serve(&c, input, size, limits, r);
    close_all(c.fd);
    if (!waited) {
        reap(&c, limits, r);
    } else if (!reap_line(&c, limits, r)) {
        proc_result_deinit(r);
        struct proc_limits plain = *limits;
        plain.fork_server = -1;
        return proc_run(argv, input, size, &plain, r, not_found);
    }
    return NULL;
}

void proc_result_deinit(struct proc_result *r)
{
    str_deinit(&r->out);
    str_deinit(&r->err);
    str_deinit(&r->extra);
}

void proc_describe(const struct proc_result *r, const struct proc_limits *limits, struct str *out)
{
    if (r->timed_out) str_printf(out, "did not end within %u seconds", limits->seconds);
    else if (r->too_much) str_put(out, "wrote more than it may");
    else if (r->signal)
        str_printf(out, "was killed by signal %d (%s)", r->signal, strsignal(r->signal));
    else if (r->exit_status) str_printf(out, "ended with status %d", r->exit_status);
}

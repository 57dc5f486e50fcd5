// SPDX-License-Identifier: MIT
// A fork server. A process that wants a run sends one message over the control line (a
// SOCK_SEQPACKET socket, so that any number of threads and processes can write to it): descriptors
// only. They are the run's streams, its working directory, a memory file with its arguments and
// environment, and one end of a socket pair made for this run, its line. The fork server is the
// parent of the run, so it waits for it and sends the status over that line; it kills the run when
// the line is closed by the other side, be it that the asker lost patience or its process ended.
//
// The fork server lives as long as its control line: when the last other end is closed, it kills
// the running children and returns.
#include "base/fork_server.h"

#include "base/io.h"
#include "base/proc.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TEXT = FORK_SERVER_STREAMS, CWD, LINE, NFDS };

// What the memory file begins with; the strings of argv and then of envp follow, each with its NUL.
struct head {
    struct proc_limits limits;
    uint32_t argc, envc;
};

struct job {
    pid_t pid;
    int line;
};

struct fork_server {
    int control, children; // children: readable when one has ended
    VEC(struct job) jobs;
};

static bool make_line(int *ours, int *theirs)
{
    int p[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, p)) return false;
    *ours = p[0];
    *theirs = p[1];
    return true;
}

int fork_server_start(const char *const *argv, char *const *envp, pid_t *pid)
{
#ifdef SANITIZED
    return -1; // (their runtimes want to be the first library, and dislike forks)
#endif
    int ours, theirs;
    if (!make_line(&ours, &theirs)) return -1;
    const int up = fcntl(theirs, F_DUPFD_CLOEXEC, FORK_SERVER_CONTROL + 1);
    posix_spawn_file_actions_t acts;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&acts);
    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_adddup2(&acts, up, FORK_SERVER_CONTROL);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const bool ok = up >= 0 && !posix_spawn(pid, argv[0], &acts, &attr, (char *const *)argv, envp);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&acts);
    close(theirs);
    if (up >= 0) close(up);
    if (ok) {
        const int high = fcntl(ours, F_DUPFD_CLOEXEC, FORK_SERVER_CONTROL + 1);
        if (high >= 0) {
            close(ours);
            return high;
        }
    }
    close(ours);
    return -1;
}

void fork_server_settle(void)
{
    setpgid(0, 0); // (Ctrl-C is not for it)
    if (chdir("/")) {}
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < FORK_SERVER_CONTROL; i++) dup2(null, i);
    close_range(FORK_SERVER_CONTROL + 1, ~0u, 0);
    fcntl(FORK_SERVER_CONTROL, F_SETFD, FD_CLOEXEC);
}

static bool write_text(int fd, const char *const *argv, char *const *envp,
                       const struct proc_limits *limits)
{
    struct head h = {.limits = *limits};
    size_t size = sizeof h;
    for (; argv[h.argc]; h.argc++) size += strlen(argv[h.argc]) + 1;
    for (; envp[h.envc]; h.envc++) size += strlen(envp[h.envc]) + 1;
    if (!io_set_size(fd, size)) return false;
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), *text = at;
    if (text == MAP_FAILED) return false;
    at = mempcpy(at, &h, sizeof h);
    for (uint32_t i = 0; i < h.argc; i++) at = stpcpy(at, argv[i]) + 1;
    for (uint32_t i = 0; i < h.envc; i++) at = stpcpy(at, envp[i]) + 1;
    munmap(text, size);
    return true;
}

int fork_server_ask(int control, const char *const *argv, char *const *envp,
                    const int streams[FORK_SERVER_STREAMS], const struct proc_limits *limits)
{
    int fd[NFDS], ours = -1;
    memcpy(fd, streams, FORK_SERVER_STREAMS * sizeof *fd);
    fd[TEXT] = memfd_create("cldbg", MFD_CLOEXEC);
    fd[CWD] = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    fd[LINE] = -1;
    bool ok = fd[TEXT] >= 0 && fd[CWD] >= 0 && make_line(&ours, &fd[LINE]) &&
              write_text(fd[TEXT], argv, envp, limits);
    if (ok) {
        union {
            struct cmsghdr head;
            char space[CMSG_SPACE(sizeof fd)];
        } c = {0};
        char byte = 0;
        struct iovec v = {&byte, 1};
        struct msghdr m = {
            .msg_iov = &v, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof c};
        c.head = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&c.head), fd, sizeof fd);
        ssize_t n;
        while ((n = sendmsg(control, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
        ok = n == 1;
    }
    for (int i = TEXT; i < NFDS; i++)
        if (fd[i] >= 0) close(fd[i]);
    if (ok) return ours;
    if (ours >= 0) close(ours);
    return -1;
}

// Reads a request: 1 with its descriptors, 0 when no process can ask any more, -1 for an invalid
// message.
static int receive(int control, int fd[NFDS])
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(NFDS * sizeof(int))];
    } c = {0};
    char byte;
    struct iovec v = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof c};
    ssize_t n;
    while ((n = recvmsg(control, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    if (n <= 0) return n < 0 && errno == EAGAIN ? -1 : 0;
    const struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    if (!h || h->cmsg_type != SCM_RIGHTS || h->cmsg_len != CMSG_LEN(NFDS * sizeof(int))) return -1;
    memcpy(fd, CMSG_DATA(h), NFDS * sizeof(int));
    return 1;
}

static char **strings(char **at, uint32_t n)
{
    char **list = calloc(n + 1u, sizeof *list);
    for (uint32_t i = 0; list && i < n; i++, *at += strlen(*at) + 1) list[i] = *at;
    return list;
}

// In the child: becomes the process that the request describes.
static int become(const struct fork_server *w, pid_t parent, const int fd[NFDS],
                  int (*run)(int, char **, char **))
{
    setpgid(0, 0);
    close(w->control);
    close(w->children);
    for (size_t i = 0; i < w->jobs.len; i++) close(w->jobs.data[i].line);
    close(fd[LINE]);
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct stat st;
    if (fchdir(fd[CWD]) || fstat(fd[TEXT], &st)) return 127;
    char *text = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd[TEXT], 0);
    if (text == MAP_FAILED) return 127;
    for (int i = 0; i < FORK_SERVER_STREAMS; i++) {
        dup2(fd[i], i);
        close(fd[i]); // (they are above: the fork server keeps the low numbers taken)
    }
    close(fd[CWD]);
    close(fd[TEXT]);
    const struct head *h = (const struct head *)(const void *)text;
    proc_limit(&h->limits, parent);
    char *at = text + sizeof *h, **argv = strings(&at, h->argc), **envp = strings(&at, h->envc);
    if (!argv || !envp) return 127;
    environ = envp;
    return run((int)h->argc, argv, envp);
}

static void start(struct fork_server *w, int fd[NFDS], int (*run)(int, char **, char **))
{
    const pid_t parent = getpid(), pid = fork();
    if (!pid) exit(become(w, parent, fd, run));
    for (int i = 0; i < NFDS; i++)
        if (i != LINE || pid < 0)
            close(fd[i]); // (no status comes over a line that is closed: it could not be started)
    if (pid < 0) return;
    setpgid(pid, pid);
    vec_push(&w->jobs, ((struct job){pid, fd[LINE]}));
}

static void drop(struct fork_server *w, size_t i)
{
    close(w->jobs.data[i].line);
    w->jobs.data[i] = w->jobs.data[--w->jobs.len];
}

static void reap(struct fork_server *w)
{
    struct signalfd_siginfo info;
    while (read(w->children, &info, sizeof info) > 0) {}
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (size_t i = 0; i < w->jobs.len; i++) {
            if (w->jobs.data[i].pid != pid) continue;
            kill(-pid, SIGKILL); // processes that it started and did not end
            send(w->jobs.data[i].line, &status, sizeof status, MSG_NOSIGNAL);
            drop(w, i);
            break;
        }
}

void fork_server_serve(int (*run)(int argc, char **argv, char **envp))
{
    struct fork_server w = {.control = FORK_SERVER_CONTROL};
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    w.children = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    VEC(struct pollfd) p = {0};
    for (bool open = w.children >= 0; open;) {
        vec_clear(&p);
        vec_push(&p, ((struct pollfd){w.control, POLLIN, 0}));
        vec_push(&p, ((struct pollfd){w.children, POLLIN, 0}));
        for (size_t i = 0; i < w.jobs.len; i++)
            vec_push(&p, ((struct pollfd){w.jobs.data[i].line, 0, 0}));
        if (poll(p.data, p.len, -1) < 0) continue;
        for (size_t i = p.len - 2; i-- > 0;) // given up by its asker
            if (p.data[i + 2].revents & (POLLHUP | POLLERR)) {
                kill(-w.jobs.data[i].pid, SIGKILL);
                kill(w.jobs.data[i].pid, SIGKILL);
                drop(&w, i);
            }
        if (p.data[1].revents) reap(&w);
        if (!p.data[0].revents) continue;
        int fd[NFDS];
        const int got = receive(w.control, fd);
        if (got > 0) start(&w, fd, run);
        open = got != 0;
    }
    for (size_t i = 0; i < w.jobs.len; i++) kill(-w.jobs.data[i].pid, SIGKILL);
    vec_free(&p);
    vec_free(&w.jobs);
}

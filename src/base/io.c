// SPDX-License-Identifier: MIT
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int held[] = {SIGPIPE, SIGXFSZ};

static sigset_t held_set(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) sigaddset(&set, held[i]);
    return set;
}

void io_hold(struct io_held *h)
{
    const sigset_t set = held_set();
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        h->had[i] = sigismember(&pending, held[i]);
    pthread_sigmask(SIG_BLOCK, &set, &h->old);
}

void io_let_go(const struct io_held *h)
{
    const int saved = errno;
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (!h->had[i]) sigaddset(&ours, held[i]);
    int taken;
    do taken = sigtimedwait(&ours, NULL, &(struct timespec){0});
    while (taken > 0 || errno == EINTR);
    pthread_sigmask(SIG_SETMASK, &h->old, NULL);
    errno = saved;
}

static atomic_bool is_ending;

void io_set_ending(bool ending) { atomic_store(&is_ending, ending); }
static atomic_bool is_holding;

static sigset_t ending_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    return set;
}

void io_hold_signals(bool hold)
{
    const sigset_t set = ending_signals();
    atomic_store(&is_holding, hold);
    pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static bool is_held(void)
{
    sigset_t set;
    return atomic_load(&is_holding) && !sigpending(&set) &&
           (sigismember(&set, SIGTERM) || sigismember(&set, SIGINT) || sigismember(&set, SIGHUP));
}

bool io_is_ending(void) { return atomic_load(&is_ending) || is_held(); }

/**
 * Waits until `fd` takes up to PIPE_BUF bytes without blocking. False: its reader does not read,
 * and the process is to end; or the descriptor is non-blocking, so that the app may be the reader
 * itself, and waiting would never end.
 */
static bool wait_for_reader(int fd, int *waited)
{
    enum { STEP = 100, ENDING = 1000, NONBLOCKING = 2000 }; // milliseconds
    for (;; *waited += STEP) {
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (poll(&p, 1, STEP) > 0) return true; // (also where writing fails)
        const bool gives_up = (*waited >= ENDING && io_is_ending()) ||
                              (*waited >= NONBLOCKING && fcntl(fd, F_GETFL) & O_NONBLOCK);
        if (gives_up) {
            errno = ETIMEDOUT;
            return false;
        }
    }
}

bool io_write_all(int fd, const void *data, size_t n)
{
    struct io_held h;
    struct stat st;
    const bool is_file = !fstat(fd, &st) && S_ISREG(st.st_mode);
    int waited = 0;
    io_hold(&h);
    for (const char *p = data; n;) {
        if (!is_file && !wait_for_reader(fd, &waited)) break;
        const ssize_t k = write(fd, p, is_file || n < PIPE_BUF ? n : PIPE_BUF);
        if (k < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (k <= 0) break;
        p += k;
        n -= (size_t)k;
    }
    io_let_go(&h);
    return !n;
}

bool io_write_at(int fd, const void *data, size_t n, uint64_t at)
{
    struct io_held h;
    io_hold(&h);
    for (const char *p = data; n;) {
        const ssize_t k = pwrite(fd, p, n, (off_t)at);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) break;
        p += k;
        n -= (size_t)k;
        at += (uint64_t)k;
    }
    io_let_go(&h);
    return !n;
}

bool io_set_size(int fd, uint64_t size)
{
    struct io_held h;
    io_hold(&h);
    const bool ok = !ftruncate(fd, (off_t)size);
    io_let_go(&h);
    return ok;
}

bool io_read_all(int fd, struct str *out)
{
    char buf[8192]; // (some apps' threads have little stack)
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        str_put_n(out, buf, (size_t)n);
    }
}

bool io_read_file(const char *path, struct str *out)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat st;
    const bool ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && io_read_all(fd, out);
    close(fd);
    return ok;
}

bool io_is_below(const char *path, const char *folder)
{
    char *file = realpath(path, NULL), *above = realpath(folder, NULL);
    const size_t n = above ? strlen(above) : 0;
    const bool is = file && n && !strncmp(file, above, n) && (file[n] == '/' || n == 1);
    free(file);
    free(above);
    return is;
}

bool io_is_text(const void *data, size_t size) { return !memchr(data, 0, size < 64 ? size : 64); }

// SPDX-License-Identifier: MIT
// Ctrl-C, and SIGTERM of a job that takes too long: what was found so far must not be lost. The first signal cuts short the
// launches that run; when the last of them has told its findings, the process ends by that signal, as it would have. With no
// launch running, or at a second signal a second later, it ends at once (one Ctrl-C may come in twice: to the group, and handed on). An app that handles the signal itself keeps it.
#include "api/interrupt.h"

#include "api/cmdgraph.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM};
static atomic_int running; // launches
static atomic_int pending; // the signal, or 0
static atomic_llong since; // when it came: a second

static void end_by(int sig)
{
    sigaction(sig, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    kill(getpid(), sig); // of the threads, the app's own take it: ours have their signals blocked
}

static void on_signal(int sig)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!atomic_load(&running) || (atomic_load(&pending) && now.tv_sec > atomic_load(&since) + 1)) {
        end_by(sig);
        return;
    }
    if (atomic_load(&pending)) return;
    atomic_store(&since, now.tv_sec);
    atomic_store(&pending, sig);
    *api_cancel_flag() = 1;
}

static void forget_launches(void) // a child has none
{
    atomic_store(&running, 0);
    atomic_store(&pending, 0);
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, forget_launches);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (!sigaction(signals[i], NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
    }
}

void api_interrupt_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
    atomic_fetch_add(&running, 1);
}

bool api_interrupted(void) { return atomic_load(&pending); }

void api_interrupt_end(void)
{
    if (atomic_fetch_sub(&running, 1) != 1) return;
    const int sig = atomic_load(&pending);
    if (sig) end_by(sig); // (launches that begin meanwhile end at once)
}

// SPDX-License-Identifier: MIT
// Ctrl-C, and SIGTERM of a job that takes too long: what was found so far must not be lost. The first signal cuts short the
// launches that run; when the last of them has told its findings, the process ends by that signal, as it would have. With no
// launch running, or at a second signal a second later, it ends at once (one Ctrl-C may come in twice: to the group, and handed on).
// Machine code in an endless loop, and the compiler of a very large kernel, see nothing of this: when they still run two
// seconds later, that is said, and the process ends.
//
// An app that handles the signal itself keeps it. Of Ctrl-C it often learns only when the kernel has ended (Python's handler waits
// until the interpreter runs again): the first one says so, the second cuts short what runs; those commands fail, and
// the app goes on as it wants.
//
// Who ends the program in the debugger leaves as by a signal, but for the exit status.
#include "api/interrupt.h"

#include "api/cmdgraph.h"

#include "debug/debug.h"
#include "devices/dev.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM};
static atomic_int running; // launches
static atomic_int pending; // the signal, or LEFT, or 0
static atomic_llong since; // when it came: a second
static struct sigaction apps; // the app's own for SIGINT
static atomic_llong asked;    // when it had one while launches ran: in milliseconds, or 0
static atomic_bool is_cut;    // it had another
static int (*_Atomic last_words)(void);
enum { PATIENCE = 2 };       // seconds that a launch has to end in
enum { LEFT = -1 };          // in the debugger
static timer_t clocks[2];   // by place in `signals`, which they send
static bool has_clocks;

static void end_by(int sig)
{
    sigaction(sig, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    kill(getpid(), sig); // of the threads, the app's own take it: ours have their signals blocked
}

static void look_again(int sig)
{
    if (has_clocks) timer_settime(clocks[sig == signals[1]], 0, &(struct itimerspec){.it_value = {.tv_sec = PATIENCE}}, NULL);
}

/** Whether the signal is of a clock of ours. */
static bool is_second_look(int sig, const siginfo_t *info)
{
    if (info->si_code != SI_TIMER || info->si_value.sival_ptr != clocks) return false;
    if (atomic_load(&running) && dev_tell_stuck()) end_by(sig);
    return true;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (is_second_look(sig, info)) return;
    if (!atomic_load(&running) || (atomic_load(&pending) && now.tv_sec > atomic_load(&since) + 1)) {
        end_by(sig);
        return;
    }
    if (atomic_load(&pending)) return;
    atomic_store(&since, now.tv_sec);
    atomic_store(&pending, sig);
    *api_cancel_flag() = 1;
    look_again(sig);
}

static void on_apps_signal(int sig, siginfo_t *info, void *context)
{
    enum { SAME = 300 }; // milliseconds
    static const char note[] = "cldbg: Ctrl-C went to the app, which may see it only when its kernel has ended; once more cuts the kernel short\n";
    const int saved = errno;
    if (is_second_look(sig, info)) return;
    if (apps.sa_flags & SA_SIGINFO) apps.sa_sigaction(sig, info, context);
    else apps.sa_handler(sig);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const long long now = t.tv_sec * 1000ll + t.tv_nsec / 1000000, first = atomic_load(&asked);
    if (!atomic_load(&running) || atomic_load(&is_cut)) {
    } else if (!first) {
        atomic_store(&asked, now);
        if (write(STDERR_FILENO, note, sizeof note - 1) < 0) errno = saved;
    } else if (now >= first + SAME) {
        atomic_store(&is_cut, true);
        *api_cancel_flag() = 1;
        look_again(sig);
    }
    errno = saved;
}

static void forget_launches(void) // a child has none
{
    atomic_store(&is_cut, false);
    atomic_store(&running, 0);
    atomic_store(&pending, 0);
    has_clocks = false; // timers are not inherited
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, forget_launches);
    has_clocks = dev_chosen() != &dev_interp;
    for (size_t i = 0; has_clocks && i < sizeof clocks / sizeof *clocks; i++) {
        struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signals[i], .sigev_value.sival_ptr = clocks};
        has_clocks = !timer_create(CLOCK_MONOTONIC, &e, &clocks[i]);
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now)) continue;
        const bool is_handled = now.sa_flags & SA_SIGINFO || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
        if (!is_handled && now.sa_handler == SIG_DFL) {
            sigaction(signals[i], &(struct sigaction){.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO}, NULL);
        } else if (is_handled && signals[i] == SIGINT && !(now.sa_flags & (int)SA_RESETHAND)) {
            apps = now;
            sigaction(SIGINT, &(struct sigaction){.sa_sigaction = on_apps_signal, .sa_mask = now.sa_mask, .sa_flags = now.sa_flags | SA_SIGINFO}, NULL);
        }
    }
}

void api_interrupt_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
    atomic_fetch_add(&running, 1);
}

static int say_last_words(void)
{
    int (*say)(void) = last_words;
    return say ? say() : 0;
}

void api_leave(void)
{
    rep_count(&rep_totals(dev_report())->left, 1);
    if (atomic_load(&running)) {
        atomic_store(&pending, LEFT);
        *api_cancel_flag() = 1;
        return;
    }
    _exit(say_last_words());
}

bool api_interrupted(void) { return atomic_load(&pending) || atomic_load(&is_cut); }

void api_set_last_words(int (*fn)(void))
{
    last_words = fn;
    if (!fn) rep_finish(dev_report());
}

void api_interrupt_end(void)
{
    if (atomic_fetch_sub(&running, 1) != 1) return;
    const int sig = atomic_load(&pending);
    if (sig) { // (launches that begin meanwhile end at once)
        const int status = say_last_words();
        if (sig == LEFT) _exit(status);
        end_by(sig);
    }
    atomic_store(&asked, 0);
    if (atomic_exchange(&is_cut, false) && !api_is_stopping()) *api_cancel_flag() = 0;
}

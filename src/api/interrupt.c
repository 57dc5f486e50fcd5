// SPDX-License-Identifier: MIT
// Signals: Ctrl-C, SIGTERM of a job that takes too long, SIGHUP. Findings must not be lost. The
// first signal ends running launches early; when the last of them has reported its findings, the
// process ends by that signal, as it would have without cldbg. If no launch runs, or at a second
// signal at least a second later, it ends at once (one Ctrl-C may arrive twice: for the process
// group, and forwarded); `cldbg run` prints its closing line first.
//
// Machine code in an endless loop, the compiler of a very large kernel, and an operation on very
// much memory cannot be ended early. A thread of cldbg, the clock, checks two seconds later whether
// launches still run; it then reports this and ends the process. This requires a thread, because a
// signal handler may neither take a lock nor write a report. Its output may block (a lock of the
// stuck thread, a reader that does not read), so a timer ends the process after ten more seconds.
//
// An app that handles the signal itself keeps its handler. It often gets Ctrl-C only when the
// kernel has ended (Python's handler waits until the interpreter runs again): the first one prints
// a message, the second ends running launches early; those commands fail, and the app continues.
//
// Ending the program in the debugger works like a signal, except for the exit status.
#include "api/interrupt.h"

#include "base/own_thread.h"
#include "base/io.h"
#include "devices/dev.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static atomic_int running;    // launches
static atomic_int pending;    // the signal, or LEFT, or 0
static atomic_llong since;    // the time when it arrived, in seconds
static struct sigaction apps; // the app's handler of SIGINT
static atomic_llong asked;    // the time of the first signal for the app while launches ran, in
                              // milliseconds; 0: none
static atomic_bool is_cut;    // there was a second one
static int (*_Atomic last_words)(void);
enum { PATIENCE = 2, LAST_WORDS = 10 }; // seconds for launches to end; for the last messages
enum { LEFT = -1 };                     // in the debugger
static volatile int cancel, cancel_last;
static atomic_bool is_exiting;
static __thread bool is_last; // in exit(): exit handlers may still run commands
static sem_t for_clock;       // a signal came
static atomic_bool has_clock;
static atomic_flag is_leaving = ATOMIC_FLAG_INIT;

/** The calling thread takes the signal, even if other threads block it. */
static void end_by(int sig)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigaction(sig, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

static int say_last_words(void)
{
    int (*say)(void) = last_words;
    return say ? say() : 0;
}

/** Prints the last messages and ends the process; in one thread only. */
static void leave(int sig, bool is_stuck)
{
    static const char stuck[] = "cldbg: a launch does not end within 2 seconds: the process ends "
                                "with it, and what it found is lost\n";
    while (atomic_flag_test_and_set(&is_leaving)) pause();
    if (sig != LEFT) {
        timer_t guard;
        struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        if (!timer_create(CLOCK_MONOTONIC, &e, &guard))
            timer_settime(guard, 0, &(struct itimerspec){.it_value = {.tv_sec = LAST_WORDS}}, NULL);
    }
    if (is_stuck && !dev_report_stuck()) io_write_all(STDERR_FILENO, stuck, sizeof stuck - 1);
    const int status = say_last_words();
    if (sig == LEFT) _exit(status);
    end_by(sig);
}

static void *clock_main(void *arg)
{
    for (;;) {
        while (sem_wait(&for_clock)) {}
        for (int i = 0; i < PATIENCE * 50 && atomic_load(&running); i++)
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        const int sig = atomic_load(&pending);
        const bool is_stuck = atomic_load(&running);
        if (sig || (is_stuck && atomic_load(&is_cut))) leave(sig ? sig : SIGINT, is_stuck);
    }
    return NULL;
}

static void start_clock(void)
{
    if (atomic_exchange(&has_clock, true)) return;
    sem_init(&for_clock, 0, 0);
    own_thread_start(clock_main, NULL, 0);
}

/** In a signal handler: ends launches early. */
static void cut(void)
{
    io_set_ending(true);
    *api_cancel_flag() = 1;
    sem_post(&for_clock);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    struct timespec now;
    (void)info, (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const bool waits = atomic_load(&running) || last_words; // there are messages to print first
    if (!waits || (atomic_load(&pending) && now.tv_sec > atomic_load(&since) + 1)) {
        end_by(sig);
        return;
    }
    if (atomic_load(&pending)) return;
    atomic_store(&since, now.tv_sec);
    atomic_store(&pending, sig);
    cut();
}

static void on_apps_signal(int sig, siginfo_t *info, void *context)
{
    enum { SAME = 300 }; // milliseconds
    static const char note[] = "cldbg: Ctrl-C went to the app, which may see it only when its "
                               "kernel has ended; press it again to end the kernel now\n";
    const int saved = errno;
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
        cut();
    }
    errno = saved;
}

static void forget_launches(void) // in a forked child
{
    atomic_store(&is_cut, false);
    atomic_store(&running, 0);
    atomic_store(&pending, 0);
    atomic_store(&has_clock, false);
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, forget_launches);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now)) continue;
        const bool is_handled = now.sa_flags & SA_SIGINFO ||
                                (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
        if (!is_handled && now.sa_handler == SIG_DFL) {
            sigaction(
                signals[i],
                &(struct sigaction){.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO},
                NULL);
        } else if (is_handled && signals[i] == SIGINT && !(now.sa_flags & (int)SA_RESETHAND)) {
            apps = now;
            sigaction(SIGINT,
                      &(struct sigaction){.sa_sigaction = on_apps_signal,
                                          .sa_mask = now.sa_mask,
                                          .sa_flags = now.sa_flags | SA_SIGINFO},
                      NULL);
        }
    }
}

static void begin_watching(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
    start_clock();
}

void api_interrupt_begin(void)
{
    begin_watching();
    atomic_fetch_add(&running, 1);
}

void api_leave(void)
{
    rep_count(&rep_totals(dev_report())->left, 1);
    if (!atomic_load(&running)) leave(LEFT, false);
    atomic_store(&pending, LEFT);
    cut();
}

bool api_interrupted(void) { return atomic_load(&pending) || atomic_load(&is_cut); }

void api_set_last_words(int (*fn)(void))
{
    if (!fn) {
        rep_finish(dev_report());
        return;
    }
    last_words = fn;
    begin_watching();
}

void api_interrupt_end(void)
{
    if (atomic_fetch_sub(&running, 1) != 1) return;
    const int sig = atomic_load(&pending);
    if (sig) leave(sig, false); // (launches that begin now end at once)
    atomic_store(&asked, 0);
    if (!atomic_exchange(&is_cut, false)) return;
    io_set_ending(false);
    if (!atomic_load(&is_exiting)) *api_cancel_flag() = 0;
}

volatile int *api_cancel_flag(void) { return is_last ? &cancel_last : &cancel; }

void api_exit_begin(void)
{
    atomic_store(&is_exiting, true);
    cancel = 1;
}

void api_exit_here(void) { is_last = true; }

// SPDX-License-Identifier: MIT
// Threads of cldbg, which neither take the app's signals nor keep its process alive.
#include "base/own_thread.h"

#include "base/mem.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_uint own; // those that run: counted after their start and until before their end
static pthread_key_t main_ends;
static bool is_watched;

struct start {
    void *(*run)(void *);
    void *context;
};

static void *run_own(void *arg)
{
    const struct start s = *(struct start *)arg;
    free(arg);
    atomic_fetch_add(&own, 1);
    s.run(s.context);
    atomic_fetch_sub(&own, 1);
    return NULL;
}

bool own_thread_start(void *(*run)(void *), void *context, size_t stack)
{
    struct start *const s = mem_dup(&(struct start){run, context}, sizeof *s);
    sigset_t all, old;
    pthread_attr_t attr;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    size_t size = 0;
    if (stack && (pthread_attr_getstacksize(&attr, &size) || size < stack))
        pthread_attr_setstacksize(&attr, stack);
    pthread_t t;
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const bool ok = !pthread_create(&t, &attr, run_own, s);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (!ok) free(s);
    return ok;
}

/** Threads of the process; 0 if that is not known. The main thread stays listed after its end. */
static unsigned count_threads(void)
{
    DIR *const d = opendir("/proc/self/task");
    if (!d) return 0;
    unsigned n = 0;
    for (const struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/** Only the main thread, which ends, and those of cldbg are left. A thread may start meanwhile. */
static bool are_alone(void)
{
    const unsigned before = atomic_load(&own), all = count_threads();
    return atomic_load(&own) == before && all == 1 + before;
}

static void *wait_for_others(void *context)
{
    for (unsigned alone = 0; alone < 2; alone = are_alone() ? alone + 1 : 0)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    exit(0);
}

static void when_main_ends(void *value) { own_thread_start(wait_for_others, NULL, 0); }

static void forget(void) { atomic_store(&own, 0); }

void own_thread_watch(void)
{
    if (is_watched || getpid() != gettid()) return;
    is_watched = true;
    pthread_atfork(NULL, NULL, forget);
    if (!pthread_key_create(&main_ends, when_main_ends)) pthread_setspecific(main_ends, &own);
}

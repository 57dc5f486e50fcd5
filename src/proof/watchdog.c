// SPDX-License-Identifier: MIT
// Ends a query that overstays: a thread waits for the time at which it must end and interrupts it.
// Z3 has a time limit of its own, which starts another thread for each query and covers only a part
// of it. Interrupts are repeated: one that comes before the query begins has no effect.
#include "proof/kernel.h"

#include <pthread.h>
#include <time.h>

static const double AGAIN = 0.02; // seconds between interrupts

struct pk_watchdog {
    pthread_t thread;
    pthread_mutex_t lock; // guards the following; taken with no other lock
    pthread_cond_t changed;
    void (*interrupt)(void *context);
    void *context; // of the query that runs, or NULL
    double until;
    bool has_interrupted, is_over, has_thread;
};

static void wait_until(struct pk_watchdog *w, double t)
{
    const struct timespec at = {(time_t)t, (long)((t - (double)(time_t)t) * 1e9)};
    pthread_cond_timedwait(&w->changed, &w->lock, &at);
}

static void *watch(void *data)
{
    struct pk_watchdog *w = data;
    pthread_mutex_lock(&w->lock);
    while (!w->is_over) {
        const double now = pk_now();
        if (!w->context) {
            pthread_cond_wait(&w->changed, &w->lock);
        } else if (now < w->until) {
            wait_until(w, w->until);
        } else {
            w->has_interrupted = true;
            w->interrupt(w->context);
            wait_until(w, now + AGAIN);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct pk_watchdog *pk_watchdog_create(void (*interrupt)(void *context))
{
    struct pk_watchdog *w = mem_alloc(sizeof *w);
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &a);
    pthread_condattr_destroy(&a);
    pthread_mutex_init(&w->lock, NULL);
    w->interrupt = interrupt;
    // (without a thread, the effort alone limits queries)
    w->has_thread = !pthread_create(&w->thread, NULL, watch, w);
    return w;
}

void pk_watch(struct pk_watchdog *w, void *context, double until)
{
    pthread_mutex_lock(&w->lock);
    w->context = context;
    w->until = until;
    w->has_interrupted = false;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

bool pk_unwatch(struct pk_watchdog *w)
{
    pthread_mutex_lock(&w->lock);
    const bool r = w->has_interrupted;
    w->context = NULL;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return r;
}

void pk_watchdog_destroy(struct pk_watchdog *w)
{
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (w->has_thread) pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

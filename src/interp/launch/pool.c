// SPDX-License-Identifier: MIT
// A thread pool that lives as long as the process.
#include "interp/launch/pool.h"
#include "base/own_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

struct job {
    void (*fn)(void *, unsigned);
    void *ctx;
    unsigned next, n, running; // parts to distribute; parts that are running
    struct job *later;
    pthread_cond_t done;
};

// Guards everything here.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static struct job *jobs; // with parts to distribute
static unsigned nthreads, nidle;

static void unlink_job(struct job *b)
{
    struct job **p = &jobs;
    while (*p && *p != b) p = &(*p)->later;
    if (*p) *p = b->later;
}

/** Takes a part and runs it. The lock is held before and after. */
static void run_part(struct job *b)
{
    const unsigned i = b->next++;
    if (b->next == b->n) unlink_job(b);
    b->running++;
    pthread_mutex_unlock(&lock);
    b->fn(b->ctx, i);
    pthread_mutex_lock(&lock);
    if (!--b->running && b->next == b->n) pthread_cond_signal(&b->done);
}

static void *thread_main(void *arg)
{
    char name[16];
    snprintf(name, sizeof name, "cldbg-%u", (unsigned)(unsigned long)arg);
    pthread_setname_np(pthread_self(), name);
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!jobs) {
            nidle++;
            pthread_cond_wait(&work, &lock);
            nidle--;
        }
        run_part(jobs);
    }
    return NULL;
}

static void start_thread(void)
{
    if (own_thread_start(thread_main, (void *)(unsigned long)(nthreads + 1), 0)) nthreads++;
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork_parent(void) { pthread_mutex_unlock(&lock); }
static void after_fork_child(void)
{
    // only the forking thread survives; launches of other threads ended with them
    jobs = NULL;
    nthreads = nidle = 0;
    pthread_cond_init(&work, NULL);
    pthread_mutex_init(&lock, NULL);
}
static void init(void) { pthread_atfork(before_fork, after_fork_parent, after_fork_child); }

void pool_run(unsigned n, void (*fn)(void *ctx, unsigned i), void *ctx)
{
    if (n <= 1) {
        fn(ctx, 0);
        return;
    }
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init);
    struct job b = {.fn = fn, .ctx = ctx, .n = n};
    pthread_cond_init(&b.done, NULL);
    pthread_mutex_lock(&lock);
    while (nthreads < n - 1) {
        const unsigned had = nthreads;
        start_thread();
        if (nthreads == had) break; // no thread could be created: the caller does the parts itself
    }
    struct job **end = &jobs;
    while (*end) end = &(*end)->later;
    *end = &b;
    pthread_cond_broadcast(&work);
    while (b.next < b.n) run_part(&b);
    while (b.running) pthread_cond_wait(&b.done, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&b.done);
}

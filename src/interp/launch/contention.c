// SPDX-License-Identifier: MIT
// The contention governor: a feedback controller that throttles worker threads.
//
// Phases: ALONE (warm up, then measure the first thread), CONCURRENT (admit the others, then
// measure again), REST (run in the better mode, then compare again). Threads are judged to slow
// each other down if the first one is more than twice as fast alone in two consecutive comparisons:
// neighboring groups do different amounts of work in many kernels.
#include "interp/launch/contention.h"

#include "interp/launch/counters.h"

#include <errno.h>

// Windows are long enough to be measured. RESTS: rests of a launch that stays with one thread;
// short enough for groups that spin for a group that has not started.
enum { WINDOW_NS = 20000, REST_NS = 50000000, PATIENCE_NS = 5000000, RESTS = 4 };

void governor_init(struct governor *c, unsigned threads, uint64_t units)
{
    *c = (struct governor){.threads = threads, .units = units, .is_open = threads < 2};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->opened, NULL);
}

void governor_destroy(struct governor *c)
{
    pthread_cond_destroy(&c->opened);
    pthread_mutex_destroy(&c->lock);
}

static void open_up(struct governor *c)
{
    pthread_mutex_lock(&c->lock);
    c->is_open = true;
    c->openings++;
    pthread_cond_broadcast(&c->opened);
    pthread_mutex_unlock(&c->lock);
}

void governor_enter(struct governor *c, unsigned thread)
{
    if (thread) c->inside++;
}

void governor_wait_inside(struct governor *c)
{
    c->inside--;
    pthread_mutex_lock(&c->lock);
    const uint64_t openings = c->openings; // a thread that missed an opening enters late
    for (uint64_t seen = c->parts; !c->is_open && c->openings == openings;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PATIENCE_NS;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (pthread_cond_timedwait(&c->opened, &c->lock, &until) == ETIMEDOUT && c->parts == seen)
            break;
        seen = c->parts;
    }
    pthread_mutex_unlock(&c->lock);
    c->inside++;
}

void governor_leave(struct governor *c, unsigned thread)
{
    if (thread) c->inside--;
    else if (c->threads > 1) open_up(c);
}

static void begin(struct governor *c, enum governor_phase phase)
{
    c->first.phase = phase;
    c->first.done = 0;
    c->first.begin_ns = vm_clock_ns(CLOCK_MONOTONIC);
    c->first.begin_cpu = phase == GOVERNOR_ALONE || phase == GOVERNOR_CONCURRENT
                             ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID)
                             : 0;
}

static bool is_over(const struct governor *c, uint64_t ns)
{
    return vm_clock_ns(CLOCK_MONOTONIC) - c->first.begin_ns >= ns;
}

/** Time per unit since the phase began; 0: not enough units yet. */
static double measured(const struct governor *c)
{
    if (!is_over(c, WINDOW_NS)) return 0;
    return (double)(vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - c->first.begin_cpu) /
           (double)c->first.done;
}

static void rest(struct governor *c, bool open)
{
    if (open != c->is_open) {
        if (open) open_up(c);
        else c->is_open = false;
    }
    c->first.worse = 0;
    begin(c, GOVERNOR_REST);
}

static void join(struct governor *c)
{
    c->theirs = 0;
    c->counts = true;
    begin(c, GOVERNOR_ADMIT);
}

static void judge(struct governor *c, double ns)
{
    if (!c->theirs) { // the other threads did nothing
        begin(c, GOVERNOR_CONCURRENT);
        return;
    }
    c->counts = false;
    if (ns <= c->first.alone * c->threads) {
        rest(c, true);
    } else if (++c->first.worse < 2) {
        c->is_open = false;
        begin(c, GOVERNOR_WARM_UP);
    } else {
        rest(c, false);
    }
}

void governor_measure(struct governor *c, uint64_t units)
{
    atomic_fetch_add_explicit(&c->parts, 1, memory_order_relaxed);
    c->first.done += units;
    double ns;
    switch (c->first.phase) {
    case GOVERNOR_WARM_UP:
        if (!c->inside) begin(c, GOVERNOR_ALONE);
        else if (is_over(c, REST_NS)) rest(c, true);
        return;
    case GOVERNOR_ALONE:
        if (!(ns = measured(c))) return;
        c->first.alone = ns;
        open_up(c);
        join(c);
        return;
    case GOVERNOR_ADMIT:
        if (!c->theirs) return;
        c->theirs = 0;
        begin(c, GOVERNOR_CONCURRENT);
        return;
    case GOVERNOR_CONCURRENT:
        if ((ns = measured(c))) judge(c, ns);
        return;
    case GOVERNOR_REST:
        if (c->first.done < c->units / RESTS && (c->is_open || !is_over(c, REST_NS))) return;
        if (!c->is_open) begin(c, GOVERNOR_WARM_UP);
        else if (c->first.alone) join(c);
        return;
    }
}

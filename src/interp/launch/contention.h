// SPDX-License-Identifier: MIT
#ifndef INTERP_CONTENTION_H
#define INTERP_CONTENTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * The contention governor: decides whether several threads make more progress with a launch than
 * one. If their atomics use the same few cache lines, these move back and forth between processors,
 * and all threads together do less than one alone. The first thread of the launch (number 0)
 * compares its speed, in units of work per processor time, alone and with the others running, and
 * keeps the others out for a while if the slowdown exceeds the gain of more threads. The caller
 * defines the unit, for example a work-group; parts should be short (microseconds). Threads call
 *
 *     governor_enter(c, thread);
 *     while (there is a part) { governor_wait(c, thread); do it; governor_did(c, thread, units); }
 *     governor_leave(c, thread);
 *
 * A thread waits only briefly for a first thread that is in a part (which may wait for the others),
 * and never after that one has left.
 */
struct governor {
    unsigned threads;                         // 1: no measurement, no waiting
    uint64_t units;                           // of the launch
    _Atomic bool is_open, counts;             // counts: `theirs` counts the parts of other threads
    _Atomic unsigned inside;                  // of the others
    _Atomic uint64_t parts, theirs, openings; // parts: of the first thread
    pthread_mutex_t lock;                     // for `opened`; no other lock is taken inside
    pthread_cond_t opened;
    struct { // owned by the first thread
        enum governor_phase {
            GOVERNOR_WARM_UP,
            GOVERNOR_ALONE,
            GOVERNOR_ADMIT,
            GOVERNOR_CONCURRENT,
            GOVERNOR_REST
        } phase;
        unsigned worse; // consecutive comparisons in which the other threads slowed it down
        uint64_t done, begin_ns, begin_cpu; // units since the beginning of the phase; its times
        double alone;                       // ns a unit
    } first;
};

/** `units` of work for `threads` threads; threads = 1 disables measurements. */
void governor_init(struct governor *c, unsigned threads, uint64_t units);
void governor_destroy(struct governor *c);
void governor_enter(struct governor *c, unsigned thread);
void governor_wait_inside(struct governor *c); // for governor_wait
static inline void governor_wait(struct governor *c, unsigned thread)
{
    if (thread && !atomic_load_explicit(&c->is_open, memory_order_relaxed)) governor_wait_inside(c);
}
void governor_measure(struct governor *c, uint64_t units); // for governor_did
static inline void governor_did(struct governor *c, unsigned thread, uint64_t units)
{
    if (!thread && c->threads > 1) governor_measure(c, units);
    else if (atomic_load_explicit(&c->counts, memory_order_relaxed)) c->theirs++;
}
void governor_leave(struct governor *c, unsigned thread);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_CONTENTION_H
#define INTERP_CONTENTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * The contention governor: whether several threads make more progress with a launch than one. If
 * their atomics meet in the same few cache lines, the lines move back and forth between the
 * processors, and all threads together do less than one alone. The first thread of the launch
 * (number 0) compares its speed, in units of work per processor time, alone and with the others
 * running, and keeps the others out for a while if each is slowed down by more than their number
 * gains. A unit is what the caller likes, for example a work-group; parts should be short
 * (microseconds). Threads call
 *
 *     governor_enter(c, thread);
 *     while (there is a part) { governor_wait(c, thread); do it; governor_did(c, thread, units); }
 *     governor_leave(c, thread);
 *
 * No thread waits long for a first thread that is in a part (which may wait for the others), and
 * none after it has left.
 */
struct governor {
    unsigned threads;                         // 1: nothing is measured, no thread waits
    uint64_t units;                           // of the launch
    _Atomic bool is_open, counts;             // counts: parts of the others, in `theirs`
    _Atomic unsigned inside;                  // of the others
    _Atomic uint64_t parts, theirs, openings; // parts: of the first thread
    pthread_mutex_t lock;                     // for `opened`; no other lock is taken inside
    pthread_cond_t opened;
    struct { // the first thread's own
        enum governor_phase {
            GOVERNOR_WARM_UP,
            GOVERNOR_ALONE,
            GOVERNOR_ADMIT,
            GOVERNOR_CONCURRENT,
            GOVERNOR_REST
        } phase;
        unsigned worse; // comparisons one after the other in which the others were in the way
        uint64_t done, begin_ns, begin_cpu; // units since the phase began; when
        double alone;                       // ns a unit
    } first;
};

/** `units` of work for `threads` threads; one that must not be measured has threads = 1. */
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

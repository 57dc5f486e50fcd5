// SPDX-License-Identifier: MIT
#ifndef INTERP_CONTENTION_H
#define INTERP_CONTENTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * Whether several threads get further with a launch than one. Where their atomics meet in the same
 * few cache lines, the lines go back and forth between the processors and all together do less than
 * one alone would. The first thread of the launch (the one with number 0) compares its own speed,
 * in units of work for its processor time, while it is alone and while others work beside it, and
 * keeps them out for a while where each is slowed down by more than their number makes up for. A
 * unit is what the caller likes, work-groups say; parts should be short (microseconds). Threads
 * call
 *
 *     crowd_enter(c, thread);
 *     while (there is a part) { crowd_wait(c, thread); do it; crowd_did(c, thread, units); }
 *     crowd_leave(c, thread);
 *
 * None waits for long for a first thread that is in one part (it may wait for what the others do),
 * nor after that has left.
 */
struct crowd {
    unsigned threads;                         // 1: nothing is measured, nobody waits
    uint64_t units;                           // of the launch
    _Atomic bool is_open, counts;             // counts: parts of the others, in `theirs`
    _Atomic unsigned inside;                  // of the others
    _Atomic uint64_t parts, theirs, openings; // parts: of the first thread
    pthread_mutex_t lock;                     // for `opened`; no other lock is taken inside
    pthread_cond_t opened;
    struct { // the first thread's own
        enum crowd_phase { CROWD_WARM, CROWD_ALONE, CROWD_JOIN, CROWD_TOGETHER, CROWD_REST } phase;
        unsigned worse; // comparisons one after the other in which the others were in the way
        uint64_t done, begin_ns, begin_cpu; // units since the phase began; when
        double alone;                       // ns a unit
    } first;
};

/** `units` of work for `threads` threads; one that must not be measured has threads = 1. */
void crowd_init(struct crowd *c, unsigned threads, uint64_t units);
void crowd_destroy(struct crowd *c);
void crowd_enter(struct crowd *c, unsigned thread);
void crowd_wait_inside(struct crowd *c); // for crowd_wait
static inline void crowd_wait(struct crowd *c, unsigned thread)
{
    if (thread && !atomic_load_explicit(&c->is_open, memory_order_relaxed)) crowd_wait_inside(c);
}
void crowd_measure(struct crowd *c, uint64_t units); // for crowd_did
static inline void crowd_did(struct crowd *c, unsigned thread, uint64_t units)
{
    if (!thread && c->threads > 1) crowd_measure(c, units);
    else if (atomic_load_explicit(&c->counts, memory_order_relaxed)) c->theirs++;
}
void crowd_leave(struct crowd *c, unsigned thread);
#endif

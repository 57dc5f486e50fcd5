// SPDX-License-Identifier: MIT
#ifndef INTERP_COUNTERS_H
#define INTERP_COUNTERS_H
#include "interp/core/gang.h"

#include <time.h>

/** Accesses are classified for this many lanes at a time, as in a device's memory unit. */
enum { VM_NEIGHBORS = 16 };

static inline uint64_t vm_clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
uint64_t vm_clock_cost(void); // the time that a measurement adds

/** One in this many calls of the race check is timed. */
enum { VM_TIMED = 61 }; // prime, so that it does not match a loop's period
#endif

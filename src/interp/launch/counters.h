// SPDX-License-Identifier: MIT
#ifndef INTERP_COUNTERS_H
#define INTERP_COUNTERS_H
#include "interp/core/gang.h"

#include <time.h>

/** Accesses are classified for this many lanes at a time, as a device's memory unit sees them. */
enum { VM_NEIGHBORS = 16 };

static inline uint64_t vm_clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
uint64_t vm_clock_cost(void); // what a measurement adds to itself

/** One in this many calls of the race check is timed. */
enum { VM_TIMED = 61 }; // prime: no loop's period
#endif

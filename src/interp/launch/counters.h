// SPDX-License-Identifier: MIT
#ifndef INTERP_COUNTERS_H
#define INTERP_COUNTERS_H
#include "interp/core/gang.h"

#include <time.h>

/** So many lanes at a time are judged: what a device's memory would see at once. */
enum { VM_NEIGHBOURS = 16 };

static inline uint64_t vm_clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
uint64_t vm_clock_cost(void); // what a measurement adds to itself

/** Of the calls of the race check every so manyth is timed. */
enum { VM_TIMED = 61 }; // prime: no loop's period
#endif

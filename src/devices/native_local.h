// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_LOCAL_H
#define DEVICES_NATIVE_LOCAL_H
#include "base/str.h"

#include <stdint.h>

/**
 * Local memory of the work-groups that a thread runs one after the other: parts (the kernel's local
 * arrays together, each argument), 128-aligned, each followed by a zone that must not change (red
 * zone), and a guard page on each side. So a kernel that exceeds its local memory damages nothing
 * else, and is reported.
 */
struct native_local_part {
    const char *name; // NULL: the arrays of the kernel
    uint64_t size;
    char *at;
};
struct native_local {
    struct native_local_part *parts; // the caller's
    unsigned nparts;
    char *begin, *end;
};
/**
 * Fills in `at` of the parts; zeroed. False: no memory. Valid until this thread calls it again.
 */
bool native_local_make(struct native_local *m, struct native_local_part *parts, unsigned nparts);
/** Was a zone written? `what` names it, as the end of a sentence. */
bool native_local_spoilt(const struct native_local *m, struct str *what);
#endif

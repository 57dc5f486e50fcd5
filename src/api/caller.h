// SPDX-License-Identifier: MIT
#ifndef API_CALLER_H
#define API_CALLER_H
#include <stdbool.h>

/**
 * A call from a library, with the app's line that led to it: a code address of the program, or a
 * script's line.
 */
struct api_caller {
    const void *site;     // the call itself
    const void *outer;    // a code address of the program; NULL: none
    const char *script;   // "smooth.py:17 (work)"; NULL: none
    const void *recorded; // the place where a command buffer recorded the command that the call
                          // enqueues; NULL: the call enqueues its own command
    struct api_caller *next;
};
/**
 * The place of a call whose return address is `site`: that address, or a record. Must run in the
 * thread of the call, inside it. Places are equal if their text is equal, and are never freed.
 */
const void *api_caller_place(const void *site);
/**
 * The place of a command of a command buffer: recorded at one place, enqueued at the other (NULL:
 * unknown).
 */
const void *api_caller_replayed(const void *recorded, const void *enqueued);
/**
 * Is the call, with all functions that it was inlined into, in system headers or OpenCL's C++
 * bindings (call_site.c)?
 */
bool api_call_site_is_library(const void *site);
/** NULL if the place is a plain address. */
const struct api_caller *api_caller_record(const void *place);
#endif

// SPDX-License-Identifier: MIT
#ifndef API_CALLER_H
#define API_CALLER_H
#include <stdbool.h>

/**
 * The caller of OpenCL in a library, and the line of the app that led there: a code address of the
 * program, or a script's line.
 */
struct api_caller {
    const void *site;   // the call itself
    const void *outer;  // of the program; NULL: none
    const char *script; // "smooth.py:17 (work)"; NULL: none
    struct api_caller *next;
};
/**
 * The place of a call whose return address is `site`: that address, or a record. Must run in the
 * thread of the call, inside it. Places are equal if their text is equal, and are never freed.
 */
const void *api_caller_place(const void *site);
/**
 * The call is in a header of the system or in OpenCL's C++ bindings, and so is everything that it
 * was inlined into (call_site.c).
 */
bool api_call_site_is_library(const void *site);
/** NULL where a place is a plain address. */
const struct api_caller *api_caller_record(const void *place);
#endif

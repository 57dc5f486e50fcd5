// SPDX-License-Identifier: MIT
#ifndef BASE_ERR_H
#define BASE_ERR_H

/**
 * A failure: the world is wrong (a file is missing, a helper died, an input is malformed). NULL
 * means fine. A failure carries one message made for a reader. The caller that gets one owns it and
 * frees it or passes it on. Not for findings (the kernel is wrong) and not for API errors (cl_int).
 */
struct err;

struct err *err_new(const char *fmt, ...) __attribute__((format(printf, 1, 2), warn_unused_result));
/** Puts "context: " in front of the message. NULL stays NULL. Takes over `e`. */
struct err *err_wrap(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
const char *err_message(const struct err *e); // borrowed
void err_free(struct err *e);                 // NULL is fine
#endif

// SPDX-License-Identifier: MIT
#ifndef BASE_IO_H
#define BASE_IO_H
#include "base/str.h"

#include <signal.h>
#include <stdint.h>

/**
 * Between the two, what this thread writes raises no signal: not SIGPIPE without a reader, not
 * SIGXFSZ where a file becomes longer than `ulimit -f` allows; the calls fail with EPIPE and EFBIG.
 * The signals are the app's otherwise, and would kill it.
 */
struct io_held {
    sigset_t old;
    bool had[2]; // what was waiting before
};
void io_hold(struct io_held *h);
void io_let_go(const struct io_held *h); // keeps errno

/**
 * All of it, over interruptions and short writes, without a signal; false: errno says why not. A
 * reader that does not read is waited for, except when the process is to end (io_set_ending) or the
 * descriptor is non-blocking.
 */
bool io_write_all(int fd, const void *data, size_t n);
/**
 * A signal has asked the process to end: from here on a reader that does not read is given up after
 * a second. For signal handlers, too.
 */
void io_set_ending(bool ending);
bool io_is_ending(void);
/**
 * From true to false, signals that end the process are held back, in this thread and those that it
 * makes; one that came makes io_is_ending true.
 */
void io_hold_signals(bool hold);
/** The same at a place of a regular file, whose offset stays. */
bool io_write_at(int fd, const void *data, size_t n, uint64_t at);
/** ftruncate without a signal. */
bool io_set_size(int fd, uint64_t size);
/** Everything up to the end of the file, appended; false: errno says why not. */
bool io_read_all(int fd, struct str *out);
/**
 * The same of a file by name; false also if it is not a regular file (programs can name any: a
 * device has no end, a pipe waits).
 */
bool io_read_file(const char *path, struct str *out);
/** Is the file below the folder, after links are resolved in both? */
bool io_is_below(const char *path, const char *folder);
/**
 * Text has no zero bytes; SPIR-V, bitcode and the binaries that apps keep have some near their
 * beginning.
 */
bool io_is_text(const void *data, size_t size);
#endif

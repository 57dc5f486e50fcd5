// SPDX-License-Identifier: MIT
#ifndef BASE_OUT_H
#define BASE_OUT_H
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * A file that cldbg writes. Between out_begin and out_end it is written to `fd` under another name;
 * out_end puts it in place at once, so that a reader finds the old file or the new one. A file that
 * is not a regular file (a pipe, /dev/stdout, /dev/fd/N) is written as it is.
 */
struct out_file {
    int fd;
    int folder;               // where `temp` and `name` are
    char *path, *name, *temp; // temp: its name while it is written, or NULL
    mode_t mode;
    bool is_unnamed; // it has none until it is complete
};
enum {
    OUT_REPORT = 0644,
    OUT_PRIVATE = 0600
}; // modes, of which the umask takes away: for others to read; with the user's data

/**
 * `is_ours` says by its beginning whether a file that is there can be replaced; NULL: any can. An
 * empty one can. Fails, with the path in the message, also where the path leads through another
 * user's link in a folder that all may write to.
 */
struct err *out_begin(struct out_file *o, const char *path, mode_t mode,
                      bool (*is_ours)(const char *data, size_t n));
/** e: why the contents are not complete; then the file is as it was, and e is given back. */
struct err *out_end(struct out_file *o, struct err *e);
/** The three together. */
struct err *out_write(const char *path, mode_t mode, bool (*is_ours)(const char *data, size_t n),
                      const void *data, size_t n);
/**
 * A descriptor for adding to the end of a file, which is made if needed; -1: errno says why not
 * (EPERM: through such a link).
 */
int out_append(const char *path, mode_t mode);
/**
 * Opens a file that is read and then replaced by out_write: creates it if needed, and locks it
 * against other callers of out_lock until it is closed. -1: errno has the reason (ESPIPE: it cannot
 * be read, because it is not a regular file, or is a link without a target).
 */
int out_lock(const char *path, mode_t mode);
#endif

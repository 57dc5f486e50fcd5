// SPDX-License-Identifier: MIT
#ifndef BASE_IO_H
#define BASE_IO_H
#include "base/str.h"

/** All of it, over interruptions and short writes; false: errno says why not. */
bool io_write_all(int fd, const void *data, size_t n);
/** Everything up to the end of the file, appended; false: errno says why not. */
bool io_read_all(int fd, struct str *out);
/** The same of a file by name; false also where it is no regular file (programs can name any: a device has no end, a pipe waits). */
bool io_read_file(const char *path, struct str *out);
#endif

// SPDX-License-Identifier: MIT
#include "base/io.h"

#include <errno.h>
#include <unistd.h>

bool io_write_all(int fd, const void *data, size_t n)
{
    for (const char *p = data; n;) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

bool io_read_all(int fd, struct str *out)
{
    char buf[65536];
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        str_put_n(out, buf, (size_t)n);
    }
}

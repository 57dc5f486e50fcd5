// SPDX-License-Identifier: MIT
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
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
    char buf[16384]; // (some apps' threads have little stack)
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        str_put_n(out, buf, (size_t)n);
    }
}

bool io_read_file(const char *path, struct str *out)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat st;
    const bool ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && io_read_all(fd, out);
    close(fd);
    return ok;
}

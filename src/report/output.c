// SPDX-License-Identifier: MIT
// Writing on a stream that belongs to the user's program, too: its end may be a closed pipe, a full disk
// or a terminal set non-blocking, and none of that may stop or kill the program.
#include "report/sink.h"

#include "base/io.h"
#include "report/progress_line.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000 }; // for a reader that does not read

static bool write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n > 0) {
            text += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd p = {.fd = fd, .events = POLLOUT};
            int ready = poll(&p, 1, PATIENCE_MS);
            if (!ready || (ready < 0 && errno != EINTR)) return false;
        } else if (n == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool rep_write(FILE *out, const char *text, size_t len)
{
    int fd = fileno(out);
    rep_progress_clear();
    if (fd < 0) return fwrite(text, 1, len, out) == len && !fflush(out); // a stream in memory

    struct io_held h;
    io_hold(&h);
    int saved_errno = errno;
    fflush(out);
    bool ok = write_all(fd, text, len);
    errno = saved_errno;
    io_let_go(&h);
    return ok;
}

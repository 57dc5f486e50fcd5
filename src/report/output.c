// SPDX-License-Identifier: MIT
// Output on streams that are shared with the user's program. A closed pipe, a full disk or a
// non-blocking terminal must not stop or kill the program.
#include "report/sink.h"

#include "base/io.h"
#include "report/excerpt.h"
#include "report/progress_line.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static atomic_bool lost; // something for stdout

bool rep_write(FILE *out, const char *text, size_t len)
{
    int fd = fileno(out);
    rep_progress_clear();
    if (fd < 0) return fwrite(text, 1, len, out) == len && !fflush(out); // a memory stream

    struct io_held h;
    const int saved_errno = errno;
    io_hold(&h);
    fflush(out);
    io_let_go(&h);
    const bool ok = io_write_all(fd, text, len);
    errno = saved_errno;
    lost |= !ok && out == stdout;
    return ok;
}

bool rep_output_is_lost(void) { return fflush(stdout) || ferror(stdout) || lost; }

bool rep_write_safe(FILE *out, const char *text)
{
    struct str s = {0};
    rep_put_safe_lines(&s, text, strlen(text));
    const bool ok = rep_write(out, str_text(&s), s.len);
    str_deinit(&s);
    return ok;
}

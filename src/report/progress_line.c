// SPDX-License-Identifier: MIT
#include "report/progress_line.h"

#include "base/str.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the line; no other lock is taken inside
static bool shown;

bool rep_progress_wanted(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

// Writes without waiting for a slow terminal.
static void put(const char *text, size_t n)
{
    if (write(STDERR_FILENO, text, n) < 0) return;
}

void rep_progress_show(const char *line)
{
    struct winsize w = {0};
    const size_t len = strlen(line);
    const size_t width = !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col > 1 ? w.ws_col - 1u : 79;
    struct str s = {0};
    str_put(&s, "\r\033[K");
    str_put_n(&s, line, len < width ? len : width);
    pthread_mutex_lock(&lock);
    put(s.data, s.len);
    __atomic_store_n(&shown, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    str_deinit(&s);
}

void rep_progress_clear(void)
{
    if (!__atomic_load_n(&shown, __ATOMIC_RELAXED)) return;
    pthread_mutex_lock(&lock);
    if (shown) put("\r\033[K", 4);
    __atomic_store_n(&shown, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

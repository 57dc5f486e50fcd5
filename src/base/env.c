// SPDX-License-Identifier: MIT
// The environment as it was: copied when this is loaded, before the app's main. The strings
// themselves do not last: apps write over them to change what `ps` shows (setproctitle).
#include "base/env.h"

#include "base/mem.h"
#include "base/str.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern char **environ;

static char **original; // "NAME=value", NULL at the end

static const char *value_of(const char *entry, const char *name)
{
    const size_t n = strlen(name);
    return !strncmp(entry, name, n) && entry[n] == '=' ? entry + n + 1 : NULL;
}

__attribute__((constructor)) static void save(void)
{
    size_t n = 0;
    if (getauxval(AT_SECURE)) return;
    for (char **p = environ; p && *p; p++) {
        if (!str_starts(*p, "CLDBG_") && !value_of(*p, "HOME") && !value_of(*p, "XDG_CACHE_HOME"))
            continue;
        original = mem_array(original, n + 2, sizeof *original);
        original[n++] = mem_strdup(*p);
        original[n] = NULL;
    }
}

__attribute__((destructor)) static void drop(void)
{
    for (char **p = original; p && *p; p++) free(*p);
    free(original);
    original = NULL;
}

char **env_original(void) { return original; }

const char *env_get(const char *name)
{
    const char *now = secure_getenv(name);
    for (char **p = original; !now && p && *p; p++) now = value_of(*p, name);
    return now;
}

const char *env_keep(const char **kept, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards every *kept
    pthread_mutex_lock(&lock);
    if (!*kept || strcmp(*kept, text))
        *kept = mem_strdup(text); // (another thread may still read the old one)
    const char *now = *kept;
    pthread_mutex_unlock(&lock);
    return now;
}

// SPDX-License-Identifier: MIT
#include "base/spirv.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char found[PATH_MAX];

static bool look_for(const char *name)
{
    const char *path = secure_getenv("PATH");
    while (path && *path) {
        const size_t n = strcspn(path, ":");
        if (n &&
            (size_t)snprintf(found, sizeof found, "%.*s/%s", (int)n, path, name) < sizeof found &&
            !access(found, X_OK))
            return true;
        path += n + (path[n] == ':');
    }
    *found = 0;
    return false;
}

static void look(void)
{
    enum { NEWEST = 24, OLDEST = 14 };
    const char *set = secure_getenv("CLDBG_LLVM_SPIRV");
    if (set && *set) {
        if (!access(set, X_OK)) snprintf(found, sizeof found, "%s", set);
        return;
    }
    if (look_for("llvm-spirv")) return;
    for (int v = NEWEST; v >= OLDEST; v--) {
        char name[32];
        snprintf(name, sizeof name, "llvm-spirv-%d", v);
        if (look_for(name)) return;
    }
}

const char *spirv_translator(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return *found ? found : NULL;
}

bool spirv_is_module(const void *data, size_t size)
{
    const uint32_t magic = 0x07230203;
    uint32_t first;
    if (size < sizeof first) return false;
    memcpy(&first, data, sizeof first);
    return first == magic || __builtin_bswap32(first) == magic;
}

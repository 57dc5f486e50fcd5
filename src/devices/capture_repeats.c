// SPDX-License-Identifier: MIT
// The captures that this process has written. A file counts as long as it is the one that was
// written: another process may have replaced it.
#include "devices/capture_repeats.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "devices/capture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct stored {
    char *path;
    struct stat st;
};
static struct {
    pthread_mutex_t lock;
    struct map index; // key → index
    VEC(struct stored) list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_there(const struct stored *f)
{
    struct stat st;
    return !lstat(f->path, &st) && S_ISREG(st.st_mode) && st.st_dev == f->st.st_dev &&
           st.st_ino == f->st.st_ino && st.st_size == f->st.st_size &&
           st.st_mtim.tv_sec == f->st.st_mtim.tv_sec && st.st_mtim.tv_nsec == f->st.st_mtim.tv_nsec;
}

static bool in_same_folder(const char *a, const char *b)
{
    const char *const x = strrchr(a, '/'), *const y = strrchr(b, '/');
    return x && y ? x - a == y - b && !memcmp(a, b, (size_t)(x - a)) : x == y;
}

/** Replaces what is there only if it is a capture; a file in the way is the writer's to report. */
static bool make_link(const char *from, const char *to)
{
    struct stat st;
    struct str temp = {0};
    if (!strcmp(from, to)) return true;
    if (!lstat(to, &st) && !dev_capture_is(to)) return false;
    str_printf(&temp, "%s.%ld.tmp", to, (long)getpid());
    bool ok = !link(from, str_text(&temp));
    if (ok) {
        ok = !rename(str_text(&temp), to);
        unlink(str_text(&temp)); // is still there if both are links to the same file
    }
    str_deinit(&temp);
    return ok;
}

static const struct stored *find(uint64_t key, const char *path)
{
    const uint64_t *const at = map_get(&all.index, key);
    const struct stored *const f = at ? &all.list.data[*at] : NULL;
    return f && in_same_folder(f->path, path) && is_there(f) ? f : NULL;
}

bool capture_link(uint64_t key, const char *path)
{
    pthread_mutex_lock(&all.lock);
    const struct stored *const f = find(key, path);
    const bool ok = f && make_link(f->path, path);
    pthread_mutex_unlock(&all.lock);
    return ok;
}

char *capture_equal_file(uint64_t key, const char *path)
{
    pthread_mutex_lock(&all.lock);
    const struct stored *const f = find(key, path);
    const char *const slash = f ? strrchr(f->path, '/') : NULL;
    char *const name = f ? mem_strdup(slash ? slash + 1 : f->path) : NULL;
    pthread_mutex_unlock(&all.lock);
    return name;
}

void capture_note(uint64_t key, const char *path)
{
    struct stored f = {.path = mem_strdup(path)};
    pthread_mutex_lock(&all.lock);
    bool is_new = false;
    if (lstat(path, &f.st)) {
        free(f.path);
    } else {
        uint64_t *const at = map_put(&all.index, key, &is_new);
        if (is_new) {
            *at = all.list.len;
            vec_push(&all.list, f);
        } else {
            free(all.list.data[*at].path);
            all.list.data[*at] = f;
        }
    }
    pthread_mutex_unlock(&all.lock);
}

// SPDX-License-Identifier: MIT
// A folder is in use as long as its owner holds a lock on it (flock(2)): the kernel releases the
// lock when the process ends, in whatever way. Process numbers would be wrong in containers that
// share the folder, which have their own.
//
// Invariant: only the holder of the lock removes a folder. Between mkdtemp and flock another
// process may remove the new folder; its link count is 0 then, and another one is made. Removing
// goes by descriptors and follows no link.
#include "base/temp_folder.h"

#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/** Takes the descriptor over. */
static void remove_all_in(int folder)
{
    DIR *d = fdopendir(folder);
    if (!d) {
        close(folder);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(folder, e->d_name, 0))
            continue;
        const int inner = open_folder(folder, e->d_name);
        if (inner >= 0) remove_all_in(inner);
        unlinkat(folder, e->d_name, AT_REMOVEDIR);
    }
    closedir(d);
}

static void remove_folder(const char *path)
{
    const int folder = open_folder(AT_FDCWD, path);
    if (folder >= 0) remove_all_in(folder);
    rmdir(path);
}

static void remove_if_left(const char *path)
{
    const int lock = open_folder(AT_FDCWD, path);
    struct stat st;
    if (lock < 0) return;
    if (!fstat(lock, &st) && st.st_uid == geteuid() && !flock(lock, LOCK_EX | LOCK_NB))
        remove_folder(path);
    close(lock);
}

static void remove_left(const char *in, const char *prefix)
{
    DIR *d = opendir(in);
    struct str path = {0};
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!str_starts(e->d_name, prefix)) continue;
        str_clear(&path);
        str_printf(&path, "%s/%s", in, e->d_name);
        remove_if_left(str_text(&path));
    }
    if (d) closedir(d);
    str_deinit(&path);
}

/** If the file system has no locks, no process removes the folder of another one. */
static int lock_folder(const char *path, bool *is_there)
{
    const int lock = open_folder(AT_FDCWD, path);
    struct stat st = {0};
    while (lock >= 0 && flock(lock, LOCK_EX) && errno == EINTR) {}
    *is_there = lock >= 0 && !fstat(lock, &st) && st.st_nlink;
    return lock;
}

const char *temp_folder_place(void)
{
    const char *const tmp = getenv("TMPDIR");
    return tmp && *tmp == '/' ? tmp : "/tmp";
}

struct err *temp_folder_create(struct temp_folder *f, const char *in, const char *purpose)
{
    struct str prefix = {0}, path = {0};
    struct err *e = NULL;
    *f = (struct temp_folder){0};
    if (!in) in = temp_folder_place();
    str_printf(&prefix, "cldbg-%s-", purpose);
    remove_left(in, str_text(&prefix));
    for (bool is_there = false; !is_there && !e;) {
        str_clear(&path);
        str_printf(&path, "%s/%sXXXXXX", in, str_text(&prefix));
        if (!mkdtemp(path.data)) {
            e = err_new("cannot make a folder (%s): %s", str_text(&path), strerror(errno));
        } else {
            f->lock = lock_folder(str_text(&path), &is_there);
            if (!is_there && f->lock >= 0) close(f->lock);
            if (!is_there && f->lock < 0 && errno != ENOENT)
                e = err_new("cannot open the folder %s: %s", str_text(&path), strerror(errno));
        }
    }
    if (!e) f->path = str_take(&path);
    str_deinit(&path);
    str_deinit(&prefix);
    return e;
}

void temp_folder_destroy(struct temp_folder *f)
{
    if (!f->path) return;
    remove_folder(f->path);
    close(f->lock);
    free(f->path);
    *f = (struct temp_folder){0};
}

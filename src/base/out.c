// SPDX-License-Identifier: MIT
// Writing files safely: temporary file beside the target (O_EXCL), then rename(2), which replaces a
// link and does not follow it.
//
// Links earlier in the path, and those that are followed because they lead to a device or pipe, are
// judged as Linux does for fs.protected_symlinks, but also where that is off and in folders without
// the sticky bit: in a folder that all may write to, only links of the user are followed, and
// only pipes of the user are written to. Appending is only to files of the user there: another
// user could have made the file to read what is written.
#include "base/out.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { HEAD = 64 << 10, TRIES = 1000 };

/** Can all users put files into the folder of path[0..n)? */
static bool lies_in_public(const char *path, size_t n)
{
    struct stat st;
    const char *slash = memrchr(path, '/', n);
    struct str folder = {0};
    str_put_n(&folder, slash ? path : ".", slash ? slash == path ? 1 : (size_t)(slash - path) : 1);
    const bool is = !stat(str_text(&folder), &st) && st.st_mode & S_IWOTH;
    str_deinit(&folder);
    return is;
}

/**
 * Of each part of the path and, with `last`, of its end: is it another user's link, or pipe, in
 * such a folder? With `file`, a regular file at its end is one, too.
 */
static bool is_trap(const char *path, bool last, bool file)
{
    bool trap = false;
    for (const char *end = path; *end && !trap;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        if (!*end && !last) break;
        struct stat st;
        struct str part = {0};
        str_put_n(&part, path, (size_t)(end - path));
        trap = !lstat(str_text(&part), &st) &&
               (S_ISLNK(st.st_mode) || S_ISFIFO(st.st_mode) ||
                (file && !*end && S_ISREG(st.st_mode))) &&
               st.st_uid != geteuid() && lies_in_public(path, (size_t)(end - path));
        str_deinit(&part);
    }
    return trap;
}

/**
 * Pipes, devices, and open descriptors (/dev/stdout, /dev/fd/N), be they of regular files: streams,
 * which are not replaced.
 */
static bool is_stream(const char *path)
{
    struct stat st;
    struct statfs fs;
    char link[8];
    if (stat(path, &st)) return false;
    if (!S_ISREG(st.st_mode) || (readlink(path, link, 6) == 6 && !memcmp(link, "/proc/", 6)))
        return true;
    const char *slash = strrchr(path, '/');
    struct str folder = {0};
    str_put_n(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    const bool is = slash && !statfs(str_text(&folder), &fs) && fs.f_type == PROC_SUPER_MAGIC;
    str_deinit(&folder);
    return is;
}

static struct err *refuse_other(const char *path, bool (*is_ours)(const char *data, size_t n))
{
    char *head = mem_alloc(HEAD);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, head, HEAD);
    if (fd >= 0) close(fd);
    const bool ours = n > 0 && is_ours(head, (size_t)n);
    free(head);
    return ours || !n ? NULL
                      : err_new("%s exists and was not written by cldbg: it is left as it is "
                                "(remove it, or name another file)",
                                path);
}

/** A new file beside the path. */
static int make_temp(struct out_file *o, mode_t mode)
{
    for (int i = 0; i < TRIES; i++) {
        struct str name = {0};
        str_printf(&name, "%s.%ld-%d.tmp", o->path, (long)getpid(), i);
        o->fd = open(str_text(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (o->fd >= 0) o->temp = str_take(&name);
        str_deinit(&name);
        if (o->fd >= 0 || errno != EEXIST) break;
    }
    return o->fd;
}

/** A pipe may have no reader yet: waits for one, until a signal ends the process. */
static int open_stream(const char *path)
{
    enum { PAUSE = 100 }; // milliseconds
    int fd;
    while ((fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO &&
           !io_is_ending())
        poll(NULL, 0, PAUSE);
    if (fd >= 0) fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

struct err *out_begin(struct out_file *o, const char *path, mode_t mode,
                      bool (*is_ours)(const char *data, size_t n))
{
    struct stat st;
    const bool there = !stat(path, &st), special = is_stream(path);
    struct err *e = is_trap(path, special, false)
                        ? err_new("%s cannot be written: a link or pipe of another user is on the "
                                  "way, in a folder that all may write to",
                                  path)
                        : NULL;
    *o = (struct out_file){.fd = -1, .path = mem_strdup(path)};
    if (!e && there && !special && is_ours) e = refuse_other(path, is_ours);
    if (!e && special) o->fd = open_stream(path);
    else if (!e && make_temp(o, mode) >= 0 && there && st.st_uid == geteuid())
        fchmod(o->fd, st.st_mode & mode);
    if (!e && o->fd < 0) e = err_new("%s cannot be written: %m", path);
    if (e) {
        free(o->path);
        *o = (struct out_file){.fd = -1};
    }
    return e;
}

struct err *out_end(struct out_file *o, struct err *e)
{
    if (close(o->fd) && !e) e = err_new("%s cannot be written: %m", o->path);
    if (!e && o->temp && rename(o->temp, o->path)) e = err_new("%s cannot be written: %m", o->path);
    if (e && o->temp) unlink(o->temp);
    free(o->temp);
    free(o->path);
    *o = (struct out_file){.fd = -1};
    return e;
}

struct err *out_write(const char *path, mode_t mode, bool (*is_ours)(const char *data, size_t n),
                      const void *data, size_t n)
{
    struct out_file o;
    // Opened and closed for nothing, a pipe would end for its reader.
    if (!n && is_stream(path))
        return access(path, W_OK) ? err_new("%s cannot be written: %m", path) : NULL;
    struct err *e = out_begin(&o, path, mode, is_ours);
    if (e) return e;
    return out_end(&o,
                   io_write_all(o.fd, data, n) ? NULL : err_new("%s cannot be written: %m", path));
}

int out_append(const char *path, mode_t mode)
{
    const bool special = is_stream(path);
    if (is_trap(path, true, !special)) {
        errno = EPERM;
        return -1;
    }
    return special ? open_stream(path)
                   : open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT, mode);
}

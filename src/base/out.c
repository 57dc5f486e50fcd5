// SPDX-License-Identifier: MIT
// Writing files safely: temporary file beside the target (O_EXCL), then rename(2), which replaces a
// link and does not follow it.
//
// Links earlier in the path, and those that are followed because they lead to a device or pipe, are
// judged as Linux does for fs.protected_symlinks, but also where that is off and in folders without
// the sticky bit: in a folder that all may write to, only links of the user are followed, and
// only pipes of the user are written to. Appending is only to files of the user there, with no
// other name: another user could have made the file to read the output.
//
// Invariant: what was judged is what is used, even if others change names meanwhile. So the path is
// walked part by part with O_PATH | O_NOFOLLOW, everything is done relative to the folder in which
// the walk ends, and pipes and files are judged once they are open.
#include "base/out.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { HEAD = 64 << 10, TRIES = 1000, MAX_LINKS = 40 };

/** Where a path leads: an entry of an open folder. */
struct entry {
    int folder;
    char *name;
    struct stat st; // st_mode 0: it does not exist
    bool is_public; // all users can put files into the folder
    bool is_open;   // a link of /proc to an open file, which only the kernel can follow
};

static void entry_deinit(struct entry *e)
{
    if (e->folder >= 0) close(e->folder);
    free(e->name);
    *e = (struct entry){.folder = -1};
}

static bool enter(struct entry *e, int folder)
{
    struct stat st;
    if (folder < 0) return false;
    if (e->folder >= 0) close(e->folder);
    e->folder = folder;
    e->is_public = !fstat(folder, &st) && st.st_mode & S_IWOTH;
    return true;
}

static bool is_in_proc(int folder)
{
    struct statfs fs;
    return !fstatfs(folder, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

struct walk {
    struct entry *e;
    struct str path; // links replaced by their targets
    size_t at;       // where the next part begins
    bool all;        // a link at the end is followed, too
    unsigned links;  // followed so far
};

/** The target takes the place of the path up to here; false: errno says why not. */
static bool follow(struct walk *w, int link)
{
    char target[PATH_MAX];
    const ssize_t n = readlinkat(link, "", target, sizeof target - 1);
    if (n < 0) return false;
    target[n] = 0;
    struct str path = {0};
    str_printf(&path, "%s/%s", target, str_text(&w->path) + w->at);
    str_deinit(&w->path);
    w->path = path;
    w->at = 0;
    return *target != '/' || enter(w->e, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/** Of a link; false: errno says why not (EPERM: it is another user's, in a public folder). */
static bool step_through(struct walk *w, int link, const char *part, bool is_last)
{
    struct entry *e = w->e;
    if (e->st.st_uid != geteuid() && e->is_public) {
        errno = EPERM;
        return false;
    }
    if (is_in_proc(e->folder)) {
        e->is_open = is_last;
        return is_last || enter(e, openat(e->folder, part, O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    if (++w->links <= MAX_LINKS) return follow(w, link);
    errno = ELOOP;
    return false;
}

/** One part of the path: into a folder, or to the end. */
static bool step(struct walk *w, const char *part, bool is_last)
{
    struct entry *e = w->e;
    const int fd = openat(e->folder, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &e->st)) e->st = (struct stat){0};
    if (fd < 0) return is_last && errno == ENOENT;
    const bool is_link = S_ISLNK(e->st.st_mode) && (w->all || !is_last);
    if (!is_link && !is_last) return enter(e, fd);
    const bool ok = !is_link || step_through(w, fd, part, is_last);
    const int why = errno;
    close(fd);
    errno = why;
    return ok;
}

/** all: a link at the end is followed, too. false: errno says why not. */
static bool find(struct entry *e, const char *path, bool all)
{
    struct walk w = {.e = e, .all = all};
    struct str part = {0};
    *e = (struct entry){.folder = -1};
    str_put(&w.path, path);
    bool ok = enter(e, open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (bool is_last = false; ok && !is_last;) {
        const char *text = str_text(&w.path);
        const size_t from = w.at + strspn(text + w.at, "/"), n = strcspn(text + from, "/");
        str_clear(&part);
        if (n) str_put_n(&part, text + from, n);
        else str_put(&part, "."); // the path ends in a folder
        const size_t next = from + n + strspn(text + from + n, "/");
        w.at = next;
        is_last = !text[next];
        ok = step(&w, str_text(&part), is_last);
        if (w.at != next) is_last = false; // a link was followed
    }
    const int why = errno;
    if (ok) e->name = str_take(&part);
    else entry_deinit(e);
    str_deinit(&part);
    str_deinit(&w.path);
    errno = why;
    return ok;
}

/**
 * Pipes, devices, and open descriptors (/dev/stdout, /dev/fd/N), be they of regular files: streams,
 * which are not replaced.
 */
static bool is_stream(const struct entry *e)
{
    return e->is_open || (e->st.st_mode && !S_ISREG(e->st.st_mode)) ||
           (e->st.st_mode && is_in_proc(e->folder));
}

/** Is what was opened another one than expected, or another user's trap? */
static bool is_trap(const struct entry *e, int fd, bool file)
{
    struct stat st;
    if (e->is_open) return false;
    if (fstat(fd, &st) || S_ISREG(st.st_mode) != file) return true;
    if (!e->is_public || (!file && !S_ISFIFO(st.st_mode))) return false;
    return st.st_uid != geteuid() || (file && st.st_nlink > 1);
}

/** Opened without O_NONBLOCK from here on; -1 if it is a trap. */
static int judged(const struct entry *e, int fd, bool file)
{
    if (fd < 0) return fd;
    if (is_trap(e, fd, file)) {
        close(fd);
        errno = EPERM;
        return -1;
    }
    fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

/** errno says why not. */
static bool may_open(const struct entry *e)
{
    const bool is_foreign = S_ISFIFO(e->st.st_mode) && e->is_public && e->st.st_uid != geteuid();
    if (is_foreign) errno = EPERM;
    if (S_ISDIR(e->st.st_mode)) errno = EISDIR;
    return !is_foreign && !S_ISDIR(e->st.st_mode);
}

/** A pipe may have no reader yet: waits for one, until a signal ends the process. */
static int open_stream(const struct entry *e)
{
    enum { PAUSE = 100 }; // milliseconds
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | (e->is_open ? 0 : O_NOFOLLOW);
    int fd = -1;
    if (!may_open(e)) return -1;
    while ((fd = openat(e->folder, e->name, flags)) < 0 && errno == ENXIO &&
           !S_ISSOCK(e->st.st_mode) && !io_is_ending())
        poll(NULL, 0, PAUSE);
    return judged(e, fd, false);
}

static struct err *refuse_other(const struct entry *e, const char *path,
                                bool (*is_ours)(const char *data, size_t n))
{
    char *head = mem_alloc(HEAD);
    const int fd = openat(e->folder, e->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    const ssize_t n = fd < 0 ? -1 : read(fd, head, HEAD);
    if (fd >= 0) close(fd);
    const bool ours = n > 0 && is_ours(head, (size_t)n);
    free(head);
    return ours || !n ? NULL
                      : err_new("%s exists and was not written by cldbg: it is left as it is "
                                "(remove it, or name another file)",
                                path);
}

/** Calls `make` with new names beside the path until it finds one that is free. */
static bool name_temp(struct out_file *o, int (*make)(struct out_file *o, const char *name))
{
    for (int i = 0; i < TRIES && !o->temp; i++) {
        struct str name = {0};
        str_printf(&name, "%s.%ld-%d.tmp", o->name, (long)getpid(), i);
        const int r = make(o, str_text(&name));
        if (r >= 0) o->temp = str_take(&name);
        str_deinit(&name);
        if (r < 0 && errno != EEXIST) break;
    }
    return o->temp;
}

static int link_temp(struct out_file *o, const char *name)
{
    char fd[64];
    snprintf(fd, sizeof fd, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, fd, o->folder, name, AT_SYMLINK_FOLLOW);
}

static int create_temp(struct out_file *o, const char *name)
{
    o->fd = openat(o->folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, o->mode);
    return o->fd;
}

/**
 * A new file in the folder of the path. It gets a name when it is complete, so that a process that
 * is killed leaves none; where that is not possible (no /proc, an old file system), at once.
 */
static int make_temp(struct out_file *o)
{
    o->fd = access("/proc/self/fd", X_OK)
                ? -1
                : openat(o->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, o->mode);
    o->is_unnamed = o->fd >= 0;
    if (o->is_unnamed || errno == ENOSPC || errno == EACCES || errno == EROFS) return o->fd;
    name_temp(o, create_temp);
    return o->fd;
}

static struct err *why_not(const char *path)
{
    return errno == EPERM
               ? err_new("%s cannot be written: a link or pipe of another user is on the way, in a "
                         "folder that all may write to",
                         path)
               : err_new("%s cannot be written: %m", path);
}

static void out_deinit(struct out_file *o)
{
    if (o->folder >= 0) close(o->folder);
    free(o->temp);
    free(o->name);
    free(o->path);
    *o = (struct out_file){.fd = -1, .folder = -1};
}

struct err *out_begin(struct out_file *o, const char *path, mode_t mode,
                      bool (*is_ours)(const char *data, size_t n))
{
    struct entry to, at;
    *o = (struct out_file){.fd = -1, .folder = -1};
    if (!find(&to, path, true)) return why_not(path);
    struct err *e = NULL;
    if (is_stream(&to)) {
        o->fd = open_stream(&to);
        if (o->fd < 0) e = why_not(path);
    } else if (!(to.st.st_mode && is_ours && (e = refuse_other(&to, path, is_ours)))) {
        if (find(&at, path, false)) {
            o->folder = at.folder;
            o->name = at.name;
            o->mode = mode;
        }
        if (o->folder < 0 || make_temp(o) < 0) e = err_new("%s cannot be written: %m", path);
        else if (to.st.st_mode && to.st.st_uid == geteuid()) fchmod(o->fd, to.st.st_mode & mode);
    }
    entry_deinit(&to);
    if (e) out_deinit(o);
    else o->path = mem_strdup(path);
    return e;
}

struct err *out_end(struct out_file *o, struct err *e)
{
    if (!e && o->is_unnamed && !name_temp(o, link_temp))
        e = err_new("%s cannot be written: %m", o->path);
    if (close(o->fd) && !e) e = err_new("%s cannot be written: %m", o->path);
    if (!e && o->temp && renameat(o->folder, o->temp, o->folder, o->name))
        e = err_new("%s cannot be written: %m", o->path);
    if (e && o->temp) unlinkat(o->folder, o->temp, 0);
    out_deinit(o);
    return e;
}

struct err *out_write(const char *path, mode_t mode, bool (*is_ours)(const char *data, size_t n),
                      const void *data, size_t n)
{
    struct out_file o;
    struct entry to;
    // A pipe that is opened and closed again would end for its reader.
    if (!n && find(&to, path, true)) {
        const bool is = is_stream(&to);
        struct err *e = is && (!may_open(&to) || access(path, W_OK)) ? why_not(path) : NULL;
        entry_deinit(&to);
        if (is) return e;
    }
    struct err *e = out_begin(&o, path, mode, is_ours);
    if (e) return e;
    return out_end(&o,
                   io_write_all(o.fd, data, n) ? NULL : err_new("%s cannot be written: %m", path));
}

int out_append(const char *path, mode_t mode)
{
    struct entry to;
    if (!find(&to, path, true)) return -1;
    enum { FLAGS = O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT | O_NOFOLLOW | O_NONBLOCK };
    const int fd = is_stream(&to) ? open_stream(&to)
                                  : judged(&to, openat(to.folder, to.name, FLAGS, mode), true);
    const int why = errno;
    entry_deinit(&to);
    errno = why;
    return fd;
}

/** Others put a new file in its place while this one is waited for: it must still be there. */
static bool is_still(const struct entry *e, int fd)
{
    struct stat own, now;
    return !fstat(fd, &own) && !fstatat(e->folder, e->name, &now, AT_SYMLINK_NOFOLLOW) &&
           own.st_ino == now.st_ino && own.st_dev == now.st_dev;
}

/** Waits until a signal ends the process. */
static bool lock_file(int fd)
{
    enum { PAUSE = 20 }; // milliseconds
    while (flock(fd, LOCK_EX | LOCK_NB)) {
        if (errno != EINTR && errno != EWOULDBLOCK) return false;
        if (io_is_ending()) return false;
        poll(NULL, 0, PAUSE);
    }
    return true;
}

static bool is_link(const char *path)
{
    struct entry e;
    const bool is = find(&e, path, false) && S_ISLNK(e.st.st_mode);
    entry_deinit(&e);
    return is;
}

int out_lock(const char *path, mode_t mode)
{
    enum { FLAGS = O_RDWR | O_CLOEXEC | O_CREAT | O_NOFOLLOW | O_NONBLOCK };
    for (;;) {
        struct entry to;
        if (!find(&to, path, true)) return -1;
        int fd = -1;
        if (is_stream(&to) || (!to.st.st_mode && is_link(path))) errno = ESPIPE;
        else fd = judged(&to, openat(to.folder, to.name, FLAGS, mode), true);
        const bool locked = fd >= 0 && lock_file(fd),
                   done = fd < 0 || (locked && is_still(&to, fd));
        const int why = errno;
        if (fd >= 0 && !(locked && done)) close(fd);
        entry_deinit(&to);
        errno = why;
        if (done) return fd;
        if (!locked) return -1;
    }
}

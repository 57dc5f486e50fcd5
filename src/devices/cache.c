// SPDX-License-Identifier: MIT
// An entry is a file: head (magic, checksum and size of the rest), the number of files it depends
// on and for each its path and a hash of its content, then the answer. It is written under another
// name and renamed, so that a reader sees a complete entry or none. Periodically, the oldest
// entries are removed.
//
// Entries have code that --native runs. So the folder and the entries must belong to the user and
// be writable by no other user, or the cache is not used; and an entry is read only if the size in
// its head is that of the file and below a limit.
#include "config.h"

#include "devices/cache.h"

#include "base/env.h"
#include "base/io.h"
#include "base/map.h"
#include "base/out.h"
#include "base/vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "cldbgC01";
enum { KEEP_BYTES = 256 << 20, MAX_ENTRY = KEEP_BYTES, ENTRY_NAME = 2 * 16 + 1 };

struct head {
    char magic[8];
    uint64_t checksum, size;
};

const char *dev_cache_folder(void)
{
    static const char *kept;
    char path[4096];
    const char *set = env_get("CLDBG_CACHE"), *xdg = env_get("XDG_CACHE_HOME"),
               *home = env_get("HOME");
    int n;
    if (set && !strcmp(set, "off")) return NULL;
    if (set && *set) n = snprintf(path, sizeof path, "%s", set);
    else if (xdg && *xdg == '/') n = snprintf(path, sizeof path, "%s/cldbg", xdg);
    else if (home && *home == '/') n = snprintf(path, sizeof path, "%s/.cache/cldbg", home);
    else return NULL;
    return n > 0 && (size_t)n < sizeof path ? env_keep(&kept, path) : NULL;
}

static void make_folder(const char *path)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            mkdir(part, 0700);
            *p = '/';
        }
    mkdir(part, 0700);
}

static uint64_t hash_file(const char *path)
{
    struct str s = {0};
    uint64_t h = io_read_file(path, &s) ? hash_bytes(s.data, s.len, 5) : 0;
    str_deinit(&s);
    return h;
}

// Identifies a program by name, size and time, because its content is too large to hash each time.
static void put_program(struct str *s, const char *path)
{
    struct stat st = {0};
    if (stat(path, &st)) st.st_size = -1;
    str_printf(s, "%s %lld %lld.%ld\n", path, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
               st.st_mtim.tv_nsec);
}

struct dev_cache_key dev_cache_key(const struct str *request, const char *compiler)
{
    struct str s = {0};
    const char *clang = env_get("CLDBG_CLANG");
    put_program(&s, compiler);
    put_program(&s, clang ? clang : CLDBG_CLANG_PATH);
    // relative -I options depend on the working directory
    char cwd[4096];
    if (getcwd(cwd, sizeof cwd)) str_put(&s, cwd);
    struct dev_cache_key k = {hash_bytes(s.data, s.len, 11), hash_bytes(s.data, s.len, 12)};
    k.a = hash_bytes(request->data, request->len, k.a);
    k.b = hash_bytes(request->data, request->len, k.b ^ 0x9e3779b97f4a7c15ull);
    str_deinit(&s);
    return k;
}

static void entry_name(struct dev_cache_key k, char name[ENTRY_NAME])
{
    snprintf(name, ENTRY_NAME, "%016llx%016llx", (unsigned long long)k.a, (unsigned long long)k.b);
}

static bool is_own(const struct stat *st)
{
    return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/**
 * Opens the folder if its entries can be trusted; -1: not available (reported once if it belongs to
 * another user).
 */
static int open_folder(void)
{
    static bool said;
    struct stat st;
    const char *path = dev_cache_folder();
    const int dir = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (dir < 0 || (!fstat(dir, &st) && is_own(&st))) return dir;
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        fprintf(stderr,
                "cldbg: the cache %s is not used: it belongs to another user, or others may write "
                "to it\n",
                path);
    close(dir);
    return -1;
}

/** Reads a complete entry with a matching header. */
static bool read_entry(const char *name, struct str *s)
{
    const int dir = open_folder(),
              fd = dir < 0 ? -1 : openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat st;
    struct head h;
    bool ok = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && is_own(&st) &&
              st.st_size <= MAX_ENTRY && pread(fd, &h, sizeof h, 0) == sizeof h;
    ok = ok && !memcmp(h.magic, magic, sizeof magic) && h.size == (uint64_t)st.st_size - sizeof h &&
         io_read_all(fd, s) && s->len == sizeof h + h.size &&
         h.checksum == hash_bytes(s->data + sizeof h, h.size, 4);
    if (fd >= 0) close(fd);
    if (dir >= 0) close(dir);
    return ok;
}

// Are the entry's dependencies unchanged? Returns the offset of the answer, or 0.
static size_t still_true(const struct str *s)
{
    size_t at = sizeof(struct head);
    uint64_t n;
    if (s->len < at + 8) return 0;
    memcpy(&n, s->data + at, 8);
    at += 8;
    for (; n; n--) {
        const char *path = s->data + at;
        size_t len = strnlen(path, s->len - at);
        uint64_t hash;
        if (s->len - at < len + 1 + 8) return 0;
        memcpy(&hash, path + len + 1, 8);
        if (hash_file(path) != hash) return 0;
        at += len + 1 + 8;
    }
    return at;
}

bool dev_cache_get(struct dev_cache_key k, struct str *out)
{
    struct str s = {0};
    char name[ENTRY_NAME];
    entry_name(k, name);
    const size_t at = read_entry(name, &s) ? still_true(&s) : 0;
    if (at) str_put_n(out, s.data + at, s.len - at);
    str_deinit(&s);
    return at;
}

/** Is it an entry or a temporary file of the cache? The folder may contain other files, too.
 */
static bool is_cache_file(const char *name)
{
    const size_t n = strspn(name, "0123456789abcdef");
    return n == ENTRY_NAME - 1 && (!name[n] || (name[n] == '.' && str_ends(name, ".tmp")));
}

struct old {
    char name[2 * ENTRY_NAME];
    int64_t when;
    off_t size;
};

static int by_time(const void *a, const void *b)
{
    const struct old *x = a, *y = b;
    return x->when < y->when ? -1 : x->when > y->when;
}

/** Removes the oldest entries beyond KEEP_BYTES, and temporary files of writers that were
 * interrupted. */
static void trim(int folder)
{
    DIR *d = fdopendir(dup(folder));
    if (!d) return;
    VEC(struct old) all = {0};
    off_t total = 0;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (!is_cache_file(e->d_name) || strlen(e->d_name) >= sizeof(((struct old *)0)->name))
            continue;
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
            continue;
        struct old *o = vec_add(&all);
        memcpy(o->name, e->d_name, strlen(e->d_name) + 1);
        o->when = st.st_mtime;
        o->size = st.st_size;
        total += st.st_size;
    }
    if (all.len) qsort(all.data, all.len, sizeof *all.data, by_time);
    for (size_t i = 0; i < all.len && total > KEEP_BYTES; i++) {
        unlinkat(dirfd(d), all.data[i].name, 0);
        total -= all.data[i].size;
    }
    vec_free(&all);
    closedir(d);
}

void dev_cache_put(struct dev_cache_key k, const struct str *message, struct wire_blob depends)
{
    const char *folder = dev_cache_folder();
    if (!folder) return;
    struct str body = {0}, s = {0};
    uint64_t n = 0;
    for (size_t i = 0; i < depends.size; i++) n += !((const char *)depends.data)[i];
    str_put_n(&body, (const char *)&n, 8);
    for (const char *p = depends.data, *end = p + depends.size; p < end; p += strlen(p) + 1) {
        uint64_t h = hash_file(p);
        if (!h) { // changes of an unreadable file cannot be detected
            str_deinit(&body);
            return;
        }
        str_put_n(&body, p, strlen(p) + 1);
        str_put_n(&body, (const char *)&h, 8);
    }
    str_put_n(&body, message->data, message->len);
    struct head h = {.checksum = hash_bytes(body.data, body.len, 4), .size = body.len};
    memcpy(h.magic, magic, sizeof magic);
    str_put_n(&s, (const char *)&h, sizeof h);
    str_put_n(&s, body.data, body.len);
    make_folder(folder);
    const int dir = open_folder();
    if (dir >= 0) {
        struct str path = {0};
        char name[ENTRY_NAME];
        entry_name(k, name);
        str_printf(&path, "%s/%s", folder, name);
        err_free(out_write(str_text(&path), OUT_PRIVATE, NULL, s.data,
                           s.len)); // a failure only makes the next build slower
        str_deinit(&path);
        if (k.a % 64 == 0) trim(dir);
        close(dir);
    }
    str_deinit(&body);
    str_deinit(&s);
}

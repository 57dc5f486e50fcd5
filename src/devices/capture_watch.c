// SPDX-License-Identifier: MIT
// Which pages were written since the last capture, from Linux 6.7 on: asynchronous write protection
// of userfaultfd(2), and PAGEMAP_SCAN (Documentation/admin-guide/mm/pagemap.rst), which returns the
// written pages and protects them again in one step. The first write to a page costs a fault, so
// memory that changes as a whole is left alone for a while.
//
// Invariant: a piece without a written page has its hash. New mappings at an address of old ones
// are not registered, so that the scan fails (PM_SCAN_CHECK_WPASYNC), and all is hashed again.
// Watched ranges never overlap, since the scan of one would hide what the other must see.
#include "devices/capture_watch.h"

#include "base/mem.h"
#include "devices/capture_form.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// From <linux/userfaultfd.h> and <linux/fs.h>, of which Debian 12 has older ones.
struct uffd_api {
    uint64_t api, features, ioctls;
};
struct uffd_register {
    uint64_t start, len, mode, ioctls;
};
struct uffd_range {
    uint64_t start, len;
};
struct scan_region {
    uint64_t start, end, categories;
};
struct scan_arg {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t inverted, mask, anyof_mask, return_mask;
};
#define UFFD_API_CALL        _IOWR(0xaa, 0x3f, struct uffd_api)
#define UFFD_REGISTER_CALL   _IOWR(0xaa, 0x00, struct uffd_register)
#define UFFD_UNREGISTER_CALL _IOR(0xaa, 0x01, struct uffd_range)
#define SCAN_CALL            _IOWR('f', 16, struct scan_arg)
enum {
    UFFD_VERSION = 0xaa,
    UFFD_USER_ONLY = 1,
    UFFD_WP_UNPOPULATED = 1 << 13,
    UFFD_WP_ASYNC = 1 << 15,
    UFFD_MODE_WP = 2,
    SCAN_WP_MATCHING = 1,
    SCAN_CHECK_ASYNC = 2,
    SCAN_WRITTEN = 2,
};

enum { PAGE = 4096, WATCHED = 64, REGIONS = 256, PAUSE = 64 };
struct watched {
    uint64_t at, size, last_use;
    struct hash_wide *hashes; // NULL: it is not watched
    unsigned pause;           // calls until it is watched again
};
static struct {
    pthread_mutex_t lock;
    pid_t pid;
    int uffd, pagemap; // -1: not available
    uint64_t uses;
    struct watched list[WATCHED];
    uint8_t *stale; // by piece
    uint64_t room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .uffd = -1, .pagemap = -1};

/** The pages that are completely inside; those at the ends have other data, too. */
static struct uffd_range inside(const struct watched *w)
{
    const uint64_t from = (w->at + PAGE - 1) & ~(uint64_t)(PAGE - 1),
                   to = (w->at + w->size) & ~(uint64_t)(PAGE - 1);
    return (struct uffd_range){from, to - from};
}

static void drop(struct watched *w)
{
    struct uffd_range r = inside(w);
    if (w->hashes) ioctl(all.uffd, UFFD_UNREGISTER_CALL, &r);
    free(w->hashes);
    *w = (struct watched){0};
}

/** Once in each process: a child has neither the registrations nor the descriptors of its parent.
 */
static void open_kernel(void)
{
    if (all.pid == getpid()) return;
    for (unsigned i = 0; i < WATCHED; i++) free(all.list[i].hashes);
    memset(all.list, 0, sizeof all.list);
    if (all.uffd >= 0) close(all.uffd);
    if (all.pagemap >= 0) close(all.pagemap);
    all.pid = getpid();
    all.uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_ONLY);
    all.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    struct uffd_api api = {.api = UFFD_VERSION, .features = UFFD_WP_UNPOPULATED | UFFD_WP_ASYNC};
    struct scan_arg arg = {.size = sizeof arg};
    const bool ok = sysconf(_SC_PAGESIZE) == PAGE && all.uffd >= 0 && all.pagemap >= 0 &&
                    !ioctl(all.uffd, UFFD_API_CALL, &api) && !ioctl(all.pagemap, SCAN_CALL, &arg);
    if (ok) return;
    if (all.uffd >= 0) close(all.uffd);
    all.uffd = -1;
}

static struct watched *find(uint64_t at, uint64_t size)
{
    struct watched *oldest = &all.list[0], *found = NULL;
    for (struct watched *w = all.list; w < all.list + WATCHED; w++) {
        if (w->at == at && w->size == size) found = w;
        else if (w->at < at + size && at < w->at + w->size) drop(w);
        if (w->last_use < oldest->last_use) oldest = w;
    }
    if (!found) {
        found = oldest;
        drop(found);
        found->at = at;
        found->size = size;
    }
    found->last_use = ++all.uses;
    return found;
}

static void mark(const struct watched *w, uint64_t from, uint64_t to)
{
    if (from >= to) return;
    const uint64_t first = (from - w->at) / PACK_PIECE, last = (to - 1 - w->at) / PACK_PIECE;
    memset(all.stale + first, 1, last - first + 1);
}

/** Marks the pieces that may have been written, and protects their pages. False: it failed. */
static bool scan(const struct watched *w)
{
    const struct uffd_range r = inside(w);
    struct scan_region list[REGIONS];
    struct scan_arg a = {.size = sizeof a,
                         .flags = SCAN_WP_MATCHING | SCAN_CHECK_ASYNC,
                         .start = r.start,
                         .end = r.start + r.len,
                         .vec = (uint64_t)(uintptr_t)list,
                         .vec_len = REGIONS,
                         .mask = SCAN_WRITTEN,
                         .return_mask = SCAN_WRITTEN};
    mark(w, w->at, r.start);
    mark(w, r.start + r.len, w->at + w->size);
    while (a.start < a.end) {
        const int n = ioctl(all.pagemap, SCAN_CALL, &a);
        if (n < 0 || a.walk_end <= a.start) return false;
        for (int i = 0; i < n; i++) mark(w, list[i].start, list[i].end);
        a.start = a.walk_end;
    }
    return true;
}

/** Everything counts as written. */
static bool begin(struct watched *w, uint64_t pieces)
{
    const struct uffd_range r = inside(w);
    struct uffd_register reg = {.start = r.start, .len = r.len, .mode = UFFD_MODE_WP};
    free(w->hashes);
    w->hashes = NULL;
    if (ioctl(all.uffd, UFFD_REGISTER_CALL, &reg)) return false;
    w->hashes = mem_array(NULL, pieces, sizeof *w->hashes);
    if (!scan(w)) return false;
    memset(all.stale, 1, pieces);
    return true;
}

/** Computes the hashes of the marked pieces, and counts them. */
static uint64_t hash_stale(struct watched *w, uint64_t pieces)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < pieces; i++) {
        const uint64_t at = i * PACK_PIECE, left = w->size - at;
        if (!all.stale[i]) continue;
        w->hashes[i] = hash_memory_wide((const char *)(uintptr_t)w->at + at,
                                        left < PACK_PIECE ? left : PACK_PIECE);
        n++;
    }
    return n;
}

/** Brings the hashes up to date. False: the memory is not watched now. */
static bool watch(struct watched *w, uint64_t pieces)
{
    if (w->pause && --w->pause) return false;
    memset(all.stale, 0, pieces);
    const bool is_new = !w->hashes || !scan(w);
    if (is_new && !begin(w, pieces)) {
        drop(w);
        return false;
    }
    if (hash_stale(w, pieces) <= pieces / 4 || is_new) return true;
    const struct watched old = *w; // too much changes
    drop(w);
    *w = (struct watched){.at = old.at, .size = old.size, .last_use = old.last_use, .pause = PAUSE};
    return false;
}

struct hash_wide *capture_watch(const void *data, uint64_t size)
{
    enum { SMALL = 128 << 10 }; // hashed as fast
    if (size < SMALL) return NULL;
    const uint64_t pieces = (size + PACK_PIECE - 1) / PACK_PIECE;
    struct hash_wide *copy = NULL;
    pthread_mutex_lock(&all.lock);
    open_kernel();
    if (all.uffd >= 0 && all.room < pieces) {
        all.room = pieces;
        all.stale = mem_array(all.stale, pieces, 1);
    }
    struct watched *const w = all.uffd >= 0 ? find((uint64_t)(uintptr_t)data, size) : NULL;
    if (w && watch(w, pieces)) copy = mem_dup(w->hashes, pieces * sizeof *w->hashes);
    pthread_mutex_unlock(&all.lock);
    return copy;
}

// SPDX-License-Identifier: MIT
// Writes many launches to one file (struct pack_head). A new file costs 0.5 ms on an ext4 disk, as
// much as a short launch; two writes to an open file cost 4 µs.
//
// Compression takes longer than most short launches, so it gets a third of the time at most; while
// there is no time, new pieces are stored uncompressed.
//
// Pieces of content that were written before are only referred to. Invariant: every place in the
// maps is before `end`, and everything before `end` is in the file. Nothing after `end` counts, so
// that a failed write is forgotten.
#include "devices/capture_pack.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/serialize.h"
#include "devices/capture_form.h"
#include "devices/capture_repeats.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

enum {
    LEVEL = 1,             // a fast one, because the launch waits
    FLUSH = 1 << 20,       // bytes that are gathered
    MOST_PIECES = 1 << 20, // that are remembered: some 50 MB
};

struct known_piece {
    uint64_t hash, at;
};
static struct {
    int fd; // -1: there is no file yet
    char *path;
    uint64_t end;
    uint64_t block; // of the index: the last one, which has `used` entries
    unsigned used;
    struct map pieces; // hash → index of known
    VEC(struct known_piece) known;
    struct map launches; // key → place
    struct map names;    // hash of a name → 1
    struct str out;      // what follows `end`
    ZSTD_CCtx *z;
    bool compresses; // there is time
    char *packed;    // room for a piece
    size_t room;
} pack = {.fd = -1};

static bool is_pack(const char *data, size_t n)
{
    return n >= strlen(PACK_MAGIC) && !memcmp(data, PACK_MAGIC, strlen(PACK_MAGIC));
}

static void forget_content(void)
{
    map_clear(&pack.pieces);
    vec_clear(&pack.known);
    map_clear(&pack.launches);
}

void capture_pack_forget(void)
{
    if (pack.fd >= 0) close(pack.fd);
    free(pack.path);
    pack.path = NULL;
    pack.fd = -1;
    forget_content();
    map_clear(&pack.names);
}

static struct err *failed(void) { return err_new("%s cannot be written: %m", pack.path); }

/** With an empty index. The name leads to the file that was written, or to nothing that is used. */
static struct err *create(const char *path)
{
    enum { EMPTY = sizeof(struct pack_head) + sizeof(struct pack_block) };
    struct stat st;
    char *const empty = mem_alloc(EMPTY);
    memcpy(empty, &(struct pack_head){.magic = PACK_MAGIC, .version = PACK_VERSION},
           sizeof(struct pack_head));
    struct err *const e = out_write(path, OUT_PRIVATE, is_pack, empty, EMPTY);
    free(empty);
    if (e) return e;
    capture_pack_forget();
    pack.path = mem_strdup(path);
    pack.fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (pack.fd < 0 || fstat(pack.fd, &st)) return failed();
    if (!S_ISREG(st.st_mode) || st.st_size != EMPTY || st.st_uid != geteuid() || st.st_nlink != 1)
        return err_new("%s cannot be written: it was replaced", path);
    pack.end = EMPTY;
    pack.block = sizeof(struct pack_head);
    pack.used = 0;
    if (!pack.z) pack.z = ZSTD_createCCtx();
    pack.room = ZSTD_compressBound(PACK_PIECE);
    if (!pack.packed) pack.packed = mem_alloc(pack.room + PACK_PIECE);
    return NULL;
}

static struct err *write_at(const void *data, size_t n, uint64_t at)
{
    return io_write_at(pack.fd, data, n, at) ? NULL : failed();
}

static struct err *flush(void)
{
    struct err *const e = write_at(str_text(&pack.out), pack.out.len, pack.end);
    if (!e) pack.end += pack.out.len;
    str_clear(&pack.out);
    return e;
}

/** Appends a piece. Its memory may change meanwhile: the copy is what is hashed and stored. */
static struct hash_wide put_piece(const struct capture_piece *p)
{
    enum { SHORT = 2048 }; // not worth compressing
    char *const copy = pack.packed + pack.room;
    memcpy(copy, p->data, p->size);
    const struct hash_wide h = hash_memory_wide(copy, p->size);
    const size_t n = p->size >= SHORT && pack.compresses
                         ? ZSTD_compressCCtx(pack.z, pack.packed, pack.room, copy, p->size, LEVEL)
                         : p->size;
    const bool is_packed = !ZSTD_isError(n) && n < p->size;
    const struct pack_piece head = {
        (uint32_t)(is_packed ? n : p->size), (uint32_t)p->size, {h.h[0], h.h[1]}};
    ser_put(&pack.out, &head, sizeof head);
    ser_put(&pack.out, is_packed ? pack.packed : copy, head.stored);
    return h;
}

/** Where the piece is, or will be after the next flush. */
static uint64_t place_of(const struct capture_piece *p)
{
    const uint64_t *const known = map_get(&pack.pieces, p->hash.h[0]);
    if (known && pack.known.data[*known].hash == p->hash.h[1]) return pack.known.data[*known].at;
    const uint64_t at = pack.end + pack.out.len;
    const struct hash_wide h = put_piece(p);
    if (pack.known.len >= MOST_PIECES) forget_content();
    bool is_new;
    uint64_t *const index = map_put(&pack.pieces, h.h[0], &is_new);
    if (is_new) {
        *index = pack.known.len;
        vec_push(&pack.known, ((struct known_piece){h.h[1], at}));
    }
    return at;
}

/** Appends what is not in the file yet, and the list of pieces. */
static struct err *put_launch(const struct capture_description *d, uint64_t size, uint64_t *at)
{
    struct str places = {0};
    struct err *e = NULL;
    for (size_t i = 0; i < d->pieces.len && !e; i++) {
        ser_put_u64(&places, place_of(&d->pieces.data[i]));
        if (pack.out.len >= FLUSH) e = flush();
    }
    struct str launch = {0};
    ser_put(&launch, (uint64_t[]){d->key, size, d->pieces.len}, 3 * sizeof(uint64_t));
    ser_put(&launch, str_text(&places), places.len);
    *at = pack.end + pack.out.len;
    ser_put_u64(&pack.out, hash_memory(launch.data, launch.len, 0));
    ser_put(&pack.out, launch.data, launch.len);
    str_deinit(&launch);
    str_deinit(&places);
    return e;
}

/** Room for one more entry: another block where the last one is full. */
static struct err *extend_index(void)
{
    if (pack.used < PACK_ENTRIES) return NULL;
    const uint64_t at = (pack.end + 31) / 32 * 32, end = at + sizeof(struct pack_block);
    if (!io_set_size(pack.fd, end)) return failed();
    struct err *const e = write_at(&at, sizeof at, pack.block);
    if (e) return e;
    pack.block = at;
    pack.used = 0;
    pack.end = end;
    return NULL;
}

static struct err *put_entry(const struct pack_entry *entry)
{
    const uint64_t entries = pack.block + offsetof(struct pack_block, entries);
    struct err *const e = write_at(entry, sizeof *entry, entries + pack.used * sizeof *entry);
    if (!e) pack.used++;
    return e;
}

/** The launch's name; `file`: where it is, if not in the pack. */
static void put_name(const struct str *name, const char *file)
{
    const struct pack_name head = {(uint32_t)name->len, file ? (uint32_t)strlen(file) : 0};
    ser_put(&pack.out, &head, sizeof head);
    ser_put(&pack.out, str_text(name), name->len);
    if (file) ser_put(&pack.out, file, head.file_length);
}

static struct err *add(const struct str *name, const char *path,
                       const struct capture_description *d)
{
    struct pack_entry entry = {.name_hash = hash_bytes(str_text(name), name->len, 0)};
    for (size_t i = 0; i < d->pieces.len; i++) entry.size += d->pieces.data[i].size;
    const uint64_t *const equal = map_get(&pack.launches, d->key);
    char *const file = equal ? NULL : capture_equal_file(d->key, path);
    struct err *e = NULL;
    if (equal) entry.launch_at = *equal;
    else if (!file) e = put_launch(d, entry.size, &entry.launch_at);
    if (!e) {
        entry.name_at = pack.end + pack.out.len;
        put_name(name, file);
        e = flush();
    }
    if (!e) e = put_entry(&entry);
    if (!e) map_put(&pack.names, entry.name_hash, NULL);
    if (!e && !file) *map_put(&pack.launches, d->key, NULL) = entry.launch_at;
    free(file);
    return e;
}

/** The name under which a path is stored. */
static void name_of(const char *path, struct str *out)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    str_put_n(out, name, n - (str_ends(name, FILE_SUFFIX) ? strlen(FILE_SUFFIX) : 0));
}

struct err *capture_pack_add(const char *to, const char *path, const struct capture_description *d)
{
    struct err *e = pack.fd < 0 || strcmp(pack.path, to) ? create(to) : NULL;
    if (e) capture_pack_forget();
    if (!e) e = extend_index();
    if (e) return e;
    struct str name = {0};
    name_of(path, &name);
    const uint64_t end = pack.end;
    e = add(&name, path, d);
    if (e) { // as if nothing had been written
        str_clear(&pack.out);
        forget_content();
        pack.end = end;
    }
    str_deinit(&name);
    return e;
}

bool capture_pack_has(const char *path)
{
    struct str name = {0};
    name_of(path, &name);
    const bool has = map_get(&pack.names, hash_bytes(str_text(&name), name.len, 0));
    str_deinit(&name);
    return has;
}

static struct {
    pthread_mutex_t lock;
    pid_t pid;
    uint64_t launches, bytes; // of this process
    uint64_t end;             // ns: when the last launch was stored
    uint64_t spent, others;   // ns: in packs, and in all else since the first launch
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

/**
 * Does the launch go to the pack? The first ones do not, so that a small app leaves files that can
 * be named, sent and removed.
 */
static bool count_launch(const struct capture_description *d)
{
    enum { FILES = 20, BYTES = 4 << 20 };
    if (store.pid != getpid()) {
        store.pid = getpid();
        store.launches = store.bytes = 0;
        capture_pack_forget();
    }
    const bool to_pack = store.launches >= FILES || store.bytes > BYTES;
    store.launches++;
    for (size_t i = 0; i < d->blobs.len; i++) store.bytes += d->blobs.data[i].size;
    return to_pack;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct err *add_in_time(const char *to, const char *path,
                               const struct capture_description *d)
{
    const uint64_t begin = now();
    if (store.end) store.others += begin - store.end;
    pack.compresses = store.spent < store.others / 2;
    struct err *const e = capture_pack_add(to, path, d);
    store.end = now();
    store.spent += store.end - begin;
    return e;
}

struct err *dev_capture_store(const char *path, const char *to, const struct dev_capture *c)
{
    struct capture_description d;
    struct err *e = NULL;
    if (!capture_describe(c, &d)) e = capture_no_text(path);
    pthread_mutex_lock(&store.lock);
    const bool to_pack = count_launch(&d);
    if (!e && to_pack) e = add_in_time(to, path, &d);
    pthread_mutex_unlock(&store.lock);
    if (!e && !to_pack) e = capture_write_file(path, &d);
    capture_description_deinit(&d);
    return e;
}

bool dev_capture_is_stored(const char *path)
{
    if (!access(path, F_OK)) return true;
    pthread_mutex_lock(&store.lock);
    const bool is = store.pid == getpid() && capture_pack_has(path);
    pthread_mutex_unlock(&store.lock);
    return is;
}

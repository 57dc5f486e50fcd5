// SPDX-License-Identifier: MIT
// Reads launches in packs. The file is untrusted, and may be growing.
#include "devices/capture_pack.h"

#include "base/mem.h"
#include "base/str.h"
#include "devices/capture_form.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

struct pack {
    const uint8_t *map;
    uint64_t size;
};

/** Copies a part of the file; false: it is not inside. */
static bool get(const struct pack *p, uint64_t at, void *to, uint64_t n)
{
    if (at > p->size || n > p->size - at) return false;
    memcpy(to, p->map + at, n);
    return true;
}

static struct err *pack_open(const char *path, struct pack *p)
{
    *p = (struct pack){0};
    struct stat st;
    struct pack_head h;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st)) {
        struct err *const e = err_new("%s: %m", path);
        if (fd >= 0) close(fd);
        return e;
    }
    const bool is_file = S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof h;
    void *const map = is_file ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                              : MAP_FAILED;
    close(fd);
    if (map != MAP_FAILED) *p = (struct pack){map, (uint64_t)st.st_size};
    if (!get(p, 0, &h, sizeof h) || memcmp(h.magic, PACK_MAGIC, sizeof h.magic))
        return err_new("%s: it is not a file of captured launches", path);
    if (h.version == PACK_VERSION) return NULL;
    return err_new("%s: its format is version %u; this cldbg reads version %d", path, h.version,
                   PACK_VERSION);
}

static void pack_close(struct pack *p)
{
    if (p->map) munmap((void *)p->map, p->size);
    *p = (struct pack){0};
}

/** A place in the index. */
struct cursor {
    uint64_t block; // 0: not begun
    unsigned entry;
};

/** False: there are no more entries. Blocks follow each other in the file. */
static bool next_entry(const struct pack *p, struct cursor *c, struct pack_entry *e)
{
    if (!c->block) c->block = sizeof(struct pack_head);
    if (c->entry == PACK_ENTRIES) {
        uint64_t next;
        if (!get(p, c->block, &next, sizeof next) || next <= c->block) return false;
        *c = (struct cursor){next, 0};
    }
    const uint64_t at = c->block + offsetof(struct pack_block, entries) +
                        c->entry * sizeof(struct pack_entry);
    if (at < c->block || !get(p, at, e, sizeof *e) || !e->name_at) return false;
    c->entry++;
    return true;
}

/** The name of an entry, and of the file that it mentions. False: it is damaged. */
static bool get_name(const struct pack *p, const struct pack_entry *e, struct str *name,
                     struct str *file)
{
    struct pack_name n;
    str_clear(name);
    str_clear(file);
    if (!get(p, e->name_at, &n, sizeof n)) return false;
    const uint64_t at = e->name_at + sizeof n, length = n.length, all = length + n.file_length;
    if (!n.length || n.length > NAME_MAX || n.file_length > NAME_MAX || all > p->size - at)
        return false;
    str_put_n(name, (const char *)p->map + at, n.length);
    if (n.file_length) str_put_n(file, (const char *)p->map + at + length, n.file_length);
    return hash_bytes(str_text(name), name->len, 0) == e->name_hash &&
           !memchr(name->data, 0, name->len) && !strchr(str_text(name), '/') &&
           !strchr(str_text(file), '/') && !e->launch_at == !!n.file_length;
}

static bool get_launch(const struct pack *p, uint64_t at, struct pack_launch *l)
{
    if (!get(p, at, l, sizeof *l)) return false;
    const uint64_t places = at + sizeof *l, hashed = at + sizeof l->hash;
    if (l->npieces > (p->size - places) / sizeof(uint64_t)) return false;
    const uint64_t n = sizeof *l - sizeof l->hash + l->npieces * sizeof(uint64_t);
    return hash_memory(p->map + hashed, n, 0) == l->hash;
}

static void put_folder(struct str *out, const char *path)
{
    const char *const slash = strrchr(path, '/');
    if (slash) str_put_n(out, path, (size_t)(slash - path) + 1);
}

/** Takes over the pack if the name is in it. */
static bool find_in(struct pack *p, const char *path, const struct str *name,
                    struct capture_place *out)
{
    struct cursor c = {0};
    struct pack_entry e;
    struct str found = {0}, file = {0};
    bool is = false;
    const uint64_t hash = hash_bytes(str_text(name), name->len, 0);
    while (!is && next_entry(p, &c, &e))
        is = e.name_hash == hash && get_name(p, &e, &found, &file) &&
             !strcmp(str_text(&found), str_text(name));
    struct pack_launch l = {0};
    if (is && !file.len) get_launch(p, e.launch_at, &l); // if it is damaged, capture_load says so
    if (is) *out = (struct capture_place){p->map, p->size, e.launch_at, e.size, l.key, NULL};
    if (is && file.len) {
        struct str whole = {0};
        put_folder(&whole, path);
        str_put(&whole, str_text(&file));
        out->file = str_take(&whole);
    }
    if (is) *p = (struct pack){0};
    str_deinit(&found);
    str_deinit(&file);
    return is;
}

bool capture_find(const char *path, struct capture_place *at)
{
    struct stat st;
    *at = (struct capture_place){0};
    if (!str_ends(path, FILE_SUFFIX) || !stat(path, &st) || errno != ENOENT) return false;
    struct str folder = {0}, name = {0}, file = {0};
    put_folder(&folder, path);
    str_put_n(&name, path + folder.len, strlen(path) - folder.len - strlen(FILE_SUFFIX));
    DIR *const d = opendir(folder.len ? str_text(&folder) : ".");
    bool found = false;
    for (const struct dirent *e; d && !found && (e = readdir(d));) {
        if (!str_ends(e->d_name, PACK_SUFFIX)) continue;
        struct pack p;
        str_clear(&file);
        str_printf(&file, "%s%s", str_text(&folder), e->d_name);
        struct err *const bad = pack_open(str_text(&file), &p);
        found = !bad && find_in(&p, path, &name, at);
        err_free(bad);
        pack_close(&p);
    }
    if (d) closedir(d);
    str_deinit(&folder);
    str_deinit(&name);
    str_deinit(&file);
    return found;
}

void capture_place_deinit(struct capture_place *at)
{
    if (at->map) munmap((void *)at->map, at->map_size);
    free(at->file);
    *at = (struct capture_place){0};
}

/** Appends a piece to the data, which has room for `room` bytes. */
static bool load_piece(const struct pack *p, uint64_t at, uint8_t *to, uint64_t room,
                       uint64_t *size)
{
    struct pack_piece head;
    if (!get(p, at, &head, sizeof head)) return false;
    const uint64_t from = at + sizeof head;
    if (head.stored > p->size - from || head.size > PACK_PIECE || head.size > room) return false;
    const bool is_raw = head.stored == head.size;
    if (is_raw) memcpy(to, p->map + from, head.size);
    else if (ZSTD_decompress(to, head.size, p->map + from, head.stored) != head.size) return false;
    const struct hash_wide h = hash_memory_wide(to, head.size);
    *size = head.size;
    return !memcmp(h.h, head.hash, sizeof h.h);
}

struct err *capture_load(const struct capture_place *at, uint8_t **data, uint64_t *size)
{
    const struct pack p = {at->map, at->map_size};
    struct pack_launch l;
    if (!get_launch(&p, at->launch_at, &l) || l.size < sizeof(uint64_t) ||
        (l.size - 1) / PACK_PIECE >= l.npieces) // before memory for it is allocated
        return err_new("it is damaged");
    struct err *const e = capture_room(l.size, data);
    if (e) return e;
    uint64_t filled = 0;
    for (uint64_t i = 0; i < l.npieces; i++) {
        uint64_t place, n;
        if (!get(&p, at->launch_at + sizeof l + i * sizeof place, &place, sizeof place) ||
            !load_piece(&p, place, *data + filled, l.size - filled, &n))
            return err_new("it is damaged");
        filled += n;
    }
    if (filled != l.size) return err_new("it is damaged: it ends early");
    (*data)[filled] = 0;
    *size = filled;
    return NULL;
}

bool dev_capture_is_pack(const char *path)
{
    struct stat st;
    struct pack p;
    if (!str_ends(path, PACK_SUFFIX) || stat(path, &st) || !S_ISREG(st.st_mode)) return false;
    struct err *const e = pack_open(path, &p);
    const bool is = p.map && !memcmp(p.map, PACK_MAGIC, strlen(PACK_MAGIC));
    err_free(e);
    pack_close(&p);
    return is;
}

struct err *dev_capture_each(const char *path,
                             void (*visit)(void *ctx, const struct dev_capture_item *item),
                             void *ctx)
{
    struct pack p;
    struct err *e = pack_open(path, &p);
    struct cursor c = {0};
    struct pack_entry entry;
    struct str name = {0}, file = {0}, whole = {0};
    while (!e && next_entry(&p, &c, &entry)) {
        struct pack_launch l = {0};
        if (!get_name(&p, &entry, &name, &file)) {
            e = err_new("%s: it is damaged, so launches are missing", path);
            break;
        }
        if (!file.len) get_launch(&p, entry.launch_at, &l);
        str_clear(&whole);
        put_folder(&whole, path);
        str_printf(&whole, "%s%s", str_text(&name), FILE_SUFFIX);
        visit(ctx, &(struct dev_capture_item){str_text(&whole), entry.size, l.key, file.len});
    }
    str_deinit(&name);
    str_deinit(&file);
    str_deinit(&whole);
    pack_close(&p);
    return e;
}

bool dev_capture_item(const char *path, struct dev_capture_item *item)
{
    struct capture_place at;
    if (!capture_find(path, &at)) return false;
    *item = (struct dev_capture_item){path, at.size, at.key, at.file};
    capture_place_deinit(&at);
    return true;
}

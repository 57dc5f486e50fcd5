// SPDX-License-Identifier: MIT
// The target `pack` of readers.c: a folder with the input as its only file of launches.
#include "fuzz/packs.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "devices/capture.h"
#include "devices/capture_form.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { MOST_NAMES = 8 }; // of which the launches are read

struct file {
    uint8_t *data;
    uint64_t size;
};

static void *at(const struct file *f, uint64_t from, uint64_t n)
{
    return from > f->size || n > f->size - from ? NULL : f->data + from;
}

static void fix_piece(const struct file *f, uint64_t place)
{
    struct pack_piece head;
    uint8_t *const own = at(f, place, sizeof head);
    if (!own) return;
    memcpy(&head, own, sizeof head);
    const uint8_t *const raw = at(f, place + sizeof head, head.stored);
    if (!raw || head.size > PACK_PIECE || head.stored > PACK_PIECE) return;
    uint8_t room[PACK_PIECE];
    if (head.stored == head.size) memcpy(room, raw, head.size);
    else if (ZSTD_decompress(room, sizeof room, raw, head.stored) != head.size) return;
    const struct hash_wide h = hash_memory_wide(room, head.size);
    memcpy(own + offsetof(struct pack_piece, hash), h.h, sizeof h.h);
}

static void fix_launch(const struct file *f, uint64_t place)
{
    struct pack_launch l;
    uint8_t *const own = at(f, place, sizeof l);
    if (!own) return;
    memcpy(&l, own, sizeof l);
    const uint64_t room = (f->size - place - sizeof l) / sizeof(uint64_t);
    if (l.npieces > room) return;
    for (uint64_t i = 0; i < l.npieces; i++) {
        uint64_t piece;
        memcpy(&piece, own + sizeof l + i * sizeof piece, sizeof piece);
        fix_piece(f, piece);
    }
    l.hash = hash_memory(own + sizeof l.hash,
                         sizeof l - sizeof l.hash + l.npieces * sizeof(uint64_t), 0);
    memcpy(own, &l.hash, sizeof l.hash);
}

static void fix_entry(const struct file *f, uint8_t *own, const struct pack_entry *e)
{
    struct pack_name n;
    if (e->launch_at >= sizeof(struct pack_head)) fix_launch(f, e->launch_at);
    const uint8_t *const name = at(f, e->name_at, sizeof n);
    if (!name) return;
    memcpy(&n, name, sizeof n);
    if (!at(f, e->name_at + sizeof n, n.length)) return;
    const uint64_t hash = hash_bytes(name + sizeof n, n.length, 0);
    memcpy(own + offsetof(struct pack_entry, name_hash), &hash, sizeof hash);
}

/** Sets the checksums of what the index refers to. */
static void fix(const struct file *f)
{
    uint64_t block = sizeof(struct pack_head), next = block;
    for (unsigned i = 0; i < 2 * PACK_ENTRIES; i++) {
        const unsigned entry = i % PACK_ENTRIES;
        struct pack_entry e;
        if (i && !entry) {
            const uint8_t *const link = at(f, block, sizeof next);
            if (link) memcpy(&next, link, sizeof next);
            if (next <= block) return;
            block = next;
        }
        uint8_t *const own =
            at(f, block, offsetof(struct pack_block, entries) + (entry + 1) * sizeof e);
        if (!own) return;
        uint8_t *const here = own + offsetof(struct pack_block, entries) + entry * sizeof e;
        memcpy(&e, here, sizeof e);
        if (!e.name_at) return;
        fix_entry(f, here, &e);
    }
}

struct names {
    char *path[MOST_NAMES];
    unsigned n;
};

static void keep(void *ctx, const struct dev_capture_item *item)
{
    struct names *const names = ctx;
    if (names->n < MOST_NAMES) names->path[names->n++] = mem_strdup(item->path);
}

static char folder[64], path[96];
static void leave(void)
{
    unlink(path);
    rmdir(folder);
}

static void write_file(const struct file *f)
{
    if (!*folder) {
        strcpy(folder, "/tmp/cldbg-fuzz-XXXXXX");
        if (!mkdtemp(folder)) abort();
        snprintf(path, sizeof path, "%s/a%s", folder, PACK_SUFFIX);
        atexit(leave);
    }
    FILE *const to = fopen(path, "w");
    if (!to || fwrite(f->data, 1, f->size, to) != f->size || fclose(to)) abort();
}

bool fuzz_pack(const uint8_t *data, size_t size)
{
    struct file f = {mem_alloc(size + 1), size};
    struct names names = {0};
    bool read = false;
    memcpy(f.data, data, size);
    if (size < 17 || !(data[16] & 1)) fix(&f);
    write_file(&f);
    dev_capture_is_pack(path);
    err_free(dev_capture_each(path, keep, &names));
    for (unsigned i = 0; i < names.n; i++) {
        struct dev_capture_item item;
        struct dev_capture c;
        dev_capture_item(names.path[i], &item);
        struct err *const e = dev_capture_read(names.path[i], &c);
        read |= !e;
        err_free(e);
        dev_capture_deinit(&c);
        free(names.path[i]);
    }
    free(f.data);
    return read;
}

// SPDX-License-Identifier: MIT
// Memory of a shadow: planes of stamps, made without touching them (the system gives pages as cells are
// used), refined to smaller cells when an access asks for it.
#include "race/shadow.h"

#include <pthread.h>
#include <sys/mman.h>

enum { MAPPED_FROM = 1 << 17, POOLED = 256 }; // below, the allocator is faster than the system
static const size_t most_pooled = 512 << 20; // of addresses: the pages that were used are fewer
#define NO_STAMPS (UINT64_MAX - 1) // the limit of a block that holds values

/**
 * Blocks of ended launches, kept with the stamps in them: all of those are below `limit`, and the next
 * launch counts on from `pool.limit`, so that they mean nothing to it and need no clearing. (Fresh pages
 * cost more than all checks of a kernel that touches each element once.)
 */
static struct {
    pthread_mutex_t lock; // guards all of it; no other lock is taken inside
    struct block {
        void *p;
        size_t size;
        uint64_t limit;
    } blocks[POOLED]; // in the order in which they came
    unsigned n;
    size_t size;
    uint64_t limit;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct block take_block(unsigned i)
{
    const struct block b = pool.blocks[i];
    pool.size -= b.size;
    memmove(&pool.blocks[i], &pool.blocks[i + 1], (--pool.n - i) * sizeof b);
    return b;
}

static void *get_zeroed(size_t size) // NULL when refused
{
    if (size < MAPPED_FROM) return mem_try_alloc(size, 64);
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void put_back(void *p, size_t size)
{
    if (!p) return;
    if (size < MAPPED_FROM)
        free(p);
    else
        munmap(p, size);
}

/** The oldest makes room. */
static void drop_block(void)
{
    const struct block b = take_block(0);
    munmap(b.p, b.size);
}

uint64_t shadow_first_epoch(unsigned epoch_shift)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.limit >> 63) { // half of all epochs are used up: begin anew
        while (pool.n) drop_block();
        pool.limit = 0;
    }
    uint64_t epoch = pool.limit >> epoch_shift;
    pthread_mutex_unlock(&pool.lock);
    return epoch;
}

/**
 * A block with nothing but zeroes and stamps below `past` in it, or for values (UINT64_MAX) one that held such:
 * a block that went from stamps to values would be lost for stamps. *size becomes what it really has.
 */
static void *get_block(size_t *size, uint64_t past)
{
    void *p = NULL;
    if (*size < MAPPED_FROM) return get_zeroed(*size);
    pthread_mutex_lock(&pool.lock);
    for (unsigned i = pool.n; i-- && !p;) {
        const struct block *b = &pool.blocks[i];
        if ((past == UINT64_MAX) != (b->limit == NO_STAMPS) || b->limit > past || b->size < *size || b->size / 2 > *size) continue;
        *size = b->size;
        p = take_block(i).p;
    }
    pthread_mutex_unlock(&pool.lock);
    return p ? p : get_zeroed(*size);
}

static void put_block(void *p, size_t size, uint64_t limit)
{
    if (p && size >= MAPPED_FROM && size <= most_pooled && limit != UINT64_MAX) {
        pthread_mutex_lock(&pool.lock);
        while (pool.n == POOLED || pool.size + size > most_pooled) drop_block();
        pool.blocks[pool.n++] = (struct block){p, size, limit};
        pool.size += size;
        if (pool.limit < limit && limit != NO_STAMPS) pool.limit = limit;
        p = NULL;
        pthread_mutex_unlock(&pool.lock);
    }
    put_back(p, size);
}

static uint64_t chunks(const struct race_shadow *s) { return (s->cells + CHUNK - 1) >> CHUNK_SHIFT; }
enum { SLACK = 16 }; // cells behind the last one that loops may read and write back
static size_t plane_bytes(const struct race_shadow *s) { return (s->cells + SLACK) << (s->wide ? 3 : 2); }

static bool get_plane(struct race_shadow *s, enum race_plane p)
{
    s->plane_size[p] = plane_bytes(s);
    s->plane[p] = s->touched ? get_block(&s->plane_size[p], s->past) : get_zeroed(s->plane_size[p]);
    return s->plane[p] != NULL;
}

bool shadow_init(struct race_shadow *s, const struct race_root *r, bool wide, bool is_global, uint64_t past)
{
    *s = (struct race_shadow){.bytes = r->size, .granule_shift = r->granule_shift, .wide = wide, .object = r->object,
                              .origin = r->origin};
    s->cells = (s->bytes + 7) / 8 * 8 >> s->granule_shift; // every granule divides what is there
    s->past = past;
    s->values_size = (s->cells + SLACK) << s->granule_shift;
    if (is_global) {
        s->touched = get_zeroed(chunks(s));
        s->sums = get_zeroed(chunks(s) * sizeof *s->sums);
        s->values = get_block(&s->values_size, UINT64_MAX);
    } else {
        s->values = get_zeroed(s->values_size);
    }
    if (s->values && get_plane(s, P_W) && (!is_global || (s->touched && s->sums))) return true;
    shadow_deinit(s, UINT64_MAX);
    s->refused = true;
    return false;
}

bool shadow_rows(struct race_shadow *s, unsigned ks)
{
    if (s->no_rows) return false;
    s->rows_size = ((s->cells >> ROW_SHIFT) + 2) * sizeof *s->rows;
    s->rows = get_block(&s->rows_size, s->past);
    s->no_rows = !s->rows;
    s->rows_ks = (uint8_t)ks;
    for (uint64_t c = 0; s->rows && c < chunks(s); c++)
        for (uint64_t r = 0; s->touched[c] && r < CHUNK >> ROW_SHIFT; r++) {
            const uint64_t row = (c << CHUNK_SHIFT >> ROW_SHIFT) + r;
            if (row <= s->cells >> ROW_SHIFT) s->rows[row] = s->past;
        }
    return s->rows != NULL;
}

void shadow_row_to_cells(struct race_shadow *s, uint64_t row)
{
    const uint64_t x = s->rows[row];
    s->rows[row] = s->past;
    for (uint64_t i = 0; x > s->past && i < ROW; i++) shadow_set(s, P_W, (row << ROW_SHIFT) + i, x + (i >> s->rows_ks));
}

void shadow_drop_rows(struct race_shadow *s)
{
    for (uint64_t r = 0; s->rows && r < s->cells >> ROW_SHIFT; r++)
        if (s->touched[r << ROW_SHIFT >> CHUNK_SHIFT]) shadow_row_to_cells(s, r);
    put_block(s->rows, s->rows_size, UINT64_MAX);
    s->rows = NULL;
    s->no_rows = true;
}

static void deinit_sums(struct race_shadow *s)
{
    if (s->sums) put_back(s->sums, chunks(s) * sizeof *s->sums);
    put_back(s->flags, s->flags ? s->cells + SLACK : 0);
    arena_deinit(&s->sums_arena);
}

struct race_sums *shadow_sums(struct race_shadow *s, uint64_t cell)
{
    struct race_sums **sums = &s->sums[cell >> CHUNK_SHIFT];
    if (!s->flags && !(s->flags = get_zeroed(s->cells + SLACK))) return NULL;
    if (!*sums) *sums = arena_new(&s->sums_arena, struct race_sums);
    return *sums;
}

void shadow_deinit(struct race_shadow *s, uint64_t limit)
{
    if (!s->bytes) return;
    if (!s->touched) limit = UINT64_MAX;
    deinit_sums(s);
    put_block(s->rows, s->rows_size, limit);
    put_back(s->touched, s->touched ? chunks(s) : 0);
    for (int p = 0; p < P_COUNT; p++) put_block(s->plane[p], s->plane_size[p], limit);
    put_block(s->values, s->values_size, limit == UINT64_MAX ? limit : NO_STAMPS);
    *s = (struct race_shadow){0};
}

bool shadow_need(struct race_shadow *s, enum race_plane first, enum race_plane last)
{
    for (int p = first; p <= last; p++)
        if (!s->plane[p] && !get_plane(s, p)) return false;
    return true;
}

/** Copies a cell to the 2^by cells that take its place. A value is cut, all else holds for every part. */
static void split(struct race_shadow *s, const struct race_shadow *old, uint64_t cell, unsigned by)
{
    for (int p = 0; p < P_COUNT; p++) {
        uint64_t x = old->plane[p] ? shadow_get(old, p, cell) : 0;
        for (uint64_t i = 0; x && i < 1u << by; i++) shadow_set(s, p, (cell << by) + i, x);
    }
}

static bool split_sums(struct race_shadow *s, const struct race_shadow *old, uint64_t chunk, unsigned by)
{
    const unsigned size = 1u << s->granule_shift;
    const struct race_sums *from = old->sums[chunk];
    for (uint64_t k = 0; k < CHUNK << by; k++) {
        const uint64_t cell = (chunk << CHUNK_SHIFT << by) + k, at = cell & (CHUNK - 1);
        if (cell >= s->cells) break;
        struct race_sums *to = shadow_sums(s, cell);
        if (!to) return false;
        for (int c = 0; c < CLASSES; c++) {
            if (!from->two[c]) continue;
            if (!to->two[c]) to->two[c] = arena_array(&s->sums_arena, uint64_t, 2 * CHUNK);
            memcpy(&to->two[c][2 * at], &from->two[c][2 * (k >> by)], 2 * sizeof(uint64_t));
        }
        s->flags[cell] = old->flags[cell >> by];
        if (!from->value) continue;
        if (!to->value) to->value = arena_array(&s->sums_arena, uint64_t, CHUNK);
        memcpy(&to->value[at], (const char *)&from->value[k >> by] + (k & ((1u << by) - 1)) * size, size);
    }
    return true;
}

bool shadow_refine(struct race_shadow *s, unsigned granule_shift)
{
    unsigned by = s->granule_shift - granule_shift;
    if (s->touched) shadow_drop_rows(s);
    struct race_shadow old = *s;
    struct race_root r = {.size = old.bytes, .granule_shift = granule_shift, .object = old.object,
                          .origin = old.origin};
    if (!shadow_init(s, &r, old.wide, old.touched != NULL, old.past) ||
        (old.plane[P_R1] && !shadow_need(s, P_R1, P_R2)) || (old.plane[P_AW1] && !shadow_need(s, P_AW1, P_AL2))) {
        shadow_deinit(s, UINT64_MAX);
        *s = old;
        return false;
    }
    s->serial = old.serial;
    s->left = old.left;
    s->no_rows = old.no_rows;
    memcpy(s->newest, old.newest, sizeof s->newest);
    for (uint64_t chunk = 0; chunk < chunks(&old); chunk++) {
        if (old.touched && !old.touched[chunk]) continue;
        uint64_t first = chunk << CHUNK_SHIFT, end = first + CHUNK < old.cells ? first + CHUNK : old.cells;
        for (uint64_t cell = first; cell < end; cell++) split(s, &old, cell, by);
        uint64_t at = first << old.granule_shift;
        memcpy(s->values + at, old.values + at, (end << old.granule_shift) - at);
        if (!old.touched) continue;
        for (uint64_t c = first << by >> CHUNK_SHIFT; c <= ((end << by) - 1) >> CHUNK_SHIFT; c++)
            s->touched[c] = 1;
        if (!old.sums[chunk] || split_sums(s, &old, chunk, by)) continue;
        shadow_deinit(s, UINT64_MAX);
        *s = old;
        return false;
    }
    shadow_deinit(&old, UINT64_MAX); // its stamps are not worth keeping
    return true;
}

uint64_t shadow_rebased(uint64_t x, const struct race_space *sp, const struct stamp_form *f)
{
    uint64_t epoch = x < sp->live ? 0 : x < sp->fence ? 1 : x < sp->current ? 2 : 3;
    return epoch ? (x & ((1ull << f->epoch_shift) - 1)) | epoch << f->epoch_shift : 0;
}

void shadow_rebase(struct race_shadow *s, const struct race_space *sp, const struct stamp_form *f)
{
    for (int p = 0; p < P_COUNT; p++) s->newest[p] = shadow_rebased(s->newest[p], sp, f);
    for (uint64_t chunk = 0; s->bytes && chunk < chunks(s); chunk++) {
        // Cells that were not touched go as well: they may have stamps of earlier launches.
        uint64_t first = chunk << CHUNK_SHIFT, end = first + CHUNK < s->cells ? first + CHUNK : s->cells;
        for (int p = 0; p < P_COUNT; p++)
            for (uint64_t cell = first; s->plane[p] && cell < end; cell++)
                shadow_set(s, p, cell, shadow_rebased(shadow_get(s, p, cell), sp, f));
    }
}

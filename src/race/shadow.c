// SPDX-License-Identifier: MIT
// Memory of a shadow: planes of stamps, made without touching them (the system gives pages as cells
// are used), refined to smaller cells when an access asks for it. Blocks go from launch to launch.
#include "race/shadow.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPPED_FROM = 1 << 17, POOLED = 256 }; // smaller blocks are faster from the allocator
enum { ANYTHING = 0 };                        // a block's limit: contents do not matter
enum { MERGED_FROM = 1 << 22 };               // bytes of R2; for less the page faults cost more

enum content {
    ZEROES,
    A_LITTLE,
    ANY
}; // contents of a block. A_LITTLE: few stamps, at unknown locations

/**
 * Blocks of ended launches. (Fresh pages cost more than all checks of a kernel that touches each
 * element once.) Blocks are reused without clearing; a shadow clears each chunk when it first uses
 * it. States need no clearing either: those of ended launches are below `limit`, and the next
 * launch continues from pool.limit, so it ignores them.
 */
static struct {
    pthread_mutex_t lock; // guards all of it; no other lock is taken inside
    struct block {
        void *p;
        size_t size;
        uint32_t limit; // of states
        unsigned tag;   // what for
        enum content content;
    } blocks[POOLED]; // in the order in which they came
    unsigned n;
    size_t size;
    uint32_t limit;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .limit = GENERATION};

/**
 * The most address space that the pool may hold: a third of the machine's memory; fewer pages are
 * in use. If it held less than the shadows of one launch (two per worker: see take_of_another in
 * worker.c), each launch would need fresh pages.
 */
static size_t most_pooled(void)
{
    static size_t known; // 0: not computed yet; guarded by the pool's lock
    const size_t least = 512ull << 20;
    if (known) return known;
    const size_t part = (size_t)sysconf(_SC_PHYS_PAGES) / 3 * (size_t)sysconf(_SC_PAGESIZE);
    return known = part < least ? least : part;
}

static struct block take_block(unsigned i)
{
    const struct block b = pool.blocks[i];
    pool.size -= b.size;
    memmove(&pool.blocks[i], &pool.blocks[i + 1], (--pool.n - i) * sizeof b);
    return b;
}

static void *get_zeroed(size_t size) // NULL when refused
{
    return size < MAPPED_FROM ? mem_try_alloc(size, 64) : mem_reserve(size);
}

static void put_back(void *p, size_t size)
{
    if (!p) return;
    if (size < MAPPED_FROM) free(p);
    else munmap(p, size);
}

/** Frees the oldest block. */
static void drop_block(void)
{
    const struct block b = take_block(0);
    munmap(b.p, b.size);
}

uint32_t shadow_first_state(void)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.limit >> 31) { // half of all states are used up: restart
        while (pool.n) drop_block();
        pool.limit = GENERATION;
    }
    const uint32_t first = pool.limit;
    pthread_mutex_unlock(&pool.lock);
    return first;
}

/**
 * The use of a block. A worker usually has the same part of a launch's memory each time, so pages
 * of its earlier blocks are the ones that it needs.
 */
enum use { STATES, ROWS, VALUES, FLAGS, OTHERS, PLANES, USES = PLANES + P_COUNT };
static unsigned tag_of(const struct race_shadow *s, unsigned use) { return s->worker * USES + use; }

/**
 * The offset of a block's memory (cache coloring): the stamps of a cell in different planes must
 * not fall into the same cache sets. (R2 is page-aligned, because its pages are returned to the
 * system.)
 */
static size_t skipped(size_t size, unsigned tag)
{
    enum { APART = 5 * 64 };
    return size < MAPPED_FROM || tag % USES == PLANES + P_R2 ? 0 : tag % USES * APART;
}

/**
 * Takes a block that holds only zeros and states below `first`; ANYTHING: one that held no states.
 * Prefers one with the tag. *size becomes the real size; *dirty: it is not zeroed.
 */
static void *get_block(size_t *size, uint32_t first, unsigned tag, enum content *content)
{
    unsigned at = POOLED;
    const size_t skip = skipped(*size, tag);
    char *p = NULL;
    *content = ZEROES;
    if (*size < MAPPED_FROM) return get_zeroed(*size);
    *size += skip;
    pthread_mutex_lock(&pool.lock);
    for (unsigned i = pool.n; i-- && (at == POOLED || pool.blocks[at].tag != tag);) {
        const struct block *b = &pool.blocks[i];
        if ((first == ANYTHING) != (b->limit == ANYTHING) || b->limit > first || b->size < *size ||
            b->size / 2 > *size)
            continue;
        if (at == POOLED || b->tag == tag) at = i;
    }
    if (at < POOLED) {
        *size = pool.blocks[at].size;
        *content = pool.blocks[at].content;
        p = take_block(at).p;
    }
    pthread_mutex_unlock(&pool.lock);
    if (!p) p = get_zeroed(*size);
    *size -= skip;
    return p ? p + skip : NULL;
}

static void put_block(void *at, size_t size, uint32_t limit, unsigned tag, enum content content)
{
    if (!at) return;
    const size_t skip = skipped(size, tag);
    char *p = (char *)at - skip;
    size += skip;
    if (size >= MAPPED_FROM && limit != UINT32_MAX) {
        pthread_mutex_lock(&pool.lock);
        const size_t most = most_pooled();
        while (size <= most && (pool.n == POOLED || pool.size + size > most)) drop_block();
        if (size <= most) {
            pool.blocks[pool.n++] = (struct block){p, size, limit, tag, content};
            pool.size += size;
            if (pool.limit < limit) pool.limit = limit;
            p = NULL;
        }
        pthread_mutex_unlock(&pool.lock);
    }
    put_back(p, size);
}

void *shadow_take(size_t *size)
{
    enum content content;
    return get_block(size, ANYTHING, OTHERS, &content);
}
void shadow_give(void *p, size_t size) { put_block(p, size, ANYTHING, OTHERS, ANY); }

static uint64_t chunks(const struct race_shadow *s)
{
    return (s->cells + CHUNK - 1) >> CHUNK_SHIFT;
}
enum { SLACK = 16 }; // cells past the end that loops may read and write back
static size_t plane_bytes(const struct race_shadow *s)
{
    return (s->cells + SLACK) << (s->wide ? 3 : 2);
}

/** The cells of a chunk, including those past the end that loops may read. */
static uint64_t cells_in(const struct race_shadow *s, uint64_t chunk)
{
    const uint64_t left = s->cells + SLACK - (chunk << CHUNK_SHIFT);
    return left < CHUNK ? left : CHUNK;
}

static void clear_plane(struct race_shadow *s, int p, uint64_t chunk)
{
    const unsigned shift = s->wide ? 3 : 2;
    uint32_t *const words = (uint32_t *)((char *)s->plane[p] + (chunk << CHUNK_SHIFT << shift)),
                    any = p != P_R2 || s->keeps_seconds;
    const uint64_t bytes = cells_in(s, chunk) << shift;
    for (uint64_t i = 0; !any && i < bytes / 4; i++) any = words[i];
    if (any) memset(words, 0, bytes); // does not allocate unused pages of R2
}

static bool get_plane(struct race_shadow *s, enum race_plane p)
{
    enum content content = ZEROES;
    s->plane_size[p] = plane_bytes(s);
    s->plane[p] = s->first ? get_block(&s->plane_size[p], ANYTHING, tag_of(s, PLANES + p), &content)
                           : get_zeroed(s->plane_size[p]);
    s->dirty[p] = content != ZEROES;
    if (p == P_R2) s->keeps_seconds = !s->state || plane_bytes(s) < MERGED_FROM;
    if (p == P_R2 && content == ANY && !s->keeps_seconds)
        s->dirty[p] = madvise(s->plane[p], s->plane_size[p], MADV_DONTNEED) != 0;
    for (uint64_t c = 0; s->plane[p] && s->dirty[p] && c < chunks(s); c++)
        if (shadow_is_touched(s, c)) clear_plane(s, p, c);
    return s->plane[p] != NULL;
}

/** Second readers are so sparse that clearing their range would touch far more than they occupy. */
static bool seconds_are_thin(const struct race_shadow *s)
{
    return s->seconds_to - s->seconds_from > 8 * s->seconds;
}

/**
 * Clears R2 if that is cheap. If R2 has only a few stamps, they are found when chunks are touched
 * next: after a release, all pages would have to be faulted in again, even those that are only
 * read.
 */
static enum content zero_seconds(struct race_shadow *s)
{
    const unsigned shift = s->wide ? 3 : 2;
    if (s->keeps_seconds) return ANY;
    if (s->seconds && seconds_are_thin(s)) return A_LITTLE;
    if (s->dirty[P_R2]) return s->seconds ? ANY : A_LITTLE;
    if (s->seconds)
        memset((char *)s->plane[P_R2] + (s->seconds_from << shift), 0,
               (s->seconds_to - s->seconds_from) << shift);
    return ZEROES;
}

#define MERGE(T)                                                                                   \
    static void merge_##T(T *r1, const T *r2, uint64_t n, T who)                                   \
    {                                                                                              \
        T any = 0;                                                                                 \
        for (uint64_t i = 0; i < n; i++) any |= r2[i];                                             \
        for (uint64_t i = 0; any && i < n; i++)                                                    \
            r1[i] = ((r2[i] != 0) & ((r2[i] & who) < (r1[i] & who))) ? r2[i] : r1[i];              \
    }
MERGE(uint32_t)
MERGE(uint64_t)

void shadow_merge_seconds(struct race_shadow *s, const struct stamp_form *f)
{
    enum { PAGE = 1 << 12 };
    const unsigned shift = s->wide ? 3 : 2;
    const uint64_t end = s->cells << shift, who = (1ull << f->epoch_shift) - 1;
    if (s->keeps_seconds) return;
    s->keeps_seconds = seconds_are_thin(s) || s->dirty[P_R2];
    if (s->keeps_seconds) return;
    const uint64_t first = s->seconds_from << shift & ~(uint64_t)(PAGE - 1),
                   last = ((s->seconds_to << shift) + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    for (uint64_t at = first; at < last && at < end; at += PAGE) {
        char *const r1 = (char *)s->plane[P_R1] + at, *const r2 = (char *)s->plane[P_R2] + at;
        const uint64_t n = (end - at < PAGE ? end - at : PAGE) >> shift;
        if (s->wide) merge_uint64_t((uint64_t *)r1, (const uint64_t *)r2, n, who);
        else merge_uint32_t((uint32_t *)r1, (const uint32_t *)r2, n, (uint32_t)who);
    }
    s->keeps_seconds = madvise((char *)s->plane[P_R2] + first, last - first, MADV_DONTNEED) != 0;
    s->seconds = 0;
}

bool shadow_init(struct race_shadow *s, const struct race_root *r, const struct shadow_kind *kind)
{
    enum content content;
    *s = (struct race_shadow){.bytes = r->size,
                              .granularity_shift = r->granularity_shift,
                              .object = r->object,
                              .origin = r->origin,
                              .worker = kind->worker};
    s->cells = (s->bytes + 7) / 8 * 8 >>
               s->granularity_shift; // every granularity is a divisor of the present one
    s->wide = kind->wide || s->cells > INT32_MAX;
    s->first = kind->first;
    s->values_size = (s->cells + SLACK) << s->granularity_shift;
    if (kind->is_global) {
        s->state_size = chunks(s) * sizeof *s->state;
        s->state = get_block(&s->state_size, kind->first, tag_of(s, STATES), &content);
        s->values = get_block(&s->values_size, ANYTHING, tag_of(s, VALUES), &content);
    } else {
        s->values = get_zeroed(s->values_size);
    }
    compression_init(s, kind->compress_always);
    if (s->values && (!kind->is_global || s->state) && get_plane(s, P_W)) return true;
    shadow_deinit(s, UINT32_MAX);
    s->refused = true;
    return false;
}

bool shadow_rows(struct race_shadow *s, uint32_t step, unsigned ks)
{
    enum content content;
    const size_t size = (chunks(s) * CHUNK_ROWS + (step > 1 ? step : 0)) * 2 * sizeof *s->rows;
    if (s->no_rows || s->wide || (s->rows && s->rows_size < size)) return false;
    if (!s->rows) {
        s->rows_size = size;
        s->rows = get_block(&s->rows_size, ANYTHING, tag_of(s, ROWS), &content);
    }
    s->no_rows = !s->rows;
    s->rows_step = step;
    s->rows_ks = (uint8_t)ks;
    return s->rows != NULL;
}

void shadow_row_stamps(const struct race_shadow *s, uint64_t chunk, uint64_t n,
                       uint32_t writers[CHUNK], uint32_t readers[CHUNK])
{
    const uint32_t step = s->rows_step;
    const uint64_t first = chunk << CHUNK_SHIFT;
    if (step == 1) {
        const uint32_t *const w = s->rows + chunk * 2 * CHUNK_ROWS, *const r = w + CHUNK_ROWS;
        for (unsigned i = 0; i < n; i++) {
            const uint32_t k = i % ROW >> s->rows_ks, x = w[i >> ROW_SHIFT], y = r[i >> ROW_SHIFT];
            writers[i] = x ? x + k : 0;
            readers[i] = y ? y + k : 0;
        }
        return;
    }
    for (uint64_t i = 0, item = first / step, column = first % step; i < n; i++) {
        const uint32_t *const at = s->rows + 2 * ((item >> ROW_SHIFT) * step + column),
                              k = item % ROW;
        writers[i] = at[0] ? at[0] + k : 0;
        readers[i] = at[1] ? at[1] + k : 0;
        if (++column == step) item++, column = 0;
    }
}

/**
 * Clears the rows with cells in the chunk. A row is used in all of its chunks or in none, so no
 * relevant stamp is lost.
 */
static void clear_rows(struct race_shadow *s, uint64_t chunk)
{
    const uint64_t step = s->rows_step, first = chunk << CHUNK_SHIFT,
                   end = first + CHUNK < s->cells ? first + CHUNK : s->cells;
    if (step == 1) {
        memset(s->rows + chunk * 2 * CHUNK_ROWS, 0, 2 * CHUNK_ROWS * sizeof *s->rows);
        return;
    }
    for (uint64_t cell = first, n; cell < end; cell += n) {
        const uint64_t block = cell / (ROW * step), left = (block + 1) * ROW * step - cell;
        n = left < end - cell ? left : end - cell;
        if (n >= step) {
            memset(s->rows + 2 * block * step, 0, step * 2 * sizeof *s->rows);
            continue;
        }
        const uint64_t column = cell % step;
        if (n > step - column) n = step - column;
        memset(s->rows + shadow_row_at(s, cell), 0, n * 2 * sizeof *s->rows);
    }
}

void shadow_clear(struct race_shadow *s, uint64_t chunk)
{
    for (int p = 0; p < P_COUNT; p++)
        if (s->plane[p]) clear_plane(s, p, chunk);
}

void shadow_touch(struct race_shadow *s, uint64_t chunk, uint32_t state)
{
    s->state[chunk] = state;
    if (!(state & 1)) {
        clear_rows(s, chunk);
        s->began_rows++;
    } else {
        shadow_opened(s, chunk);
    }
    for (int p = 0; state & 1 && p < P_COUNT; p++)
        if (s->dirty[p]) clear_plane(s, p, chunk);
    if (state & 1 && s->flags) memset(s->flags + (chunk << CHUNK_SHIFT), 0, cells_in(s, chunk));
}

void shadow_to_cells(struct race_shadow *s, uint64_t chunk)
{
    if (s->state[chunk] & 1) return; // (the shadow may have no rows)
    const uint64_t first = chunk << CHUNK_SHIFT,
                   n = s->cells - first < CHUNK ? s->cells - first : CHUNK;
    uint32_t writers[CHUNK], readers[CHUNK];
    shadow_row_stamps(s, chunk, n, writers, readers);
    shadow_touch(s, chunk, s->state[chunk] | 1);
    s->left_rows++;
    for (uint64_t i = 0; i < n; i++) {
        if (writers[i]) shadow_set(s, P_W, first + i, writers[i]);
        if (readers[i]) shadow_set(s, P_R1, first + i, readers[i]);
    }
}

static void deinit_summaries(struct race_shadow *s)
{
    if (s->summaries) put_back(s->summaries, chunks(s) * sizeof *s->summaries);
    put_block(s->flags, s->flags_size, ANYTHING, tag_of(s, FLAGS), ANY);
    arena_deinit(&s->summaries_arena);
}

/** Allocates both arrays or none. */
static bool make_summaries(struct race_shadow *s)
{
    enum content content;
    s->summaries = get_zeroed(chunks(s) * sizeof *s->summaries);
    if (!s->summaries) return false;
    s->flags_size = s->cells + SLACK;
    s->flags = get_block(&s->flags_size, ANYTHING, tag_of(s, FLAGS), &content);
    for (uint64_t c = 0; s->flags && content != ZEROES && c < chunks(s); c++)
        if (shadow_is_touched(s, c)) memset(s->flags + (c << CHUNK_SHIFT), 0, cells_in(s, c));
    if (s->flags) return true;
    put_back(s->summaries, chunks(s) * sizeof *s->summaries);
    s->summaries = NULL;
    return false;
}

struct race_summaries *shadow_summaries(struct race_shadow *s, uint64_t cell)
{
    if (!s->summaries && !make_summaries(s)) return NULL;
    struct race_summaries **summaries = &s->summaries[cell >> CHUNK_SHIFT];
    if (!*summaries) *summaries = arena_new(&s->summaries_arena, struct race_summaries);
    return *summaries;
}

static size_t pair_bytes(const struct race_shadow *s) { return s->wide_keys ? 16 : 8; }

struct race_summaries *shadow_summaries_with(struct race_shadow *s, uint64_t cell,
                                             enum race_class c)
{
    struct race_summaries *summaries = shadow_summaries(s, cell);
    if (!summaries || summaries->two[c]) return summaries;
    const size_t pairs = CHUNK * pair_bytes(s);
    char *const at =
        arena_alloc(&s->summaries_arena, pairs + (c == C_W ? CHUNK << s->granularity_shift : 0));
    summaries->two[c] = at;
    if (c == C_W) summaries->value = (uint8_t *)at + pairs;
    s->left |= (uint8_t)(1 << c);
    return summaries;
}

/** Returns a block to the pool; blocks of local memory are freed. */
static void give_back(const struct race_shadow *s, void *p, size_t size, unsigned use,
                      enum content content)
{
    if (s->first) put_block(p, size, ANYTHING, tag_of(s, use), content);
    else put_back(p, size);
}

void shadow_deinit(struct race_shadow *s, uint32_t limit)
{
    if (!s->bytes) return;
    free(s->memo);
    deinit_summaries(s);
    compression_deinit(s);
    const enum content seconds = s->first && s->plane[P_R2] ? zero_seconds(s) : ANY;
    give_back(s, s->rows, s->rows_size, ROWS, ANY);
    put_block(s->state, s->state_size, limit, tag_of(s, STATES), ANY);
    for (unsigned p = 0; p < P_COUNT; p++)
        give_back(s, s->plane[p], s->plane_size[p], PLANES + p, p == P_R2 ? seconds : ANY);
    give_back(s, s->values, s->values_size, VALUES, ANY);
    *s = (struct race_shadow){0};
}

bool shadow_need(struct race_shadow *s, enum race_plane first, enum race_plane last)
{
    for (int p = first; p <= last; p++)
        if (!s->plane[p] && !get_plane(s, p)) return false;
    return true;
}

/**
 * Copies a cell to the 2^by cells that replace it: splits the value, and copies everything else to
 * every part.
 */
static void split(struct race_shadow *s, const struct race_shadow *old, uint64_t cell, unsigned by)
{
    for (int p = 0; p < P_COUNT; p++) {
        uint64_t x = old->plane[p] ? shadow_get(old, p, cell) : 0;
        for (uint64_t i = 0; x && i < 1u << by; i++) shadow_set(s, p, (cell << by) + i, x);
        if (x && p == P_R2) shadow_seconds(s, cell << by, ((cell + 1) << by) - 1, 1u << by);
    }
}

static bool split_summaries(struct race_shadow *s, const struct race_shadow *old, uint64_t chunk,
                            unsigned by)
{
    const size_t size = 1u << s->granularity_shift, pair = pair_bytes(s);
    const struct race_summaries *from = shadow_summaries_of(old, chunk);
    for (uint64_t k = 0; k < CHUNK << by; k++) {
        const uint64_t cell = (chunk << CHUNK_SHIFT << by) + k, at = cell & (CHUNK - 1);
        if (cell >= s->cells) break;
        struct race_summaries *to = shadow_summaries(s, cell);
        if (!to) return false;
        for (int c = 0; c < CLASSES; c++) {
            if (!from->two[c]) continue;
            shadow_summaries_with(s, cell, c);
            memcpy((char *)to->two[c] + at * pair, (const char *)from->two[c] + (k >> by) * pair,
                   pair);
        }
        s->flags[cell] = old->flags[cell >> by];
        if (from->value) memcpy(to->value + at * size, from->value + k * size, size);
    }
    return true;
}

static bool split_chunk(struct race_shadow *s, struct race_shadow *old, uint64_t chunk, unsigned by)
{
    const uint64_t first = chunk << CHUNK_SHIFT,
                   end = first + CHUNK < old->cells ? first + CHUNK : old->cells;
    const uint64_t at = first << old->granularity_shift;
    if (old->state) {
        shadow_to_cells(old, chunk);
        for (uint64_t c = first << by >> CHUNK_SHIFT; c <= ((end << by) - 1) >> CHUNK_SHIFT; c++)
            shadow_touch(s, c, old->state[chunk]);
    }
    for (uint64_t cell = first; cell < end; cell++) split(s, old, cell, by);
    memcpy(s->values + at, old->values + at, (end << old->granularity_shift) - at);
    return !old->state || !shadow_summaries_of(old, chunk) || split_summaries(s, old, chunk, by);
}

bool shadow_refine(struct race_shadow *s, unsigned granularity_shift)
{
    unsigned by = s->granularity_shift - granularity_shift;
    struct race_shadow old = *s;
    struct race_root r = {.size = old.bytes,
                          .granularity_shift = granularity_shift,
                          .object = old.object,
                          .origin = old.origin};
    bool good = shadow_init(s, &r,
                            &(struct shadow_kind){.wide = old.wide,
                                                  .is_global = old.state != NULL,
                                                  .compress_always = old.compress_least == 1,
                                                  .first = old.first,
                                                  .worker = old.worker});
    good = good && (!old.plane[P_R1] || shadow_need(s, P_R1, P_R2)) &&
           (!old.plane[P_AW1] || shadow_need(s, P_AW1, P_AL2));
    if (good) {
        s->serial = old.serial;
        s->left = old.left;
        s->wide_keys = old.wide_keys;
        s->no_rows = old.no_rows;
        memcpy(s->newest, old.newest, sizeof s->newest);
    }
    for (uint64_t chunk = 0; good && chunk < chunks(&old); chunk++)
        if (!old.state || shadow_is_touched(&old, chunk)) good = split_chunk(s, &old, chunk, by);
    if (!good) {
        shadow_deinit(s, UINT32_MAX);
        *s = old;
        return false;
    }
    shadow_deinit(&old, UINT32_MAX); // its states are not reused
    return true;
}

uint64_t shadow_rebased(uint64_t x, const struct race_space *sp, const struct stamp_form *f)
{
    uint64_t epoch = x < sp->live ? 0 : x < sp->passed ? 1 : x < sp->current ? 2 : 3;
    return epoch ? (x & ((1ull << f->epoch_shift) - 1)) | epoch << f->epoch_shift : 0;
}

void shadow_rebase(struct race_shadow *s, uint64_t cell, uint64_t n, const struct race_space *sp,
                   const struct stamp_form *f)
{
    for (int p = 0; p < P_COUNT; p++)
        for (uint64_t c = cell; s->plane[p] && c < cell + n; c++)
            shadow_set(s, p, c, shadow_rebased(shadow_get(s, p, c), sp, f));
}

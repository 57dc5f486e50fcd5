// SPDX-License-Identifier: MIT
#ifndef RACE_SHADOW_H
#define RACE_SHADOW_H
#include "base/arena.h"
#include "base/bits.h"
#include "base/map.h"
#include "base/vec.h"
#include "race/clocks.h"
#include "race/race.h"

/**
 * Private to src/race: stamps, planes and the worker's state. The theory is at the top of race.c.
 */

// values of cells, wherever they are
typedef uint16_t __attribute__((aligned(1), may_alias)) uint16_u;
typedef uint32_t __attribute__((aligned(1), may_alias)) uint32_u;
typedef uint64_t __attribute__((aligned(1), may_alias)) uint64_u;

enum race_plane {
    P_W,
    P_R1,
    P_R2,
    P_AW1,
    P_AW2,
    P_AL1,
    P_AL2,
    P_COUNT
}; // A: atomic; W writer, L loader
enum { PATTERNS_MET = 8 };
enum {
    CHUNK_SHIFT = 6,
    CHUNK = 1 << CHUNK_SHIFT
}; // cells that one state and one summary stand for
enum { ROW_SHIFT = 3, ROW = 1 << ROW_SHIFT }; // cells
enum { CHUNK_ROWS = CHUNK / ROW };

/**
 * How a launch packs a stamp, from the top: epoch | site | MG | MA | SV | item.
 *   SV: other work-items stored the same value unordered with this writer; struct race_same_value
 * knows them. MG, MA: the writes since the last fence, or since the group began, stored different
 * values.
 */
struct stamp_form {
    unsigned site_shift, epoch_shift;
    uint64_t item_mask, sv, ma, mg;
    uint64_t same_item; // item_mask | sv: equal under it means the same work-item and no other
};

/**
 * One access in a group summary: group + 1 | site | item in one number, so that the smallest number
 * is that of the smallest group; 0: no access.
 */
enum race_class { C_W, C_R, C_AW, C_AL, CLASSES };
static inline enum race_class race_class_of(int plane)
{
    return plane == P_W ? C_W : plane <= P_R2 ? C_R : plane <= P_AW2 ? C_AW : C_AL;
}

/** How far up the group stands there. */
static inline unsigned group_shift(const struct stamp_form *f) { return f->epoch_shift - 3; }

/**
 * What all groups of a worker that left a cell did to it: of each class, the two least accesses of
 * different groups. Groups come in ascending order, so once there are two, others change nothing:
 * the class is full. Writers are when they stored different values; with two of the same it is
 * SUMMARY_SAME_VALUE, until one stores another.
 */
enum {
    SUMMARY_HAS_VALUE = 1 << CLASSES,
    SUMMARY_MIXED = 2 << CLASSES,
    SUMMARY_SAME_VALUE = 4 << CLASSES
}; // flags; below: bits of the classes that are full
struct race_summaries { // of a chunk's cells; arrays are NULL until needed
    void *two[CLASSES]; // pairs of keys, of 4 or 8 bytes
    uint8_t *value;     // as those of the shadow; after the writers' pairs
};
struct race_summary {
    uint64_t two[CLASSES][2], value;
    uint8_t flags;
};

/**
 * Several work-items stored the same value in this cell, unordered. p and q are of different items.
 */
struct race_same_value {
    uint64_t byte;         // of the cell, in the shadow
    unsigned serial, size; // the shadow; bytes of the cell
    uint64_t p, q;         // stamps
    uint64_t current;      // the interval that `bits` is about
    uint64_t *bits;        // which work-items stored it
};

/**
 * What one of several groups that run at once did to a cell while another one is there: see
 * group_spill.c.
 */
struct race_spill {
    uint64_t byte;           // of the cell, in the shadow
    unsigned serial, size;   // the shadow; bytes of the cell
    uint64_t stamp[P_COUNT]; // 0: nothing
    uint8_t value[8];        // what its last writer stored
};

/**
 * Global memory, by chunks: what a chunk holds counts only if its state says so. A state is
 * generation << 2 | compressed << 1 | cells; states below race_shadow.first are of earlier
 * launches: nothing was done here. A stamp's epoch is one of its chunk's generation (all of the
 * worker's last one where the chunk was touched since that began), so 32 bits are enough for stamps
 * however many groups there are. With `cells` the planes know all, with `compressed` R1 holds
 * nothing (compressed_readers.c). Without, rows do: ROW cells whose accesses are of neighboring
 * work-items have one stamp for their last writers and one for their readers (0: no work-item), and
 * the planes may hold anything. Where rows_step is 1 they are neighboring cells, cell i of
 * work-item + (i >> rows_ks). Else they lie rows_step cells apart, one of each work-item: a member
 * of the structs of an array, one color of pixels, a column of a matrix. Such a row may reach over
 * several chunks, and counts in those that have rows.
 */
enum { COMPRESSED = 2, GENERATION = 4 };
struct race_shadow {
    void *plane[P_COUNT];     // cells stamps of 4 or 8 bytes; NULL until needed, but P_W
    uint64_t newest[P_COUNT]; // no stamp of the plane is later, of those of this generation
    size_t plane_size[P_COUNT];
    bool dirty[P_COUNT]; // it is not zeroed where the chunk has no cells yet (R2 is, unless
                         // keeps_seconds)
    uint64_t seconds, seconds_from,
        seconds_to;     // stamps put into R2 since it was merged, about; in cells of that range
    bool keeps_seconds; // merging would be in vain: R2 is as all others
    uint64_t opened, opened_from, opened_to;    // chunks that may be compressed, of that range
    uint64_t compress_at, compress_least;       // when so many, they are; no fewer
    struct race_compressed *compressed_readers; // by chunk; NULL until needed
    size_t compressed_size;
    VEC(uint32_t) distances; // of the readers in them
    uint8_t *values;         // what the last plain writer stored, byte for byte
    size_t values_size;
    uint64_t bytes, cells;
    unsigned granularity_shift;
    bool wide;       // stamps of 8 bytes
    bool refused;    // no memory for it: accesses go unchecked, and the launch says so
    unsigned serial; // of its worker
    unsigned worker; // which one that is
    unsigned object; // global: pairs found at the end name this one, that starts at origin
    uint64_t origin;
    uint32_t *state, first; // global: by chunk
    size_t state_size;
    uint32_t *rows; // global; NULL until needed. CHUNK_ROWS stamps of writers, then so many of
                    // readers, by chunk; or pairs by row
    size_t rows_size;
    uint32_t rows_step;             // from 1
    uint8_t rows_ks;                // 0 where the step is not 1
    bool no_rows;                   // there is no memory for them
    uint32_t began_rows, left_rows; // chunks that began with rows, and those that have cells now
    struct race_met {               // global: patterns that cells were accessed in
        uint32_t pattern, state;    // its id, 0: none; all its chunks have cells with that state
        uint64_t cell,
            live; // where it began; groups before this left nothing relevant there; 0: unknown
    } met[PATTERNS_MET];
    struct race_memo *memo;            // global: NULL until some access changed nothing
    struct race_summaries **summaries; // global: by chunk, NULL where no group left a cell to
                                       // another; NULL until there are any
    uint8_t *flags; // of the cells' summaries, right where the chunk has cells; NULL as these
    size_t flags_size;
    uint8_t left;   // classes of which there are summaries
    bool wide_keys; // of 8 bytes
    struct arena summaries_arena;
};

/**
 * The epochs of one address space. Stamps below live are of earlier groups. Those of the own group
 * below passed are ordered before now, and so are all below fence: of groups that run at once, a
 * barrier orders no accesses of other groups.
 */
struct race_space {
    uint64_t epoch, last_epoch; // counts barriers and groups; the most a stamp can hold
    uint64_t born;              // epoch at which the group began
    uint64_t past, live, fence, passed,
        current; // stamps: any, of this group, not fenced (twice), of this interval
};

/**
 * Groups [group, group + n) began at epochs epoch, epoch + stride, … of the launch (race_epoch_at).
 */
struct race_run {
    uint64_t epoch, stride, group, n;
};

struct race_found {
    struct race_pair pair;
    struct bits groups; // within which it was seen
    struct bits bytes;  // that raced
    bool given_up;      // it was found by what never was: see race_go_back
};

struct race_pairs {
    const uint32_t *site_of; // see struct race_config
    uint32_t group_items;
    struct map index;
    VEC(struct race_found) list;
    size_t last;        // in list: where the last one was put, mostly the next one, too
    struct map counted; // place in list, group and byte → barriers that the group had passed when
                        // that was counted last, + 1
    uint64_t counted_group; // that came last
    uint64_t added;         // pairs, counted or not
};

/**
 * How the lanes of an access lie, relative to the first one's cell: gangs access in the same way
 * again and again (tile[ly][k] for every k), and what was found out once is used again. It is found
 * out at the second access, so that gathers without a pattern stay cheap.
 *
 * It is kept by cells, not by lanes: rows of neighboring cells, each with the lanes that access it.
 * So the shadow is read and written in order for any order of the lanes (a permutation, a
 * transposed tile, a stride of two). Isolated cells are gathered, sixteen to a row.
 */
enum {
    PATTERN_LANES = 256,
    PATTERN_PARTS = 16,
    PATTERNS = 128,
    PATTERNS_POOLED = 16,
    PATTERN_PARTITIONS = 16,
    PATTERN_SIGHTS = 256,
    PATTERN_CREDIT = 64,
    PATTERN_COST = 16,
    PATTERN_SITES = 64,
    PATTERN_ROW = 16,
    PATTERN_ROWS = 256,
    PATTERN_PAIRS = 1024,
    PATTERN_NAMES = 128
};
#define PATTERN_NOBODY 0x80000000u // as a lane's cell: it is not active
struct race_row {
    bool dense; // cells at[0] … at[0] + 15, some of which no lane may access; else n cells anywhere
    uint32_t n; // slots up to the last that a lane accesses; the first is one, too
    int32_t at[PATTERN_ROW]; // the cell (dense: not where no lane accesses it)
    uint32_t one[PATTERN_ROW], pen[PATTERN_ROW],
        two[PATTERN_ROW];       // the first, the last but one and the last lane there
    uint32_t from[PATTERN_ROW]; // where its part of the values is, in cells (one lane alone)
    bool straight;              // dense, all 16 are accessed, and their values lie as they do
    int32_t base; // all of `from` are in base … base + 15, which are there; -1: they are not
};
struct race_pattern {
    uint32_t n, parts;      // lanes, 0: none; cells of each
    uint32_t id;            // no two that ever were have the same; from 1
    bool distinct, useless; // no two lanes on one cell; too many rows
    bool of_some;           // not of all lanes
    bool whole_rows; // neighboring lanes on whole rows of the shadow, if it begins at one; then
                     // there are
    uint32_t nruns;
    bool runs_apart;    // they are as long, and lie a whole number of chunks apart
    struct race_cells { // n cells from `at` on, of lane `one` and those after it; their values
                        // begin at cell `from` of them
        int32_t at;
        uint32_t n, one, from;
    } *run;
    bool whole_chunks;            // its cells lie a whole number of chunks apart
    uint32_t lane[PATTERN_LANES]; // first cell of the lane less that of the first active one
    int32_t low, high;            // the least and the greatest cell
    uint32_t nrows;
    struct race_row *row;
    int32_t *in;     // [row * PATTERN_ROW + slot]: all ones where a lane accesses it, else 0
    uint8_t then;    // the one that a site had after this one, last time
    uint64_t pinned; // the interval of local memory in which a log relied on its staying
                     // (race_patterns.interval)
    struct race_partition_memo { // partitions of local objects that it was held against, all lanes
                                 // active
        uint64_t cell, bytes;    // its first lane's; of the object
        uint32_t first_item, items, at_once;   // items 0: none
        uint8_t granularity_shift, partitions; // enum race_partitions
    } partition[PATTERN_PARTITIONS];
};
/** They go from launch to launch: the same kernel is likely to come again. */
struct race_patterns {
    struct race_patterns *next_free;
    uint32_t key[PATTERNS], next; // hashes; which gives way next
    struct race_pattern pattern[PATTERNS];
    uint64_t interval;              // that of local memory, from 1
    uint8_t of_site[PATTERN_SITES]; // the last one
    struct race_name {              // by layout (race_op.layout; of consecutive lanes 0)
        uint64_t layout, part;      // which lanes of it, and what each accesses
        uint32_t id;                // the pattern's
        uint8_t pattern;
    } name[PATTERN_NAMES];
    uint32_t sighted[PATTERN_SIGHTS]; // hashes of others that were seen
    uint32_t made;                    // the last id given
    int credit;                // -PATTERN_CREDIT - PATTERN_COST to PATTERN_CREDIT: see find_pattern
    struct race_pattern_pair { // what was found out about two patterns: see interval.inc
        uint32_t a, b;         // ids
        int32_t delta, items;  // b's first cell and work-item less a's
        bool apart;
    } pair[PATTERN_PAIRS];
    // of the present access, not on the stack: some threads of apps have 64 KiB
    uint64_t stamps[PATTERN_ROWS * PATTERN_ROW], cells[PATTERN_ROWS * PATTERN_ROW];
    int32_t active[PATTERN_ROWS * PATTERN_ROW];
};

/**
 * The accesses of a local object since the last fence: see interval.inc. Forgotten at the next one.
 */
enum {
    LOG_ENTRIES = 256,
    LOG_BYTES = 1 << 18,
    LOG_TESTS = 512,
    LOG_PENALTY = 7,
    OWNERSHIP_PENALTY = 127,
    LOG_MORE = 4,
    LOG_MISSES = 16
};
struct race_entry {
    struct race_op op;  // what it points to is in the log's store
    uint8_t partitions; // enum race_partitions: those in which each lane stays in its own part
    bool has_range;     // these are known:
    uint64_t low, high; // its cells lie in there
    const struct race_pattern *pattern; // or NULL
    uint32_t pattern_id;
    int64_t base;     // the pattern's first cell
    bool by_pattern;  // which stays: where the lanes are is not kept otherwise
    uint8_t *room;    // in the log's store, for a mask
    uint32_t mask_at; // ELEMENTS: of a trace that has masks, where this one's is
};
/**
 * Intervals repeat, too. The trace of an interval without conflicts is kept; as long as the
 * accesses of a later interval are the same, nothing needs to be checked: see interval_trace.c.
 * Places are kept for lanes whose layout has no name.
 */
enum {
    TRACES = 64,
    TRACE_CALLS = 256,
    TRACE_SIGHTS = 256,
    TRACE_VAIN = 128,
    TRACE_ELEMENTS = 1 << 16
};
struct race_call {          // an access as it came, whatever its mask
    uint64_t layout, first; // where lane 0 is: byte, or element
    uint32_t site, size, first_item, n, layout_lane, kind;
    uint32_t entries, used; // of the log, this one's included
    uint32_t elements;      // of the trace, this one's included
};
struct race_trace {
    uint32_t key, n, room; // hash of the first call; calls; of these there is room for so many
    uint32_t entries_room;
    uint8_t then; // the one that came after this one, last time
    struct race_call *call;
    struct race_entry *entries;
    bool has_masks; // they were apart with these active lanes: it comes again with the same ones
                    // only
    uint8_t *masks;
    uint32_t
        *elements; // elements of lanes that lie in no layout with a name, one call after the other
    uint32_t masks_room, elements_room;
};
struct race_traces {
    struct race_trace trace[TRACES];
    uint32_t key[TRACES], next; // which gives way next
    uint32_t sighted[TRACE_SIGHTS],
        next_sighted;   // hashes of others that were seen, the latest ones
    uint8_t last;       // the one before
    uint8_t vain;       // so many were kept since one was followed
    uint32_t n, parted; // recorded calls of this interval; of them those of a trace that it parted
                        // from
    uint8_t parted_from;
    struct race_call call[TRACE_CALLS];
    uint32_t *elements;    // of these; NULL: not yet needed
    uint8_t vain_elements; // intervals with elements recorded since one was followed
};
/**
 * Ownership partitions of a local object among the work-items: blocked or cyclic, as in the data
 * distributions of High Performance Fortran. Accesses by work-items to the parts that they own in
 * one partition do not conflict.
 */
enum race_partitions { PARTITION_BLOCKED = 1, PARTITION_CYCLIC = 2 };
enum { OWNERS = 1024, NO_OWNER = OWNERS };
struct race_ownership {        // of one partition, by owner: 0xff or 0; see ownership.inc
    uint8_t written[OWNERS];   // the owner wrote its part
    uint8_t read[OWNERS + 64]; // another work-item read it; the last entries: parts without an
                               // owner
};
/** Accesses that change nothing: of so many lanes; of a shadow. See access_memo.c. */
enum { MEMO_LANES = 1024, MEMO_CALLS = 8 };
/** Kinds of access. */
enum { READS = 1, WRITES = 2, ATOMIC_READS = 4, ATOMIC_WRITES = 8 };
static inline unsigned race_kind_of(const struct race_op *op)
{
    return (op->is_write ? WRITES : READS) << (op->is_atomic ? 2 : 0);
}
struct race_log {
    uint8_t partitions;      // of all entries
    uint8_t good_partitions; // partitions without a conflict: no part is written by its owner and
                             // read by another, or written by another
    uint8_t ownership_penalty, ownership_left; // after a failed test: the number of tests to skip
                                               // (exponential backoff), and those left
    uint32_t counted;                          // number of entries in `ownership`
    struct race_ownership *ownership;          // blocked and cyclic
    size_t ownership_size;
    uint64_t low, high;        // cells of all entries, where n is not 0
    bool partitioned;          // writes were found that kept to one partition
    uint8_t misses;            // accesses that did not until then; after LOG_MISSES the search ends
    bool spilled;              // until the next fence all goes into the shadow
    bool used_now;             // since the last fence
    uint32_t cells, part, own; // of the object; of each work-item, of a group's copy of it; cells
                               // 0: not yet worked out
    unsigned kinds;            // of the entries
    uint32_t n, used, tests;   // entries; bytes of the store; comparisons of two
    uint32_t penalty,
        left; // where spilling was in vain: so many times nothing is kept, and of these are left
    struct race_entry
        *entries; // LOG_ENTRIES, LOG_MORE times as many in partitions; so with the bytes
    uint8_t *store;
    size_t entries_size, store_size;
    struct race_traces *traces;     // NULL: not yet needed
    const struct race_trace *trace; // all accesses of the interval are those that it begins with,
                                    // and are in there, not in the entries
    uint32_t followed;              // so many calls
    bool untraceable;               // some call of this interval cannot be recorded
    bool by_ownership, masked;      // some entries are apart by parts; there are masks
    bool had_ownership;             // so were some of an earlier interval
};

struct race_worker {
    struct race_launch *launch;
    unsigned index;
    struct race_patterns *patterns; // NULL: not yet needed
    uint64_t group;                 // or groups that run at once: see race_config.at_once
    struct race_space local, global;
    uint64_t images;       // global.passed for images, which is it or later
    uint32_t first, state; // of chunks: the least of this launch; with rows, of this generation
    struct race_shadow *locals, *globals; // launch->nlocals, nroots; bytes 0: not yet made
    struct race_log *logs;                // launch->nlocals
    VEC(struct race_run) runs;
    struct race_pairs pairs;
    struct map same_index; // of the group: race_cell_key → index in same
    VEC(struct race_same_value) same;
    struct arena same_arena;
    struct map spill_index; // of groups that run at once: race_cell_key → index in spills
    VEC(struct race_spill) spills;
    uint32_t barrier;             // place of the group's last
    uint32_t still;               // lanes of the present access that changed nothing
    bool cut;                     // some access could not be checked
    bool descends;                // groups do not come in ascending order
    uint8_t descents;             // how often one did not
    struct clocks_group *clocks;  // ordered launches
    VEC(struct race_copy) copies; // under way
};

struct race_root {
    const void *root;
    uint64_t size, step; // local, where groups run at once: of each group's part
    unsigned granularity_shift, object;
    uint64_t origin;
};

struct race_watch {
    uint32_t index1; // index in locals or roots + 1; 0: not watched
    bool is_local;
    bool is_image;
    bool is_followed; // ordered launches: nothing but atomics, which order other accesses, and are
                      // not checked
    uint64_t offset;  // of the object in its root
};

struct race_launch {
    struct race_config c; // at_once is at least 1
    struct stamp_form f;
    bool wide, cut;
    bool wide_keys; // of what groups leave
    bool refined;   // a global shadow was; atomic
    bool images;    // some are watched
    void (*lanes)(struct race_worker *, struct race_space *, struct race_shadow *,
                  const struct race_op *, uint64_t);
    void (*spill)(struct race_worker *, struct race_shadow *); // a local object's log
    const struct race_shared *shared;                          // end_comparison.h
    struct race_watch *watch;                                  // by object id
    VEC(struct race_root) roots;
    VEC(struct race_root) locals;
    struct race_worker **workers;
    struct clocks *clocks; // ordered launches: these keep everything, the shadows stay empty
};

/** The group of an item of the groups that run at once, and its number in there. */
static inline uint64_t race_group_of(const struct race_launch *l, uint64_t group, uint32_t item)
{
    return l->c.at_once == 1 ? group : group * l->c.at_once + item / l->c.group_items;
}
static inline uint32_t race_item_of(const struct race_launch *l, uint32_t item)
{
    return l->c.at_once == 1 ? item : item % l->c.group_items;
}

/** Which of the groups that run at once a stamp is of. */
static inline uint32_t race_who(const struct race_launch *l, uint64_t stamp)
{
    return l->c.at_once == 1 ? 0 : (uint32_t)(stamp & l->f.item_mask) / l->c.group_items;
}
/**
 * Which of them a work-item is of: item * race_magic >> MAGIC_SHIFT. 0: that would not be exact.
 */
enum { MAGIC_SHIFT = 20 };
static inline uint32_t race_magic(const struct race_launch *l)
{
    const uint64_t items = l->c.group_items;
    return items * items * l->c.at_once < 1u << MAGIC_SHIFT
               ? (uint32_t)(((1u << MAGIC_SHIFT) + items - 1) / items)
               : 0;
}

/** A cell, by its first byte, as one of the groups that run at once knows it. */
static inline uint64_t race_cell_key(const struct race_shadow *s, uint64_t byte, uint32_t who)
{
    return ((uint64_t)s->serial << 44 ^ byte) +
           who * 0x9e3779b97f4a7c15; // spread, so that they do not meet others
}

// shadow.c: what may need memory gives false when the system refuses, and has changed nothing
/**
 * Global: states below `first` that may be found are of earlier launches. `compress_always`: as
 * in race_config.
 */
bool shadow_init(struct race_shadow *s, const struct race_root *r, bool wide, bool compress_always,
                 bool is_global, uint32_t first, unsigned worker);
/** All its states are below `limit`; UINT32_MAX: unknown. */
void shadow_deinit(struct race_shadow *s, uint32_t limit);
/** The least state of a launch's chunks. */
uint32_t shadow_first_state(void);
bool shadow_refine(struct race_shadow *s, unsigned granularity_shift);
/** Makes them; or once more, where no chunk has any. */
bool shadow_rows(struct race_shadow *s, uint32_t step, unsigned ks);
static inline bool shadow_is_touched(const struct race_shadow *s, uint64_t chunk)
{
    return s->state[chunk] >= s->first;
}
/** Are rows worth it for chunks to come? Not where most had to get cells all the same. */
static inline bool shadow_likes_rows(const struct race_shadow *s)
{
    return s->left_rows <= 64 + s->began_rows / 4;
}
/**
 * Where the stamp of writers is of the row that begins at or before the cell, and how far after it
 * that of readers.
 */
static inline uint64_t shadow_row_at(const struct race_shadow *s, uint64_t cell)
{
    if (s->rows_step == 1)
        return (cell >> CHUNK_SHIFT) * 2 * CHUNK_ROWS + (cell % CHUNK >> ROW_SHIFT);
    const uint64_t item = cell / s->rows_step;
    return 2 * ((item >> ROW_SHIFT) * s->rows_step + (cell - item * s->rows_step));
}
static inline unsigned shadow_row_readers(const struct race_shadow *s)
{
    return s->rows_step == 1 ? CHUNK_ROWS : 1;
}
/** What rows say of the first n cells of a chunk. */
void shadow_row_stamps(const struct race_shadow *s, uint64_t chunk, uint64_t n,
                       uint32_t writers[CHUNK], uint32_t readers[CHUNK]);
/** What the rows know of a chunk that was touched goes into the planes. */
void shadow_to_cells(struct race_shadow *s, uint64_t chunk);
/**
 * The chunk is touched for the first time in the launch: it gets the state, and what that needs is
 * cleared.
 */
void shadow_touch(struct race_shadow *s, uint64_t chunk, uint32_t state);
/** What rows or stamps of the chunk are is left for good: zeroes the planes. */
void shadow_clear(struct race_shadow *s, uint64_t chunk);
/** What groups left in the cell's chunk, made when there is nothing yet; NULL when refused. */
struct race_summaries *shadow_summaries(struct race_shadow *s, uint64_t cell);
/** The same, with pairs of the class, none of them known yet where there were none. */
struct race_summaries *shadow_summaries_with(struct race_shadow *s, uint64_t cell,
                                             enum race_class c);
/** The same where there is something, else NULL. */
static inline struct race_summaries *shadow_summaries_of(const struct race_shadow *s,
                                                         uint64_t chunk)
{
    return s->summaries ? s->summaries[chunk] : NULL;
}
bool shadow_need(struct race_shadow *s, enum race_plane first, enum race_plane last);
/**
 * The planes that an access puts stamps into. (Of atomics all are made at once: one that is there
 * has all.)
 */
static inline enum race_plane shadow_first_plane(const struct race_op *op)
{
    return op->is_atomic ? P_AW1 : op->is_write ? P_W : P_R1;
}
static inline enum race_plane shadow_last_plane(const struct race_op *op)
{
    return op->is_atomic ? P_AL2 : op->is_write ? P_W : P_R2;
}
/**
 * A stamp put into epoch 1 (ordered before now), 2 (not fenced) or 3 (this interval); 0 when of
 * another group.
 */
uint64_t shadow_rebased(uint64_t x, const struct race_space *sp, const struct stamp_form *f);
/** Of these cells. */
void shadow_rebase(struct race_shadow *s, uint64_t cell, uint64_t n, const struct race_space *sp,
                   const struct stamp_form *f);
static inline uint64_t shadow_get(const struct race_shadow *s, enum race_plane p, uint64_t cell)
{
    return s->wide ? ((uint64_t *)s->plane[p])[cell] : ((uint32_t *)s->plane[p])[cell];
}
static inline void shadow_set(struct race_shadow *s, enum race_plane p, uint64_t cell,
                              uint64_t stamp)
{
    if (s->wide) ((uint64_t *)s->plane[p])[cell] = stamp;
    else ((uint32_t *)s->plane[p])[cell] = (uint32_t)stamp;
}

/** Second readers were put into R2, `n` of them in cells [from, to]. */
static inline void shadow_seconds(struct race_shadow *s, uint64_t from, uint64_t to, uint64_t n)
{
    if (!s->seconds || from < s->seconds_from) s->seconds_from = from;
    if (!s->seconds || to >= s->seconds_to) s->seconds_to = to + 1;
    s->seconds += n;
}
enum { SECONDS_MANY = 1 << 18 }; // are worth merging
/**
 * When a group has ended, of two readers of it in a cell only the one that comes first in a summary
 * counts. That one is kept, and the pages of R2 go back to the system.
 */
void shadow_merge_seconds(struct race_shadow *s, const struct stamp_form *f);

/** The chunk has cells now. */
static inline void shadow_opened(struct race_shadow *s, uint64_t chunk)
{
    if (!s->opened || chunk < s->opened_from) s->opened_from = chunk;
    if (!s->opened || chunk >= s->opened_to) s->opened_to = chunk + 1;
    s->opened++;
}

/** Memory for anything, and back; *size becomes what it really has. NULL: refused. */
void *shadow_take(size_t *size);
void shadow_give(void *p, size_t size);

// compressed_readers.c
/** `always`: however few there are. */
void compression_init(struct race_shadow *s, bool always);
void compression_deinit(struct race_shadow *s);
/** Between accesses, when `opened` reaches compress_at. */
void compress_now(struct race_shadow *s, const struct stamp_form *f);
/** Restores the readers of a compressed chunk in R1. */
void decompress(struct race_shadow *s, const struct stamp_form *f, uint64_t chunk);
/** What would be there. */
void read_compressed(const struct race_shadow *s, const struct stamp_form *f, uint64_t chunk,
                     uint32_t readers[CHUNK]);

// pattern.c
void pattern_work_out(struct race_pattern *p);
struct race_patterns *patterns_get(uint64_t interval);
void patterns_put(struct race_patterns *ps); // NULL is fine

// groups.c
/** The number of an epoch among all of the launch; the generation is reported by a state. */
static inline uint64_t race_epoch_at(const struct race_worker *w, uint32_t state, uint64_t epoch)
{
    return (uint64_t)((state - w->first) / GENERATION) * (w->global.last_epoch + 1) + epoch;
}
/**
 * Makes a chunk have cells of this generation; stamps of earlier generations are retired into
 * summaries.
 */
void groups_enter(struct race_worker *w, struct race_shadow *s, uint64_t chunk);
/** Before anything is done to these cells. */
static inline void groups_use_cells(struct race_worker *w, struct race_shadow *s, uint64_t cell,
                                    uint64_t n)
{
    for (uint64_t c = cell >> CHUNK_SHIFT; c <= (cell + n - 1) >> CHUNK_SHIFT; c++)
        if (s->state[c] != (w->state | 1)) groups_enter(w, s, c);
}
/**
 * A generation ends inside a group: chunks with stamps of that group go into the new one, which is
 * `state`.
 */
void groups_renew(struct race_worker *w, struct race_shadow *s, uint32_t state);
/** Moves what earlier groups left in the cells into their summaries. */
void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n);
/** The same for cells that lie anywhere. */
void groups_retire_cells(struct race_worker *w, struct race_shadow *s, const uint64_t *cells,
                         unsigned n);
/** Bits of the classes of which there may be anything in the shadow. */
static inline unsigned groups_classes(const struct race_shadow *s, uint64_t past)
{
    unsigned bits = 0;
    for (int p = 0; p < P_COUNT; p++) bits |= (unsigned)(s->newest[p] >= past) << race_class_of(p);
    return bits;
}
/**
 * For groups that run at once: spills what groups other than the item's left there, and restores
 * what the item's group left there.
 */
void groups_retire_others(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n,
                          uint32_t item);
/** `epoch` of the launch. */
void groups_begin(struct race_worker *w, uint64_t group, uint64_t epoch);
/** Groups that ran at once have ended: adds the spilled accesses to the cells' summaries. */
void groups_settle(struct race_worker *w);
void groups_compare(struct race_launch *l, struct race_pairs *out);

// group_spill.c
/**
 * Spills the stamp in the plane, which is of another group than the one that accesses it now;
 * false: no room.
 */
bool spill_put(struct race_worker *w, const struct race_shadow *s, uint64_t cell,
               enum race_plane p);
/** Restores the spilled stamps of the group there. */
void spill_take(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint32_t who);
/**
 * Gives cells without a writer a spilled one, so that the next work-item sees that there was a
 * writer.
 */
void spill_stay(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n);
void spill_refined(struct race_worker *w, const struct race_shadow *s); // its cells were cut
void spill_forget(struct race_worker *w);

// exact.c
/**
 * The rules themselves, one lane after the other. `granularity_shift` of the shadow fits the
 * access.
 */
void same_refined(struct race_worker *w, const struct race_shadow *s); // its cells were cut
typedef void exact_fn(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                      const struct race_op *op, uint64_t to_object);
exact_fn exact_access;

/** Reports the races that an access here would have, and stores no stamp. */
exact_fn exact_look;
/** An access of the group that came before all that its work-items do. */
exact_fn exact_leave;

// interval_trace.c
/**
 * Does the access of a local object continue the kept trace? Then nothing else needs to be done.
 */
bool trace_follows(struct race_worker *w, struct race_log *log, const struct race_op *op);
/** It does not, and took the slow path: the log had `entries` until then. */
void trace_note(struct race_log *log, const struct race_op *op, uint32_t entries);
/** The accesses of the interval are in the log as if none had come before. */
void trace_part(struct race_log *log);
/** The interval is over. */
void trace_over(struct race_log *log);
/** Forgets all traces: the cells have changed. */
void trace_forget(struct race_log *log);
void trace_deinit(struct race_log *log);

// access_memo.c: of global shadows
/**
 * Has the access come before in this interval, and changed nothing, as nothing has changed in the
 * shadow since?
 */
bool memo_knows(const struct race_worker *w, struct race_shadow *s, const struct race_op *op);
/** It took place. */
void memo_note(const struct race_worker *w, struct race_shadow *s, const struct race_op *op,
               bool changed);
/**
 * Only the active lanes from the first to the last one of an access whose lanes all access one
 * place. False: there are none.
 */
bool race_shorten(struct race_op *op);

// copies_in_flight.c
/** What work-items do is held against the copies under way. */
void copies_access(struct race_worker *w, const struct race_op *op);
/** The group has ended: those still under way end, too. */
void copies_left(struct race_worker *w);

// race.c
/** The object's shadow, created on first use; NULL: it cannot be created. */
struct race_shadow *race_shadow_of(struct race_worker *w, unsigned object);
/** Cells so small that all multiples of `bits` begin one; false: there is no memory for that. */
bool race_fit(struct race_worker *w, struct race_shadow *s, uint64_t bits);
/**
 * Accesses since the last fence that may touch bytes [first, end) of local memory are in its
 * shadow.
 */
void race_show_interval(struct race_worker *w, unsigned local, uint64_t first, uint64_t end);

// pairs.c
/** The accesses of this interval are to come again. */
void interval_given_up(struct race_worker *w);
void pairs_add(struct race_launch *l, struct race_pairs *ps, const struct race_pair *p);
void pairs_report(struct race_launch *l, struct race_pairs *ps);
void pairs_deinit(struct race_pairs *ps);
#endif

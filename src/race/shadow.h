// SPDX-License-Identifier: MIT
#ifndef RACE_SHADOW_H
#define RACE_SHADOW_H
#include "base/arena.h"
#include "base/bits.h"
#include "base/map.h"
#include "base/serialize.h"
#include "base/vec.h"
#include "race/clocks.h"
#include "race/race.h"

/**
 * Private to src/race: stamps, planes and the worker's state. The theory is at the top of race.c.
 */

// types of cell values at any address
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
}; // cells per chunk: they share a state and a summary
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
    uint64_t same_item; // item_mask | sv: stamps equal in these bits are of the same single
                        // work-item
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

/** The bit position of the group in a key. */
static inline unsigned group_shift(const struct stamp_form *f) { return f->epoch_shift - 3; }

/**
 * The group summary of a cell: the accesses of a worker's earlier groups, for each class the two
 * smallest of different groups. Groups come in ascending order, so with two of them the class is
 * full: others change nothing. The class of writers is full when two stored different values; with
 * two equal values it is SUMMARY_SAME_VALUE, until a writer stores another one.
 */
enum {
    SUMMARY_HAS_VALUE = 1 << CLASSES,
    SUMMARY_MIXED = 2 << CLASSES,
    SUMMARY_SAME_VALUE = 4 << CLASSES
}; // flags; the lower bits are those of full classes
struct race_summaries { // of a chunk's cells; arrays are NULL until needed
    void *two[CLASSES]; // pairs of keys, of 4 or 8 bytes
    uint8_t *value;     // like those of the shadow; after the writers' pairs
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
    uint64_t current;      // the interval that `bits` describes
    uint64_t *bits;        // which work-items stored it
};

/**
 * Spilled accesses of a group that runs at the same time as the group that has the cell: see
 * group_spill.c.
 */
struct race_spill {
    uint64_t byte;           // of the cell, in the shadow
    unsigned serial, size;   // the shadow; bytes of the cell
    uint64_t stamp[P_COUNT]; // 0: nothing
    uint8_t value[8];        // the value of its last writer
};

/**
 * Global memory, by chunks: the state of a chunk says which of its stamps are valid. A state is
 * generation << 2 | compressed << 1 | cells. States below race_shadow.first are of earlier
 * launches: the chunk is unused in this one. The epoch of a stamp belongs to the generation of its
 * chunk, so 32 bits suffice for stamps in any number of groups. With `cells`, the planes have all
 * stamps; with `compressed`, R1 is empty (compressed_readers.c). Otherwise rows have the stamps: a
 * row is ROW cells that neighboring work-items access, with one stamp for their last writers and
 * one for their readers (0: none); the contents of the planes do not matter then. If rows_step is
 * 1, a row is neighboring cells, cell i of work-item + (i >> rows_ks). Otherwise its cells are
 * rows_step apart, one for each work-item: a member of the structs of an array, one color of
 * pixels, a column of a matrix. Such a row may extend over several chunks; it is valid in those
 * that have rows.
 */
enum { COMPRESSED = 2, GENERATION = 4 };
struct race_shadow {
    void *plane[P_COUNT];     // cells stamps of 4 or 8 bytes; NULL until needed, except P_W
    uint64_t newest[P_COUNT]; // upper bound of the plane's stamps of this generation
    size_t plane_size[P_COUNT];
    bool dirty[P_COUNT]; // not zeroed where the chunk has no cells yet (R2 is zeroed, unless
                         // keeps_seconds)
    uint64_t seconds, seconds_from,
        seconds_to;     // approximate number of stamps in R2 since it was merged, and the range of
                        // their cells
    bool keeps_seconds; // merging does not pay off: R2 is treated like the other planes
    uint64_t opened, opened_from, opened_to;    // number of chunks that may be compressed, and
                                                // their range
    uint64_t compress_at, compress_least;       // thresholds of `opened` for compression: the
                                                // present one; the smallest
    struct race_compressed *compressed_readers; // by chunk; NULL until needed
    size_t compressed_size;
    VEC(uint32_t) distances; // of the compressed readers
    uint8_t *values;         // the value of the last plain writer, byte for byte
    size_t values_size;
    uint64_t bytes, cells;
    unsigned granularity_shift;
    bool wide;       // stamps of 8 bytes
    bool refused;    // no memory for it: accesses are not checked, and the launch counts as cut
    unsigned serial; // of its worker
    unsigned worker; // the number of that worker
    unsigned object; // global: the object that pairs found at the end name; it begins at `origin`
    uint64_t origin;
    uint32_t *state, first; // global: by chunk
    size_t state_size;
    uint32_t *rows; // global; NULL until needed. by chunk: CHUNK_ROWS stamps of writers, then as
                    // many of readers; or pairs by row
    size_t rows_size;
    uint32_t rows_step;             // from 1
    uint8_t rows_ks;                // 0 if the step is not 1
    bool no_rows;                   // there is no memory for rows
    uint32_t began_rows, left_rows; // chunks that began with rows, and those that have cells now
    struct race_met {               // global: patterns that cells were accessed in
        uint32_t pattern, state;    // the pattern's id, 0: none; the state of all its chunks
        uint64_t cell,
            live; // its first cell; stamps below `live` are irrelevant there; 0: unknown
    } met[PATTERNS_MET];
    struct race_memo *memo;            // global: NULL until an access changes nothing
    struct race_summaries **summaries; // global: by chunk, NULL for chunks without a summary; NULL
                                       // until there are any
    uint8_t *flags; // of the cells' summaries, valid if the chunk has cells; NULL like these
    size_t flags_size;
    uint8_t left;   // classes that have summaries
    bool wide_keys; // of 8 bytes
    struct arena summaries_arena;
};

/**
 * The epochs of one address space. Stamps below `live` are of earlier groups. Stamps of the same
 * group below `passed` are ordered before now, and so are all stamps below `fence`: if groups run
 * at once, a barrier does not order accesses of other groups.
 */
struct race_space {
    uint64_t epoch, last_epoch; // counts barriers and groups; the largest in a stamp
    uint64_t born;              // epoch at which the group began
    uint64_t past, live, fence, passed,
        current; // smallest stamps: of any access, of this group, not fenced (twice), of this
                 // interval
};

/**
 * Groups [group, group + n) began at epochs epoch, epoch + stride, … of the launch (race_epoch_at).
 */
struct race_run {
    uint64_t epoch, stride, group, n;
};

struct race_found {
    struct race_pair pair;   // the smallest example
    struct race_pair across; // the smallest one between groups; size 0: none
    struct bits groups;      // within which the pair was seen
    struct bits places;      // the first bytes of its locations
    struct bits bytes;       // that raced
    bool given_up;           // it was found by an execution that was undone: see race_go_back
    // At the report:
    uint32_t number, cause; // its index in the list as found; that of its cause
    bool is_joined;         // another pair of its statement reports it
};

/**
 * A set of pairs: those of another set, and one with a greater index in the list. `count`:
 * locations in barrier intervals of work-groups where exactly these pairs were seen. A location
 * with more pairs than a set may have is counted for the first ones.
 */
enum { RACE_MOST_TOGETHER = 64 };
struct race_set {
    uint32_t rest, pair, size;
    uint64_t count;
};

struct race_pairs {
    const uint32_t *site_of; // see struct race_config
    uint32_t group_items;
    struct map index;
    VEC(struct race_found) list;
    size_t last;               // index in list of the last pair, usually that of the next one, too
    VEC(struct race_set) sets; // 0: the empty set
    struct map set_index;      // `rest` and `pair` → set
    struct map counted;      // cause, group and byte → number of barriers that the group had passed
                             // when a pair was last seen, + 1 (upper half), and the set of those
    uint64_t counted_groups; // which run at once, of the last pair
    uint64_t added;          // pairs, counted or not
};

/**
 * A pattern: the cells of an access's lanes, relative to the first lane's cell. Gangs repeat the
 * same pattern (tile[ly][k] for every k), so it is computed once, at the second access, so that
 * gathers without a pattern stay cheap.
 *
 * A pattern is stored by cells, not by lanes: rows of neighboring cells, each with the lanes that
 * access it. So the shadow is read and written in order for any order of the lanes (a permutation,
 * a transposed tile, a stride of two). Isolated cells are gathered, sixteen to a row.
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
#define PATTERN_NOBODY 0x80000000u // the cell of an inactive lane
struct race_row {
    bool dense; // cells at[0] … at[0] + 15, of which some may have no lane; otherwise n scattered
                // cells
    uint32_t n; // slots up to the last one with a lane; the first has a lane, too
    int32_t at[PATTERN_ROW]; // the cell (dense: only of slots with a lane)
    uint32_t one[PATTERN_ROW], pen[PATTERN_ROW],
        two[PATTERN_ROW];       // the first, the second to last and the last lane of the cell
    uint32_t from[PATTERN_ROW]; // offset of its value in cells (for slots with one lane)
    bool straight;              // dense, all 16 slots have a lane, and the values are consecutive
    int32_t base; // all of `from` are in base … base + 15, which is inside the values; -1: they are
                  // not
};
struct race_pattern {
    uint32_t n, parts;      // lanes, 0: none; cells of each
    uint32_t id;            // unique in the process; from 1
    bool distinct, useless; // no two lanes share a cell; there are too many rows
    bool of_some;           // of active lanes only
    bool whole_rows; // consecutive lanes access whole rows of the shadow, if the first begins one;
                     // then `run` is valid
    uint32_t nruns;
    bool runs_apart;    // they are equally long and a whole number of chunks apart
    struct race_cells { // n cells from `at` on, of lane `one` and later lanes; their values begin
                        // at cell `from`
        int32_t at;
        uint32_t n, one, from;
    } *run;
    bool whole_chunks;            // the distances of its cells are whole numbers of chunks
    uint32_t lane[PATTERN_LANES]; // first cell of the lane, relative to that of the first active
                                  // lane
    int32_t low, high;            // the smallest and the largest cell
    uint32_t nrows;
    struct race_row *row;
    int32_t *in;     // [row * PATTERN_ROW + slot]: all ones if a lane accesses it, otherwise 0
    uint8_t then;    // the pattern that followed this one at a site, last time
    uint64_t pinned; // the last interval of local memory in which a log used it
                     // (race_patterns.interval): it must stay until the end of that
    struct race_partition_memo { // its ownership partitions, computed with all lanes active
        uint64_t cell, bytes;    // the first lane's cell; bytes of the object
        uint32_t first_item, items, at_once;   // items 0: none
        uint8_t granularity_shift, partitions; // enum race_partitions
    } partition[PATTERN_PARTITIONS];
};
/** Reused by later launches, which are likely to run the same kernel. */
struct race_patterns {
    struct race_patterns *next_free;
    uint32_t key[PATTERNS], next; // hashes; the next one to be replaced
    struct race_pattern pattern[PATTERNS];
    uint64_t interval;              // the number of local memory's interval, from 1
    uint8_t of_site[PATTERN_SITES]; // the last one
    struct race_name {              // patterns by layout (race_op.layout; consecutive lanes: 0)
        uint64_t layout, part;      // its lanes, and the size of each access
        uint32_t id;                // the pattern's
        uint8_t pattern;
    } name[PATTERN_NAMES];
    uint32_t sighted[PATTERN_SIGHTS]; // hashes of others that were seen
    uint32_t made;                    // the last id given
    int credit;                // -PATTERN_CREDIT - PATTERN_COST to PATTERN_CREDIT: see find_pattern
    struct race_pattern_pair { // a cached test of two patterns: see interval.inc
        uint32_t a, b;         // ids
        int32_t delta, items;  // difference of first cells and first work-items, b - a
        bool apart;
    } pair[PATTERN_PAIRS];
    // buffers for the current access; not on the stack, because threads of apps may have only 64
    // KiB
    uint64_t stamps[PATTERN_ROWS * PATTERN_ROW], cells[PATTERN_ROWS * PATTERN_ROW];
    int32_t active[PATTERN_ROWS * PATTERN_ROW];
};

/**
 * The log of a local object: its accesses since the last fence. See interval.inc.
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
    struct race_op op;  // its pointers point into the log's store
    uint8_t partitions; // enum race_partitions: those in which each lane stays in its own part
    bool has_range;     // low and high are known
    uint64_t low, high; // range of its cells
    const struct race_pattern *pattern; // or NULL
    uint32_t pattern_id;
    int64_t base;     // the pattern's first cell
    bool by_pattern;  // the pattern is pinned, and replaces a copy of the lanes' offsets
    uint8_t *room;    // space for a mask in the log's store
    uint32_t mask_at; // ELEMENTS: the offset of its mask in a trace with masks
};
/**
 * Cached traces of intervals without conflicts: see interval_trace.c. Elements are stored for lanes
 * whose layout has no name.
 */
enum {
    TRACES = 64,
    TRACE_CALLS = 256,
    TRACE_SIGHTS = 256,
    TRACE_VAIN = 128,
    TRACE_ELEMENTS = 1 << 16
};
struct race_call {          // an access without its mask
    uint64_t layout, first; // byte offset or element of lane 0
    uint32_t site, size, first_item, n, layout_lane, kind;
    uint32_t entries, used; // of the log, including this call's
    uint32_t elements;      // of the trace, including this call's
};
struct race_trace {
    uint32_t key, n, room; // hash of the first call; number of calls; capacity
    uint32_t entries_room;
    uint8_t then; // the trace that followed this one, last time
    struct race_call *call;
    struct race_entry *entries;
    bool has_masks; // valid only for the same active lanes
    uint8_t *masks;
    uint32_t *elements; // elements of lanes whose layout has no name, call after call
    uint32_t masks_room, elements_room;
};
struct race_traces {
    struct race_trace trace[TRACES];
    uint32_t key[TRACES], next; // the next one to be replaced
    uint32_t sighted[TRACE_SIGHTS],
        next_sighted;   // hashes of the latest other traces that were seen
    uint8_t last;       // the one before
    uint8_t vain;       // traces stored since the last match
    uint32_t n, parted; // recorded calls of this interval; those that matched a trace until it
                        // differed
    uint8_t parted_from;
    struct race_call call[TRACE_CALLS];
    uint32_t *elements;    // of these calls; NULL until needed
    uint8_t vain_elements; // intervals with elements that were recorded since the last match
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
/** Limits of access_memo.c: lanes of an access; accesses of a shadow. */
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
    uint64_t low, high;        // range of the cells of all entries, if n > 0
    bool partitioned;          // writes were found that kept to one partition
    uint8_t misses;            // accesses that did not until then; after LOG_MISSES the search ends
    bool spilled;              // until the next fence, accesses go to the shadow
    bool used_now;             // since the last fence
    uint32_t cells, part, own; // cells of the object, of a work-item's part, of a group's copy; 0:
                               // not computed yet
    unsigned kinds;            // of the entries
    uint32_t n, used, tests;   // entries; used bytes of the store; comparisons of two entries
    uint32_t penalty,
        left; // after a spill: the number of intervals that are not logged, and those left
    struct race_entry
        *entries; // LOG_ENTRIES, or LOG_MORE times as many if partitioned; the same for bytes
    uint8_t *store;
    size_t entries_size, store_size;
    struct race_traces *traces;     // NULL: not yet needed
    const struct race_trace *trace; // the trace that the interval has matched so far; its accesses
                                    // are not in `entries`
    uint32_t followed;              // number of matching calls
    bool untraceable;               // some call of this interval cannot be recorded
    bool by_ownership, masked;      // an ownership test was needed; some entry has a mask
    bool had_ownership;             // an earlier interval needed an ownership test
};

struct race_worker {
    struct race_launch *launch;
    unsigned index;
    struct race_patterns *patterns; // NULL: not yet needed
    uint64_t group;                 // or the number of a set of groups that run at once: see
                                    // race_config.at_once
    struct race_space local, global;
    uint64_t images;       // like global.passed, for images: not less than that
    uint32_t first, state; // states of chunks: the smallest of this launch; that of rows in this
                           // generation
    struct race_shadow *locals, *globals; // launch->nlocals and nroots of them; bytes 0: not
                                          // created yet
    struct race_log *logs;                // launch->nlocals
    VEC(struct race_run) runs;
    struct race_pairs pairs;
    struct map same_index; // of the group: race_cell_key → index in same
    VEC(struct race_same_value) same;
    struct arena same_arena;
    struct map spill_index; // of groups that run at once: race_cell_key → index in spills
    VEC(struct race_spill) spills;
    uint32_t barrier;                         // number of the group's last barrier
    uint32_t still;                           // lanes of the current access that changed nothing
    bool cut;                                 // some access could not be checked
    bool descends;                            // groups came in descending order
    uint8_t descents;                         // how often that happened
    struct clocks_group *clocks;              // ordered launches
    VEC(struct race_copy) copies;             // under way
    struct race_barrier_intervals *intervals; // NULL: needless barriers are not looked for
};

struct race_root {
    const void *root;
    uint64_t size, step; // local memory, if groups run at once: of each group's part
    unsigned granularity_shift, object;
    uint64_t origin;
    bool is_copied; // global: the destination of async copies; atomic
    bool is_shared; // several objects are in it
};

struct race_watch {
    uint32_t index1; // index + 1 in locals or roots; 0: not watched
    bool is_local;
    bool is_image;
    bool is_followed; // ordered launches: the object has only atomics, which order other accesses
                      // and are not checked
    uint64_t offset;  // of the object in its root
    uint64_t size;    // of the object; 0: local memory
};

struct race_launch {
    struct race_config c; // at_once is at least 1
    struct stamp_form f;
    bool wide, cut;
    bool wide_keys; // summaries have keys of 8 bytes
    bool refined;   // some global shadow was refined; atomic
    bool images;    // some watched object is an image
    void (*lanes)(struct race_worker *, struct race_space *, struct race_shadow *,
                  const struct race_op *, uint64_t);
    void (*spill)(struct race_worker *, struct race_shadow *); // spills a local object's log
    const struct race_shared *shared;                          // end_comparison.h
    struct race_watch *watch;                                  // by object id
    VEC(struct race_root) roots;
    VEC(struct race_root) locals;
    struct race_worker **workers;
    struct clocks *clocks; // ordered launches: replaces the shadows, which stay empty
    bool is_special;       // it has clocks, or accesses also count for the barriers that they need
    struct race_pairs *theirs; // found by other processes: see race_launch_take; or NULL
};

/** If groups run at once: the group of an item, and the item's number in it. */
static inline uint64_t race_group_of(const struct race_launch *l, uint64_t group, uint32_t item)
{
    return l->c.at_once == 1 ? group : group * l->c.at_once + item / l->c.group_items;
}
static inline uint32_t race_item_of(const struct race_launch *l, uint32_t item)
{
    return l->c.at_once == 1 ? item : item % l->c.group_items;
}

/** If groups run at once: the index of the group of a stamp. */
static inline uint32_t race_who(const struct race_launch *l, uint64_t stamp)
{
    return l->c.at_once == 1 ? 0 : (uint32_t)(stamp & l->f.item_mask) / l->c.group_items;
}
/**
 * The index of a work-item's group is item * race_magic >> MAGIC_SHIFT. 0: this would not be exact.
 */
enum { MAGIC_SHIFT = 20 };
static inline uint32_t race_magic(const struct race_launch *l)
{
    const uint64_t items = l->c.group_items;
    return items * items * l->c.at_once < 1u << MAGIC_SHIFT
               ? (uint32_t)(((1u << MAGIC_SHIFT) + items - 1) / items)
               : 0;
}

/** A key of a cell (by its first byte) for one of the groups that run at once. */
static inline uint64_t race_cell_key(const struct race_shadow *s, uint64_t byte, uint32_t who)
{
    return ((uint64_t)s->serial << 44 ^ byte) +
           who * 0x9e3779b97f4a7c15; // hashed, so that keys of groups differ
}

// shadow.c: functions that allocate return false or NULL if there is no memory, and change nothing
// then
/** The properties of a new shadow. */
struct shadow_kind {
    bool wide, is_global;
    bool compress_always; // as in race_config
    uint32_t first;       // global: states below it in reused blocks are of earlier launches
    unsigned worker;
};
bool shadow_init(struct race_shadow *s, const struct race_root *r, const struct shadow_kind *kind);
/** `limit`: all states of the shadow are below it; UINT32_MAX: unknown. */
void shadow_deinit(struct race_shadow *s, uint32_t limit);
/** The smallest state of a launch's chunks. */
uint32_t shadow_first_state(void);
bool shadow_refine(struct race_shadow *s, unsigned granularity_shift);
/** Creates the rows, or changes their step if no chunk has rows. */
bool shadow_rows(struct race_shadow *s, uint32_t step, unsigned ks);
static inline bool shadow_is_touched(const struct race_shadow *s, uint64_t chunk)
{
    return s->state[chunk] >= s->first;
}
/** Should new chunks begin with rows? Not if most earlier ones changed to cells. */
static inline bool shadow_likes_rows(const struct race_shadow *s)
{
    return s->left_rows <= 64 + s->began_rows / 4;
}
/**
 * The index of the writers' stamp of the row that begins at or before the cell, and the distance to
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
/** The stamps that rows give to the first n cells of a chunk. */
void shadow_row_stamps(const struct race_shadow *s, uint64_t chunk, uint64_t n,
                       uint32_t writers[CHUNK], uint32_t readers[CHUNK]);
/** Copies the stamps of a used chunk's rows into the planes. */
void shadow_to_cells(struct race_shadow *s, uint64_t chunk);
/**
 * Sets the state of a chunk that is used for the first time in the launch, and clears what that
 * state requires.
 */
void shadow_touch(struct race_shadow *s, uint64_t chunk, uint32_t state);
/** Discards the rows and stamps of the chunk: zeroes the planes. */
void shadow_clear(struct race_shadow *s, uint64_t chunk);
/** The summaries of the cell's chunk, created on first use; NULL: no memory. */
struct race_summaries *shadow_summaries(struct race_shadow *s, uint64_t cell);
/** The same, with (initially empty) pairs of the class. */
struct race_summaries *shadow_summaries_with(struct race_shadow *s, uint64_t cell,
                                             enum race_class c);
/** The same if they exist, otherwise NULL. */
static inline struct race_summaries *shadow_summaries_of(const struct race_shadow *s,
                                                         uint64_t chunk)
{
    return s->summaries ? s->summaries[chunk] : NULL;
}
bool shadow_need(struct race_shadow *s, enum race_plane first, enum race_plane last);
/**
 * The first plane that an access puts stamps into. (The planes of atomics are created together.)
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
 * Moves a stamp into epoch 1 (ordered before now), 2 (not fenced) or 3 (this interval); 0 for a
 * stamp of another group.
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

/** Records that `n` second readers were put into R2, in cells [from, to]. */
static inline void shadow_seconds(struct race_shadow *s, uint64_t from, uint64_t to, uint64_t n)
{
    if (!s->seconds || from < s->seconds_from) s->seconds_from = from;
    if (!s->seconds || to >= s->seconds_to) s->seconds_to = to + 1;
    s->seconds += n;
}
enum { SECONDS_MANY = 1 << 18 }; // from this number on, merging pays off
/**
 * After a group has ended, only the smaller of its two readers of a cell is needed for a summary.
 * Keeps that one, and returns the pages of R2 to the system.
 */
void shadow_merge_seconds(struct race_shadow *s, const struct stamp_form *f);

/** Records that the chunk changed from rows to cells. */
static inline void shadow_opened(struct race_shadow *s, uint64_t chunk)
{
    if (!s->opened || chunk < s->opened_from) s->opened_from = chunk;
    if (!s->opened || chunk >= s->opened_to) s->opened_to = chunk + 1;
    s->opened++;
}

/** Takes a block of memory, or returns it; *size becomes the real size. NULL: no memory. */
void *shadow_take(size_t *size);
void shadow_give(void *p, size_t size);

// compressed_readers.c
/** `always`: compress any number of chunks. */
void compression_init(struct race_shadow *s, bool always);
void compression_deinit(struct race_shadow *s);
/** To be called between accesses, when `opened` reaches compress_at. */
void compress_now(struct race_shadow *s, const struct stamp_form *f);
/** Restores the readers of a compressed chunk in R1. */
void decompress(struct race_shadow *s, const struct stamp_form *f, uint64_t chunk);
/** Decompresses the readers of a chunk into an array. */
void read_compressed(const struct race_shadow *s, const struct stamp_form *f, uint64_t chunk,
                     uint32_t readers[CHUNK]);

// pattern.c
void pattern_work_out(struct race_pattern *p);
struct race_patterns *patterns_get(uint64_t interval);
void patterns_put(struct race_patterns *ps); // NULL is fine

// groups.c
/** The number of an epoch in the whole launch; `state` gives the generation. */
static inline uint64_t race_epoch_at(const struct race_worker *w, uint32_t state, uint64_t epoch)
{
    return (uint64_t)((state - w->first) / GENERATION) * (w->global.last_epoch + 1) + epoch;
}
/**
 * Makes a chunk have cells of this generation; stamps of earlier generations are retired into
 * summaries.
 */
void groups_enter(struct race_worker *w, struct race_shadow *s, uint64_t chunk);
/** To be called before these cells are used. */
static inline void groups_use_cells(struct race_worker *w, struct race_shadow *s, uint64_t cell,
                                    uint64_t n)
{
    for (uint64_t c = cell >> CHUNK_SHIFT; c <= (cell + n - 1) >> CHUNK_SHIFT; c++)
        if (s->state[c] != (w->state | 1)) groups_enter(w, s, c);
}
/**
 * Ends a generation inside a group: moves chunks with stamps of that group to the new generation
 * (`state`).
 */
void groups_renew(struct race_worker *w, struct race_shadow *s, uint32_t state);
/** Moves the stamps of earlier groups in the cells into summaries. */
void groups_retire(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n);
/** The same for scattered cells. */
void groups_retire_cells(struct race_worker *w, struct race_shadow *s, const uint64_t *cells,
                         unsigned n);
/** The set of classes that may have stamps in the shadow. */
static inline unsigned groups_classes(const struct race_shadow *s, uint64_t past)
{
    unsigned bits = 0;
    for (int p = 0; p < P_COUNT; p++) bits |= (unsigned)(s->newest[p] >= past) << race_class_of(p);
    return bits;
}
/**
 * For groups that run at once: spills the stamps of groups other than the item's, and restores
 * those of the item's group.
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
 * Spills the stamp in the plane, which belongs to another group than the current access; false: no
 * room.
 */
bool spill_put(struct race_worker *w, const struct race_shadow *s, uint64_t cell,
               enum race_plane p);
/** Restores the spilled stamps of the group there. */
void spill_take(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint32_t who);
/**
 * Restores a spilled writer in cells without one, so that the next work-item sees that there was a
 * writer.
 */
void spill_stay(struct race_worker *w, struct race_shadow *s, uint64_t cell, uint64_t n);
void spill_refined(struct race_worker *w, const struct race_shadow *s); // its cells were cut
void spill_forget(struct race_worker *w);

// exact.c
/**
 * The rules, lane by lane. The granularity of the shadow must fit the access.
 */
void same_refined(struct race_worker *w, const struct race_shadow *s); // its cells were cut
typedef void exact_fn(struct race_worker *w, struct race_space *sp, struct race_shadow *s,
                      const struct race_op *op, uint64_t to_object);
exact_fn exact_access;

/** Reports the races that an access here would have, and stores no stamp. */
exact_fn exact_look;
/** Stores stamps of an access of the group that precedes all accesses of its work-items. */
exact_fn exact_leave;

// interval_trace.c
/**
 * Does the access of a local object continue the cached trace? Then no further check is needed.
 */
bool trace_follows(struct race_worker *w, struct race_log *log, const struct race_op *op);
/** Records an access that did not, after the slow path; the log had `entries` entries before. */
void trace_note(struct race_log *log, const struct race_op *op, uint32_t entries);
/** Puts the matched accesses of the interval into the log, as if there were no cache. */
void trace_part(struct race_log *log);
/** The interval is over. */
void trace_over(struct race_log *log);
/** Forgets all traces: the cells have changed. */
void trace_forget(struct race_log *log);
void trace_deinit(struct race_log *log);

// access_memo.c: of global shadows
/**
 * Did an equal access in this interval change nothing, and has the shadow not changed since?
 */
bool memo_knows(const struct race_worker *w, struct race_shadow *s, const struct race_op *op);
/** Records the access. */
void memo_note(const struct race_worker *w, struct race_shadow *s, const struct race_op *op,
               bool changed);
/**
 * Reduces a uniform access to the lanes from the first to the last active one. False: no lane is
 * active.
 */
bool race_shorten(struct race_op *op);

// copies_in_flight.c
/** Checks an access of work-items against the copies in flight. */
void copies_access(struct race_worker *w, const struct race_op *op);
/** The group has ended: ends the copies in flight. */
void copies_left(struct race_worker *w);

// granularity.c
/** The object's shadow, created on first use; NULL: it cannot be created. */
struct race_shadow *race_shadow_of(struct race_worker *w, unsigned object);
/**
 * Makes the cells so small that offsets and sizes with these bits are multiples of them. False: no
 * memory.
 */
bool race_fit(struct race_worker *w, struct race_shadow *s, uint64_t bits);
/**
 * Accesses since the last fence that may touch bytes [first, end) of local memory are in its
 * shadow.
 */
void race_show_interval(struct race_worker *w, unsigned local, uint64_t first, uint64_t end);

// epochs.c
/** A group begins: all earlier accesses are those of other groups. */
void interval_group_begin(struct race_worker *w, uint64_t group);
/** The group passes a barrier with these fences (BC_FENCE_…). */
void interval_barrier(struct race_worker *w, unsigned fences);
/** The accesses of this interval will be repeated. */
void interval_given_up(struct race_worker *w);

// pairs.c
void pairs_add(struct race_launch *l, struct race_pairs *ps, const struct race_pair *p);
/** The identity of a pair: object, locations and verdict. */
void pairs_key(const struct race_pairs *ps, const struct race_pair *p, uint64_t out[4]);
/** May it lack the same barrier as other pairs of its key (object, verdict and severity)? */
bool pairs_share_cause(const struct race_pairs *ps, const struct race_pair *p);
uint64_t pairs_cause_key(const struct race_pair *p);
void pairs_deinit(struct race_pairs *ps);
/** Adds the pairs that the workers found. */
void pairs_unite(struct race_launch *l, struct race_pairs *ps);
/** As bytes for another process, and back. */
void pairs_put(const struct race_pairs *ps, struct str *out);
void pairs_get(const struct race_launch *l, struct race_pairs *ps, struct ser_reader *in);

// pair_report.c
void pairs_report(struct race_launch *l, struct race_pairs *ps);
#endif

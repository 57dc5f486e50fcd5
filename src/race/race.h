// SPDX-License-Identifier: MIT
#ifndef RACE_RACE_H
#define RACE_RACE_H
#include <stdbool.h>
#include <stdint.h>

/**
 * Data races by shadow memory. The interpreter makes one call for each executed memory instruction
 * of a gang, with the lanes' offsets, if the launch may write the object (local memory: always).
 * Theory and cell format: race.c.
 *
 * Each worker thread has a race_worker with a shadow of its own for global memory (no locks on the
 * way); race_launch_end compares the shadows of workers that touched the same page. Accesses by
 * different groups are never ordered, so nothing is lost and the result does not depend on timing.
 */
struct bits;
struct race_pair;
struct race_launch; // one a launch
struct race_worker; // one for each worker thread of the launch

enum { RACE_MAX_AT_ONCE = 1024 };
enum { RACE_BARRIERS = 63 }; // maximum, see race_barrier_uses
struct race_config {
    unsigned workers;
    uint64_t ngroups;
    unsigned group_items; // work-items of a full group
    bool copies;          // groups begin async copies; then at_once is 1
    /**
     * More than 1 (at most RACE_MAX_AT_ONCE): a worker runs so many groups at once, [n * at_once,
     * (n + 1) * at_once), which pass barriers together. race_group_begin gets n, and work-items of
     * all accesses are numbered on from the first of these groups.
     */
    unsigned at_once;
    unsigned nsites; // the numbers of sites are below this
    /**
     * By site: the number of its source location, by which reports are merged, and the number of
     * its statement. NULL: the site itself.
     */
    const uint32_t *site_of, *statement_of;
    /** By site: the most bytes of one of its accesses; NULL: not known. */
    const uint8_t *bytes_of;
    /**
     * Ordered launches, by number: the scope (enum bc_scope) of an atomic. NULL: every scope
     * includes all work-items that may use the atomic.
     */
    const uint8_t *scope_of;
    unsigned sub_group; // with scope_of: work-items of a sub-group
    unsigned nobjects;  // ids are below this
    /**
     * Reports a race. Called by race_launch_end only, once for each pair of locations (object, the
     * two sites, verdict and, for an async copy and an access, which came first). Neither the order
     * of calls nor the example depends on the distribution of groups over workers. RACE_SAME_VALUE
     * is left out for stores that are also in a pair of another verdict.
     */
    void (*found)(void *ctx, const struct race_pair *p);
    /**
     * May be NULL. Called in the worker's thread when that worker first sees a pair of locations.
     */
    void (*seen)(void *ctx, const struct race_pair *p);
    void *ctx;
    unsigned epoch_bits;  // 0: all available bits; tests use few (at least 3), so that stamps wrap
    bool exact;           // tests: check lane by lane, without vectorized loops
    bool compress_always; // tests: readers are compressed (compressed_readers.c) wherever possible,
                          // not only where they are many
    bool unmerged;        // tests: `seen` is called for every pair, not only for the first at its
                          // locations
    /**
     * The launch synchronizes through atomics: happens-before is followed by clocks (clocks.c)
     * instead of the shadow. All calls then come from one thread, in the order in which things
     * happen.
     */
    bool ordered;
    bool wide_scopes; // ordered launches: only legacy fences have a scope narrower than the device,
                      // and there are no barriers of sub-groups
    /**
     * Finds out which barriers are needed: the number of each, by the place that race_barrier_at
     * gets, from 1 to RACE_BARRIERS, or 0; NULL: not wanted. Only if at_once is 1, and not for
     * ordered launches. `barriers`: bit n - 1 is set for each number n.
     */
    const uint8_t *barrier_of;
    uint64_t barriers;
    bool apart; // ordered launches: there is local memory, and some atomic or fence is neither
                // sequentially consistent nor of OpenCL 1.x
};

/**
 * RACE_FENCE: no barrier between the two fences this space; `first` is the earlier one (a write: an
 * error; a read: a warning). RACE_SAME_VALUE: all unordered plain writes of these bytes stored the
 * same value; a reader belongs to it if it wrote that value itself in the same barrier interval
 * before it read. RACE_RELAXED (ordered launches): only the de-facto order of OpenCL 1.2 orders the
 * two, by a mem_fence or barrier and relaxed atomics; reported at most once a launch.
 */
enum race_verdict { RACE_DATA, RACE_FENCE, RACE_SAME_VALUE, RACE_RELAXED };

struct race_access {
    uint32_t site;  // its number
    uint64_t group; // linear group
    uint32_t item;  // linear local id; group_items: an async copy
    bool is_write, is_atomic;
    uint64_t barriers; // number of barriers that the group had passed; 0 if the two belong to
                       // different groups
};

/** RACE_RELAXED: the atomic that orders the two; site 0: not known. */
struct race_through {
    uint32_t site, object;
    uint64_t offset;
};

struct race_pair {
    struct race_through through;
    enum race_verdict verdict;
    unsigned object;                  // id
    uint64_t offset;                  // first racing byte
    unsigned size;                    // racing bytes
    struct race_access first, second; // second is the later one if an order was observed
    /**
     * The counts, for any number of racing work-items, set when reported. They are those of all
     * pairs of one cause: the object, the verdict, for RACE_FENCE whether `first` writes, and
     * `barrier` or that they race between groups. (Which of several pairs are seen at a location
     * depends on the order.) Pairs of RACE_RELAXED and of async copies are counted apart.
     * Pairs that race between work-groups count once for each location, and these are `between`;
     * `within`: work-items of one group race, too. Other pairs count once for each location and
     * barrier interval of a work-group. `in`: the `groups` groups with such an interval.
     */
    uint64_t count, between, groups;
    bool within;
    const struct bits *in;
    const struct bits *bytes; // set when reported, if one side reads: racing bytes of the object,
                              // except those that one statement updates (n++)
    uint32_t barrier;  // within one group: the number of the last barrier before the second; 0:
                       // none, or not known
    bool is_statement; // both belong to one statement, which reads and writes the bytes, and both
                       // races were seen
};

struct race_launch *race_launch_create(const struct race_config *c);
/** After all workers have ended: compares their shadows and reports the races. */
void race_launch_end(struct race_launch *l);
/**
 * Were cells of some worker's global shadow divided for smaller accesses? While workers run: until
 * now.
 */
bool race_was_refined(const struct race_launch *l);
/**
 * Which barriers order conflicting accesses (barrier_intervals.c), as bits n - 1 of their numbers
 * n; bit RACE_BARRIERS: all without a number.
 */
struct race_barrier_uses {
    bool is_cut;             // not everything was seen
    uint64_t passed, needed; // needed: no other orders some conflict
    uint64_t sets[64];       // of each set at least one is needed
    unsigned nsets;
};
/** After the end: adds those of the launch. */
void race_barriers_used(const struct race_launch *l, struct race_barrier_uses *to);
void race_barriers_add(struct race_barrier_uses *to, uint64_t set);
/** After the end: were accesses left unchecked because there was no memory for a shadow? */
bool race_launch_was_cut(const struct race_launch *l);
/**
 * After the end: which work-item wrote bytes of a watched global object last, if the shadow has it.
 * MIXED: more than one did, or it did not write all of them.
 */
struct race_last_writer {
    enum race_last { RACE_LAST_UNKNOWN, RACE_LAST_NONE, RACE_LAST_ITEM, RACE_LAST_MIXED } is;
    uint64_t group;
    uint32_t item;
};
struct race_last_writer race_last_writer(const struct race_launch *l, unsigned object,
                                         uint64_t offset, uint64_t size);
void race_launch_destroy(struct race_launch *l);

/**
 * A launch whose groups several processes share (divided.c). Its parts may be checked apart if no
 * byte that one writes is accessed by another: then all races are between groups of one part.
 */
struct str;
struct ser_reader;
struct race_uses; // the bytes of global memory that parts of the launch write and access
/** After all workers have ended. Conservative beyond RACE_MOST_INTERVALS intervals of an object. */
enum { RACE_MOST_INTERVALS = 1 << 18 };
struct race_uses *race_uses_of(struct race_launch *l);
void race_uses_destroy(struct race_uses *u);
/** The memory that it needs. */
uint64_t race_uses_bytes(const struct race_uses *u);
/** Is some watched byte accessed by atomics? Then parts must not be checked apart. */
bool race_uses_atomics(const struct race_uses *u);
void race_uses_put(const struct race_uses *u, struct str *out);
/**
 * Adds the uses of another part. False: it conflicts with an earlier part, in *object.
 */
bool race_uses_add(struct race_uses *u, struct ser_reader *in, unsigned *object);
/**
 * Instead of race_launch_end: the races within this part and those that it has taken, for
 * race_launch_take of another part.
 */
void race_launch_put(struct race_launch *l, struct str *out);
/** Before race_launch_end: it reports these, too. */
void race_launch_take(struct race_launch *l, struct ser_reader *in);

/**
 * Declares a watched object. Every root allocation that the launch may write gets one shadow; ids
 * that share the root (aliasing arguments, sub-buffers) name the same shadow at an offset.
 * `granularity` is the size (1, 2, 4, 8) of which all expected accesses are multiples; other
 * accesses refine it. All objects must be declared before the first group begins; accesses to other
 * objects are ignored.
 */
void race_watch_global(struct race_launch *l, unsigned object, const void *root, uint64_t offset,
                       uint64_t size, unsigned granularity);
/**
 * Declares that the watched object is an image: only barriers that fence images order accesses to
 * it.
 */
void race_is_image(struct race_launch *l, unsigned object);
/**
 * Ordered launches: the object has no plain accesses, so it cannot race; the launch follows the
 * order that its atomics establish. The object is already watched.
 */
void race_follow(struct race_launch *l, unsigned object);
/**
 * Declares a local object, with the same size for every group of the launch. If groups run at once,
 * that of the k-th begins at offset k * race_local_step(size).
 */
void race_watch_local(struct race_launch *l, unsigned object, uint64_t size, unsigned granularity);
static inline uint64_t race_local_step(uint64_t size) { return (size + 7) & ~7ull; }

struct race_worker *race_worker_get(struct race_launch *l, unsigned worker);

/** A group begins on this worker. `group` is its linear index; see race_config.at_once. */
void race_group_begin(struct race_worker *w, uint64_t group);
/**
 * The races found until now, for a debugger that returns to an earlier state: races that were new
 * since will be new again (and are reported at the end even if they do not recur). All accesses
 * since the last barrier must be repeated; their old stamps count as ordered before them. Going
 * back destroys the mark.
 */
struct race_mark;
struct race_mark *race_mark(const struct race_worker *w);
void race_mark_destroy(struct race_mark *m); // NULL does nothing
bool race_found_since(const struct race_worker *w, const struct race_mark *m);
void race_go_back(struct race_worker *w, struct race_mark *m);
/**
 * The group passed a barrier that fences the named spaces (enum bc_fence bits) in `scope` (enum
 * bc_scope).
 */
void race_barrier(struct race_worker *w, unsigned fences, unsigned scope);
/** The number of that barrier, for race_pair.barrier. */
void race_barrier_at(struct race_worker *w, uint32_t place);

enum race_shape { RACE_UNIFORM, RACE_CONTIGUOUS, RACE_INDEXED, RACE_ELEMENTS };
/**
 * One executed access of n lanes. Lane i is work-item first_item + i of the group. UNIFORM: every
 * active lane accesses bytes offset0 .. offset0+size-1 of the object; CONTIGUOUS: lane i accesses
 * those at offset0 + i * size (all n lanes active, mask NULL); INDEXED: at offsets[i]; ELEMENTS: at
 * (element0 + elements[i]) << element_shift, a faster form of INDEXED (the sums, modulo 2^32, are
 * less than 2^31). mask: 0xff active, 0 not; NULL: all are. All accesses are inside the object
 * (failing lanes are masked off). An atomic read-modify-write is a write. Calls come in the order
 * in which the worker runs the accesses.
 */
struct race_op {
    uint32_t site;
    unsigned object;
    bool is_write, is_atomic;
    enum race_shape shape;
    unsigned size; // bytes of each lane's access
    uint64_t offset0;
    const uint64_t *offsets;
    const uint32_t *elements;
    uint32_t element0;
    unsigned element_shift;
    /**
     * ELEMENTS: the id of the layout of the lanes, or 0. Calls with the same layout and layout_lane
     * have the same elements[i] - elements[0] for all lanes, active or not, and all of these are
     * inside the object.
     */
    uint64_t layout;
    uint32_t layout_lane;
    const uint8_t *mask;
    uint32_t first_item, n;
    const void *values; // writes: the value each lane stores (`size` bytes a lane, packed, aligned
                        // to the granularity), or NULL if unknown
};
/** The first byte of lane i's access, in the object. */
static inline uint64_t race_offset_of(const struct race_op *op, uint32_t i)
{
    switch (op->shape) {
    case RACE_UNIFORM: return op->offset0;
    case RACE_CONTIGUOUS: return op->offset0 + (uint64_t)i * op->size;
    case RACE_ELEMENTS: return (uint64_t)(op->element0 + op->elements[i]) << op->element_shift;
    default: return op->offsets[i];
    }
}
void race_local(struct race_worker *w, const struct race_op *op);
void race_global(struct race_worker *w, const struct race_op *op);

/**
 * One side of an async copy (copies_in_flight.c): `count` elements of `size` bytes, `step` bytes
 * from one to the next, all inside the object. The copy is in flight from race_copy_begin until
 * race_copy_end, or until the group has ended.
 */
struct race_copy_side {
    uint32_t site;
    unsigned object, size;
    uint64_t offset, step, count;
};
struct race_copy {
    uint32_t id;    // the group's own
    uint32_t items; // of the group that begin it. If it is one, its earlier accesses are ordered
                    // before the copy
    struct race_copy_side from, to;
};
enum {
    RACE_MAX_COPIES = 128
}; // in flight in a group; further ones are not checked, and the launch counts as cut
void race_copy_begin(struct race_worker *w, const struct race_copy *c);
void race_copy_end(struct race_worker *w, uint32_t id);
/**
 * When a state of the group is restored: no copy is in flight; then one call for each copy in
 * flight.
 */
void race_copies_forget(struct race_worker *w);
void race_copy_goes_on(struct race_worker *w, const struct race_copy *c);

// ---- ordered launches only

/** Work-items first + i of a group, for i below n where mask[i]. */
struct race_sub_group {
    uint32_t first, n;
    const uint8_t *mask;
};
/**
 * A barrier of a sub-group, in a launch that synchronizes; otherwise like race_barrier.
 */
void race_sub_group_barrier(struct race_worker *w, const struct race_sub_group *items,
                            unsigned fences, unsigned scope);

/**
 * A fence of one work-item: enum bc_fence bits, bc_order and bc_scope; `legacy`: mem_fence,
 * read_mem_fence or write_mem_fence.
 */
struct race_fence_op {
    unsigned fences, order, scope;
    bool legacy;
};
void race_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f);

/**
 * An atomic access of one work-item, after its execution; replaces race_local and race_global. A
 * compare-and-exchange that failed only reads; an RMW reads and writes.
 */
struct race_atomic_op {
    uint32_t site, item;
    unsigned object, size;
    uint64_t offset;
    bool reads, writes;
    unsigned order, scope; // enum bc_order, bc_scope
};
void race_atomic(struct race_worker *w, const struct race_atomic_op *op);

/**
 * An atomic that other work-items see later than it runs. The order that atomics at a location make
 * is in its current record. Before the atomic runs, race_fork makes a copy of this record current
 * and returns the original; then race_switch makes the original current again, and the copy when
 * others see the atomic. It returns the record that was current. race_drop frees one that is no
 * longer used. In launches that are not ordered, and for objects that are not watched, there are no
 * records.
 */
#define RACE_NO_RECORD UINT32_MAX
uint32_t race_fork(struct race_worker *w, unsigned object, uint64_t offset);
uint32_t race_switch(struct race_worker *w, unsigned object, uint64_t offset, uint32_t to);
void race_drop(struct race_worker *w, uint32_t record);
#endif

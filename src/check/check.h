// SPDX-License-Identifier: MIT
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H
#include "bytecode/bytecode.h"
#include "race/race.h"
#include "report/finding.h"

/**
 * Makes findings from events of the interpreter: texts, locations, work-items and objects. Depends
 * on the module and the launch, but not on the interpreter.
 */
enum { CHK_MAX_CALLS = 16 };

/**
 * A call path from the kernel to a function: a call, and the path of its caller. [0] is the kernel.
 */
struct chk_path {
    uint32_t caller, loc;
};

/** The data of a launch that checks need. */
struct chk_launch {
    const struct bc_module *module;
    const struct bc_kernel *kernel;
    uint32_t inherited; // arguments of another kernel, whose objects come before its own
    struct rep_session *rep;
    uint64_t number;
    const char *host_site;
    uint64_t schedule;         // its number; 0: the default order
    const uint32_t *late_site; // under a schedule: the site of an atomic that another work-item saw
                               // late, or 0
    uint64_t global[3], local[3], offset[3], grid[3];
    unsigned dims;
    const struct chk_object *objects; // by id
    void (*on_finding)(void *ctx,
                       const struct rep_finding *f); // NULL, or called for every finding in
                                                     // addition
    void *on_finding_ctx;
    struct bits *raced; // by id: bytes that race with a write that comes before their read in the
                        // program, set by chk_report_race; [0]: of any
    bool *stored_undefined; // by id: the launch stored undefined values there, which count as never
                            // written; NULL: not known
    bool synchronizes, global_atomics; // as in struct vm_code: atomics order other memory; groups
                                       // share atomics
    bool scoped_atomics;               // as in struct vm_code: there are atomics of OpenCL C 2.0
    bool copies;                       // the kernel begins async copies
    bool sub_barriers; // the launch synchronizes only by barriers of sub-groups, without atomics
    uint32_t nobjects;
    uint32_t items; // of a full group; in a race, larger numbers are its async copies
    // By race_access.site: the site of the module, and its call path. NULL: the site itself
    const uint32_t *race_site, *race_path;
    const struct chk_path *paths;
    struct chk_left { // by loc: async copies without a wait, which are reported without their races
        bool is_left, is_write;
        uint32_t used; // the first location that read or (is_write) wrote their bytes while they
                       // were in flight; 0: none
    } *left;
};

/** The pixel layout of an object; pixel 0: not an image. */
struct chk_image {
    uint64_t size[3], layers, row_pitch, slice_pitch;
    uint8_t pixel; // bytes
    uint8_t ndims; // without the layers
    bool is_array;
};

/** A memory object of the launch, in terms of the user's program. */
struct chk_object {
    const char *name;   // in the source, or NULL
    const char *memory; // "local memory", "global memory", …
    const char *origin; // "created at main.c:31", or NULL
    const char *release,
        *released; // for freed memory: "clSVMFree"; "called at main.c:40", or NULL
    uint64_t size;
    uint32_t loc; // declaration, or 0
    bool is_null_arg, is_arg;
    const void *value; // the value of a by-value argument (bc_arg.size bytes); otherwise NULL
    struct chk_image image;
    struct chk_packets { // of a pipe: bytes of a packet, their maximum number, offset of the first
        uint32_t size, most, data;
    } packets;        // size 0: it is not a pipe
    const void *root; // of a buffer argument: identity of its memory, and the offset in it;
                      // otherwise NULL
    uint64_t root_at;
    struct chk_part {       // of a sub-buffer: its offset in the buffer,
        uint64_t from, of;  // and the size of the buffer; 0: not a sub-buffer
        const char *origin; // of the buffer, or NULL
    } part;
};

struct chk_item {
    uint64_t group; // linear
    uint32_t item;  // linear in the group
};

/** A location in the program: a loc, and the locs of the calls that led to it (innermost first). */
struct chk_where {
    uint32_t loc;
    const uint32_t *calls;
    unsigned ncalls;
};

/** The location of a loc, with inlined and other calls that led to it. */
struct rep_place chk_place(const struct chk_launch *l, struct arena *a, struct chk_where where);

/** Is it in a function of pipes (frontend/pipes.cl)? */
bool chk_in_library(const struct chk_launch *l, struct chk_where where);

/** A run-time check: a row of faults.def. */
enum chk_fault_kind {
    CHK_NO_FAULT,
#define FAULT(name, ...) CHK_##name,
#include "check/faults.def"
};

/** What is wrong with a device-side enqueue, or an event of one. */
enum chk_enqueue_error {
    CHK_RETAINS,
    CHK_RELEASES,
    CHK_SETS,
    CHK_PROFILES,
    CHK_TOO_DEEP,
    CHK_TOO_MANY
};

/** An error of an instruction in one lane, filled in by the detector. */
struct chk_fault {
    enum chk_fault_kind kind;
    uint32_t site;   // of the access; 0 for arithmetic
    uint32_t object; // id
    const struct bc_insn *insn;
    union chk_fault_detail { // by kind; `access` unless faults.def specifies another one
        struct {
            int64_t offset; // in the object
            uint64_t size;  // bytes
            uint64_t owner; // FOREIGN: whose memory it is, a linear number of a work-item or
                            // work-group; UINT64_MAX: one of another launch
        } access;
        struct {              // of an image
            int32_t at[3];    // the third is the layer of an array
            bool is_filtered; // a linear filter reads it
        } pixel;
        struct {
            int64_t at;
            uint64_t count; // number of elements or components
        } index;
        struct {
            int64_t distance; // from source to destination
            uint64_t size;
        } overlap;
        enum chk_enqueue_error enqueue;
        bool was_waited_for; // a work-item waited for the event before; otherwise no copy returned
                             // it
        struct {
            uint32_t first, items; // of the sub-group
            uint32_t here;         // one bit for each of its work-items
        } sub_group;
        struct {
            uint32_t items, most; // of the sub-group; of a full one
        } partial;
        struct {
            int64_t id;     // BC_NO_ID: not known
            uint64_t items; // of the group
            bool of_sub_group;
        } broadcast;
        int64_t divisor;
        double value;           // the converted value
        struct chk_origin {     // of an undefined value: bytes of `object`, or (0) a variable
            uint32_t name, loc; // name 0: a function of the sub-group
            uint64_t offset, size;
            bool rewritten; // it passed through other memory, and the bytes are not known
        } origin;
    } detail;
};

/**
 * The last writers of elements of an object, around the end that an access missed, or around bytes
 * that were never written. NEVER: the bytes were never written at all; BEFORE: not in this launch.
 */
enum { CHK_MOST_ELEMENTS = REP_MAX_ELEMENTS };
struct chk_writers {
    bool at_access;       // as it was then; otherwise at the end of the group or launch
    uint32_t n;           // elements; 0: nothing is known
    uint64_t first, unit; // the first one's offset; bytes of each
    struct chk_written {
        enum chk_by {
            CHK_BY_UNKNOWN,
            CHK_NEVER,
            CHK_BEFORE,
            CHK_BY_ITEM,
            CHK_BY_COPY,
            CHK_MIXED
        } by;
        struct chk_item item;
    } of[CHK_MOST_ELEMENTS];
};
/**
 * Chooses the elements that a picture of the fault shows: n, first and unit, which is at least
 * `least`, a power of two.
 */
void chk_writers_choose(struct chk_writers *w, const struct chk_fault *f, uint64_t object_size,
                        unsigned least);

/** A fault at one location, with counts. */
struct chk_fault_record {
    struct chk_fault fault; // the example
    struct chk_where where;
    struct chk_item item;
    uint64_t count;                    // times
    const struct bits *groups;         // in these work-groups
    const struct bits *bytes;          // for undefined values: the counted bytes of the object
    const struct chk_writers *writers; // NULL: not wanted
};
void chk_report_fault(const struct chk_launch *l, const struct chk_fault_record *r);

/** Work-items of a divergent group that are at one barrier, or have returned. */
struct chk_party {
    bool at_barrier; // otherwise they have returned
    enum bc_barrier kind;
    uint32_t loc; // of the barrier
    uint32_t count;
    const uint8_t *members;     // [linear local id]: not 0
    uint32_t first;             // smallest
    const uint32_t *iterations; // of the enclosing loops, innermost first
    const uint32_t *loop_locs;
    unsigned nloops;
};
/** A branch at which work-items diverged. */
struct chk_divergence_point {
    uint32_t loc;      // of its condition
    bool is_case;      // one case of a switch, the one for `value`
    bool is_last_case; // and the missing work-items tested no further case
    uint64_t value;
    uint8_t *yes, *no;                // [linear local id]: work-items for which the condition was
                                      // true; false
    const struct bc_insn *comparison; // the comparison of the condition, or NULL
    uint64_t *operand[2];             // its operands, [linear local id], as bits
};
struct chk_divergence {
    uint64_t group;
    uint32_t items; // of the group
    uint32_t shape[3];
    const struct chk_party *parties; // sorted: the largest at a barrier first, those that returned
                                     // last
    unsigned nparties;
    const struct chk_divergence_point *partings;
    unsigned npoints;
};
void chk_report_divergence(const struct chk_launch *l, const struct chk_divergence *d);
/**
 * An argument that differs between work-items of a group although it must not. FLAGS: of a barrier,
 * with its scope, as BC_BARRIER in ops.def defines: a warning. Values: pointers are tagged
 * pointers; an event is 0 or not 0.
 */
struct chk_argument {
    enum chk_argument_kind {
        CHK_ARG_FLAGS,
        CHK_ARG_EVENTS,
        CHK_ARG_EVENT_LIST,
        CHK_ARG_TO,
        CHK_ARG_FROM,
        CHK_ARG_COUNT,
        CHK_ARG_STRIDE,
        CHK_ARG_EVENT,
        CHK_ARG_ID,
        CHK_ARG_POINTER,     // of a block access
        CHK_ARG_COORDINATES, // likewise: an int2
    } what;
    enum bc_barrier kind;
    bool sub_group; // of a sub-group function
    uint32_t loc;
    struct chk_item item[2]; // examples, with their
    uint64_t value[2];
};
void chk_report_argument(const struct chk_launch *l, const struct chk_argument *g);

/** Lanes wait at `where` for something that no other lane will do. */
void chk_report_no_progress(const struct chk_launch *l, struct chk_where where,
                            struct chk_item item, uint64_t waiting);
/**
 * A loop never ends: the lanes returned to an earlier state and wrote nothing in between, or the
 * loop has no exit. TIMEOUT: they did nothing else for `limit` instructions. The launch ends there,
 * and is counted as cut.
 */
enum chk_livelock {
    CHK_LIVELOCK_STATE,
    CHK_LIVELOCK_CLOSED,
    CHK_LIVELOCK_TIMEOUT,
    CHK_LIVELOCK_BARRIERS
};
void chk_report_livelock(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                         enum chk_livelock why, uint64_t limit);
void chk_report_limit(const struct chk_launch *l, uint64_t limit);
/** Gives the session the lines of a checked function of the kernel. */
void chk_checked_lines(const struct chk_launch *l, const struct bc_fn *fn);
void chk_report_printf(const struct chk_launch *l, struct chk_where where, struct chk_item item,
                       const char *what);

/** ctx of race_config.found: a struct chk_launch. */
void chk_report_race(void *ctx, const struct race_pair *p);
/**
 * A buffer, image (with channels of pixels as elements) or program-scope variable that differs: its
 * first different element, as text, and the numbers of different and of all elements. KNOWN: item
 * wrote it last, at loc.
 */
struct chk_mismatch {
    const char *name;
    uint64_t element, count, total;
    const char *checked, *native;
    bool is_pixel;
    enum chk_writer { CHK_WRITER_UNKNOWN, CHK_WRITER_NONE, CHK_WRITER_KNOWN } writer;
    struct chk_item item;
    uint32_t loc; // or 0
};
void chk_report_mismatch(const struct chk_launch *l, const struct chk_mismatch *x);

#endif

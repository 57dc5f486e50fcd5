// SPDX-License-Identifier: MIT
#ifndef INTERP_VM_H
#define INTERP_VM_H
#include "base/err.h"
#include "bytecode/bytecode.h"
#include "interp/images/pixel.h"
#include "report/finding.h"

#include <pthread.h>
#include <stdatomic.h>

/**
 * The engine: runs one launch of a kernel over gangs of lanes, on worker threads, and reports
 * findings.
 *
 * vm_program holds what is shared by all launches of a module (decoded code, constant objects,
 * program-scope variables); vm_run does a launch and returns when it is done. vm_run may be called
 * from several threads at once, also for one program.
 */
struct vm_program;
struct vm_program *vm_program_create(const struct bc_module *m,
                                     struct err **e); // borrows m for its lifetime; NULL: no memory
                                                      // for its variables; e: may be NULL
void vm_program_destroy(struct vm_program *p);
const struct bc_module *vm_program_module(const struct vm_program *p);
/** Where the storage of a constant or program-scope object is; between launches only. */
char *vm_program_object(struct vm_program *p, uint32_t object);

/** Which bytes of a root allocation were ever written: 0 never. Kernels that write some note it. */
struct vm_written {
    uint8_t *bytes;   // of the root, one each
    uint64_t missing; // how many are 0
    bool whole; // all were written at a stroke, and bytes and missing do not say so: no page of
                // them was touched for it
};
static inline bool vm_lacks_bytes(const struct vm_written *w)
{
    return w && !__atomic_load_n(&w->whole, __ATOMIC_RELAXED) &&
           __atomic_load_n(&w->missing, __ATOMIC_RELAXED);
}

/** Which bytes of a root allocation work-items touched: 1 where one did. */
enum vm_touch {
    VM_TOUCH_READ,
    VM_TOUCH_WRITE,
    VM_TOUCH_ATOMIC_READ,
    VM_TOUCH_ATOMIC_WRITE,
    VM_TOUCHES
};
struct vm_touched {
    uint8_t *by[VM_TOUCHES];
    bool any[VM_TOUCHES]; // those in which there is a 1: the others were never looked at
    bool refused;         // there is no memory for it
};
/**
 * A module's program-scope variables have one map; there each begins after those before it, and a
 * byte: this is what one takes.
 */
static inline uint64_t vm_variable_room(const struct bc_object *o)
{
    return o->kind == BC_OBJ_PROGRAM ? o->size + 1 : 0;
}

/** Memory that the host gave to the kernel. Borrowed for the launch. */
struct vm_buffer {
    void *host;                 // first byte of the root allocation; NULL for a NULL argument
    uint64_t root_size;         // bytes
    uint64_t offset, size;      // the part that the kernel may use (a sub-buffer), inside the root
    const void *root;           // identity of the root allocation: equal roots are the same memory
    bool read_only, write_only; // as CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY
    bool is_foreign;    // memory of the app (CL_MEM_USE_HOST_PTR): never written if it is read-only
    bool is_svm;        // shared virtual memory: pointers are addresses of the app
    uint64_t address;   // of the root: where `host` is, or was in the app whose launch is repeated
    const char *origin; // "created at main.c:31", or NULL
    bool is_part;       // a sub-buffer; its buffer was
    const char *root_origin; // this, or NULL
    struct vm_written
        *written; // of the root: what the host and kernels have written; NULL: everything
    struct vm_touched *touched; // of the root, to be filled; NULL: not wanted
};

/** The last writer of a byte of a root allocation. A launch without the race check fills it in. */
struct vm_writer {
    const void *root; // or a program-scope variable's storage
    uint64_t offset;  // of the byte, in the root
    bool found;       // then:
    uint64_t group;   // linear
    uint32_t item;    // linear in the group
    uint32_t loc;     // of the write
};

/**
 * How the memory of a buffer is an image: pixel (x, y, z or layer) at z * slice_pitch + y *
 * row_pitch + x * pixel.
 */
struct vm_image {
    struct vm_pixel_format format;
    uint64_t size[3]; // width, height, depth; 1 where the image has no such dimension
    uint64_t layers;  // of an array, else 1
    uint64_t row_pitch, slice_pitch;
    uint8_t ndims; // 1..3, without the layers
    bool is_array;
};

struct vm_arg {
    const void *value; // VALUE, STRUCT: bc_arg.size bytes; SAMPLER: 8, its number (enum bc_image)
    struct vm_buffer buffer; // BUFFER, IMAGE
    struct vm_image image;   // IMAGE
    uint64_t local_size;     // LOCAL: bytes
};

enum vm_check {          // bits; checks that rep_wants disables are off too
    VM_CHECK_BOUNDS = 1, // switched off, accesses outside still never reach foreign memory
    VM_CHECK_RACES = 2,
    VM_CHECK_DIVERGENCE = 4,
    VM_CHECK_ARITH = 8,
    VM_CHECK_UNINIT = 16,
    VM_CHECK_ALL = 31,
};

/** Shared virtual memory that was freed: what still points there is reported so. */
struct vm_gone {
    uint64_t address, size;
    const char *origin, *call,
        *called; // "created at main.c:31", or NULL; "clSVMFree"; "called at main.c:40", or NULL
};

/** An order of work-items other than the usual one: see interleave.c. */
struct vm_schedule {
    uint64_t number;  // from 1 on
    uint64_t limit;   // instructions of work-items; 0: none
    bool gave_up;     // set when there were more
    bool is_repeated; // the launch ran in the usual order before: findings name this one
    bool *conflicts;  // by site of the module: set for atomics that came to a place together with
                      // those of other work-items; or NULL
};

/**
 * Another engine, which may take over work-groups that have not begun. Both functions are called
 * by worker threads, `is_ready` before each group.
 */
struct vm_takeover {
    void *ctx;
    bool (*is_ready)(void *ctx, uint64_t groups);         // how many groups this worker has run
    bool (*run)(void *ctx, uint64_t first, uint64_t end); // linear group numbers; false: no memory
};

struct vm_launch {
    struct vm_program *program;
    const struct bc_kernel *kernel;
    unsigned dims;                           // 1..3
    uint64_t offset[3], global[3], local[3]; // in work-items; unused dimensions: 0, 1, 1.
                                             // Non-dividing sizes are allowed: the last group of a
                                             // dimension is smaller
    const struct vm_arg *args;               // kernel->nargs
    const struct vm_buffer *
        svm; // shared virtual memory that the kernel may reach, by ascending `address`; whole roots
    uint32_t nsvm;
    const struct vm_gone *gone; // none where memory of `svm` is now
    uint32_t ngone;
    unsigned checks;    // enum vm_check
    unsigned threads;   // worker threads, at least 1
    unsigned sub_group; // work-items of a sub-group: a power of two up to 32; 0: 32
    unsigned gang;      // lanes of a gang; 0: the engine chooses (tests use 1, 8, 64, 256)
    struct rep_session *rep;
    uint64_t number; // launch number, 1-based
    const char *host_site;
    FILE *out;                  // where printf goes
    volatile int *cancel;       // set to nonzero to end the launch early; may be NULL
    uint64_t instruction_limit; // lane-instructions for the launch; 0 none
    uint64_t livelock_limit;    // instructions of a gang in which it writes nothing that others can
                                // see; 0 none
    struct vm_schedule
        *schedule;        // NULL: the usual order. Then one thread runs it, in gangs of one lane
    uint64_t *lane_insns; // how many it ran; NULL: not wanted
    const struct vm_takeover *takeover; // or NULL
    bool *is_clean; // whether it was completed, nothing at all was found, no undefined value was in
                    // a register, and no check was cut short; NULL: not wanted
    const struct vm_debugger *debugger; // NULL: none
    struct vm_writer *writer;           // NULL: not wanted
    struct vm_touched *variables;       // of the program, to be filled; the same
    struct vm_coverage *coverage; // of the module: counts are added; NULL: not wanted. Nothing is
                                  // counted under a schedule or a debugger
};

/**
 * A debugger runs the work-groups itself, a work-item at a time, by the functions of
 * interp/stepping/step.h: gangs have one lane then, and all is done in the launching thread.
 * Without one nothing of this costs anything.
 */
struct vm_run;
struct vm_group;
struct vm_gang;
struct vm_fault_record;
struct race_pair;
struct vm_debugger {
    void *ctx;
    void (*begin)(void *ctx, struct vm_run *run);
    /** As vm_group_run: until the group is done or only waits for others; whether it is done. */
    bool (*run_group)(void *ctx, struct vm_group *grp);
    /**
     * Under vm_launch.schedule instead of run_group: the group has begun; runs what the work-item
     * does next, the first of an instruction if it begins.
     */
    void (*group_begins)(void *ctx, struct vm_group *grp);
    void (*step)(void *ctx, struct vm_group *grp, uint32_t item, bool begins);
    void (*end)(void *ctx, struct vm_run *run);
    /** A work-item did something wrong just now; `first`: what is new at this place. */
    void (*fault)(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first);
    void (*race)(void *ctx, struct vm_run *run, const struct race_pair *p);
    /**
     * While work-items run together (fast_forward_run.h): somebody wants something, or a breakpoint
     * is planted here; true: give up.
     */
    bool (*fast_forward_look)(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
    /** The same: the active lanes are about to write to memory that is not private. */
    void (*fast_forward_write)(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
    /**
     * The same: all of the group (as the gangs that run see it) are at a barrier; false: they are
     * to go no further.
     */
    bool (*fast_forward_met)(void *ctx, struct vm_group *grp);
    const atomic_int *attention; // not 0: somebody wants something
};

/** How the addresses of an access's lanes lie; strided: at any other constant distance. */
enum vm_class {
    VM_CLASS_UNIFORM,
    VM_CLASS_CONTIGUOUS,
    VM_CLASS_STRIDED,
    VM_CLASS_GATHER,
    VM_CLASSES
};
enum vm_count_space {
    VM_COUNT_GLOBAL,
    VM_COUNT_LOCAL,
    VM_COUNT_PRIVATE,
    VM_COUNT_CONSTANT,
    VM_COUNT_SPACES
};
struct vm_stats {
    uint64_t insns, lane_insns; // dispatched; times active lanes
    uint64_t slots;             // dispatched, times all lanes of the gang
    uint64_t groups;
    uint64_t accesses[VM_COUNT_SPACES]
                     [VM_CLASSES]; // loads, stores and atomic operations, of active lanes
    uint64_t cpu_ns,
        race_ns; // CPU time of the workers; how much of it the race check took (an estimate)
};
void vm_stats_add(struct vm_stats *to, const struct vm_stats *s);

/** How often a block ran, by work-items of checked launches. */
struct vm_block_count {
    uint64_t items; // work-items that entered it, each time
    uint64_t yes;   // if it ends with CBR: those that went to its first target
    uint64_t split; // launches in which work-items of one group went both ways at once
};
/**
 * Trips through a loop: of the work-items that entered it, how many made at least one, and at least
 * two. Not counted where lanes may part (bc_fn.may_part).
 */
struct vm_loop_count {
    uint64_t entered, once, twice;
};
/** What ran of a module, summed over launches. */
struct vm_coverage {
    pthread_mutex_t lock;               // guards the counts
    uint32_t *first_block, *first_loop; // by function of the module: where its own begin
    uint32_t nblocks, nloops;
    struct vm_block_count *blocks;
    struct vm_loop_count *loops;
    uint64_t fresh; // raised when a block or direction ran for the first time
};
struct vm_coverage *vm_coverage_create(const struct bc_module *m);
void vm_coverage_destroy(struct vm_coverage *c); // NULL: does nothing

/**
 * Whether atomics of the kernel may make the order of work-items observable. Anything else that
 * does so is a data race, which is found in any order.
 */
bool vm_order_matters(const struct vm_launch *l);
/** The schedules that a launch runs under. Zeroed, except `conflicts`: see struct vm_schedule. */
struct vm_schedules {
    bool *conflicts;
    uint64_t n, directed, random;
};
/**
 * The number of the next schedule, after all earlier ones have run. Schedules that reverse the
 * conflicts seen so far have random ones in between.
 */
uint64_t vm_schedule_next(struct vm_schedules *p, const struct bc_module *m);
/**
 * Returns an error if cldbg cannot run the launch, for example for lack of memory. Errors of the
 * kernel go to l->rep. If st is NULL, nothing is counted.
 */
struct err *vm_run(const struct vm_launch *l, struct vm_stats *st);
#endif

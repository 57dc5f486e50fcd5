// SPDX-License-Identifier: MIT
#ifndef INTERP_VM_H
#define INTERP_VM_H
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "bytecode/bytecode.h"
#include "interp/enqueued.h"
#include "interp/images/pixel.h"
#include "race/race.h"
#include "report/finding.h"

#include <pthread.h>
#include <stdatomic.h>

/**
 * The interpreter: runs one launch of a kernel over gangs of lanes, on worker threads, and reports
 * findings.
 *
 * vm_program holds what is shared by all launches of a module (decoded code, constant objects,
 * program-scope variables); vm_run executes a launch and returns when it is complete. vm_run may be
 * called from several threads at once, also for one program.
 */
struct vm_program;
struct vm_program *vm_program_create(const struct bc_module *m,
                                     struct err **e); // borrows m for its lifetime; NULL: no memory
                                                      // for its variables; e: may be NULL
void vm_program_destroy(struct vm_program *p);
const struct bc_module *vm_program_module(const struct vm_program *p);
/** The storage of a constant or program-scope object; between launches only. */
char *vm_program_object(struct vm_program *p, uint32_t object);

/** The bytes of a root allocation that were ever written (0: never). Launches update it. */
struct vm_written {
    uint8_t *bytes;   // one for each byte of the root
    uint64_t missing; // number of zeros in `bytes`
    bool whole; // all bytes were written at once; `bytes` and `missing` were not updated, to avoid
                // touching their pages
};
static inline bool vm_lacks_bytes(const struct vm_written *w)
{
    return w && !__atomic_load_n(&w->whole, __ATOMIC_RELAXED) &&
           __atomic_load_n(&w->missing, __ATOMIC_RELAXED);
}

/** The bytes of a root allocation that work-items touched (1). */
enum vm_touch {
    VM_TOUCH_READ,
    VM_TOUCH_WRITE,
    VM_TOUCH_ATOMIC_READ,
    VM_TOUCH_ATOMIC_WRITE,
    VM_TOUCHES
};
struct vm_touched {
    uint8_t *by[VM_TOUCHES];
    bool any[VM_TOUCHES]; // the maps that contain a 1; the others were never touched
    bool refused;         // there is no memory for the maps
};
/**
 * The bytes of a program-scope variable in the common map of a module's variables, with a
 * separating byte.
 */
static inline uint64_t vm_variable_room(const struct bc_object *o)
{
    return o->kind == BC_OBJ_PROGRAM ? o->size + 1 : 0;
}

/** A memory argument from the host. Borrowed for the launch. */
struct vm_buffer {
    void *host;                 // first byte of the root allocation; NULL for a NULL argument
    uint64_t root_size;         // bytes
    uint64_t offset, size;      // the part that the kernel may use (a sub-buffer), inside the root
    const void *root;           // identity of the root allocation: equal roots are the same memory
    bool read_only, write_only; // CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY
    bool is_foreign;    // memory of the app (CL_MEM_USE_HOST_PTR): never written if it is read-only
    bool is_svm;        // shared virtual memory: pointers are addresses of the app
    uint64_t address;   // of the root: the address of `host`, or its address in the app whose
                        // launch is repeated
    const char *origin; // "created at main.c:31", or NULL
    bool is_part;       // a sub-buffer of a buffer with root_origin
    const char *root_origin;    // "created at main.c:30" of its buffer, or NULL
    struct vm_written *written; // of the root: bytes written by host and kernels; NULL: all
    struct vm_touched *touched; // of the root, to be filled in; NULL: not needed
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
 * The image layout of a buffer: pixel (x, y, z or layer) at z * slice_pitch + y * row_pitch + x *
 * pixel.
 */
struct vm_image {
    struct vm_pixel_format format;
    uint64_t size[3]; // width, height, depth; 1 for missing dimensions
    uint64_t layers;  // of an array; otherwise 1
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

enum vm_check {          // bits; checks that rep_wants disables are also off
    VM_CHECK_BOUNDS = 1, // even without it, accesses out of bounds never reach other memory
    VM_CHECK_RACES = 2,
    VM_CHECK_DIVERGENCE = 4,
    VM_CHECK_ARITH = 8,
    VM_CHECK_UNINIT = 16,
    VM_CHECK_ALL = 31,
};

/** Freed shared virtual memory, for reports of pointers into it. */
struct vm_gone {
    uint64_t address, size;
    const char *origin, *call,
        *called; // "created at main.c:31", or NULL; "clSVMFree"; "called at main.c:40", or NULL
};

/** An order of work-items other than the usual one: see interleave.c. */
struct vm_schedule {
    uint64_t number;    // from 1 on
    uint64_t limit;     // maximum maximum instructions of work-items; 0: none
    bool gave_up;       // set if the limit was exceeded
    bool is_repeated;   // the launch already ran in the default order: findings name this schedule
    uint32_t late_site; // set: a site whose store another work-item saw late; 0: none
    bool *conflicts; // by site of the module: set for atomics that conflicted with those of other
                     // work-items; or NULL
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

/**
 * A launch that several processes share. Each calls vm_run with the same launch; it runs one part
 * of the work-groups, and part 0 gets the results of the others: see launch/division.c.
 *
 * Results meet in a binomial tree: each part adds the results of its children to its own, and gives
 * the sum to its parent. Part 0 is the root.
 */
static inline unsigned vm_division_parent(unsigned part) { return part & (part - 1); }
/** What it costs to unite the results of a part and of all parts below it in the tree. */
struct vm_division_cost {
    uint64_t messages, bytes, largest; // results
    uint64_t memory;                   // the most that one part needs for results at a time
};
struct vm_division {
    unsigned part, parts;
    uint64_t identity; // a hash of program, arguments and memory: equal for all parts
    void *ctx;
    /** The result of a child, when the groups of this part have ended. NULL: it is lost. */
    char *(*receive)(void *ctx, unsigned part, size_t *n);
    // Set by vm_run; the caller owns them:
    bool is_divided; // false: part 0 has run all groups, the others none
    struct str why; // why one process has to run all groups. If the launch is divided all the same:
                    // vm_run of part 0 has reported nothing, and has changed nothing but memory
    struct str result;         // unless it is part 0: for its parent
    VEC(const void *) reduced; // roots that are only accessed by atomics with one operation
    uint8_t op, elem;          // enum bc_atomic_op, and its bytes
    struct vm_division_cost cost;
};

struct vm_launch {
    struct vm_program *program;
    const struct bc_kernel *kernel;
    unsigned dims;                           // 1..3
    uint64_t offset[3], global[3], local[3]; // in work-items; unused dimensions: 0, 1, 1.
                                             // Sizes need not divide: the last group of a dimension
                                             // may be smaller
    const struct vm_arg *args;               // kernel->nargs, after those of ninherited
    const struct bc_kernel *root; // of a launch that was enqueued on the device: the kernel that
                                  // the host launched, whose arguments it inherits: blocks have
                                  // captured pointers to them. NULL: a launch of the host
    struct vm_enqueuer *enqueuer; // what its work-items enqueue, to be filled in; NULL: they cannot
    const struct vm_buffer *svm;  // shared virtual memory that the kernel may access, by ascending
                                  // `address`; whole roots
    uint32_t nsvm;
    const struct vm_gone *gone; // does not overlap with memory in `svm`
    uint32_t ngone;
    unsigned checks;    // enum vm_check
    unsigned threads;   // worker threads, at least 1
    unsigned sub_group; // work-items of a sub-group: a power of two up to 32; 0: 32
    unsigned gang;      // lanes of a gang; 0: automatic (tests use 1, 8, 64, 256)
    struct rep_session *rep;
    uint64_t number; // launch number, 1-based
    const char *host_site;
    FILE *out;                  // where printf goes
    volatile int *cancel;       // set to nonzero to end the launch early; may be NULL
    volatile int *cut;          // the same; the first fault or race sets it, too; may be NULL
    uint64_t instruction_limit; // lane-instructions for the launch; 0 none
    uint64_t livelock_limit;    // instructions of a gang in which it writes nothing that others can
                                // see; 0 none
    struct vm_schedule
        *schedule;        // NULL: the usual order. Then one thread runs it, in gangs of one lane
    uint64_t *lane_insns; // how many it ran; NULL: not wanted
    const struct vm_takeover *takeover; // or NULL
    struct vm_division *division;       // or NULL: one process runs all groups
    bool *is_clean; // whether it was completed, nothing at all was found, no undefined value was in
                    // a register, and no check was cut short; NULL: not wanted
    const struct vm_debugger *debugger; // NULL: none
    struct vm_writer *writer;           // NULL: not wanted
    bool names_writers;                 // reports show them: see last_writers.h
    struct vm_touched *variables;       // of the program, to be filled in; NULL: not needed
    char *const *storage; // [object of the module]: memory for program-scope variables in place of
                          // the program's, or NULL; NULL: all are the program's
    uint64_t (*site_accesses)[4]; // [site of the module][enum vm_class]: with statistics, accesses
                                  // are added, except private ones; NULL: not wanted
    struct vm_coverage *coverage; // of the module: counts are added; NULL: not wanted. Nothing is
                                  // counted under a schedule or a debugger
};

/** The number of inherited arguments in l->args, and of all. */
static inline uint32_t vm_inherited(const struct vm_launch *l)
{
    return l->root ? l->root->nargs : 0;
}
static inline uint32_t vm_nargs(const struct vm_launch *l)
{
    return vm_inherited(l) + l->kernel->nargs;
}
/** The declaration of argument i of l->args. */
static inline const struct bc_arg *vm_arg_decl(const struct vm_launch *l, const struct bc_module *m,
                                               uint32_t i)
{
    const uint32_t n = vm_inherited(l);
    return &m->args[i < n ? l->root->first_arg + i : l->kernel->first_arg + i - n];
}

/**
 * The hooks of a debugger. It runs the work-groups itself, one work-item at a time, by the
 * functions of interp/stepping/step.h: gangs have one lane, and everything runs in the launching
 * thread. Without a debugger this has no cost.
 */
struct vm_run;
struct vm_group;
struct vm_gang;
struct vm_fault_record;
struct race_pair;
struct vm_debugger {
    void *ctx;
    void (*begin)(void *ctx, struct vm_run *run);
    /**
     * Like vm_group_run: runs until the group is done or all its work-items wait for other groups.
     * Is it done? If the kernel's groups do not wait for others, the hook calls vm_group_begin.
     */
    bool (*run_group)(void *ctx, struct vm_group *grp);
    /**
     * Under vm_launch.schedule instead of run_group: the group has begun; runs the next instruction
     * of the work-item.
     */
    void (*group_begins)(void *ctx, struct vm_group *grp);
    void (*step)(void *ctx, struct vm_group *grp, uint32_t item, bool begins);
    void (*end)(void *ctx, struct vm_run *run);
    /** A work-item just made an error; `first`: the first such error at this location. */
    void (*fault)(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first);
    void (*race)(void *ctx, struct vm_run *run, const struct race_pair *p);
    /**
     * In fast-forward (fast_forward_run.h): a request is pending, or a breakpoint is set here.
     * True: abandon the run.
     */
    bool (*fast_forward_look)(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
    /** In fast-forward: the active lanes are about to write to memory that is not private. */
    void (*fast_forward_write)(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
    /**
     * In fast-forward: all work-items of the group (as seen by the wide gangs) are at a barrier.
     * False: stop there.
     */
    bool (*fast_forward_met)(void *ctx, struct vm_group *grp);
    const atomic_int *attention; // not 0: a request is pending
};

/** The class of an access by its lanes' addresses; strided: any other constant distance. */
enum vm_class {
    VM_CLASS_UNIFORM,
    VM_CLASS_CONTIGUOUS,
    VM_CLASS_STRIDED,
    VM_CLASS_GATHER,
    VM_CLASSES
};
_Static_assert(VM_CLASSES == 4, "vm_launch.site_accesses");
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
        race_ns; // CPU time of the workers; the estimated part of the race check
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
/** The device whose costs are counted (doc/DEVICE-MODEL.md). Each number is a power of two. */
enum { VM_MAX_SIMD_WIDTH = 128, VM_MAX_BANKS = 128 };
struct vm_device_model {
    unsigned simd_width; // work-items that execute an instruction together (a wave); 0: no model
    unsigned banks;      // of local memory
    uint8_t line_shift, bank_shift; // log2 of the bytes of a cache line, of a word of a bank
    unsigned local_memory, registers, resident_waves, resident_groups; // of a compute unit
};
/** Launches of a kernel with groups of one size. */
struct vm_group_size {
    uint32_t kernel, items; // kernel: its number in the module
    uint64_t local_bytes, launches;
};
/** Waves that ran a block, and how many lanes they lacked, at the ends of their work-groups. */
struct vm_wave_count {
    uint64_t waves, missing;
};
/** What the executions of one memory instruction cost, by waves with active work-items. */
struct vm_access_cost {
    uint64_t waves, lanes; // lanes: active work-items
    uint64_t global_bytes, transactions, ideal_transactions;
    uint64_t local_bytes, bank_cycles, ideal_bank_cycles;
};
/** Which barriers of a kernel order something (race.h). Sets are bits of indices into `loc`. */
struct vm_barrier_uses {
    uint32_t loc[RACE_BARRIERS]; // one for each source location
    uint32_t n;
    bool is_unknown; // some launch was not clean, or cannot be judged
    struct race_barrier_uses uses;
};
/** What ran of a module, summed over launches. */
struct vm_coverage {
    pthread_mutex_t lock;               // guards the counts
    uint32_t *first_block, *first_loop; // by function of the module: where its own begin
    uint32_t nblocks, nloops, nsites, nkernels;
    struct vm_block_count *blocks;
    struct vm_loop_count *loops;
    struct vm_device_model model;
    struct vm_wave_count *waves;      // [block]; NULL: without a model
    struct vm_access_cost *costs;     // [site of the module]; the same
    VEC(struct vm_group_size) sizes;  // of the launches
    struct vm_barrier_uses *barriers; // [kernel]; NULL: not wanted
    uint64_t fresh;                   // raised when a block or direction ran for the first time
};
/** model: NULL: costs are not counted. barriers: whether it is wanted which are needed. */
struct vm_coverage *vm_coverage_create(const struct bc_module *m,
                                       const struct vm_device_model *model, bool barriers);
void vm_coverage_destroy(struct vm_coverage *c); // NULL: does nothing

/**
 * Whether atomics of the kernel may make the order of work-items observable. Anything else that
 * does so is a data race, which is found in any order.
 */
bool vm_order_matters(const struct vm_launch *l);
/** The state of a launch's schedules. Zeroed, except `conflicts`: see struct vm_schedule. */
struct vm_schedules {
    bool *conflicts;
    uint64_t n, directed, random;
};
/**
 * The number of the next schedule, after all earlier ones have run. Alternates between schedules
 * that reverse the conflicts seen so far and random ones.
 */
uint64_t vm_schedule_next(struct vm_schedules *p, const struct bc_module *m);
/**
 * Returns an error if cldbg cannot run the launch, for example for lack of memory. Errors of the
 * kernel go to l->rep. If st is NULL, nothing is counted.
 */
struct err *vm_run(const struct vm_launch *l, struct vm_stats *st);
#endif

// SPDX-License-Identifier: MIT
#ifndef ORACLE_WALKER_H
#define ORACLE_WALKER_H
// The oracle: what a kernel does, by the plainest way there is. LLVM IR as clang wrote it is walked
// one work-item at a time, from barrier to barrier; every byte of every object remembers all
// accesses to it; the verdicts follow from the rules of the design by brute force. Nothing of src/
// is used, and nothing here is fast.
//
// code.c     functions, types and constants of the module, made ready for walking
// objects.c  memory: objects, addresses, definedness of every bit
// order.c    clocks, accesses, races
// calls.c    builtin functions
// images.c   images and samplers
// sub_groups.c  what work-items of a sub-group have of one another
// walk.c     one work-item's instructions
// groups.c   work-groups, barriers, divergence
// verdict.c  findings as JSON
// main.c     the command line
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

enum { PRIVATE, GLOBAL, CONSTANT, LOCAL, GENERIC };
enum { MAX_SCALARS = 64, MAX_CALLS = 200 };

/**
 * A scalar: its bits, which of them were never written, and the object (its name's number) they
 * came from.
 */
struct sc {
    uint64_t v, u;
    uint16_t path; // number of the names of the objects it came through
};

/** Where the scalars of a type lie in memory. */
struct cell {
    uint32_t off;
    uint8_t bytes, bits;
    char kind; // i, f, p
    bool in_union;
};
struct type {
    LLVMTypeRef t;
    struct type *next;
    unsigned n;
    uint64_t size; // as an element of an array
    bool is_vector;
    struct cell *cells;
};

struct operand {
    struct sc *k; // a constant's scalars, or NULL: registers from `reg` on
    unsigned reg, n;
};

struct step { // of a getelementptr: a fixed offset, or an index times a scale
    struct operand index;
    unsigned bits;
    int64_t scale, bound; // bound: elements of the array that is indexed, or -1
};

struct insn {
    LLVMOpcode op;
    LLVMValueRef v;
    struct function *fn;
    struct block *block;
    int line, col, pred;
    unsigned dst, nops, align;
    struct type *type, *from; // of the result; of the first operand or what is stored
    struct operand *ops;
    // loads and stores
    uint64_t mask; // which scalars of a vector are meant
    struct insn
        *lazy; // a load that is carried out by this extractelement; its index is the scalar meant
    struct operand *at; // a store of a vector with one component replaced: which one
    int space;
    // the rest
    struct step *steps;
    unsigned nsteps;
    int64_t offset;
    struct block **to; // br, switch, phi
    uint64_t *cases;
    int *shuffle;
    unsigned nshuffle;
    struct function *callee;
    const char *builtin, *params; // the name of a builtin, and its mangled parameters
    uint64_t alloca_size;
    const char *name;
    struct type **byval; // by argument
};

struct block {
    LLVMBasicBlockRef b;
    unsigned number, first, *loops, nloops;
    bool is_header;
};

struct local_number { // the address of a local variable as a number
    unsigned reg;
    uint64_t address;
};
struct function {
    LLVMValueRef v;
    struct function *next;
    const char *name;
    struct insn *code;
    struct block *blocks;
    unsigned ncode, nblocks, nregs, nargs;
    struct local_number *numbers;
    unsigned nnumbers;
    bool **in_loop; // [header block][block]
    unsigned *arg_reg;
    struct type **arg_type, **arg_byval,
        **arg_sret;       // sret: where the caller wants what is returned
    const char *returned; // "name()"
    const char **arg_name;
};

struct access {
    struct access *next;
    const struct insn *in;
    uint32_t who, epoch, barriers;
    uint8_t flags, value, at, size; // this is byte `at` of the scalar
    uint64_t whole;                 // its value
};
enum {
    READ = 1,
    WRITE = 2,
    ATOMIC = 4,
    OF_GROUP = 8,
    OF_SUB_GROUP = 16,
    OF_ITEM = 32
}; // OF_: the atomic's scope, where it is less than the device

/** An image: its pixels lie one after the other in the object's bytes. */
struct image {
    uint64_t size[3];                // width, height, depth; 1 where it has none
    uint64_t layers;                 // 0: no array
    unsigned ndims, channels, bytes; // of a channel
    char kind;                       // f, i, u; n: 0 to 1, m: -1 to 1
};

struct object {
    uint32_t id;
    const char *name;
    int space;
    bool constant, write_only, freed, raced;
    uint32_t group, owner; // of local memory; of private memory: the work-item
    uint64_t size;
    uint8_t *bytes, *undef;
    uint16_t *path; // by byte: as in struct sc
    struct access **log;
    struct racy **races;
    struct location *locations; // of atomics
    struct image *image;        // or NULL
    uint64_t *writers; // of an image, by byte: the work-item that wrote the pixel last + 1 | its
                       // image fences << 32
};

/** A clock for each space: what of every work-item is known to have happened. */
enum { SPACES = 3 }; // 0: global, 1: local, 2: images
struct clocks {
    uint32_t *v[2][SPACES];
}; // [promised by the specification, hoped for]
struct head { // something released
    struct head *next;
    uint32_t group;
    bool device;
    uint32_t *v[SPACES]; // or NULL
};

struct frame {
    struct function *fn;
    struct sc *regs;
    unsigned pc;
    struct block *block, *from;
    unsigned *turns; // by block: of the loop that it heads
    uint32_t *objects;
    unsigned nobjects;
    const struct insn *call;
};

enum state { READY, WAITING, DONE }; // WAITING: at a barrier, an async copy, a wait for one
struct item {
    uint32_t number, local[3], global[3];
    struct group *group;
    struct frame *frames;
    unsigned nframes;
    enum state state;
    uint64_t steps;
    uint32_t epoch, barriers, ncopies;
    uint32_t image_fences; // executed, barriers included
    uint64_t waited;       // copies, a bit each
    struct clocks now;
    struct head *fenced[2],
        *read[2];        // by promise: what a release fence gave; the stores that relaxed loads saw
    struct head *hoped;  // what fences and barriers gave, by hope, to atomics of OpenCL 1.x
    struct head *beyond; // promised: what loads saw of the memory that their atomic is not in
    bool excused;        // returned when others met without it: reported
    uint32_t steps_now;  // in this round, where they go as lanes do
};

struct copy { // an async copy of a group
    const struct insn *in;
    uint32_t issued, event;
    uint64_t to, from, n, elem, to_stride, from_stride;
    struct clocks start;
    bool done, padded; // elements are 3-vectors
};

struct group {
    uint32_t number, at[3], size[3], nitems;
    struct item *items;
    struct object **locals; // by local slot
    struct copy *copies;
    uint32_t ncopies;
    uint64_t waited;    // copies that a work-item waited for
    bool events_differ; // of one wait: reported
    bool started, ended;
};

struct launch {
    LLVMModuleRef module;
    struct function *kernel;
    uint64_t global[3], local[3], offset[3], grid[3];
    unsigned dims;
    uint32_t ngroups, group_items, nitems;
    struct group *groups;
    struct sc *args;             // by register of the kernel
    unsigned nlocals, sub_group; // work-items of a sub-group
    struct {
        const char *name;
        uint64_t size;
        LLVMValueRef v;
    } locals[64];
    bool ordered; // atomics may order: clocks of all work-items
    uint32_t nclock;
    uint64_t steps, limit, changes, random;
    int schedule; // 0: in order; 1: the other way round; 2: short turns, mixed; 3: an instruction
                  // each; 4: the same, those that are least far; 5: sub-group after sub-group, each
                  // as far as it comes; 6: all groups up to a barrier, then to the next
    bool by_bytes; // definedness by whole bytes, comparisons undefined where an operand is: what a
                   // checker may do
    bool print_values;
    struct object *buffers[64]; // those of the arguments
    unsigned nbuffers;
    bool parted; // a barrier was not reached by all: what comes later need not be reported
};
extern struct launch L;

/** Ends with status 3: the oracle does not know this. */
noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** The path with one more name at its end, unless it has it. */
uint16_t path_through(uint16_t path, const char *name);

/** The path of a value that is computed from two: the union of their paths. */
uint16_t path_joined(uint16_t a, uint16_t b);

// code.c
struct function *code_function(LLVMValueRef f);
/** The struct at that address, by the type of the variable or element; NULL: not a struct. */
struct type *code_pointee(LLVMValueRef p);
struct type *code_type(LLVMTypeRef t);
struct sc *code_constant(LLVMValueRef v, struct type **t);
bool code_calls(const char *prefix); // whether the kernel calls builtins whose names begin so

// objects.c
uint64_t object_address(const struct object *o);
struct object *object_new(const char *name, int space, uint64_t size, bool defined);
void object_free(struct object *o);
/** Converts an address of local memory to the number that stands for it in memory, and back. */
uint64_t published(const struct item *w, uint64_t address);
uint64_t received(const struct item *w, uint64_t address);
void objects_races(void); // of all that are still there
struct object *object_at(const struct item *w, uint64_t address, int64_t *off);
void object_locals(struct group *g);
uint64_t local_address(unsigned slot);
/** Checks an access; NULL (and a finding) if it is wrong. */
struct object *object_check(struct item *w, const struct insn *in, struct sc p, uint64_t off,
                            uint64_t size, unsigned align, int space, bool is_write);
struct sc object_get(const struct object *o, uint64_t off, unsigned bytes);
void object_put(struct object *o, uint64_t off, unsigned bytes, struct sc v);
void load(struct item *w, const struct insn *in, struct sc p, struct type *t, uint64_t mask,
          unsigned align, int space, struct sc *out);
void store(struct item *w, const struct insn *in, struct sc p, struct type *t, uint64_t mask,
           unsigned align, int space, const struct sc *v);
void copy_bytes(struct item *w, const struct insn *in, struct sc to, struct sc from, uint64_t n);
void set_bytes(struct item *w, const struct insn *in, struct sc to, struct sc byte, uint64_t n);
void undefined(struct item *w, const struct insn *in, struct sc v, const char *how);

// order.c
enum { OF_OPENCL_1 = -1 }; // an atomic's order there: none
void clocks_start(struct item *w);
/** A barrier of the sub-group of the group's items from first to end. */
void clocks_sub_barrier(struct group *g, uint32_t first, uint32_t end, unsigned flags, bool device);
void clocks_barrier(struct group *g, unsigned flags, bool device);
void accessed(struct item *w, const struct insn *in, struct object *o, uint64_t off, uint64_t size,
              unsigned flags);
void accessed_by_copy(struct group *g, struct copy *c, struct object *o, uint64_t off,
                      uint64_t size, unsigned flags);
void copy_issued(struct item *w, struct copy *c);
void copy_waited(struct item *w, const struct copy *c);
void fence(struct item *w, unsigned flags, int order, bool device, bool promised);
void atomic_read(struct item *w, struct object *o, uint64_t off, int order, bool device);
void atomic_wrote(struct item *w, struct object *o, uint64_t off, int order, bool device, bool rmw);
void races_of(struct object *o);

// calls.c
double as_double(uint64_t v, unsigned bits);
uint64_t from_double(double d, unsigned bits);
void call_builtin(struct item *w, struct insn *in, struct sc **args, struct sc *out);
// images.c
/**
 * The image that `image:TYPE[/norm][W,H,D]` describes (the text after "image:"), for argument i;
 * *init: where its values begin.
 */
struct object *image_new(unsigned i, const char *spec, const char **init, unsigned *bytes,
                         char *kind);
uint64_t sampler_named(const char *words);
bool images(struct item *w, const struct insn *in, struct sc **a, struct sc *out);

/**
 * A work-group function of the values of n work-items, for the one that is `self`; `from`: the one
 * whose value a broadcast gives.
 */
void call_of_group(const struct insn *in, const struct sc *values, uint32_t n, uint32_t self,
                   uint64_t from, struct sc *out);

// walk.c
void walk_start(struct item *w);
void walk(struct item *w, uint64_t steps);
/** Of one that waits: the arguments that must be the same for all of the group; at most 64. */
unsigned walk_collective_args(const struct item *w, uint64_t *out);
void walk_met(struct item *w); // and on it goes
/** ... with this result of what it waited for. */
void walk_goes_on(struct item *w, const struct sc *result);
/** The instruction that it is at. */
struct insn *walk_here(const struct item *w);

// groups.c
void run(void);
/** Reports work-items that all wait or are done, but not together. */
void report_divergence(struct item *items, uint32_t nitems);
bool same_instance(const struct item *a, const struct item *b);

// sub_groups.c
/** Functions that all work-items of a sub-group must reach; those for the active work-items. */
bool sub_group_all(const struct insn *in);
bool sub_group_some(const struct insn *in);
/** Lets those go on that have met; whether any did. */
uint32_t sub_group_end(
    const struct group *g,
    uint32_t first); // after the last work-item of the sub-group that begins with first
bool sub_group_reconverges(struct group *g, uint32_t first);
bool sub_groups_reconverge(struct group *g);
/**
 * Where nothing else goes on: work-items of a sub-group that wait for those that do not come are
 * reported, and go on as if they had met.
 */
bool sub_groups_part(struct group *g);
/** < 0: a is less far than b; 0: the same, or in another function. */
int walk_farther(const struct item *a, const struct item *b);

// verdict.c
void finding(const char *id, const struct insn *in, const char *object, const char *severity);
/** A barrier that not all reach: where they wait instead. */
void divergence(const struct insn *const *at, unsigned n);
void finding_undefined(const struct insn *in, struct sc v, const char *how);
struct pair {
    const struct insn *a, *b;
    const char *id;
    bool mild, late;
};
void racing(struct object *o, uint64_t byte, const struct pair *pairs, unsigned n);
void verdict_print(const char *status);
/**
 * Neither races nor work-items that parted, or of which one of several has its way: without
 * atomics, any other order of the work-items gives the same.
 */
bool verdict_is_of_any_order(void);

// main.c
enum order { ANY_ORDER, THIS_ORDER };
/**
 * One launch of L.module, by its options; L is as it was allocated. The findings are not
 * printed yet.
 */
int launch(int argc, char **argv);

// each.c
int each(const char *list, double seconds);
#endif

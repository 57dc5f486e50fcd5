// SPDX-License-Identifier: MIT
#ifndef INTERP_GANG_H
#define INTERP_GANG_H
#include "interp/livelock/fingerprint.h"
#include "interp/vm.h"

#include <stddef.h>

/**
 * The engine's inside: decoded code and the gang that runs it.
 *
 * A gang is up to `code->width` lanes of one work-group. Its register file is one block: the
 * uniform slots (8 bytes each) and the varying registers (arrays over lanes, 64-byte aligned) of
 * every function that the kernel can reach, then scratch. OpenCL C has no recursion, so each
 * function has one static place in it. A decoded instruction names its operands by byte offsets in
 * that block.
 *
 * Loops over lanes run to `n`, a multiple of VM_PAD, so that they have no tails: what they compute
 * in lanes that do not exist is never looked at. Only memory is not touched for such lanes.
 */

enum { VM_PAD = 16, VM_MAX_WIDTH = 1024, VM_MAX_COMPS = 16 };

struct vm_gang;
struct vm_insn;
/** Runs one instruction and gives the next one, or NULL when the frame is done or must wait. */
typedef const struct vm_insn *vm_handler(struct vm_gang *g, const struct vm_insn *ip);

struct vm_insn {
    vm_handler *fn;
    uint32_t d, a, b, c; // byte offsets in the register file; branches: blocks
    union {
        uint64_t imm;
        const void *p;
    };
    const struct bc_insn *src;
};

/** A memory instruction's addressing, decoded. */
struct vm_access {
    const struct bc_mem *m;
    uint32_t site;
    uint32_t bytes; // elem * ncomp
    uint32_t align;
    uint8_t elog; // log2 of a component's bytes
    uint8_t ncomp;
    uint8_t index; // enum bc_index_kind
    int8_t shift;  // scale is 1 << shift, or -1
    bool regular;  // scale and disp keep the alignment of element and access, and are small
    bool plain;    // and so: one base, an index for each lane, which are elements, of one component
    bool base_varying, index_varying;
    bool wants_old; // atomics
    bool packed;    // the values to be stored are in g->values, `bytes` a lane
    int64_t scale, disp;
    uint32_t step;                // scale in elements, modulo 2^32
    uint32_t base_off, index_off; // register file offsets
    uint32_t val[VM_MAX_COMPS];   // destinations or values
    uint16_t val_varying;         // bits
    uint16_t spaces;              // bits of enum bc_space that it may point into
    const struct bc_insn *src;
    const struct vm_undef_access *undef; // where definedness plays a part in it
};

/**
 * Operands of an instruction that works lane by lane. Of a REGULAR one (ops.def): dst, a, b, c, a
 * field that is a number as such, and in n what ext holds; of others as their handlers say.
 */
struct vm_operands {
    uint32_t off[4];
    uint32_t n;
    uint8_t varying; // bits
};

/**
 * The values that an integer type can hold after their fraction is cut off: those from low to
 * before end.
 */
struct vm_range {
    double low, end; // exact in the type of the value
    bool is_double, is_varying;
};

/**
 * Effects are counted in one number: all of them in the low bits, those that other groups can see
 * above, too.
 */
#define VM_EFFECT     1ull
#define VM_FAR_EFFECT ((1ull << 40) + VM_EFFECT)

struct vm_block {
    const struct vm_insn *stream[4]; // all lanes of the gang active, or not; both again for while
                                     // something is undefined
    uint32_t count;                  // bytecode instructions
    uint64_t effect;                 // of running it: 0, VM_EFFECT, VM_FAR_EFFECT
    int32_t loop;
    bool narrows; // may run for the first lanes alone: see vm_gang.n
};

struct vm_fn {
    const struct bc_fn *bc;
    uint32_t index; // in the module
    uint32_t uniform_off, *varying_off;
    struct vm_block *blocks;
    uint32_t frame;                      // index in code->fns and gang->frames
    uint32_t *uniform_row, *varying_row; // see undef.h; 0: always defined
    uint32_t *objects, nobjects; // ids of its variables in memory, that are there only while it
                                 // runs; none of a kernel's
    struct vm_dense_loop *dense; // [loop]: see compaction.h; NULL: none suits
};

/**
 * May it leave out a work-item that uses its place? In local memory a scope of the work-group holds
 * all; atomic_… of OpenCL 1.x have none.
 */
static inline bool vm_atomic_is_narrow(const struct bc_mem *m)
{
    return !bc_is_cl1(m->order) &&
           (m->scope < BC_SCOPE_GROUP || (m->scope == BC_SCOPE_GROUP && m->space != BC_LOCAL));
}

/** A compare-exchange of C11: where it fails it only loads, with the order bc_mem.failure. */
static inline bool vm_may_only_load(const struct bc_mem *m)
{
    return m->kind == BC_ATOMIC_RMW && m->atomic_op == BC_CMPXCHG && m->failure != BC_CL1;
}

/** A kernel decoded for gangs of so many lanes. */
struct vm_code {
    struct vm_code *next; // for other gangs
    struct arena arena;
    const struct bc_module *module;
    const struct bc_kernel *kernel;
    const struct vm_isa *isa;
    bool was_checked;  // it was run once; atomic
    uint32_t lanes;    // of a gang, at most
    uint32_t width;    // the same, rounded up to VM_PAD: elements of a register
    struct vm_fn *fns; // reachable ones; fns[0] is the kernel's
    uint32_t nfns;
    uint32_t *fn_of;               // module function → index in fns, or ~0
    uint32_t scratch_u, scratch_v; // offsets: 8 slots; VM_MAX_COMPS + 4 arrays of 8-byte elements
    size_t file_size;
    uint32_t *private_word; // module object → first word in a lane's private memory
    uint64_t private_words;
    uint64_t local_bytes; // automatic local objects
    uint32_t *local_off;  // module object → offset in the group's local memory
    bool *has_object;     // module object → whether it is a private or local one that has a place
    bool may_part, uses_atomics, collects; // collects: has work-group functions
    bool copies;                           // asynchronously
    bool fences, cl1_fences, cl1_atomics, scoped_atomics,
        global_barriers; // what may make its atomics order other memory
    bool global_atomics; // not only in local memory
    struct {
        uint8_t op, elem; // enum bc_atomic_op; bytes, 0: none
        bool refused;     // they are of different kinds, or somebody sees what they do
    } tally; // its atomics, those that are not in local memory: see privatized_reduction.c
    bool synchronises;   // by atomics: see race_config.ordered
    bool narrow_atomics; // some leave out work-items that they may meet: see race_config.scope_of
    bool weak_orders;    // some of it not by sequentially consistent atomics: see race_config.apart
    bool narrow_scopes;  // some of that is for less than the device: see race_config.wide_scopes
    uint16_t mode;       // enum vm_mode
    bool batches;        // a gang may hold several groups: see packing.h
    bool linear_used;    // the linear global id, where it batches
    uint32_t ids_used;   // bits: kind * 3 + dimension of global and group ids, where it batches
    bool undef;          // something may be undefined: the gangs have rows
    uint32_t undef_rows;
    bool undef_put;       // what work-group functions are given may be undefined
    uint32_t dense_bytes; // of a lane, in registers that some loop shares
    bool stepped;         // for a debugger: see step.h
    bool parks;           // work-items may wait at a barrier
    bool decides; // has branches that barriers depend on and that vary: see divergence_point.h
    struct vm_call_paths *call_paths;
    struct vm_gang *free_gangs; // kept for the next launch; guarded by the program's lock
    unsigned nfree;
};

enum vm_object_kind {
    VM_OBJ_NULL,
    VM_OBJ_NONE,
    VM_OBJ_PRIVATE,
    VM_OBJ_LOCAL,
    VM_OBJ_CONSTANT,
    VM_OBJ_PROGRAM,
    VM_OBJ_BUFFER,
    VM_OBJ_IMAGE
};
enum {
    VM_READ_ONLY = 1,
    VM_WATCH_LOCAL = 2,
    VM_WATCH_GLOBAL = 4,
    VM_WRITE_ONLY = 8,
    VM_WRITABLE = 16,
    VM_GONE = 32
}; // read-only by the app's word alone: a write is reported and done

/** What a pointer's id stands for in this gang. */
struct vm_object {
    char *base; // private: word 0 of lane 0, words interleaved over lanes
    uint64_t size;
    uint8_t kind, flags, space;
    uint16_t spaces; // bit of its space
    uint16_t same;   // an argument: the number of the first one that is the same bytes; else 0
    struct vm_shadow *shadow;   // NULL: all defined
    struct vm_touched *touched; // or NULL
    uint64_t origin;            // in the root
    char *tally;     // the worker's copy of its first elements, or NULL: privatized_reduction.h
    uint32_t ntally; // elements
    uint32_t step, copies; // local, in batches: each group has its own, so many bytes behind the
                           // one before; else 0
};

/** Bits of the spaces that a pointer of type `space` may point into. */
static inline uint16_t vm_spaces(unsigned space)
{
    return space == BC_GENERIC ? 0xffff : (uint16_t)(1u << space);
}

/** Lanes of a mask: how many, and a multiple of VM_PAD that all of them are before. */
struct vm_some {
    uint32_t n, end;
};

/** A function's activation: which lanes wait before which block. */
struct vm_frame {
    const struct vm_fn *fn;
    uint64_t *pending; // bit per block
    uint32_t words, npending;
    uint8_t **masks;         // [block]: lanes waiting, where its bit is set
    struct vm_some *waiting; // the same: how many
    uint8_t *mask;           // lanes running
    uint32_t block;          // running
    uint32_t spins;          // loop headers re-entered while others wait
    uint16_t *sparse,
        *patience; // [loop]: rounds of few lanes; after how many they are put together
    struct vm_frame *caller;
    const struct bc_insn *call;      // in the caller
    const struct vm_insn *call_insn; // the same, decoded; only when stepped
    const struct vm_call_path *path; // NULL: not told apart from others
};

/**
 * Numbers of the lanes that depend on the groups' shape alone: local ids by dimension and linear;
 * in batches also which group it is, how far from the first lane in dimension 0, and 0. Ids are one
 * of these and what is in g->ids.
 */
enum vm_lane_number {
    VM_LANE_X,
    VM_LANE_Y,
    VM_LANE_Z,
    VM_LANE_LINEAR,
    VM_LANE_GROUP,
    VM_LANE_OFFSET,
    VM_LANE_0,
    VM_LANE_NUMBERS
};

/** Since when a gang has written nothing, and what it was like: see gang_livelock.c. */
struct vm_quiet {
    uint64_t since, look_at, pause; // instructions of the gang
    uint64_t effects;
    struct vm_snapshot anchor;
    uint32_t looks, most, renew;
    uint32_t depth, loc, calls[16], ncalls; // of the outermost jump back of the round
};

enum vm_state { VM_RUNNING, VM_WAITING, VM_YIELDED, VM_DONE };

struct vm_gang {
    // hot
    char *r;
    const uint8_t *mask; // active lanes: 0xff, else 0
    uint32_t n; // lanes that instructions are run for: `all`, or in a block where no other is
                // active the first ones
    uint32_t all, end; // nlanes and what is behind the last active one, rounded up to VM_PAD
    uint32_t nlanes, nactive;
    struct vm_frame *frame;
    struct vm_object *objects;
    uint32_t nobjects;
    uint32_t nundef; // rows whose flag is set
    bool is_dense;   // the lanes are some of the gang's, put together: compaction.h
    bool in_row;     // see active_lanes in access_plan.h, when insns were row_at and mask row_mask
    uint32_t row_first;
    uint64_t row_at;
    const uint8_t *row_mask;
    uint64_t insns, lane_insns;
    uint64_t effects;            // of the blocks run
    uint64_t slots, slots_until; // insns times nlanes, of those before the one numbered so
    uint64_t told;               // of lane_insns, to the launch (when there is a limit)

    struct vm_worker *worker;
    struct vm_group *group;
    const struct vm_code *code;
    const struct vm_isa *isa;
    struct vm_gang *next;
    struct vm_frame *frames;
    uint8_t *full_mask, *spare_mask, *fail_mask, *ok_mask;
    uint64_t *offsets;              // scratch for addresses
    uint64_t *spread;               // scratch, in the register file: a uniform index for each lane
    uint32_t *elements;             // scratch for element indices
    uint16_t *lane_ids;             // scratch for object ids
    char *values;                   // scratch: what lanes store, packed
    uint32_t *lid[VM_LANE_NUMBERS]; // [..][lane]: enum vm_lane_number
    uint32_t lid_shape[3], lid_first;
    bool one_row;         // the batch's groups are side by side in dimension 0
    uint64_t *gids[2][3]; // [group id, else global id][dimension]: by lane, in batches, where used
                          // and not in one row
    uint64_t ids[BC_WI_KINDS * 3]; // work-item functions: value, or what varies is added to
    uint32_t first_item; // linear local id of lane 0, counted from the first group of the batch
    uint32_t *parked;    // [lane]: block of the barrier it waits at, plus 1
    uint32_t *flags;     // [lane]: of that barrier
    uint32_t nparked, nreturned;
    uint32_t ncopied;   // async copies that it began
    uint32_t *nchoices; // [lane]: since the last barrier that all passed; where code->decides
    struct vm_choice *choices; // [slot][lane]: a ring
    uint8_t *returned;         // mask
    char *private_mem;
    struct vm_undef *undef;     // or NULL
    struct vm_dense *dense;     // made when first wanted
    void *image_room;           // as well: scratch of sys_image.c
    struct vm_layouts *layouts; // as well: lane_shapes.h
    bool *worker_changed;       // set when a store changes something (kernels whose lanes may part)
    struct vm_quiet quiet;
    enum vm_state state;
    bool fresh; // not begun
    bool stop;  // the group ends here: cancelled, limit, no progress
    const struct vm_insn
        *at; // stepped: what the lane does next; NULL when it waits, or has returned
    void *block_mem;
    size_t block_size;
};

/** What is compiled for each instruction set. */
struct vm_isa {
    const char *name;
    /**
     * [op][form]: bit 0 a varying, 1 b, 2 c; 0: all and dst uniform. NULL: the decoder splats
     * operands.
     */
    vm_handler *op[BC_OP_COUNT][8];
    vm_handler *mul_add[2][8]; // a * b + c: [64 bits][form]; for two instructions of bytecode
    vm_handler *splat[4], *copy[4], *blend[4], *blend_uniform[4]; // by log2 of the element
    vm_handler *load[2], *store[2];                               // [masked]
    vm_handler *load_uniform[2], *store_uniform;                  // base and index are uniform
    vm_handler *lea, *atomic, *copy_bytes, *set_bytes, *undef_plain, *undef_copy, *undef_set, *cbr;
    vm_handler *count_access; // before an access, where code counts: by space and class. p: its
                              // struct vm_access
    vm_handler *wi32, *wi64, *wi_batch[2]; // of batches: [64 bits]
    /**
     * [64 bits]: to[i] = first + x[i] + size[0] * y[i] + size[1] * z[i], n of them, from local ids
     * or (batches) global ones.
     */
    void (*wi_linear[2])(void *to, uint64_t first, const uint64_t size[2], uint32_t *const lid[3],
                         uint32_t n);
    void (*wi_linear_batch[2])(void *to, uint64_t first, const uint64_t size[2],
                               uint64_t *const gid[3], uint32_t n);
    /** to[i] = begin + (group[i] - group[0]) * size + lid[i] (NULL: 0) */
    void (*batch_ids)(uint64_t *to, uint64_t begin, const uint32_t *group, uint32_t size,
                      const uint32_t *lid, uint32_t n);
    vm_handler *check_index[2]; // of 32 and 64 bits: a = the varying index, p = struct vm_operands,
                                // n: the end
    vm_handler *check_range[2]; // of floats, of doubles: a = the varying value, p = struct vm_range
    /**
     * m_true = mask & cond, m_false = mask & ~cond; `add`: bit 0 the first is added to, bit 1 the
     * second. some: of mask & cond, mask & ~cond.
     */
    void (*split)(const uint8_t *mask, const uint8_t *cond, uint8_t *m_true, uint8_t *m_false,
                  uint32_t n, unsigned add, struct vm_some some[2]);
    struct vm_some (*count)(const uint8_t *mask, uint32_t n);
    void (*merge)(uint8_t *to, const uint8_t *from, uint32_t n);
    void (*blend_values)(unsigned elog, void *to, const void *from, const uint8_t *mask,
                         uint32_t n);
};
extern const struct vm_isa vm_isa_v1;
#ifdef VM_ISA_X86
extern const struct vm_isa vm_isa_v3, vm_isa_v4;
#endif
/** The best that cpu_level allows. */
const struct vm_isa *vm_isa_choose(void);
void vm_isa_force(const struct vm_isa *isa); // for tests, before any launch; NULL: no more

// ---- decode.c
struct vm_code *vm_decode(const struct bc_module *m, const struct bc_kernel *k, uint32_t lanes,
                          const struct vm_isa *isa, unsigned mode);
/** Whether reachable code declares the object or has a pointer to it among its constants. */
bool vm_code_uses(const struct vm_code *c, uint32_t object);
void vm_code_free(struct vm_code *c);

// ---- schedule.c
/** Enters block t of the current frame, as mask and nactive say. */
const struct vm_insn *vm_enter(struct vm_gang *g, uint32_t t);
/** The active lanes go to block t; runs whoever is to run next. */
const struct vm_insn *vm_go(struct vm_gang *g, uint32_t t);
/**
 * The active lanes leave the frame or wait; runs whoever is to run next, NULL when nobody is left.
 */
const struct vm_insn *vm_next(struct vm_gang *g);
const struct vm_insn *vm_split(struct vm_gang *g, const uint8_t *cond, uint32_t t_true,
                               uint32_t t_false);
/** Makes f the running frame with nobody pending; the caller enters block 0. */
void vm_frame_start(struct vm_gang *g, struct vm_frame *f, const uint8_t *mask);
/** Lets a lane wait before a block; when all are, vm_frame_resume runs some. */
void vm_frame_pend(struct vm_gang *g, struct vm_frame *f, uint32_t block, uint32_t lane);
const struct vm_insn *vm_frame_resume(struct vm_gang *g, struct vm_frame *f);
/** A function's variables in memory are there while it runs. */
void vm_set_variables(struct vm_gang *g, const struct vm_fn *fn, bool there);
vm_handler vm_op_br, vm_op_cbr_uniform, vm_op_ret, vm_op_call, vm_op_barrier, vm_op_meet,
    vm_op_meet_stepped;

static inline void *vm_reg(struct vm_gang *g, uint32_t off) { return g->r + off; }

/** The lanes among those that instructions are run for that exist. */
static inline uint32_t vm_lanes_run(const struct vm_gang *g)
{
    return g->n < g->nlanes ? g->n : g->nlanes;
}
/**
 * For what looks at all lanes: from here to the end of the block, instructions are run for them.
 * What they hold is what inactive lanes hold.
 */
static inline void vm_widen(struct vm_gang *g) { g->n = g->all; }

/**
 * Must a store see whether it changes memory? Not where nobody may wait, nor where something has
 * changed already.
 */
static inline bool vm_asks_for_change(const struct vm_gang *g)
{
    return g->code->may_part && !*g->worker_changed;
}

static inline struct vm_object *vm_object_of(struct vm_gang *g, uint64_t p)
{
    uint64_t id = p >> BC_PTR_ID_SHIFT;
    return &g->objects[id < g->nobjects ? id : g->nobjects];
}
/** How far behind the object's base what a lane sees of it begins. */
static inline uint64_t vm_own_copy(const struct vm_gang *g, const struct vm_object *o,
                                   uint32_t lane)
{
    return o->step ? (uint64_t)o->step * g->lid[VM_LANE_GROUP][lane] : 0;
}
#define VM_PTR_MASK ((1ull << BC_PTR_ID_SHIFT) - 1)
static inline int64_t vm_offset_of(uint64_t p)
{
    return (int64_t)(p & VM_PTR_MASK) - (int64_t)BC_PTR_BIAS;
}
/**
 * What p is equal to: where several arguments are the same bytes, the place as the first of them
 * has it.
 */
static inline uint64_t vm_same_place(struct vm_gang *g, uint64_t p)
{
    const uint64_t first = vm_object_of(g, p)->same;
    return first ? BC_PTR(first, vm_offset_of(p)) : p;
}

// ---- lane_access.c: the general paths, lane by lane
const struct vm_insn *vm_load_slow(struct vm_gang *g, const struct vm_insn *ip);
const struct vm_insn *vm_store_slow(struct vm_gang *g, const struct vm_insn *ip);
vm_handler vm_op_trap, vm_op_copy, vm_op_set, vm_op_lea_slow;
/**
 * Addresses of an access for all active lanes: ids and offsets checked, failing lanes reported and
 * left out. Fills g->offsets, g->lane_ids and g->ok_mask (lanes that may access); returns how many
 * may.
 */
uint32_t vm_check_lanes(struct vm_gang *g, const struct vm_access *x, bool write);
/** Reads or writes one element of a lane at a checked place. */
uint64_t vm_lane_read(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                      unsigned size);
void vm_lane_write(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                   unsigned size, uint64_t v);
uint64_t vm_operand_bits(struct vm_gang *g, uint32_t off, bool varying, unsigned elog,
                         uint32_t lane);
void vm_set_operand(struct vm_gang *g, uint32_t off, bool varying, unsigned elog, uint32_t lane,
                    uint64_t v);
/** After vm_check_lanes: tells the race check of the lanes that access watched objects. */
void vm_watch_lanes(struct vm_gang *g, const struct vm_access *x, bool write);
/**
 * A range of bytes of one lane, checked as a whole: its object and offset, or NULL (and it is in
 * `run`).
 */
struct vm_fault_run;
const struct vm_object *vm_check_range(struct vm_gang *g, struct vm_fault_run *run,
                                       const struct bc_insn *src, uint32_t site, uint32_t lane,
                                       uint64_t p, uint64_t size, bool write, uint64_t *off);
/**
 * What is written to a range: bytes of another object of the lane from `at` on, or (from NULL) this
 * word over and over.
 */
struct vm_source {
    const struct vm_object *from;
    uint64_t at, word;
};
/** Tells the race check of such a range; `written` NULL: it is read. */
void vm_watch_range(struct vm_gang *g, uint32_t site, const struct vm_object *o, uint32_t lane,
                    uint64_t off, uint64_t size, const struct vm_source *written);

/** Where the bytes of an object with `touched` are noted, from its own first one on. */
static inline uint8_t *vm_touched_bytes(const struct vm_object *o, enum vm_touch how)
{
    bool *any = &o->touched->any[how];
    if (!__atomic_load_n(any, __ATOMIC_RELAXED)) __atomic_store_n(any, true, __ATOMIC_RELAXED);
    return o->touched->by[how] + o->origin;
}

/** For the host: these bytes of an object with `touched` were touched. */
struct race_op;
void vm_note_touched(const struct vm_object *o, const struct race_op *op);
/**
 * An access of a watched object: whether it is the one that vm_launch.writer asks for. src: the
 * instruction, or NULL.
 */
void vm_note_writer(struct vm_gang *g, const struct vm_object *o, const struct race_op *op,
                    const struct bc_insn *src);

/**
 * Tells the race check of an access: which lanes is in g->mask, INDEXED takes the offsets in
 * g->offsets.
 */
enum vm_shape { VM_SHAPE_UNIFORM, VM_SHAPE_CONTIGUOUS, VM_SHAPE_INDEXED, VM_SHAPE_ELEMENTS };
void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum vm_shape shape, uint64_t offset0);

/**
 * The same for lanes [lane, lane + n), no others being active. CONTIGUOUS: all of them are active,
 * offset0 is that of the first; ELEMENTS: at those elements of 1 << elog bytes, NULL for other
 * shapes.
 */
struct vm_places {
    const uint32_t *elements; // of lane 0 on, to each of which `first` is added
    uint32_t first;
    uint64_t layout; // its id, or 0
};
void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, enum vm_shape shape, uint64_t offset0,
                   const struct vm_places *places, uint32_t lane, uint32_t n);

// ---- faults: out of line, told of lanes that do something wrong
void vm_fault_div(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_convert(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_index(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
#endif

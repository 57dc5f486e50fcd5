// SPDX-License-Identifier: MIT
#ifndef INTERP_UNDEF_H
#define INTERP_UNDEF_H
#include "check/check.h"
#include "interp/core/gang.h"

/**
 * Definedness: tracks uninitialized bytes of registers and memory (undef.c has the theory).
 *
 * Each register that may hold such bytes (determined when a kernel is decoded) has a row of V bits:
 * a byte for each lane, whose bit i is set if byte i of the value is undefined. A row is valid only
 * while its flag is set. Memory has a shadow, a byte for each byte.
 */
enum vm_mode {                 // bits: options of decoding
    VM_UNDEF_ON = 1,           // variables, private and local memory
    VM_UNDEF_GLOBAL_READ = 2,  // some buffer that the kernel may read is not fully initialized
    VM_UNDEF_GLOBAL_WRITE = 4, // some buffer that it may write is not
    VM_CONVERSIONS = 8,        // conversions to integers are checked
    VM_PACKED = 16,            // packed groups: see packing.h
    VM_COUNTS = 32,            // memory accesses are counted: see counters.h
    VM_SUBOBJECTS = 64,        // indices of arrays inside objects are checked
    VM_STEPPED = 128,          // code for stepping, without nested calls (step.h)
    VM_FAST_FORWARDING = 256,  // for a debugger until a stop is possible (fast_forward_run.h)
    VM_UNDEF_IMAGE = 512,      // some image that the kernel may read is not fully initialized
    VM_COVERAGE = 1024,        // blocks, branches and loops are counted: see block_counts.h
    VM_PROFILE = 2048,         // and costs on a device model: see access_costs.c
};

/** The shadow of one object. `count` bytes (approximately: threads share it) are undefined. */
struct vm_shadow {
    uint8_t *bytes;
    uint64_t *count, own_count;
    uint8_t flip; // bytes[i] ^ flip: enum vm_byte
    bool owns;
    uint8_t *made;                        // bytes allocated for a buffer's root in this launch:
                                          // launch.c
    struct vm_written_sets *written_sets; // of local memory; NULL: not tracked
    uint64_t written_set;                 // the current version
};
/**
 * Values in between: an undefined value was stored; the index of its origin in vm_run.origins.
 */
enum vm_byte { VM_WRITTEN = 0, VM_ORIGINS = 0xfe, VM_NEVER_WRITTEN = 0xff };

/** The origin of an undefined value; rows store it packed, for each lane. */
struct vm_origin {
    uint32_t object;    // id, or 0: a variable
    uint32_t name, loc; // of the variable; name 0: a sub-group function that read the value of a
                        // missing work-item; both 0: unknown
    uint64_t offset, size;
    bool rewritten; // the value passed through other memory; for an object: any of its bytes
};
static inline uint64_t vm_origin_pack(struct vm_origin o)
{
    const uint64_t low = o.object ? o.offset << 4 | (o.size - 1) << 1
                                  : (uint64_t)o.name << 24 | (o.loc & 0x7fffff) << 1;
    return (uint64_t)o.object << 48 | ((low | o.rewritten) & 0xffffffffffff);
}
static inline struct vm_origin vm_origin_unpack(uint64_t p)
{
    const uint64_t low = p & 0xffffffffffff;
    if (!(p >> 48))
        return (struct vm_origin){.name = (uint32_t)(low >> 24),
                                  .loc = (uint32_t)(low >> 1 & 0x7fffff),
                                  .rewritten = low & 1};
    return (struct vm_origin){.object = (uint32_t)(p >> 48),
                              .offset = low >> 4,
                              .size = (low >> 1 & 7) + 1,
                              .rewritten = low & 1};
}

/**
 * A gang's rows. For a row with a flag, a set holds the origins of its lanes. Rows share sets,
 * because most results have the origin of their operand. Sets are reference-counted: the creator
 * holds a reference (vm_undef_take) until it drops it.
 */
struct vm_undef {
    uint8_t *rows, *flags;     // [row * width + lane], [row]
    uint64_t *origins;         // [set * width + lane], valid for lanes that are not 0
    uint32_t *set, *users;     // [row], [set]: the number of references to it
    uint8_t *alike;            // [set]: enum vm_alike
    uint32_t *spare, nspare;   // unused sets
    struct vm_shadow *shadows; // private objects, by module object
    uint8_t *private_bytes;
};
static inline uint8_t *vm_undef_row(const struct vm_gang *g, uint32_t row)
{
    return g->undef->rows + (size_t)row * g->code->width;
}
static inline uint64_t *vm_undef_of_set(const struct vm_gang *g, uint32_t set)
{
    return g->undef->origins + (size_t)set * g->code->width;
}
/**
 * How the origins of a set's lanes are related: not at all, of one object or variable, or the same.
 */
enum vm_alike { VM_ANY_ORIGINS, VM_ONE_OBJECT, VM_SAME_ORIGIN };
/** The maximum number of sets held by others than rows. */
enum { VM_UNDEF_HELD = 4 };
/** The origins of a row with a flag. */
static inline uint64_t *vm_undef_origins(const struct vm_gang *g, uint32_t row)
{
    return vm_undef_of_set(g, g->undef->set[row]);
}
/** The same for writing: no other row shares the set. */
uint64_t *vm_undef_own_origins(struct vm_gang *g, uint32_t row);
/** Takes a new set, held by the caller; sets one origin for all lanes. */
uint32_t vm_undef_take(struct vm_undef *u);
uint32_t vm_undef_take_same(struct vm_gang *g, uint64_t from);
static inline void vm_undef_hold(struct vm_undef *u, uint32_t set) { u->users[set]++; }
static inline void vm_undef_drop(struct vm_undef *u, uint32_t set)
{
    if (!--u->users[set]) u->spare[u->nspare++] = set;
}

// ---- undef_decode.c
struct decoder;
struct vm_code;
/** Finds the registers that need rows; false: no value in the code can be undefined. */
bool vm_undef_analyze(struct vm_code *c);
/**
 * Emits the instructions before and after those of b. `clean`: for the clean stream.
 */
void vm_undef_before(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume);
void vm_undef_after(struct decoder *d, const struct bc_insn *b, bool clean);
/** The definedness part of a load or store in this stream; NULL: nothing to do. */
struct vm_undef_access;
const struct vm_undef_access *vm_undef_access_of(struct decoder *d, const struct bc_insn *b);

// ---- undef.c
enum vm_undef_rule {
    VM_U_ANY,
    VM_U_MOVE,
    VM_U_CARRY,
    VM_U_BITS,
    VM_U_AND,
    VM_U_OR,
    VM_U_MUL,
    VM_U_SEL,
    VM_U_SEXT,
    VM_U_SHL,
    VM_U_LSHR,
    VM_U_ASHR,
};
/**
 * How a result's row is written: for a value that dies in its block, one that outlives it, a
 * uniform one.
 */
enum vm_undef_how { VM_U_ALL, VM_U_BLEND, VM_U_UNIFORM };
struct vm_undef_op {
    uint32_t dst, src[3];     // rows; 0 always defined
    uint32_t off[3];          // of the values
    uint8_t rule, size, from; // bytes of the result and of operand a
    uint8_t varying;
    uint8_t how; // enum vm_undef_how
};
struct vm_undef_rows { // a list of rows to be checked or joined
    uint32_t n, ndst;
    uint32_t *rows; // ndst destinations, then n sources
    uint8_t *size;  // of the destinations
    uint8_t how;
    uint8_t kind; // enum chk_fault_kind
};
struct vm_undef_pick {
    uint32_t dst, row, n; // rows of the result and of the index; elements: a power of two
    uint32_t from[16];    // their rows
    uint32_t index;       // the offset of its value
    uint8_t varying, elog, how;
};
struct vm_undef_access {
    struct vm_access *x;         // atomics
    uint32_t rows[VM_MAX_COMPS]; // LOAD: destinations; STORE: values; ATOMIC: destination, operand,
                                 // compare operand
    uint8_t how[VM_MAX_COMPS];
    bool clean;
    uint32_t resume; // clean: where the other stream continues
};
struct vm_undef_mark {
    uint32_t row, size, name;
    uint8_t how;
    bool clean;
    uint32_t resume;
};
struct vm_undef_image { // a read or write of pixels
    const struct vm_image_op *op;
    uint32_t rows[4]; // of its results, or of the stored values
    uint8_t how[4];
    bool clean;
    uint32_t resume;
};
struct vm_fault_run;
struct vm_collect;
struct vm_undef_collect { // a collective
    const struct vm_collect *how;
    uint32_t row, dst; // of the value; of the result
    uint8_t size;      // of the result: all its bytes
    enum vm_undef_how how_put;
    bool is_group, clean;
    bool may_lack; // it may read the value of a missing lane
    uint32_t resume;
};
vm_handler vm_undef_collect; // undef_collective.c
vm_handler vm_undef_join, vm_undef_pick, vm_undef_check, vm_undef_mark;
/**
 * Sets a row to the lanes' V bits in `now` (NULL: all defined), with the origins `from`: one for
 * each lane, or a set.
 */
void vm_undef_put(struct vm_gang *g, uint32_t row, const uint8_t *now, const uint64_t *from,
                  enum vm_undef_how how);
void vm_undef_put_set(struct vm_gang *g, uint32_t row, const uint8_t *now, uint32_t set,
                      enum vm_undef_how how);
/**
 * any: the union of the rows' V bits. Returns a held set with the origins of the first undefined
 * row of each lane, or VM_NO_SET if no row has a flag.
 */
enum { VM_NO_SET = ~0u };
uint32_t vm_undef_combine(struct vm_gang *g, const uint32_t *rows, uint32_t n, uint8_t *any);
/**
 * Counts the lanes in [lane, end) of mask in which the row is undefined (`lane` is one of them). Do
 * all have an origin in the same object or variable?
 */
bool vm_undef_is_one(const struct vm_gang *g, uint32_t row, const uint8_t *mask, uint32_t lane,
                     uint32_t end, uint32_t *count);
/** Adds the lanes of mask in which the row is undefined to the run of faults. */
void vm_undef_report_row(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                         uint32_t row, const uint8_t *mask);
/** Reports the lanes of mask in which the row is undefined; afterwards the row is defined. */
void vm_undef_report(struct vm_gang *g, const struct bc_insn *src, uint32_t row,
                     const uint8_t *mask, enum chk_fault_kind kind);
/** The instruction of the other stream of the running block that corresponds to `resume`. */
const struct vm_insn *vm_undef_switch(struct vm_gang *g, uint32_t resume);
struct vm_undef *vm_undef_create(const struct vm_code *c); // NULL: no memory
void vm_undef_destroy(struct vm_undef *u);
/** Flags the row, which has bytes that are not 0, with the origin `from`. */
void vm_undef_flag(struct vm_gang *g, uint32_t row, uint64_t from);
/** No register is undefined. */
void vm_undef_clear(struct vm_gang *g);
/** At the start of the lanes: all registers are defined, private memory is undefined. */
void vm_undef_start(struct vm_gang *g);

// ---- undef_memory.c
/** The shadow value of bytes that store an undefined value with that origin. */
uint8_t vm_undef_mark_of(struct vm_gang *g, uint64_t from);
/**
 * For a debugger, bytes of one lane in an object: the shadow value of one; whether one is
 * undefined; marks them defined.
 */
enum vm_byte vm_undef_byte(struct vm_gang *g, const struct vm_object *o, uint32_t lane,
                           uint64_t off);
bool vm_undef_any(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                  uint64_t size);
void vm_undef_define(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                     uint64_t size);
/** Some bytes of the object are undefined. */
static inline bool vm_is_followed(const struct vm_object *o)
{
    return o->shadow && __atomic_load_n(o->shadow->count, __ATOMIC_RELAXED);
}
/**
 * A load, lane by lane, with x->undef: sets the results' rows from the shadow. In the clean stream,
 * if some byte is undefined, does nothing and returns where the other stream continues. Otherwise
 * returns NULL.
 */
const struct vm_insn *vm_undef_load(struct vm_gang *g, const struct vm_access *x);
/** The same in the other stream, for a uniform load of memory that is not private. */
void vm_undef_load_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                       uint64_t off);
/**
 * The origin of a value in memory at `off` whose bytes `bits` are undefined; `is`: the shadow value
 * of the first of these.
 */
uint64_t vm_undef_origin_of(struct vm_gang *g, const struct vm_object *o, uint64_t off,
                            uint8_t bits, uint8_t is);
/** Not for the clean stream: marks all loaded values as defined. */
void vm_undef_loaded(struct vm_gang *g, const struct vm_access *x);
/** A store to global memory: reports the lanes that store something undefined. */
void vm_undef_report_store(struct vm_gang *g, const struct vm_access *x);
/**
 * The shadow values for undefined bytes of a flagged row, for each active lane in which the row is
 * not 0: none, one, or several.
 */
enum vm_marks { VM_NO_MARK, VM_ONE_MARK, VM_MARKS };
enum vm_marks vm_undef_marks(struct vm_gang *g, uint32_t row, uint8_t *mark);
/** A uniform store to local memory. */
void vm_undef_store_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                        uint64_t off);
/** A store, lane by lane: sets the shadow from the values' rows. */
void vm_undef_store(struct vm_gang *g, const struct vm_access *x);
/** May some lane store an undefined value? */
static inline bool vm_undef_stores(const struct vm_gang *g, const struct vm_access *x)
{
    uint8_t any = 0;
    if (x->undef->clean) return false;
    for (unsigned j = 0; j < x->ncomp; j++) any |= g->undef->flags[x->undef->rows[j]];
    return any;
}
/** imm = the id of a private object: its contents become undefined in the active lanes. */
vm_handler vm_undef_forget;
vm_handler vm_undef_atomic, vm_undef_copy, vm_undef_set, vm_undef_async;
vm_handler vm_undef_image, vm_undef_image_write; // sys_image.c
/** Marks private object `id` (a struct argument from the host) as defined in all lanes. */
void vm_undef_define_private(struct vm_gang *g, uint32_t id);
/** Reports a lane's use (kind, site, insn) of an undefined value that came from `from`. */
void vm_undef_fault(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                    uint32_t lane, uint64_t from);
#endif

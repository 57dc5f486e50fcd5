// SPDX-License-Identifier: MIT
#ifndef INTERP_UNDEF_H
#define INTERP_UNDEF_H
#include "check/check.h"
#include "interp/core/gang.h"

/**
 * Definedness: which bytes of registers and memory were never given a value (undef.c has the
 * theory).
 *
 * Registers that may ever hold such bytes, which is known when a kernel is decoded, have a row: a
 * byte for each lane, whose bit i says that byte i of the value is undefined. A row counts only
 * while its flag is set. Memory has a shadow, a byte for each byte.
 */
enum vm_mode {                 // bits: options of decoding
    VM_UNDEF_ON = 1,           // variables, private and local memory
    VM_UNDEF_GLOBAL_READ = 2,  // a buffer that the kernel may read is not wholly written
    VM_UNDEF_GLOBAL_WRITE = 4, // one that it may write is not
    VM_CONVERSIONS = 8,        // conversions to integers are checked
    VM_PACKED = 16,            // several groups together: see packing.h
    VM_COUNTS = 32,            // memory accesses are counted: see counters.h
    VM_SUBOBJECTS = 64,        // indices of arrays inside objects are
    VM_STEPPED = 128,          // nothing of that: calls do not nest (step.h)
    VM_FAST_FORWARDING = 256,  // for a debugger that has nothing to stop for (fast_forward_run.h)
    VM_UNDEF_IMAGE = 512,      // an image that the kernel may read is not wholly written
    VM_COVERAGE = 1024,        // blocks, branches and loops are counted: see block_counts.h
};

/** Bytes of one object. `count` of them (about: threads share it) are not defined. */
struct vm_shadow {
    uint8_t *bytes;
    uint64_t *count, own_count;
    uint8_t flip; // bytes[i] ^ flip: enum vm_byte
    bool owns;
    uint8_t *made;                        // of a buffer's root, for this launch: launch.c
    struct vm_written_sets *written_sets; // of local memory; NULL: none are kept
    uint64_t written_set;                 // the present one
};
/**
 * What lies between was written, with something undefined: the number of where that came from in
 * vm_run.origins.
 */
enum vm_byte { VM_WRITTEN = 0, VM_ORIGINS = 0xfe, VM_NEVER_WRITTEN = 0xff };

/** Where an undefined value came from; rows have it packed, for each lane. */
struct vm_origin {
    uint32_t object;    // id, or 0: a variable
    uint32_t name, loc; // of the variable; name 0: of a sub-group function that read the value of a
                        // missing work-item; both 0: unknown
    uint64_t offset, size;
    bool rewritten; // it came through other memory; of an object: from whichever of its bytes
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
    uint64_t *origins;         // [set * width + lane], of lanes that are not 0
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
/** So many sets at most are held besides by rows. */
enum { VM_UNDEF_HELD = 4 };
/** Of a row with a flag. */
static inline uint64_t *vm_undef_origins(const struct vm_gang *g, uint32_t row)
{
    return vm_undef_of_set(g, g->undef->set[row]);
}
/** The same, which no other row shares any more: to be changed. */
uint64_t *vm_undef_own_origins(struct vm_gang *g, uint32_t row);
/** A set that the caller holds; one origin for all lanes. */
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
/** Finds the registers that need rows; false when nothing in the code can be undefined. */
bool vm_undef_analyze(struct vm_code *c);
/**
 * Instructions before and after those of b. `clean`: in the stream that runs while nothing is
 * undefined.
 */
void vm_undef_before(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume);
void vm_undef_after(struct decoder *d, const struct bc_insn *b, bool clean);
/** What a load or store of this stream has to do besides; NULL: nothing. */
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
 * How a result's row is written: as that of a value that ends with its block, one that outlives it,
 * a uniform one.
 */
enum vm_undef_how { VM_U_ALL, VM_U_BLEND, VM_U_UNIFORM };
struct vm_undef_op {
    uint32_t dst, src[3];     // rows; 0 always defined
    uint32_t off[3];          // of the values
    uint8_t rule, size, from; // bytes of the result and of operand a
    uint8_t varying;
    uint8_t how; // enum vm_undef_how
};
struct vm_undef_rows { // a list: checked, or joined
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
    uint32_t resume; // clean: where the other stream goes on
};
struct vm_undef_mark {
    uint32_t row, size, name;
    uint8_t how;
    bool clean;
    uint32_t resume;
};
struct vm_undef_image { // a read or write of pixels
    const struct vm_image_op *op;
    uint32_t rows[4]; // of its results, or of what is stored
    uint8_t how[4];
    bool clean;
    uint32_t resume;
};
struct vm_fault_run;
struct vm_collect;
struct vm_undef_collect { // what a work-group or a sub-group computes
    const struct vm_collect *how;
    uint32_t row, dst; // of the value; of the result
    uint8_t size;      // of the result: all its bytes
    enum vm_undef_how how_put;
    bool is_group, clean;
    bool may_lack; // it takes the value of another lane, which may be absent
    uint32_t resume;
};
vm_handler vm_undef_collect; // undef_collective.c
vm_handler vm_undef_join, vm_undef_pick, vm_undef_check, vm_undef_mark;
/**
 * Gives a row the lanes' bytes in `now` (NULL: all defined), which came from `from`: a value for
 * each, or a set.
 */
void vm_undef_put(struct vm_gang *g, uint32_t row, const uint8_t *now, const uint64_t *from,
                  enum vm_undef_how how);
void vm_undef_put_set(struct vm_gang *g, uint32_t row, const uint8_t *now, uint32_t set,
                      enum vm_undef_how how);
/**
 * any: the rows' bytes together. Of several undefined ones the first counts: a set that is held, or
 * NO_SET where none has a flag.
 */
enum { VM_NO_SET = ~0u };
uint32_t vm_undef_combine(struct vm_gang *g, const uint32_t *rows, uint32_t n, uint8_t *any);
/**
 * Of the lanes [lane, end) of mask in which the row is undefined, of which `lane` is one: how many,
 * and did all come from the same object or variable?
 */
bool vm_undef_is_one(const struct vm_gang *g, uint32_t row, const uint8_t *mask, uint32_t lane,
                     uint32_t end, uint32_t *count);
/** Adds the lanes of mask in which the row is undefined to the run of faults. */
void vm_undef_report_row(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                         uint32_t row, const uint8_t *mask);
/** Reports the lanes of mask in which the row is undefined; from there on it is defined. */
void vm_undef_report(struct vm_gang *g, const struct bc_insn *src, uint32_t row,
                     const uint8_t *mask, enum chk_fault_kind kind);
/** Where the other stream of the running block is at instruction `resume`. */
const struct vm_insn *vm_undef_switch(struct vm_gang *g, uint32_t resume);
struct vm_undef *vm_undef_create(const struct vm_code *c); // NULL: no memory
void vm_undef_destroy(struct vm_undef *u);
/** The row has bytes that are not 0, which came from there. */
void vm_undef_flag(struct vm_gang *g, uint32_t row, uint64_t from);
/** No register is undefined. */
void vm_undef_clear(struct vm_gang *g);
/** The lanes start: no register is undefined, private memory is. */
void vm_undef_start(struct vm_gang *g);

// ---- undef_memory.c
/** What bytes in memory become that are given something undefined which came from there. */
uint8_t vm_undef_mark_of(struct vm_gang *g, uint64_t from);
/**
 * For a debugger, bytes of one lane that lie in the object: what one is; is one of them undefined;
 * they get a value.
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
 * A load, lane by lane, with x->undef: gives the results' rows what memory says, or, in the clean
 * stream where some byte is undefined, does nothing and gives where the other stream goes on. Else
 * NULL.
 */
const struct vm_insn *vm_undef_load(struct vm_gang *g, const struct vm_access *x);
/** The same in the other stream where all lanes load from one place, which is not private. */
void vm_undef_load_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                       uint64_t off);
/**
 * Where a value came from whose bytes `bits`, in memory at off, are undefined, the first of which
 * is `is`.
 */
uint64_t vm_undef_origin_of(struct vm_gang *g, const struct vm_object *o, uint64_t off,
                            uint8_t bits, uint8_t is);
/** Not in the clean stream: all that is loaded is defined. */
void vm_undef_loaded(struct vm_gang *g, const struct vm_access *x);
/** A store to global memory: reports the lanes that store something undefined. */
void vm_undef_report_store(struct vm_gang *g, const struct vm_access *x);
/**
 * What undefined bytes become in memory, for each active lane in which the row, which has a flag,
 * is not 0, if there is any.
 */
enum vm_marks { VM_NO_MARK, VM_ONE_MARK, VM_MARKS };
enum vm_marks vm_undef_marks(struct vm_gang *g, uint32_t row, uint8_t *mark);
/** A store of all lanes to one place of local memory. */
void vm_undef_store_one(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                        uint64_t off);
/** A store, lane by lane: gives memory what the values' rows say. */
void vm_undef_store(struct vm_gang *g, const struct vm_access *x);
/** Whether some lane may store something undefined. */
static inline bool vm_undef_stores(const struct vm_gang *g, const struct vm_access *x)
{
    uint8_t any = 0;
    if (x->undef->clean) return false;
    for (unsigned j = 0; j < x->ncomp; j++) any |= g->undef->flags[x->undef->rows[j]];
    return any;
}
/** imm = the id of a private object: what it holds has no value any more, in the active lanes. */
vm_handler vm_undef_forget;
vm_handler vm_undef_atomic, vm_undef_copy, vm_undef_set, vm_undef_async;
vm_handler vm_undef_image, vm_undef_image_write; // sys_image.c
/** Private object `id` of all lanes is defined: a struct that the host gave. */
void vm_undef_define_private(struct vm_gang *g, uint32_t id);
/** Reports a lane's use (kind, site, insn) of an undefined value that came from `from`. */
void vm_undef_fault(struct vm_gang *g, struct vm_fault_run *run, const struct chk_fault *use,
                    uint32_t lane, uint64_t from);
#endif

// SPDX-License-Identifier: MIT
#ifndef BYTECODE_BYTECODE_H
#define BYTECODE_BYTECODE_H
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "bytecode/opcodes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * The bytecode of a program: what cldbg-cc produces and the engine runs. Everything in a module
 * lives in its arena; strings are indices into `strings` (0 is ""). A module that came from outside
 * the process is used only after bc_verify accepted it.
 *
 * A register is uniform (one 64-bit slot, the value in its low bytes) or varying (an array over
 * lanes of elements of 1, 2, 4 or 8 bytes). Vectors and structs in registers are scalarized by the
 * lowering.
 *
 * The masking rule: an instruction with BC_MASKED writes its varying destination only for active
 * lanes; without it, the destination is used only in the same block and may be written for all
 * lanes.
 *
 * Uniform values are uniform among the lanes active where they are computed and used; where lanes
 * can part company for good (struct bc_fn.may_part) the lowering keeps everything that lives across
 * blocks and is not a function of launch constants varying.
 */

/** An operand: BC_V | n is varying register n of the function, n alone is uniform slot n. */
enum { BC_V = 0x80000000u, BC_NONE = 0xffffffffu };

enum bc_flag {
    BC_MASKED = 1,        // the varying destination outlives its block
    BC_FIRST_OF_STMT = 2, // the source line changes here: a debugger may stop
    BC_DECIDES =
        4, // CBR in a kernel: work-items may part here, and barriers depend on which way they go
    BC_CASE =
        8, // with DECIDES: one case of a switch; the condition is a comparison with it, just before
    BC_SATURATES = 16, // F2U, F2S: a value out of range is meant to become the nearest one
    BC_ONCE = 64,      // MUL: only the ADD that follows directly uses the product
    BC_BREAK = 32,     // a debugger has planted something here; never in an encoded module
};

// Structs that are encoded as they lie in memory have no implicit padding, so that equal modules
// are equal bytes. The members pad_ are zero.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

struct bc_insn {
    uint16_t op, flags;
    uint32_t dst, a, b, c;
    uint32_t ext;  // by opcode; a list is an index into bc_fn.ext
    uint32_t site; // memory instructions: index into bc_module.sites (0: no site)
    uint32_t loc;  // index into bc_module.locs (0 is unknown)
};

enum bc_space { BC_PRIVATE, BC_GLOBAL, BC_CONSTANT, BC_LOCAL, BC_GENERIC };

enum bc_access_kind {
    BC_LEA_ONLY,
    BC_READ,
    BC_WRITE,
    BC_ATOMIC_RMW,
    BC_ATOMIC_LOAD,
    BC_ATOMIC_STORE
};
enum bc_index_kind { BC_IDX_NONE, BC_IDX_S32, BC_IDX_U32, BC_IDX_I64 };
enum bc_atomic_op {
    BC_XCHG,
    BC_ATOMIC_ADD,
    BC_ATOMIC_SUB,
    BC_ATOMIC_AND,
    BC_ATOMIC_OR,
    BC_ATOMIC_XOR,
    BC_ATOMIC_SMIN,
    BC_ATOMIC_SMAX,
    BC_ATOMIC_UMIN,
    BC_ATOMIC_UMAX,
    BC_CMPXCHG,
    BC_ATOMIC_FADD,
    BC_ATOMIC_FMIN,
    BC_ATOMIC_FMAX,
};
/**
 * BC_CL1: relaxed, by a function of OpenCL C 1.x: such code takes order for granted. BC_CL1_UNUSED:
 * the same where the result is not used.
 */
enum bc_order { BC_RELAXED, BC_ACQUIRE, BC_RELEASE, BC_ACQ_REL, BC_SEQ_CST, BC_CL1, BC_CL1_UNUSED };
static inline bool bc_is_cl1(unsigned order) { return order >= BC_CL1; }
enum bc_scope { BC_SCOPE_ITEM, BC_SCOPE_SUB_GROUP, BC_SCOPE_GROUP, BC_SCOPE_DEVICE, BC_SCOPE_ALL };
enum bc_fence { BC_FENCE_LOCAL = 1, BC_FENCE_GLOBAL = 2, BC_FENCE_IMAGE = 4 }; // as CLK_*_MEM_FENCE
/**
 * ext of BC_FENCE: enum bc_fence bits | enum bc_order << 8 | enum bc_scope << 16 | BC_FENCE_CL1.
 */
enum {
    BC_FENCE_CL1 = 1 << 24
}; // mem_fence and related functions: OpenCL C 1.x gives them no meaning for atomics

/**
 * A place in the program that touches memory. The address of component i for a lane is
 *   base + extend(index) * scale + disp + i * elem
 * where `extend` is by index_kind. Objects are not left by arithmetic: see struct bc_object.
 * A 3-vector has ncomp 3 and align of 4 elements: the fourth lane is not accessed.
 */
struct bc_mem {
    uint8_t kind;       // enum bc_access_kind
    uint8_t elem;       // bytes of a component: 1, 2, 4, 8 (COPY and SET: 1)
    uint8_t ncomp;      // 1..16
    uint8_t space;      // enum bc_space as the program's type says
    uint8_t index_kind; // enum bc_index_kind
    uint8_t atomic_op, order, scope;
    uint8_t is_float; // the components are floating point (for showing values)
    uint8_t is_volatile;
    uint8_t failure; // BC_CMPXCHG: the order of one that fails, which only loads; BC_CL1: of OpenCL
                     // C 1.x, which stores the old value then
    uint8_t pad_;
    uint32_t align; // required alignment in bytes; 1 none
    int64_t scale, disp;
    uint32_t loc, fn;
    uint32_t pointer; // string: the variable that holds the pointer which the address begins with;
                      // 0: none, or an object itself
    uint32_t members; // string: of a COPY that assigns a struct, for each byte 'm': of a member, or
                      // '.': padding, or of a union; 0: not known
};

/** Whether an ATOMIC there has a compare operand. */
static inline bool bc_compares(const struct bc_mem *m)
{
    return m->kind == BC_ATOMIC_RMW && m->atomic_op == BC_CMPXCHG;
}

/**
 * An image is a register with the pointer of its argument's id, offset 0. A sampler is the number
 * that OpenCL C's CLK_ constants make: bit 0 normalized coordinates, bits 1-3 the addressing mode,
 * bit 5 linear filter. How IMAGE accesses: kind of the values, how many coordinates find a pixel,
 * and what they are.
 */
enum bc_image {
    BC_IMAGE_F = 0,
    BC_IMAGE_S = 1,
    BC_IMAGE_U = 2,
    BC_IMAGE_KIND = 3, // of the values
    BC_IMAGE_WRITE = 4,
    BC_IMAGE_FLOAT_COORDS = 8,
    BC_IMAGE_ARRAY = 16, // the last coordinate chooses the layer
    // Bytes without conversion (cl_intel_subgroups), 1 << log of them: x in bytes and y of a block,
    // and the byte of a row of the block. The value is an unsigned integer.
    BC_IMAGE_BLOCK = 32,
    BC_IMAGE_BLOCK_LOG = 6,
};
enum bc_image_query {
    BC_IMAGE_WIDTH,
    BC_IMAGE_HEIGHT,
    BC_IMAGE_DEPTH,
    BC_IMAGE_LAYERS,
    BC_IMAGE_TYPE,
    BC_IMAGE_ORDER,
    BC_IMAGE_QUERIES
};

enum bc_wi {
    BC_GLOBAL_ID,
    BC_LOCAL_ID,
    BC_GROUP_ID,
    BC_GLOBAL_SIZE,
    BC_LOCAL_SIZE,
    BC_ENQUEUED_LOCAL_SIZE,
    BC_NUM_GROUPS,
    BC_GLOBAL_OFFSET,
    BC_WORK_DIM,
    BC_GLOBAL_LINEAR_ID,
    BC_LOCAL_LINEAR_ID,
    BC_SUB_GROUP_SIZE,     // of a full one; sub-groups are runs of so many linear local ids
    BC_MAX_SUB_GROUP_SIZE, // that of the launch: less in a small work-group, unless it is required
    BC_WI_KINDS,
};

/**
 * The operation that is reached: a barrier of the program, or another one that a whole group must
 * reach.
 */
enum bc_barrier { BC_BAR_BARRIER, BC_BAR_WAIT_GROUP_EVENTS, BC_BAR_ASYNC_COPY, BC_BAR_COLLECTIVE };

/**
 * COLLECT: what the work-items of a work-group (scope BC_SCOPE_GROUP) or sub-group compute of all
 * their values. One of a work-group consists of three instructions: PUT of each work-item's value,
 * a BARRIER of kind BC_BAR_COLLECTIVE, and the operation, which looks at what was put before that
 * barrier. A sub-group's takes the values of its active lanes. ext: enum bc_collect | enum
 * bc_combine << 8 | enum bc_type << 16 (of a and dst) | enum bc_scope << 24, and BC_COLLECT_BY_ALL
 * where all lanes of the sub-group have to reach it or none.
 */
enum bc_collect {
    BC_COL_PUT,
    BC_COL_ALL,
    BC_COL_ANY,
    BC_COL_ALL_EQUAL,
    BC_COL_ELECT,  // dst: I32, 0 or 1
    BC_COL_BALLOT, // dst: I32, bit i is whether lane i's value is not 0
    BC_COL_BROADCAST,
    BC_COL_FIRST, // BROADCAST: b is the linear id in the group
    BC_COL_REDUCE,
    BC_COL_INCLUSIVE,
    BC_COL_EXCLUSIVE, // c: the size of clusters, or BC_NONE
    BC_COL_SHUFFLE,
    BC_COL_SHUFFLE_XOR,
    BC_COL_SHUFFLE_UP,
    BC_COL_SHUFFLE_DOWN,
    BC_COL_ROTATE,  // b: lane or distance
    BC_COL_BARRIER, // of a sub-group; b: flags; in place of enum bc_combine: enum bc_scope of its
                    // fence
    BC_COL_BLOCK_POINTER,     // of a full sub-group: a (I64) must be the same for all lanes. No dst
    BC_COL_BLOCK_COORDINATES, // likewise; a: an int2
    BC_COL_KINDS,
};
enum bc_combine {
    BC_COM_ADD,
    BC_COM_MUL,
    BC_COM_MIN,
    BC_COM_MAX,
    BC_COM_UMIN,
    BC_COM_UMAX,
    BC_COM_AND,
    BC_COM_OR,
    BC_COM_XOR,
    BC_COM_LOGICAL_AND,
    BC_COM_LOGICAL_OR,
    BC_COM_LOGICAL_XOR,
    BC_COM_KINDS,
};
#define BC_COLLECT_EXT(what, combine, type, scope)                                                 \
    ((uint32_t)(what) | (uint32_t)(combine) << 8 | (uint32_t)(type) << 16 | (uint32_t)(scope) << 24)
/**
 * The id of a work-group's broadcast if it is outside the work-group. (The linear id that its
 * dimensions give might be inside.)
 */
#define BC_NO_ID          UINT32_MAX
#define BC_COLLECT_BY_ALL (1u << 23)

/**
 * Ends with one terminator. Blocks stand in scheduling order: topological but for back edges, loops
 * contiguous.
 */
struct bc_block {
    uint32_t first, count; // instructions
    int32_t loop;          // innermost loop it is in, or -1
};

/** Blocks header..last. A jump to the header from inside is a back edge. */
struct bc_loop {
    uint32_t header, last;
    int32_t parent;   // or -1
    uint32_t counter; // varying I32 that counts the lane's iterations from 1, when the loop has a
                      // barrier and its control may vary, or lanes may part that meet in it; else
                      // BC_NONE
    uint32_t loc;     // of the word that begins its statement; 0: not known
    uint8_t has_barrier;
    uint8_t pad_[3];
};

#pragma GCC diagnostic pop
struct bc_fn {
    uint32_t name;             // source name
    uint32_t nuniform, nconst; // uniform slots; the first nconst hold consts[] always
    const uint64_t *consts;
    uint32_t nvarying;
    const uint8_t *vsize; // bytes of an element
    const struct bc_insn *insns;
    uint32_t ninsns;
    const struct bc_block *blocks;
    uint32_t nblocks; // entry is block 0
    const struct bc_loop *loops;
    uint32_t nloops; // a parent stands before its children
    const uint32_t *ext;
    uint32_t next;          // length of ext
    const uint32_t *params; // operand of each scalar parameter: the caller writes them
    uint32_t nparams;
    const uint32_t
        *rets; // operand that each returned scalar is written to (BC_MASKED where varying)
    uint32_t nrets;
    uint8_t has_barrier; // only in kernels: barrier functions are inlined
    uint8_t may_part;    // lanes may wait for one another (spin loops, varying barriers)
    uint32_t loc;        // its declaration
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
enum bc_object_kind { BC_OBJ_PRIVATE, BC_OBJ_LOCAL, BC_OBJ_CONSTANT, BC_OBJ_PROGRAM };

/**
 * Something with an address and a size that the program declares. Pointers carry the object:
 *   pointer = (id << 48) + BC_PTR_BIAS + offset,  id = index in bc_module.objects + 1;
 * the launch gives ids after those to its buffer and local arguments, in argument order
 * (id = nobjects + 1 + argument index). 0 is null. Address arithmetic saturates inside its id.
 */
struct bc_object {
    uint8_t kind;
    uint8_t is_padding_free;
    uint8_t is_param; // a struct passed by value: the caller writes it before the call
    uint8_t pad_;
    uint32_t name, type; // strings: `tmp`, `float[64]`; name 0: a compiler's temporary
    uint32_t align;
    uint64_t size;
    uint32_t fn;         // private and local: the function that declares it
    uint32_t loc;        // declaration
    const uint8_t *init; // CONSTANT and PROGRAM: `size` bytes; NULL is zeroes
    uint32_t first_reloc, nrelocs;
};
#define BC_PTR_ID_SHIFT 48
#define BC_PTR_BIAS     (1ull << 47)
#define BC_MAX_OBJECT   (1ull << 40) // bytes; no object is as large
#define BC_PTR(id, off) (((uint64_t)(id) << BC_PTR_ID_SHIFT) + BC_PTR_BIAS + (uint64_t)(off))

/** The 8 bytes at `offset` of the object hold a pointer to object `target` + addend. */
struct bc_reloc {
    uint64_t offset;
    int64_t addend;
    uint32_t target; // index in objects
    uint32_t pad_;
};

enum bc_arg_kind {
    BC_ARG_VALUE,
    BC_ARG_BUFFER,
    BC_ARG_LOCAL,
    BC_ARG_STRUCT,
    BC_ARG_IMAGE,
    BC_ARG_SAMPLER
};

/**
 * A piece of a value argument: the register that holds `size` bytes from `offset` of what the host
 * gave.
 */
struct bc_piece {
    uint32_t offset, size, reg; // reg: a uniform slot of the kernel's function
};

struct bc_arg {
    uint8_t kind;
    uint8_t
        space; // as CL_KERNEL_ARG_ADDRESS_QUALIFIER means: enum bc_space (constant → BC_CONSTANT)
    uint8_t access; // 0 none, 1 read_only, 2 write_only, 3 read_write (images)
    uint8_t is_const, is_restrict, is_volatile, is_pipe;
    uint8_t may_write, may_read; // some access of the kernel may write/read through it (BUFFER)
    uint8_t only_atomics;        // no access through it is a plain one (BUFFER)
    uint8_t unit; // most likely the sizes of all accesses through it are multiples of it: 1, 2, 4,
                  // 8; 0: not known (BUFFER)
    uint8_t pad_;
    uint32_t size;                 // bytes that clSetKernelArg must give (BUFFER, LOCAL: 8)
    uint32_t align;                // of what it points to, for BUFFER and LOCAL
    uint32_t name, type;           // type as written: `float*`, `float4`
    uint32_t object;               // STRUCT: the private object that starts as its value
    uint32_t first_piece, npieces; // BUFFER, LOCAL: one piece, the pointer
    uint32_t loc;
};

enum { BC_MAX_ARGS = 1024 };    // of a kernel
enum { BC_VARIANT_ITEMS = 64 }; // work-items of the largest group that runs in bc_kernel.packed

/**
 * A condition on an id and an argument under which a kernel has barriers (`if (i < n)` around
 * them). `id + plus` and what it is compared with are numbers that no arithmetic of the kernel's
 * has wrapped, or the condition is taken not to hold.
 */
enum bc_precondition_test {
    BC_PRECONDITION_LT,
    BC_PRECONDITION_LE,
    BC_PRECONDITION_GT,
    BC_PRECONDITION_GE
};
struct bc_precondition {
    uint8_t id; // BC_GLOBAL_ID or BC_LOCAL_ID
    uint8_t dim;
    uint8_t test;    // enum bc_precondition_test: `id + plus` TEST `argument + value`
    uint8_t is_wide; // numbers of 64 bits are compared, else of 32
    uint8_t is_signed;
    uint8_t is_narrow;  // the id was made an int on the way
    uint8_t arg_bits;   // in which argument + value is computed, 32 or 64; 0: it is the value alone
    uint8_t arg_signed; // how the sum is extended before the comparison
    uint32_t arg;
    int32_t plus;
    int64_t value;
};
enum { BC_MAX_PRECONDITIONS = 4, BC_MAX_SUB_GROUP = 32 };

/**
 * The parts of a launch that a work-item describes to the device, in this order: BEGIN, QUEUE, SIZE
 * (10 at most), CAPTURED, WAIT, LOCAL, END. The others stand alone. frontend/device_enqueue.cl has
 * the same numbers.
 */
enum bc_enqueue {
    BC_ENQUEUE_BEGIN,      // a: function of the block + 1, 0: a marker; b: CLK_ENQUEUE_FLAGS_…
    BC_ENQUEUE_QUEUE,      // a: queue; b: bytes of the block
    BC_ENQUEUE_SIZE,       // a: 0: b is the number of dimensions; from 1, 4, 7 on: offset, global
                           // size, local size in dimension 0
    BC_ENQUEUE_CAPTURED,   // a: offset in the block; b: 8 bytes
    BC_ENQUEUE_WAIT,       // a: event
    BC_ENQUEUE_LOCAL,      // a: bytes
    BC_ENQUEUE_END,        // a: whether its event is wanted; answers 0 or CLK_…
    BC_ENQUEUE_NEW_EVENT,  // answers the event of the last END
    BC_ENQUEUE_USER_EVENT, // answers a user event
    BC_ENQUEUE_SET_STATUS, // a: user event; b: status
    BC_ENQUEUE_RETAIN,     // a: event
    BC_ENQUEUE_RELEASE,    // a: event
    BC_ENQUEUE_IS_EVENT,   // a: event; answers 0 or 1
    BC_ENQUEUE_PROFILE,    // a: event; b: pointer to two ulong
    BC_ENQUEUE_QUERY,      // a: 0: largest work-group, 1: work-items of a sub-group
    BC_ENQUEUE_DEFAULT_QUEUE, // answers a queue
    BC_ENQUEUE_PARTS
};

struct bc_kernel {
    uint32_t name, fn;
    uint32_t first_arg, nargs;
    uint32_t reqd_wg_size[3], wg_size_hint[3]; // 0: not given
    uint32_t vec_type_hint, attributes;        // strings
    uint64_t local_size;                       // bytes of its automatic local variables
    uint64_t private_size;                     // bytes of private memory a work-item uses
    uint8_t uses_printf, uses_atomics, has_barrier;
    uint8_t may_be_uneven; // the work-group size need not divide the range
    uint8_t enqueues;      // it reaches an instruction ENQUEUE
    uint8_t is_block;      // a block that may be enqueued on the device: not for the host. Its
                           // arguments are the block, and pointers to local memory
    uint8_t unused[6];
    uint32_t packed;      // index of its variant for several work-groups in one gang; 0: none
    uint32_t specialized; // its variant for launches in which the preconditions hold for every
                          // work-item; 0: none
    uint16_t sub_group;   // work-items of its sub-groups, a power of two up to BC_MAX_SUB_GROUP; 0:
                          // the device's
    uint16_t npreconditions;
    struct bc_precondition preconditions[BC_MAX_PRECONDITIONS];
    const char *refused; // NULL, or why it cannot be run
};

struct bc_loc {
    uint32_t file;       // index in files
    uint32_t line, col;  // 1-based; 0 unknown
    uint32_t fn_name;    // the function it is written in (string)
    uint32_t inlined_at; // loc of the call it was inlined at, or 0
    uint32_t scope;      // innermost scope it lies in, or 0; only in modules built for debugging
};

struct bc_file {
    uint32_t name; // as reports shall show it
    uint32_t path; // where to read it, or 0 when the text below is all there is
    uint32_t text; // its source text, or 0: read `path`
    uint32_t
        first_line; // the source is a part of file `name` that starts at this line (1: the whole)
};

// ---- what a debugger needs to know; modules not built for debugging have only the types of the
// pointers that kernels are given

enum bc_dtype_kind {
    BC_T_VOID,
    BC_T_BOOL,
    BC_T_INT,
    BC_T_UINT,
    BC_T_FLOAT,
    BC_T_POINTER,
    BC_T_ARRAY,
    BC_T_VECTOR,
    BC_T_STRUCT,
    BC_T_UNION,
    BC_T_ENUM,
    BC_T_TYPEDEF,
    BC_T_CONST,
    BC_T_OPAQUE,
    BC_T_KINDS
};
/** A type of the source. */
struct bc_dtype {
    uint8_t kind, space; // enum bc_dtype_kind; of a pointer, enum bc_space
    uint8_t pad_[2];
    uint32_t name; // string: `int`, `float4`, a struct's tag; 0 none
    uint32_t base; // of pointers, arrays, vectors, typedefs, const: what of
    uint32_t first_member, nmembers;
    uint32_t pad2_;
    uint64_t size;  // bytes
    uint64_t count; // elements of arrays and vectors (a 3-vector has 3 and the size of 4)
};
struct bc_member {
    uint32_t name, type;
    uint64_t offset;    // bytes; of the storage unit for a bit-field; an enumerator: its value
    uint32_t bit, bits; // a bit-field: first bit from there, and how many; else 0
};
/** A function or a block inside one. */
struct bc_dscope {
    uint32_t parent;  // or 0: a function's
    uint32_t fn_name; // string
    uint32_t returns; // of a function: its type
};
/** A variable of the source; it lives in object `object` from its first byte on. */
struct bc_var {
    uint32_t name, type, object;
    uint32_t scope; // 0: the whole program's
    uint32_t loc; // its declaration; its inlined_at says which copy of an inlined function it is of
    uint32_t is_param;
};

#pragma GCC diagnostic pop

struct bc_module {
    struct arena arena;
    const char **strings;
    uint32_t nstrings;
    const struct bc_fn *fns;
    uint32_t nfns;
    const struct bc_kernel
        *kernels; // the program's, then the variants that bc_kernel.packed and .specialized name
    uint32_t nkernels, nvariants;
    const struct bc_arg *args;
    uint32_t nargs;
    const struct bc_piece *pieces;
    uint32_t npieces;
    const struct bc_object *objects;
    uint32_t nobjects;
    const struct bc_reloc *relocs;
    uint32_t nrelocs;
    const struct bc_mem *sites; // sites[0] is unused
    uint32_t nsites;
    const struct bc_loc *locs; // locs[0] is unknown
    uint32_t nlocs;
    const struct bc_file *files;
    uint32_t nfiles;
    const struct bc_dtype *dtypes; // [0] is void
    uint32_t ndtypes;
    const struct bc_member *members;
    uint32_t nmembers;
    const struct bc_dscope *scopes; // [0] is the program's
    uint32_t nscopes;
    const struct bc_var *vars;
    uint32_t nvars;
};

/** Whether a constant is a pointer into (or just past the end of) the object of that index. */
static inline bool bc_const_points_to(uint64_t constant, uint32_t index, const struct bc_object *o)
{
    return constant >> BC_PTR_ID_SHIFT == index + 1 && constant - BC_PTR(index + 1, 0) <= o->size;
}

/** Whether some constant of the function does. */
static inline bool bc_points_to(const struct bc_fn *f, uint32_t index, const struct bc_object *o)
{
    for (uint32_t i = 0; i < f->nconst; i++)
        if (bc_const_points_to(f->consts[i], index, o)) return true;
    return false;
}

struct bc_module *bc_module_create(void);
void bc_module_destroy(struct bc_module *m);
static inline const char *bc_str(const struct bc_module *m, uint32_t s) { return m->strings[s]; }

/**
 * Gives the types (enum bc_type) of the results and then of the operands of lane function `fn`
 * (LANEFN). False: no such function. builtins/ has the table and gives bi_lane_types.
 */
enum { BC_MAX_LANE_TYPES = 24 };
typedef bool bc_lane_types_fn(uint32_t fn, unsigned *ndst, unsigned *nsrc,
                              uint8_t types[BC_MAX_LANE_TYPES]);

/**
 * Checks everything the engine relies on (bytecode/verify.c lists it); an error names function and
 * instruction.
 */
struct err *bc_verify(const struct bc_module *m, bc_lane_types_fn *lane_types);

/**
 * The wire, cache and program-binary form: versioned, checksummed. bc_decode verifies; *m is NULL
 * on error.
 */
void bc_encode(const struct bc_module *m, struct str *out);
uint64_t bc_layout(void); // changes with the layout of the encoded structs
struct err *bc_decode(const void *data, size_t size, bc_lane_types_fn *lane_types,
                      struct bc_module **m);

/** Text form, for people and tests; bc_assemble reads what bc_disassemble prints. */
void bc_disassemble(const struct bc_module *m, struct str *out);
struct err *bc_assemble(const char *text, struct bc_module **m);
/** One instruction, without its source place. */
void bc_disassemble_insn(const struct bc_module *m, const struct bc_fn *f, const struct bc_insn *i,
                         struct str *out);

#endif

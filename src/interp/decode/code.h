// SPDX-License-Identifier: MIT
#ifndef INTERP_CODE_H
#define INTERP_CODE_H
#include "base/arena.h"
#include "bytecode/bytecode.h"

#include <stddef.h>

/**
 * Decoded code: a kernel's bytecode, decoded for gangs of one width. A decoded instruction names
 * its handler (direct threading) and its operands by byte offsets in the gang's register file.
 * OpenCL C has no recursion, so each function has fixed offsets in that file.
 */

enum { VM_PAD = 16, VM_MAX_WIDTH = 1024, VM_MAX_COMPS = 16 };

struct vm_gang;
struct vm_insn;
struct vm_isa;

/** Runs one instruction and returns the next one, or NULL if the frame is done or must wait. */
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
    bool regular;  // scale and disp are small and preserve the alignment of element and access
    bool plain;    // regular, with one base, an element index for each lane, and one component
    bool base_varying, index_varying;
    bool wants_old; // atomics
    bool packed;    // the values to be stored are in g->values, `bytes` per lane
    int64_t scale, disp;
    uint32_t step;                // scale in elements, modulo 2^32
    uint32_t base_off, index_off; // register file offsets
    uint32_t val[VM_MAX_COMPS];   // destinations or values
    uint16_t val_varying;         // bits
    uint16_t spaces;              // bits of enum bc_space: the spaces that it may point into
    const struct bc_insn *src;
    const struct vm_undef_access *undef; // or NULL, if definedness is not involved
};

/**
 * Operands of an instruction that works lane by lane. For a REGULAR one (ops.def): dst, a, b, c
 * (numbers as they are), and ext in n; for others as their handlers define.
 */
struct vm_operands {
    uint32_t off[4];
    uint32_t n;
    uint8_t varying; // bits
};

/**
 * The values that fit into an integer type after truncation: low <= value < end.
 */
struct vm_range {
    double low, end; // exact in the type of the value
    bool is_double, is_varying;
};

/**
 * Two counters in one number: all effects in the low bits, those visible to other groups also in
 * the high bits.
 */
#define VM_EFFECT     1ull
#define VM_FAR_EFFECT ((1ull << 40) + VM_EFFECT)

struct vm_block {
    const struct vm_insn *stream[4]; // all lanes active; some active; the same two for use while a
                                     // value is undefined
    uint32_t count;                  // bytecode instructions
    uint64_t effect;                 // 0, VM_EFFECT or VM_FAR_EFFECT
    int32_t loop;
    bool narrows; // may run for only the first lanes: see vm_gang.n
};

struct vm_fn {
    const struct bc_fn *bc;
    uint32_t index; // in the module
    uint32_t uniform_off, *varying_off;
    struct vm_block *blocks;
    uint32_t frame;                      // index in code->fns and gang->frames
    uint32_t *uniform_row, *varying_row; // see undef.h; 0: always defined
    uint32_t first_block, first_loop;    // of code->nblocks, nloops: where its own begin
    uint32_t *objects, nobjects; // ids of its variables in memory, whose lifetime is the call;
                                 // empty for a kernel
    struct vm_compact_loop *compact_loops; // [loop]: see compaction.h; NULL: no loop qualifies
};

/**
 * May the scope exclude a work-item that uses the location? In local memory the scope of the
 * work-group includes all; atomic_… of OpenCL 1.x have no scope.
 */
static inline bool vm_atomic_is_narrow(const struct bc_mem *m)
{
    return !bc_is_cl1(m->order) &&
           (m->scope < BC_SCOPE_GROUP || (m->scope == BC_SCOPE_GROUP && m->space != BC_LOCAL));
}

/** A compare-exchange of C11: on failure it only loads, with the order bc_mem.failure. */
static inline bool vm_may_only_load(const struct bc_mem *m)
{
    return m->kind == BC_ATOMIC_RMW && m->atomic_op == BC_CMPXCHG && m->failure != BC_CL1;
}

/** A kernel decoded for gangs of one width. */
struct vm_code {
    struct vm_code *next; // for other gangs
    struct arena arena;
    const struct bc_module *module;
    const struct bc_kernel *kernel;
    const struct vm_isa *isa;
    bool was_checked;  // it has run before; atomic
    uint32_t lanes;    // maximum lanes of a gang
    uint32_t width;    // `lanes` rounded up to VM_PAD: elements of a register
    struct vm_fn *fns; // reachable ones; fns[0] is the kernel's
    uint32_t nfns;
    uint32_t nblocks, nloops;      // of all of them
    uint32_t *fn_of;               // module function → index in fns, or ~0
    uint32_t scratch_u, scratch_v; // offsets: 8 slots; VM_MAX_COMPS + 4 arrays of 8-byte elements
    size_t file_size;
    uint32_t *private_word; // module object → first word in a lane's private memory
    uint64_t private_words;
    uint64_t local_bytes; // automatic local objects
    uint32_t *local_off;  // module object → offset in the group's local memory
    bool *has_object;     // module object → does it have memory as a private or local object?
    bool may_part, uses_atomics, collects; // collects: has work-group functions
    bool copies;                           // asynchronously
    bool fences, cl1_fences, cl1_atomics, scoped_atomics,
        global_barriers; // the features by which atomics may order other memory
    bool global_atomics; // some atomics are not in local memory
    struct {
        uint8_t op, elem; // enum bc_atomic_op; bytes, 0: none
        bool refused;     // they are of different kinds, or the kernel uses their results
    } privatized;         // its atomics outside local memory: see privatized_reduction.c
    bool synchronizes;    // by atomics: see race_config.ordered
    bool narrow_atomics;  // some scope excludes work-items that use the location: see
                          // race_config.scope_of
    bool weak_orders;     // not only by sequentially consistent atomics: see race_config.apart
    bool narrow_scopes;   // some scope is narrower than the device: see race_config.wide_scopes
    uint16_t mode;        // enum vm_mode
    bool packed;          // a gang may hold several groups: see packing.h
    bool linear_used;     // packed: the linear global id is used
    uint32_t ids_used;    // packed: bits kind * 3 + dimension of the used global and group ids
    bool undef;           // some value may be undefined: the gangs have V bits
    uint32_t undef_rows;
    bool undef_put;         // operands of work-group functions may be undefined
    uint32_t compact_bytes; // bytes per lane of registers that compaction moves
    bool stepped;           // for a debugger: see step.h
    bool parks;             // work-items may wait at a barrier
    bool decides;           // has varying branches that barriers depend on: see divergence_point.h
    struct vm_call_paths *call_paths;
    struct vm_gang *free_gangs; // kept for the next launch; guarded by the program's lock
    unsigned nfree;
};

struct vm_code *vm_decode(const struct bc_module *m, const struct bc_kernel *k, uint32_t lanes,
                          const struct vm_isa *isa, unsigned mode);
/** Does reachable code declare the object or have a constant pointer to it? */
bool vm_code_uses(const struct vm_code *c, uint32_t object);
void vm_code_free(struct vm_code *c);
#endif

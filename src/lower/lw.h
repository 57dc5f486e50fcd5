// SPDX-License-Identifier: MIT
#ifndef LOWER_LW_H
#define LOWER_LW_H
#include "bytecode/operands.h"
#include "frontend/debug_metadata.h"
#include "llvm/ir.h"
#include "lower/emit.h"

/**
 * The lowering's own state.
 *
 * Registers while a function is built are tagged, so that operands and plain numbers in lists
 * cannot be confused: varying BC_V | n, uniform LW_U | n, constant LW_C | n, BC_NONE. finish()
 * (function.c) gives the uniform ones their slots (constants first).
 *
 * Values. An LLVM value used only in the block that computes it sits in scratch registers that are
 * reused after its last use. One that is used elsewhere (or is a phi) has a home: registers of its
 * own, written under the mask. A load of a variable that lives in registers is an alias of the
 * variable's web: it is copied only when the web is written while the loaded value is still wanted.
 * Structural instructions (element of a vector, address arithmetic, sign extension of an index,
 * casts that change nothing) are lazy: they are computed where they are used, in the form that the
 * use wants.
 */
enum { LW_U = 0x20000000u, LW_C = 0x40000000u };

struct lw_module {
    LLVMModuleRef llvm;
    struct fe_debug *debug;
    struct bc_module *out;
    struct arena *arena; // out's
    VEC(const char *) strings;
    struct map string_of; // hash → index
    VEC(struct bc_fn) fns;
    VEC(struct bc_kernel) kernels;
    uint32_t nvariants; // the last of them
    VEC(struct bc_arg) args;
    VEC(struct bc_piece) pieces;
    VEC(struct bc_object) objects;
    VEC(struct bc_reloc) relocs;
    VEC(struct bc_mem) sites;
    struct map object_of; // global, alloca or byval parameter → object + 1
    struct map fn_of;     // LLVM function → index + 1
    struct map own_of; // of variants (kernel_variants.c), while they are lowered: as object_of, but
                       // for what all functions share
    bool in_forms;     // these are lowered now; fn_of has their functions
    struct rg_fn *rg;
    struct arena rg_arena;
    unsigned nfns;
    bool for_debugger;
    struct err *error; // the first
};

enum lw_val_kind { LW_NONE, LW_TEMP, LW_HOME, LW_ALIAS, LW_LAZY };

struct lw_val {
    enum lw_val_kind kind;
    LLVMValueRef v;
    unsigned web; // ALIAS
    unsigned n;
    lw_reg *regs;  // TEMP (owned), HOME
    unsigned uses; // still to come in this block
};

/** Values of this block that are aliases of a web, and were loaded since it was written. */
struct lw_aliases {
    VEC(unsigned) vals;
};

struct lw_fn {
    struct lw_module *m;
    struct rg_fn *rg;
    unsigned index;
    bool is_kernel;
    struct arena arena;
    VEC(struct bc_insn) insns;
    VEC(uint32_t) ext;
    VEC(uint64_t) consts;
    struct map const_of;
    VEC(uint8_t) vsize;
    unsigned nuniform;
    VEC(struct bc_block) blocks;
    VEC(lw_reg) idle[5]; // registers free for reuse: varying of 1, 2, 4, 8 bytes, uniform
    VEC(lw_reg) scratch; // made by the instruction being lowered
    struct map val_of;   // LLVM value → index + 1
    VEC(struct lw_val) vals;
    VEC(unsigned) local;        // values of this block
    struct lw_aliases *aliases; // by web
    lw_reg **web_regs;
    bool *web_is_read;
    struct map checked;         // in this block: hash of a GEP and the number of an index → 1
    struct map phi_in_of;       // phi → arena array of registers
    struct map phi_at;          // phi → the incoming value after the last one found
    unsigned *visited, nvisits; // by block: the last walk over its predecessor's successors that
                                // visited it; walks so far
    lw_reg *params, *rets;
    unsigned nparams, nrets;
    lw_reg *counters; // by loop, BC_NONE
    unsigned block, block_start, insn_start;
    LLVMValueRef insn; // being lowered
    uint32_t loc;
};

// objects.c
uint32_t lw_intern(struct lw_module *m, const char *s);
uint32_t lw_object(struct lw_module *m,
                   LLVMValueRef v); // index of the object of a global, alloca or byval parameter
lw_reg lw_object_pointer(struct lw_fn *f, uint32_t object, int64_t offset);
void lw_globals(struct lw_module *m);
bool lw_is_byval(LLVMValueRef fn, unsigned param); // a struct passed by value, in memory
// kernel_variants.c
void lw_kernel_variants(struct lw_module *m); // after all other functions
// kernel_sizes.c
void lw_kernel_sizes(struct lw_module *m); // private_size and local_size of every kernel, when all
                                           // functions are lowered
// variables_table.c
void lw_variables(struct lw_module *m); // the tables for a debugger; every variable has an object
void lw_argument_types(struct lw_module *m); // of the pointer arguments of kernels, for reports
// kernels.c
void lw_kernel(struct lw_module *m, unsigned fn, struct lw_fn *f);
bool lw_is_opaque(LLVMTypeRef t, const char *type); // `spirv.Pipe`
// function.c
void lw_function(struct lw_module *m, unsigned fn);
// scalars.c
unsigned lw_count(struct lw_fn *f, LLVMTypeRef t); // leaves
bool lw_type_ok(LLVMTypeRef t);                    // lowering knows values of type t
bool lw_need_type(struct lw_fn *f, LLVMValueRef inst,
                  LLVMTypeRef t); // the same; a build error otherwise
// value.c
void lw_undefined(struct lw_fn *f, unsigned web);                 // from here on it has no value
struct lw_val *lw_val(struct lw_fn *f, LLVMValueRef v);           // its record, or NULL
lw_reg lw_component(struct lw_fn *f, LLVMValueRef v, unsigned i); // one register of a value
bool lw_defer(struct lw_fn *f, LLVMValueRef inst); // makes it lazy if that is possible
void lw_used(struct lw_fn *f, LLVMValueRef inst);  // its operands were used
bool lw_element(
    LLVMValueRef inst,
    unsigned *at); // an extractelement or insertelement whose index is a constant inside the vector
const lw_reg *lw_home(struct lw_fn *f, LLVMValueRef v);
bool lw_needs_home(struct lw_fn *f, LLVMValueRef v);
const lw_reg *lw_web(struct lw_fn *f, unsigned web);
void lw_alias(struct lw_fn *f, LLVMValueRef load, unsigned web);
void lw_write_web(struct lw_fn *f, unsigned web, LLVMValueRef value);
void lw_end_block(struct lw_fn *f);
lw_reg lw_structural(struct lw_fn *f, LLVMValueRef inst,
                     unsigned i); // component i, from the operands
// emit.c
lw_reg lw_new(struct lw_fn *f, unsigned size, bool varying);          // for good
void lw_move(struct lw_fn *f, lw_reg dst, lw_reg src, unsigned size); // masked when dst is varying
bool lw_retarget(struct lw_fn *f, lw_reg from, lw_reg to, unsigned since);
void lw_release(struct lw_fn *f, lw_reg r);
unsigned lw_reg_size(struct lw_fn *f, lw_reg r);
/** As BC_EACH_OPERAND, of an instruction that is being lowered. */
#define LW_EACH_OPERAND(o, f, i, wanted)                                                           \
    BC_EACH_OPERAND(o, (f)->m->sites.data, (f)->ext.data, i, wanted)
// local_cse.c
void lw_local_cse(struct lw_fn *f); // when all its blocks are there
// build_errors.c
/** lw_error outside of functions' code: at `loc`, or if that is 0 in function `fn`, or NULL. */
void lw_error_at(struct lw_module *m, uint32_t loc, LLVMValueRef fn, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// insn.c
void lw_insn(struct lw_fn *f, LLVMValueRef inst);
lw_reg lw_compare(struct lw_fn *f, LLVMIntPredicate p, unsigned size, lw_reg a, lw_reg b);
// canonical_pointer.c
/**
 * Whether pointers a and b (NULL: that one and any other) may come from two arguments of the
 * kernel. False if a is not a pointer.
 */
bool lw_may_alias_arguments(LLVMValueRef a, LLVMValueRef b);
lw_reg lw_canonical_pointer(struct lw_fn *f, lw_reg pointer); // the pointer to compare instead
// pointer_signing.c
/**
 * A pointer of type t as it is in memory or as a number, and back: BC_SIGN, BC_AUTHENTICATE. t is a
 * pointer, or has the pointer.
 */
lw_reg lw_sign(struct lw_fn *f, LLVMTypeRef t, lw_reg pointer);
lw_reg lw_authenticate(struct lw_fn *f, LLVMTypeRef t, lw_reg bits);
// memory.c
void lw_load_insn(struct lw_fn *f, LLVMValueRef inst);
void lw_store_insn(struct lw_fn *f, LLVMValueRef inst);
lw_reg lw_index_reg(struct lw_fn *f, LLVMValueRef idx,
                    enum bc_index_kind *kind); // an index, extensions to 64 bits left out
struct lw_addr lw_pointer_addr(struct lw_fn *f, LLVMValueRef pointer);
struct lw_addr lw_addr_index(struct lw_fn *f, struct lw_addr a, LLVMValueRef idx,
                             int64_t scale); // a + idx * scale, extension folded in
// builtin_sync.c: what all work-items must agree on at a barrier with flags: see BC_BARRIER in
// ops.def
lw_reg lw_barrier_flags(struct lw_fn *f, LLVMValueRef call);
// builtin_collective.c
void lw_put(
    struct lw_fn *f,
    LLVMValueRef call); // before the barrier of a work-group function: each work-item's value
// calls.c
void lw_call(struct lw_fn *f, LLVMValueRef inst);
// escape.c
void lw_arg_access(struct lw_module *m, LLVMValueRef kernel, struct bc_arg *args, unsigned nargs);
#endif

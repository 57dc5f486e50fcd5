// SPDX-License-Identifier: MIT
#ifndef LOWER_EMIT_H
#define LOWER_EMIT_H
#include "bytecode/bytecode.h"
#include "regions/regions.h"

/**
 * Primitives for lowering an instruction or builtin: registers, constants, emission, memory. A
 * value of LLVM is an array of scalar registers: the components of a vector, the leaves of a struct
 * or array in order, otherwise one. Bool is I8 with the value 0 or 1; pointers are I64. An
 * operation's result is uniform when all its operands are. Registers made while an instruction is
 * lowered are scratch: they end with the instruction, unless lw_result binds them to its value.
 */
struct lw_fn;

/** A register or constant as an operand of bytecode. */
typedef uint32_t lw_reg;

/**
 * The registers of an operand; *n (may be NULL): their number. Valid until the end of the
 * instruction.
 */
const lw_reg *lw_value(struct lw_fn *f, LLVMValueRef v, unsigned *n);
lw_reg lw_scalar(struct lw_fn *f, LLVMValueRef v); // for values of one register
/** Binds the registers that hold the instruction's value (n as its type says). */
void lw_result(struct lw_fn *f, LLVMValueRef inst, const lw_reg *regs, unsigned n);

lw_reg lw_const(struct lw_fn *f, uint64_t bits);
lw_reg lw_const_f32(struct lw_fn *f, float x);
lw_reg lw_const_f64(struct lw_fn *f, double x);
/** Is r a constant? *bits: its bits. */
bool lw_is_const(struct lw_fn *f, lw_reg r, uint64_t *bits);
static inline bool lw_is_varying(lw_reg r) { return r != BC_NONE && (r & BC_V); }

/** A new scratch register of `size` bytes. */
lw_reg lw_temp(struct lw_fn *f, unsigned size, bool varying);
/**
 * Emits op into a new register (with the resulting size and uniformity) and returns it. Absent
 * operands: BC_NONE.
 */
lw_reg lw_op(struct lw_fn *f, enum bc_op op, lw_reg a, lw_reg b, lw_reg c);
/** Emits an instruction, after filling in loc and flags. */
void lw_emit(struct lw_fn *f, struct bc_insn i);
/** Appends a list to the function's ext and returns its index. */
uint32_t lw_list(struct lw_fn *f, const uint32_t *items, unsigned n);

/**
 * The opcode of a family for a size: LW_INT(ADD, 4) is BC_ADD_I32 (families in ops.def have I8 I16
 * I32 I64 in a row).
 */
#define LW_INT(family, bytes)                                                                      \
    ((enum bc_op)(BC_##family##_I8 + ((bytes) == 1 ? 0 : (bytes) == 2 ? 1 : (bytes) == 4 ? 2 : 3)))
#define LW_FLT(family, bytes) ((bytes) == 4 ? BC_##family##_F32 : BC_##family##_F64)

/** Moves between widths; the same width gives r itself. */
lw_reg lw_zext(struct lw_fn *f, lw_reg r, unsigned from,
               unsigned to); // also narrows (keeps the low bytes)
lw_reg lw_sext(struct lw_fn *f, lw_reg r, unsigned from, unsigned to);

/** The scalars of a type: their number, and size and kind of each. */
struct lw_leaf {
    uint8_t size; // of the register: 1, 2, 4, 8
    uint8_t bits; // of the type: 1 for bool, 8, 16, 32, 64
    bool is_float, is_pointer;
    bool has_owner;  // a pointer that is signed in memory (rg_has_owner)
    uint64_t offset; // in memory
};
bool lw_is_half(struct lw_leaf l);
unsigned lw_leaves(struct lw_fn *f, LLVMTypeRef t,
                   const struct lw_leaf **leaves); // borrowed; 0: not a register type

/** Address of memory: base + extend(index) * scale + disp (see struct bc_mem). */
struct lw_addr {
    lw_reg base, index; // index BC_NONE: none
    uint8_t index_kind;
    uint8_t space;
    int64_t scale, disp;
    uint32_t pointer; // name of the variable with the base pointer, or 0
};
struct lw_addr lw_address(struct lw_fn *f, LLVMValueRef pointer);
/** addr + r * scale, r being I64 or (kind S32, U32) I32. */
struct lw_addr lw_addr_add(struct lw_fn *f, struct lw_addr a, lw_reg r, enum bc_index_kind kind,
                           int64_t scale);
/** The address as a pointer register. */
lw_reg lw_addr_reg(struct lw_fn *f, struct lw_addr a);
/** The same address, with only a base. */
struct lw_addr lw_addr_plain(struct lw_fn *f, struct lw_addr a);

/** Properties of an access other than its address. */
struct lw_access {
    uint8_t elem, ncomp;
    bool is_float, is_volatile;
    bool uniform; // all work-items read the same value from their private memory
    uint32_t align;
};
/** Loads ncomp components into new registers out[]. */
void lw_load(struct lw_fn *f, struct lw_addr a, struct lw_access how, lw_reg *out);
void lw_store(struct lw_fn *f, struct lw_addr a, struct lw_access how, const lw_reg *values);
/** The operation of an atomic, as in struct bc_mem. */
struct lw_atomic {
    enum bc_access_kind kind;
    enum bc_atomic_op op;
    enum bc_order order, failure;
    enum bc_scope scope;
};
/** old value (fresh register) of an atomic; op BC_CMPXCHG: value if memory equals compare. */
lw_reg lw_atomic(struct lw_fn *f, struct lw_addr a, unsigned bytes, struct lw_atomic how,
                 lw_reg value, lw_reg compare);
/** bytes: I64; members: as of struct bc_mem. */
void lw_copy(struct lw_fn *f, struct lw_addr to, struct lw_addr from, lw_reg bytes,
             uint32_t members);
/** The members of the struct that a copy of `size` bytes assigns, as in struct bc_mem. */
uint32_t lw_struct_members(struct lw_fn *f, LLVMValueRef to, LLVMValueRef from, uint64_t size);
void lw_set(struct lw_fn *f, struct lw_addr to, lw_reg byte, lw_reg bytes);
/** A site of the module, for instructions emitted by hand (ASYNC_COPY). */
uint32_t lw_site(struct lw_fn *f, struct lw_addr a, struct lw_access how, enum bc_access_kind kind);

/** LANEFN: builtin number, its sources, and fresh registers for its results. */
void lw_lane(struct lw_fn *f, unsigned builtin, const lw_reg *src, lw_reg *dst);

/**
 * half (half_float.c): a register of 16 bits. Arithmetic goes through a wider format.
 */
lw_reg lw_half_to_float(struct lw_fn *f, lw_reg h);
lw_reg lw_float_to_half(struct lw_fn *f, lw_reg x);
lw_reg lw_double_to_half(struct lw_fn *f, lw_reg x);

/** A module string's index. */
uint32_t lw_string(struct lw_fn *f, const char *s);
/** The text of the constant string that a pointer points to (printf's format), or NULL. */
const char *lw_const_text(struct lw_fn *f, LLVMValueRef pointer);

/** Ends the build with "file:line:col: …" for this instruction; only the first error is kept. */
void lw_error(struct lw_fn *f, LLVMValueRef inst, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/** The same for an unsupported instruction: the message contains its text. */
void lw_unsupported(struct lw_fn *f, LLVMValueRef inst);

/**
 * Lowers a call to a builtin of OpenCL C or to an llvm.* intrinsic (builtin_*.c). False: unknown,
 * and the caller reports a build error. Barriers, waits for async copies and dbg intrinsics are
 * handled elsewhere.
 */
bool lw_builtin(struct lw_fn *f, LLVMValueRef call);
#endif

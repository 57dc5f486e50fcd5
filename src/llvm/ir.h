// SPDX-License-Identifier: MIT
#ifndef LLVM_IR_H
#define LLVM_IR_H
#include "base/err.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * Reading LLVM IR through LLVM's C API, and the only place that knows how LLVM's versions differ
 * (19 is the main one, 22 builds too). Everything returned is borrowed from the module.
 */

// ---- walking
#define l_each_function(m, f)                                                                      \
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
#define l_each_global(m, g)                                                                        \
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
#define l_each_block(f, b)                                                                         \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
#define l_each_insn(b, i)                                                                          \
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))

/** The name of a value: "" when it has none. */
const char *l_name(LLVMValueRef v);
/** The function that a call calls directly, else NULL. */
LLVMValueRef l_callee(LLVMValueRef call);
/** A debug-info intrinsic (dbg.declare etc.): not part of what the program does. */
bool l_is_debug(LLVMValueRef insn);
/** Sum, difference, product, shift or bitwise operation of integers: it cannot fail. */
bool l_is_integer_operation(LLVMValueRef insn);
bool l_is_integer_cast(LLVMValueRef insn); // trunc, sext, zext
/** A kernel with a body. */
bool l_is_kernel(LLVMValueRef function);
void l_set_convention(LLVMValueRef function, unsigned convention); // of it and of its calls
/** The value of a switch at which it goes to that successor (1 or more; 0 is the default). */
LLVMValueRef l_case_value(LLVMValueRef sw, unsigned successor);
/** Kind of metadata of an unreachable instruction that only a false assumption reaches. */
#define L_ASSUMPTION "cldbg.assumption"
bool l_is_assumption(LLVMValueRef unreachable);
/** The function is an intrinsic of LLVM named `llvm.<name>` or `llvm.<name>.<types>`. */
bool l_is_intrinsic(LLVMValueRef function, const char *name);

// ---- sizes by the module's data layout, in bytes
uint64_t l_size(LLVMModuleRef m, LLVMTypeRef t); // of an array element: padding included
/** The same; UINT64_MAX if it is larger than any memory: LLVM's sizes wrap at 2^61 bytes. */
uint64_t l_object_size(LLVMModuleRef m, LLVMTypeRef t);
uint64_t l_store_size(LLVMModuleRef m, LLVMTypeRef t); // that a store writes
unsigned l_align(LLVMModuleRef m, LLVMTypeRef t);      // required by the ABI
uint64_t l_field_offset(LLVMModuleRef m, LLVMTypeRef structure, unsigned field);

// ---- constants
/** undef or poison. */
bool l_is_undef(LLVMValueRef v);
/** The bits of a constant integer (up to 64) or floating-point number; false for anything else. */
bool l_const_bits(LLVMValueRef v, uint64_t *bits);

/**
 * A pointer in a constant: at `offset`, the address of global or function `target` plus `addend`
 * bytes.
 */
typedef void l_pointer_fn(void *context, uint64_t offset, LLVMValueRef target, int64_t addend);
/**
 * Writes a constant as it lies in memory to bytes[0 .. l_size): undefined parts and null pointers
 * as zeroes; pointers to globals are left 0 and given to `pointer`. Fails for a constant that has
 * no bytes (an unknown constant expression).
 */
struct err *l_const_bytes(LLVMModuleRef m, LLVMValueRef constant, uint8_t *bytes,
                          l_pointer_fn *pointer, void *context);
/** A constant address as global + bytes (through GEPs and casts); false if it is not one. */
bool l_const_address(LLVMModuleRef m, LLVMValueRef v, LLVMValueRef *global, int64_t *addend);
/**
 * A null constant, also through casts between address spaces (which LLVM 22 leaves in
 * initializers).
 */
bool l_const_is_null(LLVMValueRef v);
/**
 * Is it a constant expression that gives the bytes of a constant another type, other than a
 * pointer?
 */
bool l_is_reinterpreted(LLVMValueRef v);
/**
 * The value of an integer or floating-point constant, expressions of the difference of two
 * addresses in one object included.
 */
bool l_const_number(LLVMModuleRef m, LLVMValueRef v, uint64_t *bits);
/**
 * The constant byte offset of GEP `v` (instruction or expression) from its base; false if it
 * varies.
 */
bool l_gep_offset(LLVMModuleRef m, LLVMValueRef v, int64_t *offset);

// ---- metadata
/**
 * Makes debug variables readable by l_each_declare and l_declared; called once, after the module
 * was written as bitcode.
 */
void l_debug_prepare(LLVMModuleRef m);
/**
 * After it, debug records of variables are attached to instructions of the block, and would be lost
 * if these were moved one by one.
 */
bool l_has_debug_records(LLVMBasicBlockRef b);
/**
 * Calls fn for every `address of variable` note in function f: the address (alloca, argument),
 * DILocalVariable, DILocation.
 */
typedef void l_declare_fn(void *context, LLVMValueRef address, LLVMMetadataRef variable,
                          LLVMMetadataRef loc);
void l_each_declare(LLVMValueRef f, l_declare_fn *fn, void *context);
/**
 * The address of the variable that is declared where this instruction stands: a call of
 * llvm.dbg.declare. NULL for others.
 */
LLVMValueRef l_declared(LLVMValueRef insn);
/** Operand i of a metadata node, NULL where there is none. */
LLVMValueRef l_md_operand(LLVMValueRef node, unsigned i);
/**
 * The text of a metadata string (copied up to its length; borrowed, not NUL-ended), NULL if it is
 * another node.
 */
const char *l_md_string(LLVMValueRef v, unsigned *len);
/** Notes at a variable that it is what the function returns; the note outlives inlining. */
void l_note_returned(LLVMValueRef variable, LLVMValueRef function);
/**
 * The function's symbol (a metadata string), and its subprogram or NULL; false: another variable.
 */
bool l_returned_by(LLVMValueRef variable, LLVMValueRef *symbol, LLVMMetadataRef *subprogram);
/** Positions of the operands of debug-info nodes. */
struct l_di_layout {
    unsigned scope, type_name, base_type, elements, signature; // types, scopes
    unsigned var_name, var_type;                               // DILocalVariable, DIGlobalVariable
    unsigned subprogram_name, subprogram_type;
};
extern const struct l_di_layout l_di;
LLVMValueRef l_md_value(LLVMModuleRef m, LLVMMetadataRef md);
LLVMMetadataRef l_md(LLVMValueRef v);

// ---- passes
/**
 * The pass that makes scalars of vectors, in registers and in memory, as LLVMRunPasses names it.
 */
const char *l_scalarizer(void);
/**
 * What the metadata of a loop says may come to be said of the loop around it, when the inner one is
 * unrolled wholly (LLVM 22).
 */
bool l_loop_metadata_spreads(void);
/**
 * Keeps LLVM 19 from a mistake: it vectorizes straight code with integers that it takes to be
 * narrower than they are, and of (float)~(uint)(x < 7) makes 255 or 254. In f, every integer that
 * becomes a float is combined with the highest bit of `below`, a 64-bit parameter that is less than
 * 2^63 whenever f runs, of which LLVM does not know that.
 */
void l_keep_floats_wide(LLVMValueRef f, LLVMValueRef below);

#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_CHECKS_H
#define NATIVE_CHECKS_H
#include "bytecode/question.h"
#include "native/native.h"

#include "llvm/ir.h"

/** Shared by the passes that add checks to a kernel: checks.c (accesses), check_values.c
 * (operands), check_races.c, check_stamps.c and check_stores.c (races), check_offsets.c (where
 * pointers point to), check_private.c (private arrays). */

/** An access of memory by an instruction of the kernel. */
struct nat_checked_access {
    LLVMValueRef insn;
    unsigned operand;    // of its pointer
    LLVMValueRef base;   // argument, alloca, or global variable
    int argument;        // number of the base; -1: it is not one
    unsigned space;      // of the base
    LLVMValueRef offset; // bytes from the base, i64; once it is computed
    uint64_t factor;     // the offset is a multiple of it: a power of two
    uint64_t size;
    unsigned align;
    bool reads, writes, atomic;
};

struct nat_checking {
    LLVMModuleRef m;
    LLVMContextRef c;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i32, i64;
    LLVMValueRef kernel;
    uint32_t checks;
    struct map bases, offsets, factors; // of pointers: see check_offsets.c
    VEC(struct nat_checked_access) accesses;
    struct nat_code_info *info;
    bool stops; // a check that fails stops the code: loops over work-items are not vectorized
    // of races
    bool has_scopes;       // atomic functions may have a scope that is smaller than the device
    uint64_t local_cell;   // bytes of the cells of local memory
    LLVMValueRef interval; // alloca: of the current barrier interval
    struct map local_at;   // automatic local variable → first byte in its shadow + 1
    uint64_t shadow_bytes; // of automatic local variables
};

static inline LLVMValueRef nat_k(struct nat_checking *x, uint64_t v)
{
    return LLVMConstInt(x->i64, v, false);
}
/** A call of a function that the work-group function expands; argument NULL: none. */
LLVMValueRef nat_check_call(struct nat_checking *x, const char *name, LLVMTypeRef result,
                            LLVMValueRef argument);
/** Adds: if `ok` is false here, the launch is anomalous. The builder is positioned. */
void nat_check_that(struct nat_checking *x, LLVMValueRef ok);

/** The number of the argument that the base is, or -1. */
int nat_argument_number(const struct nat_checking *x, LLVMValueRef base);
/** The size of the object if it is constant, or 0. */
uint64_t nat_size_of(struct nat_checking *x, LLVMValueRef base);

// ---- check_private.c
/** Before functions are inlined: which variables are those of the kernel itself. */
void nat_mark_own_variables(struct nat_checking *x);
/** Private arrays are written before they are read. */
struct err *nat_check_private(struct nat_checking *x);

// ---- check_values.c
/** Checks divisors and conversions in all functions, before builtins have bodies. */
struct err *nat_check_values(struct nat_checking *x);
/** Counts the iterations of the kernel's loops. */
void nat_check_ends(struct nat_checking *x);

// ---- check_offsets.c
/** The only object that a pointer can point into; NULL: several, or not known. */
LLVMValueRef nat_base_of(struct nat_checking *x, LLVMValueRef p);
/** The distance from the base in bytes, available at p; *factor: a power of two that divides it. */
LLVMValueRef nat_offset_of(struct nat_checking *x, LLVMValueRef p, uint64_t *factor);

// ---- check_races.c
/** Which shadows the arguments have (x->info). */
struct err *nat_find_shadows(struct nat_checking *x);
struct err *nat_check_races(struct nat_checking *x);
static inline uint64_t nat_cell_of(const struct nat_checking *x, const struct nat_checked_access *a)
{
    return a->space == 3 ? x->local_cell : x->info->cell[a->argument];
}
uint64_t nat_cells_of(const struct nat_checking *x, const struct nat_checked_access *a);
/** The address of the first cell in a shadow that has `bytes` for each, plus `start`. */
LLVMValueRef nat_shadow_at(struct nat_checking *x, const struct nat_checked_access *a,
                           uint64_t bytes, uint64_t start);

// ---- check_stamps.c
/** Follows barrier intervals, for local memory. */
struct err *nat_make_intervals(struct nat_checking *x);
/** The shadow of the access has stamps of writers and readers: checks and sets them. */
void nat_check_stamps(struct nat_checking *x, const struct nat_checked_access *a);

// ---- check_stores.c
/** A store to a buffer whose shadow is NAT_COUNTED, NAT_EQUAL. */
void nat_count_stores(struct nat_checking *x, const struct nat_checked_access *a);
void nat_check_equal(struct nat_checking *x, const struct nat_checked_access *a);
#endif

// SPDX-License-Identifier: MIT
// Race checks by shadow memory: which shadow each object has (native/abi.h).
//
// A buffer whose accesses are all atomic has none, as atomic functions do not race with each other
// if their scope is the device. A buffer that is stored to and not read is COUNTED first: marking
// cells is cheap, and independent of the order of work-items. The count is wrong, too, if one
// work-item stores to a cell twice, or several store the same value. Then NAT_CHECK_STAMPS is
// wanted: the buffer is EQUAL, so that races of equal values can be counted as the interpreter
// counts them, or STAMPED.
#include "native/checks.h"

enum { MOST_CELLS = 16, MOST_LOCALS = 1 << 20 };

/** The accesses of a buffer argument by the kernel. */
struct uses {
    unsigned reads, writes, atomics;
    const struct nat_checked_access *last; // that writes
};

static bool is_global(const struct nat_checking *x, const struct nat_checked_access *a)
{
    return a->space == 1 && x->checks & PROOF_CHECK_GLOBAL;
}

static bool is_local(const struct nat_checking *x, const struct nat_checked_access *a)
{
    return a->space == 3 && x->checks & PROOF_CHECK_LOCAL;
}

static bool is_shadowed(const struct nat_checking *x, const struct nat_checked_access *a)
{
    return is_local(x, a) || (is_global(x, a) && x->info->shadow[a->argument] != NAT_UNSHADOWED);
}

/** Whether all work-items have the same value, which depends on arguments alone. */
static bool is_of_launch(LLVMValueRef v, unsigned depth)
{
    if (LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v)) return true;
    if (LLVMIsAArgument(v)) return LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind;
    if (!LLVMIsAInstruction(v) || depth > 8 ||
        !(l_is_integer_operation(v) || l_is_integer_cast(v) || LLVMIsAICmpInst(v)))
        return false;
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (!is_of_launch(LLVMGetOperand(v, (unsigned)k), depth + 1)) return false;
    return true;
}

static bool has_barrier(struct nat_checking *x)
{
    l_each_block(x->kernel, b)
        l_each_insn(b, i)
            if (LLVMIsACallInst(i) && rg_barrier_of(i) != RG_NO_BARRIER) return true;
    return false;
}

/** Whether races of the only store are those that the interpreter finds, cell by cell. */
static bool stores_one_value(struct nat_checking *x, const struct uses *u)
{
    const struct nat_checked_access *a = u->last;
    if (u->writes != 1 || !LLVMIsAStoreInst(a->insn) || has_barrier(x)) return false;
    LLVMValueRef v = LLVMGetOperand(a->insn, 0);
    const LLVMTypeKind t = LLVMGetTypeKind(LLVMTypeOf(v));
    return (t == LLVMIntegerTypeKind || t == LLVMFloatTypeKind || t == LLVMDoubleTypeKind) &&
           a->size <= 8 && (a->factor % a->size == 0 || a->align % a->size == 0) &&
           is_of_launch(v, 0);
}

static enum nat_shadow_kind shadow_of(struct nat_checking *x, const struct uses *u)
{
    if (!u->writes || u->atomics) return NAT_UNSHADOWED;
    if (u->reads) return NAT_STAMPED;
    if (!(x->checks & NAT_CHECK_STAMPS)) return NAT_COUNTED;
    return stores_one_value(x, u) ? NAT_EQUAL : NAT_STAMPED;
}

struct err *nat_find_shadows(struct nat_checking *x)
{
    struct uses of[NAT_MARKS] = {0};
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        if (is_local(x, a) && a->atomic)
            return err_new("it has atomic functions, which are not checked for races");
        if (!is_global(x, a)) continue;
        if (a->argument < 0) return err_new("program-scope variables are not checked for races");
        struct uses *u = &of[a->argument];
        u->reads += a->reads;
        u->writes += a->writes;
        u->atomics += a->atomic;
        if (a->writes) u->last = a;
    }
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        if (is_global(x, a) && of[a->argument].atomics && (!a->atomic || x->has_scopes))
            return err_new("it has atomic functions, which are not checked for races");
    }
    for (unsigned i = 0; i < NAT_MARKS; i++) x->info->shadow[i] = (uint8_t)shadow_of(x, &of[i]);
    return NULL;
}

static struct err *find_cells(struct nat_checking *x)
{
    x->local_cell = 16;
    for (unsigned i = 0; i < NAT_MARKS; i++) x->info->cell[i] = 16;
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        if (!is_shadowed(x, a)) continue;
        uint64_t cell = nat_cell_of(x, a);
        while (a->size % cell || (a->factor % cell && a->align % cell)) cell /= 2;
        if (a->space == 3) x->local_cell = cell;
        else x->info->cell[a->argument] = (uint8_t)cell;
    }
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        if (is_shadowed(x, a) && nat_cells_of(x, a) > MOST_CELLS)
            return err_new("its accesses are too large to be checked for races");
    }
    return NULL;
}

uint64_t nat_cells_of(const struct nat_checking *x, const struct nat_checked_access *a)
{
    return a->size / nat_cell_of(x, a);
}

LLVMValueRef nat_shadow_at(struct nat_checking *x, const struct nat_checked_access *a,
                           uint64_t bytes, uint64_t start)
{
    LLVMValueRef shadow = nat_check_call(
        x, NAT_SHADOW, LLVMPointerTypeInContext(x->c, 1),
        LLVMConstInt(x->i32, a->argument >= 0 ? (unsigned)a->argument : NAT_MARKS, false));
    LLVMValueRef cell = LLVMBuildUDiv(x->b, a->offset, nat_k(x, nat_cell_of(x, a)), ""),
                 at = LLVMBuildAdd(x->b, LLVMBuildMul(x->b, cell, nat_k(x, bytes), ""),
                                   nat_k(x, start), "");
    return LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(x->c), shadow, &at, 1, "");
}

static void check(struct nat_checking *x, const struct nat_checked_access *a)
{
    const enum nat_shadow_kind kind =
        a->space == 3 ? NAT_STAMPED : (enum nat_shadow_kind)x->info->shadow[a->argument];
    LLVMPositionBuilderBefore(x->b, a->insn);
    if (kind == NAT_COUNTED) nat_count_stores(x, a);
    else if (kind == NAT_EQUAL) nat_check_equal(x, a);
    else nat_check_stamps(x, a);
}

struct err *nat_check_races(struct nat_checking *x)
{
    struct err *e = find_cells(x);
    if (!e && x->checks & PROOF_CHECK_LOCAL) e = nat_make_intervals(x);
    for (size_t k = 0; k < x->accesses.len && !e; k++)
        if (is_shadowed(x, &x->accesses.data[k])) check(x, &x->accesses.data[k]);
    if (!e && x->shadow_bytes > MOST_LOCALS)
        e = err_new("it has too much local memory to be checked for races");
    return e;
}

// SPDX-License-Identifier: MIT
// Whether private arrays are written before they are read. Each has a second variable that
// remembers which of its cells were written: a bit each in an integer, which becomes a register, or
// a byte each in an array. A read of another cell is an anomaly. Variables of inlined functions
// have no value at each call, where LLVM's inliner says that their lifetime starts.
#include "native/checks.h"

static const char own[] = "cldbg.own"; // metadata of variables of the kernel itself

enum { MOST_BITS = 64, MOST_BYTES = 4096, MOST_AT_ONCE = 16 };

/** A private variable whose reads are checked. */
struct array {
    LLVMValueRef variable, written; // written: alloca of i64, or of bytes
    uint64_t cell, cells;           // bytes of a cell; how many there are
};
struct arrays {
    VEC(struct array) list;
};

static unsigned own_kind(const struct nat_checking *x)
{
    return LLVMGetMDKindIDInContext(x->c, own, sizeof own - 1);
}

void nat_mark_own_variables(struct nat_checking *x)
{
    LLVMValueRef mark = LLVMMetadataAsValue(x->c, LLVMMDNodeInContext2(x->c, NULL, 0));
    l_each_block(x->kernel, b)
        l_each_insn(b, i)
            if (LLVMIsAAllocaInst(i)) LLVMSetMetadata(i, own_kind(x), mark);
}

static bool is_of(const struct nat_checked_access *a, LLVMValueRef variable)
{
    return a->base == variable;
}

/** `cell`, or the part of it that all accesses of the variable consist of. */
static uint64_t cell_of(struct nat_checking *x, LLVMValueRef variable, uint64_t cell)
{
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        while (is_of(a, variable) && (a->size % cell || a->factor % cell)) cell /= 2;
    }
    return cell;
}

static struct err *make_written(struct nat_checking *x, struct array *of)
{
    const bool bits = of->cells <= MOST_BITS;
    LLVMTypeRef t = bits ? x->i64 : LLVMArrayType2(LLVMInt8TypeInContext(x->c), of->cells);
    LLVMPositionBuilderBefore(x->b, of->variable);
    of->written = LLVMBuildAlloca(x->b, t, "written");
    LLVMBuildStore(x->b, LLVMConstNull(t), of->written);
    if (LLVMGetMetadata(of->variable, own_kind(x))) return NULL;
    bool starts = false;
    for (LLVMUseRef u = LLVMGetFirstUse(of->variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u), f = LLVMIsACallInst(call) ? l_callee(call) : NULL;
        if (!f || !l_is_intrinsic(f, "lifetime.start")) continue;
        LLVMPositionBuilderBefore(x->b, call);
        LLVMBuildStore(x->b, LLVMConstNull(t), of->written);
        starts = true;
    }
    return starts ? NULL : err_new("it has functions whose private memory is not checked");
}

static LLVMValueRef first_cell(struct nat_checking *x, const struct array *of,
                               const struct nat_checked_access *a)
{
    return LLVMBuildUDiv(x->b, a->offset, nat_k(x, of->cell), "");
}

static void check_bits(struct nat_checking *x, const struct array *of,
                       const struct nat_checked_access *a)
{
    const uint64_t n = a->size / of->cell, ones = n == MOST_BITS ? ~0ull : (1ull << n) - 1;
    LLVMValueRef now = LLVMBuildLoad2(x->b, x->i64, of->written, ""),
                 mask = LLVMBuildShl(x->b, nat_k(x, ones), first_cell(x, of, a), "");
    if (a->reads)
        nat_check_that(x,
                       LLVMBuildICmp(x->b, LLVMIntEQ, LLVMBuildAnd(x->b, now, mask, ""), mask, ""));
    if (a->writes) LLVMBuildStore(x->b, LLVMBuildOr(x->b, now, mask, ""), of->written);
}

static void check_bytes(struct nat_checking *x, const struct array *of,
                        const struct nat_checked_access *a)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(x->c);
    LLVMValueRef first = first_cell(x, of, a), one = LLVMConstInt(byte, 1, false);
    for (uint64_t k = 0; k < a->size / of->cell; k++) {
        LLVMValueRef index = LLVMBuildAdd(x->b, first, nat_k(x, k), ""),
                     at = LLVMBuildGEP2(x->b, byte, of->written, &index, 1, "");
        if (a->reads)
            nat_check_that(
                x, LLVMBuildICmp(x->b, LLVMIntEQ, LLVMBuildLoad2(x->b, byte, at, ""), one, ""));
        if (a->writes) LLVMBuildStore(x->b, one, at);
    }
}

/** A copy from one array to another: what has no value has none in the copy. */
static void copy_bits(struct nat_checking *x, const struct array *to,
                      const struct nat_checked_access *write, const struct array *from,
                      const struct nat_checked_access *read)
{
    const uint64_t n = write->size / to->cell, ones = n == MOST_BITS ? ~0ull : (1ull << n) - 1;
    LLVMValueRef at = first_cell(x, to, write), was = LLVMBuildLoad2(x->b, x->i64, to->written, ""),
                 copied = LLVMBuildLShr(x->b, LLVMBuildLoad2(x->b, x->i64, from->written, ""),
                                        first_cell(x, from, read), "");
    copied = LLVMBuildShl(x->b, LLVMBuildAnd(x->b, copied, nat_k(x, ones), ""), at, "");
    LLVMValueRef others = LLVMBuildNot(x->b, LLVMBuildShl(x->b, nat_k(x, ones), at, ""), ""),
                 now = LLVMBuildOr(x->b, LLVMBuildAnd(x->b, was, others, ""), copied, "");
    LLVMBuildStore(x->b, now, to->written);
}

static const struct array *array_of(const struct arrays *all, const struct nat_checked_access *a)
{
    for (size_t k = 0; k < all->list.len; k++)
        if (is_of(a, all->list.data[k].variable)) return &all->list.data[k];
    return NULL;
}

/** Checks access k. *is_copy: the next one is the read of a copy that needs no check. */
static struct err *check_access(struct nat_checking *x, const struct arrays *all, size_t k,
                                bool *is_copy)
{
    const struct nat_checked_access *a = &x->accesses.data[k],
                                    *next = k + 1 < x->accesses.len ? a + 1 : NULL;
    const struct array *of = array_of(all, a),
                       *from = next && next->insn == a->insn ? array_of(all, next) : NULL;
    *is_copy = false;
    if (!of) return NULL;
    if (of->cells > MOST_BITS && a->size / of->cell > MOST_AT_ONCE)
        return err_new("its accesses of private memory are too large to be checked");
    LLVMPositionBuilderBefore(x->b, a->insn);
    *is_copy = from && of->cells <= MOST_BITS && from->cells <= MOST_BITS;
    if (*is_copy) copy_bits(x, of, a, from, next);
    else if (of->cells <= MOST_BITS) check_bits(x, of, a);
    else check_bytes(x, of, a);
    return NULL;
}

static bool is_read(const struct nat_checking *x, LLVMValueRef variable)
{
    for (size_t k = 0; k < x->accesses.len; k++)
        if (is_of(&x->accesses.data[k], variable) && x->accesses.data[k].reads) return true;
    return false;
}

static void find_arrays(struct nat_checking *x, struct arrays *all)
{
    l_each_block(x->kernel, b)
        l_each_insn(b, i)
            if (LLVMIsAAllocaInst(i) && is_read(x, i))
                vec_push(&all->list, (struct array){.variable = i});
    uint64_t cell = 16; // of all, for copies
    for (size_t k = 0; k < all->list.len; k++) cell = cell_of(x, all->list.data[k].variable, cell);
    for (size_t k = 0; k < all->list.len; k++) {
        struct array *const a = &all->list.data[k];
        a->cell = cell;
        a->cells = (nat_size_of(x, a->variable) + cell - 1) / cell;
    }
}

struct err *nat_check_private(struct nat_checking *x)
{
    struct err *e = NULL;
    struct arrays all = {0};
    bool is_copy = false;
    find_arrays(x, &all);
    for (size_t k = 0; k < all.list.len && !e; k++)
        e = all.list.data[k].cells > MOST_BYTES
                ? err_new("it has too much private memory to be checked")
                : make_written(x, &all.list.data[k]);
    for (size_t k = 0; k < x->accesses.len && !e; k++)
        if (is_copy) is_copy = false;
        else e = check_access(x, &all, k, &is_copy);
    vec_free(&all.list);
    return e;
}

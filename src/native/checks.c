// SPDX-License-Identifier: MIT
// Checks in machine code, for what is not proved of a kernel (enum proof_check). They are added
// when functions are inlined and private variables are registers, but before anything is optimized:
// LLVM may remove an access whose result is not used, and its check stays.
//
// A check only decides that something may be wrong (NAT_CHECK): the launch is then repeated by the
// interpreter, whose report counts. It may be coarse in that direction. All accesses, divisions and
// conversions of the kind are checked, or the kernel is rejected.
//
// Safety does not depend on the end of the launch: an access that is out of bounds is made at the
// beginning of its object instead, which is large enough (the caller sees to it), and what was
// written is restored.
#include "native/checks.h"

#include "native/transform.h"

#include <string.h>

// ---- which accesses there are

static struct err *put(struct nat_checking *x, struct nat_checked_access a)
{
    LLVMValueRef p = LLVMGetOperand(a.insn, a.operand);
    a.base = nat_base_of(x, p);
    if (!a.base) return err_new("it has an address whose object is not known");
    a.argument = nat_argument_number(x, a.base);
    if (a.argument >= NAT_MARKS) return err_new("it has more arguments than can be checked");
    a.space = LLVMGetPointerAddressSpace(LLVMTypeOf(a.base));
    if (a.argument >= 0 && a.size > x->info->largest) x->info->largest = a.size;
    vec_push(&x->accesses, a);
    return NULL;
}

/** A call that is not expanded in the kernel; builtins have their own variables. */
static bool is_harmless(LLVMValueRef call)
{
    LLVMValueRef f = l_callee(call);
    const char *name = f ? l_name(f) : "";
    if (!f) return false;
    if (str_starts(name, "cldbg-lane-") || str_starts(name, "cldbg.v") || l_is_debug(call) ||
        l_is_intrinsic(f, "lifetime.start") || l_is_intrinsic(f, "lifetime.end"))
        return true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind)
            return false;
    return true;
}

/** Copies of structs. */
static struct err *find_in_call(struct nat_checking *x, LLVMValueRef i)
{
    LLVMValueRef f = l_callee(i);
    const bool copies = f && (l_is_intrinsic(f, "memcpy") || l_is_intrinsic(f, "memmove")),
               sets = f && l_is_intrinsic(f, "memset");
    if (!copies && !sets)
        return is_harmless(i) ? NULL : err_new("it has functions whose accesses are not checked");
    if (!LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
        return err_new("it copies memory in an amount that is not constant");
    struct nat_checked_access a = {.insn = i,
                                   .size = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)),
                                   .align = 1,
                                   .writes = true};
    struct err *e = a.size ? put(x, a) : NULL;
    if (!copies || !a.size || e) return e;
    a.operand = 1;
    a.writes = false;
    a.reads = true;
    return put(x, a);
}

static struct err *find_in(struct nat_checking *x, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    struct nat_checked_access a = {.insn = i};
    switch (op) {
    case LLVMLoad:
    case LLVMStore:
        a.operand = op == LLVMStore;
        a.reads = op == LLVMLoad;
        a.writes = op == LLVMStore;
        a.size =
            l_store_size(x->m, op == LLVMLoad ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0)));
        a.align = LLVMGetAlignment(i);
        a.atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
        return put(x, a);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        a.size = l_store_size(x->m, LLVMTypeOf(LLVMGetOperand(i, 1)));
        a.align = (unsigned)a.size;
        a.reads = a.writes = a.atomic = true;
        return put(x, a);
    case LLVMCall: return find_in_call(x, i);
    case LLVMGetElementPtr:
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind)
            return err_new("it has vectors of addresses");
        return NULL;
    case LLVMVAArg:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMIndirectBr: return err_new("it has instructions that are not checked");
    default: return NULL;
    }
}

static struct err *find_accesses(struct nat_checking *x)
{
    struct err *e = NULL;
    l_each_block(x->kernel, b)
        l_each_insn(b, i)
            if (!e) e = find_in(x, i);
    for (size_t k = 0; k < x->accesses.len && !e; k++) {
        struct nat_checked_access *a = &x->accesses.data[k];
        a->offset = nat_offset_of(x, LLVMGetOperand(a->insn, a->operand), &a->factor);
    }
    return e;
}

// ---- bounds

static unsigned alignment_of(const struct nat_checked_access *a)
{
    return LLVMIsAArgument(a->base) ? 128 : LLVMGetAlignment(a->base);
}

/** The access is made at `offset`. */
static void move(struct nat_checking *x, const struct nat_checked_access *a)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(a->insn, a->operand));
    LLVMValueRef offset = a->offset,
                 p = LLVMBuildGEP2(x->b, LLVMInt8TypeInContext(x->c), a->base, &offset, 1, "");
    if (LLVMTypeOf(p) != t) p = LLVMBuildAddrSpaceCast(x->b, p, t, "");
    LLVMSetOperand(a->insn, a->operand, p);
}

static struct err *check_bounds(struct nat_checking *x, struct nat_checked_access *a)
{
    const uint64_t constant = nat_size_of(x, a->base);
    if (constant && (constant < a->size || alignment_of(a) < a->align))
        return err_new("it accesses more than an object has");
    LLVMPositionBuilderBefore(x->b, a->insn);
    LLVMValueRef ok = LLVMConstInt(x->i1, 1, false);
    const bool fits = constant && LLVMIsAConstantInt(a->offset) &&
                      LLVMConstIntGetZExtValue(a->offset) <= constant - a->size;
    if (!fits) {
        LLVMValueRef size =
            constant ? nat_k(x, constant)
                     : nat_check_call(x, NAT_OBJECT_SIZE, x->i64,
                                      LLVMConstInt(x->i32, (unsigned)a->argument, false));
        ok = LLVMBuildICmp(x->b, LLVMIntULE, a->offset,
                           LLVMBuildSub(x->b, size, nat_k(x, a->size), ""), "");
    }
    if (a->align > a->factor) {
        LLVMValueRef low = LLVMBuildAnd(x->b, a->offset, nat_k(x, a->align - 1), "");
        ok = LLVMBuildAnd(x->b, ok, LLVMBuildICmp(x->b, LLVMIntEQ, low, nat_k(x, 0), ""), "");
    }
    if (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok)) return NULL;
    nat_check_that(x, ok);
    if (x->stops) return NULL;
    a->offset = LLVMBuildSelect(x->b, ok, a->offset, nat_k(x, 0), "");
    if (a->factor < a->align) a->factor = a->align;
    move(x, a);
    return NULL;
}

/** Indices of arrays inside of objects. */
static struct err *check_indices(struct nat_checking *x, LLVMValueRef gep)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    LLVMPositionBuilderBefore(x->b, gep);
    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (LLVMGetTypeKind(t) != LLVMArrayTypeKind)
            return err_new("it has an index that is not checked");
        const uint64_t n = LLVMGetArrayLength2(t);
        LLVMValueRef wide = LLVMBuildIntCast2(x->b, index, x->i64, true, "");
        nat_check_that(x, LLVMBuildICmp(x->b, LLVMIntULT, wide, nat_k(x, n), ""));
        t = LLVMGetElementType(t);
    }
    return NULL;
}

static struct err *check_all_bounds(struct nat_checking *x)
{
    struct err *e = NULL;
    for (size_t k = 0; k < x->accesses.len && !e; k++) e = check_bounds(x, &x->accesses.data[k]);
    l_each_block(x->kernel, b)
        l_each_insn(b, i)
            if (!e && LLVMIsAGetElementPtrInst(i)) e = check_indices(x, i);
    return e;
}

// ---- the pass

static bool is_loaded(LLVMValueRef v, unsigned depth)
{
    if (!LLVMIsAInstruction(v)) return false;
    if (LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || depth > 16) return true;
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (is_loaded(LLVMGetOperand(v, (unsigned)k), depth + 1)) return true;
    return false;
}

/**
 * Whether LLVM will not vectorize loops over work-items anyway, because of stores whose addresses
 * come from memory (scatters), or because of stamps: then a branch is cheaper than to remember that
 * a check failed.
 */
static bool should_stop(const struct nat_checking *x)
{
    bool stops = x->checks & PROOF_CHECK_LOCAL;
    for (unsigned i = 0; i < NAT_MARKS; i++)
        stops |= x->info->shadow[i] == NAT_STAMPED || x->info->shadow[i] == NAT_EQUAL;
    for (size_t k = 0; k < x->accesses.len; k++) {
        const struct nat_checked_access *a = &x->accesses.data[k];
        stops |= a->writes && a->space == 1 && (a->atomic || is_loaded(a->offset, 0));
    }
    return stops;
}

struct err *nat_add_checks(LLVMModuleRef m, const char *kernel, uint32_t checks,
                           struct nat_code_info *info)
{
    struct nat_checking x = {.m = m,
                             .c = LLVMGetModuleContext(m),
                             .kernel = LLVMGetNamedFunction(m, kernel),
                             .checks = checks,
                             .info = info};
    if (!x.kernel || !l_is_kernel(x.kernel)) return err_new("there is no kernel of that name");
    x.b = LLVMCreateBuilderInContext(x.c);
    x.i1 = LLVMInt1TypeInContext(x.c);
    x.i32 = LLVMInt32TypeInContext(x.c);
    x.i64 = LLVMInt64TypeInContext(x.c);
    struct err *e = nat_check_values(&x);
    if (checks & PROOF_CHECK_PRIVATE) nat_mark_own_variables(&x);
    if (!e) e = nat_builtins(m);
    if (!e) e = nat_inline(m);
    x.kernel = LLVMGetNamedFunction(m, kernel);
    if (!e && checks & NAT_CHECK_ENDS) nat_check_ends(&x);
    const uint32_t on_accesses = PROOF_CHECK_BOUNDS | PROOF_CHECK_LOCAL | PROOF_CHECK_GLOBAL |
                                 PROOF_CHECK_PRIVATE;
    if (!e && checks & on_accesses) e = find_accesses(&x);
    if (!e) e = nat_find_shadows(&x);
    if (!e) x.stops = should_stop(&x);
    if (!e && checks & PROOF_CHECK_BOUNDS) e = check_all_bounds(&x);
    if (!e && checks & PROOF_CHECK_PRIVATE) e = nat_check_private(&x);
    if (!e && checks & (PROOF_CHECK_LOCAL | PROOF_CHECK_GLOBAL)) e = nat_check_races(&x);
    map_deinit(&x.bases);
    map_deinit(&x.offsets);
    map_deinit(&x.factors);
    map_deinit(&x.local_at);
    vec_free(&x.accesses);
    LLVMDisposeBuilder(x.b);
    return e;
}

// SPDX-License-Identifier: MIT
// Expands builtins that access shared state: atomics, fences, asynchronous copies, printf.
#include "native/abi.h"
#include "native/body.h"

#include <string.h>

static LLVMValueRef rmw(struct nat_body *x, LLVMAtomicRMWBinOp op, LLVMValueRef v,
                        LLVMAtomicOrdering order)
{
    return LLVMBuildAtomicRMW(x->b, op, LLVMGetParam(x->fn, 0), v, order, false);
}

static bool op_named(const char *name, const struct bi_type *t, LLVMAtomicRMWBinOp *op)
{
    static const struct {
        const char *name;
        LLVMAtomicRMWBinOp s, u, f;
    } ops[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd},
        {"sub", LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpFSub},
        {"inc", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
        {"dec", LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub},
        {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpFMin},
        {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpFMax},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
        {"xchg", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
        {"exchange", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
    };
    const size_t n = strcspn(name, "_");
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (strlen(ops[k].name) == n && !memcmp(ops[k].name, name, n)) {
            *op = bi_is_float(t->scalar) ? ops[k].f : bi_is_signed(t->scalar) ? ops[k].s : ops[k].u;
            return true;
        }
    return false;
}

// A relaxed integer minimum or maximum, as test-and-test-and-set: most calls leave memory
// unchanged, and those only read it. A compare-and-exchange loop, as on x86, takes the cache line
// from the other cores each time. (Correct because the read value is the last in the modification
// order that this work-item may see; writing the same value again would be indistinguishable.)
static LLVMValueRef least_or_most(struct nat_body *x, LLVMAtomicRMWBinOp op,
                                  LLVMIntPredicate changes, LLVMValueRef v)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(x->b),
                      change = LLVMAppendBasicBlockInContext(x->ctx, x->fn, ""),
                      end = LLVMAppendBasicBlockInContext(x->ctx, x->fn, "");
    LLVMValueRef seen = LLVMBuildLoad2(x->b, x->type, LLVMGetParam(x->fn, 0), "");
    LLVMSetOrdering(seen, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(seen, LLVMGetIntTypeWidth(x->type) / 8);
    LLVMBuildCondBr(x->b, LLVMBuildICmp(x->b, changes, v, seen, ""), change, end);
    LLVMPositionBuilderAtEnd(x->b, change);
    LLVMValueRef was = rmw(x, op, v, LLVMAtomicOrderingMonotonic);
    LLVMBuildBr(x->b, end);
    LLVMPositionBuilderAtEnd(x->b, end);
    LLVMValueRef r = LLVMBuildPhi(x->b, x->type, "");
    LLVMAddIncoming(r, (LLVMValueRef[]){seen, was}, (LLVMBasicBlockRef[]){here, change}, 2);
    return r;
}

LLVMValueRef nat_bi_atomic_old(struct nat_body *x)
{
    const char *name = strchr(x->c->row->name, '_') + 1;
    const LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
    LLVMAtomicRMWBinOp op;
    if (!strcmp(name, "cmpxchg")) {
        LLVMValueRef r = LLVMBuildAtomicCmpXchg(x->b, LLVMGetParam(x->fn, 0),
                                                LLVMGetParam(x->fn, 1), LLVMGetParam(x->fn, 2),
                                                order, order, false);
        return LLVMBuildExtractValue(x->b, r, 0, "");
    }
    if (!op_named(name, &x->c->arg[0], &op)) x->no = true;
    if (x->no) return NULL;
    switch (op) {
    case LLVMAtomicRMWBinOpMin: return least_or_most(x, op, LLVMIntSLT, LLVMGetParam(x->fn, 1));
    case LLVMAtomicRMWBinOpUMin: return least_or_most(x, op, LLVMIntULT, LLVMGetParam(x->fn, 1));
    case LLVMAtomicRMWBinOpMax: return least_or_most(x, op, LLVMIntSGT, LLVMGetParam(x->fn, 1));
    case LLVMAtomicRMWBinOpUMax: return least_or_most(x, op, LLVMIntUGT, LLVMGetParam(x->fn, 1));
    default: break;
    }
    return rmw(x, op, x->nargs > 1 ? LLVMGetParam(x->fn, 1) : LLVMConstInt(x->type, 1, false),
               order);
}

// All C11 atomics use the strongest order: it satisfies every requested order.
LLVMValueRef nat_bi_atomic_c11(struct nat_body *x)
{
    const char *name = x->c->row->name + strlen("atomic_");
    const LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    const unsigned bits = bi_scalar_size(x->c->arg[0].scalar) * 8;
    LLVMTypeRef word = LLVMIntTypeInContext(x->ctx, bits);
    LLVMValueRef p = LLVMGetParam(x->fn, 0), v = x->nargs > 1 ? LLVMGetParam(x->fn, 1) : NULL, r;
    LLVMAtomicRMWBinOp op;
    if (x->c->id == BI_atomic_init) {
        LLVMBuildStore(x->b, v, p);
        return NULL;
    }
    if (str_starts(name, "store") || str_starts(name, "flag_clear")) {
        LLVMValueRef s =
            LLVMBuildStore(x->b, str_starts(name, "store") ? v : LLVMConstInt(word, 0, false), p);
        LLVMSetOrdering(s, order);
        LLVMSetAlignment(s, bits / 8);
        return NULL;
    }
    if (str_starts(name, "load")) {
        r = LLVMBuildLoad2(x->b, x->type, p, "");
        LLVMSetOrdering(r, order);
        LLVMSetAlignment(r, bits / 8);
        return r;
    }
    if (str_starts(name, "flag_test")) {
        r = rmw(x, LLVMAtomicRMWBinOpXchg, LLVMConstInt(word, 1, false), order);
        return LLVMBuildIntCast2(
            x->b, LLVMBuildICmp(x->b, LLVMIntNE, r, LLVMConstInt(word, 0, false), ""), x->type,
            false, "");
    }
    if (str_starts(name, "compare")) {
        LLVMValueRef want = LLVMBuildLoad2(x->b, word, v, ""),
                     to = LLVMBuildBitCast(x->b, LLVMGetParam(x->fn, 2), word, "");
        r = LLVMBuildAtomicCmpXchg(x->b, p, want, to, order, order, false);
        LLVMBuildStore(x->b, LLVMBuildExtractValue(x->b, r, 0, ""), v);
        return LLVMBuildIntCast2(x->b, LLVMBuildExtractValue(x->b, r, 1, ""), x->type, false, "");
    }
    if (!op_named(str_starts(name, "fetch_") ? name + strlen("fetch_") : name, &x->c->arg[0], &op))
        x->no = true;
    return x->no ? NULL : rmw(x, op, v, order);
}

// mem_fence is atomic_work_item_fence with memory_order_acq_rel (OpenCL C 3.0, deprecated fences),
// which costs nothing on x86.
LLVMValueRef nat_bi_fence(struct nat_body *x)
{
    const bool has_order = x->c->id == BI_atomic_work_item_fence;
    LLVMBuildFence(x->b,
                   has_order ? LLVMAtomicOrderingSequentiallyConsistent
                             : LLVMAtomicOrderingAcquireRelease,
                   false, "");
    return NULL;
}

// The counter of the processor's cycles; a hilo result is a vector, whose low word comes first.
LLVMValueRef nat_bi_clock(struct nat_body *x)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(x->ctx);
    LLVMTypeRef type = LLVMFunctionType(word, NULL, 0, false);
    LLVMModuleRef m = LLVMGetGlobalParent(x->fn);
    static const char name[] = "llvm.readcyclecounter";
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    if (!f) f = LLVMAddFunction(m, name, type);
    return LLVMBuildBitCast(x->b, LLVMBuildCall2(x->b, type, f, NULL, 0, ""), x->type, "");
}

LLVMValueRef nat_bi_enqueue(struct nat_body *x)
{
    x->no = true; // the kernel is refused
    return NULL;
}

LLVMValueRef nat_bi_prefetch(struct nat_body *x) { return NULL; }

static LLVMValueRef item(struct nat_body *x, const char *name, unsigned dim, bool has_dim)
{
    LLVMValueRef d = LLVMConstInt(LLVMInt32TypeInContext(x->ctx), dim, false);
    return nat_call(x, name, LLVMInt64TypeInContext(x->ctx), &d, has_dim);
}

// Each work-item copies elements id, id + items, …
LLVMValueRef nat_bi_async_copy(struct nat_body *x)
{
    const bool strided = x->c->id == BI_async_work_group_strided_copy;
    const struct bi_type *t = &x->c->arg[0];
    LLVMTypeRef i64 = LLVMInt64TypeInContext(x->ctx), ptr = LLVMPointerTypeInContext(x->ctx, 0);
    LLVMValueRef one = LLVMConstInt(i64, 1, false), stride = strided ? LLVMGetParam(x->fn, 3) : one;
    LLVMValueRef items = item(x, "get_local_size", 0, true);
    for (unsigned d = 1; d < 3; d++)
        items = LLVMBuildMul(x->b, items, item(x, "get_local_size", d, true), "");
    const bool to_global = t->space == BC_GLOBAL;
    LLVMValueRef args[] = {
        LLVMBuildAddrSpaceCast(x->b, LLVMGetParam(x->fn, 0), ptr, ""),
        LLVMBuildAddrSpaceCast(x->b, LLVMGetParam(x->fn, 1), ptr, ""),
        LLVMConstInt(i64, bi_scalar_size(t->scalar) * (t->width == 3 ? 4 : t->width), false),
        LLVMGetParam(x->fn, 2),
        to_global ? stride : one,
        to_global ? one : stride,
        item(x, "get_local_linear_id", 0, false),
        items};
    nat_call(x, "cldbg-async-copy", LLVMVoidTypeInContext(x->ctx), args, 8);
    return LLVMConstNull(x->type);
}

// ---- printf

static bool printf_type(LLVMTypeRef t, struct nat_printf_arg *a)
{
    a->ncomp = (uint8_t)nat_lanes(t);
    switch (LLVMGetTypeKind(nat_elem(t))) {
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind: a->type = BC_F32; return true;
    case LLVMDoubleTypeKind: a->type = BC_F64; return true;
    case LLVMPointerTypeKind: a->type = BC_I64; return true;
    case LLVMIntegerTypeKind: {
        const unsigned bits = LLVMGetIntTypeWidth(nat_elem(t));
        a->type = bits <= 8 ? BC_I8 : bits == 16 ? BC_I16 : bits == 32 ? BC_I32 : BC_I64;
        return bits <= 64;
    }
    default: return false;
    }
}

static LLVMValueRef to_word(LLVMBuilderRef b, LLVMContextRef c, LLVMValueRef v)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c), t = LLVMTypeOf(v);
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
        v = LLVMBuildFPExt(b, v, LLVMFloatTypeInContext(c), ""); // then as a float
    // fall through
    case LLVMFloatTypeKind: v = LLVMBuildBitCast(b, v, LLVMInt32TypeInContext(c), ""); break;
    case LLVMDoubleTypeKind: return LLVMBuildBitCast(b, v, i64, "");
    case LLVMPointerTypeKind: return LLVMBuildPtrToInt(b, v, i64, "");
    default: break;
    }
    return LLVMBuildIntCast2(b, v, i64, false, "");
}

static struct err *one_printf(LLVMModuleRef m, LLVMValueRef call)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c), i32 = LLVMInt32TypeInContext(c),
                i8 = LLVMInt8TypeInContext(c), ptr = LLVMPointerTypeInContext(c, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    const unsigned n = LLVMGetNumArgOperands(call) - 1;
    struct nat_printf_arg *types = mem_alloc((n + 1) * sizeof *types);
    unsigned words = 0;
    struct err *e = NULL;
    for (unsigned k = 0; k < n && !e; k++) {
        if (!printf_type(LLVMTypeOf(LLVMGetOperand(call, k + 1)), &types[k]))
            e = err_new("a printf whose argument %u has no form that machine code hands over",
                        k + 1);
        words += types[k].ncomp;
    }
    if (!e) {
        LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
        LLVMValueRef values = LLVMBuildAlloca(b, LLVMArrayType2(i64, words ? words : 1), "printf");
        LLVMPositionBuilderBefore(b, call);
        unsigned at = 0;
        for (unsigned k = 0; k < n; k++) {
            LLVMValueRef v = LLVMGetOperand(call, k + 1);
            for (unsigned i = 0; i < types[k].ncomp; i++) {
                LLVMValueRef one = types[k].ncomp > 1 ? LLVMBuildExtractElement(
                                                            b, v, LLVMConstInt(i32, i, false), "")
                                                      : v;
                LLVMValueRef index = LLVMConstInt(i64, at++, false);
                LLVMBuildStore(b, to_word(b, c, one), LLVMBuildGEP2(b, i64, values, &index, 1, ""));
            }
        }
        LLVMValueRef desc =
            LLVMConstStringInContext(c, (const char *)types, n * (unsigned)sizeof *types, true);
        LLVMValueRef global =
            LLVMAddGlobalInAddressSpace(m, LLVMArrayType2(i8, n * sizeof *types), "printf", 2);
        LLVMSetInitializer(global, desc);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        struct nat_body x = {.m = m, .ctx = c, .b = b};
        LLVMValueRef args[] = {LLVMBuildAddrSpaceCast(b, LLVMGetOperand(call, 0), ptr, ""),
                               LLVMBuildAddrSpaceCast(b, global, ptr, ""), values,
                               LLVMConstInt(i32, n, false)};
        LLVMReplaceAllUsesWith(call, nat_call(&x, "cldbg-printf", i32, args, 4));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
    free(types);
    return e;
}

// Calls of printf are expanded separately (nat_printf): each has its own type.
LLVMValueRef nat_bi_printf(struct nat_body *x)
{
    x->no = true;
    return NULL;
}

struct err *nat_printf(LLVMModuleRef m, LLVMValueRef printf)
{
    struct err *e = NULL;
    while (!e && LLVMGetFirstUse(printf)) e = one_printf(m, LLVMGetUser(LLVMGetFirstUse(printf)));
    return e;
}

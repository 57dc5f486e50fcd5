// SPDX-License-Identifier: MIT
// Gives bodies to the builtins that a program calls.
//
// A lane function, for example that of `sin`, is called through wrappers of all widths,
// cldbg.v1.sin_F32, cldbg.v8.sin_F32…. Calls of the scalar wrapper name the others as its vector
// variants (LLVM's vector function ABI), so that LLVM's vectorizer turns a loop over work-items
// into calls for eight. If the run time has a function of one element by value (bi_one), it is the
// scalar wrapper. Invariant: for all widths the results are those of the interpreter, because it
// calls the same function.
#include "native/body.h"

#include <stdio.h>
#include <string.h>

static nat_handler *const handlers[BI_COUNT] = {
#define EXPAND(n, a, h) [BI_##n] = nat_bi_##h,
#define FAMILY(n, a, h) [BI_##n] = nat_bi_##h,
#include "builtins/builtins.def"
};

LLVMTypeRef nat_elem(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}
unsigned nat_lanes(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}
LLVMTypeRef nat_with(LLVMTypeRef t, LLVMTypeRef elem)
{
    return nat_lanes(t) > 1 ? LLVMVectorType(elem, nat_lanes(t)) : elem;
}

static LLVMValueRef splat(LLVMTypeRef t, LLVMValueRef one)
{
    LLVMValueRef all[16];
    for (unsigned i = 0; i < 16; i++) all[i] = one;
    return nat_lanes(t) > 1 ? LLVMConstVector(all, nat_lanes(t)) : one;
}
LLVMValueRef nat_int(struct nat_body *x, LLVMTypeRef t, uint64_t v)
{
    return splat(t, LLVMConstInt(nat_elem(t), v, false));
}

LLVMValueRef nat_as(struct nat_body *x, LLVMValueRef v, LLVMTypeRef like)
{
    const unsigned n = nat_lanes(like);
    if (nat_lanes(LLVMTypeOf(v)) == n) return v;
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(v), n), i32 = LLVMInt32TypeInContext(x->ctx);
    LLVMValueRef r =
        LLVMBuildInsertElement(x->b, LLVMGetPoison(t), v, LLVMConstInt(i32, 0, false), "");
    return LLVMBuildShuffleVector(x->b, r, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(i32, n)),
                                  "");
}

LLVMValueRef nat_arg(struct nat_body *x, unsigned k)
{
    LLVMValueRef v = LLVMGetParam(x->fn, k);
    return x->gen && !x->c->arg[k].pointers ? nat_as(x, v, x->gen) : v;
}

LLVMValueRef nat_intrinsic(struct nat_body *x, const char *name, LLVMTypeRef t, LLVMValueRef *args,
                           unsigned n)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(x->m, id, &t, 1);
    return LLVMBuildCall2(x->b, LLVMGlobalGetValueType(fn), fn, args, n, "");
}

LLVMValueRef nat_call(struct nat_body *x, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned n)
{
    LLVMTypeRef types[8];
    for (unsigned k = 0; k < n; k++) types[k] = LLVMTypeOf(args[k]);
    LLVMTypeRef t = LLVMFunctionType(result, types, n, false);
    LLVMValueRef fn = LLVMGetNamedFunction(x->m, name);
    if (!fn) fn = LLVMAddFunction(x->m, name, t);
    return LLVMBuildCall2(x->b, t, fn, args, n, "");
}

static LLVMValueRef op_row(struct nat_body *x)
{
    const struct bi_row *r = x->c->row;
    const enum bi_scalar s = x->c->gen.scalar;
    const unsigned op = bi_is_float(s)    ? r->f
                        : bi_is_signed(s) ? r->s
                                          : r->u,
                   n = x->nargs < 3 ? x->nargs : 3;
    LLVMValueRef v[4];
    for (unsigned k = 0; k < n; k++) v[k] = nat_arg(x, k);
    return nat_op(x, op, bi_is_signed(s), v, n);
}

// ---- functions over lanes

void nat_attribute(struct nat_body *x, LLVMValueRef fn, const char *name, uint64_t value)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(x->ctx, kind, value));
}

static LLVMTypeRef lane_type(struct nat_body *x, const struct bi_lane *l, unsigned i,
                             unsigned width)
{
    const enum bc_type t = bi_lane_type(l, i);
    LLVMTypeRef e = t == BC_F32   ? LLVMFloatTypeInContext(x->ctx)
                    : t == BC_F64 ? LLVMDoubleTypeInContext(x->ctx)
                                  : LLVMIntTypeInContext(x->ctx, bc_type_size(t) * 8);
    return width > 1 ? LLVMVectorType(e, width) : e;
}

// Allocates the operands and builds the call void(ptr results, ptr operands, i32 n). Returns the
// addresses of the results.
static void lane_call(struct nat_body *x, LLVMBuilderRef b, const struct bi_lane *l, unsigned width,
                      LLVMValueRef *src, LLVMValueRef *dst)
{
    LLVMTypeRef ptr = LLVMPointerTypeInContext(x->ctx, 0), i32 = LLVMInt32TypeInContext(x->ctx);
    LLVMValueRef lists[2];
    for (unsigned part = 0; part < 2; part++) {
        const unsigned count = part ? l->nsrc : l->ndst;
        lists[part] = LLVMBuildArrayAlloca(b, ptr, LLVMConstInt(i32, count, false), "");
        for (unsigned k = 0; k < count; k++) {
            LLVMValueRef at =
                             LLVMBuildAlloca(b, lane_type(x, l, part ? l->ndst + k : k, width), ""),
                         index = LLVMConstInt(i32, k, false);
            LLVMSetAlignment(at, 64);
            if (part) LLVMBuildStore(b, src[k], at);
            else dst[k] = at;
            LLVMBuildStore(b, at, LLVMBuildInBoundsGEP2(b, ptr, lists[part], &index, 1, ""));
        }
    }
    char name[64];
    snprintf(name, sizeof name, "cldbg-lane-%s", l->name);
    LLVMTypeRef t =
        LLVMFunctionType(LLVMVoidTypeInContext(x->ctx), (LLVMTypeRef[]){ptr, ptr, i32}, 3, false);
    LLVMValueRef fn = LLVMGetNamedFunction(x->m, name);
    if (!fn) {
        fn = LLVMAddFunction(x->m, name, t);
        nat_attribute(x, fn, "nounwind", 0);
        nat_attribute(x, fn, "willreturn", 0);
    }
    LLVMBuildCall2(b, t, fn, (LLVMValueRef[]){lists[0], lists[1], LLVMConstInt(i32, width, false)},
                   3, "");
}

static LLVMValueRef wrapper(struct nat_body *x, const struct bi_lane *l, unsigned width)
{
    char name[64];
    snprintf(name, sizeof name, "cldbg.v%u.%s", width, l->name);
    LLVMValueRef fn = LLVMGetNamedFunction(x->m, name), src[BI_MAX_LANE_SRC], dst[BI_MAX_LANE_DST];
    if (fn) return fn;
    LLVMTypeRef types[BI_MAX_LANE_SRC], result = lane_type(x, l, 0, width);
    for (unsigned k = 0; k < l->nsrc; k++) types[k] = lane_type(x, l, l->ndst + k, width);
    fn = LLVMAddFunction(x->m, name, LLVMFunctionType(result, types, l->nsrc, false));
    nat_attribute(x, fn, "nounwind", 0);
    nat_attribute(x, fn, "willreturn", 0);
    nat_attribute(x, fn, "noinline", 0);
    nat_attribute(x, fn, "memory", 0);                                // memory(none) for the caller
    if (width == 1 && bi_one((unsigned)(l - bi_lane_fns))) return fn; // defined in the run time
    LLVMBuilderRef b = LLVMCreateBuilderInContext(x->ctx);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(x->ctx, fn, ""));
    for (unsigned k = 0; k < l->nsrc; k++) src[k] = LLVMGetParam(fn, k);
    lane_call(x, b, l, width, src, dst);
    LLVMBuildRet(b, LLVMBuildLoad2(b, result, dst[0], ""));
    LLVMDisposeBuilder(b);
    return fn;
}

// Component by component: vectors are formed over work-items.
static LLVMValueRef by_component(struct nat_body *x, unsigned number, LLVMValueRef *src,
                                 unsigned width)
{
    const struct bi_lane *l = &bi_lane_fns[number];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(x->ctx);
    LLVMValueRef r = LLVMGetUndef(lane_type(x, l, 0, width)), one[BI_MAX_LANE_SRC];
    for (unsigned i = 0; i < width; i++) {
        LLVMValueRef at = LLVMConstInt(i32, i, false);
        for (unsigned k = 0; k < l->nsrc; k++)
            one[k] = LLVMBuildExtractElement(x->b, src[k], at, "");
        r = LLVMBuildInsertElement(x->b, r, nat_lane(x, number, one), at, "");
    }
    return r;
}

LLVMValueRef nat_lane(struct nat_body *x, unsigned number, LLVMValueRef *src)
{
    const struct bi_lane *l = &bi_lane_fns[number];
    const unsigned width = nat_lanes(LLVMTypeOf(src[0])),
                   widest = bc_type_size(bi_lane_type(l, 0)) == 8 ? 8 : 16;
    if (width > 1) return by_component(x, number, src, width);
    LLVMValueRef fn = wrapper(x, l, 1);
    LLVMValueRef call = LLVMBuildCall2(x->b, LLVMGlobalGetValueType(fn), fn, src, l->nsrc, "");
    if (l->nsrc > 4) return call;
    struct str variants = {0};
    for (unsigned w = 2; w <= widest; w *= 2) {
        wrapper(x, l, w);
        str_printf(&variants, "%s_ZGV_LLVM_N%u%.*s_cldbg.v1.%s(cldbg.v%u.%s)", w > 2 ? "," : "", w,
                   (int)l->nsrc, "vvvv", l->name, w, l->name);
    }
    static const char key[] = "vector-function-abi-variant";
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(x->ctx, key, sizeof key - 1, variants.data,
                                                       (unsigned)variants.len));
    str_deinit(&variants);
    return call;
}

// Stores a second result at the address in the last argument.
static LLVMValueRef math_row(struct nat_body *x)
{
    const unsigned number = x->c->row->fn + (x->c->gen.scalar == BI_DOUBLE);
    const struct bi_lane *l = &bi_lane_fns[number];
    LLVMValueRef src[BI_MAX_LANE_SRC], dst[BI_MAX_LANE_DST];
    for (unsigned k = 0; k < l->nsrc; k++) src[k] = nat_arg(x, k);
    if (l->ndst == 1) return nat_lane(x, number, src);
    lane_call(x, x->b, l, x->n, src, dst);
    LLVMBuildStore(x->b, LLVMBuildLoad2(x->b, lane_type(x, l, 1, x->n), dst[1], ""),
                   LLVMGetParam(x->fn, x->nargs - 1));
    return LLVMBuildLoad2(x->b, x->type, dst[0], "");
}

// ---- all builtins

static LLVMValueRef body(struct nat_body *x)
{
    switch (x->c->row->kind) {
    case BI_OP: return op_row(x);
    case BI_MATH:
    case BI_MATHP: return math_row(x);
    case BI_EXPAND:
    case BI_FAMILY: return handlers[x->c->id](x);
    default: x->no = true; return NULL;
    }
}

static void give_body(LLVMModuleRef m, LLVMValueRef fn, const struct bi_call *c)
{
    struct nat_body x = {
        .m = m, .ctx = LLVMGetModuleContext(m), .fn = fn, .c = c, .nargs = LLVMCountParams(fn)};
    x.type = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
    const bool is_void = LLVMGetTypeKind(x.type) == LLVMVoidTypeKind;
    x.n = is_void ? 0 : nat_lanes(x.type);
    for (unsigned k = 0; k < x.nargs; k++)
        if (c->gen.scalar && !x.gen && !c->arg[k].pointers && c->arg[k].scalar == c->gen.scalar &&
            c->arg[k].width == c->gen.width)
            x.gen = LLVMTypeOf(LLVMGetParam(fn, k));
    if (c->nargs ? x.nargs != c->nargs : c->row->args[0] && x.nargs != strlen(c->row->args)) return;
    LLVMBasicBlockRef bb = LLVMAppendBasicBlockInContext(x.ctx, fn, "");
    x.b = LLVMCreateBuilderInContext(x.ctx);
    LLVMPositionBuilderAtEnd(x.b, bb);
    LLVMValueRef r = body(&x);
    if (!x.no && is_void) LLVMBuildRetVoid(x.b);
    else if (!x.no) LLVMBuildRet(x.b, r);
    LLVMDisposeBuilder(x.b);
    if (x.no) LLVMDeleteBasicBlock(bb);
}

static bool is_left(const struct bi_call *c)
{
    return c->row->kind == BI_FLOW || handlers[c->id] == nat_bi_work_item;
}

// Whether a function stays external, by its name.
static bool is_known(const char *name)
{
    return str_starts(name, "llvm.") || str_starts(name, "cldbg-") || str_starts(name, "cldbg.v");
}

void nat_not_known(LLVMValueRef kernel, char *name, size_t size)
{
    *name = 0;
    l_each_block(kernel, b)
        l_each_insn(b, i) {
            LLVMValueRef f = LLVMGetInstructionOpcode(i) == LLVMCall ? l_callee(i) : NULL;
            struct bi_call c;
            if (!f || !LLVMIsDeclaration(f) || is_known(l_name(f)) ||
                (bi_lookup(l_name(f), &c) && is_left(&c)) || str_starts(l_name(f), "get_"))
                continue;
            rg_callee_base_name(i, name, size);
            return;
        }
}

// The variants of functions are named by an attribute only: llvm.compiler.used keeps them.
static void keep_variants(LLVMModuleRef m)
{
    VEC(LLVMValueRef) all = {0};
    l_each_function(m, f)
        if (str_starts(l_name(f), "cldbg.v")) vec_push(&all, f);
    if (all.len) {
        LLVMTypeRef ptr = LLVMPointerTypeInContext(LLVMGetModuleContext(m), 0);
        LLVMValueRef used = LLVMAddGlobal(m, LLVMArrayType2(ptr, all.len), "llvm.compiler.used");
        LLVMSetInitializer(used, LLVMConstArray2(ptr, all.data, all.len));
        LLVMSetLinkage(used, LLVMAppendingLinkage);
        LLVMSetSection(used, "llvm.metadata");
    }
    vec_free(&all);
}

struct err *nat_builtins(LLVMModuleRef m)
{
    struct err *e = NULL;
    VEC(LLVMValueRef) declared = {0};
    l_each_function(m, f)
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !is_known(l_name(f)))
            vec_push(&declared, f);
    for (size_t i = 0; i < declared.len && !e; i++) {
        LLVMValueRef f = declared.data[i];
        struct bi_call c;
        const bool found = bi_lookup(l_name(f), &c);
        if (found && c.id == BI_printf) e = nat_printf(m, f);
        else if (found && is_left(&c)) continue;
        else if (found) give_body(m, f, &c);
    }
    keep_variants(m);
    vec_free(&declared);
    return e;
}

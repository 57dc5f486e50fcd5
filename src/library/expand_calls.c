// SPDX-License-Identifier: MIT
// Builtins written in OpenCL C, linked on demand, as libclc's are: the call is replaced by a copy
// of the function's instructions. A definition for scalars serves vectors of any width, as each of
// its instructions has a form for vectors (whole-function vectorization of straight-line code).
#include "library/library.h"

#include "base/map.h"
#include "base/vec.h"
#include "builtins/mangle.h"
#include "library/expansions.h"
#include "llvm/ir.h"

#include <llvm-c/BitReader.h>
#include <string.h>

static const uint8_t bitcode[] = {
#include "library/builtins.inc"
};

struct expander {
    LLVMModuleRef program, library; // library: NULL before the first call that needs it
    LLVMBuilderRef b;
    struct err *e;
};

static LLVMModuleRef library(struct expander *x)
{
    if (x->library || x->e) return x->library;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)bitcode, sizeof bitcode, "builtins.cl", false);
    if (LLVMParseBitcodeInContext2(LLVMGetModuleContext(x->program), buffer, &x->library))
        x->e = err_new("internal error: the builtin library is not bitcode that LLVM can read");
    LLVMDisposeMemoryBuffer(buffer);
    return x->library;
}

LLVMValueRef lib_declared(LLVMModuleRef m, const char *name, LLVMTypeRef t)
{
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    if (f) return f;
    f = LLVMAddFunction(m, name, t);
    LLVMSetFunctionCallConv(f, LLVMSPIRFUNCCallConv);
    return f;
}

unsigned lib_width(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

LLVMTypeRef lib_with(LLVMTypeRef t, LLVMTypeRef elem)
{
    return lib_width(t) > 1 ? LLVMVectorType(elem, lib_width(t)) : elem;
}

// ---- copies of instructions

/** A copy of a function's instructions; each value is made `width` values. */
struct copy {
    struct expander *x;
    unsigned width;
    struct map of; // value of the library → value of the program
};

static LLVMTypeRef widened_type(const struct copy *c, LLVMTypeRef t)
{
    return c->width > 1 ? LLVMVectorType(t, c->width) : t;
}

static LLVMValueRef splat(struct copy *c, LLVMValueRef v)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))),
                t = widened_type(c, LLVMTypeOf(v));
    v = LLVMBuildInsertElement(c->x->b, LLVMGetPoison(t), v, LLVMConstInt(i32, 0, false), "");
    return LLVMBuildShuffleVector(c->x->b, v, LLVMGetPoison(t),
                                  LLVMConstNull(LLVMVectorType(i32, c->width)), "");
}

static LLVMValueRef copied(struct copy *c, LLVMValueRef v)
{
    if (LLVMIsAFunction(v))
        return lib_declared(c->x->program, l_name(v), LLVMGlobalGetValueType(v));
    if (LLVMIsAConstant(v)) return c->width > 1 ? splat(c, v) : v;
    return (LLVMValueRef)(uintptr_t)*map_get_ptr(&c->of, v);
}

/** The function that a call of the library calls, over vectors. */
static LLVMValueRef widened_callee(struct copy *c, LLVMValueRef call)
{
    LLVMTypeRef types[BI_MAX_ARGS];
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const unsigned n = LLVMGetNumArgOperands(call);
    struct bi_type arg[BI_MAX_ARGS];
    char name[BI_MAX_NAME];
    unsigned nargs;
    for (unsigned k = 0; k < n; k++)
        types[k] = widened_type(c, LLVMTypeOf(LLVMGetOperand(call, k)));
    if (LLVMGetIntrinsicID(callee))
        return LLVMGetIntrinsicDeclaration(c->x->program, LLVMGetIntrinsicID(callee), types, 1);
    if (!bi_demangle(l_name(callee), name, arg, &nargs)) return NULL;
    for (unsigned k = 0; k < nargs; k++) arg[k].width = (uint8_t)c->width;
    struct str wide = {0};
    bi_mangle(&wide, name, arg, nargs);
    LLVMTypeRef t = LLVMFunctionType(widened_type(c, LLVMTypeOf(call)), types, n, false);
    callee = lib_declared(c->x->program, str_text(&wide), t);
    str_deinit(&wide);
    return callee;
}

static LLVMValueRef widened(struct copy *c, LLVMValueRef i)
{
    LLVMBuilderRef b = c->x->b;
    LLVMValueRef v[BI_MAX_ARGS], callee;
    const unsigned n = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i)
                                          : (unsigned)LLVMGetNumOperands(i);
    for (unsigned k = 0; k < n; k++) v[k] = copied(c, LLVMGetOperand(i, k));
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMICmp: return LLVMBuildICmp(b, LLVMGetICmpPredicate(i), v[0], v[1], "");
    case LLVMFCmp: return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), v[0], v[1], "");
    case LLVMSelect: return LLVMBuildSelect(b, v[0], v[1], v[2], "");
    case LLVMFNeg: return LLVMBuildFNeg(b, v[0], "");
    case LLVMCall:
        callee = widened_callee(c, i);
        return callee ? LLVMBuildCall2(b, LLVMGlobalGetValueType(callee), callee, v, n, "") : NULL;
    default: break;
    }
    if (LLVMIsACastInst(i)) return LLVMBuildCast(b, op, v[0], widened_type(c, LLVMTypeOf(i)), "");
    return LLVMIsABinaryOperator(i) ? LLVMBuildBinOp(b, op, v[0], v[1], "") : NULL;
}

static LLVMValueRef cloned(struct copy *c, LLVMValueRef i)
{
    LLVMValueRef r = LLVMInstructionClone(i);
    for (int k = LLVMGetNumOperands(i); k-- > 0;)
        LLVMSetOperand(r, (unsigned)k, copied(c, LLVMGetOperand(i, (unsigned)k)));
    LLVMInsertIntoBuilder(c->x->b, r);
    return r;
}

/** The value that `fn` of the library has for these arguments, computed where the builder is. */
static LLVMValueRef copy_function(struct expander *x, LLVMValueRef fn, unsigned width,
                                  LLVMValueRef *args)
{
    struct copy c = {.x = x, .width = width};
    LLVMValueRef result = NULL;
    for (unsigned k = 0; k < LLVMCountParams(fn); k++) {
        const bool scalar = LLVMGetTypeKind(LLVMTypeOf(args[k])) != LLVMVectorTypeKind;
        *map_put_ptr(&c.of, LLVMGetParam(fn, k), NULL) =
            (uintptr_t)(width > 1 && scalar ? splat(&c, args[k]) : args[k]);
    }
    l_each_insn(LLVMGetEntryBasicBlock(fn), i) {
        if (LLVMGetInstructionOpcode(i) == LLVMRet) {
            result = copied(&c, LLVMGetOperand(i, 0));
            break;
        }
        LLVMValueRef v = width > 1 ? widened(&c, i) : cloned(&c, i);
        if (!v || LLVMIsATerminatorInst(i)) {
            x->e = err_new("internal error: %s is not straight-line code of numbers", l_name(fn));
            break;
        }
        *map_put_ptr(&c.of, i, NULL) = (uintptr_t)v;
    }
    map_deinit(&c.of);
    return result;
}

// ---- which function serves a call

static LLVMValueRef find(struct expander *x, const char *prefix, const struct bi_call *c,
                         bool scalars)
{
    struct bi_type arg[BI_MAX_ARGS];
    struct str name = {0}, mangled = {0};
    if (!library(x)) return NULL;
    memcpy(arg, c->arg, sizeof arg);
    for (unsigned k = 0; k < c->nargs && scalars; k++) arg[k].width = 1;
    str_printf(&name, "%s%s", prefix, c->row->name);
    bi_mangle(&mangled, str_text(&name), arg, c->nargs);
    LLVMValueRef f = LLVMGetNamedFunction(x->library, str_text(&mangled));
    str_deinit(&name);
    str_deinit(&mangled);
    return f;
}

/** The call has the types of `fn`, made `width` values, or scalars. */
static bool has_types(LLVMValueRef call, LLVMValueRef fn, unsigned width)
{
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
    if (LLVMGetNumArgOperands(call) != LLVMCountParams(fn)) return false;
    if (LLVMTypeOf(call) != (width > 1 ? LLVMVectorType(t, width) : t)) return false;
    for (unsigned k = 0; k < LLVMCountParams(fn); k++) {
        t = LLVMTypeOf(LLVMGetParam(fn, k));
        LLVMTypeRef has = LLVMTypeOf(LLVMGetOperand(call, k));
        if (has != t && (width == 1 || has != LLVMVectorType(t, width))) return false;
    }
    return true;
}

static LLVMValueRef defined(struct expander *x, LLVMValueRef call, const struct bi_call *c)
{
    unsigned width = 1;
    LLVMValueRef fn = find(x, "cl_", c, false), args[BI_MAX_ARGS];
    if (!fn) {
        width = lib_width(LLVMTypeOf(call));
        if (width > 1) fn = find(x, "vec_", c, true);
        if (width > 1 && !fn) fn = find(x, "cl_", c, true);
    }
    if (!fn || !has_types(call, fn, width)) return NULL;
    for (unsigned k = 0; k < c->nargs; k++) args[k] = LLVMGetOperand(call, k);
    return copy_function(x, fn, width, args);
}

/** The builtin that a function without a body is; LLVM's fma of half, which clang makes of
 * operators, is one. */
static bool is_builtin(LLVMValueRef f, struct bi_call *c)
{
    if (bi_lookup(l_name(f), c)) return true;
    if (!l_is_intrinsic(f, "fmuladd") && !l_is_intrinsic(f, "fma")) return false;
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(f));
    const unsigned width = lib_width(t);
    if (LLVMGetTypeKind(width > 1 ? LLVMGetElementType(t) : t) != LLVMHalfTypeKind) return false;
    *c = (struct bi_call){.id = BI_fma, .row = &bi_rows[BI_fma], .nargs = 3};
    for (unsigned k = 0; k < 3; k++)
        c->arg[k] = (struct bi_type){.scalar = BI_HALF, .width = (uint8_t)width};
    return true;
}

static LLVMValueRef expanded(struct expander *x, LLVMValueRef call, const struct bi_call *c)
{
    LLVMValueRef r = NULL;
    switch (c->id) {
    case BI_convert_: r = lib_convert(x->b, call, c); break;
    case BI_vload:
    case BI_vload_half:
    case BI_vloada_half: return lib_vload(x->b, call, c);
    case BI_vstore:
    case BI_vstore_half:
    case BI_vstorea_half: return lib_vstore(x->b, call, c);
    default: r = defined(x, call, c); break;
    }
    return r || !lib_is_of_half(c) ? r : lib_call_of_float(x->b, call, c);
}

static bool expand_calls(struct expander *x, LLVMValueRef f)
{
    struct bi_call c;
    bool any = false;
    if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f) || !is_builtin(f, &c)) return false;
    const bool may = c.row->kind == BI_LIBRARY || c.row->kind == BI_LIBRARY_FAMILY;
    if (!may && c.id != BI_convert_ && !lib_is_of_half(&c)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(f), next; u && !x->e; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f) continue;
        LLVMPositionBuilderBefore(x->b, call);
        LLVMValueRef r = expanded(x, call, &c);
        if (!r) continue;
        any = true;
        if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(call, r);
        LLVMInstructionEraseFromParent(call);
    }
    return any;
}

struct err *lib_expand(LLVMModuleRef program)
{
    struct expander x = {.program = program,
                         .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(program))};
    for (bool any = true; any && !x.e;) { // (an expansion may call builtins that are expanded)
        any = false;
        l_each_function(program, f) any |= expand_calls(&x, f);
    }
    LLVMDisposeBuilder(x.b);
    if (x.library) LLVMDisposeModule(x.library);
    return x.e;
}

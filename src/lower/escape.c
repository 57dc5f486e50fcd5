// SPDX-License-Identifier: MIT
// Which pointer arguments of a kernel may be written or read through: buffers that no launch writes
// need no race shadow, and those that nothing but atomics touch cannot race either. A pointer is
// followed through registers, variables, calls and selections; once it is stored in memory or
// turned into an integer, anything may happen to it. A write through a pointer of unknown origin
// counts for all arguments. And what the sizes of the accesses are multiples of, for as large cells
// of a race shadow.
#include "lower/lw.h"

#include <string.h>

struct flow {
    struct lw_module *m;
    struct map seen;
    VEC(LLVMValueRef) work;
    bool write, read, escapes;
    bool plain;     // some access is not an atomic one
    unsigned sizes; // of the accesses' components, or'ed together: 1 where one is not known
};

static void note_size(struct flow *w, LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: note_size(w, LLVMGetElementType(t)); break;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            note_size(w, LLVMStructGetTypeAtIndex(t, i));
        break;
    case LLVMIntegerTypeKind:
        w->sizes |= LLVMGetIntTypeWidth(t) % 8 ? 1 : LLVMGetIntTypeWidth(t) / 8;
        break;
    case LLVMHalfTypeKind: w->sizes |= 2; break;
    case LLVMFloatTypeKind: w->sizes |= 4; break;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: w->sizes |= 8; break;
    default: w->sizes |= 1;
    }
}

static void note_sizes_of_call(struct flow *w, LLVMValueRef call, const char *name, bool is_atomic)
{
    LLVMValueRef size = strstr(name, "memcpy") || strstr(name, "memmove") ? LLVMGetOperand(call, 2)
                                                                          : NULL;
    if (size && LLVMIsAConstantInt(size)) w->sizes |= (unsigned)LLVMConstIntGetZExtValue(size) & 7;
    else if (is_atomic && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind &&
             LLVMGetIntTypeWidth(LLVMTypeOf(call)) >= 32)
        note_size(w, LLVMTypeOf(call));
    else w->sizes |= 1;
}

static void follow(struct flow *w, LLVMValueRef v)
{
    bool is_new;
    map_put_ptr(&w->seen, v, &is_new);
    if (is_new) vec_push(&w->work, v);
}

static void through_call(struct flow *w, LLVMValueRef call, LLVMValueRef v)
{
    LLVMValueRef callee = l_callee(call);
    if (!callee) {
        w->escapes = true;
        return;
    }
    if (map_get_ptr(&w->m->fn_of, callee)) {
        for (unsigned k = 0; k < LLVMCountParams(callee); k++)
            if (LLVMGetOperand(call, k) == v) follow(w, LLVMGetParam(callee, k));
        return;
    }
    if (l_is_debug(call)) return;
    char name[64];
    rg_callee_base_name(call, name, sizeof name);
    bool first = LLVMGetNumArgOperands(call) > 0 && LLVMGetOperand(call, 0) == v;
    const bool is_atomic = (!strncmp(name, "atomic_", 7) && strcmp(name, "atomic_init")) ||
                           !strncmp(name, "atom_", 5);
    for (int k = 0; k < LLVMGetNumArgOperands(call);
         k++) // but for the object itself, what atomics use is plain
        w->plain |= LLVMGetOperand(call, (unsigned)k) == v && !(is_atomic && !k);
    if (strstr(name, "memcpy") || strstr(name, "memmove") ||
        !strncmp(name, "async_work_group", 16)) {
        if (first) w->write = true;
        if (!first || LLVMGetOperand(call, 1) == v) w->read = true;
    } else if (!strncmp(name, "vload", 5) || !strcmp(name, "prefetch") || !strcmp(name, "printf")) {
        w->read = true;
    } else if (LLVMGetTypeKind(LLVMTypeOf(call)) ==
               LLVMPointerTypeKind) { // to_global, to_local, to_private
        follow(w, call);
        return;
    } else {
        w->write = w->read = true;
    }
    note_sizes_of_call(w, call, name, is_atomic);
}

static void through(struct flow *w, LLVMValueRef i, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(i)) {
        if (LLVMIsAConstantExpr(i)) follow(w, i);
        else w->escapes = true;
        return;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        w->read = w->plain = true;
        note_size(w, LLVMTypeOf(i));
        break;
    case LLVMStore: {
        if (LLVMGetOperand(i, 1) == v) {
            w->write = w->plain = true;
            note_size(w, LLVMTypeOf(LLVMGetOperand(i, 0)));
        }
        if (LLVMGetOperand(i, 0) != v) break;
        LLVMValueRef to = LLVMGetOperand(i, 1);
        LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
        uint64_t *at = map_get_ptr(&w->m->fn_of, fn);
        if (!at || !map_get_ptr(&w->m->rg[*at - 1].var_of, to)) {
            w->escapes = true;
            break;
        }
        for (LLVMUseRef u = LLVMGetFirstUse(to); u; u = LLVMGetNextUse(u))
            if (LLVMGetInstructionOpcode(LLVMGetUser(u)) == LLVMLoad) follow(w, LLVMGetUser(u));
        break;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        w->write = w->read = true;
        note_size(
            w, LLVMTypeOf(LLVMGetOperand(i, LLVMGetInstructionOpcode(i) == LLVMAtomicRMW ? 1 : 2)));
        break;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMSelect:
    case LLVMPHI:
    case LLVMFreeze: follow(w, i); break;
    case LLVMICmp: break;
    case LLVMRet: { // to every caller
        LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
        for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u))
            follow(w, LLVMGetUser(u));
        break;
    }
    case LLVMCall: through_call(w, i, v); break;
    default: w->escapes = true;
    }
}

static void run(struct flow *w)
{
    while (w->work.len) {
        LLVMValueRef v = vec_pop(&w->work);
        for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
            through(w, LLVMGetUser(u), v);
    }
}

// Pointers that come out of memory (or integers): written through, they may be any argument that
// escaped.
void lw_arg_access(struct lw_module *m, LLVMValueRef kernel, struct bc_arg *args, unsigned nargs)
{
    for (unsigned k = 0; k < nargs; k++) {
        if (args[k].kind != BC_ARG_BUFFER && args[k].kind != BC_ARG_LOCAL) continue;
        struct flow w = {.m = m};
        follow(&w, LLVMGetParam(kernel, k));
        run(&w);
        args[k].may_write = w.write || w.escapes;
        args[k].may_read = w.read || w.escapes;
        args[k].only_atomics = !w.plain && !w.escapes;
        const unsigned sizes = w.sizes | 8;
        args[k].unit = (uint8_t)(w.escapes ? 0 : sizes & -sizes);
        vec_free(&w.work);
        map_deinit(&w.seen);
    }
}

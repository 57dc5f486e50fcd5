// SPDX-License-Identifier: MIT
// Strings and memory objects of a module. Each alloca, global variable and struct passed by value
// is a bc_object, numbered when it is first used.
#include "lower/lw.h"

#include <string.h>

uint32_t lw_intern(struct lw_module *m, const char *s)
{
    if (!s) s = "";
    size_t n = strlen(s);
    for (uint64_t seed = 0;; seed++) { // another seed where two texts share a hash
        bool is_new;
        uint64_t *at = map_put(&m->string_of, hash_bytes(s, n, seed), &is_new);
        if (is_new) {
            vec_push(&m->strings, arena_strdup(m->arena, s));
            *at = m->strings.len;
        }
        if (!strcmp(m->strings.data[*at - 1], s)) return (uint32_t)*at - 1;
    }
}

lw_reg lw_object_pointer(struct lw_fn *f, uint32_t object, int64_t offset)
{
    return lw_const(f, BC_PTR(object + 1, offset));
}

struct pointer {
    uint64_t offset;
    LLVMValueRef target;
    int64_t addend;
};
struct pointers {
    VEC(struct pointer) list;
};

static void add_pointer(void *context, uint64_t offset, LLVMValueRef target, int64_t addend)
{
    struct pointers *p = context;
    vec_push(&p->list, (struct pointer){offset, target, addend});
}

// Bytes and relocations of an initializer. The targets get their objects (and relocations) first,
// so that those of one object stand together.
static void fill(struct lw_module *m, LLVMValueRef v, LLVMValueRef init, uint8_t *bytes,
                 struct bc_object *o)
{
    struct pointers p = {{0}};
    struct err *e = l_const_bytes(m->llvm, init, bytes, add_pointer, &p);
    if (e && !m->error) m->error = err_wrap(e, "initializer of '%s'", l_name(v));
    else err_free(e);
    for (size_t k = 0; k < p.list.len; k++) lw_object(m, p.list.data[k].target);
    o->first_reloc = (uint32_t)m->relocs.len;
    o->nrelocs = (uint32_t)p.list.len;
    for (size_t k = 0; k < p.list.len; k++) {
        struct pointer *x = &p.list.data[k];
        vec_push(&m->relocs,
                 ((struct bc_reloc){
                     .offset = x->offset, .target = lw_object(m, x->target), .addend = x->addend}));
    }
    vec_free(&p.list);
}

// The function a local variable is declared in: the kernel that names it.
static uint32_t user_of(struct lw_module *m, LLVMValueRef v, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth < 16; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) {
            uint32_t fn = user_of(m, i, depth + 1);
            if (fn != BC_NONE) return fn;
            continue;
        }
        uint64_t *at = map_get_ptr(&m->fn_of, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
        if (at) return (uint32_t)*at - 1;
    }
    return BC_NONE;
}

bool lw_is_byval(LLVMValueRef fn, unsigned param)
{
    return LLVMGetEnumAttributeAtIndex(fn, param + 1,
                                       LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
}

static LLVMTypeRef object_type(LLVMValueRef v)
{
    if (LLVMIsAAllocaInst(v)) return LLVMGetAllocatedType(v);
    if (LLVMIsAGlobalVariable(v)) return LLVMGlobalGetValueType(v);
    LLVMValueRef fn = LLVMGetParamParent(v);
    for (unsigned k = 0; k < LLVMCountParams(fn); k++)
        if (LLVMGetParam(fn, k) == v)
            return LLVMGetTypeAttributeValue(LLVMGetEnumAttributeAtIndex(
                fn, k + 1, LLVMGetEnumAttributeKindForName("byval", 5)));
    return NULL;
}

uint32_t lw_object(struct lw_module *m, LLVMValueRef v)
{
    bool is_new;
    const bool is_shared = LLVMIsAGlobalVariable(v) &&
                           LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != 3;
    uint64_t *at = map_put_ptr(m->in_forms && !is_shared ? &m->own_of : &m->object_of, v, &is_new);
    if (!is_new) return (uint32_t)*at - 1;
    vec_push(&m->objects, (struct bc_object){0});
    uint32_t index = (uint32_t)m->objects.len - 1;
    *at = m->objects.len;

    LLVMTypeRef t = object_type(v);
    struct bc_object o = {.size = l_object_size(m->llvm, t), .align = l_align(m->llvm, t)};
    struct fe_variable var = {0};
    if (fe_debug_variable(m->debug, v, &var) || fe_debug_returned(m->debug, v, &var)) {
        o.name = lw_intern(m, var.name);
        o.type = lw_intern(m, var.type);
        o.loc = var.loc;
    }
    o.fn = BC_NONE;
    if (!LLVMIsAGlobalVariable(v)) {
        LLVMValueRef fn = LLVMIsAArgument(v) ? LLVMGetParamParent(v)
                                             : LLVMGetBasicBlockParent(LLVMGetInstructionParent(v));
        o.kind = BC_OBJ_PRIVATE;
        o.is_param = LLVMIsAArgument(v) != NULL;
        o.fn = (uint32_t)*map_get_ptr(&m->fn_of, fn) - 1;
        if (LLVMIsAAllocaInst(v) && LLVMGetAlignment(v) > o.align) o.align = LLVMGetAlignment(v);
        if (LLVMIsAAllocaInst(v)) {
            LLVMValueRef count = LLVMGetOperand(v, 0);
            uint64_t n = LLVMIsConstant(count) ? LLVMConstIntGetZExtValue(count) : 0;
            if (!n)
                lw_error_at(m, o.loc ? o.loc : fe_debug_insn(m->debug, v),
                            LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)),
                            "an array whose size is not constant; OpenCL C has none");
            if (__builtin_mul_overflow(o.size, n, &o.size)) o.size = BC_MAX_OBJECT;
        }
    } else {
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
        if (LLVMGetAlignment(v) > o.align) o.align = LLVMGetAlignment(v);
        o.kind = space == 3                              ? BC_OBJ_LOCAL
                 : space == 2 || LLVMIsGlobalConstant(v) ? BC_OBJ_CONSTANT
                                                         : BC_OBJ_PROGRAM;
        LLVMValueRef init = LLVMGetInitializer(v);
        if (o.kind == BC_OBJ_LOCAL) {
            o.fn = user_of(m, v, 0);
        } else if (init && !LLVMIsNull(init) && !l_is_undef(init) && o.size) {
            uint8_t *bytes = arena_alloc(m->arena, o.size);
            o.init = bytes;
            fill(m, v, init, bytes, &o);
        }
        if (!init && o.kind != BC_OBJ_LOCAL)
            lw_error_at(m, o.loc, NULL, "variable '%s' is declared but nowhere defined", l_name(v));
    }
    if (o.size >= BC_MAX_OBJECT)
        lw_error_at(m, o.loc, NULL, "variable '%s' is larger than any memory",
                    var.name ? var.name : l_name(v));
    m->objects.data[index] = o;
    return index;
}

void lw_globals(struct lw_module *m)
{
    VEC(LLVMValueRef) order = {0};
    l_each_global(m->llvm, g) {
        if (LLVMGetLinkage(g) == LLVMAppendingLinkage || !strncmp(l_name(g), "llvm.", 5)) continue;
        if (!LLVMGetFirstUse(g) && LLVMGetLinkage(g) != LLVMExternalLinkage) continue;
        vec_push(&order, g);
    }
    for (size_t k = 0; k < order.len; k++) lw_object(m, order.data[k]);
    vec_free(&order);
}

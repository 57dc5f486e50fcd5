// SPDX-License-Identifier: MIT
// Calls of builtins: looks up the function, checks the call against its mangled name, and expands
// it.
#include "lower/builtin.h"

#include <string.h>

typedef void handler(struct lw_bi *b);
static handler *const handlers[BI_COUNT] = {
#define EXPAND(n, a, h) [BI_##n] = lw_bi_##h,
#define FAMILY(n, a, h) [BI_##n] = lw_bi_##h,
#include "builtins/builtins.def"
};

static void op_row(struct lw_bi *b)
{
    const struct bi_row *r = b->c->row;
    const struct bi_type *t = &b->c->gen;
    const unsigned size = bi_scalar_size(t->scalar);
    const uint16_t base = bi_is_float(t->scalar) ? r->f : bi_is_signed(t->scalar) ? r->s : r->u;
    if (base == BI_NO_OP) {
        lw_error(b->f, b->inst, "'%s' does not exist for such arguments", r->name);
        return;
    }
    const enum bc_op op = bi_is_float(t->scalar) ? base + (size == 8)
                                                 : LW_INT(ADD, size) - BC_ADD_I8 + base;
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg a[3] = {BC_NONE, BC_NONE, BC_NONE};
        for (unsigned k = 0; k < b->nargs && k < 3; k++) a[k] = lw_bi_arg(b, k, i);
        b->out[i] = lw_op(b->f, op, a[0], a[1], a[2]);
    }
}

// MATH and MATHP: a call over lanes for each component; a second result is stored through the last
// argument.
static void math_row(struct lw_bi *b)
{
    const unsigned fn = b->c->row->fn + (b->c->gen.scalar == BI_DOUBLE);
    const struct bi_lane *l = &bi_lane_fns[fn];
    uint8_t size[BI_MAX_LANE_DST];
    lw_reg second[16];
    for (unsigned k = 0; k < l->ndst; k++) size[k] = (uint8_t)bc_type_size(bi_lane_type(l, k));
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg src[BI_MAX_LANE_SRC], dst[BI_MAX_LANE_DST];
        for (unsigned k = 0; k < l->nsrc; k++) src[k] = lw_bi_arg(b, k, i);
        lw_lane(b->f, fn, src, dst);
        b->out[i] = dst[0];
        second[i] = dst[l->ndst - 1];
    }
    if (l->ndst == 1) return;
    struct lw_access how = {.elem = size[1],
                            .ncomp = (uint8_t)b->n,
                            .is_float = bi_lane_type(l, 1) >= BC_F32,
                            .align = bi_stride(&b->c->arg[b->nargs - 1])};
    lw_store(b->f, lw_address(b->f, LLVMGetOperand(b->inst, b->nargs - 1)), how, second);
}

// Does the call match the types in the mangled name? A module of another compiler may differ.
static bool agrees(struct lw_bi *b)
{
    if (b->c->nargs == 0 && (b->c->id == BI_printf || b->c->row->name[0] == '_'))
        return b->nargs >= 1;
    if (b->nargs != b->c->nargs) return false;
    if (b->c->row->kind <= BI_MATHP && b->n != b->c->gen.width) return false;
    for (unsigned k = 0; k < b->nargs; k++) {
        const struct bi_type *t = &b->c->arg[k];
        const struct lw_leaf *leaf;
        unsigned n = lw_leaves(b->f, LLVMTypeOf(LLVMGetOperand(b->inst, k)), &leaf);
        const bool number = t->scalar == BI_SAMPLER && n == 1 &&
                            leaf->size == 4; // a sampler in SPIR 1.2
        if (number) continue;
        if (t->pointers ? n != 1 || !leaf->is_pointer
                        : n != t->width || leaf->size != bi_scalar_size(t->scalar) ||
                              leaf->is_float != bi_is_float(t->scalar))
            return false;
    }
    return b->n <= 16 && b->c->gen.width <= 16;
}

static void expand(struct lw_bi *b)
{
    switch (b->c->row->kind) {
    case BI_OP: op_row(b); break;
    case BI_MATH:
    case BI_MATHP: math_row(b); break;
    case BI_EXPAND:
    case BI_FAMILY: handlers[b->c->id](b); break;
    default: lw_error(b->f, b->inst, "'%s' does not exist for such arguments", b->c->row->name);
    }
}

bool lw_builtin(struct lw_fn *f, LLVMValueRef call)
{
    size_t len;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &len);
    struct bi_call c;
    const struct lw_leaf *leaf;
    struct lw_bi b = {.f = f, .inst = call, .c = &c, .nargs = LLVMGetNumArgOperands(call)};
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        b.n = lw_leaves(f, LLVMTypeOf(call), &leaf);
        if (b.n > 16) return false;
        b.size = leaf->size;
    }
    for (unsigned i = 0; i < 16; i++) b.out[i] = lw_const(f, 0);
    if (!strncmp(name, "llvm.", 5)) {
        if (!lw_bi_intrinsic(&b, name + 5)) return false;
    } else if (bi_lookup(name, &c) && agrees(&b)) {
        expand(&b);
    } else {
        return false;
    }
    if (b.n) lw_result(f, call, b.out, b.n);
    return true;
}

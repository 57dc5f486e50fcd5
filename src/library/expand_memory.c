// SPDX-License-Identifier: MIT
// vload, vstore and their forms for half as loads and stores. The vectors are aligned as a
// component; those of vloada_half and vstorea_half as a whole. Vectors of 3 components occupy 3
// components in memory, those of vloada_half and vstorea_half 4.
#include "library/expansions.h"

/** The address of a call's vector, `offset` vectors after `pointer`; its alignment in bytes. */
static LLVMValueRef place(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c, bool store,
                          unsigned *align)
{
    LLVMValueRef offset = LLVMGetOperand(call, store), pointer = LLVMGetOperand(call, store + 1);
    const bool whole = c->id == BI_vloada_half || c->id == BI_vstorea_half;
    const unsigned n = whole && c->to.width == 3 ? 4 : c->to.width;
    const struct bi_type *t = &c->arg[store + 1];
    LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(pointer));
    *align = bi_scalar_size(t->scalar) * (whole ? n : 1);
    LLVMTypeRef elem = LLVMIntTypeInContext(ctx, bi_scalar_size(t->scalar) * 8);
    return LLVMBuildInBoundsGEP2(b, n > 1 ? LLVMArrayType2(elem, n) : elem, pointer, &offset, 1,
                                 "");
}

static bool is_of_half(const struct bi_call *c) { return c->id != BI_vload && c->id != BI_vstore; }

/** The value has the components that the call's name says. */
static bool agrees(LLVMTypeRef t, const struct bi_call *c, const struct bi_type *pointer)
{
    const LLVMTypeKind vector = LLVMGetTypeKind(t);
    LLVMTypeRef elem = vector == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
    if (lib_width(t) != c->to.width) return false;
    switch (LLVMGetTypeKind(elem)) {
    case LLVMHalfTypeKind: return !is_of_half(c) && pointer->scalar == BI_HALF;
    case LLVMFloatTypeKind: return is_of_half(c) || pointer->scalar == BI_FLOAT;
    case LLVMDoubleTypeKind: return is_of_half(c) || pointer->scalar == BI_DOUBLE;
    case LLVMIntegerTypeKind:
        return !is_of_half(c) && !bi_is_float(pointer->scalar) &&
               LLVMGetIntTypeWidth(elem) == bi_scalar_size(pointer->scalar) * 8;
    default: return false;
    }
}

LLVMValueRef lib_vload(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c)
{
    LLVMTypeRef t = LLVMTypeOf(call), in_memory = t;
    unsigned align;
    if (!agrees(t, c, &c->arg[1])) return NULL;
    if (is_of_half(c)) in_memory = lib_with(t, LLVMHalfTypeInContext(LLVMGetTypeContext(t)));
    LLVMValueRef p = place(b, call, c, false, &align), v = LLVMBuildLoad2(b, in_memory, p, "");
    LLVMSetAlignment(v, align);
    LLVMSetVolatile(v, c->arg[1].is_volatile);
    return in_memory == t ? v : LLVMBuildFPExt(b, v, t, "");
}

LLVMValueRef lib_vstore(LLVMBuilderRef b, LLVMValueRef call, const struct bi_call *c)
{
    LLVMValueRef v = LLVMGetOperand(call, 0);
    unsigned align;
    if (!agrees(LLVMTypeOf(v), c, &c->arg[2])) return NULL;
    if (is_of_half(c)) {
        struct bi_call how = *c;
        how.to = (struct bi_type){.scalar = BI_HALF, .width = c->to.width};
        v = lib_converted(b, LLVMGetGlobalParent(LLVMGetCalledValue(call)), v, &how);
    }
    v = LLVMBuildStore(b, v, place(b, call, c, true, &align));
    LLVMSetAlignment(v, align);
    LLVMSetVolatile(v, c->arg[2].is_volatile);
    return v;
}

// SPDX-License-Identifier: MIT
// The scalars that a value of an LLVM type is made of: vectors, arrays and structs in registers are
// scalarized, one register a scalar (struct lw_leaf).
#include "lower/lw.h"

enum { WIDEST = 16384 }; // scalars of one value: no compiler makes such, and each is a register

/**
 * How many scalars a value of type t is made of; more than WIDEST where it is too many or there are
 * none such.
 */
static uint64_t scalars(LLVMTypeRef t)
{
    const uint64_t none = WIDEST + 1;
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: {
        unsigned w = LLVMGetIntTypeWidth(t);
        return w == 1 || w == 8 || w == 16 || w == 32 || w == 64 ? 1 : none;
    }
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(t) <= 16 ? LLVMGetVectorSize(t) * scalars(LLVMGetElementType(t))
                                          : none;
    case LLVMArrayTypeKind: {
        const uint64_t n = LLVMGetArrayLength2(t), each = scalars(LLVMGetElementType(t));
        return !each || n <= WIDEST ? n * each : none; // (each is small, too)
    }
    case LLVMStructTypeKind: {
        uint64_t n = 0;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t) && n <= WIDEST; i++)
            n += scalars(LLVMStructGetTypeAtIndex(t, i));
        return n;
    }
    case LLVMTargetExtTypeKind: // event_t, clk_event_t and other opaque types are numbers
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return 1;
    case LLVMVoidTypeKind: return 0;
    default: return none;
    }
}

bool lw_type_ok(LLVMTypeRef t) { return scalars(t) <= WIDEST; }

bool lw_need_type(struct lw_fn *f, LLVMValueRef inst, LLVMTypeRef t)
{
    if (lw_type_ok(t)) return true;
    char *text = LLVMPrintTypeToString(t);
    lw_error(f, inst, "values of type %s are not supported", text);
    LLVMDisposeMessage(text);
    return false;
}

static void count_leaves(struct lw_module *m, LLVMTypeRef t, uint64_t offset, void *list)
{
    VEC(struct lw_leaf) *out = list;
    struct lw_leaf l = {.offset = offset};
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: {
        unsigned bits = LLVMGetIntTypeWidth(t);
        l.bits = (uint8_t)bits;
        l.size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
        break;
    }
    case LLVMHalfTypeKind: l.size = 2, l.bits = 16, l.is_float = true; break;
    case LLVMFloatTypeKind: l.size = 4, l.bits = 32, l.is_float = true; break;
    case LLVMDoubleTypeKind: l.size = 8, l.bits = 64, l.is_float = true; break;
    case LLVMPointerTypeKind: l.is_pointer = true; l.has_owner = rg_has_owner(t); // fall through
    case LLVMTargetExtTypeKind: l.size = 8, l.bits = 64; break;
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: {
        LLVMTypeRef e = LLVMGetElementType(t);
        bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
        uint64_t n = vector ? LLVMGetVectorSize(t) : LLVMGetArrayLength2(t),
                 step = vector ? l_store_size(m->llvm, e) : l_size(m->llvm, e);
        for (uint64_t i = 0; i < n; i++) count_leaves(m, e, offset + i * step, list);
        return;
    }
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            count_leaves(m, LLVMStructGetTypeAtIndex(t, i), offset + l_field_offset(m->llvm, t, i),
                         list);
        return;
    default: return;
    }
    vec_push(out, l);
}

unsigned lw_leaves(struct lw_fn *f, LLVMTypeRef t, const struct lw_leaf **leaves)
{
    VEC(struct lw_leaf) out = {0};
    count_leaves(f->m, t, 0, &out);
    if (leaves) *leaves = arena_dup(&f->arena, out.data, out.len * sizeof *out.data);
    unsigned n = (unsigned)out.len;
    vec_free(&out);
    return n;
}

unsigned lw_count(struct lw_fn *f, LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind: return 0;
    case LLVMVectorTypeKind: return LLVMGetVectorSize(t);
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind: return lw_leaves(f, t, NULL);
    default: return 1;
    }
}

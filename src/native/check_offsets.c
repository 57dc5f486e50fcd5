// SPDX-License-Identifier: MIT
// Where a pointer points to: the object, and the offset in it as a value of the program. A pointer
// that a loop advances, or that a branch chooses within one object, has a phi or a select as its
// offset.
#include "native/checks.h"

enum { MOST_FACTOR = 128 };
static const uint64_t FAR = 1ull << 62; // an offset that no object has

static bool passes_on(LLVMValueRef p)
{
    switch (LLVMGetInstructionOpcode(p)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: return LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind;
    default: return false;
    }
}

struct search {
    LLVMModuleRef m;
    struct map seen;
    LLVMValueRef base;
    bool fails;
};

static void find_base(struct search *s, LLVMValueRef p)
{
    bool is_new;
    map_put_ptr(&s->seen, p, &is_new);
    if (!is_new || s->fails) return;
    if (LLVMIsAArgument(p) || LLVMIsAGlobalVariable(p) ||
        (LLVMIsAAllocaInst(p) && LLVMIsAConstantInt(LLVMGetOperand(p, 0)))) {
        s->fails = s->base && s->base != p;
        s->base = p;
    } else if (LLVMIsAPHINode(p)) {
        for (unsigned k = 0; k < LLVMCountIncoming(p); k++)
            find_base(s, LLVMGetIncomingValue(p, k));
    } else if (LLVMIsASelectInst(p)) {
        find_base(s, LLVMGetOperand(p, 1));
        find_base(s, LLVMGetOperand(p, 2));
    } else if (LLVMIsAConstantExpr(p)) {
        LLVMValueRef g;
        int64_t at;
        if (!l_const_address(s->m, p, &g, &at)) s->fails = true;
        else find_base(s, g);
    } else if (LLVMIsAInstruction(p) && passes_on(p)) {
        find_base(s, LLVMGetOperand(p, 0));
    } else {
        s->fails = true;
    }
}

LLVMValueRef nat_base_of(struct nat_checking *x, LLVMValueRef p)
{
    uint64_t *known = map_get_ptr(&x->bases, p);
    if (known) return (LLVMValueRef)(uintptr_t)*known;
    struct search s = {.m = x->m};
    find_base(&s, p);
    map_deinit(&s.seen);
    LLVMValueRef r = s.fails ? NULL : s.base;
    *map_put_ptr(&x->bases, p, NULL) = (uintptr_t)r;
    return r;
}

static uint64_t lowest_bit(uint64_t v) { return v ? v & -v : MOST_FACTOR; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

struct sum {
    LLVMValueRef value;
    uint64_t factor;
};

static void add(struct nat_checking *x, struct sum *s, LLVMValueRef v, uint64_t factor)
{
    s->value = s->value ? LLVMBuildAdd(x->b, s->value, v, "") : v;
    s->factor = least(s->factor, factor);
}

/** Whether an index is far below 2^40, so that its offset does not wrap around. */
static bool is_small(LLVMValueRef v, unsigned depth)
{
    if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 32) return true;
    const int64_t most = 1ll << 40;
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetSExtValue(v) < most && LLVMConstIntGetSExtValue(v) > -most;
    if (!LLVMIsAInstruction(v) || depth > 4) return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt: return is_small(LLVMGetOperand(v, 0), depth + 1);
    case LLVMAdd:
    case LLVMSub:
        return is_small(LLVMGetOperand(v, 0), depth + 1) &&
               is_small(LLVMGetOperand(v, 1), depth + 1);
    case LLVMCall: {
        char name[64];
        rg_callee_base_name(v, name, sizeof name);
        return !strncmp(name, "get_", 4) && l_callee(v) && LLVMIsDeclaration(l_callee(v));
    }
    default: return false;
    }
}

/** The offset of an index of 64 bits. If it wrapped around, it is one that no object has. */
static LLVMValueRef scaled(struct nat_checking *x, LLVMValueRef index, uint64_t scale)
{
    LLVMValueRef product = LLVMBuildMul(x->b, index, nat_k(x, scale), "");
    if (is_small(index, 0)) return product;
    const uint64_t most = (1ull << 58) / (scale ? scale : 1);
    LLVMValueRef fits = LLVMBuildICmp(
        x->b, LLVMIntULE, LLVMBuildAdd(x->b, index, nat_k(x, most), ""), nat_k(x, 2 * most), "");
    return LLVMBuildSelect(x->b, fits, product, nat_k(x, FAR), "");
}

/** What a GEP adds; the builder is positioned before it. */
static void add_gep(struct nat_checking *x, struct sum *s, LLVMValueRef p)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
    for (int i = 1; i < LLVMGetNumOperands(p); i++) {
        LLVMValueRef index = LLVMGetOperand(p, (unsigned)i);
        uint64_t scale;
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            const uint64_t at = l_field_offset(x->m, t, field);
            add(x, s, nat_k(x, at), lowest_bit(at));
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        scale = l_size(x->m, t);
        if (LLVMIsAConstantInt(index)) {
            const uint64_t at = is_small(index, 0) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64
                                    ? (uint64_t)LLVMConstIntGetSExtValue(index) * scale
                                    : FAR;
            if (at) add(x, s, nat_k(x, at), lowest_bit(at));
            continue;
        }
        const bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(index)) == 64;
        LLVMValueRef wide = LLVMBuildIntCast2(x->b, index, x->i64, true, "");
        add(x, s, is_wide ? scaled(x, wide, scale) : LLVMBuildMul(x->b, wide, nat_k(x, scale), ""),
            lowest_bit(scale));
    }
}

static LLVMValueRef of_phi(struct nat_checking *x, LLVMValueRef p, uint64_t *factor)
{
    LLVMPositionBuilderBefore(x->b, p);
    LLVMValueRef phi = LLVMBuildPhi(x->b, x->i64, "");
    *map_put_ptr(&x->offsets, p, NULL) = (uintptr_t)phi;
    *map_put_ptr(&x->factors, p, NULL) = 1; // within the loop, nothing is known
    *factor = 1;
    for (unsigned k = 0; k < LLVMCountIncoming(p); k++) {
        uint64_t f;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(p, k);
        LLVMValueRef v = nat_offset_of(x, LLVMGetIncomingValue(p, k), &f);
        LLVMAddIncoming(phi, &v, &from, 1);
    }
    return phi;
}

static LLVMValueRef of_instruction(struct nat_checking *x, LLVMValueRef p, uint64_t *factor)
{
    if (LLVMIsAPHINode(p)) return of_phi(x, p, factor);
    if (LLVMIsASelectInst(p)) {
        uint64_t other;
        LLVMValueRef a = nat_offset_of(x, LLVMGetOperand(p, 1), factor),
                     b = nat_offset_of(x, LLVMGetOperand(p, 2), &other);
        *factor = least(*factor, other);
        LLVMPositionBuilderBefore(x->b, p);
        return LLVMBuildSelect(x->b, LLVMGetOperand(p, 0), a, b, "");
    }
    struct sum s = {.factor = MOST_FACTOR};
    LLVMValueRef from = nat_offset_of(x, LLVMGetOperand(p, 0), &s.factor);
    LLVMPositionBuilderBefore(x->b, p);
    if (!LLVMIsAConstantInt(from) || LLVMConstIntGetZExtValue(from)) s.value = from;
    if (LLVMIsAGetElementPtrInst(p)) add_gep(x, &s, p);
    *factor = s.factor;
    return s.value ? s.value : nat_k(x, 0);
}

LLVMValueRef nat_offset_of(struct nat_checking *x, LLVMValueRef p, uint64_t *factor)
{
    *factor = MOST_FACTOR;
    if (LLVMIsAConstantExpr(p)) {
        LLVMValueRef g;
        int64_t at = 0;
        l_const_address(x->m, p, &g, &at);
        *factor = lowest_bit((uint64_t)at);
        return nat_k(x, (uint64_t)at);
    }
    if (!LLVMIsAInstruction(p) || LLVMIsAAllocaInst(p)) return nat_k(x, 0);
    uint64_t *known = map_get_ptr(&x->offsets, p);
    if (known) {
        *factor = *map_get_ptr(&x->factors, p);
        return (LLVMValueRef)(uintptr_t)*known;
    }
    LLVMValueRef r = of_instruction(x, p, factor);
    *map_put_ptr(&x->offsets, p, NULL) = (uintptr_t)r;
    *map_put_ptr(&x->factors, p, NULL) = *factor;
    return r;
}

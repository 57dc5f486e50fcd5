// SPDX-License-Identifier: MIT
// Addresses and accesses.
//
// An address keeps its base pointer apart from one index, since the base is nearly always uniform
// and the engine then checks and resolves the object once for the whole gang. Further uniform
// indices go into the base, further varying ones are combined with the index.
//
// Clang writes `p[i].x = v` as a load of the whole vector, an insertelement and a store of the
// whole vector, and reads `p[i].y` by loading the whole. Here only the components that are wanted
// are loaded, and only those that were changed are stored: the rest is not an access of the
// program.
#include "lower/lw.h"

#include <string.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static lw_reg widen(struct lw_fn *f, lw_reg r, enum bc_index_kind kind)
{
    return kind == BC_IDX_S32 ? lw_sext(f, r, 4, 8) : kind == BC_IDX_U32 ? lw_zext(f, r, 4, 8) : r;
}

static lw_reg times(struct lw_fn *f, lw_reg r, int64_t k)
{
    return k == 1 ? r : lw_op(f, BC_MUL_I64, r, lw_const(f, (uint64_t)k), BC_NONE);
}

uint32_t lw_site(struct lw_fn *f, struct lw_addr a, struct lw_access how, enum bc_access_kind kind)
{
    struct bc_mem s = {.kind = (uint8_t)kind,
                       .elem = how.elem,
                       .ncomp = how.ncomp,
                       .space = a.space,
                       .index_kind = a.index == BC_NONE ? BC_IDX_NONE : a.index_kind,
                       .is_float = how.is_float,
                       .is_volatile = how.is_volatile,
                       .align = how.align ? how.align : 1,
                       .scale = a.index == BC_NONE ? 0 : a.scale,
                       .disp = a.disp,
                       .loc = f->loc,
                       .fn = f->index,
                       .pointer = a.pointer};
    vec_push(&f->m->sites, s);
    return (uint32_t)f->m->sites.len - 1;
}

lw_reg lw_addr_reg(struct lw_fn *f, struct lw_addr a)
{
    if (a.index == BC_NONE && !a.disp) return a.base;
    lw_reg d = lw_temp(f, 8, lw_is_varying(a.base) || lw_is_varying(a.index));
    uint32_t site = lw_site(f, a, (struct lw_access){.elem = 1, .ncomp = 1}, BC_LEA_ONLY);
    lw_emit(f, (struct bc_insn){
                   .op = BC_LEA, .dst = d, .a = a.base, .b = a.index, .c = BC_NONE, .site = site});
    return d;
}

struct lw_addr lw_addr_plain(struct lw_fn *f, struct lw_addr a)
{
    return (struct lw_addr){.base = lw_addr_reg(f, a),
                            .index = BC_NONE,
                            .index_kind = BC_IDX_NONE,
                            .space = a.space,
                            .pointer = a.pointer};
}

struct lw_addr lw_addr_add(struct lw_fn *f, struct lw_addr a, lw_reg r, enum bc_index_kind kind,
                           int64_t scale)
{
    uint64_t bits;
    if (lw_is_const(f, r, &bits)) {
        int64_t x = kind == BC_IDX_S32   ? (int32_t)bits
                    : kind == BC_IDX_U32 ? (int64_t)(uint32_t)bits
                                         : (int64_t)bits,
                step;
        if (!__builtin_mul_overflow(x, scale, &step) &&
            !__builtin_add_overflow(a.disp, step, &step)) {
            a.disp = step;
            return a;
        }
    }
    if (a.index == BC_NONE) {
        a.index = r;
        a.index_kind = (uint8_t)kind;
        a.scale = scale;
        return a;
    }
    bool old_varies = lw_is_varying(a.index), new_varies = lw_is_varying(r);
    if (!lw_is_varying(a.base) && old_varies && !new_varies) {
        a.base = lw_addr_reg(
            f, (struct lw_addr){a.base, r, (uint8_t)kind, a.space, scale, 0, a.pointer});
        return a;
    }
    if (lw_is_varying(a.base) || !old_varies) {
        a.base = lw_addr_reg(
            f, (struct lw_addr){a.base, a.index, a.index_kind, a.space, a.scale, 0, a.pointer});
        a.index = r;
        a.index_kind = (uint8_t)kind;
        a.scale = scale;
        return a;
    }
    int64_t g = (int64_t)gcd((uint64_t)(a.scale < 0 ? -a.scale : a.scale),
                             (uint64_t)(scale < 0 ? -scale : scale));
    if (!g) g = 1;
    lw_reg x = times(f, widen(f, a.index, a.index_kind), a.scale / g),
           y = times(f, widen(f, r, kind), scale / g);
    a.index = lw_op(f, BC_ADD_I64, x, y, BC_NONE);
    a.index_kind = BC_IDX_I64;
    a.scale = g;
    return a;
}

static bool is_lazy(struct lw_fn *f, LLVMValueRef v)
{
    struct lw_val *x = LLVMIsAInstruction(v) ? lw_val(f, v) : NULL;
    return x && x->kind == LW_LAZY;
}

lw_reg lw_index_reg(struct lw_fn *f, LLVMValueRef idx, enum bc_index_kind *kind)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(idx));
    if (is_lazy(f, idx) &&
        (LLVMGetInstructionOpcode(idx) == LLVMSExt || LLVMGetInstructionOpcode(idx) == LLVMZExt)) {
        *kind = LLVMGetInstructionOpcode(idx) == LLVMSExt ? BC_IDX_S32 : BC_IDX_U32;
        return lw_scalar(f, LLVMGetOperand(idx, 0));
    }
    *kind = bits <= 32 ? BC_IDX_S32 : BC_IDX_I64;
    lw_reg r = lw_scalar(f, idx);
    return bits < 32 ? lw_sext(f, r, bits <= 8 ? 1 : 2, 4) : r;
}

struct lw_addr lw_addr_index(struct lw_fn *f, struct lw_addr a, LLVMValueRef idx, int64_t scale)
{
    enum bc_index_kind kind;
    lw_reg r = lw_index_reg(f, idx, &kind);
    return lw_addr_add(f, a, r, kind, scale);
}

// ---- indices of arrays inside objects

// Whether memory is accessed at the address, or at one derived from it: then it is not a pointer
// just past the end of an array.
static bool is_accessed(LLVMValueRef gep, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(gep); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) continue;
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op == LLVMLoad || (op == LLVMStore && LLVMGetOperand(i, 1) == gep)) return true;
        if (op == LLVMGetElementPtr && depth < 8 && is_accessed(i, depth + 1)) return true;
    }
    return false;
}

// Is operand k of the GEP the index into the object itself, whose bounds are checked anyway?
static bool is_object(LLVMValueRef gep, int k)
{
    LLVMValueRef base = LLVMGetOperand(gep, 0);
    if (k != 2) return false;
    if (LLVMIsAGlobalVariable(base))
        return LLVMGlobalGetValueType(base) == LLVMGetGEPSourceElementType(gep);
    return LLVMIsAAllocaInst(base) &&
           LLVMGetAllocatedType(base) == LLVMGetGEPSourceElementType(gep);
}

// An array of at most one element may be the end of a struct of variable length (C before C99).
static void check_index(struct lw_fn *f, LLVMValueRef gep, int k, LLVMTypeRef array, lw_reg base)
{
    uint64_t end = LLVMGetArrayLength2(array), bits;
    LLVMValueRef idx = LLVMGetOperand(gep, (unsigned)k);
    if (end <= 1 || end >= UINT32_MAX || is_object(gep, k)) return;
    if (l_const_bits(idx, &bits) && bits < end) return;
    bool is_new;
    map_put(&f->checked, hash_bytes(&gep, sizeof gep, (uint64_t)k), &is_new);
    if (!is_new) return;
    enum bc_index_kind kind;
    lw_reg r = lw_index_reg(f, idx, &kind);
    lw_emit(f, (struct bc_insn){.op = BC_INDEX,
                                .dst = BC_NONE,
                                .a = r,
                                .b = base,
                                .c = kind,
                                .ext = (uint32_t)end + !is_accessed(gep, 0)});
}

// The address that a GEP computes, from its operands.
struct lw_addr lw_pointer_addr(struct lw_fn *f, LLVMValueRef gep)
{
    LLVMModuleRef m = f->m->llvm;
    struct lw_addr a = lw_address(f, LLVMGetOperand(gep, 0));
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
        LLVMValueRef idx = LLVMGetOperand(gep, (unsigned)k);
        if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(idx);
            a.disp += (int64_t)l_field_offset(m, t, field);
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (k > 1) {
            if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) check_index(f, gep, k, t, a.base);
            t = LLVMGetElementType(t);
        }
        a = lw_addr_index(f, a, idx, (int64_t)l_size(m, t));
    }
    return a;
}

/** The name of the variable that the pointer is read from, or 0. */
static uint32_t variable_of(struct lw_fn *f, LLVMValueRef pointer)
{
    LLVMValueRef at = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    const char *name = at && (LLVMIsAAllocaInst(at) || LLVMIsAGlobalVariable(at))
                           ? fe_debug_variable_name(f->m->debug, at)
                           : NULL;
    return name ? lw_intern(f->m, name) : 0;
}

struct lw_addr lw_address(struct lw_fn *f, LLVMValueRef p)
{
    const unsigned number = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    const uint8_t space = number <= BC_GENERIC ? (uint8_t)number : BC_GENERIC;
    if (number > BC_GENERIC)
        lw_error(f, p, "a pointer to address space %u; OpenCL C has none beyond %u", number,
                 BC_GENERIC);
    if (is_lazy(f, p)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(p);
        struct lw_addr a;
        if (op == LLVMGetElementPtr) a = lw_pointer_addr(f, p);
        else if (op == LLVMAddrSpaceCast || op == LLVMFreeze)
            a = lw_address(f, LLVMGetOperand(p, 0));
        else return (struct lw_addr){lw_scalar(f, p), BC_NONE, BC_IDX_NONE, space, 0, 0, 0};
        a.space = space;
        return a;
    }
    return (struct lw_addr){lw_scalar(f, p), BC_NONE, BC_IDX_NONE, space, 0, 0, variable_of(f, p)};
}

void lw_load(struct lw_fn *f, struct lw_addr a, struct lw_access how, lw_reg *out)
{
    bool varying = lw_is_varying(a.base) || lw_is_varying(a.index) ||
                   ((a.space == BC_PRIVATE || a.space == BC_GENERIC) && !how.uniform) ||
                   (a.space == BC_LOCAL && f->rg->groups_vary);
    for (unsigned i = 0; i < how.ncomp; i++) out[i] = lw_temp(f, how.elem, varying);
    struct bc_insn i = {.op = BC_LOAD,
                        .dst = BC_NONE,
                        .a = a.base,
                        .b = a.index,
                        .c = BC_NONE,
                        .site = lw_site(f, a, how, BC_READ)};
    if (how.ncomp == 1) i.dst = out[0];
    else i.ext = lw_list(f, out, how.ncomp);
    lw_emit(f, i);
}

void lw_store(struct lw_fn *f, struct lw_addr a, struct lw_access how, const lw_reg *values)
{
    struct bc_insn i = {.op = BC_STORE,
                        .dst = BC_NONE,
                        .a = a.base,
                        .b = a.index,
                        .c = BC_NONE,
                        .site = lw_site(f, a, how, BC_WRITE)};
    if (how.ncomp == 1) i.c = values[0];
    else i.ext = lw_list(f, values, how.ncomp);
    lw_emit(f, i);
}

lw_reg lw_atomic(struct lw_fn *f, struct lw_addr a, unsigned bytes, struct lw_atomic how,
                 lw_reg value, lw_reg compare)
{
    const bool suits_half = how.kind != BC_ATOMIC_RMW || how.op == BC_XCHG ||
                            how.op >= BC_ATOMIC_FADD;
    if (bytes < (suits_half ? 2 : 4)) lw_unsupported(f, f->insn); // (as OpenCL C has none)
    uint32_t site = lw_site(
        f, a, (struct lw_access){.elem = (uint8_t)bytes, .ncomp = 1, .align = bytes}, how.kind);
    struct bc_mem *s = &f->m->sites.data[site];
    s->atomic_op = (uint8_t)how.op;
    s->order = (uint8_t)how.order;
    s->failure = (uint8_t)how.failure;
    s->scope = (uint8_t)how.scope;
    lw_reg d = how.kind == BC_ATOMIC_STORE ? BC_NONE : lw_temp(f, bytes, true);
    struct bc_insn i = {
        .op = BC_ATOMIC, .dst = d, .a = a.base, .b = a.index, .c = value, .site = site};
    if (how.op == BC_CMPXCHG && how.kind == BC_ATOMIC_RMW) i.ext = lw_list(f, &compare, 1);
    lw_emit(f, i);
    return d;
}

void lw_copy(struct lw_fn *f, struct lw_addr to, struct lw_addr from, lw_reg bytes,
             uint32_t members)
{
    struct lw_access how = {.elem = 1, .ncomp = 1, .align = 1};
    const struct lw_addr t = lw_addr_plain(f, to), s = lw_addr_plain(f, from);
    uint32_t write = lw_site(f, t, how, BC_WRITE), read = lw_site(f, s, how, BC_READ);
    f->m->sites.data[write].members = members;
    lw_emit(f, (struct bc_insn){.op = BC_COPY,
                                .dst = BC_NONE,
                                .a = t.base,
                                .b = s.base,
                                .c = bytes,
                                .site = write,
                                .ext = read});
}

void lw_set(struct lw_fn *f, struct lw_addr to, lw_reg byte, lw_reg bytes)
{
    const struct lw_addr t = lw_addr_plain(f, to);
    uint32_t site = lw_site(f, t, (struct lw_access){.elem = 1, .ncomp = 1, .align = 1}, BC_WRITE);
    lw_emit(f, (struct bc_insn){
                   .op = BC_SET, .dst = BC_NONE, .a = t.base, .b = byte, .c = bytes, .site = site});
}

// ---- loads and stores of vectors by component

static bool writes_memory(struct lw_fn *f, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore: return rg_web_of(f->rg, i) < 0;
    case LLVMCall: return !l_is_debug(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: return true;
    default: return false;
    }
}

// The load of `pointer` that component i of v comes from unchanged, as the same component, NULL
// when it does not.
static LLVMValueRef origin(LLVMValueRef v, unsigned i, LLVMValueRef pointer)
{
    unsigned at = i, to;
    for (;;) {
        if (!LLVMIsAInstruction(v)) return NULL;
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMInsertElement:
            if (!lw_element(v, &to) || to == at) return NULL;
            v = LLVMGetOperand(v, 0);
            break;
        case LLVMShuffleVector: {
            int k = LLVMGetMaskValue(v, at);
            int n = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
            if (k < 0) return NULL;
            v = LLVMGetOperand(v, k < n ? 0 : 1);
            at = (unsigned)(k < n ? k : k - n);
            break;
        }
        case LLVMLoad:
            return at == i && LLVMGetOperand(v, 0) == pointer && !LLVMGetVolatile(v) ? v : NULL;
        default: return NULL;
        }
    }
}

// Whether component i of what the store stores is nothing that the program writes.
static bool unchanged(struct lw_fn *f, LLVMValueRef store, unsigned i)
{
    LLVMValueRef v = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) == LLVMLoad) return false;
    LLVMValueRef load = origin(v, i, p);
    if (!load || LLVMGetInstructionParent(load) != LLVMGetInstructionParent(store)) return false;
    for (LLVMValueRef x = LLVMGetNextInstruction(load); x != store; x = LLVMGetNextInstruction(x))
        if (!x || writes_memory(f, x)) return false;
    return true;
}

static bool undefined(LLVMValueRef v, unsigned i)
{
    unsigned to;
    for (;;) {
        if (l_is_undef(v)) return true;
        if (!LLVMIsAInstruction(v)) {
            LLVMValueRef e = LLVMIsConstant(v) && !LLVMIsAConstantExpr(v) && !LLVMIsNull(v)
                                 ? LLVMGetAggregateElement(v, i)
                                 : NULL;
            return e && l_is_undef(e);
        }
        if (LLVMGetInstructionOpcode(v) == LLVMInsertElement) {
            if (!lw_element(v, &to) || to == i) return false;
            v = LLVMGetOperand(v, 0);
        } else if (LLVMGetInstructionOpcode(v) == LLVMShuffleVector) {
            int k = LLVMGetMaskValue(v, i),
                n = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
            if (k < 0) return true;
            v = LLVMGetOperand(v, k < n ? 0 : 1);
            i = (unsigned)(k < n ? k : k - n);
        } else {
            return false;
        }
    }
}

static uint32_t wanted(struct lw_fn *f, LLVMValueRef v, unsigned depth);

static uint32_t wanted_of_shuffle(struct lw_fn *f, LLVMValueRef v, LLVMValueRef shuffle,
                                  unsigned depth)
{
    const uint32_t out = wanted(f, shuffle, depth);
    const int n = (int)LLVMGetVectorSize(LLVMTypeOf(v));
    uint32_t bits = 0;
    for (unsigned k = 0; k < LLVMGetNumMaskElements(shuffle) && k < 32; k++) {
        const int e = LLVMGetMaskValue(shuffle, k);
        if (e < 0 || !(out >> k & 1)) continue;
        if (LLVMGetOperand(shuffle, 0) == v && e < n) bits |= 1u << e;
        if (LLVMGetOperand(shuffle, 1) == v && e >= n) bits |= 1u << (e - n);
    }
    return bits;
}

// Components of vector v that are used, as bits.
static uint32_t wanted(struct lw_fn *f, LLVMValueRef v, unsigned depth)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)), at;
    uint32_t all = n >= 32 ? ~0u : (1u << n) - 1, bits = 0;
    if (depth > 20) return all;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMExtractElement:
            if (!lw_element(i, &at)) return all;
            bits |= 1u << (at & 31);
            break;
        case LLVMInsertElement:
            if (LLVMGetOperand(i, 0) != v || !lw_element(i, &at)) return all;
            bits |= wanted(f, i, depth + 1) & ~(1u << (at & 31));
            break;
        case LLVMShuffleVector: bits |= wanted_of_shuffle(f, v, i, depth + 1); break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) != v || rg_web_of(f->rg, i) >= 0) return all;
            for (unsigned k = 0; k < n; k++)
                if (!unchanged(f, i, k)) bits |= 1u << k;
            break;
        default: return all;
        }
    }
    return bits & all;
}

/** From memory: pointers lose the signature of their owner. */
static void authenticate(struct lw_fn *f, LLVMValueRef load, const struct lw_leaf *leaf, lw_reg *r,
                         unsigned n)
{
    if (!rg_is_signed_there(f->rg, LLVMTypeOf(load), LLVMGetOperand(load, 0))) return;
    for (unsigned i = 0; i < n; i++)
        if (leaf[i].has_owner) r[i] = lw_authenticate(f, LLVMTypeOf(load), r[i]);
}

void lw_load_insn(struct lw_fn *f, LLVMValueRef inst)
{
    int web = rg_web_of(f->rg, inst);
    if (web >= 0) {
        lw_alias(f, inst, (unsigned)web);
        return;
    }
    LLVMTypeRef t = LLVMTypeOf(inst);
    const struct lw_leaf *leaf;
    unsigned n = lw_leaves(f, t, &leaf);
    struct lw_addr a = lw_address(f, LLVMGetOperand(inst, 0));
    struct lw_access how = {.is_volatile = LLVMGetVolatile(inst),
                            .align = LLVMGetAlignment(inst),
                            .uniform = !rg_is_divergent(f->rg, inst)};
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind, scalar = n == 1;
    uint32_t want = vector ? wanted(f, inst, 0) : ~0u;
    lw_reg *regs = arena_array(&f->arena, lw_reg, n);
    if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic && scalar) {
        regs[0] = lw_atomic(
            f, a, leaf[0].size,
            (struct lw_atomic){.kind = BC_ATOMIC_LOAD, .order = BC_SEQ_CST, .scope = BC_SCOPE_ALL},
            BC_NONE, BC_NONE);
        authenticate(f, inst, leaf, regs, 1);
        lw_result(f, inst, regs, 1);
        return;
    }
    for (unsigned i = 0; i < n;) {
        if (vector && !(want >> i & 1)) {
            regs[i++] = lw_const(f, 0);
            continue;
        }
        unsigned end = i + 1; // a struct's leaves are accessed one by one
        while (vector && end < n && (want >> end & 1)) end++;
        struct lw_addr at = a;
        at.disp += (int64_t)leaf[i].offset;
        how.elem = leaf[i].size;
        how.ncomp = (uint8_t)(end - i);
        how.is_float = leaf[i].is_float;
        struct lw_access here = how;
        if (i) here.align = leaf[i].size;
        lw_load(f, at, here, regs + i);
        i = end;
    }
    authenticate(f, inst, leaf, regs, n);
    lw_result(f, inst, regs, n);
}

void lw_store_insn(struct lw_fn *f, LLVMValueRef inst)
{
    LLVMValueRef v = LLVMGetOperand(inst, 0);
    int web = rg_web_of(f->rg, inst);
    if (web >= 0) {
        lw_write_web(f, (unsigned)web, v);
        return;
    }
    LLVMTypeRef t = LLVMTypeOf(v);
    const struct lw_leaf *leaf;
    unsigned n = lw_leaves(f, t, &leaf);
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    struct lw_addr a = lw_address(f, LLVMGetOperand(inst, 1));
    lw_reg regs[64];
    if (n > 64) {
        lw_error(f, inst, "a store of %u scalars at once is not supported", n);
        return;
    }
    bool skip[64];
    const bool is_signed = rg_is_signed_there(f->rg, t, LLVMGetOperand(inst, 1));
    for (unsigned i = 0; i < n; i++) {
        skip[i] = vector && (unchanged(f, inst, i) || undefined(v, i));
        regs[i] = skip[i] ? BC_NONE : lw_component(f, v, i);
        if (is_signed && leaf[i].has_owner && !skip[i]) regs[i] = lw_sign(f, t, regs[i]);
    }
    if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic && n == 1) {
        lw_atomic(
            f, a, leaf[0].size,
            (struct lw_atomic){.kind = BC_ATOMIC_STORE, .order = BC_SEQ_CST, .scope = BC_SCOPE_ALL},
            regs[0], BC_NONE);
        return;
    }
    for (unsigned i = 0; i < n;) {
        if (skip[i]) {
            i++;
            continue;
        }
        unsigned end = i + 1;
        while (vector && end < n && !skip[end]) end++;
        struct lw_addr at = a;
        at.disp += (int64_t)leaf[i].offset;
        lw_store(f, at,
                 (struct lw_access){.elem = leaf[i].size,
                                    .ncomp = (uint8_t)(end - i),
                                    .is_float = leaf[i].is_float,
                                    .is_volatile = LLVMGetVolatile(inst),
                                    .align = i ? leaf[i].size : LLVMGetAlignment(inst)},
                 regs + i);
        i = end;
    }
}

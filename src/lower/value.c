// SPDX-License-Identifier: MIT
// Values of LLVM as registers: temporaries, homes, aliases of variables, and lazy structural
// instructions. The rules stand in lw.h.
#include "lower/lw.h"

#include <string.h>

struct lw_val *lw_val(struct lw_fn *f, LLVMValueRef v)
{
    uint64_t *at = map_get_ptr(&f->val_of, v);
    return at && f->vals.data[*at - 1].kind != LW_NONE ? &f->vals.data[*at - 1] : NULL;
}

static bool is_note(LLVMValueRef user)
{
    if (LLVMGetInstructionOpcode(user) != LLVMCall) return false;
    LLVMValueRef callee = l_callee(user);
    return callee && (l_is_debug(user) || l_is_intrinsic(callee, "lifetime.start") ||
                      l_is_intrinsic(callee, "lifetime.end"));
}

/** A phi uses what it is given at the end of the block that it comes from. */
static bool phi_takes_here(const struct rg_block *b, LLVMValueRef phi, LLVMValueRef v)
{
    if (b->end != RG_BRANCH) return false; // the LLVM block goes on
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) == v && LLVMGetIncomingBlock(phi, k) != b->bb)
            return false;
    return true;
}

static bool used_here(struct lw_fn *f, LLVMValueRef v, LLVMValueRef user)
{
    if (!LLVMIsAInstruction(user)) return false;
    if (LLVMGetInstructionOpcode(user) == LLVMPHI)
        return phi_takes_here(&f->rg->blocks[f->block], user, v);
    return rg_block_of(f->rg, user) == (int)f->block;
}

bool lw_needs_home(struct lw_fn *f, LLVMValueRef v)
{
    if (LLVMGetInstructionOpcode(v) == LLVMPHI) return true;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (!is_note(LLVMGetUser(u)) && !used_here(f, v, LLVMGetUser(u))) return true;
    return false;
}

static unsigned count_uses(LLVMValueRef v)
{
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) n += !is_note(LLVMGetUser(u));
    return n;
}

static struct lw_val *new_val(struct lw_fn *f, LLVMValueRef v, enum lw_val_kind kind)
{
    bool is_new;
    uint64_t *at = map_put_ptr(&f->val_of, v, &is_new);
    if (is_new) {
        vec_push(&f->vals, (struct lw_val){0});
        *at = f->vals.len;
    }
    struct lw_val *x = &f->vals.data[*at - 1];
    *x = (struct lw_val){
        .kind = kind, .v = v, .n = lw_count(f, LLVMTypeOf(v)), .uses = count_uses(v)};
    if (kind != LW_HOME) vec_push(&f->local, (unsigned)(*at - 1));
    return x;
}

const lw_reg *lw_home(struct lw_fn *f, LLVMValueRef v)
{
    struct lw_val *x = lw_val(f, v);
    if (x && x->kind == LW_HOME) return x->regs;
    const struct lw_leaf *leaf;
    unsigned n = lw_leaves(f, LLVMTypeOf(v), &leaf);
    lw_reg *regs = arena_array(&f->arena, lw_reg, n);
    for (unsigned i = 0; i < n; i++) regs[i] = lw_new(f, leaf[i].size, rg_is_divergent(f->rg, v));
    new_val(f, v, LW_HOME)->regs = regs;
    return regs;
}

const lw_reg *lw_web(struct lw_fn *f, unsigned web)
{
    if (f->web_regs[web]) return f->web_regs[web];
    const struct rg_web *w = &f->rg->webs[web];
    const struct lw_leaf *leaf;
    unsigned n = lw_leaves(f, f->rg->vars[w->variable].type, &leaf);
    lw_reg *regs = f->web_regs[web] = arena_array(&f->arena, lw_reg, n);
    for (unsigned i = 0; i < n; i++) regs[i] = lw_new(f, leaf[i].size, w->divergent);
    return regs;
}

// Takes r out of the instruction's scratch, if it is there.
static bool take(struct lw_fn *f, lw_reg r)
{
    for (size_t i = f->scratch.len; i-- > 0;)
        if (f->scratch.data[i] == r) {
            f->scratch.data[i] = f->scratch.data[f->scratch.len - 1];
            f->scratch.len--;
            return true;
        }
    return false;
}

void lw_result(struct lw_fn *f, LLVMValueRef inst, const lw_reg *regs, unsigned n)
{
    const struct lw_leaf *leaf;
    unsigned count = lw_leaves(f, LLVMTypeOf(inst), &leaf);
    if (n != count) {
        lw_error(f, inst, "internal: a value of %u registers was given %u", count, n);
        return;
    }
    if (lw_needs_home(f, inst)) {
        const lw_reg *home = lw_home(f, inst);
        for (unsigned i = 0; i < n; i++) {
            bool twice = false;
            for (unsigned k = 0; k < n; k++) twice |= k != i && regs[k] == regs[i];
            if (lw_is_varying(regs[i]) && !lw_is_varying(home[i]))
                lw_error(
                    f, inst,
                    "internal: a varying value where uniformity analysis promised a uniform one");
            bool mine = false;
            for (size_t k = 0; k < f->scratch.len; k++) mine |= f->scratch.data[k] == regs[i];
            if (twice || !mine || !lw_retarget(f, regs[i], home[i], f->insn_start))
                lw_move(f, home[i], regs[i], leaf[i].size);
        }
        return;
    }
    lw_reg *own = arena_array(&f->arena, lw_reg, n);
    for (unsigned i = 0; i < n; i++) {
        if (take(f, regs[i]) || lw_is_const(f, regs[i], NULL)) {
            own[i] = regs[i];
            continue;
        }
        own[i] =
            lw_temp(f, leaf[i].size, lw_is_varying(regs[i])); // somebody else's register: copy it
        lw_emit(f, (struct bc_insn){.op = LW_INT(MOV, leaf[i].size),
                                    .dst = own[i],
                                    .a = regs[i],
                                    .b = BC_NONE,
                                    .c = BC_NONE});
        take(f, own[i]);
    }
    new_val(f, inst, LW_TEMP)->regs = own;
}

// ---- aliases of variables

void lw_alias(struct lw_fn *f, LLVMValueRef load, unsigned web)
{
    if (lw_needs_home(f, load)) {
        const lw_reg *w = lw_web(f, web);
        lw_result(f, load, w, lw_count(f, LLVMTypeOf(load)));
        return;
    }
    struct lw_val *x = new_val(f, load, LW_ALIAS);
    x->web = web;
    vec_push(&f->aliases[web].vals, (unsigned)(x - f->vals.data));
}

// Values loaded from the web that are still wanted get registers of their own before it is written.
static bool save_aliases(struct lw_fn *f, unsigned web)
{
    bool any = false;
    for (size_t k = 0; k < f->aliases[web].vals.len; k++) {
        struct lw_val *x = &f->vals.data[f->aliases[web].vals.data[k]];
        if (x->kind != LW_ALIAS || x->web != web || !x->uses) continue;
        const struct lw_leaf *leaf;
        unsigned n = lw_leaves(f, LLVMTypeOf(x->v), &leaf);
        const lw_reg *w = lw_web(f, web);
        lw_reg *own = arena_array(&f->arena, lw_reg, n);
        for (unsigned i = 0; i < n; i++) {
            own[i] = lw_temp(f, leaf[i].size, lw_is_varying(w[i]));
            lw_emit(f, (struct bc_insn){.op = LW_INT(MOV, leaf[i].size),
                                        .dst = own[i],
                                        .a = w[i],
                                        .b = BC_NONE,
                                        .c = BC_NONE});
            take(f, own[i]);
        }
        x->kind = LW_TEMP;
        x->regs = own;
        any = true;
    }
    vec_clear(&f->aliases[web].vals);
    return any;
}

void lw_write_web(struct lw_fn *f, unsigned web, LLVMValueRef value)
{
    const struct lw_leaf *leaf;
    unsigned n = lw_leaves(f, LLVMTypeOf(value), &leaf);
    const lw_reg *to = lw_web(f, web);
    if (l_is_undef(value)) return;
    const lw_reg *src = lw_value(f, value, NULL);
    lw_reg *from = arena_dup(&f->arena, src, n * sizeof *src);
    struct lw_val *x = lw_val(f, value);
    // the value itself may be an alias of this web (v = v.yx): it is still wanted
    bool last = x && x->kind == LW_TEMP && x->uses == 1;
    bool saved = save_aliases(f, web);
    if (saved) {
        src = lw_value(f, value, NULL);
        memcpy(from, src, n * sizeof *src);
        last = false;
    }
    bool crossing = false; // a component is read after another was written
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) crossing |= i != k && from[i] == to[k];
    for (unsigned i = 0; i < n && crossing; i++) {
        lw_reg t = lw_temp(f, leaf[i].size, lw_is_varying(from[i]));
        lw_emit(f, (struct bc_insn){.op = LW_INT(MOV, leaf[i].size),
                                    .dst = t,
                                    .a = from[i],
                                    .b = BC_NONE,
                                    .c = BC_NONE});
        from[i] = t;
    }
    for (unsigned i = 0; i < n; i++) {
        bool twice = false, scratch = false;
        for (unsigned k = 0; k < n; k++) twice |= k != i && from[k] == from[i];
        for (size_t k = 0; k < f->scratch.len; k++) scratch |= f->scratch.data[k] == from[i];
        if (lw_is_varying(from[i]) && !lw_is_varying(to[i]))
            lw_error(f, f->insn,
                     "internal: a varying value where uniformity analysis promised a uniform one");
        if (twice || saved || !(scratch || last) ||
            !lw_retarget(f, from[i], to[i], scratch && !last ? f->insn_start : f->block_start))
            lw_move(f, to[i], from[i], leaf[i].size);
    }
}

// ---- lazy instructions

bool lw_element(LLVMValueRef inst, unsigned *at)
{
    uint64_t k;
    if (!l_const_bits(LLVMGetOperand(inst, LLVMIsAInsertElementInst(inst) ? 2 : 1), &k))
        return false;
    *at = (unsigned)k;
    return k < LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

static bool is_structural(LLVMValueRef i)
{
    unsigned at;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr: return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
    case LLVMSExt:
    case LLVMZExt: {
        LLVMTypeRef to = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
        return LLVMGetTypeKind(to) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(to) == 64 &&
               LLVMGetIntTypeWidth(from) == 32;
    }
    case LLVMExtractElement:
    case LLVMInsertElement: return lw_element(i, &at);
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFreeze:
    case LLVMAddrSpaceCast: return true;
    case LLVMBitCast:
        return lw_type_ok(LLVMTypeOf(i)) && LLVMTypeOf(i) == LLVMTypeOf(LLVMGetOperand(i, 0));
    default: return false;
    }
}

bool lw_defer(struct lw_fn *f, LLVMValueRef i)
{
    if (!is_structural(i) || lw_needs_home(f, i)) return false;
    new_val(f, i, LW_LAZY);
    return true;
}

static void use_one(struct lw_fn *f, LLVMValueRef v)
{
    struct lw_val *x = LLVMIsAInstruction(v) ? lw_val(f, v) : NULL;
    if (!x || x->kind == LW_HOME || !x->uses || --x->uses) return;
    if (x->kind == LW_LAZY) {
        lw_used(f, v);
    } else if (x->kind == LW_TEMP) {
        for (unsigned i = 0; i < x->n; i++) {
            bool twice = false;
            for (unsigned k = 0; k < i; k++) twice |= x->regs[k] == x->regs[i];
            if (!twice) lw_release(f, x->regs[i]);
        }
        x->kind = LW_NONE;
    }
}

void lw_used(struct lw_fn *f, LLVMValueRef inst)
{
    for (int k = 0; k < LLVMGetNumOperands(inst); k++) {
        LLVMValueRef o = LLVMGetOperand(inst, (unsigned)k);
        if (o && !LLVMIsABasicBlock(o)) use_one(f, o);
    }
}

void lw_end_block(struct lw_fn *f)
{
    for (size_t k = 0; k < f->local.len; k++) {
        struct lw_val *x = &f->vals.data[f->local.data[k]];
        if (x->kind == LW_TEMP && x->uses) {
            x->uses = 1;
            use_one(f, x->v);
        }
        if (x->kind == LW_ALIAS) vec_clear(&f->aliases[x->web].vals);
        if (x->kind != LW_HOME) x->kind = LW_NONE;
    }
    vec_clear(&f->local);
}

// First leaf of the member that the indices of an extractvalue or insertvalue name.
static unsigned member(struct lw_fn *f, LLVMValueRef i, LLVMTypeRef t)
{
    const unsigned *idx = LLVMGetIndices(i);
    unsigned at = 0;
    for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
        bool is_struct = LLVMGetTypeKind(t) == LLVMStructTypeKind;
        for (unsigned e = 0; e < idx[k]; e++)
            at += lw_count(f, is_struct ? LLVMStructGetTypeAtIndex(t, e) : LLVMGetElementType(t));
        t = is_struct ? LLVMStructGetTypeAtIndex(t, idx[k]) : LLVMGetElementType(t);
    }
    return at;
}

lw_reg lw_structural(struct lw_fn *f, LLVMValueRef v, unsigned i)
{
    LLVMValueRef a = LLVMGetOperand(v, 0);
    unsigned at = 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMExtractElement: return lw_element(v, &at) ? lw_component(f, a, at) : lw_const(f, 0);
    case LLVMInsertElement:
        return lw_element(v, &at) && at == i ? lw_scalar(f, LLVMGetOperand(v, 1))
                                             : lw_component(f, a, i);
    case LLVMShuffleVector: {
        int k = LLVMGetMaskValue(v, i);
        unsigned n = LLVMGetVectorSize(LLVMTypeOf(a));
        if (k == LLVMGetUndefMaskElem()) return lw_const(f, 0);
        return (unsigned)k < n ? lw_component(f, a, (unsigned)k)
                               : lw_component(f, LLVMGetOperand(v, 1), (unsigned)k - n);
    }
    case LLVMExtractValue: return lw_component(f, a, member(f, v, LLVMTypeOf(a)) + i);
    case LLVMInsertValue: {
        at = member(f, v, LLVMTypeOf(a));
        LLVMValueRef x = LLVMGetOperand(v, 1);
        unsigned n = lw_count(f, LLVMTypeOf(x));
        return i >= at && i < at + n ? lw_component(f, x, i - at) : lw_component(f, a, i);
    }
    case LLVMGetElementPtr: return lw_addr_reg(f, lw_address(f, v));
    case LLVMSExt: return lw_sext(f, lw_scalar(f, a), 4, 8);
    case LLVMZExt: return lw_zext(f, lw_scalar(f, a), 4, 8);
    default: return lw_component(f, a, i); // casts that change nothing
    }
}

// ---- constants and operands

static void no_pointer(void *context, uint64_t at, LLVMValueRef global, int64_t addend)
{
    *(bool *)context = true;
}

/**
 * A component of a constant whose bytes are those of another type: as_int2(1.0). False: an address
 * is among them.
 */
static bool reinterpreted_component(struct lw_fn *f, LLVMValueRef v, unsigned i, uint64_t *bits)
{
    const LLVMTypeRef t = LLVMTypeOf(v),
                      elem = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
    const uint64_t size = l_store_size(f->m->llvm, elem);
    uint8_t *bytes = arena_array(&f->arena, uint8_t, l_size(f->m->llvm, t));
    bool has_pointer = false;
    struct err *e = l_const_bytes(f->m->llvm, v, bytes, no_pointer, &has_pointer);
    *bits = 0;
    if (!e) memcpy(bits, bytes + i * size, size);
    const bool ok = !e && !has_pointer;
    err_free(e);
    return ok;
}

static lw_reg constant_component(struct lw_fn *f, LLVMValueRef v, unsigned i)
{
    uint64_t bits;
    if (l_is_undef(v) || l_const_is_null(v)) return lw_const(f, 0);
    if (l_const_number(f->m->llvm, v, &bits)) return lw_const(f, bits);
    if (l_is_reinterpreted(v) && reinterpreted_component(f, v, i, &bits)) return lw_const(f, bits);
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
        unsigned n = kind == LLVMVectorTypeKind   ? LLVMGetVectorSize(t)
                     : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(t)
                                                  : (unsigned)LLVMGetArrayLength2(t);
        for (unsigned e = 0; e < n; e++) {
            LLVMValueRef x = LLVMGetAggregateElement(v, e);
            unsigned c = x ? lw_count(f, LLVMTypeOf(x)) : 0;
            if (!x) break;
            if (i < c) return constant_component(f, x, i);
            i -= c;
        }
    }
    LLVMValueRef global;
    int64_t addend;
    if (l_const_address(f->m->llvm, v, &global, &addend)) {
        if (LLVMIsAFunction(global) && strstr(l_name(global), "_block_invoke")) {
            const uint64_t *at = map_get_ptr(&f->m->fn_of, global);
            return lw_const(f, at && l_is_kernel(global) ? *at : 0); // (else a block holds it, and
                                                                     // its call names it)
        }
        if (LLVMIsAFunction(global)) {
            lw_error(f, f->insn,
                     "the address of function '%s' is taken; OpenCL C has no function pointers",
                     l_name(global));
            return lw_const(f, 0);
        }
        const lw_reg pointer = lw_object_pointer(f, lw_object(f->m, global), addend);
        return kind == LLVMIntegerTypeKind && rg_has_owner(LLVMTypeOf(global))
                   ? lw_sign(f, LLVMTypeOf(global), pointer)
                   : pointer;
    }
    if (LLVMIsAConstantExpr(v)) {
        LLVMOpcode op = LLVMGetConstOpcode(v);
        LLVMValueRef x = LLVMGetOperand(v, 0);
        if (op == LLVMExtractElement && l_const_bits(LLVMGetOperand(v, 1), &bits) &&
            bits < LLVMGetVectorSize(LLVMTypeOf(x)))
            return constant_component(f, x, (unsigned)bits);
        if (op == LLVMInsertElement && l_const_bits(LLVMGetOperand(v, 2), &bits))
            return bits == i ? constant_component(f, LLVMGetOperand(v, 1), 0)
                             : constant_component(f, x, i);
        if (op == LLVMShuffleVector) {
            const int k = LLVMGetMaskValue(v, i);
            const unsigned n = LLVMGetVectorSize(LLVMTypeOf(x));
            if (k == LLVMGetUndefMaskElem()) return lw_const(f, 0);
            return (unsigned)k < n ? constant_component(f, x, (unsigned)k)
                                   : constant_component(f, LLVMGetOperand(v, 1), (unsigned)k - n);
        }
        if (op == LLVMIntToPtr || op == LLVMPtrToInt || op == LLVMAddrSpaceCast ||
            op == LLVMBitCast)
            return constant_component(f, LLVMGetOperand(v, 0), i);
    }
    char *text = LLVMPrintValueToString(v);
    lw_error(f, f->insn, "this constant is not supported: %s", text);
    LLVMDisposeMessage(text);
    return lw_const(f, 0);
}

static lw_reg argument_component(struct lw_fn *f, LLVMValueRef v, unsigned i)
{
    unsigned at = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(f->rg->fn); p; p = LLVMGetNextParam(p)) {
        if (p == v) return f->params[at + i];
        at += lw_count(f, LLVMTypeOf(p));
    }
    return lw_const(f, 0);
}

lw_reg lw_component(struct lw_fn *f, LLVMValueRef v, unsigned i)
{
    if (LLVMIsAArgument(v)) return argument_component(f, v, i);
    if (!LLVMIsAInstruction(v)) return constant_component(f, v, i);
    if (LLVMGetInstructionOpcode(v) == LLVMAlloca)
        return lw_object_pointer(f, lw_object(f->m, v), 0);
    struct lw_val *x = lw_val(f, v);
    if (!x) return lw_home(f, v)[i]; // not computed yet on this path of numbering: it will be
    switch (x->kind) {
    case LW_ALIAS: return lw_web(f, x->web)[i];
    case LW_LAZY: return lw_structural(f, v, i);
    default: return x->regs[i];
    }
}

const lw_reg *lw_value(struct lw_fn *f, LLVMValueRef v, unsigned *n)
{
    unsigned count = lw_count(f, LLVMTypeOf(v));
    lw_reg *regs = arena_array(&f->arena, lw_reg, count);
    for (unsigned i = 0; i < count; i++) regs[i] = lw_component(f, v, i);
    if (n) *n = count;
    return regs;
}

lw_reg lw_scalar(struct lw_fn *f, LLVMValueRef v) { return lw_component(f, v, 0); }

void lw_undefined(struct lw_fn *f, unsigned w)
{
    const struct rg_variable *v = &f->rg->vars[f->rg->webs[w].variable];
    struct fe_variable var = {0};
    if (!f->web_is_read[w]) return;
    if (!fe_debug_variable(f->m->debug, v->alloca, &var) &&
        !fe_debug_returned(f->m->debug, v->alloca, &var))
        return; // the compiler's own
    const struct lw_leaf *leaf;
    const unsigned n = lw_leaves(f, v->type, &leaf);
    const lw_reg *regs = lw_web(f, w);
    const uint32_t loc = f->loc;
    f->loc = var.loc;
    for (unsigned k = 0; k < n;
         k++) { // 0, so that a run does not depend on what the register held for another group
        lw_move(f, regs[k], lw_const(f, 0), leaf[k].size);
        lw_emit(f, (struct bc_insn){.op = BC_UNDEF,
                                    .flags = BC_MASKED,
                                    .dst = regs[k],
                                    .a = leaf[k].size,
                                    .b = BC_NONE,
                                    .c = BC_NONE,
                                    .ext = lw_intern(f->m, var.name)});
    }
    f->loc = loc;
}

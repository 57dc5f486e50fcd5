// SPDX-License-Identifier: MIT
// Demotion of registers to memory, as LLVM's reg2mem: values that are live across blocks go through
// stack slots, so that blocks can be copied into regions individually. LLVM's mem2reg promotes the
// slots again if the live range is inside one region. Cheap values are recomputed instead
// (rematerialization; Briggs, Cooper and Torczon, "Rematerialization", PLDI 1992).
#include "native/native.h"

#include "llvm/ir.h"

#include <string.h>

struct demotion {
    const struct nat_form *w;
    const struct rg_fn *f;
    struct nat_slots *slots;
    LLVMBuilderRef b;
    LLVMBasicBlockRef entry;
    LLVMValueRef first; // of the entry block: allocas are inserted before it
};

// ---- rematerialization

enum { MAX_AGAIN = 10 };

static bool is_id(LLVMValueRef v)
{
    char name[64];
    if (LLVMGetInstructionOpcode(v) != LLVMCall || LLVMGetNumArgOperands(v) > 1) return false;
    rg_callee_base_name(v, name, sizeof name);
    return !strncmp(name, "get_", 4) &&
           (LLVMGetNumArgOperands(v) == 0 || LLVMIsAConstantInt(LLVMGetOperand(v, 0))) &&
           LLVMIsDeclaration(l_callee(v));
}

// The number of instructions that compute a value from ids, arguments and constants; more than
// MAX_AGAIN: too expensive.
static unsigned cost(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v))
        return 0; // the address of an object is available in every region
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMCall) return is_id(v) ? 1 : MAX_AGAIN + 1;
    if (!l_is_integer_operation(v) && !l_is_integer_cast(v) && op != LLVMGetElementPtr &&
        op != LLVMAddrSpaceCast && op != LLVMICmp)
        return MAX_AGAIN + 1;
    unsigned n = 1;
    for (int k = LLVMGetNumOperands(v); k-- > 0 && n <= MAX_AGAIN;)
        n += cost(LLVMGetOperand(v, (unsigned)k));
    return n;
}

static LLVMValueRef again(struct demotion *d, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v)) return v;
    LLVMValueRef c = LLVMInstructionClone(v);
    const int n = LLVMGetInstructionOpcode(v) == LLVMCall ? 0 : LLVMGetNumOperands(v);
    for (int k = 0; k < n; k++)
        LLVMSetOperand(c, (unsigned)k, again(d, LLVMGetOperand(v, (unsigned)k)));
    LLVMInsertIntoBuilder(d->b, c);
    return c;
}

// ---- slots

enum { PRIVATE = 0, GENERIC = 4 }; // address spaces

// Whether all work-items have the same value. An address in private memory is uniform for the
// uniformity analysis, but differs between work-items.
static bool is_shared(LLVMValueRef v, bool uniform)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    if (LLVMIsAPtrToIntInst(v)) return false;
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind) return uniform;
    const unsigned space = LLVMGetPointerAddressSpace(t);
    return uniform && space != PRIVATE && space != GENERIC;
}

// One slot is sufficient for all work-items if all of them reach the definition. Otherwise a
// work-item that does not reach it would write back the old value.
static bool is_uniform(const struct demotion *d, LLVMValueRef v, unsigned block)
{
    return !rg_is_divergent(d->f, v) && !d->f->varying_control[block];
}

static LLVMValueRef add_slot(struct demotion *d, LLVMTypeRef t, bool uniform)
{
    LLVMPositionBuilderBefore(d->b, d->first);
    LLVMValueRef a = LLVMBuildAlloca(d->b, t, "");
    vec_push(d->slots, (struct nat_slot){a, uniform, true});
    return a;
}

// Positions the builder where `user` reads operand k: for a phi, at the end of the incoming block.
static void position_at_use(struct demotion *d, LLVMValueRef user, unsigned k)
{
    if (LLVMGetInstructionOpcode(user) == LLVMPHI)
        LLVMPositionBuilderBefore(d->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, k)));
    else LLVMPositionBuilderBefore(d->b, user);
}

static int block_of_use(struct demotion *d, LLVMValueRef user, unsigned k)
{
    if (LLVMGetInstructionOpcode(user) == LLVMPHI) return rg_incoming_block(d->f, user, k);
    // The condition of a cut's branch is read after the cut.
    int b = rg_block_of(d->f, user);
    return b;
}

struct use {
    LLVMValueRef user;
    unsigned operand;
};

// (LLVM lists a user once for each operand that is the value.)
static void uses_elsewhere(struct demotion *d, LLVMValueRef v, unsigned block, struct use **out,
                           size_t *n)
{
    VEC(struct use) list = {0};
    struct map seen = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool is_new;
        map_put_ptr(&seen, user, &is_new);
        if (!is_new || !LLVMIsAInstruction(user)) continue;
        const bool phi = LLVMGetInstructionOpcode(user) == LLVMPHI;
        const unsigned count = phi ? LLVMCountIncoming(user) : (unsigned)LLVMGetNumOperands(user);
        for (unsigned k = 0; k < count; k++) {
            if ((phi ? LLVMGetIncomingValue(user, k) : LLVMGetOperand(user, k)) != v) continue;
            const int at = block_of_use(d, user, k);
            if (at < 0) continue; // in unreachable code
            if (at != (int)block || phi ||
                (d->w->cut[block] && user == d->f->blocks[block].stop &&
                 LLVMIsATerminatorInst(user)))
                vec_push(&list, (struct use){user, k});
        }
    }
    map_deinit(&seen);
    *out = list.data;
    *n = list.len;
}

static void demote_value(struct demotion *d, LLVMValueRef v, unsigned block)
{
    struct use *uses;
    size_t n;
    uses_elsewhere(d, v, block, &uses, &n);
    const bool cheap = n && cost(v) <= MAX_AGAIN;
    LLVMValueRef slot = NULL;
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef user = uses[i].user;
        const unsigned k = uses[i].operand;
        const int at = block_of_use(d, user, k);
        const bool at_cut = LLVMIsATerminatorInst(user) && d->w->cut[at] &&
                            user == d->f->blocks[at].stop;
        LLVMValueRef now;
        if (cheap && !at_cut && nat_crosses(d->w, block, (unsigned)at)) {
            position_at_use(d, user, k);
            now = again(d, v);
        } else {
            if (!slot) {
                slot = add_slot(d, LLVMTypeOf(v), is_shared(v, is_uniform(d, v, block)));
                LLVMValueRef after = LLVMGetNextInstruction(v);
                while (LLVMGetInstructionOpcode(after) == LLVMPHI)
                    after = LLVMGetNextInstruction(after);
                LLVMPositionBuilderBefore(d->b, after);
                LLVMBuildStore(d->b, v, slot);
            }
            position_at_use(d, user, k);
            now = LLVMBuildLoad2(d->b, LLVMTypeOf(v), slot, "");
        }
        if (LLVMGetInstructionOpcode(user) == LLVMPHI) {
            // LLVM-C can change an incoming value only as an operand.
            LLVMSetOperand(user, k, now);
        } else {
            LLVMSetOperand(user, k, now);
        }
    }
    free(uses);
}

static void demote_phi(struct demotion *d, LLVMValueRef phi, unsigned block)
{
    LLVMTypeRef t = LLVMTypeOf(phi);
    LLVMValueRef slot = add_slot(d, t, is_shared(phi, is_uniform(d, phi, block)));
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMPositionBuilderBefore(d->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        LLVMBuildStore(d->b, LLVMGetIncomingValue(phi, k), slot);
    }
    LLVMValueRef at = phi;
    while (LLVMGetInstructionOpcode(at) == LLVMPHI) at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(d->b, at);
    LLVMValueRef now = LLVMBuildLoad2(d->b, t, slot, "");
    LLVMReplaceAllUsesWith(phi, now);
    LLVMInstructionEraseFromParent(phi);
}

void nat_demote(const struct nat_form *w, struct nat_slots *slots)
{
    const struct rg_fn *f = w->fn;
    struct demotion d = {
        .w = w,
        .f = f,
        .slots = slots,
        .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f->fn)))};
    d.entry = LLVMGetEntryBasicBlock(f->fn);
    // An instruction that stays, before all others.
    LLVMPositionBuilderBefore(d.b, LLVMGetFirstInstruction(d.entry));
    d.first = LLVMBuildAlloca(
        d.b, LLVMInt8TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f->fn))), "");
    struct entry {
        LLVMValueRef v;
        unsigned block;
    };
    VEC(struct entry) all = {0};
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
                vec_push(slots, (struct nat_slot){i, false, false});
            else if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                vec_push(&all, (struct entry){i, b});
        }
    for (size_t k = 0; k < all.len; k++) demote_value(&d, all.data[k].v, all.data[k].block);
    for (size_t k = 0; k < all.len; k++)
        if (LLVMGetInstructionOpcode(all.data[k].v) == LLVMPHI)
            demote_phi(&d, all.data[k].v, all.data[k].block);
    vec_free(&all);
    LLVMInstructionEraseFromParent(d.first);
    LLVMDisposeBuilder(d.b);
}

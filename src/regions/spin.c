// SPDX-License-Identifier: MIT
// Spin loops: loops in which a work-item may wait for another one, that is, with an exit that
// depends on a shared access (an atomic or a volatile load). The dependence is tracked through the
// loop's values, variables, private objects and calls, and through the branches that decide whether
// an exit is reached or one of these is assigned. A branch that decides neither, as around the body
// of a counted loop, cannot make a work-item wait. If the loop has a sub-group barrier, it is
// also tracked through memory, by which work-items of a sub-group exchange values. (A loop with a
// barrier of the whole group cannot be a spin loop.) A false positive only costs speed; a false
// negative would never end.
#include "regions/regions.h"

#include <string.h>

static bool is_shared_access(LLVMValueRef i)
{
    char name[64];
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMLoad: return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        rg_callee_base_name(i, name, sizeof name);
        return !strncmp(name, "atomic_", 7) || !strncmp(name, "atom_", 5);
    default: return false;
    }
}

bool rg_reaches_shared(LLVMValueRef i, struct map *known)
{
    if (is_shared_access(i)) return true;
    LLVMValueRef callee = LLVMGetInstructionOpcode(i) == LLVMCall ? LLVMGetCalledValue(i) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee)) return false;
    bool is_new, reaches = false;
    uint64_t *at = map_put_ptr(known, callee, &is_new);
    if (!is_new) return *at;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee); b && !reaches;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef k = LLVMGetFirstInstruction(b); k && !reaches;
             k = LLVMGetNextInstruction(k))
            reaches = rg_reaches_shared(k, known);
    *map_put_ptr(known, callee, NULL) = reaches;
    return reaches;
}

static bool is_sub_group_barrier(LLVMValueRef i)
{
    char name[64];
    if (LLVMGetInstructionOpcode(i) != LLVMCall) return false;
    rg_callee_base_name(i, name, sizeof name);
    return !strcmp(name, "sub_group_barrier");
}

// ---- one loop

struct slice {
    struct rg_fn *f;
    const struct rg_loop *l;
    struct map *known, seen;
    VEC(LLVMValueRef) work;
    bool *decided;  // by block: the branches that decide whether it runs are followed
    bool exchanges; // there are sub-group barriers, but no group barriers
    bool found;
};

enum { PRIVATE = 0, GENERIC = 4 }; // address spaces

static LLVMValueRef object_of(LLVMValueRef pointer)
{
    while (LLVMIsAInstruction(pointer)) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(pointer);
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast) break;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

#define EACH_OF_LOOP(f, l, k, i)                                                                   \
    for (unsigned k = (l)->header; k <= (l)->last; k++)                                            \
        for (LLVMValueRef i = (f)->blocks[k].first; i && i != (f)->blocks[k].stop;                 \
             i = LLVMGetNextInstruction(i))

static bool branches(const struct rg_block *b) { return b->end == RG_BRANCH && b->nsucc > 1; }

static void follow_branch(struct slice *s, unsigned b)
{
    if (branches(&s->f->blocks[b])) vec_push(&s->work, LLVMGetOperand(s->f->blocks[b].stop, 0));
}

// The branches of the loop on which the block is control dependent; follow() does the same for the
// blocks of what they depend on.
static void follow_control(struct slice *s, unsigned b)
{
    const struct rg_block *const blocks = s->f->blocks;
    if (!rg_in_loop(s->l, b) || s->decided[b]) return;
    s->decided[b] = true;
    for (unsigned from = s->l->header; from <= s->l->last; from++) {
        bool decides = false;
        for (unsigned k = 0; branches(&blocks[from]) && k < blocks[from].nsucc && !decides; k++)
            for (int r = (int)blocks[from].succ[k]; r >= 0 && r != blocks[from].ipdom && !decides;
                 r = blocks[r].ipdom)
                decides = r == (int)b;
        if (!decides) continue;
        follow_branch(s, from);
        follow_control(s, from);
    }
}

// What is assigned, and whether it is
static void follow_store(struct slice *s, LLVMValueRef store, unsigned b)
{
    vec_push(&s->work, LLVMGetOperand(store, 0));
    follow_control(s, b);
}

// A phi takes its value by the edge on which control came.
static void follow_edges(struct slice *s, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        const int b = rg_incoming_block(s->f, phi, k);
        if (b < 0 || !rg_in_loop(s->l, (unsigned)b)) continue;
        follow_branch(s, (unsigned)b);
        follow_control(s, (unsigned)b);
    }
}

static void follow_variable(struct slice *s, int web)
{
    EACH_OF_LOOP(s->f, s->l, k, i)
        if (LLVMGetInstructionOpcode(i) == LLVMStore && rg_web_of(s->f, i) == web)
            follow_store(s, i, k);
}

// A private object gets values from stores, and from calls that get its address, like the
// `expected` argument of an atomic.
static void follow_object(struct slice *s, LLVMValueRef pointer)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    LLVMValueRef object = object_of(pointer);
    if (!LLVMIsAAllocaInst(object)) {
        s->found |= space == PRIVATE ? !LLVMIsAArgument(object)
                                     : s->exchanges; // an unknown object may hold exchanged values
        return;
    }
    EACH_OF_LOOP(s->f, s->l, k, i) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op == LLVMStore && object_of(LLVMGetOperand(i, 1)) == object) follow_store(s, i, k);
        for (unsigned n = op == LLVMCall ? LLVMGetNumArgOperands(i) : 0; n-- > 0;)
            if (object_of(LLVMGetOperand(i, n)) == object) {
                vec_push(&s->work, i);
                follow_control(s, k);
            }
    }
}

static void follow(struct slice *s, LLVMValueRef v)
{
    bool is_new;
    const int b = LLVMIsAInstruction(v) ? rg_block_of(s->f, v) : -1;
    map_put_ptr(&s->seen, v, &is_new);
    if (!is_new || b < 0 || !rg_in_loop(s->l, (unsigned)b)) return;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const int web = rg_web_of(s->f, v);
    if (op == LLVMPHI) follow_edges(s, v);
    if (op == LLVMLoad && web >= 0) follow_variable(s, web);
    else s->found |= rg_reaches_shared(v, s->known);
    if (op == LLVMLoad && web < 0) follow_object(s, LLVMGetOperand(v, 0));
    for (int k = LLVMGetNumOperands(v); k-- > 0;)
        if (!LLVMIsABasicBlock(LLVMGetOperand(v, (unsigned)k)))
            vec_push(&s->work, LLVMGetOperand(v, (unsigned)k));
}

static bool exits(const struct rg_fn *f, const struct rg_loop *l, unsigned b)
{
    bool out = f->blocks[b].end == RG_RETURN;
    for (unsigned k = 0; k < f->blocks[b].nsucc; k++) out |= !rg_in_loop(l, f->blocks[b].succ[k]);
    return out;
}

// Can an iteration pass no exit? One sweep will do: blocks are in topological order.
static bool passes_no_exit(const struct rg_fn *f, const struct rg_loop *l)
{
    bool *const reached = mem_alloc(f->nblocks);
    bool again = false;
    reached[l->header] = true;
    for (unsigned b = l->header; b <= l->last; b++)
        for (unsigned k = 0; reached[b] && !exits(f, l, b) && k < f->blocks[b].nsucc; k++) {
            again |= f->blocks[b].succ[k] == l->header;
            reached[f->blocks[b].succ[k]] = true;
        }
    free(reached);
    return again;
}

// A loop ends by its exits. If an iteration can pass none (`continue` in front of the only one),
// any branch may keep a work-item from them, also one that they post-dominate. Otherwise every
// branch that does is one on which they are control dependent.
static void follow_exits(struct slice *s, const struct rg_loop *l)
{
    const bool all = passes_no_exit(s->f, l);
    for (unsigned b = l->header; b <= l->last; b++) {
        if (!all && !exits(s->f, l, b)) continue;
        follow_branch(s, b);
        follow_control(s, b);
    }
}

bool rg_may_spin(struct rg_fn *f, const struct rg_loop *l, struct map *known)
{
    struct slice s = {.f = f, .l = l, .known = known};
    bool any = false;
    EACH_OF_LOOP(f, l, k, i) {
        any = any || rg_reaches_shared(i, known);
        s.exchanges = s.exchanges || is_sub_group_barrier(i);
    }
    if (!any) return false;
    s.exchanges = s.exchanges && !l->has_barrier;
    s.decided = mem_alloc(f->nblocks);
    for (unsigned k = 0; k < f->nloops; k++) // also of the loops in it, which end first
        if (rg_in_loop(l, f->loops[k].header)) follow_exits(&s, &f->loops[k]);
    while (s.work.len && !s.found) follow(&s, vec_pop(&s.work));
    vec_free(&s.work);
    map_deinit(&s.seen);
    free(s.decided);
    return s.found;
}

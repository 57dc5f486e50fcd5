// SPDX-License-Identifier: MIT
// Vote-based loop versioning: specializes a loop for groups in which a divergent branch around it
// is uniform at run time. Compare branch-on-superword-condition-code (Shin, "Introducing control
// flow into vectorized code", PACT 2007), applied here to a whole group.
//
//     if (i < n && j < n) for (k = 0; k < n; k++) …       or: if (i >= n || j >= n) return; for …
//
// In nearly every work-group all work-items take the same direction. The branch is therefore
// decided once for the work-items that are run together (the group, or a block of it):
//
//     if (all of them enter) { the loop, in step }
//     else if (i < n && j < n) { the loop, each work-item individually }
//
// Every work-item runs the first copy, so the loop over work-items can be interchanged with the
// loop in it. The condition "all" is a call of NAT_ALL. The region that it ends
// (region_boundaries.c) turns the call into the running conjunction over the surrounding loop over
// work-items (region_loops.c). If the cut cannot be made, the call stands for the condition of the
// work-item itself, which is correct as well.
//
// Likewise, a loop with the same step and the same bound in all work-items, but different initial
// values,
//
//     for (i = get_global_id(0); i < n; i += get_global_size(0)) …
//
// runs in step until the first work-item reaches the bound. The original loop does the remaining
// iterations.
#include "native/transform.h"

#include "llvm/ir.h"

#include <string.h>

enum { MOST_INSNS = 1500, MOST_TIMES = 8 }; // instructions in one copy; copies in a kernel

LLVMValueRef nat_all_of(const struct rg_block *b)
{
    LLVMValueRef c = b->end == RG_BRANCH && b->nsucc == 2 && LLVMIsABranchInst(b->stop)
                         ? LLVMGetCondition(b->stop)
                         : NULL;
    LLVMValueRef f = c && LLVMIsACallInst(c) ? l_callee(c) : NULL;
    return f && !strcmp(l_name(f), NAT_ALL) ? c : NULL;
}

// ---- candidates

struct place {
    const struct rg_fn *f;
    unsigned branch, way; // the block that ends with the branch, and the index of the successor
    bool *in;             // by block: reached through that edge only
};

static bool is_seen(const struct rg_fn *f, unsigned b)
{
    for (unsigned k = 0; k < f->blocks[b].npred; k++)
        if (nat_all_of(&f->blocks[f->blocks[b].pred[k]])) return true;
    return false;
}

static bool is_worth_it(const struct place *p)
{
    const struct rg_fn *f = p->f;
    const unsigned to = f->blocks[p->branch].succ[p->way];
    unsigned insns = 0;
    bool found = false;
    for (unsigned k = 0; k < f->blocks[to].npred; k++) // all other edges to it must be back edges
        if (f->blocks[to].pred[k] != p->branch && !rg_dominates(f, to, f->blocks[to].pred[k]))
            return false;
    for (unsigned b = 0; b < f->nblocks; b++) {
        p->in[b] = rg_dominates(f, to, b);
        if (!p->in[b]) continue;
        if (f->blocks[b].end == RG_BARRIER) return false;
        for (LLVMValueRef i = f->blocks[b].first; i; i = LLVMGetNextInstruction(i)) insns++;
    }
    for (unsigned l = 0; l < f->nloops; l++)
        found |= p->in[f->loops[l].header] &&
                 (nat_is_horizontal(f, l, true) || nat_takes_mask(f, l));
    return found && insns <= MOST_INSNS;
}

static bool find(struct place *p)
{
    const struct rg_fn *f = p->f;
    for (p->branch = 0; p->branch < f->nblocks; p->branch++) {
        const struct rg_block *b = &f->blocks[p->branch];
        if (!f->divergent_branch[p->branch] || b->end != RG_BRANCH || !LLVMIsABranchInst(b->stop) ||
            b->succ[0] == b->succ[1])
            continue;
        if (!nat_is_in_step(f, p->branch) || is_seen(f, p->branch)) continue;
        for (p->way = 0; p->way < 2; p->way++)
            if (is_worth_it(p)) return true;
    }
    return false;
}

// ---- the copy

static LLVMValueRef now(const struct map *of, LLVMValueRef v)
{
    uint64_t *at = map_get_ptr(of, v);
    return at ? (LLVMValueRef)(uintptr_t)*at : v;
}
static void is_now(struct map *of, void *v, void *is) { *map_put_ptr(of, v, NULL) = (uintptr_t)is; }
static LLVMBasicBlockRef block_now(const struct map *of, LLVMBasicBlockRef b)
{
    uint64_t *at = map_get_ptr(of, b);
    return at ? (LLVMBasicBlockRef)(uintptr_t)*at : b;
}

/**
 * Replaces an incoming block of a phi by another, or removes it (NULL). (LLVM's C interface cannot
 * change the incoming block of a phi.)
 */
static void change_source(LLVMBuilderRef b, LLVMBasicBlockRef at, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(at), next; i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMPositionBuilderBefore(b, i);
        LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            LLVMValueRef v = LLVMGetIncomingValue(i, k);
            LLVMBasicBlockRef s = LLVMGetIncomingBlock(i, k);
            if (s == from) s = to;
            if (s) LLVMAddIncoming(phi, &v, &s, 1);
        }
        LLVMReplaceAllUsesWith(i, phi);
        LLVMInstructionEraseFromParent(i);
    }
}

static void copy_insns(LLVMBuilderRef b, struct map *of, LLVMBasicBlockRef from)
{
    LLVMPositionBuilderAtEnd(b, block_now(of, from));
    l_each_insn(from, i) {
        LLVMValueRef c;
        if (LLVMIsAPHINode(i)) {
            c = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        } else {
            c = LLVMInstructionClone(i);
            LLVMInsertIntoBuilder(b, c);
        }
        is_now(of, i, c);
    }
}

/** Sets the operands and branch targets of the copies, and the phis of the blocks after them. */
static void connect(const struct map *of, LLVMBasicBlockRef from)
{
    l_each_insn(from, i) {
        LLVMValueRef c = now(of, i);
        if (LLVMIsAPHINode(i)) {
            for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
                LLVMValueRef v = now(of, LLVMGetIncomingValue(i, k));
                LLVMBasicBlockRef s = block_now(of, LLVMGetIncomingBlock(i, k));
                LLVMAddIncoming(c, &v, &s, 1);
            }
            continue;
        }
        for (int k = LLVMGetNumOperands(i); k-- > 0;) {
            LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
            if (!LLVMValueIsBasicBlock(o)) LLVMSetOperand(c, (unsigned)k, now(of, o));
        }
    }
    LLVMValueRef stop = LLVMGetBasicBlockTerminator(from), stop_now = now(of, stop);
    struct map seen = {0};
    for (unsigned k = 0; k < LLVMGetNumSuccessors(stop); k++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(stop, k), to_now = block_now(of, to);
        bool is_new;
        LLVMSetSuccessor(stop_now, k, to_now);
        map_put_ptr(&seen, to, &is_new);
        if (to_now != to || !is_new) continue;
        l_each_insn(to, phi) {
            if (!LLVMIsAPHINode(phi)) break;
            for (unsigned j = 0, n = LLVMCountIncoming(phi); j < n; j++) {
                if (LLVMGetIncomingBlock(phi, j) != from) continue;
                LLVMValueRef v = now(of, LLVMGetIncomingValue(phi, j));
                LLVMBasicBlockRef s = block_now(of, from);
                LLVMAddIncoming(phi, &v, &s, 1);
            }
        }
    }
    map_deinit(&seen);
}

/**
 * Copies blocks, with their incoming values, and updates the phis of the blocks after them; `of`
 * maps originals to copies.
 */
static void copy_blocks(LLVMBuilderRef b, const struct rg_fn *f, const bool *in, struct map *of)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f->fn));
    for (unsigned k = 0; k < f->nblocks; k++)
        if (in[k]) is_now(of, f->blocks[k].bb, LLVMAppendBasicBlockInContext(c, f->fn, ""));
    for (unsigned k = 0; k < f->nblocks; k++)
        if (in[k]) copy_insns(b, of, f->blocks[k].bb);
    for (unsigned k = 0; k < f->nblocks; k++)
        if (in[k]) connect(of, f->blocks[k].bb);
}

LLVMValueRef nat_build_all(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef condition)
{
    LLVMTypeRef bit = LLVMTypeOf(condition), t = LLVMFunctionType(bit, &bit, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(m, NAT_ALL);
    if (!f) f = LLVMAddFunction(m, NAT_ALL, t);
    return LLVMBuildCall2(b, t, f, &condition, 1, "");
}

static void split(const struct place *p)
{
    const struct rg_fn *f = p->f;
    const struct rg_block *at = &f->blocks[p->branch];
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f->fn));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    struct map of = {0};
    LLVMBasicBlockRef to = f->blocks[at->succ[p->way]].bb, other = f->blocks[at->succ[!p->way]].bb;
    copy_blocks(b, f, p->in, &of);
    LLVMBasicBlockRef each = LLVMInsertBasicBlockInContext(c, to, "");
    LLVMValueRef stop = at->stop, condition = LLVMGetCondition(stop);
    LLVMPositionBuilderBefore(b, stop);
    LLVMValueRef all = nat_build_all(b, LLVMGetGlobalParent(f->fn),
                                     p->way == 0 ? condition : LLVMBuildNot(b, condition, ""));
    LLVMBuildCondBr(b, all, block_now(&of, to), each);
    LLVMInstructionRemoveFromParent(stop);
    LLVMPositionBuilderAtEnd(b, each);
    LLVMInsertIntoBuilder(b, stop);
    change_source(b, to, at->bb, each);
    change_source(b, other, at->bb, each);
    map_deinit(&of);
    LLVMDisposeBuilder(b);
}

// ---- loops

/**
 * The counter that the end of the loop depends on: any initial value, the same step and the same
 * bound in all work-items.
 */
static bool is_stride(const struct rg_fn *f, const struct rg_loop *l, LLVMValueRef condition)
{
    if (!LLVMIsAICmpInst(condition)) return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef i = LLVMGetOperand(condition, k), end = LLVMGetOperand(condition, !k);
        if (!LLVMIsAPHINode(i) || LLVMGetInstructionParent(i) != f->blocks[l->header].bb ||
            rg_is_divergent(f, end))
            continue;
        for (unsigned j = 0; j < 2; j++) {
            LLVMValueRef next = LLVMGetIncomingValue(i, j);
            if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) continue;
            LLVMValueRef step = LLVMGetOperand(next, LLVMGetOperand(next, 0) == i);
            if (LLVMGetOperand(next, LLVMGetOperand(next, 0) != i) == i &&
                !rg_is_divergent(f, step))
                return true;
        }
    }
    return false;
}

// The header is the only exit, and its condition is the only divergent part.
static bool can_be_in_step(const struct rg_fn *f, unsigned loop)
{
    const struct rg_loop *l = &f->loops[loop];
    const struct rg_block *h = &f->blocks[l->header];
    unsigned insns = 0, out = 0;
    if (!l->divergent || l->has_barrier || l->may_spin || h->npred != 2) return false;
    const unsigned before = h->pred[rg_in_loop(l, h->pred[0])];
    if (!nat_is_in_step(f, before) || f->divergent_branch[before]) return false;
    for (unsigned k = 0; k < f->nloops; k++)
        if (f->loops[k].parent == (int)loop) return false;
    for (unsigned b = l->header; b <= l->last; b++) {
        if (f->blocks[b].end != RG_BRANCH || (b != l->header && f->divergent_branch[b]))
            return false;
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++)
            out += !rg_in_loop(l, f->blocks[b].succ[k]);
        for (LLVMValueRef i = f->blocks[b].first; i; i = LLVMGetNextInstruction(i)) insns++;
    }
    const bool leaves = h->nsucc == 2 && rg_in_loop(l, h->succ[0]) != rg_in_loop(l, h->succ[1]);
    return out == 1 && leaves && LLVMIsABranchInst(h->stop) &&
           is_stride(f, l, LLVMGetCondition(h->stop)) && insns <= MOST_INSNS;
}

static void split_loop(const struct rg_fn *f, const struct rg_loop *l)
{
    const struct rg_block *h = &f->blocks[l->header];
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f->fn)));
    struct map of = {0};
    bool *in = mem_alloc(f->nblocks);
    for (unsigned k = l->header; k <= l->last; k++) in[k] = true;
    LLVMBasicBlockRef before = f->blocks[h->pred[rg_in_loop(l, h->pred[0])]].bb, head = h->bb;
    copy_blocks(b, f, in, &of);
    const bool on = rg_in_loop(l, h->succ[0]); // does the loop continue if the condition holds?
    LLVMBasicBlockRef step = block_now(&of, head), away = LLVMGetSuccessor(h->stop, on);
    // In the copy: all continue, or all go to the original loop, which then does the remaining
    // iterations.
    LLVMValueRef stop = now(&of, h->stop), condition = LLVMGetCondition(stop);
    LLVMBasicBlockRef body = LLVMGetSuccessor(stop, !on);
    LLVMPositionBuilderBefore(b, stop);
    LLVMValueRef all = nat_build_all(b, LLVMGetGlobalParent(f->fn),
                                     on ? condition : LLVMBuildNot(b, condition, ""));
    LLVMBuildCondBr(b, all, body, head);
    LLVMInstructionEraseFromParent(stop);
    change_source(b, away, step, NULL);
    LLVMValueRef from = LLVMGetBasicBlockTerminator(before);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(from); k++)
        if (LLVMGetSuccessor(from, k) == head) LLVMSetSuccessor(from, k, step);
    l_each_insn(head, i) {
        if (!LLVMIsAPHINode(i)) break;
        for (unsigned k = 0; k < 2; k++)
            if (LLVMGetIncomingBlock(i, k) == before) LLVMSetOperand(i, k, now(&of, i));
    }
    change_source(b, head, before, step);
    free(in);
    map_deinit(&of);
    LLVMDisposeBuilder(b);
}

static bool split_some_loop(const struct rg_fn *f)
{
    for (unsigned l = 0; l < f->nloops; l++) {
        if (!can_be_in_step(f, l) || is_seen(f, f->loops[l].header)) continue;
        split_loop(f, &f->loops[l]);
        return true;
    }
    return false;
}

unsigned nat_split_groups(struct rg_fn *f, struct arena *a,
                          void (*build)(struct rg_fn *, LLVMValueRef fn, struct arena *),
                          struct str *remarks)
{
    unsigned n = 0;
    for (; n < MOST_TIMES && !f->may_part && !f->irreducible; n++) {
        LLVMValueRef fn = f->fn;
        struct place p = {.f = f, .in = mem_alloc(f->nblocks)};
        const bool guard = find(&p), found = guard || split_some_loop(f);
        if (guard) split(&p);
        free(p.in);
        if (!found) break;
        rg_fn_deinit(f);
        build(f, fn, a);
    }
    if (n)
        str_printf(remarks,
                   "%u branch%s around loops, or out of them, decided for all work-items at once, "
                   "where they agree [guards]\n",
                   n, n == 1 ? "" : "es");
    return n;
}

// SPDX-License-Identifier: MIT
// Builds a region: loops over the work-items around a copy of its blocks (work-item loops of pocl;
// thread loops of MCUDA, Stratton et al., LCPC 2008). Invariant: only accesses that are independent
// between work-items are marked parallel.
#include "native/workgroup.h"

#include "bytecode/bytecode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Whether an access is independent between work-items: memory that they cannot share, or memory
// that the program itself shares between them.
static bool is_parallel(struct nat_gen *g, LLVMValueRef i)
{
    LLVMValueRef p = nat_pointer_of(i);
    if (!p || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    if (space >= 1 && space <= 3) return !nat_is_hazard(g, p);
    LLVMValueRef a = nat_root(p);
    uint64_t *s = a ? map_get_ptr(&g->slot_of, a) : NULL;
    return s && g->slot[*s - 1].storage == STORAGE_ARRAY &&
           (g->slots->data[*s - 1].own || !nat_is_hazard(g, p));
}

static bool is_collected(LLVMValueRef i)
{
    LLVMValueRef f = LLVMGetInstructionOpcode(i) == LLVMCall ? l_callee(i) : NULL;
    return f && str_starts(l_name(f), NAT_COLLECT);
}

// The collective call that the region begins with, of the work-group or of sub-groups; NULL if
// there is none.
static LLVMValueRef collected(const struct nat_gen *g, unsigned block)
{
    LLVMValueRef first = g->f->blocks[block].first;
    return first && is_collected(first) ? first : NULL;
}

bool nat_is_of_sub_groups(LLVMValueRef inst)
{
    return is_collected(inst) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 1)) >> 24 == BC_SCOPE_SUB_GROUP;
}

bool nat_waits_for_sub_group(const struct nat_gen *g, unsigned block)
{
    LLVMValueRef call = collected(g, block);
    return call && nat_is_of_sub_groups(call);
}

// Calls the run time once for all work-items that are at the head of the region.
static void collect(struct nat_gen *g, const struct nat_region *r)
{
    LLVMValueRef call = collected(g, r->start);
    if (!call) return;
    uint64_t *slot = map_get_ptr(&g->slot_of, LLVMGetOperand(call, 0));
    assert(slot && g->slot[*slot - 1].storage == STORAGE_ARRAY);
    const struct nat_slot_storage *put = &g->slot[*slot - 1];
    LLVMValueRef n =
        LLVMBuildMul(g->b, LLVMBuildMul(g->b, g->size[0], g->size[1], ""), g->size[2], "");
    LLVMValueRef args[] = {put->memory,
                           nat_k64(g, l_size(g->m, put->type)),
                           n,
                           g->at ? g->at : LLVMConstNull(g->ptr),
                           LLVMConstInt(g->i32, (uint64_t)(r - g->w->regions), false),
                           LLVMGetOperand(call, 1),
                           LLVMGetOperand(call, 2),
                           LLVMGetOperand(call, 3),
                           LLVMConstInt(g->i32, g->shape->sub_group, false)};
    LLVMTypeRef types[9];
    for (unsigned k = 0; k < 9; k++) types[k] = LLVMTypeOf(args[k]);
    LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(g->c), types, 9, false);
    LLVMValueRef fn = LLVMGetNamedFunction(g->m, NAT_COLLECT_ALL);
    if (!fn) fn = LLVMAddFunction(g->m, NAT_COLLECT_ALL, t);
    LLVMBuildCall2(g->b, t, fn, args, 9, "");
}

// The running conjunction of the conditions, up to this work-item. A cut uses the value that the
// last work-item leaves.
static LLVMValueRef and_all(struct nat_gen *g, LLVMValueRef condition)
{
    LLVMValueRef v =
        LLVMBuildAnd(g->b, LLVMBuildLoad2(g->b, LLVMTypeOf(condition), g->all, ""), condition, "");
    LLVMBuildStore(g->b, v, g->all);
    return v;
}

/** Leaves the function if `bad`; the builder goes on where it does not hold. */
static void leave_if(struct nat_gen *g, LLVMValueRef bad)
{
    LLVMBasicBlockRef leave = nat_block(g, "anomaly"), go_on = nat_block(g, "");
    LLVMBuildCondBr(g->b, bad, leave, go_on);
    nat_at_end(g, leave);
    LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(g->c), NULL, 0, false);
    LLVMValueRef f = LLVMGetNamedFunction(g->m, NAT_ANOMALY);
    if (!f) f = LLVMAddFunction(g->m, NAT_ANOMALY, t);
    LLVMBuildCall2(g->b, t, f, NULL, 0, "");
    LLVMBuildUnreachable(g->b);
    nat_at_end(g, go_on);
}

void nat_begin_checks(struct nat_gen *g)
{
    if (!g->shape->checks) return;
    LLVMBuildStore(g->b, LLVMConstNull(g->i32), g->anomaly);
    LLVMBuildStore(g->b, nat_field(g, NAT_TICKS), g->ticks);
    for (unsigned k = 0; k < NAT_COUNTS; k++) LLVMBuildStore(g->b, nat_k64(g, 0), g->counts[k]);
}

static void add_to(struct nat_gen *g, LLVMValueRef sum, LLVMValueRef v)
{
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, LLVMBuildLoad2(g->b, g->i64, sum, ""), v, ""), sum);
}

void nat_end_checks(struct nat_gen *g)
{
    if (!g->shape->checks) return;
    LLVMValueRef left = LLVMBuildLoad2(g->b, g->i64, g->ticks, ""),
                 late = LLVMBuildICmp(g->b, LLVMIntSLT, left, nat_k64(g, 0), ""),
                 bad = LLVMBuildIsNotNull(g->b, LLVMBuildLoad2(g->b, g->i32, g->anomaly, ""), "");
    leave_if(g, LLVMBuildOr(g->b, bad, late, ""));
    for (unsigned k = 0; k < NAT_COUNTS; k++) {
        LLVMValueRef at = nat_k64(g, NAT_FIRST_COUNT + k);
        add_to(g, LLVMBuildInBoundsGEP2(g->b, g->i64, g->launch, &at, 1, ""),
               LLVMBuildLoad2(g->b, g->i64, g->counts[k], ""));
    }
}

/** Expands NAT_CHECK, NAT_CHECK_NOW, NAT_COUNT and NAT_TICK. */
static bool check(struct nat_gen *g, LLVMValueRef call)
{
    const char *name = l_callee(call) ? l_name(l_callee(call)) : "";
    if (!strcmp(name, NAT_CHECK_NOW)) {
        leave_if(g, LLVMBuildNot(g->b, nat_value_now(g, LLVMGetOperand(call, 0)), ""));
        return true;
    }
    if (!strcmp(name, NAT_CHECK)) {
        LLVMValueRef bad = LLVMBuildNot(g->b, nat_value_now(g, LLVMGetOperand(call, 0)), "");
        LLVMValueRef was = LLVMBuildLoad2(g->b, g->i32, g->anomaly, "");
        LLVMBuildStore(g->b, LLVMBuildOr(g->b, was, LLVMBuildZExt(g->b, bad, g->i32, ""), ""),
                       g->anomaly);
        return true;
    }
    if (!strcmp(name, NAT_COUNT)) {
        const uint64_t which = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
        add_to(g, g->counts[which], nat_value_now(g, LLVMGetOperand(call, 0)));
        return true;
    }
    if (strcmp(name, NAT_TICK) != 0) return false;
    LLVMValueRef left = LLVMBuildSub(g->b, LLVMBuildLoad2(g->b, g->i64, g->ticks, ""),
                                     nat_value_now(g, LLVMGetOperand(call, 0)), "");
    LLVMBuildStore(g->b, left, g->ticks);
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)))
        leave_if(g, LLVMBuildICmp(g->b, LLVMIntSLT, left, nat_k64(g, 0), ""));
    return true;
}

static bool is_lane_call(LLVMValueRef i)
{
    LLVMValueRef f = LLVMGetInstructionOpcode(i) == LLVMCall ? l_callee(i) : NULL;
    return f && str_starts(l_name(f), "cldbg.v");
}

static void copy_insn(struct nat_gen *g, LLVMValueRef i, bool at_cut)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMAlloca) return;
    if (op == LLVMCall) {
        LLVMValueRef callee = l_callee(i), is = nat_work_item(g, i);
        if (callee &&
            (l_is_intrinsic(callee, "lifetime.start") || l_is_intrinsic(callee, "lifetime.end")))
            return;
        if (is) {
            nat_now_is(g, i, is);
            return;
        }
        if (check(g, i)) return;
        if (callee && !strcmp(l_name(callee), NAT_ALL)) {
            LLVMValueRef condition = nat_value_now(g, LLVMGetOperand(i, 0));
            nat_now_is(g, i, at_cut ? and_all(g, condition) : condition);
            return;
        }
        if (is_collected(i)) { // done for all, at the head: the result follows two words
            LLVMValueRef two = nat_k64(g, 2),
                         at = LLVMBuildInBoundsGEP2(
                             g->b, g->i64, nat_value_now(g, LLVMGetOperand(i, 0)), &two, 1, "");
            nat_now_is(g, i, LLVMBuildLoad2(g->b, g->i64, at, ""));
            return;
        }
    }
    LLVMValueRef c = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(g->b, c);
    for (int k = LLVMGetNumOperands(i); k-- > 0;)
        LLVMSetOperand(c, (unsigned)k, nat_value_now(g, LLVMGetOperand(i, (unsigned)k)));
    if (is_parallel(g, i)) LLVMSetMetadata(c, g->access_kind, LLVMMetadataAsValue(g->c, g->access));
    nat_now_is(g, i, c);
}

// Marks a branch that may be the latch of a loop of the program as an ordinary loop. When LLVM
// folds the branch of a loop over work-items that runs once, the loop's metadata stays on the
// remaining branch, and an outer loop would inherit the claim that its accesses are parallel.
void nat_ordinary_loop(struct nat_gen *g, LLVMValueRef branch)
{
    char tag[32];
    snprintf(tag, sizeof tag, "cldbg.loop.%u", ++g->nloops);
    LLVMMetadataRef part = LLVMMDStringInContext2(g->c, tag, strlen(tag));
    LLVMSetMetadata(branch, g->loop_kind,
                    LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, &part, 1)));
}

// Builds the branch at the end of a cut, to the heads of regions; it is taken once for the group.
static void branch_after_cut(struct nat_gen *g, unsigned b)
{
    const struct rg_block *B = &g->f->blocks[b];
    if (B->end == RG_BARRIER || B->nsucc == 1) {
        nat_ordinary_loop(g, LLVMBuildBr(g->b, g->heads[g->w->region_at[B->succ[0]]]));
        return;
    }
    LLVMValueRef cond = LLVMGetOperand(B->stop, 0), now = cond;
    if (LLVMIsALoadInst(cond)) {
        uint64_t *s = map_get_ptr(&g->slot_of, nat_pointer_of(cond));
        assert(s);
        struct nat_slot_storage *t = &g->slot[*s - 1];
        now = LLVMBuildLoad2(g->b, t->type, t->memory,
                             ""); // from an array: the value of the first work-item
    } else {
        now = nat_value_now(g, cond);
    }
    LLVMValueRef c = LLVMInstructionClone(B->stop);
    LLVMSetOperand(c, 0, now);
    for (unsigned k = 0; k < B->nsucc; k++)
        LLVMSetSuccessor(c, k, g->heads[g->w->region_at[B->succ[k]]]);
    LLVMInsertIntoBuilder(g->b, c);
    nat_ordinary_loop(g, c);
}

// ---- a region

struct nest {
    LLVMBasicBlockRef head[3], latch[3], body, done;
    LLVMValueRef id[3];
};

static void parallel_loop(struct nat_gen *g, LLVMValueRef latch_branch)
{
    // nat_flatten turns this node into a distinct one that names itself first.
    char tag[32];
    snprintf(tag, sizeof tag, "cldbg.loop.%u", ++g->nloops);
    LLVMMetadataRef accesses[] = {LLVMMDStringInContext2(g->c, "llvm.loop.parallel_accesses", 27),
                                  g->access};
    LLVMMetadataRef whole = LLVMMDStringInContext2(g->c, "llvm.loop.unroll.disable", 24);
    LLVMMetadataRef parts[4] = {LLVMMDStringInContext2(g->c, tag, strlen(tag)),
                                LLVMMDNodeInContext2(g->c, accesses, 2)};
    unsigned n = 2;
    // If values stay in registers, the loop must not be unrolled before it is vectorized.
    if (g->in_registers || l_loop_metadata_spreads())
        parts[n++] = LLVMMDNodeInContext2(g->c, &whole, 1);
    if (g->calls_lanes) {
        LLVMMetadataRef enable[] = {
            LLVMMDStringInContext2(g->c, "llvm.loop.vectorize.enable", 26),
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt1TypeInContext(g->c), 1, false))};
        parts[n++] = LLVMMDNodeInContext2(g->c, enable, 2);
    }
    LLVMSetMetadata(latch_branch, g->loop_kind,
                    LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, parts, n)));
}

// Opens loops over z, y and x; afterwards the builder is positioned in the body.
static void open_nest(struct nat_gen *g, struct nest *n)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int d = 2; d >= 0; d--) {
        n->head[d] = nat_block(g, names[d]);
        n->latch[d] = nat_block(g, "next");
    }
    n->done = nat_block(g, "done");
    for (int d = 2; d >= 0; d--) {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
        LLVMBuildBr(g->b, n->head[d]);
        nat_at_end(g, n->head[d]);
        n->id[d] = LLVMBuildPhi(g->b, g->i64, names[d]);
        LLVMValueRef zero = nat_k64(g, 0);
        LLVMAddIncoming(n->id[d], &zero, &from, 1);
    }
    for (unsigned d = 0; d < 3; d++)
        g->local[d] = g->origin[d] ? LLVMBuildNUWAdd(g->b, g->origin[d], n->id[d], "") : n->id[d];
    g->item = nat_linear(g, n->id, g->extent);
}

// A loop that runs once is removed, and its metadata may remain.
static bool runs_once(LLVMValueRef extent)
{
    return LLVMIsAConstantInt(extent) && LLVMConstIntGetZExtValue(extent) == 1;
}

static void close_nest(struct nat_gen *g, struct nest *n)
{
    for (int d = 0; d < 3; d++) {
        nat_at_end(g, n->latch[d]);
        LLVMValueRef up = LLVMBuildAdd(g->b, n->id[d], nat_k64(g, 1), "");
        LLVMSetNUW(up, true);
        LLVMSetNSW(up, true);
        LLVMAddIncoming(n->id[d], &up, &n->latch[d], 1);
        LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntULT, up, g->extent[d], "");
        LLVMValueRef branch =
            LLVMBuildCondBr(g->b, more, n->head[d], d < 2 ? n->latch[d + 1] : n->done);
        if (d == 0 && !(l_loop_metadata_spreads() && runs_once(g->extent[0])))
            parallel_loop(g, branch); // the loop to vectorize
        else nat_ordinary_loop(g, branch);
    }
    nat_at_end(g, n->done);
}

static bool touches(struct nat_gen *g, const struct nat_region *r, size_t slot)
{
    for (unsigned b = 0; b < g->f->nblocks; b++)
        if (r->has[b] && nat_accesses(g, slot)[b]) return true;
    return false;
}

static bool leaf_only(struct nat_gen *g, const struct nat_region *r)
{
    const struct rg_block *B = &g->f->blocks[r->start];
    return r->leaves[r->start] && !B->first;
}

static void go_on(struct nat_gen *g, const struct nat_region *r)
{
    if (g->at) {
        nat_continue_on(g);
        return;
    }
    LLVMValueRef sw = NULL;
    if (r->nleaves > 1) {
        LLVMValueRef where = LLVMBuildLoad2(g->b, g->i32, g->next, "");
        LLVMBasicBlockRef never = nat_block(g, "");
        sw = LLVMBuildSwitch(g->b, where, never, r->nleaves);
        nat_at_end(g, never);
        LLVMBuildUnreachable(g->b);
    }
    for (unsigned b = 0; b < g->f->nblocks; b++) {
        if (!r->leaves[b]) continue;
        if (sw) {
            LLVMBasicBlockRef here = nat_block(g, "");
            LLVMAddCase(sw, LLVMConstInt(g->i32, b, false), here);
            nat_at_end(g, here);
        }
        if (g->f->blocks[b].end == RG_RETURN) nat_ordinary_loop(g, LLVMBuildBr(g->b, g->group_end));
        else branch_after_cut(g, b);
    }
}

void nat_region_loops(struct nat_gen *g, const struct nat_region *r)
{
    const struct rg_fn *f = g->f;
    struct nest n;
    nat_at_end(g, g->heads[r - g->w->regions]);
    if (leaf_only(g, r) && !g->at) { // the region is empty
        go_on(g, r);
        return;
    }
    bool *in = mem_alloc(g->slots->len + 1);
    LLVMValueRef *before = mem_alloc((g->slots->len + 1) * sizeof *before);
    for (size_t k = 0; k < g->slots->len; k++) {
        in[k] = g->slot[k].storage == STORAGE_SCALAR && touches(g, r, k);
        if (in[k]) before[k] = LLVMBuildLoad2(g->b, g->slot[k].type, g->slot[k].memory, "");
    }
    LLVMBuildStore(g->b, LLVMConstInt(LLVMInt1TypeInContext(g->c), 1, false), g->all);
    g->calls_lanes = false;
    collect(g, r);
    nat_find_hazards(g, r);
    open_nest(g, &n);
    if (g->at) nat_continue_enter(g, r, n.latch[0]);
    for (size_t k = 0; k < g->slots->len; k++)
        if (in[k]) LLVMBuildStore(g->b, before[k], g->slot[k].own);
    nat_bind_slots(g);
    nat_corrupt_value(g, r);
    LLVMBasicBlockRef *copy = mem_alloc(f->nblocks * sizeof *copy), end = nat_block(g, "end");
    for (unsigned b = 0; b < f->nblocks; b++)
        if (r->has[b]) copy[b] = nat_block(g, "");
    LLVMBuildBr(g->b, copy[r->start]);
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (!r->has[b]) continue;
        const struct rg_block *B = &f->blocks[b];
        nat_at_end(g, copy[b]);
        for (LLVMValueRef i = B->first; i && i != B->stop; i = LLVMGetNextInstruction(i)) {
            copy_insn(g, i, r->leaves[b]);
            g->calls_lanes |= is_lane_call(i);
        }
        if (r->leaves[b]) {
            if (g->at) nat_continue_leave(g, b);
            else if (r->nleaves > 1) LLVMBuildStore(g->b, LLVMConstInt(g->i32, b, false), g->next);
            LLVMBuildBr(g->b, end);
        } else if (B->end == RG_BARRIER) {
            LLVMBuildBr(g->b, copy[B->succ[0]]);
        } else {
            LLVMValueRef c = LLVMInstructionClone(B->stop);
            if (B->nsucc > 1) LLVMSetOperand(c, 0, nat_value_now(g, LLVMGetOperand(B->stop, 0)));
            for (unsigned k = 0; k < B->nsucc; k++) LLVMSetSuccessor(c, k, copy[B->succ[k]]);
            LLVMInsertIntoBuilder(g->b, c);
        }
    }
    nat_at_end(g, end);
    for (size_t k = 0; k < g->slots->len; k++)
        if (in[k])
            LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, g->slot[k].type, g->slot[k].own, ""),
                           g->slot[k].memory);
    LLVMBuildBr(g->b, n.latch[0]);
    close_nest(g, &n);
    go_on(g, r);
    free(copy);
    free(before);
    free(in);
}

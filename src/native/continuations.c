// SPDX-License-Identifier: MIT
// Work-item continuations: work-items of a group may wait at different barriers, and each resumes
// from its own. The technique is the continuation-based barrier of Karrenberg and Hack, "Improving
// performance of OpenCL on CPUs" (CC 2012), with one state for each work-item.
//
// If it is not proved that all work-items of a group leave a region at the same point, control
// moves from region to region for each work-item instead of for the group: an array holds the
// region of each work-item. A region is run for the work-items that are in it. A work-item that
// waits at a barrier records the region after it. When no work-item can run, all waiting ones are
// released. When none waits, the group is done:
//
//   group:     at[every item] = 0
//   dispatch:  r = next(at): a region that some are in. If there is none, release the waiting ones.
//              If none waits: end of the group
//   region r:  for z, y, x: if (at[item] != r) continue; …
//              at[item] = ~(region after the barrier), or NAT_RETURNED
//              goto dispatch
//
// Work-items that wait at a sub-group function are released first: when no work-item of the
// sub-group can run, together with the others of the sub-group that wait at the same function. By
// then every work-item that can reach it has done so. Such functions therefore combine the
// work-items of a sub-group that are converged, and the others may take other paths.
//
// A work-item that has finished an iteration of a loop that waits for others (spins.c) resumes when
// no other work-item can run, but before those at a barrier are released. It may still reach the
// point where others of its sub-group are. Sub-groups, and work-items outside of sub-group
// functions, may thus wait for one another in loops. If a part of a sub-group holds a lock at a
// sub-group function while the other part waits for the lock, the kernel never ends, as on a GPU.
//
// In a legal kernel all work-items are in the same region each time, so the effect is that of the
// other form, plus a test for each work-item. In an illegal kernel the behavior is still defined: a
// barrier releases all work-items that wait at any barrier, and does not wait for those that have
// returned. No work-item waits forever at a barrier, and a work-item ends if it would end without
// barriers.
//
// Invariant: only work-item `item` accesses at[item], so that the vectorizer sees no shared memory.
#include "native/workgroup.h"

#include <assert.h>

static LLVMValueRef own_resume_point(struct nat_gen *g)
{
    return LLVMBuildInBoundsGEP2(g->b, g->i32, g->at, &g->item, 1, "");
}

static void is_own(struct nat_gen *g, LLVMValueRef access)
{
    LLVMSetMetadata(access, g->access_kind, LLVMMetadataAsValue(g->c, g->access));
}

void nat_continue_make(struct nat_gen *g)
{
    bool several = false;
    for (unsigned r = 0; r < g->w->nregions; r++) several |= g->w->regions[r].nleaves > 1;
    if (!g->w->fn->may_part || !several) return;
    g->at = LLVMBuildArrayAlloca(g->b, g->i32, g->items, "at");
    LLVMSetAlignment(g->at, 64);
}

void nat_continue_group(struct nat_gen *g)
{
    LLVMValueRef n =
        LLVMBuildMul(g->b, LLVMBuildMul(g->b, g->size[0], g->size[1], ""), g->size[2], "");
    LLVMBuildMemSet(g->b, g->at, LLVMConstInt(LLVMInt8TypeInContext(g->c), 0, false),
                    LLVMBuildMul(g->b, n, nat_k64(g, 4), ""), 64);
    g->dispatch = nat_block(g, "dispatch");
    LLVMBuildBr(g->b, g->dispatch);
    nat_at_end(g, g->dispatch);
    LLVMTypeRef types[] = {g->ptr, g->i64, g->i32}, t = LLVMFunctionType(g->i32, types, 3, false);
    LLVMValueRef next = LLVMGetNamedFunction(g->m, NAT_NEXT),
                 args[] = {g->at, n, LLVMConstInt(g->i32, g->shape->sub_group, false)};
    if (!next) next = LLVMAddFunction(g->m, NAT_NEXT, t);
    LLVMValueRef sw = LLVMBuildSwitch(g->b, LLVMBuildCall2(g->b, t, next, args, 3, ""),
                                      g->group_end, g->w->nregions);
    for (unsigned r = 0; r < g->w->nregions; r++)
        LLVMAddCase(sw, LLVMConstInt(g->i32, r, false), g->heads[r]);
}

void nat_continue_enter(struct nat_gen *g, const struct nat_region *r, LLVMBasicBlockRef not_in_it)
{
    LLVMBasicBlockRef in = nat_block(g, "in");
    LLVMValueRef at = LLVMBuildLoad2(g->b, g->i32, own_resume_point(g), "");
    is_own(g, at);
    LLVMValueRef here = LLVMConstInt(g->i32, (uint64_t)(r - g->w->regions), false);
    nat_ordinary_loop(
        g, LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, at, here, ""), in, not_in_it));
    nat_at_end(g, in);
}

void nat_continue_leave(struct nat_gen *g, unsigned block)
{
    const struct rg_block *b = &g->f->blocks[block];
    int32_t at = NAT_RETURNED;
    if (b->end != RG_RETURN) {
        assert(b->nsucc == 1); // if work-items may diverge, only barriers and waiting loops are cut
        const int next = g->w->region_at[b->succ[0]];
        at = ~(b->end != RG_BARRIER                     ? next | NAT_YIELDS
               : nat_waits_for_sub_group(g, b->succ[0]) ? next | NAT_SUB_WAIT
                                                        : next);
    }
    is_own(g, LLVMBuildStore(g->b, LLVMConstInt(g->i32, (uint64_t)(int64_t)at, true),
                             own_resume_point(g)));
}

void nat_continue_on(struct nat_gen *g) { nat_ordinary_loop(g, LLVMBuildBr(g->b, g->dispatch)); }

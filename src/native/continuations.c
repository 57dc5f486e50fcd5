// SPDX-License-Identifier: MIT
// Work-items that need not come to the same barrier: each goes on from its own.
//
// Where it is not proved that all work-items of a group leave a region at the same place, the group
// does not go from region to region, but each of its work-items does: in an array stands for each
// the region that it is in. A region is run for those that are in it; a barrier they wait at says
// where each will go on. When nobody is left to run, all that wait are let go, and when nobody
// waits, the group is done:
//
//   group:     at[every item] = 0
//   dispatch:  r = next(at): a region that some are in. If there is none, all who wait go on. None
//              of those either: group's end
//   region r:  for z, y, x: if (at[item] != r) continue; …; at[item] = ~(region behind the
//              barrier), or NAT_RETURNED
//              goto dispatch
//
// Who waits at a function of sub-groups is let go first, when nobody of the sub-group can run, with
// the others of it that wait at the same one: by then all that can come there have. So such
// functions work with those of a sub-group that are together, and the others may take other ways.
//
// Who has gone round in a loop that waits for others (spins.c) goes on when nobody else can but
// those who are at a barrier. It may still come to where others of its sub-group are. So
// sub-groups, and work-items outside of what a whole sub-group does together, wait for one another
// as long as they like; a sub-group that has a lock at a function of sub-groups while others of the
// same sub-group wait for the lock never ends, here as on a GPU.
//
// Of a legal kernel all are in the same region each time, so that is what the other form does, with
// a test for each work-item. Of an illegal one it is still defined: a barrier lets go whoever waits
// at any barrier, and does not wait for those who have returned; so nobody waits for ever, and a
// work-item ends if it does without barriers.
//
// Nothing of it shows to the vectoriser as shared: at[item] is the work-item's own.
#include "native/workgroup.h"

#include <assert.h>

static LLVMValueRef own_place(struct nat_gen *g)
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
    LLVMValueRef at = LLVMBuildLoad2(g->b, g->i32, own_place(g), "");
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
        assert(b->nsucc ==
               1); // nothing is cut but barriers and loops that wait where work-items may part
        const int next = g->w->region_at[b->succ[0]];
        at = ~(b->end != RG_BARRIER                     ? next | NAT_YIELDS
               : nat_waits_for_sub_group(g, b->succ[0]) ? next | NAT_SUB_WAIT
                                                        : next);
    }
    is_own(g,
           LLVMBuildStore(g->b, LLVMConstInt(g->i32, (uint64_t)(int64_t)at, true), own_place(g)));
}

void nat_continue_on(struct nat_gen *g) { nat_ordinary_loop(g, LLVMBuildBr(g->b, g->dispatch)); }

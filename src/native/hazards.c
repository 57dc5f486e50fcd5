// SPDX-License-Identifier: MIT
// Finds accesses that must not be marked parallel (llvm.loop.parallel_accesses), because of
// dependences within one work-item.
//
// If all accesses of a loop are marked parallel, LLVM's vectorizer (19) ignores all dependences,
// including those within an iteration: it sinks strided stores that it combines into one wide store
// to the last of them, hoists loads, and so moves them past each other. Therefore, if a work-item
// stores to an object and then reads from it in the same region, these accesses are not marked, and
// LLVM does its own dependence analysis. The same holds for two stores with a store to the same
// object between them that is not at a constant distance.
#include "native/workgroup.h"

#include "llvm/ir.h"

#include <string.h>

// A value that is live across blocks goes through a slot (demote.c), with one store.
static LLVMValueRef from_slot(const struct nat_gen *g, LLVMValueRef load)
{
    uint64_t *slot = map_get_ptr(&g->slot_of, LLVMGetOperand(load, 0));
    LLVMValueRef stored = NULL;
    if (!slot || !g->slots->data[*slot - 1].own) return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(load, 0)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAStoreInst(user)) continue;
        if (stored) return NULL; // the slot of a phi
        stored = LLVMGetOperand(user, 0);
    }
    return stored;
}

static LLVMValueRef strip(const struct nat_gen *g, LLVMValueRef p, bool constant_only)
{
    while (LLVMIsAInstruction(p)) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(p);
        LLVMValueRef v = op == LLVMLoad ? from_slot(g, p) : NULL;
        if (v) {
            p = v;
            continue;
        }
        if (op != LLVMGetElementPtr && op != LLVMBitCast && op != LLVMAddrSpaceCast &&
            op != LLVMFreeze)
            break;
        for (int k = 1; op == LLVMGetElementPtr && constant_only && k < LLVMGetNumOperands(p); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, (unsigned)k))) return p;
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

// The object that a pointer is based on, if it is known to be disjoint from others; otherwise NULL.
static LLVMValueRef object(const struct nat_gen *g, LLVMValueRef p)
{
    LLVMValueRef b = strip(g, p, false);
    if (LLVMIsAAllocaInst(b)) return b;
    if (LLVMIsACallInst(b) && l_callee(b) && !strcmp(l_name(l_callee(b)), NAT_SHADOW))
        return LLVMGetOperand(b, 0); // a constant, which no pointer is
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(b));
    const bool is_local = space == 3 && (LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b));
    return is_local || (g->shape->apart && (LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b))) ? b
                                                                                             : NULL;
}

struct search {
    struct map
        stored; // object → the base that the last store's pointer has a constant distance from
    struct map passed; // such bases, if a store to another part of the object came after
    bool any_store, unknown_store;
};

static void look_at(struct nat_gen *g, struct search *x, LLVMValueRef i)
{
    LLVMValueRef p = nat_pointer_of(i);
    uint64_t *slot = p ? map_get_ptr(&g->slot_of, p) : NULL;
    if (!p || (slot && g->slots->data[*slot - 1].own)) return;
    LLVMValueRef o = object(g, p), near = strip(g, p, true);
    const bool is_store = LLVMIsAStoreInst(i) != NULL;
    uint64_t *before = o ? map_get_ptr(&x->stored, o) : NULL;
    if (is_store && before && *before != (uintptr_t)near) map_put(&x->passed, *before, NULL);
    if (o ? before && (!is_store || map_get_ptr(&x->passed, near)) : x->any_store) {
        if (o) *map_put_ptr(&g->hazards, o, NULL) = 1;
        else g->all_hazardous = true;
    }
    g->all_hazardous |= o && x->unknown_store && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 3;
    if (!is_store) return;
    x->any_store = true;
    x->unknown_store |= !o;
    if (o) *map_put_ptr(&x->stored, o, NULL) = (uintptr_t)near;
}

// Whether the block is in a loop of the region: its code runs several times, and LLVM may unroll
// it.
static bool goes_round(const struct nat_gen *g, const struct nat_region *r, unsigned b)
{
    const struct rg_fn *f = g->w->fn;
    for (int l = f->blocks[b].loop; l >= 0; l = f->loops[l].parent) {
        bool cut = !r->has[f->loops[l].header];
        for (unsigned k = f->loops[l].header; k <= f->loops[l].last && !cut; k++)
            cut = g->w->cut[k];
        if (!cut) return true;
    }
    return false;
}

void nat_find_hazards(struct nat_gen *g, const struct nat_region *r)
{
    struct search x = {0};
    map_deinit(&g->hazards);
    g->hazards = (struct map){0};
    g->all_hazardous = false;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned b = 0; b < g->f->nblocks; b++) {
            if (!r->has[b] || (round && !goes_round(g, r, b))) continue;
            for (LLVMValueRef i = g->f->blocks[b].first; i && i != g->f->blocks[b].stop;
                 i = LLVMGetNextInstruction(i))
                look_at(g, &x, i);
        }
    map_deinit(&x.stored);
    map_deinit(&x.passed);
}

bool nat_is_hazard(const struct nat_gen *g, LLVMValueRef pointer)
{
    LLVMValueRef o = object(g, pointer);
    return g->all_hazardous || (o && map_get_ptr(&g->hazards, o));
}

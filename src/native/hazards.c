// SPDX-License-Identifier: MIT
// What the claim that accesses are parallel must leave out.
//
// Of a loop whose accesses are all said to be parallel LLVM's vectoriser (19) knows no dependences at all, not even those within an iteration: stores
// with a stride that it gathers to one wide store go down to the last of them, and loads go up, past each other. So where a work-item stores
// to an object and then reads from it in the same region, those accesses are not said to be parallel, and LLVM looks for itself. The same holds
// for stores between which others to the object stand that are not at a constant distance from them.
#include "native/workgroup.h"

#include "llvm/ir.h"

#include <string.h>

static LLVMValueRef strip(LLVMValueRef p, bool constant_only)
{
    while (LLVMIsAInstruction(p)) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(p);
        if (op != LLVMGetElementPtr && op != LLVMBitCast && op != LLVMAddrSpaceCast && op != LLVMFreeze) break;
        for (int k = 1; op == LLVMGetElementPtr && constant_only && k < LLVMGetNumOperands(p); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, (unsigned)k))) return p;
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

// The object that a pointer leads to, as far as it can be told from others, else NULL.
static LLVMValueRef object(const struct nat_gen *g, LLVMValueRef p)
{
    LLVMValueRef b = strip(p, false);
    if (LLVMIsAAllocaInst(b)) return b;
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(b));
    const bool is_local = space == 3 && (LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b));
    return is_local || (g->shape->apart && (LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b))) ? b : NULL;
}

void nat_find_hazards(struct nat_gen *g, const struct nat_region *r)
{
    struct map stored = {0}; // object → what the last store's pointer is at a constant distance from
    struct map passed = {0}; // such pointers, when a store elsewhere in the object came behind
    bool any_store = false, unknown_store = false;
    map_deinit(&g->hazards);
    g->hazards = (struct map){0};
    g->all_hazardous = false;
    for (unsigned b = 0; b < g->f->nblocks; b++) {
        if (!r->has[b]) continue;
        for (LLVMValueRef i = g->f->blocks[b].first; i && i != g->f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = nat_pointer_of(i);
            uint64_t *slot = p ? map_get_ptr(&g->slot_of, p) : NULL;
            if (!p || (slot && g->slots->data[*slot - 1].own)) continue;
            LLVMValueRef o = object(g, p), near = strip(p, true);
            const bool is_store = LLVMIsAStoreInst(i) != NULL;
            uint64_t *before = o ? map_get_ptr(&stored, o) : NULL;
            if (is_store && before && *before != (uintptr_t)near) map_put(&passed, *before, NULL);
            if (o ? before && (!is_store || map_get_ptr(&passed, near)) : any_store) {
                if (o) *map_put_ptr(&g->hazards, o, NULL) = 1;
                else g->all_hazardous = true;
            }
            g->all_hazardous |= o && unknown_store && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 3;
            if (!is_store) continue;
            any_store = true;
            unknown_store |= !o;
            if (o) *map_put_ptr(&stored, o, NULL) = (uintptr_t)near;
        }
    }
    map_deinit(&stored);
    map_deinit(&passed);
}

bool nat_is_hazard(const struct nat_gen *g, LLVMValueRef pointer)
{
    LLVMValueRef o = object(g, pointer);
    return g->all_hazardous || (o && map_get_ptr(&g->hazards, o));
}

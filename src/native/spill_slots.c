// SPDX-License-Identifier: MIT
// Storage of values that are live across blocks (context arrays of pocl; scalar expansion, Padua
// and Wolfe, "Advanced compiler optimizations for supercomputers", CACM 1986). A slot that only one
// region uses at a time is a single variable. A slot that carries a value from one region to
// another is an array over the work-items, or, if it is uniform, a scalar. An iteration works on a
// copy of the scalar. Invariant: each work-item sees the value from before the region.
#include "native/workgroup.h"

#include <string.h>

LLVMValueRef nat_pointer_of(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return LLVMGetOperand(i, 0);
    case LLVMStore: return LLVMGetOperand(i, 1);
    default: return NULL;
    }
}

// The alloca that a pointer is based on, through GEPs and casts; NULL if there is none.
LLVMValueRef nat_root(LLVMValueRef p)
{
    while (LLVMIsAInstruction(p) && (LLVMGetInstructionOpcode(p) == LLVMGetElementPtr ||
                                     LLVMGetInstructionOpcode(p) == LLVMBitCast ||
                                     LLVMGetInstructionOpcode(p) == LLVMAddrSpaceCast))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) ? p : NULL;
}

static void find_accesses(struct nat_gen *g)
{
    const struct rg_fn *f = g->f;
    g->first = mem_alloc(g->slots->len * f->nblocks + 1);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = nat_pointer_of(i);
            uint64_t *s = p ? map_get_ptr(&g->slot_of, p) : NULL;
            if (s && !nat_accesses(g, *s - 1)[b])
                nat_accesses(g, *s - 1)[b] = LLVMGetInstructionOpcode(i) == LLVMLoad ? 1 : 2;
        }
}

static bool taken_over(const struct nat_form *w, const struct rg_fn *f, const struct nat_region *r,
                       const char *access)
{
    bool *seen = mem_alloc(f->nblocks), found = false;
    VEC(unsigned) work = {0};
    vec_push(&work, r->start);
    while (work.len && !found) {
        unsigned b = vec_pop(&work);
        if (seen[b]) continue;
        seen[b] = true;
        if (access[b] == 1) found = true;
        if (access[b]) continue;
        for (unsigned k = 0; k < f->blocks[b].nsucc && !r->leaves[b]; k++)
            vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
    free(seen);
    return found;
}

// Whether all accesses of an object of the program are visible and in one region.
static bool stays_in_region(struct nat_gen *g, LLVMValueRef p, int *region)
{
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int b = LLVMIsAInstruction(i) ? rg_block_of(g->f, i) : -1;
        if (b < 0) continue;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad: break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) == p) return false;
            break;
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
            if (!stays_in_region(g, i, region)) return false;
            break;
        case LLVMCall: // (a collected value: the run time reads those of all work-items)
            if (strncmp(l_name(l_callee(i)), "llvm.", 5) &&
                strncmp(l_name(l_callee(i)), "cldbg-image", 11))
                return false;
            break;
        default: return false;
        }
        for (unsigned r = 0; r < g->w->nregions; r++) {
            if (!g->w->regions[r].has[b]) continue;
            if (*region >= 0 && *region != (int)r) return false;
            *region = (int)r;
        }
    }
    return true;
}

void nat_allocate_slots(struct nat_gen *g)
{
    const struct rg_fn *f = g->f;
    g->slot = mem_alloc((g->slots->len + 1) * sizeof *g->slot);
    for (size_t k = 0; k < g->slots->len; k++)
        *map_put_ptr(&g->slot_of, g->slots->data[k].alloca, NULL) = k + 1;
    find_accesses(g);
    for (size_t k = 0; k < g->slots->len; k++) {
        const struct nat_slot *s = &g->slots->data[k];
        struct nat_slot_storage *t = &g->slot[k];
        t->type = LLVMGetAllocatedType(s->alloca);
        if (!s->own) {
            int region = -1;
            t->storage = g->w->nregions > 1 && !stays_in_region(g, s->alloca, &region)
                             ? STORAGE_ARRAY
                             : STORAGE_SHARED;
            continue;
        }
        bool takes = false, at_cut = false;
        for (unsigned r = 0; r < g->w->nregions && !takes; r++)
            takes = taken_over(g->w, f, &g->w->regions[r], nat_accesses(g, k));
        for (unsigned b = 0; b < f->nblocks; b++) {
            LLVMValueRef stop = f->blocks[b].stop;
            at_cut |= g->w->cut[b] && f->blocks[b].nsucc > 1 &&
                      LLVMIsALoadInst(LLVMGetOperand(stop, 0)) &&
                      nat_pointer_of(LLVMGetOperand(stop, 0)) == s->alloca;
        }
        t->takes = takes;
        t->storage = !takes && !at_cut ? STORAGE_SHARED
                     : s->uniform      ? STORAGE_SCALAR
                                       : STORAGE_ARRAY;
    }
}

LLVMValueRef nat_variable(struct nat_gen *g, LLVMTypeRef t, const char *name)
{
    LLVMValueRef a = LLVMBuildAlloca(g->b, t, name);
    return a;
}

void nat_make_slots(struct nat_gen *g)
{
    for (size_t k = 0; k < g->slots->len; k++) {
        struct nat_slot_storage *s = &g->slot[k];
        const unsigned align = LLVMGetAlignment(g->slots->data[k].alloca);
        if (s->storage == STORAGE_ARRAY) {
            s->memory = LLVMBuildArrayAlloca(g->b, s->type, g->items, "carried");
            LLVMSetAlignment(s->memory, align > 64 ? align : 64);
        } else {
            s->memory = nat_variable(g, s->type, "");
            LLVMSetAlignment(s->memory, align);
        }
        if (s->storage == STORAGE_SCALAR) s->own = nat_variable(g, s->type, "");
    }
}

void nat_bind_slots(struct nat_gen *g)
{
    for (size_t k = 0; k < g->slots->len; k++) {
        struct nat_slot_storage *s = &g->slot[k];
        LLVMValueRef at = s->memory;
        if (s->storage == STORAGE_ARRAY)
            at = LLVMBuildInBoundsGEP2(g->b, s->type, s->memory, &g->item, 1, "");
        if (s->storage == STORAGE_SCALAR) at = s->own;
        nat_now_is(g, g->slots->data[k].alloca, at);
    }
}

// SPDX-License-Identifier: MIT
// Finds the functions in which ids of work-groups vary: kernels without barriers and local memory
// may be packed (several work-groups in one gang), and then a group's id is not uniform. In a
// function that other kernels call as well, group ids stay uniform, because barriers may depend on
// them. Those kernels have a packed variant instead: lower/kernel_variants.c.
#include "regions/regions.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static unsigned local_space(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == 3;
}

struct reach {
    struct rg_fn *fns;
    struct map *fn_of;
    bool *seen, alone; // alone: no barrier or local memory was found
};

static void visit(struct reach *r, unsigned k)
{
    if (r->seen[k]) return;
    r->seen[k] = true;
    const struct rg_fn *f = &r->fns[k];
    r->alone &= !f->has_barrier;
    for (unsigned p = 0; p < LLVMCountParams(f->fn); p++)
        r->alone &= !local_space(LLVMTypeOf(LLVMGetParam(f->fn, p)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int o = LLVMGetNumOperands(i); o-- > 0;) {
                LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
                if (LLVMIsABasicBlock(v)) continue;
                r->alone &= !local_space(LLVMTypeOf(v));
                const uint64_t *at = LLVMIsAFunction(v) ? map_get_ptr(r->fn_of, v) : NULL;
                if (at) visit(r, (unsigned)*at - 1);
            }
}

void rg_packing(struct rg_fn *fns, unsigned n)
{
    struct map fn_of = {0};
    bool *seen = mem_alloc(n + 1), *shared = mem_alloc(n + 1);
    for (unsigned k = 0; k < n; k++) *map_put_ptr(&fn_of, fns[k].fn, NULL) = k + 1;
    for (unsigned k = 0; k < n; k++) {
        fns[k].groups_vary = false;
        if (!rg_is_kernel(fns[k].fn)) continue;
        memset(seen, 0, n);
        struct reach r = {fns, &fn_of, seen, true};
        visit(&r, k);
        for (unsigned j = 0; j < n; j++) {
            fns[j].groups_vary |= seen[j] && r.alone;
            shared[j] |= seen[j] && !r.alone;
        }
    }
    for (unsigned k = 0; k < n; k++) fns[k].groups_vary &= !shared[k];
    free(seen);
    free(shared);
    map_deinit(&fn_of);
}

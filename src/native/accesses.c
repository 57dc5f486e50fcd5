// SPDX-License-Identifier: MIT
// Collects the memory accesses of a kernel and decides which pairs may alias (base-object alias
// analysis).
#include "native/term.h"

#include "llvm/ir.h"

#include <isl/options.h>
#include <string.h>

static LLVMValueRef base_of(LLVMValueRef p)
{
    LLVMValueRef b = nat_address(NULL, p, NULL);
    return LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b) ? b : NULL;
}

static bool is_private(LLVMValueRef p)
{
    return LLVMIsAAllocaInst(nat_address(NULL, p, NULL)) != NULL;
}

static void add_access(struct nat_space *s, LLVMValueRef i, unsigned block)
{
    struct nat_access a = {.insn = i, .block = block};
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef t = NULL;
    switch (op) {
    case LLVMLoad:
    case LLVMStore:
        a.pointer = LLVMGetOperand(i, op == LLVMStore);
        a.write = op == LLVMStore;
        a.plain = !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
        t = op == LLVMLoad ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: a.write = true; break;
    case LLVMCall: {
        LLVMValueRef f = l_callee(i);
        unsigned dim;
        char name[64];
        if (nat_id_of(i, &dim) || rg_barrier_of(i) != RG_NO_BARRIER) return;
        rg_callee_base_name(i, name, sizeof name);
        if (f && (str_starts(name, "get_") || str_starts(l_name(f), "cldbg.v") ||
                  str_starts(l_name(f), NAT_CHECK) || !strcmp(l_name(f), NAT_TICK) ||
                  !strcmp(l_name(f), NAT_COUNT) || l_is_intrinsic(f, "lifetime.start") ||
                  l_is_intrinsic(f, "lifetime.end")))
            return;
        if (f && str_starts(l_name(f), "llvm.") && !l_is_intrinsic(f, "memcpy") &&
            !l_is_intrinsic(f, "memset") && !l_is_intrinsic(f, "memmove"))
            return;
        a.write = true;
        break;
    }
    default: return;
    }
    if (a.pointer && is_private(a.pointer)) return;
    if (t) a.size = l_store_size(s->m, t);
    if (a.pointer) a.base = base_of(a.pointer);
    vec_push(&s->accesses, a);
}

void nat_space_init(struct nat_space *s, const struct rg_fn *f, const struct nat_shape *shape,
                    struct arena *a)
{
    *s = (struct nat_space){.f = f, .shape = shape, .arena = a, .m = LLVMGetGlobalParent(f->fn)};
    s->isl = isl_ctx_alloc();
    isl_options_set_on_error(s->isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(s->isl,
                               2000000); // about a second; then isl gives up
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            add_access(s, i, b);
}

void nat_space_deinit(struct nat_space *s)
{
    vec_free(&s->accesses);
    vec_free(&s->symbols);
    isl_ctx_free(s->isl);
}

static unsigned space_of(const struct nat_access *a)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer));
}

bool nat_may_overlap(const struct nat_space *s, const struct nat_access *a,
                     const struct nat_access *b)
{
    enum { LOCAL = 3, GENERIC = 4, PRIVATE = 0 };
    if (!a->pointer || !b->pointer) return true;
    const unsigned p = space_of(a), q = space_of(b);
    if (p != q && p != GENERIC && q != GENERIC && p != PRIVATE && q != PRIVATE &&
        (p == LOCAL || q == LOCAL))
        return false;
    if (!a->base || !b->base || a->base == b->base) return true;
    if (p == LOCAL && q == LOCAL) return false; // local objects are disjoint
    return !s->shape->apart;
}

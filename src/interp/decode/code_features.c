// SPDX-License-Identifier: MIT
// Finds the functions that a kernel reaches and the features that they use: atomics and fences
// (with orders and scopes), barriers, asynchronous copies.
#include "interp/decode/code_features.h"

#include "interp/decode/code.h"
#include "interp/launch/privatized_reduction.h"

void dec_reach(struct vm_code *c, uint32_t index)
{
    if (c->fn_of[index] != UINT32_MAX) return;
    const struct bc_fn *bc = &c->module->fns[index];
    c->fn_of[index] = c->nfns;
    struct vm_fn *fn = &c->fns[c->nfns];
    fn->bc = bc;
    fn->index = index;
    fn->frame = c->nfns++;
    c->may_part |= bc->may_part;
    for (uint32_t i = 0; i < bc->ninsns; i++) {
        const struct bc_insn *b = &bc->insns[i];
        if (b->op == BC_CALL) dec_reach(c, bc->ext[b->ext]);
        if (b->op == BC_ATOMIC) {
            const struct bc_mem *m = &c->module->sites[b->site];
            c->uses_atomics = true;
            c->synchronizes |= m->order >= BC_ACQUIRE && m->order <= BC_SEQ_CST;
            c->synchronizes |= vm_may_only_load(m) && m->failure != BC_RELAXED;
            c->scoped_atomics |= !bc_is_cl1(m->order);
            c->weak_orders |= m->order != BC_SEQ_CST && m->order != BC_CL1;
            c->narrow_scopes |= m->scope < BC_SCOPE_DEVICE;
            c->narrow_atomics |= vm_atomic_is_narrow(m);
            c->cl1_atomics |= m->order == BC_CL1 && m->space != BC_LOCAL;
            c->global_atomics |= m->space != BC_LOCAL;
            vm_privatize_note(c, m, b->dst != BC_NONE);
        }
        c->fences |= b->op == BC_FENCE;
        c->cl1_fences |= b->op == BC_FENCE && b->ext & BC_FENCE_CL1;
        c->weak_orders |= b->op == BC_FENCE && !(b->ext & BC_FENCE_CL1);
        c->narrow_scopes |= b->op == BC_RECONVERGE || b->op == BC_COLLECT;
        c->narrow_scopes |= b->op == BC_FENCE && !(b->ext & BC_FENCE_CL1) &&
                            (b->ext >> 16 & 0xff) < BC_SCOPE_DEVICE;
        c->parks |= b->op == BC_BARRIER || b->op == BC_RECONVERGE;
        c->copies |= b->op == BC_ASYNC_COPY;
        c->collects |= b->op == BC_COLLECT && b->ext >> 24 == BC_SCOPE_GROUP;
        c->synchronizes |= b->op == BC_COLLECT && (b->ext & 0xff) == BC_COL_BARRIER;
        if (b->op == BC_BARRIER && b->a == BC_BAR_BARRIER) {
            c->fences |= b->c >= BC_SCOPE_DEVICE;
            c->global_barriers |= b->b >= bc->nconst || bc->consts[b->b] & BC_FENCE_GLOBAL;
        }
    }
}

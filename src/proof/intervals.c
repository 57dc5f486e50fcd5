// SPDX-License-Identifier: MIT
// Barrier intervals of the unfolded kernel: the nodes that a work-item may pass through between a
// barrier and the next. Compare the access protocols of Cogumbreiro et al., "Checking data-race
// freedom of GPU kernels, compositionally" (CAV 2021). A barrier orders only the memory that its
// flags name.
#include "proof/kernel.h"

#include <string.h>

bool pk_ends_interval(const struct pk *k, unsigned node, unsigned space)
{
    const struct rg_block *b = &k->f.blocks[k->nodes.data[node].block];
    if (b->end != RG_BARRIER) return false;
    if (!space) return true;
    if (b->barrier != RG_WORK_GROUP_BARRIER) return false;
    LLVMValueRef flags = LLVMGetOperand(b->stop, 0);
    if (LLVMGetNumArgOperands(b->stop) > 1) { // memory_scope_work_group, _device or _all
        LLVMValueRef scope = LLVMGetOperand(b->stop, 1);
        const uint64_t v = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : 0;
        if (v < 1 || v > 3) return false;
    }
    return LLVMIsAConstantInt(flags) &&
           (LLVMConstIntGetZExtValue(flags) & (space == 3 ? 1u : 2u)) != 0;
}

unsigned pk_starts(struct pk *k, unsigned space, unsigned **out)
{
    unsigned n = 0;
    *out = arena_array(k->arena, unsigned, k->nodes.len + 1);
    (*out)[n++] = 0;
    for (unsigned i = 0; i < k->nodes.len; i++) {
        const struct pk_node *b = &k->nodes.data[i];
        if (b->is_extra || !pk_ends_interval(k, i, space)) continue;
        for (size_t e = 0; e < b->out.len; e++) (*out)[n++] = k->edges.data[b->out.data[e]].to;
    }
    return n;
}

void pk_interval(struct pk *k, unsigned start, unsigned space, bool *in, bool *before)
{
    VEC(unsigned) work = {0};
    memset(in, 0, k->nodes.len);
    memset(before, 0, k->nodes.len);
    in[start] = true;
    vec_push(&work, start);
    while (work.len) {
        const unsigned n = vec_pop(&work);
        if (pk_ends_interval(k, n, space)) continue;
        for (size_t e = 0; e < k->nodes.data[n].out.len; e++) {
            const struct pk_edge *x = &k->edges.data[k->nodes.data[n].out.data[e]];
            if (x->is_cut || in[x->to]) continue;
            in[x->to] = true;
            vec_push(&work, x->to);
        }
    }
    vec_push(&work, start);
    while (work.len) {
        const unsigned n = vec_pop(&work);
        for (size_t e = 0; e < k->nodes.data[n].in.len; e++) {
            const struct pk_edge *x = &k->edges.data[k->nodes.data[n].in.data[e]];
            if (before[x->from]) continue;
            before[x->from] = true;
            vec_push(&work, x->from);
        }
    }
    vec_free(&work);
}

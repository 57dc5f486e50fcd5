// SPDX-License-Identifier: MIT
// Barrier intervals of the unfolded kernel: the nodes that a work-item may pass through between a
// barrier and the next. Compare the access protocols of Cogumbreiro et al., "Checking data-race
// freedom of GPU kernels, compositionally" (CAV 2021). A barrier orders only the memory that its
// flags name; one of a sub-group only orders the work-items of the sub-group.
#include "proof/kernel.h"

#include <string.h>

bool pk_is_sub_group_barrier(const struct rg_block *b)
{
    char name[64];
    if (b->end != RG_RECONVERGE) return false;
    rg_callee_base_name(b->stop, name, sizeof name);
    return !strcmp(name, "sub_group_barrier");
}

bool pk_ends_interval(const struct pk *k, unsigned node, struct pk_order o)
{
    const struct rg_block *b = &k->f.blocks[k->nodes.data[node].block];
    const bool sub_group = o.sub_group && pk_is_sub_group_barrier(b);
    if (b->end != RG_BARRIER && !sub_group) return false;
    if (!o.space) return true;
    if (!sub_group && b->barrier != RG_WORK_GROUP_BARRIER) return false;
    LLVMValueRef flags = LLVMGetOperand(b->stop, 0);
    if (LLVMGetNumArgOperands(b->stop) > 1) { // memory_scope_work_group, _device, _all or sub_group
        LLVMValueRef scope = LLVMGetOperand(b->stop, 1);
        const uint64_t v = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : 0;
        if (v < 1 || v > 3 + (uint64_t)sub_group) return false;
    }
    return LLVMIsAConstantInt(flags) &&
           (LLVMConstIntGetZExtValue(flags) & (o.space == 3           ? 1u
                                               : o.space == PK_IMAGES ? 4u
                                                                      : 2u)) != 0;
}

unsigned pk_starts(struct pk *k, struct pk_order o, unsigned **out)
{
    unsigned n = 0;
    *out = arena_array(k->arena, unsigned, k->nodes.len + 1);
    (*out)[n++] = 0;
    for (unsigned i = 0; i < k->nodes.len; i++) {
        const struct pk_node *b = &k->nodes.data[i];
        if (b->is_extra || !pk_ends_interval(k, i, o)) continue;
        for (size_t e = 0; e < b->out.len; e++) (*out)[n++] = k->edges.data[b->out.data[e]].to;
    }
    return n;
}

void pk_interval(struct pk *k, unsigned start, struct pk_order o, bool *in, bool *before)
{
    VEC(unsigned) work = {0};
    memset(in, 0, k->nodes.len);
    memset(before, 0, k->nodes.len);
    in[start] = true;
    vec_push(&work, start);
    while (work.len) {
        const unsigned n = vec_pop(&work);
        if (pk_ends_interval(k, n, o)) continue;
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

struct ancestors {
    const struct pk *k;
    bool *is; // by node
    VEC(unsigned) work;
};

static void put_ancestor(struct ancestors *a, unsigned node)
{
    if (a->is[node]) return;
    a->is[node] = true;
    vec_push(&a->work, node);
}

bool pk_is_in_copy(const struct pk *k, unsigned node, unsigned header)
{
    const int loop = k->f.blocks[k->nodes.data[header].block].loop;
    if (!rg_in_loop(&k->f.loops[loop], k->nodes.data[node].block)) return false;
    for (int l = loop; l >= 0; l = k->f.loops[l].parent)
        if (pk_label(k, node, l) != pk_label(k, header, l)) return false;
    return true;
}

bool *pk_ancestors(const struct pk *k, unsigned node)
{
    struct ancestors a = {.k = k, .is = mem_alloc(k->nodes.len + 1)};
    vec_push(&a.work, node);
    while (a.work.len) {
        const unsigned n = vec_pop(&a.work);
        for (size_t e = 0; e < k->nodes.data[n].in.len; e++)
            put_ancestor(&a, k->edges.data[k->nodes.data[n].in.data[e]].from);
        // the graph has no edge from the end of a cut copy's iteration to its header
        if (!pk_is_cut_header(k, n) || pk_is_in_copy(k, node, n)) continue;
        for (unsigned m = 0; m < k->nodes.len; m++)
            if (pk_is_in_copy(k, m, n)) put_ancestor(&a, m);
    }
    vec_free(&a.work);
    return a.is;
}

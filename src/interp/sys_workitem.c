// SPDX-License-Identifier: MIT
// Work-item functions that are uniform or rare, and calls of the builtins' lane functions.
#include "interp/group.h"
#include "interp/sys.h"

#include <stdatomic.h>
#include <string.h>

const struct vm_insn *vm_op_copy_slot(struct vm_gang *g, const struct vm_insn *ip)
{
    *(uint64_t *)(g->r + ip->d) = *(const uint64_t *)(g->r + ip->a);
    return ip + 1;
}

const struct vm_insn *vm_op_set_slot(struct vm_gang *g, const struct vm_insn *ip)
{
    *(uint64_t *)(g->r + ip->d) = ip->imm;
    return ip + 1;
}

const struct vm_insn *vm_op_wi_uniform(struct vm_gang *g, const struct vm_insn *ip)
{
    *(uint64_t *)(g->r + ip->d) = g->ids[ip->a];
    return ip + 1;
}

static uint64_t global_linear(const struct vm_gang *g, uint32_t lane)
{
    const struct vm_launch *l = g->worker->run->l;
    uint64_t n = 0;
    for (int k = 2; k >= 0; k--)
        n = n * l->global[k] + (g->code->batches ? g->gids[0][k][lane] - l->offset[k] : g->group->id[k] * l->local[k] + g->lid[k][lane]);
    return n;
}

/** An id that varies, asked for where it is uniform: that of the first active lane. */
const struct vm_insn *vm_op_wi_first(struct vm_gang *g, const struct vm_insn *ip)
{
    uint32_t lane = 0;
    while (lane + 1 < g->nlanes && !g->mask[lane])
        lane++;
    *(uint64_t *)(g->r + ip->d) = ip->b == BC_GLOBAL_LINEAR_ID  ? global_linear(g, lane)
                                  : ip->b == BC_LOCAL_LINEAR_ID ? g->lid[3][lane]
                                                                : g->ids[ip->a] + g->lid[ip->c][lane];
    return ip + 1;
}

const struct vm_insn *vm_op_wi_linear(struct vm_gang *g, const struct vm_insn *ip)
{
    for (uint32_t i = 0; i < g->nlanes; i++) {
        const uint64_t v = global_linear(g, i);
        memcpy(g->r + ip->d + ((size_t)i << ip->c), &v, (size_t)1 << ip->c);
    }
    return ip + 1;
}

const struct vm_insn *vm_op_lanefn(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_lanefn *q = ip->p;
    void *dst[BI_MAX_LANE_DST];
    const void *src[BI_MAX_LANE_SRC];
    for (unsigned i = 0; i < q->ndst; i++)
        dst[i] = g->r + q->dst[i];
    for (unsigned i = 0; i < q->nsrc; i++)
        src[i] = g->r + q->src[i];
    q->fn(dst, src, q->once ? 1 : g->nlanes);
    return ip + 1;
}

const struct vm_insn *vm_op_fence(struct vm_gang *g, const struct vm_insn *ip)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (!g->code->synchronises || !g->group->race) return ip + 1;
    const struct race_fence_op f = {.fences = ip->imm & 0xff, .order = ip->imm >> 8 & 0xff, .scope = ip->imm >> 16 & 0xff,
                                    .legacy = ip->imm & BC_FENCE_CL1};
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) race_fence(g->group->race, g->first_item + i, &f);
    return ip + 1;
}

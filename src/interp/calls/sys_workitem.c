// SPDX-License-Identifier: MIT
// Work-item functions that are uniform or rare, and calls of the lane functions of builtins.
#include "interp/calls/sys.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/images/image_fences.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

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
        n = n * l->global[k] + (g->code->packed ? g->gids[0][k][lane] - l->offset[k]
                                                : g->group->id[k] * l->local[k] + g->lid[k][lane]);
    return n;
}

/** A varying id in uniform code: that of the first active lane. */
const struct vm_insn *vm_op_wi_first(struct vm_gang *g, const struct vm_insn *ip)
{
    uint32_t lane = 0;
    while (lane + 1 < g->nlanes && !g->mask[lane]) lane++;
    *(uint64_t *)(g->r + ip->d) = ip->b == BC_GLOBAL_LINEAR_ID ? global_linear(g, lane)
                                  : ip->b == BC_LOCAL_LINEAR_ID
                                      ? g->lid[3][lane]
                                      : g->ids[ip->a] + g->lid[ip->c][lane];
    return ip + 1;
}

const struct vm_insn *vm_op_wi_linear(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_launch *l = g->worker->run->l;
    const uint64_t *const id = g->group->id, size[2] = {l->global[0], l->global[0] * l->global[1]};
    const bool wide = ip->c == 3;
    void *const to = g->r + ip->d;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (g->code->packed) {
        const uint64_t first = l->offset[0] + l->offset[1] * size[0] + l->offset[2] * size[1];
        g->isa->wi_linear_packed[wide](to, 0 - first, size, g->gids[0], n);
    } else {
        const uint64_t first = id[0] * l->local[0] + id[1] * l->local[1] * size[0] +
                               id[2] * l->local[2] * size[1];
        g->isa->wi_linear[wide](to, first, size, g->lid, n);
    }
    return ip + 1;
}

const struct vm_insn *vm_op_lanefn(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_lanefn *q = ip->p;
    void *dst[BI_MAX_LANE_DST];
    const void *src[BI_MAX_LANE_SRC];
    for (unsigned i = 0; i < q->ndst; i++) dst[i] = g->r + q->dst[i];
    for (unsigned i = 0; i < q->nsrc; i++) src[i] = g->r + q->src[i];
    q->fn(dst, src, q->once ? 1 : vm_lanes_run(g));
    return ip + 1;
}

const struct vm_insn *vm_op_fence(struct vm_gang *g, const struct vm_insn *ip)
{
    const uint32_t how = ((const struct vm_operands *)ip->p)->n;
    atomic_thread_fence(memory_order_seq_cst);
    if (how & BC_FENCE_IMAGE) vm_image_fence(g);
    if (!g->code->synchronizes || !g->group->race) return ip + 1;
    const struct race_fence_op f = {.fences = how & 0xff,
                                    .order = how >> 8 & 0xff,
                                    .scope = how >> 16 & 0xff,
                                    .legacy = how & BC_FENCE_CL1};
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) race_fence(g->group->race, g->first_item + i, &f);
    return ip + 1;
}

/** Nanoseconds of a clock of the host that never goes back: the same for every scope. */
const struct vm_insn *vm_op_clock(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    for (uint32_t i = 0; i < (q->varying & 1 ? g->nlanes : 1); i++)
        if (!(q->varying & 1) || g->mask[i])
            vm_set_operand(g, q->off[0], q->varying & 1, 3, i, now);
    return ip + 1;
}

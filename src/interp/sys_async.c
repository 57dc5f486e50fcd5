// SPDX-License-Identifier: MIT
// async_work_group_copy: the work-items share the elements among them, as ordinary checked accesses.
#include "interp/group.h"
#include "interp/sys.h"

static uint64_t advance(uint64_t p, uint64_t bytes)
{
    const uint64_t low = p & VM_PTR_MASK, room = VM_PTR_MASK - low; // saturates inside its id
    return (p & ~VM_PTR_MASK) | (low + (bytes < room ? bytes : room));
}

const struct vm_insn *vm_op_async_copy(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_async *q = ip->p;
    struct vm_fault_run rd = {0}, wr = {0};
    const uint32_t items = g->group->items;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t to = vm_operand_bits(g, q->to, q->varying & 1, 3, i);
        const uint64_t from = vm_operand_bits(g, q->from, q->varying & 2, 3, i);
        const uint64_t count = vm_operand_bits(g, q->count, q->varying & 4, 3, i);
        const uint64_t stride = q->has_stride ? vm_operand_bits(g, q->stride, q->varying & 8, 3, i) : 1;
        const uint64_t step_to = q->has_stride && q->stride_is_to ? stride : 1;
        const uint64_t step_from = q->has_stride && !q->stride_is_to ? stride : 1;
        uint64_t failures = 0;
        for (uint64_t k = g->first_item + i; k < count; k += items) {
            uint64_t bytes_from, bytes_to, at_from, at_to;
            if (__builtin_mul_overflow(k, step_from * q->elem, &bytes_from)) bytes_from = UINT64_MAX;
            if (__builtin_mul_overflow(k, step_to * q->elem, &bytes_to)) bytes_to = UINT64_MAX;
            const struct vm_object *of =
                vm_check_range(g, &rd, ip->src, q->read_site, i, advance(from, bytes_from), q->elem, false, &at_from);
            const struct vm_object *ot =
                vm_check_range(g, &wr, ip->src, q->write_site, i, advance(to, bytes_to), q->elem, true, &at_to);
            if (of) vm_watch_range(g, q->read_site, of, i, at_from, q->elem, false);
            if (ot) {
                vm_watch_range(g, q->write_site, ot, i, at_to, q->elem, true);
                for (uint32_t at = 0; at < q->elem;) {
                    const unsigned n = q->elem - at >= 8 ? 8 : q->elem - at >= 4 ? 4 : 1;
                    vm_lane_write(g, ot, i, at_to + at, n, of ? vm_lane_read(g, of, i, at_from + at, n) : 0);
                    at += n;
                }
            }
            if ((!of || !ot) && ++failures == 1024) break; // a wild count: the rest fails too
        }
    }
    vm_fault_end(g, &rd);
    vm_fault_end(g, &wr);
    return ip + 1;
}

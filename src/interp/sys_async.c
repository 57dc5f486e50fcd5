// SPDX-License-Identifier: MIT
// async_work_group_copy: the work-items share the elements among them, as ordinary checked accesses.
#include "interp/group.h"
#include "interp/sys.h"

static uint64_t advance(uint64_t p, uint64_t bytes)
{
    const uint64_t low = p & VM_PTR_MASK, room = VM_PTR_MASK - low; // saturates inside its id
    return (p & ~VM_PTR_MASK) | (low + (bytes < room ? bytes : room));
}

static uint64_t argument(struct vm_gang *g, const struct vm_async *q, unsigned k, uint32_t lane)
{
    return vm_operand_bits(g, q->arg[k], q->varying >> k & 1, 3, lane);
}

/** Whether all work-items of the group came with the same arguments: compared with those of the first. */
static void compare_arguments(struct vm_gang *g, const struct vm_insn *ip)
{
    static const enum chk_argument_kind kinds[] = {CHK_ARG_TO, CHK_ARG_FROM, CHK_ARG_COUNT, CHK_ARG_STRIDE, CHK_ARG_EVENT};
    const struct vm_async *q = ip->p;
    const struct vm_run *run = g->worker->run;
    struct vm_meeting *m = &g->group->copy;
    if (!q->varying || g->group->parted || !(run->l->checks & VM_CHECK_DIVERGENCE)) return;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        if (m->at != ip->src || m->number != g->group->meetings) {
            *m = (struct vm_meeting){.at = ip->src, .number = g->group->meetings, .item = vm_item_of(g, i)};
            for (unsigned k = 0; k < 5; k++) m->arg[k] = argument(g, q, k, i);
        }
        for (unsigned k = 0; k < 5 && !m->told; k++) {
            const uint64_t v = argument(g, q, k, i);
            if (!(q->varying >> k & 1) || v == m->arg[k]) continue;
            m->told = true;
            chk_report_argument(&run->chk, &(struct chk_argument){.what = kinds[k], .kind = BC_BAR_ASYNC_COPY, .loc = ip->src->loc,
                                                                  .item = {m->item, vm_item_of(g, i)}, .value = {m->arg[k], v}});
        }
    }
}

const struct vm_insn *vm_op_async_copy(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_async *q = ip->p;
    struct vm_fault_run rd = {0}, wr = {0};
    const uint32_t items = g->group->items;
    compare_arguments(g, ip);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t to = argument(g, q, 0, i), from = argument(g, q, 1, i), count = argument(g, q, 2, i);
        const uint64_t stride = q->has_stride ? argument(g, q, 3, i) : 1;
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

// SPDX-License-Identifier: MIT
// Faults of lanes: runs of lanes with the same fault become records of the worker. See fault.h.
#include "interp/core/fault.h"

#include "base/mem.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/core/last_writers.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/stepping/trial_call.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const struct vm_run *run, enum chk_fault_kind k)
{
    static const uint8_t switches[] = {
#define FAULT(name, kind, check, ...) [CHK_##name] = VM_CHECK_##check,
#include "check/faults.def"
    };
    return run->l->checks & switches[k];
}

static uint64_t key_of(const struct chk_fault *f, const uint32_t *calls, unsigned ncalls)
{
    uint64_t key = hash_bytes(calls, ncalls * sizeof *calls, (uint64_t)(uintptr_t)f->insn);
    key = hash_bytes(&(uint32_t[]){f->kind, f->object, f->site}, 12, key);
    if (f->kind >= CHK_UNDEF_BRANCH)
        key = hash_bytes(&(uint32_t[]){f->detail.origin.name, f->detail.origin.loc}, 8, key);
    return key;
}

static struct vm_fault_record *record_of(struct vm_gang *g, const struct vm_fault_run *run)
{
    struct vm_worker *w = g->worker;
    uint32_t calls[CHK_MAX_CALLS] = {0};
    const unsigned ncalls = vm_calls_of(g, calls);
    bool is_new;
    uint64_t *slot = map_put(&w->faults, key_of(&run->fault, calls, ncalls), &is_new);
    if (!is_new) return (struct vm_fault_record *)(uintptr_t)*slot;
    struct vm_fault_record *r = mem_alloc(sizeof *r);
    *slot = (uint64_t)(uintptr_t)r;
    r->next = w->fault_list;
    w->fault_list = r;
    r->item.group = UINT64_MAX;
    memcpy(r->calls, calls, sizeof calls);
    r->ncalls = ncalls;
    return r;
}

/**
 * Whether the fault is a follow-on error: if not all work-items reach work_group_reserve_…, its
 * result is not a reservation, although is_valid_reserve_id accepts it. Only the divergence is
 * reported.
 */
static bool is_in_its_wake(const struct vm_gang *g, const struct vm_fault_run *run)
{
    return g->group->diverged && run->fault.kind == CHK_NULL &&
           chk_in_library(&g->worker->run->chk, (struct chk_where){run->fault.insn->loc, NULL, 0});
}

void vm_fault_add(struct vm_worker *w, const struct vm_fault_record *r)
{
    bool is_new;
    uint64_t *const slot = map_put(&w->faults, key_of(&r->run.fault, r->calls, r->ncalls), &is_new);
    if (is_new) {
        struct vm_fault_record *const own = mem_dup(r, sizeof *r);
        own->groups = own->bytes = (struct bits){0};
        own->count = 0;
        own->next = w->fault_list;
        w->fault_list = own;
        *slot = (uint64_t)(uintptr_t)own;
    }
    struct vm_fault_record *const to = (struct vm_fault_record *)(uintptr_t)*slot;
    if (r->item.group < to->item.group ||
        (r->item.group == to->item.group && r->item.item < to->item.item)) {
        to->item = r->item;
        to->run = r->run;
        to->writers = r->writers;
    }
    to->count += r->count;
    bits_unite(&to->groups, &r->groups);
    bits_unite(&to->bytes, &r->bytes);
}

void vm_fault_end(struct vm_gang *g, struct vm_fault_run *run)
{
    if (!run->count) return;
    if (g->worker->trial) {
        g->worker->trial->fault = run->fault.insn;
        g->worker->trial->kind = run->fault.kind;
    } else if (g->worker->fast_forwarding) {
        g->worker->fast_forward_failed |= is_wanted(g->worker->run, run->fault.kind);
    } else if (is_wanted(g->worker->run, run->fault.kind) && !g->worker->muted &&
               !is_in_its_wake(g, run)) {
        struct vm_fault_record *r = record_of(g, run);
        const struct vm_debugger *debugger = g->worker->run->l->debugger;
        const struct chk_item item = vm_item_of(g, run->lane);
        if (item.group < r->item.group ||
            (item.group == r->item.group && item.item < r->item.item)) {
            r->item = item;
            r->run = *run;
            if (g->worker->run->l->names_writers) vm_writers_at_fault(g, r);
        }
        const bool is_first = !r->count;
        if (g->worker->run->l->cut) *g->worker->run->l->cut = 1;
        r->count += run->count - run->repeats;
        bits_add(&r->groups, item.group);
        bits_unite(&r->bytes, &g->worker->undef_bytes);
        if (debugger) debugger->fault(debugger->ctx, g, r, is_first);
    }
    run->count = run->repeats = 0;
    if (g->worker->undef_bytes.n) bits_clear(&g->worker->undef_bytes);
}

void vm_fault_lane(struct vm_gang *g, struct vm_fault_run *run, uint32_t lane,
                   const struct chk_fault *fault)
{
    if (run->count && run->fault.kind == fault->kind && run->fault.object == fault->object &&
        (g->group->ngroups == 1 || vm_item_of(g, run->lane).group == vm_item_of(g, lane).group)) {
        run->count++;
        return;
    }
    vm_fault_end(g, run);
    *run = (struct vm_fault_run){
        .fault = *fault, .lane = lane, .count = 1, .rows = run->rows, .nrows = run->nrows};
}

static double value_of(const struct vm_gang *g, const struct vm_insn *ip, uint32_t lane)
{
    const struct vm_range *q = ip->p;
    const char *at = g->r + ip->a;
    if (q->is_varying) at += lane * (q->is_double ? sizeof(double) : sizeof(float));
    return q->is_double ? *(const double *)at : *(const float *)at;
}

void vm_fault_convert(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad)
{
    struct vm_fault_run run = {0};
    for (uint32_t i = 0; i < vm_lanes_run(g); i++) {
        if (!bad[i]) continue;
        vm_fault_lane(g, &run, i,
                      &(struct chk_fault){.kind = CHK_CONVERT,
                                          .insn = ip->src,
                                          .detail.value = value_of(g, ip, i)});
    }
    vm_fault_end(g, &run);
}

const struct vm_insn *vm_op_check_once(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_range *q = ip->p;
    const double v = value_of(g, ip, 0);
    if (!(v >= q->low && v < q->end)) vm_fault_convert(g, ip, g->mask);
    return ip + 1;
}

void vm_fault_index(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad)
{
    const struct vm_operands *q = ip->p;
    struct vm_fault_run run = {0};
    const bool of_vector = ip->src->b == BC_NONE;
    for (uint32_t i = 0; i < vm_lanes_run(g); i++) {
        if (!bad[i]) continue;
        const uint64_t v =
            vm_operand_bits(g, q->off[0], q->varying & 1, ip->src->c == BC_IDX_I64 ? 3 : 2, i);
        const uint64_t p = of_vector ? 0 : vm_operand_bits(g, q->off[1], q->varying & 2, 3, i);
        vm_fault_lane(
            g, &run, i,
            &(struct chk_fault){
                .kind = of_vector ? CHK_COMPONENT : CHK_SUBOBJECT,
                .object = of_vector ? 0 : (uint32_t)(vm_object_of(g, p) - g->objects),
                .insn = ip->src,
                .detail.index = {ip->src->c == BC_IDX_S32 ? (int32_t)v : (int64_t)v, q->n}});
    }
    vm_fault_end(g, &run);
}

const struct vm_insn *vm_op_index_once(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    if (vm_operand_bits(g, q->off[0], false, ip->src->c == BC_IDX_I64 ? 3 : 2, 0) >= q->n)
        vm_fault_index(g, ip, g->mask);
    return ip + 1;
}

const struct vm_insn *vm_op_trap(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_fault_run run = {0};
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i])
            vm_fault_lane(g, &run, i,
                          &(struct chk_fault){.kind = CHK_UNREACHABLE, .insn = ip->src});
    vm_fault_end(g, &run);
    return ip + 1;
}

void vm_fault_div(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad)
{
    struct vm_fault_run run = {0};
    const unsigned elog = (unsigned)__builtin_ctz(bc_type_size(bc_ops[ip->src->op].type));
    for (uint32_t i = 0; i < vm_lanes_run(g); i++)
        if (bad[i])
            vm_fault_lane(g, &run, i,
                          &(struct chk_fault){.kind = CHK_DIVISION,
                                              .insn = ip->src,
                                              .detail.divisor = (int64_t)vm_operand_bits(
                                                  g, ip->b, ip->src->b & BC_V, elog, i)});
    vm_fault_end(g, &run);
}

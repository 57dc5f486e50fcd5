// SPDX-License-Identifier: MIT
// Atomics, lane by lane in lane order. Memory that several groups use is changed by atomic
// instructions of the host, because workers and the host share it. If all lanes add to one
// location, one integer addition adds the sum.
#include "interp/calls/sys.h"
#include "interp/core/call_paths.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_access.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <string.h>

/**
 * If all active lanes add integers to one location: one atomic; a prefix sum gives the old value of
 * each lane.
 */
static bool sum_up(struct vm_gang *g, const struct vm_access *x)
{
    const struct bc_mem *m = x->m;
    if (m->kind != BC_ATOMIC_RMW ||
        (m->atomic_op != BC_ATOMIC_ADD && m->atomic_op != BC_ATOMIC_SUB))
        return false;
    uint32_t first = 0;
    while (!g->mask[first]) first++;
    const struct vm_object *o = &g->objects[g->lane_ids[first]];
    if (o->kind == VM_OBJ_PRIVATE || o->kind == VM_OBJ_LOCAL) return false; // not worth it
    for (uint32_t i = first; i < g->nlanes; i++)
        if (g->mask[i] && (!g->ok_mask[i] || g->lane_ids[i] != g->lane_ids[first] ||
                           g->offsets[i] != g->offsets[first]))
            return false;
    const bool sub = m->atomic_op == BC_ATOMIC_SUB;
    uint64_t sum = 0;
    for (uint32_t i = first; i < g->nlanes; i++)
        if (g->mask[i]) {
            const uint64_t v = vm_operand_bits(g, x->val[1], x->val_varying & 2, x->elog, i);
            ((uint64_t *)g->values)[i] = sum;
            sum += sub ? 0 - v : v;
        }
    char *const p = o->base + g->offsets[first];
    const uint64_t was = m->elem == 8
                             ? __atomic_fetch_add((uint64_t *)p, sum, __ATOMIC_SEQ_CST)
                             : __atomic_fetch_add((uint32_t *)p, (uint32_t)sum, __ATOMIC_SEQ_CST);
    *g->worker_changed |= sum != 0;
    if (x->wants_old)
        for (uint32_t i = first; i < g->nlanes; i++)
            if (g->mask[i])
                vm_set_operand(g, x->val[0], x->val_varying & 1, x->elog, i,
                               was + ((uint64_t *)g->values)[i]);
    return true;
}

/**
 * Launches that synchronize: passes lane i's operation to the race check, in the order of the
 * lanes.
 */
static void order_lane(struct vm_gang *g, const struct vm_access *x, uint32_t i, bool stores)
{
    const struct bc_mem *m = x->m;
    const struct vm_object *o = &g->objects[g->lane_ids[i]];
    if (!(o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL))) return;
    if (o->touched)
        memset(vm_touched_bytes(o, stores ? VM_TOUCH_ATOMIC_WRITE : VM_TOUCH_ATOMIC_READ) +
                   g->offsets[i],
               1, m->elem);
    race_atomic(g->group->race, &(struct race_atomic_op){
                                    .site = vm_race_site(g, x->site),
                                    .item = g->first_item + i,
                                    .object = g->lane_ids[i],
                                    .size = m->elem,
                                    .offset = g->offsets[i],
                                    .reads = m->kind != BC_ATOMIC_STORE,
                                    .writes = stores,
                                    .order = stores || !vm_may_only_load(m) ? m->order : m->failure,
                                    .scope = m->scope});
}

/**
 * Passes compare-exchanges of the lanes of ok_mask to the race check; those in `failed` only
 * loaded.
 */
static void watch_exchange(struct vm_gang *g, const struct vm_access *x, const uint8_t *failed)
{
    uint8_t all[VM_MAX_WIDTH];
    memcpy(all, g->ok_mask, g->n);
    for (unsigned stores = 0; stores < 2; stores++) {
        for (uint32_t i = 0; i < g->n; i++)
            g->ok_mask[i] = all[i] & (stores ? ~failed[i] : failed[i]);
        vm_watch_lanes(g, x, stores);
    }
}

const struct vm_insn *vm_op_atomic(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const struct bc_mem *m = x->m;
    vm_check_lanes(g, x, m->kind != BC_ATOMIC_LOAD);
    const bool ordered = g->code->synchronizes && g->group->race, may_load = vm_may_only_load(m);
    uint8_t failed[VM_MAX_WIDTH];
    memset(failed, 0, g->n);
    if (!ordered && !may_load) vm_watch_lanes(g, x, m->kind != BC_ATOMIC_LOAD);
    if (sum_up(g, x)) {
        for (uint32_t i = 0; ordered && i < g->nlanes; i++)
            if (g->ok_mask[i]) order_lane(g, x, i, true);
        return ip + 1;
    }
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        uint64_t was = 0;
        if (g->ok_mask[i]) {
            const struct vm_object *o = &g->objects[g->lane_ids[i]];
            const uint64_t v = m->kind == BC_ATOMIC_LOAD
                                   ? 0
                                   : vm_operand_bits(g, x->val[1], x->val_varying & 2, x->elog, i);
            const uint64_t compare =
                m->atomic_op == BC_CMPXCHG
                    ? vm_operand_bits(g, x->val[2], x->val_varying & 4, x->elog, i)
                    : 0;
            if (o->kind == VM_OBJ_PRIVATE) {
                uint64_t cell = was = vm_lane_read(g, o, i, g->offsets[i], m->elem);
                vm_atomic_operate(m, (char *)&cell, v, compare, g->worker_changed);
                vm_lane_write(g, o, i, g->offsets[i], m->elem, cell);
            } else {
                was = vm_atomic_operate(m, o->base + vm_own_copy(g, o, i) + g->offsets[i], v,
                                        compare, g->worker_changed);
            }
            if (may_load && (was ^ compare) << (64 - 8 * m->elem)) failed[i] = 0xff;
            if (ordered && o->kind != VM_OBJ_PRIVATE)
                order_lane(g, x, i, m->kind != BC_ATOMIC_LOAD && !failed[i]);
        }
        if (x->wants_old) vm_set_operand(g, x->val[0], x->val_varying & 1, x->elog, i, was);
    }
    if (!ordered && may_load) watch_exchange(g, x, failed);
    return ip + 1;
}

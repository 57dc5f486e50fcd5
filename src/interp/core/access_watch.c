// SPDX-License-Identifier: MIT
// One call for each memory instruction that accesses a watched object: passes the access to the
// race check (struct race_op), and records which bytes it touched for the host.
#include "interp/core/access_watch.h"

#include "interp/core/call_paths.h"
#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/core/last_writers.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/counters.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <string.h>

void vm_note_touched(const struct vm_object *o, const struct race_op *op)
{
    uint8_t *const to =
        vm_touched_bytes(o, (op->is_atomic ? VM_TOUCH_ATOMIC_READ : VM_TOUCH_READ) + op->is_write);
    if (op->shape == RACE_CONTIGUOUS) {
        memset(to + op->offset0, 1, (size_t)op->n * op->size);
        return;
    }
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        memset(to + race_offset_of(op, i), 1, op->size);
        if (op->shape == RACE_UNIFORM) return;
    }
}

static const void *root_of(const struct vm_run *run, uint32_t id)
{
    const uint32_t nobjects = run->code->module->nobjects;
    if (id <= nobjects) return id ? run->l->program->storage[id - 1] : NULL;
    return id - nobjects - 1 < vm_nargs(run->l) ? run->l->args[id - nobjects - 1].buffer.root
                                                : NULL;
}

void vm_note_writer(struct vm_gang *g, const struct vm_object *o, const struct race_op *op,
                    const struct bc_insn *src)
{
    struct vm_writer *w = g->worker->run->l->writer;
    if (!w || !op->is_write || root_of(g->worker->run, (uint32_t)(o - g->objects)) != w->root)
        return;
    const uint64_t at = w->offset - o->origin;
    for (uint32_t i = 0; i < op->n; i++) {
        if ((op->mask && !op->mask[i]) || at - race_offset_of(op, i) >= op->size) continue;
        const struct chk_item item = vm_item_of(g, op->first_item - g->first_item + i);
        w->found = true;
        w->group = item.group;
        w->item = item.item;
        w->loc = src ? src->loc : 0;
    }
}

static __attribute__((noinline)) void note_writers(struct vm_gang *g, const struct vm_object *o,
                                                   const struct race_op *op,
                                                   const struct bc_insn *src)
{
    vm_note_writer(g, o, op, src);
    vm_writers_note(g, o, op);
}

/** Adds the time of a call of the race check that began at `begin`. */
static void time_check(struct vm_worker *w, uint64_t begin)
{
    const uint64_t ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    const uint64_t own = ns > w->clock_cost ? ns - w->clock_cost : 0;
    if (w->watched == 1) { // the first call creates the shadow, so it is not representative
        w->stats.race_ns = own;
        return;
    }
    w->timed++;
    w->timed_ns += own;
}

/** Fills n elements of 1 << elog bytes with a value; n is a multiple of VM_PAD. */
static void repeat(char *to, uint64_t value, unsigned elog, uint32_t n)
{
    typedef uint64_t two __attribute__((vector_size(16), may_alias, aligned(8)));
    static const uint64_t each[] = {0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1};
    const uint64_t word = elog == 3 ? value : (value & ((1ull << (8u << elog)) - 1)) * each[elog];
    for (uint32_t i = 0; i < n << elog; i += sizeof(two)) *(two *)(to + i) = (two){word, word};
}

/**
 * The values that lanes [lane, lane + n) store, for the race check: in the register itself, or
 * packed in g->values.
 */
static const char *stored_values(struct vm_gang *g, const struct vm_access *x, uint32_t lane,
                                 uint32_t n)
{
    if (x->ncomp == 1 && x->val_varying) return g->r + x->val[0] + ((size_t)lane << x->elog);
    if (x->ncomp == 1) repeat(g->values, *(const uint64_t *)(g->r + x->val[0]), x->elog, g->all);
    for (uint32_t j = 0; x->ncomp > 1 && j < x->ncomp; j++) {
        const char *const from = g->r + x->val[j];
        const uint32_t step = x->val_varying >> j & 1, k = x->ncomp;
#define PACK(T)                                                                                    \
    do {                                                                                           \
        T *to = (T *)g->values + (size_t)lane * k + j;                                             \
        const T *v = (const T *)from + (size_t)lane * step;                                        \
        for (uint32_t i = 0; i < n; i++, to += k, v += step) *to = *v;                             \
    } while (0)
        switch (x->elog) {
        case 0: PACK(uint8_t); break;
        case 1: PACK(uint16_t); break;
        case 2: PACK(uint32_t); break;
        default: PACK(uint64_t);
        }
#undef PACK
    }
    return g->values + (size_t)lane * x->bytes;
}

void vm_watch_part(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                   bool write, struct race_op *op)
{
    const uint32_t lane = op->layout_lane;
    const bool in_elements = op->shape == RACE_ELEMENTS;
    const bool all = op->shape == RACE_CONTIGUOUS || (in_elements && op->n == g->nactive);
    // set member by member: clearing it takes as long as many checks
    op->site = vm_race_site(g, x->site);
    op->object = (unsigned)(o - g->objects);
    op->is_write = write;
    op->is_atomic = x->m->kind >= BC_ATOMIC_RMW;
    op->size = x->bytes;
    op->offsets = g->offsets + lane;
    if (!in_elements) op->elements = NULL, op->element0 = 0, op->layout = 0;
    op->element_shift = x->elog;
    op->mask = all ? NULL : g->mask + lane;
    op->first_item = g->first_item + lane;
    op->values = NULL;
    if (o->touched) vm_note_touched(o, op);
    if (g->worker->run->notes_writers) note_writers(g, o, op, x->src);
    if (!g->group->race) return;
    if (x->packed) op->values = g->values + (size_t)lane * x->bytes;
    else if (write && x->src && x->src->op == BC_STORE)
        op->values = stored_values(g, x, lane, op->n);
    if (g->is_compacted) vm_compaction_restore_op(g, op, lane);
    const bool timed = g->worker->run->counts &&
                       (!g->worker->watched++ || g->worker->watched % VM_TIMED == 0);
    const uint64_t begin = timed ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    if (o->flags & VM_WATCH_LOCAL) race_local(g->group->race, op);
    else race_global(g->group->race, op);
    if (timed) time_check(g->worker, begin);
}

/**
 * If each group of a pack has its own copy, INDEXED offsets are relative to the lane's copy; the
 * race check has the copies one after the other.
 */
static void add_copies(struct vm_gang *g, uint64_t step)
{
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) g->offsets[i] += step * g->lid[VM_LANE_GROUP][i];
}

void vm_watch(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o, bool write,
              enum race_shape shape, uint64_t offset0)
{
    const uint64_t step = shape == RACE_INDEXED ? o->step : 0;
    if (step) add_copies(g, step);
    struct race_op op;
    op.shape = shape;
    op.layout_lane = 0;
    op.n = g->nlanes;
    op.offset0 = offset0;
    vm_watch_part(g, x, o, write, &op);
    if (step) add_copies(g, -step);
}

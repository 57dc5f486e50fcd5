// SPDX-License-Identifier: MIT
// Store buffers: a work-item runs on while others do not see yet what it stored.
//
// An atomic that is late has run: its work-item has its result, and the race check has seen it. But
// memory, and the race check's record of what the location publishes (race_fork), are set back. The
// late stores of a work-item are seen in the order of the program, all at once, when it drains.
//
// The memory model allows more than the total store order of x86 (Owens, Sarkar, Sewell, "A Better
// x86 Memory Model: x86-TSO", TPHOLs 2009): stores that are not ordered may overtake late ones.
//
//   - A plain store, a relaxed one, and an acquiring read-modify-write pass the late stores.
//   - A release, and any atomic after a fence that releases, joins them. A work-item that
//     acquires it sees all that precedes it.
//   - Loads pass. A sequentially consistent load passes unless a late store is sequentially
//     consistent: the two have a place in the total order of such operations.
//   - A sequentially consistent fence, an atomic or fence of OpenCL 1.x, a barrier, the end of the
//     work-item, and everything else that others may notice drains.
//
// A work-item sees its own stores: each of its instructions runs in a view, in which memory has the
// late stores. A write over a late store there becomes part of it.
//
// In the modification order of a location, a late store comes after the stores that others see
// first. A late read-modify-write must follow the store that it read: before anyone else
// writes to the location, it must drain (the caller takes care of this), and before it runs, late
// stores of others to the location must drain.
#include "interp/stepping/store_buffer.h"

#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_access.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/worker.h"

#include <string.h>

enum { MOST_LATE = 16 }; // each access of the work-item opens a view of all

bool vm_may_be_late(const struct bc_mem *m)
{
    return (m->kind == BC_ATOMIC_RMW || m->kind == BC_ATOMIC_STORE) && !bc_is_cl1(m->order);
}

bool vm_store_buffer_has_room(const struct vm_store_buffer *b) { return b->late.len < MOST_LATE; }

static bool releases(unsigned order)
{
    return order == BC_RELEASE || order == BC_ACQ_REL || order == BC_SEQ_CST;
}

static enum vm_late_effect of_atomic(const struct vm_store_buffer *b, const struct bc_mem *m)
{
    if (m->kind == BC_ATOMIC_LOAD) {
        bool drains = bc_is_cl1(m->order);
        for (size_t i = 0; i < b->late.len && m->order == BC_SEQ_CST; i++)
            drains |= b->late.data[i].is_sequential;
        return drains ? VM_LATE_DRAINS : VM_LATE_PASSES;
    }
    if (!vm_may_be_late(m)) return VM_LATE_DRAINS;
    if (!releases(m->order) && !b->is_ordered) return VM_LATE_PASSES;
    return vm_store_buffer_has_room(b) ? VM_LATE_JOINS : VM_LATE_DRAINS;
}

enum vm_late_effect vm_late_effect(const struct vm_store_buffer *b, const struct vm_gang *g,
                                   const struct bc_insn *i)
{
    enum {
        DRAINS = BC_READS | BC_WRITES | BC_ORDERS | BC_SHOWS | BC_WAITS | BC_CROSSES | BC_LEAVES
    };
    bool drains;
    if (!b->late.len) return VM_LATE_PASSES;
    switch ((enum bc_op)i->op) {
    case BC_ATOMIC: return of_atomic(b, &g->code->module->sites[i->site]);
    case BC_FENCE: drains = i->ext & BC_FENCE_CL1 || (i->ext >> 8 & 0xff) == BC_SEQ_CST; break;
    case BC_LOAD:
    case BC_STORE: return VM_LATE_PASSES;
    case BC_RET: drains = !g->frame->caller; break;
    default: drains = bc_ops[i->op].effects & DRAINS;
    }
    return drains ? VM_LATE_DRAINS : VM_LATE_PASSES;
}

static void swap(struct vm_late_store *s, struct vm_gang *g)
{
    uint64_t was = 0;
    memcpy(&was, s->p, s->size);
    memcpy(s->p, &s->value, s->size);
    s->value = was;
    if (s->record != RACE_NO_RECORD)
        s->record = race_switch(g->group->race, s->object, s->offset, s->record);
}

void vm_view_open(struct vm_store_buffer *b, struct vm_gang *g)
{
    for (size_t i = 0; i < b->late.len; i++) swap(&b->late.data[i], g);
}

void vm_view_close(struct vm_store_buffer *b, struct vm_gang *g, const struct bc_insn *i)
{
    for (size_t k = b->late.len; k-- > 0;) swap(&b->late.data[k], g);
    if (b->late.len && i->op == BC_FENCE) b->is_ordered |= releases(i->ext >> 8 & 0xff);
}

struct vm_late_store vm_late_begin(struct vm_gang *g, char *p, const struct bc_insn *i)
{
    const struct bc_mem *const m = &g->code->module->sites[i->site];
    struct vm_late_store s = {.p = p,
                              .object = g->lane_ids[0],
                              .offset = g->offsets[0],
                              .record = RACE_NO_RECORD,
                              .site = i->site,
                              .size = m->elem,
                              .is_update = m->kind == BC_ATOMIC_RMW,
                              .is_sequential = m->order == BC_SEQ_CST};
    memcpy(&s.value, p, s.size);
    if (g->group->race) s.record = race_fork(g->group->race, s.object, s.offset);
    return s;
}

void vm_late_end(struct vm_late_store *s, struct vm_gang *g) { swap(s, g); }

void vm_late_add(struct vm_store_buffer *b, struct vm_late_store s, struct map *seen)
{
    uint64_t *const of = map_put_ptr(seen, s.p, NULL);
    *of = (*of + 2) | s.is_update;
    vec_push(&b->late, s);
}

char *vm_late_address(struct vm_gang *g, const struct vm_insn *ip)
{
    const bool was = g->worker->muted;
    g->worker->muted = true; // it is checked, and errors are reported, when it is executed
    vm_check_lanes(g, ip->p, false);
    g->worker->muted = was;
    if (!g->ok_mask[0]) return NULL;
    const struct vm_object *const o = &g->objects[g->lane_ids[0]];
    return o->kind == VM_OBJ_PRIVATE ? NULL : o->base + g->offsets[0];
}

const struct vm_late_store *vm_late_at(const struct vm_store_buffer *b, const char *p)
{
    for (size_t i = 0; i < b->late.len; i++)
        if (b->late.data[i].p == p) return &b->late.data[i];
    return NULL;
}

bool vm_store_buffer_drain(struct vm_store_buffer *b, struct vm_gang *g, struct map *seen)
{
    bool changed = false;
    for (size_t i = 0; i < b->late.len; i++) {
        struct vm_late_store *const s = &b->late.data[i];
        uint64_t *const of = map_get_ptr(seen, s->p);
        *of = *of < 4 ? 0 : *of - 2;
        changed |= memcmp(s->p, &s->value, s->size) != 0;
        swap(s, g);
        if (s->record != RACE_NO_RECORD) race_drop(g->group->race, s->record);
    }
    vec_free(&b->late);
    b->is_ordered = false;
    return changed;
}

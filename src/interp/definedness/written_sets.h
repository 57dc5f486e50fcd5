// SPDX-License-Identifier: MIT
#ifndef INTERP_WRITTEN_SETS_H
#define INTERP_WRITTEN_SETS_H
// Written-set versions: which bytes of a group's local memory are written, as a number.
//
// Groups do the same one after another: all start with nothing written, and stores of the same lane
// shape under the same mask lead from the same set to the same next one. The sets and the stores
// between them form a memoized automaton: a set that recurs has its old number, and what was found
// out at a set (a load that reads only written bytes, the set after a store) is not recomputed from
// the bytes. If the shape of a store is unknown, the next set gets a new number.
#include "interp/core/gang.h"
#include "interp/lanes/lane_shapes.h"
#include "interp/definedness/undef.h"

enum { VM_TRANSITIONS = 64, VM_TRANSITION_LANES = 512, VM_NOTHING_WRITTEN = 1 };
struct vm_transition {
    uint64_t written_set,
        lane_shape;       // before; of the access, vm_lane_shape.id; 0: nothing is known
    uint64_t next;        // the same set for a load that reads only written bytes
    uint32_t first, kind; // element of lane 0, modulo 2^32; kind of each lane's access
    uint32_t more;        // bytes that were not written before
    bool masked;          // else all lanes; of a load therefore any
    uint8_t mask[VM_TRANSITION_LANES];
};
struct vm_written_sets {
    uint64_t made; // the last number given
    struct vm_transition step[VM_TRANSITIONS];
};

/** What is written of the object has changed in a way that has no number. */
static inline void vm_new_written_set(const struct vm_object *o)
{
    if (o->shadow->written_sets) o->shadow->written_set = ++o->shadow->written_sets->made;
}

/** Where the step of an access is kept, if it is known, which `was` says; NULL: it has none. */
static inline struct vm_transition *vm_transition_of(const struct vm_gang *g,
                                                     const struct vm_object *o,
                                                     const struct vm_lane_shape *shape,
                                                     uint32_t first, uint32_t kind, bool is_store,
                                                     bool masked, bool *was)
{
    struct vm_written_sets *const all = o->shadow->written_sets;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (!all || !shape || n > VM_TRANSITION_LANES) return NULL;
    const uint64_t set = o->shadow->written_set,
                   key = (set * 0x9e3779b97f4a7c15u ^ shape->id) * 0xc2b2ae3d27d4eb4fu +
                         (first * 2654435761u ^ kind);
    struct vm_transition *const s = &all->step[key * 0x9e3779b97f4a7c15u >> 58];
    const bool is_it = s->written_set == set && s->lane_shape == shape->id && s->first == first &&
                       s->kind == (kind << 1 | is_store);
    *was = is_it && (s->masked ? masked && !memcmp(s->mask, g->mask, n) : !(is_store && masked));
    return s;
}

static inline void vm_note_transition(const struct vm_gang *g, struct vm_transition *s,
                                      uint64_t set, const struct vm_lane_shape *shape,
                                      uint32_t first, uint32_t kind, bool is_store, bool masked,
                                      uint64_t next, uint32_t more)
{
    s->written_set = set;
    s->lane_shape = shape->id;
    s->first = first;
    s->kind = kind << 1 | is_store;
    s->next = next;
    s->more = more;
    s->masked = masked;
    if (masked) memcpy(s->mask, g->mask, g->n & ~(VM_PAD - 1u));
}
#endif

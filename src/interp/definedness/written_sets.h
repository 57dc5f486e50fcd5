// SPDX-License-Identifier: MIT
#ifndef INTERP_WRITTEN_SETS_H
#define INTERP_WRITTEN_SETS_H
// Written-set versions: a number for the set of written bytes of a group's local memory.
//
// Groups repeat the same steps: all start with the empty set, and stores of the same lane shape
// under the same mask lead from the same set to the same next one. The sets and the stores between
// them form a memoized automaton: a set that recurs has its old number, and facts about a set (a
// load that reads only written bytes, the set after a store) are not recomputed from the bytes. If
// the shape of a store is unknown, the next set gets a new number.
#include "interp/core/gang.h"
#include "interp/lanes/lane_shapes.h"
#include "interp/definedness/undef.h"

enum { VM_TRANSITIONS = 64, VM_TRANSITION_LANES = 512, VM_EXTENTS = 8, VM_NOTHING_WRITTEN = 1 };
struct vm_transition {
    uint64_t written_set,
        lane_shape;       // the set before; vm_lane_shape.id of the access; 0: unknown
    uint64_t next;        // the set after it; unchanged for a load that reads only written bytes
    uint32_t first, kind; // element of lane 0, modulo 2^32; kind of each lane's access
    uint32_t more;        // bytes that were not written before
    bool masked;          // otherwise for all lanes, and loads with any mask
    uint8_t mask[VM_TRANSITION_LANES];
};
/** The bytes of a set, in all copies of the object: see local_memory.c. */
struct vm_extent {
    uint64_t written_set, first, bytes; // bytes may be 0
    bool is_known;                      // otherwise one group ended in the set
};
struct vm_written_sets {
    uint64_t made; // the last number given
    struct vm_transition step[VM_TRANSITIONS];
    struct vm_extent extent[VM_EXTENTS]; // of sets in which groups ended
};

/** The set of written bytes changed by an access without a lane shape: gives it a new number. */
static inline void vm_new_written_set(const struct vm_object *o)
{
    if (o->shadow->written_sets) o->shadow->written_set = ++o->shadow->written_sets->made;
}

/** An access of a gang's lanes, as a step from a set to the next one. */
struct vm_step {
    const struct vm_lane_shape *shape; // NULL: unknown
    uint32_t first, kind;              // as in vm_transition
    bool is_store, masked;
};

/** The slot of a step's transition; `was`: it is known. NULL: it has no slot. */
static inline struct vm_transition *vm_transition_of(const struct vm_gang *g,
                                                     const struct vm_object *o,
                                                     const struct vm_step *step, bool *was)
{
    struct vm_written_sets *const all = o->shadow->written_sets;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (!all || !step->shape || n > VM_TRANSITION_LANES) return NULL;
    const uint64_t set = o->shadow->written_set,
                   key = (set * 0x9e3779b97f4a7c15u ^ step->shape->id) * 0xc2b2ae3d27d4eb4fu +
                         (step->first * 2654435761u ^ step->kind);
    struct vm_transition *const s = &all->step[key * 0x9e3779b97f4a7c15u >> 58];
    const bool is_it = s->written_set == set && s->lane_shape == step->shape->id &&
                       s->first == step->first && s->kind == (step->kind << 1 | step->is_store);
    *was = is_it && (s->masked ? step->masked && !memcmp(s->mask, g->mask, n)
                               : !(step->is_store && step->masked));
    return s;
}

/** The step leads from the set to `next`, which has `more` bytes. */
static inline void vm_note_transition(const struct vm_gang *g, struct vm_transition *s,
                                      const struct vm_step *step, uint64_t set, uint64_t next,
                                      uint32_t more)
{
    s->written_set = set;
    s->lane_shape = step->shape->id;
    s->first = step->first;
    s->kind = step->kind << 1 | step->is_store;
    s->next = next;
    s->more = more;
    s->masked = step->masked;
    if (step->masked) memcpy(s->mask, g->mask, g->n & ~(VM_PAD - 1u));
}
#endif

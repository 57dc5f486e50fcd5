// SPDX-License-Identifier: MIT
#ifndef INTERP_WRITTEN_SETS_H
#define INTERP_WRITTEN_SETS_H
// Which bytes of a group's local memory are written, by number. Groups do the same one after the
// other: all begin with nothing written, and stores that lie in the same way, under the same mask,
// bring the same set of written bytes to the same next one. So a set that comes up again has the
// number that it had, its stage, and what was found out at a stage about a load, or where a store
// leads to, need not be looked for in the bytes a second time. Where it is not known how something
// lies, the stage that follows is a new one.
#include "interp/core/gang.h"
#include "interp/lanes/lane_shapes.h"
#include "interp/definedness/undef.h"

enum { VM_STEPS = 64, VM_STEP_LANES = 512, VM_STAGE_NONE = 1 };
struct vm_step {
    uint64_t stage, layout; // before; of the access, vm_layout.id; 0: nothing is known
    uint64_t next;          // of a load that reads nothing but written bytes the same one
    uint32_t first, kind;   // element of lane 0, modulo 2^32; what each lane accesses
    uint32_t more;          // bytes that were not written before
    bool masked;            // else all lanes; of a load therefore any
    uint8_t mask[VM_STEP_LANES];
};
struct vm_stages {
    uint64_t made; // the last number given
    struct vm_step step[VM_STEPS];
};

/** What is written of the object has changed in a way that has no number. */
static inline void vm_new_stage(const struct vm_object *o)
{
    if (o->shadow->stages) o->shadow->stage = ++o->shadow->stages->made;
}

/** Where the step of an access is kept, if it is known, which `was` says; NULL: it has none. */
static inline struct vm_step *vm_step_of(const struct vm_gang *g, const struct vm_object *o,
                                         const struct vm_layout *layout, uint32_t first,
                                         uint32_t kind, bool is_store, bool masked, bool *was)
{
    struct vm_stages *const all = o->shadow->stages;
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    if (!all || !layout || n > VM_STEP_LANES) return NULL;
    const uint64_t stage = o->shadow->stage,
                   key = (stage * 0x9e3779b97f4a7c15u ^ layout->id) * 0xc2b2ae3d27d4eb4fu +
                         (first * 2654435761u ^ kind);
    struct vm_step *const s = &all->step[key * 0x9e3779b97f4a7c15u >> 58];
    const bool is_it = s->stage == stage && s->layout == layout->id && s->first == first &&
                       s->kind == (kind << 1 | is_store);
    *was = is_it && (s->masked ? masked && !memcmp(s->mask, g->mask, n) : !(is_store && masked));
    return s;
}

static inline void vm_note_step(const struct vm_gang *g, struct vm_step *s, uint64_t stage,
                                const struct vm_layout *layout, uint32_t first, uint32_t kind,
                                bool is_store, bool masked, uint64_t next, uint32_t more)
{
    s->stage = stage;
    s->layout = layout->id;
    s->first = first;
    s->kind = kind << 1 | is_store;
    s->next = next;
    s->more = more;
    s->masked = masked;
    if (masked) memcpy(s->mask, g->mask, g->n & ~(VM_PAD - 1u));
}
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_MEMORY_OBJECT_H
#define INTERP_MEMORY_OBJECT_H
#include "interp/vm.h"

/** Tagged pointers: the id of an object in the upper 16 bits, and an offset. */

enum vm_object_kind {
    VM_OBJ_NULL,
    VM_OBJ_NONE,
    VM_OBJ_PRIVATE,
    VM_OBJ_LOCAL,
    VM_OBJ_CONSTANT,
    VM_OBJ_PROGRAM,
    VM_OBJ_BUFFER,
    VM_OBJ_IMAGE
};

enum {
    VM_READ_ONLY = 1,
    VM_WATCH_LOCAL = 2,
    VM_WATCH_GLOBAL = 4,
    VM_WRITE_ONLY = 8,
    VM_WRITABLE = 16,
    VM_GONE = 32
}; // declared read-only by the app: a write is reported and performed

/** The object of a pointer's id in this gang. */
struct vm_object {
    char *base; // private: word 0 of lane 0; words are interleaved over lanes
    uint64_t size;
    uint8_t kind, flags, space;
    uint16_t spaces; // bit of its space
    uint16_t same;   // an argument: number of the first argument with the same bytes; otherwise 0
    struct vm_shadow *shadow;   // NULL: all bytes are defined
    struct vm_touched *touched; // or NULL
    uint64_t origin;            // in the root
    char *privatized; // the worker's copy of its first elements, or NULL: privatized_reduction.h
    uint32_t nprivatized;  // elements
    uint32_t step, copies; // local memory in packs: distance in bytes of the copies of consecutive
                           // groups; otherwise 0
};

/** Bytes [at, at + size) of an object, as one lane accesses them. */
struct vm_lane_range {
    const struct vm_object *o; // NULL: the access is invalid
    uint32_t lane;
    uint64_t at, size;
};
/** Bytes [from, from + size) of the range. */
static inline struct vm_lane_range vm_part_of(const struct vm_lane_range *r, uint64_t from,
                                              uint64_t size)
{
    return (struct vm_lane_range){r->o, r->lane, r->at + from, size};
}

/** The set of spaces that a pointer of type `space` may point into. */
static inline uint16_t vm_spaces(unsigned space)
{
    return space == BC_GENERIC ? 0xffff : (uint16_t)(1u << space);
}

#define VM_PTR_MASK ((1ull << BC_PTR_ID_SHIFT) - 1)
static inline int64_t vm_offset_of(uint64_t p)
{
    return (int64_t)(p & VM_PTR_MASK) - (int64_t)BC_PTR_BIAS;
}

/** The flags of touched bytes of an object with `touched`, from its first byte on. */
static inline uint8_t *vm_touched_bytes(const struct vm_object *o, enum vm_touch how)
{
    bool *any = &o->touched->any[how];
    if (!__atomic_load_n(any, __ATOMIC_RELAXED)) __atomic_store_n(any, true, __ATOMIC_RELAXED);
    return o->touched->by[how] + o->origin;
}
#endif

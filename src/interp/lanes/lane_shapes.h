// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_SHAPES_H
#define INTERP_LANE_SHAPES_H
// How the lanes of an access lie, kept from one time to the next.
//
// Most accesses that are not plainly consecutive lie in the same way every time: rows of a tile, a
// column, every third byte. A layout is what the lanes' indices are less lane 0's, of all lanes,
// active or not. Where an access has a known one, which one comparison of all indices tells, the
// least and the greatest index are known, so that bounds cost nothing more, and for each unit of
// some lanes how its elements are best taken out of memory. A gang keeps some layouts; a site looks
// first at the one that came after its last one before. Accesses that never repeat cost a site its
// credit, and it does without for a while.
#include "interp/core/gang.h"

enum { VM_LAYOUTS = 32, VM_LAYOUT_SITES = 256, VM_UNIT = 8 };

/**
 * How the elements of a unit lie: one place, one behind the other, within so many vectors of a unit
 * from the least one on, or anyhow.
 */
enum vm_unit_how {
    VM_UNIT_NEXT,
    VM_UNIT_SAME,
    VM_UNIT_WINDOW,
    VM_UNIT_ANY = VM_UNIT_WINDOW + 4,
    VM_UNIT_MIXED
};
enum { VM_UNIT_AGAIN = 0x80 }; // a bit beside it: where the unit before lies

struct vm_layout {
    uint64_t id; // no two that ever were in the process have the same; from 1
    uint32_t n;  // lanes, as many as a gang has (rounded up); 0: none
    uint32_t step,
        own; // vm_access.step; the distance of groups' copies in elements, 0: there are none
    uint8_t elog;
    uint8_t then;      // which one a site had after this one, last time
    uint8_t all;       // how all units lie, MIXED: not in one way
    int32_t every;     // all `place` are as far apart from the one before; INT32_MIN: they are not
    bool used;         // lately
    int32_t low, high; // the least and the greatest of `index`
    int64_t reach;     // how far windows go from lane 0's element on, to behind the last one
    bool spreads;      // windows of two units at most have their lanes in `inverse`
    int32_t *index;    // [lane]: index less lane 0's
    int32_t *place;    // [lane]: element less lane 0's
    uint8_t *how;      // [unit]: enum vm_unit_how
    int32_t *from;     // [unit]: the least of `place`
    int8_t *inverse;   // [unit][2 * VM_UNIT]: the lane that has this place of the window, or -1. Of
                       // words of 32 bits, and only where no two lanes have one place
};

struct vm_layouts {
    struct vm_layout layout[VM_LAYOUTS];
    uint32_t next;                    // which is looked at first for giving way
    uint8_t of_site[VM_LAYOUT_SITES]; // the last one
    int8_t credit[VM_LAYOUT_SITES];
};

/** Lanes of a unit: bytes are taken out of memory by sixteen. */
static inline uint32_t vm_unit(unsigned elog) { return elog ? VM_UNIT : 2 * VM_UNIT; }

struct vm_layouts *vm_layouts_create(void);
void vm_layouts_free(struct vm_layouts *s);
/** One that can be overwritten, with an id and room for so many lanes. */
struct vm_layout *vm_layout_new(struct vm_layouts *s, uint32_t width);
/** Lanes are of other groups from now on. */
void vm_layouts_forget(struct vm_layouts *s);
#endif

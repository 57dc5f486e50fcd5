// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_SHAPES_H
#define INTERP_LANE_SHAPES_H
// Lane shapes: the relative addresses of an access's lanes, interned and reused.
//
// Most accesses that are not consecutive have the same shape every time: rows of a tile, a column,
// every third byte. A lane shape is the indices of all lanes, active or not, minus that of lane 0.
// One comparison of all indices recognizes a known shape. Its smallest and largest index are known,
// so the bounds check costs no more, and so is the best way to load or store each strip. A gang
// keeps a few shapes; a site first tries the successor of its last shape (as a value predictor
// does). Accesses that never repeat use up the credit of their site, which then goes without shapes
// for a while.
#include "interp/core/gang.h"

enum { VM_LANE_SHAPES = 32, VM_LANE_SHAPE_SITES = 256, VM_STRIP = 8 };

/**
 * How the elements of a strip lie: one place, one after the other, within so many vectors of a
 * strip from the least one on, or anyhow.
 */
enum vm_strip_how {
    VM_STRIP_NEXT,
    VM_STRIP_BROADCAST,
    VM_STRIP_WINDOW,
    VM_STRIP_ANY = VM_STRIP_WINDOW + 4,
    VM_STRIP_MIXED
};
enum { VM_STRIP_AGAIN = 0x80 }; // a bit beside it: where the strip before lies

struct vm_lane_shape {
    uint64_t id; // no two that ever were in the process have the same; from 1
    uint32_t n;  // lanes, as many as a gang has (rounded up); 0: none
    uint32_t step,
        own; // vm_access.step; the distance of groups' copies in elements, 0: there are none
    uint8_t elog;
    uint8_t then;  // which one a site had after this one, last time
    uint8_t all;   // how all strips lie, MIXED: not in one way
    int32_t every; // all `element` are as far apart from the one before; INT32_MIN: they are not
    bool used;     // lately
    int32_t low, high; // the least and the greatest of `index`
    int64_t reach;     // how far windows go from lane 0's element on, to after the last one
    bool spreads;      // windows of two strips at most have their lanes in `inverse`
    int32_t *index;    // [lane]: index less lane 0's
    int32_t *element;  // [lane]: element less lane 0's
    uint8_t *how;      // [strip]: enum vm_strip_how
    int32_t *from;     // [strip]: the least of `element`
    int8_t *inverse; // [strip][2 * VM_STRIP]: the lane that has this place of the window, or -1. Of
                     // words of 32 bits, and only where no two lanes have one place
};

struct vm_lane_shapes {
    struct vm_lane_shape shape[VM_LANE_SHAPES];
    uint32_t next;                        // which is looked at first for giving way
    uint8_t of_site[VM_LANE_SHAPE_SITES]; // the last one
    int8_t credit[VM_LANE_SHAPE_SITES];
};

/** Lanes of a strip: bytes are taken out of memory by sixteen. */
static inline uint32_t vm_strip(unsigned elog) { return elog ? VM_STRIP : 2 * VM_STRIP; }

struct vm_lane_shapes *vm_lane_shapes_create(void);
void vm_lane_shapes_free(struct vm_lane_shapes *s);
/** One that can be overwritten, with an id and room for so many lanes. */
struct vm_lane_shape *vm_lane_shape_new(struct vm_lane_shapes *s, uint32_t width);
/** Lanes are of other groups from now on. */
void vm_lane_shapes_forget(struct vm_lane_shapes *s);
#endif

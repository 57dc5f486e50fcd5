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
// does). Accesses that never repeat use up the credit of their site, which then gets no shapes for
// a while.
#include "interp/core/gang.h"

enum { VM_LANE_SHAPES = 32, VM_LANE_SHAPE_SITES = 256, VM_STRIP = 8 };

/**
 * The layout of a strip's elements: consecutive, all equal, within 1 to 4 vectors from the smallest
 * one on, or any.
 */
enum vm_strip_how {
    VM_STRIP_NEXT,
    VM_STRIP_BROADCAST,
    VM_STRIP_WINDOW,
    VM_STRIP_ANY = VM_STRIP_WINDOW + 4,
    VM_STRIP_MIXED
};
enum { VM_STRIP_AGAIN = 0x80 }; // flag: the same window as the previous strip

struct vm_lane_shape {
    uint64_t id; // unique in the process; from 1
    uint32_t n;  // lanes of the gang (rounded up); 0: unused
    uint32_t step,
        own; // vm_access.step; the distance of groups' copies in elements, 0: there are none
    uint8_t elog;
    uint8_t then;      // the shape that followed this one at a site, last time
    uint8_t all;       // the layout of all strips; MIXED: different ones
    int32_t every;     // the common distance of consecutive `element`; INT32_MIN: not common
    bool used;         // lately
    int32_t low, high; // the smallest and the largest `index`
    int64_t reach;     // end of the last window, relative to lane 0's element
    bool spreads;      // `inverse` is valid: windows are two strips at most
    int32_t *index;    // [lane]: index less lane 0's
    int32_t *element;  // [lane]: element less lane 0's
    uint8_t *how;      // [strip]: enum vm_strip_how
    int32_t *from;     // [strip]: the smallest `element`
    int8_t *inverse;   // [strip][2 * VM_STRIP]: the lane at this position of the window, or -1. For
                       // words of 32 bits without duplicates
};

struct vm_lane_shapes {
    struct vm_lane_shape shape[VM_LANE_SHAPES];
    uint32_t next;                        // the first candidate for replacement
    uint8_t of_site[VM_LANE_SHAPE_SITES]; // the last one
    int8_t credit[VM_LANE_SHAPE_SITES];
};

/** Lanes of a strip: 16 for bytes, otherwise VM_STRIP. */
static inline uint32_t vm_strip(unsigned elog) { return elog ? VM_STRIP : 2 * VM_STRIP; }

struct vm_lane_shapes *vm_lane_shapes_create(void);
void vm_lane_shapes_free(struct vm_lane_shapes *s);
/** A shape to be overwritten, with a new id and room for the lanes. */
struct vm_lane_shape *vm_lane_shape_new(struct vm_lane_shapes *s, uint32_t width);
/** Forgets all shapes: the lanes now belong to other groups. */
void vm_lane_shapes_forget(struct vm_lane_shapes *s);
#endif

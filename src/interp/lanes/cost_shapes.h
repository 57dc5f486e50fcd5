// SPDX-License-Identifier: MIT
#ifndef INTERP_COST_SHAPES_H
#define INTERP_COST_SHAPES_H
// A memo of what accesses of a gang cost, by the relative addresses of their active lanes.
//
// Rows of a tile, columns, and lanes that a condition on ids selects have the same relative
// addresses each time. Their cost depends on these, on the bytes of each access, and on where the
// first address lies in a cache line and in the banks. The memo is a direct-mapped cache over a
// hash of a few lanes; one comparison of all lanes confirms an entry. Addresses that depend on data
// do not repeat: an entry is made only for a hash that missed twice in succession (a doorkeeper).
#include "interp/vm.h"

enum { VM_COST_SHAPES = 128, VM_COST_FIRSTS = 64 };

/** Cycles of banks or transactions, summed over the waves with active lanes. */
struct vm_wave_sum {
    uint64_t n, ideal;
    uint32_t waves;
};

struct vm_cost_shape {
    uint64_t key, missed; // 0: none; missed: the last key that was not found here
    uint32_t nactive, n;  // n: lanes of the gang, rounded up
    uint32_t unit, bytes; // unit: of `at`, in bytes
    bool is_local, is_full;
    uint32_t waves;
    int32_t low, high; // the smallest and the largest `at` of active lanes
    int32_t *at;       // [lane]: relative to the first active lane
    uint8_t *mask;     // [lane]
    struct {
        uint32_t first; // address of the first active lane, modulo the model's period; plus 1
        uint32_t n, ideal;
    } costs[VM_COST_FIRSTS];
};

struct vm_cost_shapes {
    struct vm_cost_shape shape[VM_COST_SHAPES];
};

struct vm_cost_shapes *vm_cost_shapes_create(void);
void vm_cost_shapes_free(struct vm_cost_shapes *s); // NULL: does nothing
/** Empties the shape and makes room for the lanes of a gang. */
void vm_cost_shape_reset(struct vm_cost_shape *s);
#endif

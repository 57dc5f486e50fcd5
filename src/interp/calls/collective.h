// SPDX-License-Identifier: MIT
#ifndef INTERP_COLLECTIVE_H
#define INTERP_COLLECTIVE_H
#include "bytecode/bytecode.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * A collective function of a work-group or a sub-group. A value is the bits of its type, in the low
 * bytes of 8.
 */
struct vm_collective {
    uint8_t what, combine, type; // enum bc_collect, bc_combine, bc_type
    bool has_cluster;
};
uint64_t vm_combine(const struct vm_collective *q, uint64_t x, uint64_t y);
/** The identity element: the combination of no values. */
uint64_t vm_combine_identity(const struct vm_collective *q);
/** REDUCE, ALL, ANY: of n values, in order. */
uint64_t vm_combined(const struct vm_collective *q, const uint64_t *v, uint32_t n);

/**
 * A sub-group with active lanes: for these, v and by are the operands, and r receives the result.
 */
struct vm_sub_group {
    uint32_t first, size; // its lanes of the gang
    uint32_t whole;       // lanes of a full sub-group
    uint64_t cluster;     // 0: the whole sub-group
    bool active[BC_MAX_SUB_GROUP];
    uint64_t v[BC_MAX_SUB_GROUP], by[BC_MAX_SUB_GROUP], r[BC_MAX_SUB_GROUP];
};
/**
 * The lane whose value active lane i gets in a broadcast, shuffle or rotation. s->size: that lane
 * is inactive or does not exist, and the value is 0.
 */
uint32_t vm_sub_group_source(const struct vm_collective *q, const struct vm_sub_group *s,
                             uint32_t i);
void vm_sub_group_collect(const struct vm_collective *q, struct vm_sub_group *s);
#endif

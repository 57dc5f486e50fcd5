// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_OPERAND_H
#define INTERP_LANE_OPERAND_H
#include "interp/core/gang.h"
#include "interp/decode/code.h"

/** Registers and memory of a single lane. */

uint64_t vm_operand_bits(struct vm_gang *g, uint32_t off, bool varying, unsigned elog,
                         uint32_t lane);
void vm_set_operand(struct vm_gang *g, uint32_t off, bool varying, unsigned elog, uint32_t lane,
                    uint64_t v);

/** The index of an access in a lane; 0 if it has none. */
static inline int64_t vm_lane_index(struct vm_gang *g, const struct vm_access *x, uint32_t lane)
{
    switch (x->index) {
    case BC_IDX_NONE: return 0;
    case BC_IDX_S32: return (int32_t)vm_operand_bits(g, x->index_off, x->index_varying, 2, lane);
    case BC_IDX_U32: return (uint32_t)vm_operand_bits(g, x->index_off, x->index_varying, 2, lane);
    default: return (int64_t)vm_operand_bits(g, x->index_off, x->index_varying, 3, lane);
    }
}

/** Reads or writes one element of a lane at a checked offset. */
uint64_t vm_lane_read(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                      unsigned size);
void vm_lane_write(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                   unsigned size, uint64_t v);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_OPERAND_H
#define INTERP_LANE_OPERAND_H
#include "interp/core/gang.h"

/** Registers and memory of a single lane. */

uint64_t vm_operand_bits(struct vm_gang *g, uint32_t off, bool varying, unsigned elog,
                         uint32_t lane);
void vm_set_operand(struct vm_gang *g, uint32_t off, bool varying, unsigned elog, uint32_t lane,
                    uint64_t v);

/** Reads or writes one element of a lane at a checked offset. */
uint64_t vm_lane_read(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                      unsigned size);
void vm_lane_write(struct vm_gang *g, const struct vm_object *o, uint32_t lane, uint64_t off,
                   unsigned size, uint64_t v);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_LANE_ADDRESSES_H
#define INTERP_LANE_ADDRESSES_H
// Addresses of lanes, for code that counts accesses; compiled once for each instruction set.
#include "interp/core/gang.h"
#include "interp/lanes/strips.h"
#include "interp/launch/counters.h"

/**
 * The addresses of 16 lanes, including the object id. Registers have room for multiples of 16
 * lanes.
 */
INLINE void lane_addresses(struct vm_gang *g, const struct vm_access *x, uint32_t from,
                           uint64_t a[VM_NEIGHBORS])
{
    const uint64_t *const base = (const uint64_t *)(g->r + x->base_off) +
                                 (x->base_varying ? from : 0);
    const uint64_t scale = (uint64_t)x->scale;
    const char *const index = g->r + x->index_off;
    uint64_t add = (uint64_t)x->disp;
    if (x->index != BC_IDX_NONE && !x->index_varying) {
        const uint32_t narrow = *(const uint32_t *)index;
        add += scale * (x->index == BC_IDX_I64   ? *(const uint64_t *)index
                        : x->index == BC_IDX_U32 ? narrow
                                                 : (uint64_t)(int32_t)narrow);
    }
    for (uint32_t i = 0; i < VM_NEIGHBORS; i++) a[i] = add + (x->base_varying ? base[i] : base[0]);
    if (!x->index_varying) return;
    const uint32_t *const narrow = (const uint32_t *)index + from;
    if (x->index == BC_IDX_I64)
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++)
            a[i] += scale * ((const uint64_t *)index + from)[i];
    else if (x->index == BC_IDX_U32)
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++) a[i] += scale * narrow[i];
    else
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++) a[i] += scale * (uint64_t)(int32_t)narrow[i];
}
#endif

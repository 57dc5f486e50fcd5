// SPDX-License-Identifier: MIT
#ifndef INTERP_ISA_H
#define INTERP_ISA_H
#include "interp/decode/code.h"

/**
 * The loops over lanes, compiled once for each level of the instruction set; the best supported one
 * is used (function multi-versioning).
 */

/** The lanes of a mask: their number, and their end rounded up to VM_PAD. */
struct vm_lane_count {
    uint32_t n, end;
};
struct vm_split_count {
    struct vm_lane_count yes, no;
};

/** The functions compiled for each instruction set. */
struct vm_isa {
    const char *name;
    /**
     * [op][form]: bit 0 a varying, 1 b, 2 c; 0: all and dst uniform. NULL: the decoder splats
     * operands.
     */
    vm_handler *op[BC_OP_COUNT][8];
    vm_handler *mul_add[2][8]; // a * b + c: [64 bits][form]; for two instructions of bytecode
    vm_handler *splat[4], *copy[4], *blend[4], *blend_uniform[4]; // by log2 of the element
    vm_handler *load[2], *store[2];                               // [masked]
    vm_handler *load_uniform[2], *store_uniform;                  // base and index are uniform
    vm_handler *lea, *atomic, *copy_bytes, *set_bytes, *undef_plain, *undef_copy, *undef_set, *cbr;
    vm_handler *count_access; // statistics: before an access, by space and class. p: its struct
                              // vm_access
    vm_handler *cost_access;  // the same, where code is profiled: access_costs.c
    vm_handler *wi32, *wi64, *wi_packed[2]; // of packs: [64 bits]
    /**
     * [64 bits]: to[i] = first + x[i] + size[0] * y[i] + size[1] * z[i], n of them, from local ids
     * or (packs) global ones.
     */
    void (*wi_linear[2])(void *to, uint64_t first, const uint64_t size[2], uint32_t *const lid[3],
                         uint32_t n);
    void (*wi_linear_packed[2])(void *to, uint64_t first, const uint64_t size[2],
                                uint64_t *const gid[3], uint32_t n);
    /** to[i] = begin + (group[i] - group[0]) * size + lid[i] (NULL: 0) */
    void (*packed_ids)(uint64_t *to, uint64_t begin, const uint32_t *group, uint32_t size,
                       const uint32_t *lid, uint32_t n);
    vm_handler *check_index[2]; // of 32 and 64 bits: a = the varying index, p = struct vm_operands,
                                // n: the end
    vm_handler *check_range[2]; // of floats, of doubles: a = the varying value, p = struct vm_range
    /**
     * m_true = mask & cond, m_false = mask & ~cond; `add`: bit 0 the first is OR'ed into m_true,
     * bit 1 the second into m_false.
     */
    struct vm_split_count (*split)(const uint8_t *mask, const uint8_t *cond, uint8_t *m_true,
                                   uint8_t *m_false, uint32_t n, unsigned add);
    struct vm_lane_count (*count)(const uint8_t *mask, uint32_t n);
    void (*merge)(uint8_t *to, const uint8_t *from, uint32_t n);
    void (*blend_values)(unsigned elog, void *to, const void *from, const uint8_t *mask,
                         uint32_t n);
};

extern const struct vm_isa vm_isa_v1;
#ifdef VM_ISA_X86
extern const struct vm_isa vm_isa_v3, vm_isa_v4;
#endif
/** The best that cpu_level allows. */
const struct vm_isa *vm_isa_choose(void);
void vm_isa_force(const struct vm_isa *isa); // for tests, before any launch; NULL: no more
#endif

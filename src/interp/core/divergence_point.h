// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVERGENCE_POINT_H
#define INTERP_DIVERGENCE_POINT_H
#include "interp/core/group.h"

/**
 * Divergence points: where work-items diverged before a barrier. A varying branch that barriers
 * depend on (BC_DECIDES) records the edge that each lane took; kernels without such branches do not
 * pay for it. A lane keeps at most VM_CHOICES records, back to the last barrier that the whole
 * group passed.
 */
enum { VM_CHOICES = 64 };
struct vm_choice {
    uint32_t block;    // twice, plus 1: the condition was true
    uint32_t key;      // hash of the iterations of the enclosing loops that have barriers
    uint64_t value[2]; // of the branch's vm_compared
};

/**
 * The operands that the condition of a branch compares, in registers that still hold them at the
 * branch. Decoded with the branch.
 */
struct vm_compared {
    const struct bc_insn *insn; // NULL if the condition is not a comparison
    uint32_t off[2];
    uint8_t varying; // bits
    uint8_t elog;
};
/** The comparison before a branch of fn, if it is the branch's condition; otherwise NULL. */
const struct bc_insn *vm_comparison(const struct bc_fn *fn, const struct bc_insn *branch);

vm_handler vm_op_cbr_decides;
void vm_choices_forget(struct vm_gang *g);

/**
 * The last branch at which a work-item took another edge than some member. yes, no: the work-items
 * that took each edge (the caller zeroes them); values[k]: the k-th operand of the comparison.
 * False: not known, or `tries`, which is counted down, was too small.
 */
struct vm_divergence_point {
    uint32_t block, key, nth;
    bool yes; // the edge that the work-item took
};
bool vm_divergence_point_find(const struct vm_group *grp, const uint8_t *members, uint32_t item,
                              uint32_t *tries, struct vm_divergence_point *out);
void vm_divergence_point_members(const struct vm_group *grp, const struct vm_divergence_point *p,
                                 uint8_t *yes, uint8_t *no, uint64_t *const values[2]);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_DIVERGENCE_POINT_H
#define INTERP_DIVERGENCE_POINT_H
#include "interp/core/group.h"

/**
 * Divergence points: where work-items diverged before a barrier. A varying branch that barriers
 * depend on (BC_DECIDES) records for each lane which way it went; kernels without such branches do
 * not pay for it. The records go back to the last barrier that the whole group passed, at most
 * VM_CHOICES of a lane.
 */
enum { VM_CHOICES = 64 };
struct vm_choice {
    uint32_t block;    // twice, plus 1: the condition was true
    uint32_t key;      // of the iterations of the loops around it that have barriers
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
 * The branch at which a work-item went another way than any of the members last, and who went
 * which: yes and no are zeroed masks by work-item, values[k] the k-th operand of what was compared
 * there. False when it is not known, or when `tries`, which it counts down, were not enough.
 */
struct vm_divergence_point {
    uint32_t block, key, nth;
    bool yes; // the way that the work-item went
};
bool vm_divergence_point_find(const struct vm_group *grp, const uint8_t *members, uint32_t item,
                              uint32_t *tries, struct vm_divergence_point *out);
void vm_divergence_point_members(const struct vm_group *grp, const struct vm_divergence_point *p,
                                 uint8_t *yes, uint8_t *no, uint64_t *const values[2]);
#endif

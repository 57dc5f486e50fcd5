// SPDX-License-Identifier: MIT
#ifndef INTERP_PARTING_H
#define INTERP_PARTING_H
#include "interp/group.h"

/**
 * Where work-items parted before a barrier. A branch that barriers depend on and that may vary (BC_DECIDES)
 * notes for each lane which way it went; kernels without such branches pay nothing. The notes are of the
 * time since the last barrier that the whole group passed, at most the last VM_CHOICES of a lane.
 */
enum { VM_CHOICES = 64 };
struct vm_choice {
    uint32_t block; // twice, plus 1: the condition was true
    uint32_t key;   // of the iterations of the loops around it that have barriers
};

vm_handler vm_op_cbr_decides;
void vm_choices_forget(struct vm_gang *g);

/** Which iteration of a loop with barriers the lane is in. */
uint32_t vm_iteration(const struct vm_gang *g, int32_t loop, uint32_t lane);

/**
 * The branch at which work-items a and b went different ways last, and who went which: yes and no are
 * zeroed masks by work-item. False when it is not known.
 */
struct vm_parting {
    uint32_t block, key, nth;
};
bool vm_parting_find(const struct vm_group *grp, uint32_t a, uint32_t b, struct vm_parting *out);
void vm_parting_members(const struct vm_group *grp, const struct vm_parting *p, uint8_t *yes, uint8_t *no);
#endif

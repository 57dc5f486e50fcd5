// SPDX-License-Identifier: MIT
#ifndef LOOK_GROUP_UNIFORM_H
#define LOOK_GROUP_UNIFORM_H
#include "bytecode/bytecode.h"

/**
 * same[k]: the condition at the end of block k (operand a of its CBR) is the same in all work-items
 * of a group that are there at once. False: not known. m has passed bc_verify.
 */
void look_group_uniform(const struct bc_module *m, const struct bc_fn *fn, bool *same);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_COLLECTIVE_ARGS_H
#define INTERP_COLLECTIVE_ARGS_H
#include "check/check.h"
#include "interp/core/gang.h"

/** Arguments that must be the same for the whole group: those of the first work-item that came. */
struct vm_first_args {
    const struct bc_insn *at;
    uint64_t number; // of the group's meetings
    struct chk_item item;
    uint64_t arg[5]; // in the order of struct vm_collective_args
    bool reported;
};

/**
 * Arguments of what a whole group comes to, which are to be the same for all: n operands of 1 <<
 * elog bytes; bit k: operand k varies.
 */
struct vm_collective_args {
    enum bc_barrier kind; // what they are of
    unsigned n, elog, varying;
    const enum chk_argument_kind *kinds;
    const uint32_t *off;
};

/**
 * After an error that leaves local memory unwritten: nothing in it counts as never written any
 * more.
 */
void vm_group_defines_all(struct vm_group *grp);

/** Tells, once, where work-items came with others than the first one. */
void vm_check_collective_args(struct vm_gang *g, const struct vm_insn *ip,
                              const struct vm_collective_args *a);
#endif

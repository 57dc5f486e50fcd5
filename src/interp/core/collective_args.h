// SPDX-License-Identifier: MIT
#ifndef INTERP_COLLECTIVE_ARGS_H
#define INTERP_COLLECTIVE_ARGS_H
#include "check/check.h"
#include "interp/core/gang.h"

/**
 * Arguments that must be the same for the whole group: those of the first work-item that arrived.
 */
struct vm_first_args {
    const struct bc_insn *at;
    uint64_t number; // of the group's reconvergence points
    struct chk_item item;
    uint64_t arg[5]; // in the order of struct vm_collective_args
    bool reported;
};

/**
 * Arguments of a collective of a whole group, which must be the same for all work-items: n operands
 * of 1 << elog bytes. Bit k of varying: operand k varies.
 */
struct vm_collective_args {
    enum bc_barrier kind; // the function that they belong to
    unsigned n, elog, varying;
    const enum chk_argument_kind *kinds;
    const uint32_t *off;
};

/**
 * After an error that leaves local memory unwritten: all of it counts as written from now on, to
 * avoid follow-on errors.
 */
void vm_group_defines_all(struct vm_group *grp);

/** Reports, once, if a work-item's arguments differ from those of the first one. */
void vm_check_collective_args(struct vm_gang *g, const struct vm_insn *ip,
                              const struct vm_collective_args *a);
#endif

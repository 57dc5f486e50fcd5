// SPDX-License-Identifier: MIT
#ifndef DEVICES_BOTH_VARIABLES_H
#define DEVICES_BOTH_VARIABLES_H
#include "bytecode/bytecode.h"
#include "devices/snapshot.h"

#include "base/vec.h"

/**
 * For --both: the program-scope variables of a program, of which each of the two forms has its own
 * instance. Variables with numbers are copied before a launch runs natively. Others may contain
 * addresses, which are valid in one form only, so they are not synchronized.
 */
struct both_variable {
    const struct bc_object *object;
    char *checked, *native; // the addresses of the two instances
    char *after;            // its values after a checked launch
};
struct both_variables {
    VEC(struct both_variable) numbers;
    bool has_others;
};
/** Finds the variables; both forms must be loaded. False: no memory. */
bool both_variables_find(struct both_variables *v, const struct bc_module *m, void *checked,
                         void *native);
void both_variables_deinit(struct both_variables *v);
/**
 * Restores the values before the launch, for the native run and for a repetition of the checked
 * one.
 */
void both_variables_give(struct both_variables *v, const struct dev_snapshot *before);
void both_variables_repeat(struct both_variables *v, const struct dev_snapshot *before);
/** After that. */
void both_variables_restore(struct both_variables *v);
#endif

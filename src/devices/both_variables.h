// SPDX-License-Identifier: MIT
#ifndef DEVICES_BOTH_VARIABLES_H
#define DEVICES_BOTH_VARIABLES_H
#include "bytecode/bytecode.h"
#include "devices/snapshot.h"

#include "base/vec.h"

/**
 * For --both: the program-scope variables of a program, which each of its two forms has for itself.
 * Those of numbers are made the same before a launch runs natively. The others may hold addresses,
 * which mean something in one form only: they go their own ways.
 */
struct both_variable {
    const struct bc_object *object;
    char *checked, *native; // where it lies
    char *after;            // its values, checked, after a launch
};
struct both_variables {
    VEC(struct both_variable) numbers;
    bool has_others;
};
/** Both forms are loaded. False: there is no memory. */
bool both_variables_find(struct both_variables *v, const struct bc_module *m, void *checked,
                         void *native);
void both_variables_deinit(struct both_variables *v);
/**
 * Before the native run, and before the checked one is repeated: they are again as they were before
 * the launch.
 */
void both_variables_give(struct both_variables *v, const struct dev_snapshot *before);
void both_variables_repeat(struct both_variables *v, const struct dev_snapshot *before);
/** After that. */
void both_variables_restore(struct both_variables *v);
#endif

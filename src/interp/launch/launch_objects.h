// SPDX-License-Identifier: MIT
#ifndef INTERP_LAUNCH_OBJECTS_H
#define INTERP_LAUNCH_OBJECTS_H
#include "interp/launch/run.h"

/** Fills run->objects and their names, and the offsets in local memory. */
void vm_set_objects(struct vm_run *run, struct chk_object *names);

/** May the kernel write through an argument that is part of the allocation? */
bool vm_root_is_written(const struct vm_run *run, const void *root);
#endif

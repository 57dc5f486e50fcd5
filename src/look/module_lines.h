// SPDX-License-Identifier: MIT
#ifndef LOOK_MODULE_LINES_H
#define LOOK_MODULE_LINES_H
#include "interp/vm.h"

#include <jansson.h>

/** Adds the counts c of m to `files`, the member `coverage.files` of the document. */
void look_add_coverage(json_t *files, const struct bc_module *m, const struct vm_coverage *c);
/** The same of costs, to the member `profile.files`. */
void look_add_costs(json_t *files, const struct bc_module *m, const struct vm_coverage *c);
/** Adds the sizes of launched groups to `groups`, the member `profile.groups`. */
void look_add_groups(json_t *groups, const struct bc_module *m, const struct vm_coverage *c);
/** Adds which barriers are needed, by kernel, to the member `profile.barriers`. */
void look_add_barriers(json_t *barriers, const struct bc_module *m, const struct vm_coverage *c);
/** m is unloaded, and another one may get its address. */
void look_forget_proofs(const struct bc_module *m);
#endif

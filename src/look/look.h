// SPDX-License-Identifier: MIT
#ifndef LOOK_LOOK_H
#define LOOK_LOOK_H
#include "interp/vm.h"

#include <jansson.h>

/**
 * What ran, by line of the source: from counts of bytecode blocks to members of the report's
 * document (report/document.h). All functions may be called from any thread.
 */

/** The member `profile` of the document, as look_coverage; ctx: the struct vm_device_model. */
json_t *look_profile(void *ctx);

/** A program was built: its lines count as not reached until they run. Borrows m until unload. */
/**
 * model: whose costs are counted, too; NULL: none are. barriers: which are needed is looked for.
 */
void look_program_load(const struct bc_module *m, const struct vm_device_model *model,
                       bool barriers);
/** Keeps what was counted of m. */
void look_program_unload(const struct bc_module *m);
/**
 * These barriers of a kernel (as in vm_barrier_uses) are proved to be needless together in launches
 * of these sizes; 0: none are.
 */
void look_barriers_proved(const struct bc_module *m, uint32_t kernel, uint64_t set,
                          const char *sizes);
/** Where launches of m count; NULL: m is not loaded. */
struct vm_coverage *look_coverage_of(const struct bc_module *m);

/**
 * The member `coverage` of the document: all programs of this process, loaded or not. A forked
 * child begins with counts of 0. The caller releases it.
 */
json_t *look_coverage(void *unused);
/** Raised whenever a block or a direction of a branch runs for the first time in this process. */
uint64_t look_fresh(void);
#endif

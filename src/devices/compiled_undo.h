// SPDX-License-Identifier: MIT
#ifndef DEVICES_COMPILED_UNDO_H
#define DEVICES_COMPILED_UNDO_H
#include "bytecode/question.h"
#include "interp/vm.h"

/**
 * What a launch may overwrite in its buffers, to be restored if the launch has to be repeated. By
 * argument: the bytes of its buffer that the kernel may write.
 */
struct compiled_undo;
/** NULL: no memory. */
struct compiled_undo *compiled_undo_take(const struct vm_launch *l, const struct bc_arg *decl,
                                         const struct proof_range *ranges);
void compiled_undo_restore(const struct compiled_undo *u);
void compiled_undo_free(struct compiled_undo *u); // NULL is fine
#endif

// SPDX-License-Identifier: MIT
#ifndef DEVICES_LAUNCH_QUESTION_H
#define DEVICES_LAUNCH_QUESTION_H
#include "bytecode/question.h"
#include "interp/vm.h"

/**
 * What is asked of the proof engine about one launch: its sizes, arguments and buffers; has_images:
 * images, too (machine code of proved launches has none).
 */
struct proof_question dev_launch_question(const struct vm_launch *l, const struct bc_module *m,
                                          struct arena *a, bool has_images);
#endif

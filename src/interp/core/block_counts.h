// SPDX-License-Identifier: MIT
#ifndef INTERP_BLOCK_COUNTS_H
#define INTERP_BLOCK_COUNTS_H
#include "interp/decode/decoder.h"
#include "interp/vm.h"

/**
 * Coverage: code that is decoded with VM_COVERAGE has an instruction at the beginning of each
 * block, before each branch, and before each entry into a loop. Other code does not pay for it.
 */
struct vm_worker;
struct vm_run;

/** Whether the launch's blocks are counted. */
static inline bool vm_is_covered(const struct vm_launch *l)
{
    return l->coverage && !l->debugger && !l->schedule;
}
/** Before the blocks of a function. */
void dec_count_predecessors(struct decoder *d);
/** At the beginning of a block; before its last instruction b. */
void dec_count_block(struct decoder *d, const struct bc_block *block);
void dec_count_end(struct decoder *d, const struct bc_insn *b);

void vm_counts_begin(struct vm_worker *w);
/** Adds what the workers have counted to the launch's coverage. */
void vm_counts_end(struct vm_run *run);
#endif

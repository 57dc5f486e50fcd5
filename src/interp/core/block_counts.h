// SPDX-License-Identifier: MIT
#ifndef INTERP_BLOCK_COUNTS_H
#define INTERP_BLOCK_COUNTS_H
#include "base/serialize.h"
#include "interp/core/gang.h"
#include "interp/decode/decoder.h"
#include "interp/vm.h"

#include <string.h>

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
/** Whether its costs on a device model are, too. Lanes of a gang are whole waves then. */
static inline bool vm_is_profiled(const struct vm_launch *l)
{
    return vm_is_covered(l) && l->coverage->model.simd_width;
}
/** How many waves of that width have an active lane. */
static inline uint32_t vm_active_waves(const struct vm_gang *g, uint32_t width)
{
    uint32_t n = 0;
    if (g->nactive == g->nlanes) return (g->nlanes + width - 1) / width;
    for (uint32_t from = 0; from < g->nlanes; from += width) {
        uint64_t any = 0, word;
        for (uint32_t i = from; i < from + width && i < g->all; i += 8) {
            memcpy(&word, g->mask + i, 8);
            any |= word;
        }
        n += any != 0;
    }
    return n;
}
/** Before the blocks of a function. */
void dec_count_predecessors(struct decoder *d);
/** At the beginning of a block; before its last instruction b. */
void dec_count_block(struct decoder *d, const struct bc_block *block);
void dec_count_end(struct decoder *d, const struct bc_insn *b);

void vm_counts_begin(struct vm_worker *w);
/** Adds what the workers have counted to the launch's coverage. */
void vm_counts_end(struct vm_run *run);
/** Drops what they have counted. */
void vm_counts_free(struct vm_run *run);
/** The counts of a worker as bytes for another process, which adds them to those of one of its own.
 */
void vm_counts_put(const struct vm_worker *w, struct str *out);
void vm_counts_take(struct vm_worker *w, struct ser_reader *in);
#endif

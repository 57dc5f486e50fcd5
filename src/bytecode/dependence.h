// SPDX-License-Identifier: MIT
#ifndef BYTECODE_DEPENDENCE_H
#define BYTECODE_DEPENDENCE_H
#include "bytecode/bytecode.h"

/**
 * What decides where a kernel's work-items go and which bytes they access: only ids, sizes, and
 * value arguments, or also what memory holds. If data does not decide, two launches with equal
 * sizes, equal deciding arguments and equal memory objects execute the same accesses in the same
 * barrier intervals, so that their checks have the same result. See dependence.c.
 */
struct bc_dependence {
    const char *on_data; // NULL: data decides nothing; else what it decides, as the end of "it has"
    uint32_t loc;        // of the instruction that on_data is about, or 0
    const char *beyond;  // with on_data: what neither proofs nor checks in machine code know (the
                         // end of the same sentence), or NULL
    bool *args;          // by argument: whether its value decides; the caller frees it
    uint32_t ninsns;     // of the kernel, its variants, and the functions that they call
    bool loops_vary;     // it has loops, and the branches of one work-group may go otherwise than
                         // those of another one with work-items of the same local ids
};

/** The dependence of kernels[kernel], its variants included. `m` was verified. */
void bc_dependence(const struct bc_module *m, uint32_t kernel, struct bc_dependence *out);
/**
 * Whether function `fn`, or one that it calls, has an atomic function whose result is used, or that
 * does not commute with the others.
 */
bool bc_atomics_show_order(const struct bc_module *m, uint32_t fn);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEBUG_CONTROL_DEPENDENCE_H
#define DEBUG_CONTROL_DEPENDENCE_H
#include "bytecode/bytecode.h"

/**
 * The branches on which an instruction of the function depends: those that decide whether it runs
 * (Ferrante, Ottenstein, Warren, TOPLAS 1987).
 */
struct dbg_controls {
    const struct bc_fn *fn;
    uint64_t *branches; // a bit for each block: it ends with such a branch
};
struct dbg_controls dbg_controls_of(const struct bc_fn *fn, const struct bc_insn *insn);
void dbg_controls_free(struct dbg_controls *c);
bool dbg_controls_any(const struct dbg_controls *c);
/** Is the instruction, of the same function, one of the branches? */
bool dbg_controls_has(const struct dbg_controls *c, const struct bc_insn *insn);
/** The block of the function that contains the instruction. */
uint32_t dbg_block_of(const struct bc_fn *fn, const struct bc_insn *insn);
/** The program may be released: what was computed is dropped. */
void dbg_controls_forget(void);
#endif

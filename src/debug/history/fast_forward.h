// SPDX-License-Identifier: MIT
#ifndef DEBUG_FAST_FORWARD_H
#define DEBUG_FAST_FORWARD_H
#include "interp/stepping/fast_forward_run.h"

/** Runs work-items as lanes of wide gangs while no stop is possible. */
struct dbg_fast_forward {
    struct vm_fast_forward *engine; // NULL: not possible in this launch
    bool blind;                     // it ignores breakpoints
    uint64_t interrupt_from;        // time from which on an interrupt stops
    bool rests;                     // after a finding: disabled until the next barrier, group or
                                    // stop
};
extern struct dbg_fast_forward dbg_fast_forward;

// for struct vm_debugger
bool dbg_fast_forward_look(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
bool dbg_fast_forward_met(void *ctx, struct vm_group *grp);
void dbg_fast_forward_write(void *ctx, struct vm_gang *g, const struct bc_insn *insn);

void dbg_fast_forward_begin(struct vm_run *run); // a launch
void dbg_fast_forward_end(void);
/** Fast-forwards the work-items at the same location; false: they must be stepped. */
bool dbg_fast_forward_run(struct vm_group *grp);
/**
 * In the past: repeats it over the same distance. blind: ignores breakpoints. False: memory must be
 * restored.
 */
bool dbg_fast_forward_again(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            bool blind);
/** The same, to count how many candidates for a pause each work-item passes. */
bool dbg_fast_forward_count(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            uint64_t *counts);
#endif

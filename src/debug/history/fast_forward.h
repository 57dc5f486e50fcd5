// SPDX-License-Identifier: MIT
#ifndef DEBUG_FAST_FORWARD_H
#define DEBUG_FAST_FORWARD_H
#include "interp/stepping/fast_forward_run.h"

/** Work-items run as lanes of wide gangs while there is nothing to stop for. */
struct dbg_fast_forward {
    struct vm_fast_forward *engine; // NULL: this launch cannot
    bool blind;                     // it ignores breakpoints
    uint64_t interrupt_from;        // time from which on an interrupt stops
    bool rests;                     // it found something: until the next barrier, group or stop
};
extern struct dbg_fast_forward dbg_fast_forward;

// for struct vm_debugger
bool dbg_fast_forward_look(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
bool dbg_fast_forward_met(void *ctx, struct vm_group *grp);
void dbg_fast_forward_write(void *ctx, struct vm_gang *g, const struct bc_insn *insn);

void dbg_fast_forward_begin(struct vm_run *run); // a launch
void dbg_fast_forward_end(void);
/** Fast-forwards the work-items that are at the same place; false: they are to be stepped. */
bool dbg_fast_forward_run(struct vm_group *grp);
/**
 * In the past: again, that far. blind: whatever breakpoints there are. False: memory is to be put
 * back.
 */
bool dbg_fast_forward_again(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            bool blind);
/** The same, but only counted: how often each work-item passes a candidate for a pause. */
bool dbg_fast_forward_count(struct vm_group *grp, const struct vm_fast_forward_span *span,
                            uint64_t *counts);
#endif

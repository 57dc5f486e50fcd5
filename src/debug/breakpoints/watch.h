// SPDX-License-Identifier: MIT
#ifndef DEBUG_WATCH_H
#define DEBUG_WATCH_H
#include "debug/breakpoints/breakpoint.h"

bool dbg_any_watch(void);
/** Does some watchpoint watch reads? */
bool dbg_any_read_watch(void);
/** Records the present values of the watched bytes. */
void dbg_watch_refresh(void);
/** Did the instruction that the item just ran change a watched value? Counts the hit. */
bool dbg_watch_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which);
/** The watchpoint whose bytes the instruction is about to read, or NULL. */
struct dbg_break *dbg_watch_read(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
/** After the read: is it a stop? Counts the hit. */
bool dbg_watch_read_hit(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                        const struct bc_insn *insn, struct str *out);
/** Sets the watchpoint to the value of an expression in a work-item; frees e, or takes it. */
struct err *dbg_watch_set(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                          struct dbg_expr *e);
void dbg_watch_launch_ends(void);
/** Pending watchpoints evaluate their expressions. */
void dbg_watch_group_begins(struct vm_group *grp);
#endif

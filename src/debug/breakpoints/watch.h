// SPDX-License-Identifier: MIT
#ifndef DEBUG_WATCH_H
#define DEBUG_WATCH_H
#include "debug/breakpoints/breakpoint.h"

bool dbg_any_watch(void);
/** Some watchpoints look at reads. */
bool dbg_any_read_watch(void);
/** Remembers the bytes that are watched as they are now. */
void dbg_watch_refresh(void);
/** Has the instruction that the item has run changed a watched value? Counts the hit. */
bool dbg_watch_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which);
/** The watchpoint whose bytes the instruction is about to read, or NULL. */
struct dbg_break *dbg_watch_read(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
/** After the read: is that a stop? Counts the hit. */
bool dbg_watch_read_hit(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                        const struct bc_insn *insn, struct str *out);
/** The watchpoint looks at this value of a work-item. */
struct err *dbg_watch_at(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                         const struct dbg_value *v);
void dbg_watch_launch_ends(void);
/** Watchpoints that wait evaluate their expressions. */
void dbg_watch_group_begins(struct vm_group *grp);
#endif

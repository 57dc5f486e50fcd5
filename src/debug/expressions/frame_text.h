// SPDX-License-Identifier: MIT
#ifndef DEBUG_FRAME_TEXT_H
#define DEBUG_FRAME_TEXT_H
#include "debug/session/frames.h"

/** "twice (a=3) at k.cl:2" */
void dbg_put_frame(struct str *out, struct vm_gang *g, const struct dbg_frame *f, unsigned level);
/** "2\tint twice(int a)" */
void dbg_put_source(struct str *out, const struct bc_module *m, uint32_t loc);
void dbg_put_source_line(struct str *out, uint32_t number, const char *text, size_t len);
/** The location of the instruction; that of the function for code without one. */
const struct bc_loc *dbg_line_of(const struct bc_module *m, const struct bc_fn *fn,
                                 const struct bc_insn *insn);
/** "k.cl:12: out[i] = acc;", without the text if that is not known. */
void dbg_put_line(struct str *out, const struct bc_module *m, const struct bc_loc *l);
#endif

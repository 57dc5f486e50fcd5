// SPDX-License-Identifier: MIT
#ifndef DEBUG_FRAMES_H
#define DEBUG_FRAMES_H
#include "debug/session/focus.h"

/** An activation of a function, possibly inlined. */
struct dbg_frame {
    const struct bc_fn *fn;
    uint32_t loc;     // 0 unknown
    const char *name; // of the source's function
};
enum { DBG_MAX_FRAMES = 64 };

/** The frames of a work-item, innermost first; none when it has returned. */
unsigned dbg_frames(const struct vm_gang *g, struct dbg_frame out[DBG_MAX_FRAMES]);
/** The number of frames at the item's next instruction. */
unsigned dbg_depth(const struct vm_gang *g, uint32_t loc);
/**
 * The next instruction, the barrier that the item waits at, or the access that it stopped for;
 * NULL: it has returned.
 */
const struct bc_insn *dbg_next_insn(const struct vm_gang *g);
#endif

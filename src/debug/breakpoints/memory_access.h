// SPDX-License-Identifier: MIT
#ifndef DEBUG_MEMORY_ACCESS_H
#define DEBUG_MEMORY_ACCESS_H
#include "interp/stepping/step.h"

/** Does the instruction write memory (reads it: image reads do not count)? */
bool dbg_writes(const struct bc_insn *i), dbg_reads(const struct bc_insn *i);
/**
 * The bytes that the lane's next instruction writes, or (reads) reads. size UINT64_MAX: up to the
 * object's end. False: unknown.
 */
bool dbg_access_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane, bool reads,
                   uint64_t *address, uint64_t *size);
#endif

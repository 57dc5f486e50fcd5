// SPDX-License-Identifier: MIT
#ifndef DEBUG_MEMORY_ACCESS_H
#define DEBUG_MEMORY_ACCESS_H
#include "interp/core/signing.h"
#include "interp/stepping/step.h"

/** Does the instruction write memory (reads it: image reads do not count)? */
bool dbg_writes(const struct bc_insn *i), dbg_reads(const struct bc_insn *i);
/**
 * The bytes that the lane's next instruction writes, or (reads) reads. size UINT64_MAX: up to the
 * object's end. False: unknown.
 */
bool dbg_access_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane, bool reads,
                   uint64_t *address, uint64_t *size);
/** What consecutive active lanes of a wide gang write: `size` bytes each, side by side. */
struct dbg_run {
    uint64_t address, size;
    uint32_t lane, n;
};
/**
 * What active lanes of a wide gang write to one buffer: `size` bytes each, all performed
 * (dbg_is_performed), in order of the lanes.
 */
struct dbg_scatter {
    const struct vm_object *buffer;
    uint64_t size;
    uint32_t n;
    struct {
        uint64_t offset;
        uint32_t lane;
    } at[VM_MAX_WIDTH];
};
/**
 * Calls one of the functions for the writes of all active lanes of a STORE or ATOMIC: `scatter`
 * once, or `each` for every run in order of the lanes.
 */
struct dbg_write_visitor {
    void (*each)(struct vm_gang *g, const struct bc_insn *i, const struct dbg_run *r);
    void (*scatter)(struct vm_gang *g, const struct bc_insn *i, const struct dbg_scatter *s);
};
void dbg_lane_writes(struct vm_gang *g, const struct bc_insn *i, const struct dbg_write_visitor *v);
/** Does the memory instruction access the bytes? Otherwise it is an error that was reported. */
bool dbg_is_performed(struct vm_gang *g, const struct bc_insn *i, uint64_t address, uint64_t size);
/** A register of the lane's current function; BC_NONE: 0. */
uint64_t dbg_operand(const struct vm_gang *g, uint32_t op, unsigned size, uint32_t lane);
/** The bytes of the instruction's result dst. */
unsigned dbg_result_size(const struct vm_gang *g, const struct bc_insn *i);
/** An async copy, up to the end of its object: element k from `from + k * step_from` to `to + k *
 * step_to`. */
struct dbg_async_copy {
    uint64_t to, from, count, elem, step_to, step_from;
};
void dbg_async_copy_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane,
                       struct dbg_async_copy *out);
#endif

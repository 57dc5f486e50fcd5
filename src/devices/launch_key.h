// SPDX-License-Identifier: MIT
#ifndef DEVICES_LAUNCH_KEY_H
#define DEVICES_LAUNCH_KEY_H
#include "base/str.h"
#include "base/vec.h"
#include "bytecode/dependence.h"
#include "interp/vm.h"

/**
 * What the checks of a launch depend on if data decides nothing in the kernel (struct
 * bc_dependence): sizes, deciding arguments, and which memory its arguments are. Launches with
 * equal keys execute the same accesses. Appended to `out`.
 */
void dev_launch_key(const struct vm_launch *l, const struct bc_module *m,
                    const struct bc_dependence *d, struct str *out);

/** The bytes of a buffer argument, from its first one on, that a launch writes. */
struct dev_range {
    uint64_t from, to;
};
struct dev_written {
    bool is_known;
    VEC(struct dev_range) ranges; // ascending, apart
};
/**
 * Whether no byte of the argument was ever written: what is marked as written after the launch are
 * then the bytes that it wrote.
 */
bool dev_is_unwritten(const struct vm_buffer *b);
/** Counts anew the bytes that are not marked. */
void dev_written_count(const struct vm_buffer *b);
/** Takes over what is marked now. */
void dev_written_take(struct dev_written *w, const struct vm_buffer *b);
/** Marks the bytes as written, if the buffer is followed. */
void dev_written_mark(const struct dev_written *w, const struct vm_buffer *b);
void dev_written_deinit(struct dev_written *w);
#endif

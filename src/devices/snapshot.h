// SPDX-License-Identifier: MIT
#ifndef DEVICES_SNAPSHOT_H
#define DEVICES_SNAPSHOT_H
#include "interp/vm.h"

/**
 * A snapshot of all memory that a launch may write (buffers, images, pipes, shared virtual memory,
 * program-scope variables), with the set of written bytes. To run a launch again, take one before,
 * and restore it.
 */
struct dev_snapshot;
/** NULL: no memory. `variable`: dev_device_ops.variable of `program`. */
struct dev_snapshot *dev_snapshot_take(const struct vm_launch *l, const struct bc_module *m,
                                       char *(*variable)(void *program, uint32_t object),
                                       void *program);
void dev_snapshot_restore(const struct dev_snapshot *s);
/**
 * The saved contents of the root allocation or variable that begins at p; NULL: it is not in the
 * snapshot.
 */
const void *dev_snapshot_of(const struct dev_snapshot *s, const void *p);
void dev_snapshot_free(struct dev_snapshot *s);
#endif

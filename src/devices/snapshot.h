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

/**
 * What a part of a divided launch changed, for the process that has the results of all parts and a
 * snapshot of the same memory. Of `reduced` roots both add up; of other memory no byte was changed
 * by two parts.
 */
struct ser_reader;
struct dev_changes {
    const struct dev_snapshot *before;
    const struct vm_division *division;
    size_t part; // where the next piece begins
    uint64_t at;
};
/** Appends the next piece, of bounded size. False: there are no more changes. */
bool dev_changes_next(struct dev_changes *c, struct str *out);
/** Makes the changes of a piece. False: it is damaged. */
bool dev_changes_make(const struct dev_changes *c, struct ser_reader *in);
/** After all of them: counts the written bytes again. */
void dev_changes_end(const struct dev_changes *c);
/** A hash of the contents. */
uint64_t dev_snapshot_hash(const struct dev_snapshot *s, uint64_t seed);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_LAST_WRITERS_H
#define INTERP_LAST_WRITERS_H
#include "check/check.h"
#include "interp/core/memory_object.h"
#include "race/race.h"

/**
 * The last writers of the elements around a fault (vm_launch.names_writers): of global memory by
 * the race check's shadow at the end of the launch, of local memory by a record of its stores.
 * Without a race check, and in launches that synchronize by atomics, this is not known.
 */
struct vm_group;
struct vm_run;
struct vm_fault_record;

/** For each cell of local memory: the last work-item of the running groups that wrote it. */
struct vm_last_writers {
    uint32_t *cells; // NULL: not wanted
    uint64_t ncells;
    unsigned shift; // log2 of the bytes of a cell
    uint32_t base;  // numbers up to it are of earlier groups
};
void vm_writers_create(struct vm_group *grp);
void vm_writers_free(struct vm_group *grp);
/** The context's next groups begin. */
void vm_writers_clear(struct vm_group *grp);
/** Records a store to local memory, as the race check gets it. */
void vm_writers_note(struct vm_gang *g, const struct vm_object *o, const struct race_op *op);
/** Records the destination of an async copy. */
void vm_writers_copy(struct vm_group *grp, const struct race_copy_side *to);

/** A fault became the example of its record: what is known now, if that is to be shown. */
void vm_writers_at_fault(struct vm_gang *g, struct vm_fault_record *r);
/** The groups have ended: completes the records of their faults. */
void vm_writers_at_end(struct vm_group *grp);
/** After the launch: the writers to be shown with a record. n is 0: none are known. */
struct chk_writers vm_writers_of(const struct vm_run *run, const struct vm_fault_record *r);
/** Can work-groups that other processes run (vm_launch.division) be the writers? */
bool vm_writers_may_be_elsewhere(const struct vm_run *run, const struct vm_fault_record *r);
#endif

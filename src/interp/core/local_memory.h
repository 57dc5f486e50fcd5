// SPDX-License-Identifier: MIT
#ifndef INTERP_LOCAL_MEMORY_H
#define INTERP_LOCAL_MEMORY_H
// The local memory of a group's context, and its shadow.
struct err;
struct vm_group;

/** Memory for all local objects of a pack of groups. */
struct err *vm_local_memory_create(struct vm_group *grp);
void vm_local_memory_free(struct vm_group *grp);

/**
 * Local memory as a group finds it: bytes 0, never written. To be called before the context's
 * members are those of the new group: what the last one wrote is cleared.
 */
void vm_local_memory_clear(struct vm_group *grp);
#endif

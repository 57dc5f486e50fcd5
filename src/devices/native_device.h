// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_DEVICE_H
#define DEVICES_NATIVE_DEVICE_H
#include "devices/native_code.h"
#include "interp/vm.h"

/** Whether the kernel may write a buffer or image that overlaps another; decl: its arguments. */
bool native_buffers_overlap(const struct vm_launch *l, const struct bc_arg *decl);
/** What the code of a launch is specialized for. */
struct nat_shape native_shape(const struct vm_launch *l, const struct bc_arg *decl);
/**
 * A launch as machine code of which it is known that it accesses only what it was given. Borrows
 * all. shape: that of the code; the buffers of the arguments in nat_shape.marks have
 * vm_buffer.written, in which `missing` stays as it is. insns: bc_dependence.ninsns.
 */
struct native_job;
struct native_job *native_job_create(const struct bc_module *m, const struct vm_launch *l,
                                     const struct native_code *code,
                                     const struct nat_code_info *info,
                                     const struct nat_shape *shape, uint32_t insns);
void native_job_destroy(struct native_job *j); // NULL is fine
/** Runs all of it. The error says what the system lacks; the kernel has then not run. */
struct err *native_job_run(struct native_job *j);
/**
 * After it: a check of the code failed (nat_shape.checks), or groups in different threads raced.
 * Memory has to be restored, and the launch repeated.
 */
bool native_job_is_anomalous(const struct native_job *j);
/** It is, because several stores may have been to one cell: NAT_CHECK_STAMPS would tell more. */
bool native_job_is_miscounted(const struct native_job *j);
/**
 * After a launch that is not anomalous: work-items stored one value to the same bytes of argument k
 * (below NAT_MARKS), which is NAT_EQUAL. NULL: none did.
 */
const struct native_equal *native_job_equal(const struct native_job *j, unsigned argument);
/** Whether parts can run in a worker thread of the interpreter. */
bool native_job_has_parts(const struct native_job *j);
/** Runs groups [first, end) in this thread; several threads may call it. False: no memory. */
bool native_job_run_part(const struct native_job *j, uint64_t first, uint64_t end);
#endif

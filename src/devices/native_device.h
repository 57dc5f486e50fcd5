// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_DEVICE_H
#define DEVICES_NATIVE_DEVICE_H
#include "devices/native_code.h"
#include "interp/vm.h"

/** Whether buffers or images overlap of which the kernel may write one; decl: its arguments. */
bool native_buffers_meet(const struct vm_launch *l, const struct bc_arg *decl);
/** What the code of a launch is specialized for. */
struct nat_shape native_shape(const struct vm_launch *l, const struct bc_arg *decl);
/**
 * Runs a launch as machine code of which it is known that it accesses only what it was given. The
 * error says what the system lacks; the kernel has then not run.
 */
struct err *native_run_proved(const struct bc_module *m, const struct vm_launch *l,
                              const struct native_code *code, const struct nat_code_info *info);
#endif

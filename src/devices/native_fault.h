// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_FAULT_H
#define DEVICES_NATIVE_FAULT_H
#include "interp/vm.h"

/**
 * Faults of machine code: reports the kernel, the launch and how to check it, before the process
 * ends by the signal. Also reports faults and aborts of the app after launches (a stray write of a
 * kernel may show only later, for example in malloc), and a launch that does not end when the user
 * ends the process.
 */
void native_fault_watch(void); // once

/**
 * To be called before and after a thread runs code; the kernel's `name` and l are borrowed until
 * leave.
 */
void native_fault_enter(const struct vm_launch *l, const char *name);
void native_fault_leave(void);
/** To be called before and after a launch; built: its machine code is complete. */
void native_fault_begin(const struct vm_launch *l, const char *name);
void native_fault_built(const struct vm_launch *l);
void native_fault_end(const struct vm_launch *l);
#endif

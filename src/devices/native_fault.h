// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_FAULT_H
#define DEVICES_NATIVE_FAULT_H
#include "interp/vm.h"

/**
 * Faults of machine code: they name the kernel and the launch, and how to have it checked, before
 * the process ends by them. Also reported are faults and aborts of the app after launches (what
 * such a kernel writes anywhere shows later, in malloc perhaps), and, when the user wants the
 * process to end, the launch that does not.
 */
void native_fault_watch(void); // once

/** What a thread runs, from enter to leave; `name`, a kernel's, and l are borrowed until then. */
void native_fault_enter(const struct vm_launch *l, const char *name);
void native_fault_leave(void);
/** Around a launch, and the making of its machine code, which ends with built. */
void native_fault_begin(const struct vm_launch *l, const char *name);
void native_fault_built(const struct vm_launch *l);
void native_fault_end(const struct vm_launch *l);
#endif

// SPDX-License-Identifier: MIT
#ifndef DEVICES_VERIFICATION_H
#define DEVICES_VERIFICATION_H
#include "devices/dev.h"

/**
 * --verify: proofs about the kernels that an app launches, for any contents of their buffers. A
 * thread asks the proof engine while the app runs; when the process ends, it waits for the rest,
 * prints what was not proved, and adds "proofs" to the report files. doc/VERIFY.md.
 */

/** A program is loaded. bitcode: as for dev_prove, copied; empty: it cannot be verified. */
void dev_verify_program(const struct bc_module *m, struct dev_blob bitcode);
void dev_verify_unload(const struct bc_module *m);
/** A launch of a kernel of a loaded program, before it. */
void dev_verify_launch(const struct bc_module *m, const struct vm_launch *l);
#endif

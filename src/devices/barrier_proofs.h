// SPDX-License-Identifier: MIT
#ifndef DEVICES_BARRIER_PROOFS_H
#define DEVICES_BARRIER_PROOFS_H
#include "devices/dev.h"

/**
 * --advise: barriers that no launch of a program needed are removed together, and the proof engine
 * is asked whether the kernel then has no races, for any contents of its buffers: after the first
 * launch of each shape, and again if a later launch needed one of them. look.h gets the answers.
 */

/** A program is loaded. bitcode: as for dev_prove, copied; empty: nothing can be proved. */
void dev_barriers_program(const struct bc_module *m, struct dev_blob bitcode);
/** A launch of a kernel of a loaded program, before it. */
void dev_barriers_launch(const struct bc_module *m, const struct vm_launch *l);
/** The launch has ended. */
void dev_barriers_launched(const struct bc_module *m, const struct vm_launch *l);
void dev_barriers_unload(const struct bc_module *m);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_GANG_LIVELOCK_H
#define INTERP_GANG_LIVELOCK_H
#include "interp/core/gang.h"

/** The gang starts: it is not quiet yet. */
void vm_quiet_start(struct vm_gang *g);
/** The gang lets others run, who may change what it reads. */
void vm_quiet_forget(struct vm_gang *g);
/**
 * At a jump back, when g->insns reached g->quiet.look_at: true when the gang would never end, which
 * is told.
 */
bool vm_is_endless(struct vm_gang *g);
#endif

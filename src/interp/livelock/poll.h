// SPDX-License-Identifier: MIT
#ifndef INTERP_POLL_H
#define INTERP_POLL_H
#include "interp/core/gang.h"

/** At a backward jump: whether the gang must stop. */
bool vm_poll(struct vm_gang *g);
#endif

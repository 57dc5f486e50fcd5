// SPDX-License-Identifier: MIT
#ifndef INTERP_POLL_H
#define INTERP_POLL_H
#include "interp/core/gang.h"

/** To be called at a backward jump: must the gang stop? */
bool vm_poll(struct vm_gang *g);
#endif

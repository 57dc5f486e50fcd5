// SPDX-License-Identifier: MIT
#ifndef INTERP_POLL_H
#define INTERP_POLL_H
#include "interp/core/gang.h"

/** At a jump back: true when the gang is to stop. */
bool vm_poll(struct vm_gang *g);
#endif

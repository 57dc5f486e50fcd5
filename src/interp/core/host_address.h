// SPDX-License-Identifier: MIT
#ifndef INTERP_HOST_ADDRESS_H
#define INTERP_HOST_ADDRESS_H
#include "interp/core/gang.h"

/** Shared virtual memory: see host_address.c. */

/**
 * Converts a host address to a pointer into the allocation that contains it, or that contains the
 * address at which it is used; otherwise returns p.
 */
uint64_t vm_svm_resolve(struct vm_gang *g, uint64_t p, uint64_t used_at);

static inline bool vm_is_raw(uint64_t p) { return p && !(p >> BC_PTR_ID_SHIFT); }
#endif

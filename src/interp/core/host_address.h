// SPDX-License-Identifier: MIT
#ifndef INTERP_HOST_ADDRESS_H
#define INTERP_HOST_ADDRESS_H
#include "interp/core/gang.h"

/** Shared virtual memory: see host_address.c. */

/**
 * A pointer without an object, as one into the shared virtual memory that it, or the place it is
 * used at, lies in; else p.
 */
uint64_t vm_svm_resolve(struct vm_gang *g, uint64_t p, uint64_t used_at);

static inline bool vm_is_raw(uint64_t p) { return p && !(p >> BC_PTR_ID_SHIFT); }
#endif

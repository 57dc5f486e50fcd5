// SPDX-License-Identifier: MIT
#ifndef INTERP_SIGNING_H
#define INTERP_SIGNING_H
#include "interp/core/gang.h"

/**
 * Pointers to private and local memory are signed with their owner where others may read them: in
 * memory, and as numbers. Registers have them unsigned, so that all lanes have one pointer to their
 * variable x; a pointer that belongs to another owner stays signed there, points to no object for
 * the vectorized paths, and is reported where it is used. The name is that of ARMv8.3's pointer
 * authentication, which works in the same way. See signing.c.
 */
struct vm_run;

/** The form of signed pointers in a launch. */
struct vm_signing {
    uint8_t offset_bits, id_bits, owner_bits; // owner_bits 0: pointers are not signed
    uint64_t first;                           // the number of work-item 0, and of work-group 0
};
struct vm_signing vm_signing_of(const struct vm_run *run); // after vm_set_objects

static inline bool vm_is_signed(uint64_t p) { return p >> 63; }

/** p without its signature if it belongs to the lane; otherwise p itself. */
uint64_t vm_authenticated(const struct vm_gang *g, uint32_t lane, uint64_t p);

/** What a signed pointer says. */
struct vm_signed {
    uint32_t object; // id; 0: it is not a pointer that was signed
    uint64_t owner;  // linear number of the work-item or work-group; UINT64_MAX: of another launch
    int64_t offset;
};
struct vm_signed vm_signed_of(const struct vm_run *run, uint64_t p);
#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_BUFFER_H
#define NATIVE_BUFFER_H
#include "native/descriptor.h"
#include "native/polynomial.h"

#include <isl/aff.h>

/**
 * Shared by buffers.c, which decides, and buffer_address.c, which computes addresses in the global
 * array.
 */
enum {
    NAT_MAX_STORES = 8,
    NAT_MAX_READS = 64,
    NAT_DEEP = 24
}; // NAT_DEEP: operands within operands

/** A local array: its accesses. */
struct nat_buffer {
    struct nat_space *s;
    LLVMValueRef base;
    const struct nat_access *stores[NAT_MAX_STORES], *reads[NAT_MAX_READS],
        *from[NAT_MAX_STORES]; // from: the load of the stored value
    unsigned nstores, nreads;
    const char *why; // the reason why it stays
};

/** The values that replace local ids and counters of the store at a read. */
struct nat_writer {
    LLVMValueRef value; // NULL: local id `dim`
    unsigned dim;
    isl_aff *is;
};
/** A read of the array that must become a read of the global array. */
struct nat_rewrite {
    struct nat_buffer *b;
    const struct nat_access *read, *from;
    struct nat_descriptor *d; // of the read
    int scope;
    VEC(struct nat_writer) writers;
    LLVMBuilderRef builder; // NULL: only test whether it is possible
};

/**
 * Whether the other store (of `from`, described by d) copies from the same global address as the
 * store of the rewrite would. seen: the instances to test.
 */
bool nat_copies_alike(struct nat_rewrite *r, const struct nat_access *from,
                      const struct nat_descriptor *d, isl_map *seen);
/** Whether neighboring work-items read neighboring elements, or the same element. */
bool nat_lies_well(struct nat_rewrite *r);
/**
 * Rebuilds the global address, with the writers in place of ids, at r->builder. Without a builder:
 * sets *good to whether this is possible.
 */
LLVMValueRef nat_address_again(struct nat_rewrite *r, bool *good);
#endif

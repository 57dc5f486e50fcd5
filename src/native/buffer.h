// SPDX-License-Identifier: MIT
#ifndef NATIVE_BUFFER_H
#define NATIVE_BUFFER_H
#include "native/descriptor.h"
#include "native/polynomial.h"

#include <isl/aff.h>

/**
 * What buffers.c, which decides, and buffer_address.c, which computes addresses in the global
 * array, share.
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
        *from[NAT_MAX_STORES]; // from: the load whose value is stored
    unsigned nstores, nreads;
    const char *why; // it is left alone
};

/** What stands for local ids and counters of the store at a read. */
struct nat_writer {
    LLVMValueRef value; // NULL: local id `dim`
    unsigned dim;
    isl_aff *is;
};
/** A read of it, which is to become one of the global array. */
struct nat_rewrite {
    struct nat_buffer *b;
    const struct nat_access *read, *from;
    struct nat_descriptor *d; // the read's
    int scope;
    VEC(struct nat_writer) writers;
    LLVMBuilderRef builder; // NULL: only to see whether it can be done
};

/**
 * What the other store (of `from`, described by d) copies is what the rewrite's own would copy
 * there. seen: its instances that matter.
 */
bool nat_copies_alike(struct nat_rewrite *r, const struct nat_access *from,
                      const struct nat_descriptor *d, isl_map *seen);
/** Neighbours read neighbours, or the same. */
bool nat_lies_well(struct nat_rewrite *r);
/**
 * The global address anew, with the writers in place of ids, where r->builder stands; without one:
 * whether it can be, into *good.
 */
LLVMValueRef nat_address_again(struct nat_rewrite *r, bool *good);
#endif

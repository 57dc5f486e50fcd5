// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_SHADOW_H
#define DEVICES_NATIVE_SHADOW_H
#include "base/bits.h"
#include "interp/vm.h"
#include "native/abi.h"

/** What machine code with checks (nat_shape.checks) needs in one thread: native/abi.h. */
struct native_shadow {
    char *at[NAT_MARKS + 1];
    uint64_t size[NAT_MARKS + 1];   // bytes that the launch uses
    uint64_t mapped[NAT_MARKS + 1]; // bytes, at least as many
    uint64_t begin, end;            // stamps of the launch in shadows of buffers
    uint64_t counts[NAT_COUNTS];    // nat_launch.counts, after the launch
};
/** Work-items that store one value to the same cells: cells, and groups within which they do. */
struct native_equal {
    uint64_t cells;
    bool is_between;    // some are of different groups
    struct bits groups; // if not: with such work-items
};
struct native_checks {
    uint32_t which; // nat_shape.checks
    uint32_t insns; // in the bytecode of the kernel and the functions that it calls
};
/** Makes it, and fills in what the code reads of it. False: no memory. */
bool native_shadow_make(struct native_shadow *s, const struct vm_launch *l,
                        const struct bc_module *m, const struct nat_code_info *info,
                        struct native_checks checks, struct nat_launch *out);
/**
 * After the launch, of all n threads: whether two of them accessed the same cell of a buffer that
 * is NAT_STAMPED, and one of them wrote it.
 */
bool native_shadows_conflict(const struct native_shadow *s, unsigned n,
                             const struct nat_code_info *info);
/** Whether two stores were to one cell of a buffer that is NAT_COUNTED. Overwrites the shadows. */
bool native_shadows_miscount(struct native_shadow *s, unsigned n, const struct nat_code_info *info);
/**
 * The races of stores to argument k, which is NAT_EQUAL, as those of one struct race_pair. items:
 * work-items of a full group. Overwrites the shadows.
 */
void native_shadows_equal(struct native_shadow *s, unsigned n, unsigned k, uint64_t items,
                          struct native_equal *out);
/**
 * Shadows of buffers are kept for later launches. is_counted: native_shadows_miscount was called.
 */
void native_shadow_free(struct native_shadow *s, const struct nat_code_info *info, bool is_counted);

/**
 * Stamps for a launch of `items` work-items, above those of all launches before: begin..end - 1.
 * The lower 32 bits of `begin` are nat_launch.stamp; the upper ones count how often these began
 * anew.
 */
struct native_stamps {
    uint64_t begin, end;
};
struct native_stamps native_stamps_take(uint64_t items);
/**
 * Whether the launch can access only a small part of the buffers that it may write, so that it
 * would take too long to read whole shadows.
 */
bool native_is_sparse(const struct vm_launch *l, const struct bc_arg *decl);

/** Why the launch cannot be checked by machine code with these checks, or NULL. */
const char *native_why_not_checked(const struct vm_launch *l, const struct bc_arg *decl,
                                   const struct nat_code_info *info, uint32_t checks);
#endif

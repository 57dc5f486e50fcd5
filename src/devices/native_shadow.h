// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_SHADOW_H
#define DEVICES_NATIVE_SHADOW_H
#include "interp/vm.h"
#include "native/abi.h"

/** What machine code with checks (nat_shape.checks) needs in one thread: native/abi.h. */
struct native_shadow {
    char *at[NAT_MARKS + 1];
    uint64_t size[NAT_MARKS + 1];   // bytes that the launch uses
    uint64_t mapped[NAT_MARKS + 1]; // bytes, at least as many
    uint64_t begin, end;            // stamps of the launch in shadows of buffers
};
struct native_checks {
    uint32_t which; // nat_shape.checks
    uint32_t insns; // in the bytecode of the kernel and the functions that it calls
};
/** Makes it, and fills in what the code reads of it. False: no memory. */
bool native_shadow_make(struct native_shadow *s, const struct vm_launch *l,
                        const struct bc_module *m, const struct nat_code_info *info,
                        struct native_checks checks, struct nat_launch *out);
/** Whether two threads accessed the same cell of a buffer, and one of them wrote it. */
bool native_shadows_conflict(const struct native_shadow *s, unsigned n,
                             const struct nat_code_info *info);
/** Shadows of buffers are kept for later launches. */
void native_shadow_free(struct native_shadow *s, const struct nat_code_info *info);

/**
 * Stamps for `items` work-items, above those of all launches before: returns the first one. Its
 * lower 32 bits are nat_launch.stamp; the upper ones count how often these began anew.
 */
uint64_t native_stamps_take(uint64_t items);

/** Why the launch cannot be checked by machine code with these checks, or NULL. */
const char *native_why_not_checked(const struct vm_launch *l, const struct bc_arg *decl,
                                   const struct nat_code_info *info, uint32_t checks);
#endif

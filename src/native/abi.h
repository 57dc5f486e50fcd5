// SPDX-License-Identifier: MIT
#ifndef NATIVE_ABI_H
#define NATIVE_ABI_H
#include <stdbool.h>
#include <stdint.h>

/**
 * What the code that native/ makes, the plug-in that finishes it (devices/native_jit.c) and the
 * device that calls it (devices/native_device.c) agree on. No LLVM here.
 *
 * A kernel K becomes
 *     void cldbg.K(ptr arg…, ptr locals, const struct nat_launch *launch, uint64_t first, uint64_t
 *     last)
 * which runs work-groups first..last-1, in linear order. `arg` of a pointer parameter is that
 * pointer (__local: memory of the caller's); of any other parameter it points to the value (of an
 * image: to a pointer to what cldbg-image takes; of a sampler: to its number). `locals` holds the
 * kernel's automatic local variables: NAT_LOCALS gives their bytes.
 */
#define NAT_PREFIX "cldbg."
#define NAT_REFUSED                                                                                \
    "cldbg-refused." // behind it a kernel's name: a text that says why there is no code of it
#define NAT_VARIABLES "cldbg-var."        // program-scope variables
#define NAT_NEXT      "cldbg-next-region" // i32 (ptr at, i64 n, i32 sub-group size)
#define NAT_COLLECT                                                                                \
    "cldbg-collect" // i64 (ptr put, i32 ext, i32 components, i32 has clusters): see builtin_group.c
#define NAT_COLLECT_EACH "cldbg-collect-each" // where work-items may get different results
#define NAT_COLLECT_ALL                                                                            \
    "cldbg-collect-all" // void (ptr put of the first, i64 bytes of each, i64 items, ptr at or null,
                        // i32 region, i32 ext, …)
#define NAT_ALL       "cldbg-all"           // i1 (i1): see agreement.c
#define NAT_SUB_GROUP "get_sub_group_width" // i64 (): work-items of a whole sub-group
#define NAT_LOCALS    "cldbg-locals"        // attribute of the function: bytes, in decimal

/** What a work-group function is made for. */
struct nat_shape {
    uint64_t local[3]; // a whole group's work-items
    bool uneven;       // the last group of a dimension may be smaller
    bool apart; // what different pointer arguments lead to does not overlap, but where the kernel
                // writes neither
    bool small; // global ids are below 2^31, and so are the sizes of buffers
    unsigned passes;    // enum nat_pass
    unsigned sub_group; // work-items of a whole one
};
enum {
#define PASS(id, name, help) NAT_PASS_BIT_##id,
#include "native/passes.def"
    NAT_PASS_COUNT
};
enum nat_pass { // bits of `passes`
#define PASS(id, name, help) NAT_PASS_##id = 1 << NAT_PASS_BIT_##id,
#include "native/passes.def"
    NAT_ALL_PASSES = (1 << NAT_PASS_COUNT) - 1,
};

/** Read by the code by offset: seven arrays of three, then the rest. */
struct nat_launch {
    uint64_t offset[3], global[3], local[3], groups[3];
    uint64_t dims;
    void *out; // FILE, where printf goes
};
enum nat_launch_field {
    NAT_OFFSET = 0,
    NAT_GLOBAL = 3,
    NAT_LOCAL = 6,
    NAT_GROUPS = 9,
    NAT_DIMS = 12,
    NAT_OUT = 13
};

/**
 * Where a work-item is, with continuations: its region, or it has returned; ~region: it waits at
 * the barrier before it; that with NAT_SUB_WAIT: at a function of sub-groups; with NAT_YIELDS: it
 * can run, after all others that can.
 */
#define NAT_RETURNED INT32_MAX
#define NAT_SUB_WAIT (1 << 30)
#define NAT_YIELDS   (1 << 29)

/** A printf: its format, and the arguments one after the other, each component in 8 bytes. */
struct nat_printf_arg {
    uint8_t type; // enum bc_type
    uint8_t ncomp;
};
#endif

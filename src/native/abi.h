// SPDX-License-Identifier: MIT
#ifndef NATIVE_ABI_H
#define NATIVE_ABI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The interface between the code that native/ generates, the plug-in that finishes it
 * (devices/native_jit.c) and the device that calls it (devices/native_device.c). LLVM is not used
 * here.
 *
 * A kernel K becomes
 *
 *     void cldbg.K(ptr arg…, ptr locals, const struct nat_launch *launch, uint64_t first,
 *                  uint64_t last)
 *
 * which runs work-groups first..last-1, in linear order. `arg` of a pointer parameter is that
 * pointer (__local: memory that the caller provides). For any other parameter it points to the
 * value (of an image: to a pointer to the object that cldbg-image takes; of a sampler: to its
 * number). `locals` holds the kernel's automatic local variables: NAT_LOCALS gives their size in
 * bytes.
 */
#define NAT_PREFIX "cldbg."
#define NAT_REFUSED                                                                                \
    "cldbg-refused." // + a kernel's name: a string with the reason why it has no native code
#define NAT_VARIABLES "cldbg-var."        // program-scope variables
#define NAT_NEXT      "cldbg-next-region" // i32 (ptr at, i64 n, i32 sub-group size)
#define NAT_COLLECT                                                                                \
    "cldbg-collect" // i64 (ptr put, i32 ext, i32 components, i32 has clusters): see builtin_group.c
#define NAT_COLLECT_EACH "cldbg-collect-each" // if work-items may get different results
#define NAT_COLLECT_ALL                                                                            \
    "cldbg-collect-all" // void (ptr put of the first, i64 bytes of each, i64 items, ptr at or null,
                        // i32 region, i32 ext, …)
#define NAT_ALL           "cldbg-all"               // i1 (i1): see loop_versioning.c
#define NAT_SUB_GROUP     "get_sub_group_width"     // i64 (): work-items of a full sub-group
#define NAT_MAX_SUB_GROUP "get_max_sub_group_width" // i64 (): of the largest in the launch
#define NAT_MARK_DISTANCE "get_mark_distance"       // i64 (i32): nat_launch.marks of an argument
#define NAT_OBJECT_SIZE   "get_object_size"         // i64 (i32): nat_launch.sizes of an argument
#define NAT_SHADOW        "get_shadow"              // ptr addrspace(1) (i32): nat_launch.shadows
#define NAT_GROUP_STAMP   "get_group_stamp"         // i64 (): of the group's first barrier interval
#define NAT_LAUNCH_STAMP  "get_launch_stamp"        // i64 (): nat_launch.stamp
#define NAT_FIRST_ITEM    "get_first_item"          // i64 (): work-items of full groups before this
#define NAT_GROUP_ITEMS   "get_group_items"         // i64 (): work-items of a full group
#define NAT_COUNT         "cldbg-count"             // void (i64, i32): added to nat_launch.counts
#define NAT_CHECK         "cldbg-check"             // void (i1): false is an anomaly
#define NAT_CHECK_NOW     "cldbg-check-now"         // void (i1): the same, and stops there
#define NAT_TICK          "cldbg-tick"    // void (i64, i1): iterations; true: stops if too many
#define NAT_ANOMALY       "cldbg-anomaly" // void (): does not return
#define NAT_LOCALS        "cldbg-locals"  // attribute of the function: bytes, in decimal

enum { NAT_MARKS = 16 }; // the first arguments can be in nat_shape.marks, checked, and limited

/** The properties that a work-group function is specialized for. */
struct nat_shape {
    uint64_t local[3];  // work-items of a full group
    bool uneven;        // the last group of a dimension may be smaller
    bool apart;         // objects of different pointer arguments do not overlap, unless the kernel
                        // writes neither of them
    bool small;         // global ids are below 2^31, and so are the sizes of buffers
    unsigned passes;    // enum nat_pass
    unsigned sub_group; // work-items of a full sub-group
    uint32_t marks;     // arguments, by bit, through which each store marks what it writes
    uint32_t checks;    // enum proof_check and NAT_CHECK_ENDS: what it checks while it runs
    // Limits of the launches, so that index arithmetic can be proved not to wrap (no_wrap.c). By
    // dimension: global offset + size <= 2^bits; all 0: not known. By argument: an integer with
    // 0 <= value <= 2^bits, and < 2^31; 0: not known.
    uint8_t id_bits[3], argument_bits[NAT_MARKS];
};
#define NAT_CHECK_ENDS   (1u << 31) // nat_shape.checks: iterations are counted (nat_launch.ticks)
#define NAT_CHECK_STAMPS (1u << 30) // of PROOF_CHECK_GLOBAL: no shadow is NAT_COUNTED
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

/** The object file of a kernel's work-group function that is wanted. */
struct nat_request {
    const void *bitcode; // of the program, as nat_module writes it
    size_t size;
    const char *name; // of the kernel; NULL: the object is that of the program's variables
    const struct nat_shape *shape;
    const char *symbol; // the function's name in the object
};
/**
 * The shadow of a buffer argument, with PROOF_CHECK_GLOBAL. It has a cell for each
 * nat_code_info.cell bytes of the buffer, and each thread has its own.
 *
 * STAMPED: the last writer and the reader, 32 bits each: nat_launch.stamp for several readers, that
 * + 1 + the global linear id for one work-item, less for none: then an earlier launch left it.
 * COUNTED: the kernel does not read the buffer. A byte, which each store sets to 1, and
 * nat_launch.counts[NAT_COUNT_STORES] counts the cells stored to. If as many cells are set, no two
 * stores were to one cell.
 * EQUAL: the kernel does not read the buffer, and one instruction stores one value of the launch to
 * it. 32 bits, n being NAT_FIRST_ITEM plus the local linear id: nat_launch.stamp + 2 + 2n if only
 * work-item n stored, 1 more if others of its group did, too, nat_launch.stamp if work-items of
 * several groups did, and less if none did. counts[NAT_COUNT_SHARED] is not 0 if a thread saw
 * stores of several work-items to one cell.
 */
enum nat_shadow_kind { NAT_UNSHADOWED, NAT_STAMPED, NAT_COUNTED, NAT_EQUAL };
enum nat_count { NAT_COUNT_STORES, NAT_COUNT_SHARED, NAT_COUNTS };
struct nat_code_info {
    uint64_t locals;  // bytes of automatic local variables
    uint64_t frame;   // bytes of stack, about
    uint64_t largest; // of PROOF_CHECK_BOUNDS: bytes that each buffer and local argument must have
    uint8_t shadow[NAT_MARKS], cell[NAT_MARKS]; // enum nat_shadow_kind; bytes of a cell
};

/**
 * Local memory has such shadows, too, of the writer and the reader with 64 bits each: 0 for none,
 * the stamp of a barrier interval plus the local linear id, NAT_MANY_LOCAL for several readers. A
 * group makes at most NAT_MOST_TICKS iterations with few barriers in each, so stamps are unique.
 */
enum {
    NAT_MOST_TICKS = 1 << 23,
    NAT_MANY_LOCAL = 0xfff,  // no work-item of a checked group has this local id
    NAT_INTERVAL_SHIFT = 12, // the stamps of barrier intervals are multiples
    NAT_GROUP_SHIFT = 40,    // and those of groups
};

/**
 * The generated code reads it by offset: arrays of three, then the other fields. It adds to
 * `counts`, so each thread has its own.
 */
struct nat_launch {
    uint64_t offset[3], global[3], local[3], groups[3];
    uint64_t dims;
    void *out;                // FILE that printf writes to
    int64_t marks[NAT_MARKS]; // by argument: from a byte of its buffer to that of its shadow
    // With nat_shape.checks:
    uint64_t sizes[NAT_MARKS];    // by argument: bytes of its buffer or local memory
    void *shadows[NAT_MARKS + 1]; // by argument; the last one: of automatic local variables
    int64_t ticks;                // iterations of loops that the work-items of a group may make
    uint64_t stamp;               // the first one of the launch in shadows of buffers; 32 bits
    uint64_t counts[NAT_COUNTS];  // of enum nat_count
};
enum nat_launch_field {
    NAT_OFFSET = 0,
    NAT_GLOBAL = 3,
    NAT_LOCAL = 6,
    NAT_GROUPS = 9,
    NAT_DIMS = 12,
    NAT_OUT = 13,
    NAT_FIRST_MARK = 14,
    NAT_FIRST_SIZE = NAT_FIRST_MARK + NAT_MARKS,
    NAT_FIRST_SHADOW = NAT_FIRST_SIZE + NAT_MARKS,
    NAT_TICKS = NAT_FIRST_SHADOW + NAT_MARKS + 1,
    NAT_STAMP,
    NAT_FIRST_COUNT,
    NAT_FIELDS = NAT_FIRST_COUNT, // that are read
};

/**
 * The state of a work-item, with continuations: its region, or NAT_RETURNED. ~region: it waits at
 * the barrier before that region. With NAT_SUB_WAIT: it waits at a sub-group function. With
 * NAT_YIELDS: it can run, after all others that can.
 */
#define NAT_RETURNED INT32_MAX
#define NAT_SUB_WAIT (1 << 30)
#define NAT_YIELDS   (1 << 29)

/** A printf: its format, and its arguments in order, each component in 8 bytes. */
struct nat_printf_arg {
    uint8_t type; // enum bc_type
    uint8_t ncomp;
};
#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H
#include "base/str.h"
#include "native/abi.h"
#include "regions/regions.h"

/**
 * From a program's IR to work-group functions as LLVM code for the host (the native form of the
 * regions): for a kernel K a function cldbg.K, whose interface is that of native/abi.h. In two
 * halves, since the size of work-groups is known at a launch only: nat_module works in cldbg-cc,
 * nat_finish in the plug-in.
 */

/**
 * Takes the module apart, which is of no further use; `out` gets bitcode: kernels without calls of
 * functions of the program. A kernel that cannot be run natively stays as it is, and a constant
 * NAT_REFUSED its name says why.
 */
struct err *nat_module(LLVMModuleRef m, struct str *out);

/**
 * Makes of such bitcode, as read (and used up: *m is for disposal only), a module for the host with
 * cldbg.K alone, in the same context; kernel NULL: with no kernel, for program-scope variables.
 * What passes did is said in remarks, a line each.
 */
struct err *nat_finish(LLVMModuleRef m, const char *kernel, const struct nat_shape *s,
                       struct str *remarks, LLVMModuleRef *out);

// ---- the steps of nat_module, in order

/**
 * Gives bodies to the builtins that are a few instructions or calls of functions over lanes. Left
 * are those of work-items, barriers and whatever is not known.
 */
struct err *nat_builtins(LLVMModuleRef m);
/**
 * Gives a division, before which the builder is put, a divisor with which it cannot trap: 1 where
 * the result is to be 0. Returns the condition for that; NULL where there is nothing to guard.
 */
LLVMValueRef nat_guard_division(LLVMBuilderRef b, LLVMValueRef division);
/**
 * After nat_prepare: a function that the kernel calls and that cannot be run natively; "" when
 * there is none.
 */
void nat_not_known(LLVMValueRef kernel, char *name, size_t size);
/** Inlines all, promotes variables to registers, takes debug information away. */
struct err *nat_prepare(LLVMModuleRef m);

// ---- the steps of nat_finish

/** Where the loops over work-items begin and end in one kernel: see cuts.c. */
struct nat_form {
    const struct rg_fn *fn;
    bool *cut;      // by block: all work-items of a group come to its end before any goes on
    int *region_at; // by block: the region that starts there, or -1
    struct nat_region {
        unsigned start;
        bool *has;    // by block
        bool *leaves; // by block: a cut, or a return, at which work-items leave the region
        unsigned nleaves;
        bool used_by_cut; // (the first region is not)
    } *regions;
    unsigned nregions;
    bool has_barrier;     // of the program
    unsigned nhorizontal; // loops that were cut without a need
};
/**
 * stays: by loop, those that all run in step may become the outer ones but for these; NULL: none
 * may.
 */
void nat_cuts(const struct rg_fn *f, const bool *stays, struct arena *a, struct nat_form *out);
/** For tests: one edge is bent (corrupt.c). */
void nat_corrupt_edge(struct nat_form *w);
/** Whether a value made in block `def` and used in block `use` has to outlive a region. */
bool nat_crosses(const struct nat_form *w, unsigned def, unsigned use);

/** A place for a value that outlives its block: an alloca of the kernel. */
struct nat_slot {
    LLVMValueRef alloca;
    bool uniform; // the same value for all work-items
    bool own;     // made here for a value; else a private object of the program
};
struct nat_slots {
    struct nat_slot *data;
    size_t len, cap;
};
/**
 * Leaves no value that is used in another block than the one that makes it, and no phi: they go by
 * way of slots. What is cheap to compute from ids and arguments is computed again instead. The
 * condition of a cut's branch is in a slot, too. The function's rg_fn is of no use afterwards; its
 * blocks keep their numbers when it is built anew.
 */
void nat_demote(const struct nat_form *w, struct nat_slots *slots);

/** Whether an instruction is a call of a function of sub-groups (builtin_group.c). */
bool nat_is_of_sub_groups(LLVMValueRef inst);

/** Builds cldbg.<name>; f was built anew after nat_demote. */
void nat_workgroup(const struct nat_form *w, const struct rg_fn *f, const struct nat_slots *slots,
                   const struct nat_shape *shape, struct str *remarks);

/**
 * The text of the module for the host: no address spaces, the host's types; metadata for parallel
 * loops in its final form.
 */
void nat_flatten(const char *text, struct str *out);
#endif

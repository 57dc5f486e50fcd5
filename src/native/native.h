// SPDX-License-Identifier: MIT
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H
#include "base/str.h"
#include "native/abi.h"
#include "regions/regions.h"

/**
 * Compiles a program's IR to work-group functions, as LLVM code for the host (the native form of
 * the regions). A kernel K becomes a function cldbg.K with the interface of native/abi.h. There are
 * two halves, because the size of work-groups is known only at a launch: nat_module runs in
 * cldbg-cc, nat_finish in the plug-in.
 */

/**
 * Consumes the module, and writes bitcode to `out`: kernels with all functions of the program
 * inlined. A kernel that cannot be run natively stays unchanged, and a constant NAT_REFUSED + its
 * name has the reason.
 */
struct err *nat_module(LLVMModuleRef m, struct str *out);

/**
 * Turns such bitcode, as read, into a module for the host with cldbg.K alone, in the same context
 * (*m is consumed: it can only be disposed of). kernel NULL: no kernel, only program-scope
 * variables. The remarks report the result of each pass, one line each.
 */
struct err *nat_finish(LLVMModuleRef m, const char *kernel, const struct nat_shape *s,
                       struct str *remarks, LLVMModuleRef *out);

/**
 * Makes a relocatable object of such bitcode, and the remarks of the passes, in lines. Several
 * threads may call it at the same time.
 */
struct err *nat_object(const struct nat_request *r, struct nat_code_info *info, struct str *remarks,
                       struct str *object);

// ---- code that computes what the interpreter would (strict.c)

/**
 * Before nat_module: removes from the module whatever lets LLVM assume more than the interpreter
 * does.
 */
void nat_make_strict(LLVMModuleRef m);
/**
 * After it: why this kernel may behave otherwise than in the interpreter although its accesses
 * were checked there, or NULL.
 */
const char *nat_why_not_strict(LLVMValueRef kernel);

/**
 * After nat_module: makes stores through these arguments (nat_shape.marks) mark what they write,
 * and writes the bitcode anew. Fails for a kernel that writes to buffers in other ways.
 */
struct err *nat_mark_stores(LLVMModuleRef m, LLVMValueRef kernel, uint32_t marks, struct str *out);

/**
 * Before nat_module: adds the checks (nat_shape.checks) to the kernel, and fills in what the info
 * has about shadows. Builtins have bodies and are inlined then. Fails for a kernel that cannot be
 * checked.
 */
struct err *nat_add_checks(LLVMModuleRef m, const char *kernel, uint32_t checks,
                           struct nat_code_info *info);

// ---- the steps of nat_module, in order

/**
 * Gives bodies to the builtins that expand to a few instructions or to calls of lane functions.
 * Calls of work-item functions, barriers and unknown functions stay.
 */
struct err *nat_builtins(LLVMModuleRef m);
/**
 * Gives a division, before which the builder is positioned, a divisor with which it cannot trap: 1
 * if the result must be 0. Returns the condition for that; NULL if no guard is needed.
 */
LLVMValueRef nat_guard_division(LLVMBuilderRef b, LLVMValueRef division);
/**
 * After nat_prepare: the name of a function that the kernel calls and that cannot be run natively;
 * "" if there is none.
 */
void nat_not_known(LLVMValueRef kernel, char *name, size_t size);
/** Inlines all functions and strips debug information; only whole variables become registers. */
struct err *nat_inline(LLVMModuleRef m);
/** The same, and promotes all that it can to registers. */
struct err *nat_prepare(LLVMModuleRef m);

// ---- the steps of nat_finish

/** The beginning and end of the loops over work-items in one kernel: see region_boundaries.c. */
struct nat_form {
    const struct rg_fn *fn;
    bool *cut;      // by block: all work-items of a group reach its end before any continues
    int *region_at; // by block: the region that starts there, or -1
    struct nat_region {
        unsigned start;
        bool *has;    // by block
        bool *leaves; // by block: a cut, or a return, at which work-items leave the region
        unsigned nleaves;
        bool used_by_cut; // (false for the first region)
    } *regions;
    unsigned nregions;
    bool has_barrier;     // of the program
    unsigned nhorizontal; // loops that were cut only for performance
};
/**
 * stays: by loop, the loops that must stay inside the loop over work-items although all work-items
 * run them in step; NULL: none may become an outer loop.
 */
void nat_form_regions(const struct rg_fn *f, const bool *stays, struct arena *a,
                      struct nat_form *out);
/** For tests: redirects one edge (corrupt.c). */
void nat_corrupt_edge(struct nat_form *w);
/**
 * Whether a value that is defined in block `def` and used in block `use` must be live across
 * regions.
 */
bool nat_crosses(const struct nat_form *w, unsigned def, unsigned use);

/** A slot for a value that is live across blocks: an alloca of the kernel. */
struct nat_slot {
    LLVMValueRef alloca;
    bool uniform; // the same value for all work-items
    bool own;     // created for a value; otherwise a private object of the program
};
struct nat_slots {
    struct nat_slot *data;
    size_t len, cap;
};
/**
 * Demotes all phis and all values that are used in a block other than the defining one: they go
 * through slots. Values that are cheap to compute from ids and arguments are recomputed instead.
 * The condition of a cut's branch is in a slot, too. Invalidates the function's rg_fn; its blocks
 * have the same numbers when it is rebuilt.
 */
void nat_demote(const struct nat_form *w, struct nat_slots *slots);

/** Whether an instruction is a call of a sub-group function (builtin_group.c). */
bool nat_is_of_sub_groups(LLVMValueRef inst);

/** Builds cldbg.<name>; f was rebuilt after nat_demote. */
void nat_workgroup(const struct nat_form *w, const struct rg_fn *f, const struct nat_slots *slots,
                   const struct nat_shape *shape, struct str *remarks);

/**
 * Writes the text of the module for the host: no address spaces, the types of the host, and
 * metadata of parallel loops in its final form.
 */
void nat_flatten(const char *text, struct str *out);
#endif

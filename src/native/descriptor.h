// SPDX-License-Identifier: MIT
#ifndef NATIVE_DESCRIPTOR_H
#define NATIVE_DESCRIPTOR_H
#include "native/native.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/union_map.h>

/**
 * Linear array-access descriptors: the bytes that an access touches, as a function of the local
 * ids, the loops around it, and uniform values. See descriptor.c.
 */

/** A kernel's accesses of global, constant and local memory. */
struct nat_access {
    LLVMValueRef insn, pointer;
    LLVMValueRef base; // kernel argument, program-scope or automatic local variable; NULL: unknown
    unsigned block;
    uint64_t size; // bytes
    bool write;
    bool plain; // not atomic, not volatile, and not a call with other effects
};
struct nat_space {
    const struct rg_fn *f;
    const struct nat_shape *shape;
    LLVMModuleRef m;
    isl_ctx *isl;
    struct arena *arena;
    VEC(struct nat_access) accesses;
    VEC(LLVMValueRef) symbols; // the values of parameters; a parameter's name has the index
};
/** Finds the accesses of a kernel that has uniformity information. */
void nat_space_init(struct nat_space *s, const struct rg_fn *f, const struct nat_shape *shape,
                    struct arena *a);
void nat_space_deinit(struct nat_space *s);
/** Whether two accesses may alias, judged by their bases alone. */
bool nat_may_overlap(const struct nat_space *s, const struct nat_access *a,
                     const struct nat_access *b);

/**
 * A variable of a descriptor: 0..2 are the local ids; the others represent values of the program,
 * or unknowns (NULL).
 */
struct nat_variable {
    LLVMValueRef value;
    bool is_signed; // it may be negative
};
struct nat_descriptor {
    VEC(struct nat_variable) vars;
    /**
     * Parameters → { [l0, l1, l2, vars…] → [first byte] }, for the instances that may run. NULL:
     * isl reached its limit.
     */
    isl_map *map;
    isl_map *anywhere; // the same for any integer as local id, ignoring the guards
    bool exact;        // these instances certainly run (in an iteration of the loop `scope`
                       // that passes the access)
};
/**
 * Describes an access. Values that are made outside of `scope` (a loop; -1: outside of all loops),
 * or in it but not in a loop inside of it, are parameters, which are the same in every descriptor
 * of that scope. upto: a block of the scope, or -1: `exact` then considers only the branches that
 * decide whether control gets from there to the access, or vice versa.
 */
void nat_describe(struct nat_space *s, const struct nat_access *a, int scope, int upto,
                  struct nat_descriptor *out);
void nat_descriptor_deinit(struct nat_descriptor *d);

enum nat_id { NAT_NO_ID, NAT_LOCAL_ID, NAT_GLOBAL_ID };
/** Whether a value is a call of get_local_id or get_global_id with a constant below 3. */
enum nat_id nat_id_of(LLVMValueRef v, unsigned *dim);
/**
 * Whether a value is a call of get_group_id, get_num_groups or a similar function, with constants:
 * the result is the same everywhere in the kernel.
 */
bool nat_is_query(const struct nat_space *s, LLVMValueRef v);
/**
 * Whether all work-items of the group that compute the value in one iteration of `scope` get the
 * same value.
 */
bool nat_is_symbol(const struct nat_space *s, LLVMValueRef v, int scope);
/**
 * Whether a value is an induction variable, with a uniform step, of the loop `scope` or a loop
 * around it. Its values in two work-items then differ by as much as their `init`.
 */
bool nat_is_stepped(const struct nat_space *s, LLVMValueRef phi, int scope, LLVMValueRef *init);
#endif

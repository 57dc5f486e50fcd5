// SPDX-License-Identifier: MIT
#ifndef NATIVE_DESCRIPTOR_H
#define NATIVE_DESCRIPTOR_H
#include "native/native.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/union_map.h>

/**
 * Linear array-access descriptors: which bytes an access touches, as a function of the local ids,
 * the loops around it, and values that are the same for the whole group. See descriptor.c.
 */

/** A kernel's accesses of global, constant and local memory. */
struct nat_access {
    LLVMValueRef insn, pointer;
    LLVMValueRef
        base; // kernel argument, program-scope or automatic local variable; NULL: not known which
    unsigned block;
    uint64_t size; // bytes
    bool write;
    bool plain; // neither atomic nor volatile, and no call that does more
};
struct nat_space {
    const struct rg_fn *f;
    const struct nat_shape *shape;
    LLVMModuleRef m;
    isl_ctx *isl;
    struct arena *arena;
    VEC(struct nat_access) accesses;
    VEC(LLVMValueRef) symbols; // that a parameter stands for; the name of each has its number
};
/** Finds the accesses of a kernel whose uniformity is known. */
void nat_space_init(struct nat_space *s, const struct rg_fn *f, const struct nat_shape *shape,
                    struct arena *a);
void nat_space_deinit(struct nat_space *s);
/** May two accesses have memory in common, as far as their bases tell? */
bool nat_may_meet(const struct nat_space *s, const struct nat_access *a,
                  const struct nat_access *b);

/**
 * A variable of a descriptor: 0..2 are the local ids; the others stand for values of the program,
 * or for nothing (NULL).
 */
struct nat_variable {
    LLVMValueRef value;
    bool is_signed; // it may be negative
};
struct nat_descriptor {
    VEC(struct nat_variable) vars;
    /**
     * Parameters → { [l0, l1, l2, vars…] → [first byte] }, for the instances that may run. NULL:
     * isl gave up.
     */
    isl_map *map;
    isl_map *anywhere; // the same for any number as local id, and whatever the guards say
    bool exact; // it is also sure that these instances run (in an iteration of the loop `scope`
                // that goes past the access)
};
/**
 * Describes an access. Values made outside of `scope` (a loop; -1: outside of all loops) and in it,
 * but not in a loop inside of it, are parameters, the same in every descriptor of that scope. upto:
 * a block of the scope, or -1: for `exact`, only what decides whether one gets from there to the
 * access, or the other way round, counts.
 */
void nat_describe(struct nat_space *s, const struct nat_access *a, int scope, int upto,
                  struct nat_descriptor *out);
void nat_descriptor_deinit(struct nat_descriptor *d);

enum nat_id { NAT_NO_ID, NAT_LOCAL_ID, NAT_GLOBAL_ID };
/** Whether a value is a call of get_local_id or get_global_id with a constant below 3. */
enum nat_id nat_id_of(LLVMValueRef v, unsigned *dim);
/**
 * A call of get_group_id, get_num_groups and their like with constants: the same wherever it
 * stands.
 */
bool nat_is_query(const struct nat_space *s, LLVMValueRef v);
/**
 * A value that every work-item of the group has alike whenever it runs in one iteration of `scope`.
 */
bool nat_is_symbol(const struct nat_space *s, LLVMValueRef v, int scope);
/**
 * A value at the head of a loop that holds `scope`, or is it, which in every iteration grows by
 * what is the same for all work-items: so it differs between them by what their `init` differ by.
 */
bool nat_is_stepped(const struct nat_space *s, LLVMValueRef phi, int scope, LLVMValueRef *init);
#endif

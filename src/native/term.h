// SPDX-License-Identifier: MIT
#ifndef NATIVE_TERM_H
#define NATIVE_TERM_H
#include "native/descriptor.h"

/**
 * Construction of a descriptor: terms, which are values as affine expressions in isl's language
 * (term.c), and the conditions under which an access runs (instances.c).
 */

typedef __int128 nat_wide;

struct nat_term {
    const char *text; // NULL: the value cannot be expressed
    nat_wide lo, hi;  // bounds of its value
    bool known;       // consists of parameters and ids, without variables for unknown values
};

struct nat_making {
    struct nat_space *s;
    struct nat_descriptor *d;
    int scope;
    struct str constraints, params;
    struct map param, var; // param: by hash of its name; var: by value → number + 1
    struct map terms;      // by value → struct nat_term
    int upto;              // a block whose guards are assumed to hold, or -1
};

static inline nat_wide nat_pow2(unsigned n) { return (nat_wide)1 << n; }
/** Bits of an integer; 64 for all other types. */
unsigned nat_width(LLVMValueRef v);

/** A value modulo 2^width. */
struct nat_term nat_term(struct nat_making *x, LLVMValueRef v);
/** A value as a signed or unsigned number. */
struct nat_term nat_as_number(struct nat_making *x, LLVMValueRef v, bool is_signed);
struct nat_term nat_number(struct nat_making *x, nat_wide n);
struct nat_term nat_add(struct nat_making *x, struct nat_term a, struct nat_term b, int sign);
struct nat_term nat_times(struct nat_making *x, nat_wide n, struct nat_term a);

/**
 * Adds the branch conditions on the path to a block to the constraints. The descriptor is not exact
 * if one of them cannot be expressed.
 */
void nat_guards(struct nat_making *x, unsigned block);

/** The object that a pointer is based on, and (x not NULL) the offset in it, added to *offset. */
LLVMValueRef nat_address(struct nat_making *x, LLVMValueRef p, struct nat_term *offset);

/** Whether a loop is `inner` or contains it. outer -1: outside of all loops. */
bool nat_loop_holds(const struct rg_fn *f, int outer, int inner);
#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_TERM_H
#define NATIVE_TERM_H
#include "native/descriptor.h"

/**
 * The making of a descriptor: terms, which are values as affine expressions in isl's language
 * (term.c), and the conditions under which an access runs (instances.c).
 */

typedef __int128 nat_wide;

struct nat_term {
    const char *text; // NULL: it cannot be said
    nat_wide lo, hi;  // bounds of its value
    bool known;       // made of parameters and ids alone: no variable that stands for just anything
};

struct nat_making {
    struct nat_space *s;
    struct nat_descriptor *d;
    int scope;
    struct str constraints, params;
    struct map param, var; // param: by hash of its name; var: by value → number + 1
    struct map terms;      // by value → struct nat_term
    int upto;              // a block whose guards are taken for granted, or -1
};

static inline nat_wide nat_pow2(unsigned n) { return (nat_wide)1 << n; }
/** Bits of an integer; 64 of anything else. */
unsigned nat_width(LLVMValueRef v);

/** A value modulo 2^width. */
struct nat_term nat_term(struct nat_making *x, LLVMValueRef v);
/** A value as the number that it is read as. */
struct nat_term nat_as_number(struct nat_making *x, LLVMValueRef v, bool is_signed);
struct nat_term nat_number(struct nat_making *x, nat_wide n);
struct nat_term nat_add(struct nat_making *x, struct nat_term a, struct nat_term b, int sign);
struct nat_term nat_times(struct nat_making *x, nat_wide n, struct nat_term a);

/**
 * Adds what was decided on the way to a block to the constraints; the descriptor is not exact where
 * that cannot be said.
 */
void nat_guards(struct nat_making *x, unsigned block);

/** The object that a pointer leads to, and (x not NULL) the distance from it, added to *offset. */
LLVMValueRef nat_address(struct nat_making *x, LLVMValueRef p, struct nat_term *offset);

/** Is a loop `inner` or around it? outer -1: outside of all loops. */
bool nat_loop_holds(const struct rg_fn *f, int outer, int inner);
#endif

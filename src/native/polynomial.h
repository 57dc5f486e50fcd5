// SPDX-License-Identifier: MIT
#ifndef NATIVE_POLYNOMIAL_H
#define NATIVE_POLYNOMIAL_H
#include "native/descriptor.h"

/**
 * Integer expressions of LLVM as polynomials modulo 2^64 (of narrower types: modulo 2^w), for
 * telling whether two of them are the same whatever their variables are. Polynomials live in the
 * space's arena; NULL is an expression that cannot be written so.
 */
struct nat_poly;
struct nat_polys {
    struct nat_space *s;
    int scope;
    bool through;   // extensions are taken to change nothing: for estimates only
    struct map env; // value → struct nat_poly *, of 64 bits, that stands for it; local ids: see ids
    const struct nat_poly *ids[3]; // what stands for the local ids
    VEC(struct nat_atom *) atoms;
};
void nat_polys_init(struct nat_polys *p, struct nat_space *s, int scope);
void nat_polys_deinit(struct nat_polys *p);
const struct nat_poly *nat_poly_number(struct nat_polys *p, int64_t n);
/** A variable: key tells it from others. */
const struct nat_poly *nat_poly_variable(struct nat_polys *p, const void *key, unsigned kind);
const struct nat_poly *nat_poly_add(struct nat_polys *p, const struct nat_poly *a,
                                    const struct nat_poly *b, int64_t times_b);
/** A value of the program, of at most 64 bits, or the distance of a pointer from its object. */
const struct nat_poly *nat_poly_of(struct nat_polys *p, LLVMValueRef v);
/** The value that a parameter of a descriptor stands for, by its name. */
const struct nat_poly *nat_poly_parameter(struct nat_polys *p, const char *name);
bool nat_poly_equal(const struct nat_poly *a, const struct nat_poly *b);
/** The number that it is, when it is one. */
bool nat_poly_constant(const struct nat_poly *a, int64_t *n);
/**
 * Whether a and b are the same number when both are below 2^31: each is size × an extension of 32
 * bits, alike, and a constant, and what they extend is the same but for the constants' difference.
 */
bool nat_poly_same_index(struct nat_polys *p, const struct nat_poly *a, const struct nat_poly *b);
enum nat_poly_kind {
    NAT_POLY_VALUE,
    NAT_POLY_GROUP_BASE,
    NAT_POLY_ID,
    NAT_POLY_COUNTER,
    NAT_POLY_STEPS
};
#endif

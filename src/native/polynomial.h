// SPDX-License-Identifier: MIT
#ifndef NATIVE_POLYNOMIAL_H
#define NATIVE_POLYNOMIAL_H
#include "native/descriptor.h"

/**
 * Integer expressions of LLVM as polynomials modulo 2^64 (of narrower types: modulo 2^w), to decide
 * whether two of them are equal for all values of their variables. Polynomials live in the space's
 * arena; NULL is an expression that has no polynomial.
 */
struct nat_poly;
struct nat_polys {
    struct nat_space *s;
    int scope;
    bool through;                  // extensions are treated as the identity: for estimates only
    struct map env;                // value → its struct nat_poly *, of 64 bits; local ids: see ids
    const struct nat_poly *ids[3]; // the values of the local ids
    VEC(struct nat_atom *) atoms;
};
void nat_polys_init(struct nat_polys *p, struct nat_space *s, int scope);
void nat_polys_deinit(struct nat_polys *p);
const struct nat_poly *nat_poly_number(struct nat_polys *p, int64_t n);
/** A variable, identified by its key. */
const struct nat_poly *nat_poly_variable(struct nat_polys *p, const void *key, unsigned kind);
const struct nat_poly *nat_poly_add(struct nat_polys *p, const struct nat_poly *a,
                                    const struct nat_poly *b, int64_t times_b);
/** A value of the program, of at most 64 bits, or the offset of a pointer in its object. */
const struct nat_poly *nat_poly_of(struct nat_polys *p, LLVMValueRef v);
/** The value of a descriptor's parameter, by its name. */
const struct nat_poly *nat_poly_parameter(struct nat_polys *p, const char *name);
bool nat_poly_equal(const struct nat_poly *a, const struct nat_poly *b);
/** Whether the polynomial is a constant, and its value. */
bool nat_poly_constant(const struct nat_poly *a, int64_t *n);
/**
 * Whether a and b are the same number if both are below 2^31: each is the same size × the same
 * extension of 32 bits, plus a constant, and the extended polynomials differ only by the difference
 * of the constants.
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

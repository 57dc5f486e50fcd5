// SPDX-License-Identifier: MIT
#ifndef NATIVE_RANGES_H
#define NATIVE_RANGES_H
#include "native/term.h"

/** Interval analysis of the integers of a kernel, for the launches of a shape: see ranges.c. */

/** Bounds of an integer as a signed number. */
struct nat_range {
    nat_wide lo, hi;
    bool sure; // it cannot be poison
};

struct nat_ranges {
    const struct rg_fn *f;
    const struct nat_shape *shape;
    struct arena *arena;
    struct map known;    // value → struct nat_range *
    struct map advances; // value that a loop counter gets next → struct nat_range *, where the
                         // value is computed only in iterations that do not leave the loop
};

void nat_ranges_init(struct nat_ranges *x, const struct rg_fn *f, const struct nat_shape *shape,
                     struct arena *a);
void nat_ranges_deinit(struct nat_ranges *x);
/** Of any integer of at most 64 bits, wherever it is computed. */
struct nat_range nat_range_of(struct nat_ranges *x, LLVMValueRef v);
/** All integers of that many bits. */
struct nat_range nat_any(unsigned width);
struct nat_range nat_hull(struct nat_range a, struct nat_range b);
bool nat_fits(struct nat_range r, unsigned width);
/**
 * The number that an addition, subtraction, multiplication or shift to the left would have if it
 * did not wrap. False: it is another operation, or the count of the shift may be too large.
 */
bool nat_exact_range(struct nat_ranges *x, LLVMValueRef v, struct nat_range *out);

/** range_counters.c: of a phi at the header of a loop. False: it does not count. */
bool nat_counter_range(struct nat_ranges *x, LLVMValueRef phi, struct nat_range *out);
#endif

// SPDX-License-Identifier: MIT
#ifndef NATIVE_TRANSFORM_H
#define NATIVE_TRANSFORM_H
#include "native/native.h"

/**
 * The passes of passes.def over a kernel before it is cut into regions. f: with uniformity; what it says of the blocks is of no use after a
 * change. What was done, and why not, is said in remarks, a line each.
 */

/** Takes out barriers that no dependence between work-items needs: how many. */
unsigned nat_remove_barriers(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a, struct str *remarks);

/**
 * Looks at the next local array that is not in `seen`, false when there is none; where it only buffers a global array, that is read instead.
 * f is of no use after a change, so it is for the caller to build anew.
 */
bool nat_replace_buffer(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a, struct map *seen, struct str *remarks);
#endif

// SPDX-License-Identifier: MIT
#ifndef INTERP_POOL_H
#define INTERP_POOL_H

/**
 * Threads that stay between launches. pool_run calls fn(ctx, i) for i in 0..n-1, 0 on the caller's
 * own thread, and returns when all have returned. Several callers may be in it at once. Threads
 * start when first needed; a forked child starts its own.
 */
void pool_run(unsigned n, void (*fn)(void *ctx, unsigned i), void *ctx);
#endif

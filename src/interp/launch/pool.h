// SPDX-License-Identifier: MIT
#ifndef INTERP_POOL_H
#define INTERP_POOL_H

/**
 * Threads that persist between launches. pool_run calls fn(ctx, i) for i in 0..n-1, 0 on the
 * caller's own thread, and returns when all have returned. Several threads may call it at once.
 * Threads are started on demand; a forked child starts its own.
 */
void pool_run(unsigned n, void (*fn)(void *ctx, unsigned i), void *ctx);
#endif

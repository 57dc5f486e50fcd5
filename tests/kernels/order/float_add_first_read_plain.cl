// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=float[1]=0
// The first look at the sum is a plain read beside the others' atomics.
kernel void k(volatile global uint *sum)
{
    uint old = *sum, seen; // OTHER data-race
    for (;; old = seen) {
        const uint now = as_uint(as_float(old) + 1.0f);
        seen = atomic_cmpxchg(sum, old, now); // EXPECT data-race 'sum'
        if (seen == old) break;
    }
}

// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=float[1]=0
// DUMP 0: [64.0]
kernel void k(volatile global uint *sum)
{
    uint old = atomic_or(sum, 0), seen;
    for (;; old = seen) {
        const uint now = as_uint(as_float(old) + 1.0f);
        seen = atomic_cmpxchg(sum, old, now);
        if (seen == old) break;
    }
}

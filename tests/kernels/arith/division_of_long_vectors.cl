// SPDX-License-Identifier: MIT
// The second is not a vector: a macro expands to two divisions at one source location.
// RUN: --global=1 --local=1 --arg=int=0 --arg=int[2]=0
// SAYS: = component s2 of the divisor is 0; its result is 0
// SAYS: = the result is 0
#define BOTH(a, b) (100 / (a) + 100 / (b))
kernel void k(int zero, global int *out)
{
    uint8 den = (uint8)(1, 2, zero, 4, 5, 6, 7, 8);
    uint8 q = (uint8)(100) / den; // EXPECT division-by-zero
    out[0] = q.s2 + q.s7;
    out[1] = BOTH(zero + 1, zero); // EXPECT division-by-zero
}

// SPDX-License-Identifier: MIT
// RUN: --kernel=k --global=1 --local=1 --arg=int[4]=0 --arg=ulong=4611686018427387904
// In bytes the index is once round all addresses: no way back into the object.
kernel void k(global int *o, ulong n)
{
    o[n] = 1; // EXPECT out-of-bounds 'o'
    o[n + 2] = 1; // EXPECT out-of-bounds 'o'
}
